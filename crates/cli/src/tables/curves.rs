//! Curves of a time against a size: in SVG, with a logarithmic axis of times.

use std::fmt::Write;

pub struct Curve {
    pub name: String,
    /// Sizes and seconds.
    pub points: Vec<(u32, f64)>,
}

const LEFT: f64 = 70.0;
const RIGHT: f64 = 640.0;
const TOP: f64 = 46.0;
const BOTTOM: f64 = 340.0;

/// Of the colours that people who see few of them can tell apart.
const COLOURS: [&str; 6] = ["#0072b2", "#009e73", "#d55e00", "#cc79a7", "#e69f00", "#56b4e9"];

const STYLE: &str = "\
.curves{--ink:#1f2933;--faint:#7b8794;--grid:#e4e7eb;font:13px Helvetica,Arial,sans-serif}\
.curves text{fill:var(--ink)}.curves .title{font-weight:bold;font-size:14px}.curves .faint{fill:var(--faint);font-size:12px}\
.curves .grid{stroke:var(--grid);fill:none}.curves .curve{fill:none;stroke-width:2.5}\
@media (prefers-color-scheme:dark){.curves{--ink:#e4e7eb;--faint:#9aa5b1;--grid:#323f4b}}";

pub fn svg(title: &str, sizes: &str, curves: &[Curve]) -> String {
    let mut out = String::new();
    write_svg(&mut out, title, sizes, curves).expect("writing to a string");
    out
}

fn write_svg(out: &mut String, title: &str, sizes: &str, curves: &[Curve]) -> std::fmt::Result {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let first = points().map(|point| point.0).min().unwrap_or(0);
    let last = points().map(|point| point.0).max().unwrap_or(1).max(first + 1);
    let least = points().map(|point| point.1).fold(f64::INFINITY, f64::min).max(1e-6);
    let most = points().map(|point| point.1).fold(least * 10.0, f64::max);
    let (low, high) = (least.log10().floor(), most.log10().ceil());
    let x = |size: u32| LEFT + f64::from(size - first) / f64::from(last - first) * (RIGHT - LEFT);
    let y = |seconds: f64| BOTTOM - (seconds.max(1e-6).log10() - low) / (high - low) * (BOTTOM - TOP);
    writeln!(
        out,
        "<svg class=\"curves\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 780 390\" width=\"780\" height=\"390\" \
         role=\"img\"><style>{STYLE}</style>\n<text class=\"title\" x=\"8\" y=\"20\">{title}</text>"
    )?;
    for exponent in low as i32..=high as i32 {
        let (at, label) = (y(10f64.powi(exponent)), label(exponent));
        writeln!(
            out,
            "<path class=\"grid\" d=\"M{LEFT} {at:.1}H{RIGHT}\"/><text class=\"faint\" x=\"{}\" y=\"{:.1}\" \
             text-anchor=\"end\">{label}</text>",
            LEFT - 8.0,
            at + 4.0
        )?;
    }
    for size in first..=last {
        writeln!(
            out,
            "<text class=\"faint\" x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{size}</text>",
            x(size),
            BOTTOM + 18.0
        )?;
    }
    writeln!(
        out,
        "<text class=\"faint\" x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{sizes}</text>",
        (LEFT + RIGHT) / 2.0,
        BOTTOM + 38.0
    )?;
    let mut taken: Vec<f64> = Vec::new();
    for (curve, colour) in curves.iter().zip(COLOURS.iter().cycle()) {
        let Some(&end) = curve.points.last() else { continue };
        let path: Vec<String> =
            curve.points.iter().map(|(size, seconds)| format!("{:.1} {:.1}", x(*size), y(*seconds))).collect();
        writeln!(out, "<path class=\"curve\" stroke=\"{colour}\" d=\"M{}\"/>", path.join("L"))?;
        for (size, seconds) in &curve.points {
            writeln!(out, "<circle r=\"3\" fill=\"{colour}\" cx=\"{:.1}\" cy=\"{:.1}\"/>", x(*size), y(*seconds))?;
        }
        // Names of curves that end at one place stand one below the other.
        let mut at = y(end.1);
        while taken.iter().any(|other| (other - at).abs() < 14.0) {
            at += 14.0;
        }
        taken.push(at);
        writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" style=\"fill:{colour}\">{}</text>",
            x(end.0) + 10.0,
            at + 4.0,
            curve.name
        )?;
    }
    writeln!(out, "</svg>")
}

fn label(exponent: i32) -> String {
    match exponent {
        ..=-4 => format!("{} µs", 10f64.powi(exponent + 6)),
        -3..=-1 => format!("{} ms", 10f64.powi(exponent + 3)),
        _ => format!("{} s", 10f64.powi(exponent)),
    }
}
