//! Figures 8, 9 and 12 of "Exact heap summaries from symbolic execution" (document 001): its heap, drawn as the bipartite graph that it is, from
//! locations by their fields to references, and from references by constraints to locations.

pub mod graph;

use std::path::Path;

use lazuli::{Control, Event};
use lazuli_engine::config::{Config, HeapKind, TraceDetail};

use super::Ended;
use super::output::Output;
use crate::args::Tables;
use crate::command;
use graph::Graph;

/// A figure: what has been executed before the configuration that it shows, and the locations of `this.x` and `this.y` that the document has.
struct Drawn {
    title: &'static str,
    /// The number of the configuration, from 0.
    at: usize,
    sets: [&'static [&'static str]; 2],
}

const UNTOUCHED: &[&str] = &["uninitialised"];
/// L(r1) and L(r2) of the document's Figure 15.
const FIRST: &[&str] = &["null", "this.x"];
const SECOND: &[&str] = &["null", "this.x", "this.y"];

const FIGURES: [Drawn; 3] = [
    Drawn { title: "Figure 8: initialize this.x", at: 1, sets: [FIRST, UNTOUCHED] },
    Drawn { title: "Figure 9: initialize this.x and this.y", at: 2, sets: [FIRST, SECOND] },
    Drawn {
        title: "Figure 12: field access for this.y and field write for this.x = this.y",
        at: 4,
        sets: [SECOND, SECOND],
    },
];

pub fn run(args: &Tables, output: &mut Output) -> Result<Ended, String> {
    let control = command::control();
    output.document("figures", "Exact heap summaries: Figures 8, 9 and 12, heaps as bipartite graphs");
    let graphs = graphs(&args.programs, &control)?;
    let mut failures = Vec::new();
    for (figure, graph) in FIGURES.iter().zip(&graphs) {
        output.figure(graph.svg(figure.title), &format!("\n{}\n{}", figure.title, graph.text()));
        for (field, wanted) in ["x", "y"].into_iter().zip(figure.sets) {
            if graph.set_of("l0", field) != wanted {
                failures.push(format!("{}: L(this.{field}) = {:?}", figure.title, graph.set_of("l0", field)));
            }
        }
    }
    output.text(
        "The heaps are those of --steps-trace under summaries on programs/summaries/Figure8.pose. The text of the document has the captions of\n\
         8 and 9, which are the same, without the pictures: ours show the heap after each of the two initialisations. Its sets L(r1) and\n\
         L(r2), which Figure 15 prints, come out.",
    );
    failures.iter().for_each(|failure| output.text(&format!("DOES NOT HOLD: {failure}")));
    Ok(if failures.is_empty() { Ended::Holds } else { Ended::Fails })
}

/// The heaps of the figures.
pub fn graphs(programs: &Path, control: &Control) -> Result<Vec<Graph>, String> {
    let program = command::load_tiny(&programs.join("summaries/Figure8.pose"))?;
    let config = Config {
        heap: HeapKind::Summary,
        entry: Some("Pair.run".into()),
        detail: TraceDetail::None,
        steps_trace: true,
        ..Config::default()
    };
    let mut text = String::new();
    lazuli::explore_with(&program, &config, control, None, &mut |event| {
        if let Event::Configurations(more) = event {
            text += &more;
        }
    })
    .map_err(crate::names::error)?;
    // Each begins with a line of its path; the other lines are indented.
    let text = format!("\n{text}");
    let configurations: Vec<&str> = text.split("\npath ").skip(1).collect();
    let graph = |figure: &Drawn| {
        let configuration = configurations.get(figure.at).ok_or("the program of the figures has too few steps")?;
        Ok(Graph::of(configuration))
    };
    FIGURES.iter().map(graph).collect()
}
