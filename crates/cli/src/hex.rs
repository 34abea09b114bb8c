//! `lazuli hex`: checks invariants and draws all complete heaps that they accept, up to a size.

use std::path::Path;
use std::sync::Arc;

use lazuli_engine::config::Config;
use lazuli_engine::exact::picture;
use lazuli_engine::invariant::Invariants;
use lazuli_engine::invariant::hex::complete::{self, Accepted, Cut, Extent, Roots};
use lazuli_program::Program;

use crate::args::HexArgs;
use crate::command::load_classes;
use crate::report::svg;

pub fn run(args: &HexArgs) -> Result<u8, String> {
    let program = load_classes(&args.subject)?;
    let hex = lazuli_program::hex::load(&program, &args.file).map_err(|e| e.to_string())?;
    let named = args.subject.tiny_entry();
    let entry =
        named.map(|name| program.entry(&name).ok_or_else(|| format!("there is no method {name}"))).transpose()?;
    let statements = hex.statements.iter().filter(|statement| statement.formula.is_none()).count();
    let counted = [(statements, "statement"), (hex.formulas.len(), "formula"), (hex.ghosts.len(), "ghost field")];
    let counted = counted.iter().filter(|(count, word)| *count > 0 || *word == "statement");
    let counted: Vec<String> =
        counted.map(|(count, word)| format!("{count} {word}{}", if *count == 1 { "" } else { "s" })).collect();
    println!("{} for {}: {}", hex.name, program.name, counted.join(", "));
    let all = complete::roots(&program, &hex, entry);
    if all.is_empty() {
        println!("it speaks of no input and no class by itself: there is nothing to draw");
        return Ok(0);
    }
    let invariants = Some(Arc::new(Invariants::of_hex(hex)));
    let config = Config {
        invariants,
        solver: args.solving.config(&args.subject)?,
        ints: args.solving.ints,
        ..Config::default()
    };
    let extent = Extent { size: args.size, keep: args.keep, accept: u64::MAX, steps: args.max_steps, backwards: false };
    let mut pictures = Pictures { number: 0, page: String::new(), palette: svg::Palette::default() };
    let mut contradictory = false;
    for roots in &all {
        let accepted = complete::complete(&program, &config, roots, extent);
        let backwards = Extent { keep: 0, backwards: true, ..extent };
        let other = complete::complete(&program, &config, roots, backwards);
        let is_nothing = accepted.is_nothing() && complete::is_contradiction(&program, &config, roots, entry);
        contradictory |= is_nothing;
        show(&program, roots, &accepted, args.size, is_nothing);
        warn_of_order(&accepted, &other);
        pictures.add(&program, roots, &accepted, args.svg.as_deref())?;
    }
    if let Some(path) = &args.html {
        write(path, &pictures.html(&program, &args.file, args.size))?;
    }
    Ok(contradictory as u8)
}

/// The inputs that the heaps hang from, in words.
pub fn describe(program: &Program, roots: &Roots) -> String {
    let each = roots.list.iter().map(|(name, class)| format!("{} {name}", program.class(*class).name));
    each.collect::<Vec<_>>().join(", ")
}

/// Origins depend on the order in which the heap is looked at; the pictures show one.
fn warn_of_order(accepted: &Accepted, other: &Accepted) {
    let is_known = |accepted: &Accepted| matches!(accepted.cut, None | Some(Cut::Size));
    if is_known(accepted) && is_known(other) && accepted.count != other.count {
        println!(
            "note: this is the order in which inputs and fields are declared; in the opposite one {} are accepted",
            other.count
        );
    }
}

fn show(program: &Program, roots: &Roots, accepted: &Accepted, size: u32, is_nothing: bool) {
    let word = if accepted.count == 1 { "heap" } else { "heaps" };
    let what = describe(program, roots);
    println!("\n{what}: {} complete {word} with at most {size} objects of a class", accepted.count);
    for (number, heap) in (1..).zip(&accepted.heaps) {
        println!("\nheap {number}");
        for line in picture::draw(program, heap) {
            println!("  {line}");
        }
    }
    println!();
    let left = accepted.count - accepted.heaps.len() as u64;
    if left > 0 {
        println!("and {left} more: --keep shows more");
    }
    match &accepted.cut {
        None if is_nothing => println!("the invariants contradict themselves: no {what} is valid"),
        None if accepted.is_nothing() => {
            println!("none is valid by itself and in this order; as a part of others or in another order one may be")
        }
        None => println!("there are no larger ones"),
        Some(Cut::Size) => println!("there may be larger ones: --size"),
        Some(Cut::Steps) => println!("incomplete: stopped by --max-steps"),
        Some(Cut::Enough) => {}
        Some(Cut::Unknown(why)) => println!("incomplete: the solver does not know ({why})"),
    }
    if accepted.empty {
        println!("null is valid too");
    }
    if accepted.companions {
        println!("note: companion methods are not executed here, so some of these heaps may be rejected by them");
    }
}

/// The pictures so far.
struct Pictures {
    number: usize,
    page: String,
    palette: svg::Palette,
}

impl Pictures {
    fn add(&mut self, program: &Program, roots: &Roots, accepted: &Accepted, svg: Option<&Path>) -> Result<(), String> {
        self.palette.extend(program, &accepted.heaps);
        let title = svg::escape(&describe(program, roots));
        let word = if accepted.count == 1 { "heap" } else { "heaps" };
        self.page.push_str(&format!("<h2>{title}: {} complete {word}</h2>\n<div class=\"heaps\">\n", accepted.count));
        for heap in &accepted.heaps {
            self.number += 1;
            if let Some(folder) = svg {
                std::fs::create_dir_all(folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
                write(&folder.join(format!("heap-{:04}.svg", self.number)), &svg::draw(program, heap, &self.palette))?;
            }
            let drawn = svg::figure(program, heap, &self.palette);
            self.page.push_str(&format!("<figure>{drawn}<figcaption>heap {}</figcaption></figure>\n", self.number));
        }
        self.page.push_str("</div>\n");
        let left = accepted.count - accepted.heaps.len() as u64;
        if left > 0 {
            self.page.push_str(&format!("<p>and {left} more</p>\n"));
        }
        Ok(())
    }

    fn html(&self, program: &Program, file: &Path, size: u32) -> String {
        let name = svg::escape(&file.file_name().unwrap_or(file.as_os_str()).to_string_lossy());
        let legend = svg::legend(&self.palette);
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{name}</title>\
             <meta name=\"viewport\" content=\"width=device-width\"><meta name=\"color-scheme\" content=\"light dark\">\n\
             <style>{PAGE}{}</style></head><body>\n<h1>Complete heaps of {name}</h1>\n\
             <p>with at most {size} objects of a class, for {}</p>\n<div class=\"legend\">{legend}</div>\n{}</body></html>\n",
            svg::STYLE,
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
