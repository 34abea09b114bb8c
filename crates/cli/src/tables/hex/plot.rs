//! Box plots of the document's Figures 4 to 6: minimum, quartiles and maximum over the targets, in text and in SVG, on a
//! logarithmic axis.

use std::fmt::Write;

/// The five numbers of a box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Box5 {
    pub min: f64,
    pub q1: f64,
    pub median: f64,
    pub q3: f64,
    pub max: f64,
}

impl Box5 {
    /// Of at least one value; quartiles lie between values where they must.
    pub fn of(mut values: Vec<f64>) -> Option<Box5> {
        values.sort_by(f64::total_cmp);
        let (first, last) = (*values.first()?, *values.last()?);
        let at = |part: f64| {
            let place = part * (values.len() - 1) as f64;
            let (low, high) = (values[place.floor() as usize], values[place.ceil() as usize]);
            low + (high - low) * place.fract()
        };
        Some(Box5 { min: first, q1: at(0.25), median: at(0.5), q3: at(0.75), max: last })
    }

    fn numbers(self) -> [f64; 5] {
        [self.min, self.q1, self.median, self.q3, self.max]
    }
}

/// One figure: a box a technique.
pub struct Figure {
    pub title: String,
    /// With how many targets it is of.
    pub boxes: Vec<(&'static str, usize, Option<Box5>)>,
}

/// The axis: values from `low` on; smaller ones are at its beginning.
struct Axis {
    low: f64,
    high: f64,
}

impl Axis {
    fn of(boxes: impl Iterator<Item = Box5>) -> Axis {
        let numbers: Vec<f64> = boxes.flat_map(Box5::numbers).filter(|n| *n > 0.0).collect();
        let low = numbers.iter().copied().fold(1.0, f64::min);
        let high = numbers.iter().copied().fold(low * 10.0, f64::max);
        Axis { low, high }
    }

    /// Where a value is, from 0 to 1.
    fn place(&self, value: f64) -> f64 {
        (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
    }
}

const WIDTH: usize = 44;

impl Figure {
    pub fn text(&self) -> String {
        let axis = Axis::of(self.boxes.iter().filter_map(|(_, _, b)| *b));
        let mut out = format!("{}\n", self.title);
        for (name, targets, five) in &self.boxes {
            let Some(five) = five else {
                writeln!(out, "  {name:8} {:WIDTH$}  no target", "").expect("writing to a string");
                continue;
            };
            let at = |value: f64| (axis.place(value) * (WIDTH - 1) as f64).round() as usize;
            let mut line: Vec<char> = vec![' '; WIDTH];
            line[at(five.min)..=at(five.max)].fill('-');
            line[at(five.q1)..=at(five.q3)].fill('=');
            (line[at(five.min)], line[at(five.max)]) = ('|', '|');
            line[at(five.median)] = '#';
            let line: String = line.into_iter().collect();
            let numbers: Vec<String> = five.numbers().into_iter().map(number).collect();
            writeln!(out, "  {name:8} {line}  {} ({targets})", numbers.join(" ")).expect("writing to a string");
        }
        out
    }

    pub fn svg(&self) -> String {
        let axis = Axis::of(self.boxes.iter().filter_map(|(_, _, b)| *b));
        let x = |value: f64| 90.0 + axis.place(value) * 420.0;
        let height = 40 + 34 * self.boxes.len();
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"760\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
             <text x=\"8\" y=\"20\" font-weight=\"bold\">{}</text>\n",
            self.title
        );
        for (i, (name, targets, five)) in self.boxes.iter().enumerate() {
            let y = 50.0 + 34.0 * i as f64;
            writeln!(out, "<text x=\"8\" y=\"{:.0}\">{name}</text>", y + 4.0).expect("writing to a string");
            let Some(five) = five else { continue };
            let [min, q1, median, q3, max] = five.numbers().map(x);
            writeln!(
                out,
                "<path d=\"M{min:.1} {y}H{q1:.1}M{q3:.1} {y}H{max:.1}M{min:.1} {top}v12M{max:.1} {top}v12\" stroke=\"#345\"/>\n\
                 <rect x=\"{q1:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"20\" fill=\"#cde\" stroke=\"#345\"/>\n\
                 <path d=\"M{median:.1} {:.1}v20\" stroke=\"#123\" stroke-width=\"3\"/>\n\
                 <text x=\"530\" y=\"{:.0}\">{} ({targets})</text>",
                y - 10.0,
                (q3 - q1).max(1.0),
                y - 10.0,
                y + 4.0,
                five.numbers().map(number).join(" "),
                top = y - 6.0,
            )
            .expect("writing to a string");
        }
        out.push_str("</svg>\n");
        out
    }
}

/// Three digits are enough.
pub fn number(value: f64) -> String {
    match value {
        v if v >= 100.0 || v == v.round() => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}
