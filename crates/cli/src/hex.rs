//! `lazuli hex`: checks invariants and draws all complete heaps that they accept, up to a size.

use std::path::Path;

use lazuli_engine::config::Config;
use lazuli_engine::limits::Watch;
use lazuli_engine::witness::Witness;
use lazuli_invariant::Invariants;
use lazuli_invariant::complete::{self, Accepted, Cut, Extent, Order, Roots};
use lazuli_invariant::hex::bundle::Bundled;
use lazuli_invariant::hex::{self, Hex};
use lazuli_lab::exact::picture;
use lazuli_program::ir::MethodId;
use lazuli_program::{LoadError, Program, escape};

use crate::args::HexArgs;
use crate::command::{control, load_classes};
use crate::names;
use crate::report::svg;
use crate::terminal;

pub fn run(args: &HexArgs) -> Result<u8, String> {
    let program = load_classes(&args.subject)?;
    let hex = read(&program, &args.file).map_err(names::load_error)?;
    let named = args.subject.tiny_entry();
    let entry =
        named.map(|name| program.entry(&name).ok_or_else(|| format!("there is no method {name}"))).transpose()?;
    let entry = entry.or(program.main.filter(|_| program.semantics.loads_classes()));
    let statements = hex.statements.iter().filter(|statement| statement.formula.is_none()).count();
    let counted = [(statements, "statement"), (hex.formulas.len(), "formula"), (hex.ghosts.len(), "ghost field")];
    let counted = counted.iter().filter(|(count, word)| *count > 0 || *word == "statement");
    let counted: Vec<String> =
        counted.map(|(count, word)| format!("{count} {word}{}", if *count == 1 { "" } else { "s" })).collect();
    terminal::print(&format!("{} for {}: {}\n", hex.name, program.name, counted.join(", ")));
    let all = complete::roots(&program, &hex, entry);
    if all.is_empty() {
        terminal::print(&format!("{}\n", nothing_to_draw(&program, &hex, entry)));
        return Ok(0);
    }
    let invariants = Some(Invariants::of_hex(hex).shared());
    let config = Config {
        invariants,
        solver: args.solving.config(&args.subject)?,
        ints: args.solving.ints,
        ..Config::default()
    };
    let extent = Extent {
        size: args.size,
        keep: args.show,
        accept: u64::MAX,
        steps: args.max_steps,
        order: Order::Declared,
        numbers: args.numbers,
    };
    let watch = Watch::of(&config, &control());
    let mut pictures = Pictures { number: 0, page: String::new(), palette: svg::Palette::default() };
    let (mut contradictory, mut incomplete) = (false, false);
    if let Some(folder) = &args.svg {
        clear_pictures(folder)?;
    }
    for roots in &all {
        let accepted = complete::complete_unless(&program, &config, roots, extent, &watch);
        let opposite = Extent { keep: 0, order: Order::Opposite, ..extent };
        let other = complete::complete_unless(&program, &config, roots, opposite, &watch);
        let is_nothing = accepted.is_nothing() && complete::is_contradiction(&program, &config, roots, entry, &watch);
        contradictory |= is_nothing;
        incomplete |= !matches!(accepted.cut, None | Some(Cut::Size));
        let notes = notes(&program, roots, &accepted, &other, is_nothing);
        let drawing = Drawing { program: &program, roots, accepted: &accepted, notes: &notes, watch: &watch };
        incomplete |= !drawing.show(args.size);
        incomplete |= !pictures.add(&drawing, args.svg.as_deref())?;
    }
    if let Some(path) = &args.html {
        write(path, &pictures.html(&program, &args.file, args.size))?;
    }
    Ok(match (contradictory, incomplete) {
        (true, _) => 1,
        (false, true) => 3,
        (false, false) => 0,
    })
}

/// A file, or that of a class of the JDK which comes with the program.
fn read(program: &Program, file: &Path) -> Result<Hex, LoadError> {
    match file.to_str().and_then(Bundled::named).filter(|_| !file.exists()) {
        Some(bundled) => hex::load_bundled(program, bundled),
        None => hex::load(program, file),
    }
}

/// Why there is nothing to draw.
fn nothing_to_draw(program: &Program, hex: &Hex, entry: Option<MethodId>) -> String {
    match entry.or(program.main) {
        _ if !complete::speaks_of_inputs(hex) => {
            "it speaks of no input and no class by itself: there is nothing to draw".into()
        }
        Some(entry) => format!("it speaks of no input of {}: there is nothing to draw", program.method_name(entry)),
        None => "it speaks of the inputs of a method: name it by --entry to have them drawn".into(),
    }
}

/// Origins depend on the order in which the heap is looked at; the pictures show one.
fn note_of_order(accepted: &Accepted, other: &Accepted) -> Option<String> {
    let is_known = |accepted: &Accepted| matches!(accepted.cut, None | Some(Cut::Size));
    let differs = is_known(accepted) && is_known(other) && accepted.count != other.count;
    let are = if other.count == 1 { "is" } else { "are" };
    differs.then(|| {
        let order = "note: this is the order in which inputs and fields are declared; in the opposite one";
        format!("{order} {} {are} accepted", other.count)
    })
}

/// What there is to say after the pictures.
fn notes(program: &Program, roots: &Roots, accepted: &Accepted, other: &Accepted, is_nothing: bool) -> Vec<String> {
    let mut notes = Vec::new();
    let left = accepted.count - accepted.heaps.len() as u64;
    if left > 0 {
        notes.push(format!("and {left} more: --show shows more"));
    }
    match &accepted.cut {
        None if is_nothing => {
            notes.push(format!("the invariants contradict themselves: no {} is valid", roots.describe(program)));
        }
        None if accepted.is_nothing() => {
            let elsewhere = "as a part of others or in another order one may be";
            notes.push(format!("none is valid by itself and in this order; {elsewhere}"));
        }
        None => notes.push("there are no larger ones".into()),
        Some(Cut::Size) => notes.push("there may be larger ones: --size".into()),
        Some(Cut::Steps) => notes.push("incomplete: stopped by --max-steps".into()),
        Some(Cut::Interrupted(cause)) => notes.push(format!("incomplete: {cause}")),
        Some(Cut::Enough) => {}
        Some(Cut::Unknown(why)) => notes.push(format!("incomplete: the solver does not know ({why})")),
    }
    if accepted.empty {
        notes.push("null is valid too".into());
    }
    if accepted.companions {
        let rejected = "some of these heaps may be rejected by them";
        notes.push(format!("note: companion methods are not executed here, so {rejected}"));
    }
    notes.extend(note_of_order(accepted, other));
    notes
}

fn at_most(size: u32) -> String {
    format!("at most {size} object{} of a class", if size == 1 { "" } else { "s" })
}

/// What is to be drawn of some roots, as long as nobody has had enough of it.
struct Drawing<'a> {
    program: &'a Program,
    roots: &'a Roots,
    accepted: &'a Accepted,
    notes: &'a [String],
    watch: &'a Watch,
}

/// So many heaps are drawn even if nobody waits for more.
const FIRST: usize = 100;
/// Said where not everything is drawn that was found.
const NOT_DRAWN: &str = "incomplete: interrupted while it was drawn";

impl Drawing<'_> {
    /// The heaps that there is time for. The first pictures are shown in any case: they are what was found.
    fn heaps(&self) -> impl Iterator<Item = &Witness> {
        let is_wanted = |(number, _): &(usize, &Witness)| *number < FIRST || self.watch.late().is_none();
        self.accepted.heaps.iter().enumerate().take_while(is_wanted).map(|(_, heap)| heap)
    }

    /// Whether that is all of them, where so many were drawn.
    fn is_whole(&self, drawn: usize) -> bool {
        drawn == self.accepted.heaps.len()
    }

    /// Prints the heaps as text. Gives whether it came to the end.
    fn show(&self, size: u32) -> bool {
        let accepted = self.accepted;
        let word = if accepted.count == 1 { "heap" } else { "heaps" };
        let what = self.roots.describe(self.program);
        let mut text = format!("\n{what}: {} complete {word} with {}\n", accepted.count, at_most(size));
        let mut drawn = 0;
        for heap in self.heaps() {
            drawn += 1;
            text.push_str(&format!("\nheap {drawn}\n"));
            for line in picture::draw(self.program, heap) {
                text.push_str(&format!("  {}\n", escape::line(&line)));
            }
        }
        text.push('\n');
        self.notes.iter().for_each(|note| text.push_str(&format!("{note}\n")));
        if !self.is_whole(drawn) {
            text.push_str(&format!("{NOT_DRAWN}\n"));
        }
        terminal::print(&text);
        self.is_whole(drawn)
    }
}

fn picture_name(number: usize) -> String {
    format!("heap-{number:04}.svg")
}

/// Makes the folder of the pictures, or removes from it those of an earlier run. Everything else in it stays.
fn clear_pictures(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
    let unreadable = |e: std::io::Error| format!("cannot read {}: {e}", folder.display());
    for file in std::fs::read_dir(folder).map_err(unreadable)? {
        let name = file.map_err(unreadable)?.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix("heap-")?.strip_suffix(".svg")?.parse().ok());
        if number.is_some_and(|number: usize| name.to_str() == Some(&picture_name(number))) {
            let old = folder.join(name);
            std::fs::remove_file(&old).map_err(|e| format!("cannot remove {}: {e}", old.display()))?;
        }
    }
    Ok(())
}

/// The pictures so far.
struct Pictures {
    number: usize,
    page: String,
    palette: svg::Palette,
}

impl Pictures {
    /// Adds the heaps of some roots. Gives whether it came to the end.
    fn add(&mut self, drawing: &Drawing, svg: Option<&Path>) -> Result<bool, String> {
        let (program, accepted) = (drawing.program, drawing.accepted);
        self.palette.extend(program, &accepted.heaps);
        let title = svg::escape(&drawing.roots.describe(program));
        let word = if accepted.count == 1 { "heap" } else { "heaps" };
        self.page.push_str(&format!("<h2>{title}: {} complete {word}</h2>\n<div class=\"heaps\">\n", accepted.count));
        let before = self.number;
        for heap in drawing.heaps() {
            self.number += 1;
            if let Some(folder) = svg {
                write(&folder.join(picture_name(self.number)), &svg::draw(program, heap, &self.palette))?;
            }
            let drawn = svg::figure(program, heap, &self.palette);
            self.page.push_str(&format!("<figure>{drawn}<figcaption>heap {}</figcaption></figure>\n", self.number));
        }
        self.page.push_str("</div>\n");
        let is_whole = drawing.is_whole(self.number - before);
        let not_drawn = (!is_whole).then(|| NOT_DRAWN.to_string());
        for note in drawing.notes.iter().chain(&not_drawn) {
            self.page.push_str(&format!("<p>{}</p>\n", svg::escape(note)));
        }
        Ok(is_whole)
    }

    fn html(&self, program: &Program, file: &Path, size: u32) -> String {
        let name = svg::escape(&file.file_name().unwrap_or(file.as_os_str()).to_string_lossy());
        let legend = svg::legend(&self.palette);
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{name}</title>\
             <meta name=\"viewport\" content=\"width=device-width\"><meta name=\"color-scheme\" content=\"light dark\">\n\
             <style>{PAGE}{}</style></head><body>\n<h1>Complete heaps of {name}</h1>\n\
             <p>with {}, for {}</p>\n<div class=\"legend\">{legend}</div>\n{}</body></html>\n",
            svg::STYLE,
            at_most(size),
            svg::escape(&program.name),
            self.page
        )
    }
}

/// The style of the page around the pictures.
const PAGE: &str = "\
body{font:15px/1.4 Helvetica,Arial,sans-serif;margin:2em;color:#1f2933;background:#fff}\
h1{font-size:1.5em;margin:0}h2{font-size:1.15em;margin:1.4em 0 .5em}p{margin:.3em 0;color:#52606d}\
.heaps{display:flex;flex-wrap:wrap;gap:14px;align-items:flex-start}\
figure{margin:0;border:1px solid #cbd2d9;border-radius:6px;max-width:100%;overflow-x:auto}\
figcaption{text-align:center;font-size:13px;color:#7b8794;padding:0 0 6px}\
.legend{margin:.6em 0;overflow-x:auto}\
@media (prefers-color-scheme:dark){body{color:#e4e7eb;background:#161b22}p,figcaption{color:#9aa5b1}figure{border-color:#3e4c59}}\n";

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
}
