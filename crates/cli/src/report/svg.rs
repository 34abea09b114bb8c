//! A concrete heap as an SVG picture: objects in boxes, by their distance from the inputs, and references as arrows.

use std::fmt::Write;

use lazuli_engine::witness::{Concrete, Witness};
use lazuli_program::Program;

const BOX_WIDTH: usize = 130;
const COLUMN: usize = 220;
const LINE: usize = 16;
const GAP: usize = 34;
const MARGIN: usize = 40;

/// Where a box is: its left upper corner and its height.
#[derive(Clone, Copy)]
struct Place {
    x: usize,
    y: usize,
    height: usize,
}

impl Place {
    fn middle(&self) -> usize {
        self.y + self.height / 2
    }
}

pub fn draw(program: &Program, heap: &Witness) -> String {
    let mut out = String::new();
    write(program, heap, &mut out).expect("writing to a string");
    out
}

fn write(program: &Program, heap: &Witness, out: &mut String) -> std::fmt::Result {
    let places = layout(program, heap);
    let roots = heap.roots.len();
    let width = places.iter().map(|p| p.x + BOX_WIDTH).max().unwrap_or(0).max(COLUMN) + 2 * MARGIN;
    let bottom = places.iter().map(|p| p.y + p.height).max().unwrap_or(0);
    let height = bottom.max(MARGIN + roots * (LINE + GAP)) + 2 * MARGIN;
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\">"
    )?;
    writeln!(
        out,
        "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
         orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\" fill=\"#345\"/></marker></defs>"
    )?;
    writeln!(out, "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>")?;
    for (index, (name, value)) in heap.roots.iter().enumerate() {
        let y = MARGIN + index * (LINE + GAP) + LINE;
        writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" font-weight=\"bold\">{}</text>",
            8,
            y + 4,
            escape(&label(name, *value))
        )?;
        if let Concrete::Object(target) = value {
            let from = (8 + 8 * name.chars().count() + 6, y);
            arrow(out, from, (places[*target].x, places[*target].middle()), "", 0)?;
        }
    }
    for (object, place) in heap.objects.iter().zip(&places) {
        let title = escape(&program.class(object.class).name);
        let Place { x, y, height } = *place;
        writeln!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{BOX_WIDTH}\" height=\"{height}\" rx=\"5\" fill=\"#eef3fa\" stroke=\"#345\"/>"
        )?;
        writeln!(out, "<text x=\"{}\" y=\"{}\" font-weight=\"bold\">{title}</text>", x + 8, y + LINE)?;
        for (row, (field, value)) in object.fields.iter().enumerate() {
            let text = escape(&label(&program.field(*field).name, *value));
            writeln!(out, "<text x=\"{}\" y=\"{}\">{text}</text>", x + 8, y + LINE * (row + 2))?;
        }
    }
    // Above the boxes, so that no arrow is hidden.
    for (object, place) in heap.objects.iter().zip(&places) {
        for (row, (field, value)) in object.fields.iter().enumerate() {
            let Concrete::Object(target) = value else { continue };
            let from = (place.x + BOX_WIDTH, place.y + LINE * (row + 2) - 4);
            let to = places[*target];
            arrow(out, from, (to.x, to.middle()), &program.field(*field).name, row)?;
        }
    }
    writeln!(out, "</svg>")
}

/// The text of a field in its box; a reference to an object has an arrow instead of a value.
fn label(name: &str, value: Concrete) -> String {
    match value {
        Concrete::Bool(value) => format!("{name} = {value}"),
        Concrete::Int(value) => format!("{name} = {value}"),
        Concrete::Float(bits) => format!("{name} = {:?}", f32::from_bits(bits)),
        Concrete::Double(bits) => format!("{name} = {:?}", f64::from_bits(bits)),
        Concrete::Null => format!("{name} = null"),
        Concrete::Object(_) => name.to_string(),
    }
}

fn arrow(out: &mut String, from: (usize, usize), to: (usize, usize), name: &str, lane: usize) -> std::fmt::Result {
    let (x, y) = from;
    let (u, v) = to;
    let path = if u > x {
        let bend = (u - x) / 2;
        format!("M{x} {y} C{} {y} {} {v} {u} {v}", x + bend, u - bend)
    } else {
        // Backwards: around below the boxes, each in a lane of its own.
        let below = y.max(v) + 30 + 12 * lane;
        format!(
            "M{x} {y} C{} {y} {} {below} {} {below} S{} {v} {u} {v}",
            x + 45,
            x + 45,
            x.min(u + BOX_WIDTH),
            u.saturating_sub(45)
        )
    };
    writeln!(
        out,
        "<path d=\"{path}\" fill=\"none\" stroke=\"#345\" marker-end=\"url(#tip)\"><title>{}</title></path>",
        escape(name)
    )
}

/// Columns by distance from the inputs, rows in the order of discovery.
fn layout(program: &Program, heap: &Witness) -> Vec<Place> {
    let mut column: Vec<Option<usize>> = vec![None; heap.objects.len()];
    let mut queue: Vec<usize> = Vec::new();
    for (_, value) in &heap.roots {
        enter(*value, 0, &mut column, &mut queue);
    }
    let mut next = 0;
    while next < queue.len() {
        let object = queue[next];
        let at = column[object].expect("it was entered");
        for (field, value) in &heap.objects[object].fields {
            debug_assert!(program.fields.len() > field.index());
            enter(*value, at + 1, &mut column, &mut queue);
        }
        next += 1;
    }
    let mut filled: Vec<usize> = Vec::new();
    let mut places = vec![Place { x: MARGIN, y: MARGIN, height: 0 }; heap.objects.len()];
    let rest: Vec<usize> = (0..heap.objects.len()).filter(|o| column[*o].is_none()).collect();
    for object in queue.into_iter().chain(rest) {
        let at = column[object].unwrap_or(0);
        if filled.len() <= at {
            filled.resize(at + 1, MARGIN);
        }
        let height = LINE * (heap.objects[object].fields.len() + 1) + 10;
        places[object] = Place { x: MARGIN + 60 + at * COLUMN, y: filled[at], height };
        filled[at] += height + GAP;
    }
    places
}

fn enter(value: Concrete, at: usize, column: &mut [Option<usize>], queue: &mut Vec<usize>) {
    if let Concrete::Object(object) = value
        && column[object].is_none()
    {
        column[object] = Some(at);
        queue.push(object);
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
