//! A concrete heap as an SVG picture: objects in boxes, by their distance from the inputs, and references as arrows.
//!
//! `layout` says where everything is; this file writes it down. A reference that leads to the next column is a curve; every other one
//! runs in a lane of its own between the columns and in a track of its own below the boxes, so that no two lines lie on each other
//! and none crosses a box.

mod layout;

use std::fmt::{Result, Write};

use lazuli_engine::witness::{Concrete, Witness, WitnessObject};
use lazuli_program::Program;

use layout::{Edge, Layout, Route};

/// How references are coloured, by their field, in this order: colours that everybody can tell apart.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d46"];

/// The style of all pictures of a page, in the light and in the dark.
pub const STYLE: &str = "\
.heap{--ink:#1f2933;--faint:#7b8794;--box:#f5f8fc;--head:#dfe8f3;--line:#52606d;font:12px Helvetica,Arial,sans-serif}\
.heap text{fill:var(--ink)}.heap .title{font-weight:bold}.heap .faint{fill:var(--faint)}\
.heap .box{fill:var(--box);stroke:var(--line)}.heap .head{fill:var(--head);stroke:var(--line)}\
.heap .ref{fill:none;stroke-width:1.4}.heap .alias{stroke-dasharray:5 3}\
@media (prefers-color-scheme:dark){.heap{--ink:#e4e7eb;--faint:#9aa5b1;--box:#252d37;--head:#36424f;--line:#7b8794}}";

/// The fields that have a colour, in its order. All pictures of a page share one.
#[derive(Default)]
pub struct Palette {
    names: Vec<String>,
}

impl Palette {
    /// Gives colours to the fields that are arrows in these heaps, and have none yet.
    pub fn extend(&mut self, program: &Program, heaps: &[Witness]) {
        for (name, value) in heaps.iter().flat_map(|heap| &heap.objects).flat_map(|object| object.parts(program)) {
            let name = field_name(&name);
            if matches!(value, Concrete::Object(_)) && !self.names.iter().any(|known| known == name) {
                self.names.push(name.into());
            }
        }
    }

    fn colour(&self, name: &str) -> &'static str {
        let number = self.names.iter().position(|known| known == field_name(name)).unwrap_or(0);
        COLOURS[number % COLOURS.len()]
    }
}

/// The name that the legend has for a part of an object: all elements of arrays are alike.
fn field_name(part: &str) -> &str {
    if part.starts_with('[') { "[ ]" } else { part }
}

/// A picture that stands by itself: with its style and the legend.
pub fn draw(program: &Program, heap: &Witness, palette: &Palette) -> String {
    picture(program, heap, palette, true)
}

/// A picture for a page that has the style and the legend.
pub fn figure(program: &Program, heap: &Witness, palette: &Palette) -> String {
    picture(program, heap, palette, false)
}

fn picture(program: &Program, heap: &Witness, palette: &Palette, alone: bool) -> String {
    let mut out = String::new();
    let layout = Layout::new(program, heap);
    Picture { program, heap, palette, layout }.write(&mut out, alone).expect("writing to a string");
    out
}

/// What the lines mean, as a picture of its own.
pub fn legend(palette: &Palette) -> String {
    let mut out = String::new();
    let fields: Vec<&str> = palette.names.iter().map(|name| name.as_str()).collect();
    let width = legend_width(&fields);
    writeln!(out, "<svg class=\"heap\" viewBox=\"0 0 {width} 24\" width=\"{width}\" height=\"24\">").expect("a string");
    write_legend(&mut out, palette, &fields, 0, 12).expect("a string");
    out.push_str("</svg>\n");
    out
}

const SWATCH: usize = 26;

fn legend_width(fields: &[&str]) -> usize {
    let each = |text: &str| SWATCH + 8 + layout::text_width(text) + 16;
    fields.iter().map(|field| each(field)).sum::<usize>() + each(FIRST) + each(ALIAS)
}

const FIRST: &str = "leads to an object first";
const ALIAS: &str = "leads to one met before";

fn write_legend(out: &mut String, palette: &Palette, fields: &[&str], mut x: usize, y: usize) -> Result {
    let coloured = fields.iter().map(|field| (*field, palette.colour(field), "ref"));
    for (text, colour, class) in coloured.chain([(FIRST, "var(--ink)", "ref"), (ALIAS, "var(--ink)", "ref alias")]) {
        writeln!(out, "<path class=\"{class}\" d=\"M{x} {y}h{SWATCH}\" stroke=\"{colour}\"/>")?;
        writeln!(out, "<text x=\"{}\" y=\"{}\">{}</text>", x + SWATCH + 8, y + 4, escape(text))?;
        x += SWATCH + 8 + layout::text_width(text) + 16;
    }
    Ok(())
}

struct Picture<'a> {
    program: &'a Program,
    heap: &'a Witness,
    palette: &'a Palette,
    layout: Layout,
}

impl Picture<'_> {
    fn write(&self, out: &mut String, alone: bool) -> Result {
        let here = |name: &&str| self.layout.edges.iter().any(|e| e.field.as_deref().map(field_name) == Some(*name));
        let used: Vec<&str> = self.palette.names.iter().map(|name| name.as_str()).filter(here).collect();
        let (mut width, mut height) = (self.layout.width, self.layout.height);
        if alone {
            width = width.max(legend_width(&used) + 2 * layout::MARGIN);
            height += 30;
        }
        write!(
            out,
            "<svg class=\"heap\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\">"
        )?;
        if alone {
            write!(out, "<style>{STYLE}.heap .paper{{fill:#fff}}")?;
            write!(out, "@media (prefers-color-scheme:dark){{.heap .paper{{fill:#161b22}}}}</style>")?;
            write!(out, "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>")?;
        }
        out.push('\n');
        // The lines first: where one meets a box, the box is in front.
        self.layout.edges.iter().try_for_each(|edge| self.edge(out, edge))?;
        self.roots(out)?;
        (0..self.heap.objects.len()).try_for_each(|object| self.object(out, object))?;
        if alone {
            write_legend(out, self.palette, &used, layout::MARGIN, height - 18)?;
        }
        writeln!(out, "</svg>")
    }

    fn roots(&self, out: &mut String) -> Result {
        for ((name, value), &(x, y)) in self.heap.roots.iter().zip(&self.layout.roots) {
            let (name, value) = (escape(name), shown(*value));
            match value {
                None => writeln!(out, "<text class=\"title\" x=\"{x}\" y=\"{}\">{name}</text>", y + 4)?,
                Some(value) => writeln!(
                    out,
                    "<text x=\"{x}\" y=\"{}\"><tspan class=\"title\">{name}</tspan> = {value}</text>",
                    y + 4
                )?,
            }
        }
        Ok(())
    }

    fn object(&self, out: &mut String, number: usize) -> Result {
        let object = &self.heap.objects[number];
        let b = self.layout.boxes[number];
        let (right, head) = (b.x + b.width, layout::LINE + 4);
        writeln!(
            out,
            "<rect class=\"box\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\"/>\
             <path class=\"head\" d=\"M{} {}v-{}a4 4 0 0 1 4 -4h{}a4 4 0 0 1 4 4v{}z\"/>",
            b.x,
            b.y,
            b.width,
            b.height,
            b.x,
            b.y + head,
            head - 4,
            b.width - 8,
            head - 4
        )?;
        let title = escape(&title(self.program, object));
        writeln!(out, "<text class=\"title\" x=\"{}\" y=\"{}\">{title}</text>", b.x + 8, b.y + 15)?;
        let last = right - 8;
        writeln!(
            out,
            "<text class=\"faint\" x=\"{last}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            b.y + 15,
            number + 1
        )?;
        for (row, (part, value)) in object.parts(self.program).iter().enumerate() {
            let y = b.row(row) + 4;
            let name = escape(part);
            writeln!(out, "<text x=\"{}\" y=\"{y}\">{name}</text>", b.x + 8)?;
            match shown(*value) {
                Some(value) => {
                    let class = if *value == *"null" { " class=\"faint\"" } else { "" };
                    writeln!(out, "<text{class} x=\"{last}\" y=\"{y}\" text-anchor=\"end\">{value}</text>")?;
                }
                None => {
                    let colour = self.palette.colour(part);
                    writeln!(out, "<circle cx=\"{}\" cy=\"{}\" r=\"3\" fill=\"{colour}\"/>", right - 10, y - 4)?;
                    writeln!(out, "<path class=\"ref\" d=\"M{} {}H{right}\" stroke=\"{colour}\"/>", right - 10, y - 4)?;
                }
            }
        }
        Ok(())
    }

    fn edge(&self, out: &mut String, edge: &Edge) -> Result {
        let ((x, y), (u, v)) = (edge.from, edge.to);
        // The arrow's head takes the last steps.
        let end = u - 7;
        let path = match edge.route {
            Route::Curve => {
                let bend = (end - x) / 2;
                format!("M{x} {y}C{} {y} {} {v} {end} {v}", x + bend, end - bend)
            }
            Route::Around { down, track, up } => {
                // The track is below both ends.
                let r = 5;
                format!(
                    "M{x} {y}H{}Q{down} {y} {down} {}V{}Q{down} {track} {} {track}H{}Q{up} {track} {up} {}V{}Q{up} {v} {} {v}H{end}",
                    down - r,
                    y + r,
                    track - r,
                    if up < down { down - r } else { down + r },
                    if up < down { up + r } else { up - r },
                    track - r,
                    v + r,
                    up + r
                )
            }
        };
        let colour = edge.field.as_deref().map_or("var(--line)", |field| self.palette.colour(field));
        let class = if edge.alias { "ref alias" } else { "ref" };
        let name = edge.field.as_deref().unwrap_or("");
        writeln!(
            out,
            "<path class=\"{class}\" d=\"{path}\" stroke=\"{colour}\"><title>{}</title></path>\
             <path d=\"M{} {}L{u} {v}L{} {}z\" fill=\"{colour}\"/>",
            escape(name),
            u - 8,
            v - 4,
            u - 8,
            v + 4
        )
    }
}

/// The text of a value; a reference to an object has an arrow instead.
fn shown(value: Concrete) -> Option<String> {
    Some(match value {
        Concrete::Bool(value) => value.to_string(),
        Concrete::Int(value) => value.to_string(),
        Concrete::Float(bits) => format!("{:?}", f32::from_bits(bits)),
        Concrete::Double(bits) => format!("{:?}", f64::from_bits(bits)),
        Concrete::Null => "null".into(),
        Concrete::Object(_) => return None,
    })
}

/// What is written above an object: its class, or what it is called before the entry.
fn title(program: &Program, object: &WitnessObject) -> String {
    match &object.existing {
        Some(existing) => existing.to_string(),
        None => short_name(&program.class(object.class).name).into(),
    }
}

/// The name of a class without its package.
fn short_name(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
