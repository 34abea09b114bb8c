//! A heap of guarded sets as a bipartite graph, read off a configuration of `--steps-trace`:
//!
//! ```text
//! l0 is this: Pair
//!   R(l0, x) = r1  L(r1) = {(this.x == null, null) (this.x != null, this.x)}
//! ```

use std::fmt::Write;

/// A reference: the field of a location, and its set.
pub struct Reference {
    pub name: String,
    pub location: String,
    pub field: String,
    /// Constraints, and the locations they lead to.
    pub set: Vec<(String, String)>,
}

pub struct Graph {
    pub references: Vec<Reference>,
}

impl Graph {
    pub fn of(configuration: &str) -> Graph {
        Graph { references: configuration.lines().filter_map(reference).collect() }
    }

    /// The locations that a field of a location may refer to.
    pub fn set_of(&self, location: &str, field: &str) -> Vec<&str> {
        let of = |reference: &&Reference| reference.location == location && reference.field == field;
        let found = self.references.iter().filter(of);
        found.flat_map(|reference| reference.set.iter().map(|(_, target)| target.as_str())).collect()
    }

    /// The graph in the document's notation.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for (number, reference) in (1..).zip(&self.references) {
            let set = reference.set.iter().enumerate();
            let set: Vec<String> = set.map(|(i, (_, target))| format!("({} {target})", label(number, i))).collect();
            let Reference { name, location, field, .. } = reference;
            let _ = writeln!(out, "  R({location}, {field}) = {name}   L({name}) = {{{}}}", set.join(" "));
        }
        for (name, constraint) in self.constraints() {
            let _ = writeln!(out, "  {name} = {constraint}");
        }
        out
    }

    fn constraints(&self) -> Vec<(String, &str)> {
        let mut all = Vec::new();
        for (number, reference) in (1..).zip(&self.references) {
            let set = reference.set.iter().enumerate();
            all.extend(set.map(|(i, (constraint, _))| (label(number, i), constraint.as_str())));
        }
        all
    }

    pub fn svg(&self, title: &str) -> String {
        let mut out = String::new();
        self.write_svg(&mut out, title).expect("writing to a string");
        out
    }

    /// Holders on the left, references in the middle, the locations of their sets on the right; constraints by name, and below what they are.
    fn write_svg(&self, out: &mut String, title: &str) -> std::fmt::Result {
        let once = |names: Vec<&str>| {
            let mut list: Vec<String> = Vec::new();
            for name in names {
                if !list.iter().any(|known| known == name) {
                    list.push(name.to_string());
                }
            }
            list
        };
        let holders = once(self.references.iter().map(|reference| reference.location.as_str()).collect());
        let targets = once(self.references.iter().flat_map(|r| r.set.iter().map(|(_, to)| to.as_str())).collect());
        let rows = self.references.len().max(targets.len()).max(holders.len());
        let height = rows as f64 * ROW;
        let y = |number: usize, of: usize| TOP + (number as f64 + 0.5) * height / of as f64;
        let (constraints, bottom) = (self.constraints(), TOP + height + 24.0);
        let whole = bottom + constraints.len() as f64 * LINE + 8.0;
        writeln!(
            out,
            "<svg class=\"heap\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 780 {whole}\" width=\"780\" height=\"{whole}\" role=\"img\">\
             <style>{STYLE}</style>\n<text class=\"title\" x=\"8\" y=\"20\">{}</text>\n\
             <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\">\
             <path class=\"tip\" d=\"M0 0L8 4L0 8Z\"/></marker></defs>",
            escaped(title)
        )?;
        for (number, reference) in self.references.iter().enumerate() {
            let here = y(number, self.references.len());
            let holder = holders.iter().position(|name| *name == reference.location).expect("every location is there");
            let from = (LEFT + BOX, y(holder, holders.len()));
            arrow(out, from, (MIDDLE - CIRCLE, here), &reference.field, 0.5)?;
            for (i, (_, target)) in reference.set.iter().enumerate() {
                let to = targets.iter().position(|name| name == target).expect("every target is there");
                arrow(out, (MIDDLE + CIRCLE, here), (RIGHT, y(to, targets.len())), &label(number + 1, i), 0.3)?;
            }
            writeln!(out, "<circle class=\"node\" cx=\"{MIDDLE}\" cy=\"{here:.1}\" r=\"{CIRCLE}\"/>")?;
            words(out, (MIDDLE, here + 4.0), &reference.name)?;
        }
        for (names, x) in [(&holders, LEFT), (&targets, RIGHT)] {
            for (number, name) in names.iter().enumerate() {
                let at = y(number, names.len());
                let top = at - 16.0;
                writeln!(
                    out,
                    "<rect class=\"node\" x=\"{x}\" y=\"{top:.1}\" width=\"{BOX}\" height=\"32\" rx=\"4\"/>"
                )?;
                words(out, (x + BOX / 2.0, at + 4.0), if name == "uninitialised" { "l un" } else { name })?;
            }
        }
        for (number, (name, constraint)) in constraints.iter().enumerate() {
            let at = bottom + number as f64 * LINE;
            writeln!(out, "<text class=\"faint\" x=\"24\" y=\"{at:.1}\">{name} = {}</text>", escaped(constraint))?;
        }
        writeln!(out, "</svg>")
    }
}

const TOP: f64 = 40.0;
const ROW: f64 = 64.0;
const LINE: f64 = 18.0;
const LEFT: f64 = 24.0;
const MIDDLE: f64 = 330.0;
const RIGHT: f64 = 620.0;
const BOX: f64 = 110.0;
const CIRCLE: f64 = 20.0;

const STYLE: &str = "\
.heap{--ink:#1f2933;--faint:#52606d;--node:#f5f7fa;--paper:#fff;font:13px Helvetica,Arial,sans-serif}\
.heap text{fill:var(--ink)}.heap .title{font-weight:bold;font-size:14px}.heap .faint{fill:var(--faint);font-size:12px}\
.heap .node{fill:var(--node);stroke:var(--ink)}.heap .edge{stroke:var(--ink);fill:none}.heap .tip{fill:var(--ink)}\
.heap .name{stroke:var(--paper);stroke-width:4px;paint-order:stroke}\
@media (prefers-color-scheme:dark){.heap{--ink:#e4e7eb;--faint:#9aa5b1;--node:#1f2933;--paper:#161b22}}";

fn arrow(out: &mut String, from: (f64, f64), to: (f64, f64), name: &str, part: f64) -> std::fmt::Result {
    let at = (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part + 4.0);
    writeln!(
        out,
        "<path class=\"edge\" marker-end=\"url(#tip)\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/>\
         <text class=\"name\" text-anchor=\"middle\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
        from.0,
        from.1,
        to.0,
        to.1,
        at.0,
        at.1,
        escaped(name)
    )
}

fn words(out: &mut String, at: (f64, f64), text: &str) -> std::fmt::Result {
    writeln!(out, "<text text-anchor=\"middle\" x=\"{:.1}\" y=\"{:.1}\">{}</text>", at.0, at.1, escaped(text))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The document's names: φ1a, φ1b, …
fn label(reference: usize, member: usize) -> String {
    let letter = char::from(b'a' + (member % 26) as u8);
    format!("φ{reference}{letter}")
}

/// A line such as `R(l0, x) = r1  L(r1) = {(true, uninitialised)}`.
fn reference(line: &str) -> Option<Reference> {
    let (_, line) = line.split_once("R(")?;
    let (location, rest) = line.split_once(", ")?;
    let (field, rest) = rest.split_once(") = ")?;
    let (name, rest) = rest.split_once("  L(")?;
    let set = rest.split_once("{")?.1.strip_suffix('}')?;
    let set = members(set).into_iter().filter_map(|member| {
        let (constraint, target) = member.rsplit_once(", ")?;
        Some((constraint.to_string(), target.to_string()))
    });
    Some(Reference { name: name.into(), location: location.into(), field: field.into(), set: set.collect() })
}

/// The parts in parentheses, of which there may be more within.
fn members(set: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, c) in set.char_indices() {
        match c {
            '(' => {
                depth += 1;
                if depth == 1 {
                    start = at + 1;
                }
            }
            ')' => {
                depth -= 1;
                if depth == 0 {
                    found.push(&set[start..at]);
                }
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configurations_are_read() {
        let line = "                  R(l0, x) = r1  L(r1) = {(this.x == null, null) ((a || b) && f(c, d), this.x)}";
        let graph = Graph::of(line);
        let [reference] = graph.references.as_slice() else { panic!("one reference") };
        assert_eq!((reference.name.as_str(), reference.location.as_str(), reference.field.as_str()), ("r1", "l0", "x"));
        assert_eq!(reference.set[1], ("(a || b) && f(c, d)".to_string(), "this.x".to_string()));
        assert_eq!(graph.set_of("l0", "x"), ["null", "this.x"]);
        let svg = graph.svg("a < b");
        assert!(svg.contains("a &lt; b") && svg.contains("φ1b = (a || b) &amp;&amp; f(c, d)"), "{svg}");
    }
}
