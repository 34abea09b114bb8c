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

    /// Powers of ten on the axis, at most about eight, with their labels.
    fn ticks(&self) -> Vec<(f64, String)> {
        let (first, last) = (self.low.log10().ceil() as i32, self.high.log10().floor() as i32);
        let step = ((last - first) / 8 + 1) as usize;
        let power = |exponent: i32| {
            let label = match exponent {
                -3..=4 => format!("{}", 10f64.powi(exponent)),
                _ => format!("1e{exponent}"),
            };
            (10f64.powi(exponent), label)
        };
        (first..=last).filter(|exponent| exponent.rem_euclid(step as i32) == 0).map(power).collect()
    }

    /// Where a value is, from 0 to 1.
    fn place(&self, value: f64) -> f64 {
        (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
    }
}

const WIDTH: usize = 44;

/// The numbers after a box of the text.
const NUMBERS: &str = "min q1 median q3 max (targets)";

impl Figure {
    pub fn text(&self) -> String {
        let axis = Axis::of(self.boxes.iter().filter_map(|(_, _, b)| *b));
        let mut out = format!("{}\n  {:8} {:WIDTH$}  {NUMBERS}\n", self.title, "", self.scale(&axis));
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

    /// What there is to say of the axis.
    fn scale(&self, axis: &Axis) -> String {
        let zero = self.boxes.iter().any(|(_, _, five)| five.is_some_and(|five| five.min <= 0.0));
        if zero { format!("logarithmic; 0 is drawn where {} is", number(axis.low)) } else { "logarithmic".into() }
    }

    pub fn svg(&self) -> String {
        let mut out = String::new();
        self.write_svg(&mut out).expect("writing to a string");
        out
    }

    fn write_svg(&self, out: &mut String) -> std::fmt::Result {
        let axis = Axis::of(self.boxes.iter().filter_map(|(_, _, b)| *b));
        let x = |value: f64| LEFT + axis.place(value) * (RIGHT - LEFT);
        let bottom = TOP + ROW * self.boxes.len() as f64;
        let height = bottom + 44.0;
        writeln!(
            out,
            "<svg class=\"plot\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 880 {height}\" width=\"880\" \
             height=\"{height}\" role=\"img\"><style>{STYLE}</style>\n\
             <text class=\"title\" x=\"8\" y=\"20\">{}</text>",
            self.title
        )?;
        for (value, label) in axis.ticks() {
            let (x, class) = (x(value), if label == "1" { "one" } else { "grid" });
            writeln!(out, "<path class=\"{class}\" d=\"M{x:.1} {}V{bottom}\"/>", TOP - 6.0)?;
            writeln!(
                out,
                "<text class=\"faint\" x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{label}</text>",
                bottom + 16.0
            )?;
        }
        writeln!(out, "<path class=\"line\" d=\"M{LEFT} {bottom}H{RIGHT}\"/>")?;
        for (column, head) in (0..).zip(["min", "q1", "median", "q3", "max", "targets"]) {
            writeln!(
                out,
                "<text class=\"faint\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{head}</text>",
                column_end(column),
                TOP - 8.0
            )?;
        }
        for (i, (name, targets, five)) in self.boxes.iter().enumerate() {
            let y = TOP + ROW * (i as f64 + 0.5);
            writeln!(out, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{name}</text>", LEFT - 14.0, y + 4.0)?;
            let Some(five) = five else {
                writeln!(out, "<text class=\"faint\" x=\"{LEFT}\" y=\"{}\">no target</text>", y + 4.0)?;
                continue;
            };
            let [min, q1, median, q3, max] = five.numbers().map(x);
            writeln!(
                out,
                "<path class=\"line\" d=\"M{min:.1} {y}H{q1:.1}M{q3:.1} {y}H{max:.1}M{min:.1} {top}v12M{max:.1} {top}v12\"/>\n\
                 <rect class=\"box\" x=\"{q1:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"18\" rx=\"2\"/>\n\
                 <path class=\"median\" d=\"M{median:.1} {:.1}v18\"/>",
                y - 9.0,
                (q3 - q1).max(1.0),
                y - 9.0,
                top = y - 6.0,
            )?;
            let cells = five.numbers().map(number).into_iter().chain([targets.to_string()]);
            for (column, cell) in (0..).zip(cells) {
                writeln!(
                    out,
                    "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{cell}</text>",
                    column_end(column),
                    y + 4.0
                )?;
            }
        }
        let note = self.scale(&axis);
        writeln!(out, "<text class=\"faint\" x=\"{LEFT}\" y=\"{}\">{note}</text></svg>", bottom + 36.0)
    }
}

/// Where the plot is in the picture, and the height of a row.
const LEFT: f64 = 90.0;
const RIGHT: f64 = 500.0;
const TOP: f64 = 56.0;
const ROW: f64 = 30.0;

/// The right end of a column of numbers.
fn column_end(column: usize) -> usize {
    560 + 62 * column
}

const STYLE: &str = "\
.plot{--ink:#1f2933;--faint:#7b8794;--line:#52606d;--grid:#e4e7eb;--box:#cfe0f3;--median:#0072b2;font:13px Helvetica,Arial,sans-serif}\
.plot text{fill:var(--ink)}.plot .title{font-weight:bold;font-size:14px}.plot .faint{fill:var(--faint);font-size:12px}\
.plot .line{fill:none;stroke:var(--line)}.plot .grid{stroke:var(--grid)}.plot .one{stroke:var(--faint);stroke-dasharray:4 3}\
.plot .box{fill:var(--box);stroke:var(--line)}.plot .median{stroke:var(--median);stroke-width:3}\
@media (prefers-color-scheme:dark){.plot{--ink:#e4e7eb;--faint:#9aa5b1;--line:#9aa5b1;--grid:#323f4b;--box:#2b4a68;--median:#56b4e9}}";

/// Three digits are enough.
pub fn number(value: f64) -> String {
    match value {
        v if v >= 100.0 || v == v.round() => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}
