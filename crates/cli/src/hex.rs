//! `lazuli hex`: checks invariants and draws all complete heaps that they accept, up to a size.

use std::path::Path;
use std::sync::Arc;

use lazuli_engine::config::Config;
use lazuli_engine::exact::picture;
use lazuli_engine::invariant::Invariants;
use lazuli_engine::invariant::hex::complete::{self, Accepted, Cut, Extent, Roots};
use lazuli_program::Program;

use crate::args::HexArgs;
use crate::command::load_tiny;
use crate::report::svg;

pub fn run(args: &HexArgs) -> Result<u8, String> {
    let program = load_tiny(&args.program)?;
    let hex = lazuli_program::hex::load(&program, &args.file).map_err(|e| e.to_string())?;
    println!(
        "{} for {}: {} statements, {} ghost fields",
        hex.name,
        program.name,
        hex.statements.len(),
        hex.ghosts.len()
    );
    let all = complete::roots(&program, &hex);
    if all.is_empty() {
        println!("it speaks of no input and no class by itself: there is nothing to draw");
        return Ok(0);
    }
    let invariants = Some(Arc::new(Invariants::of_hex(hex)));
    let config = Config { invariants, solver: args.solving.config()?, ints: args.solving.ints, ..Config::default() };
    let extent = Extent { size: args.size, keep: args.keep, accept: u64::MAX, steps: args.max_steps };
    let mut pictures = Pictures { number: 0, page: String::new() };
    let mut contradictory = false;
    for roots in &all {
        let accepted = complete::complete(&program, &config, roots, extent);
        contradictory |= accepted.count == 0 && accepted.cut.is_none();
        show(&program, roots, &accepted, args.size);
        pictures.add(&program, roots, &accepted, args.svg.as_deref())?;
    }
    if let Some(path) = &args.html {
        write(path, &pictures.html(&args.file))?;
    }
    Ok(contradictory as u8)
}

/// The inputs that the heaps hang from, in words.
pub fn describe(program: &Program, roots: &Roots) -> String {
    let each = roots.list.iter().map(|(name, class)| format!("{} {name}", program.class(*class).name));
    each.collect::<Vec<_>>().join(", ")
}

fn show(program: &Program, roots: &Roots, accepted: &Accepted, size: u32) {
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
        None if accepted.count == 0 => println!("the invariants contradict themselves: no {what} is valid"),
        None => println!("there are no larger ones"),
        Some(Cut::Size) => println!("there may be larger ones: --size"),
        Some(Cut::Steps) => println!("incomplete: stopped by --max-steps"),
        Some(Cut::Enough) => {}
        Some(Cut::Unknown(why)) => println!("incomplete: the solver does not know ({why})"),
    }
    if accepted.companions {
        println!("note: companion methods are not executed here, so some of these heaps may be rejected by them");
    }
}

/// The pictures so far.
struct Pictures {
    number: usize,
    page: String,
}

impl Pictures {
    fn add(&mut self, program: &Program, roots: &Roots, accepted: &Accepted, svg: Option<&Path>) -> Result<(), String> {
        let title = describe(program, roots);
        self.page.push_str(&format!("<h2>{title}: {} complete heaps</h2>\n", accepted.count));
        for heap in &accepted.heaps {
            self.number += 1;
            let drawn = svg::draw(program, heap);
            if let Some(folder) = svg {
                std::fs::create_dir_all(folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
                write(&folder.join(format!("heap-{:04}.svg", self.number)), &drawn)?;
            }
            self.page.push_str(&format!("<figure>{drawn}<figcaption>heap {}</figcaption></figure>\n", self.number));
        }
        Ok(())
    }

    fn html(&self, file: &Path) -> String {
        let name = file.display();
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{name}</title>\
             <style>body{{font-family:sans-serif}}figure{{display:inline-block;border:1px solid #ccc;margin:8px}}</style>\
             </head><body>\n<h1>Complete heaps of {name}</h1>\n{}</body></html>\n",
            self.page
        )
    }
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
}
