//! Exactness, checked by machine: Theorem 11 and Corollaries 12 and 13 of document 001 by enumeration.
//!
//! Every concrete input heap is represented by exactly one trace of each heap model, and the program, run on that heap, ends as
//! the trace says and takes the control-flow path that the trace took. So the traces of a model partition the inputs, and
//! all models have the same control-flow paths. `summary` and `pose` have no more traces than that: they are path-optimal.
//!
//! Bounds: k cuts the input where a reference is first loaded, so those models that resolve it there still agree on what
//! they represent; n does not, and with it only "at most one trace" is checked. A trace that a budget stopped says nothing
//! about the heaps that it represents. It must not be trusted with unbounded recursion: bound the calls or k.

pub mod collect;
mod enumerate;
pub mod picture;

use std::fmt::Write;

use lazuli_program::Program;
use rustc_hash::{FxHashMap, FxHashSet};

use collect::{Explored, collect};
use enumerate::Universe;
use lazuli_engine::config::{Config, HeapKind};
use lazuli_engine::confirm::run_concrete;
use lazuli_engine::executor::entry_of;
use lazuli_engine::invariant::Calls;
use lazuli_engine::limits::Control;
use lazuli_engine::outcome::{Bound, Outcome, Stop};
use lazuli_engine::state::Flow;
use lazuli_engine::state::show_decisions;
use lazuli_engine::witness::Witness;
use lazuli_invariant::{Instrumented, Invariants, calls, instrumented};

/// How much is compared.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Objects of an enumerated heap.
    pub objects: usize,
    /// Enumerated heaps; beyond that a sample of them.
    pub heaps: usize,
}

impl Default for Extent {
    fn default() -> Self {
        Extent { objects: 3, heaps: 20_000 }
    }
}

/// A heap, and for every model the traces that represent it.
pub struct Covered {
    pub heap: Witness,
    pub traces: Vec<Vec<usize>>,
    /// Whether all of these traces were followed to their end: what a stopped one represents is not known exactly.
    pub finished: bool,
}

/// Enumerates concrete heaps and says of each, for every model, which traces represent it.
pub fn covered(program: &Program, config: &Config, heaps: &[HeapKind], extent: Extent) -> Result<Vec<Covered>, String> {
    let configs = configs(config, heaps);
    let copy = instrumented_for(program, config, &configs)?;
    let (program, entry) = (copy.program(program), copy.entry);
    let mut models: Vec<Box<dyn Explored + '_>> = Vec::new();
    for config in &configs {
        models.push(collect(program, config, entry, &Control::default())?);
    }
    let invariants = Invariants::of(config).map(|invariants| &*invariants.hex);
    let universe = Universe::new(program, entry, extent.objects, invariants);
    let enumerated = universe.heaps(extent.heaps).list;
    let covered = |heap| {
        let traces = models.iter_mut().map(|model| model.representing(&heap)).collect::<Result<Vec<_>, _>>()?;
        let ended = models.iter().zip(&traces).flat_map(|(model, found)| found.iter().map(|t| &model.ends()[*t]));
        let finished = ended.into_iter().all(|end| is_finished(&end.outcome));
        Ok(Covered { heap, traces, finished })
    };
    enumerated.into_iter().map(covered).collect()
}

fn configs(config: &Config, heaps: &[HeapKind]) -> Vec<Config> {
    heaps.iter().map(|&heap| Config { heap, ..config.clone() }).collect()
}

/// The program as the technique of the invariants executes it, under all of these models: what is compared is the harness of
/// PrEP, for instance.
fn instrumented_for(program: &Program, config: &Config, configs: &[Config]) -> Result<Instrumented, String> {
    let entry = entry_of(program, config)?;
    let mut copy = Instrumented::of_itself(entry);
    for config in configs {
        copy = instrumented(program, config, entry)?.unwrap_or(copy);
    }
    Ok(copy)
}

/// What was compared, and the first difference.
#[derive(Clone, Debug)]
pub struct Comparison {
    pub models: Vec<ModelCounts>,
    pub objects: usize,
    /// Enumerated heaps, and whether they were all.
    pub enumerated: usize,
    pub complete: bool,
    /// Witnesses that were not among them.
    pub witnesses: usize,
    /// Why the control-flow paths of the models could not be compared, if so.
    pub unfinished: Option<String>,
    pub difference: Option<Difference>,
}

#[derive(Clone, Debug)]
pub struct ModelCounts {
    pub heap: HeapKind,
    pub traces: usize,
    /// Distinct control-flow paths.
    pub flows: usize,
}

/// Where exactness fails.
#[derive(Clone, Debug)]
pub struct Difference {
    pub what: String,
    /// The heap model and the trace, as `lazuli replay` takes them.
    pub replay: Option<(HeapKind, String)>,
    /// Heaps with what they show.
    pub pictures: Vec<(String, Witness)>,
}

impl Difference {
    pub fn show(&self, program: &Program) -> String {
        let mut text = format!("{}\n", self.what);
        for (caption, heap) in &self.pictures {
            writeln!(text, "  {caption}:").expect("writing to a string");
            for line in picture::draw(program, heap) {
                writeln!(text, "    {line}").expect("writing to a string");
            }
        }
        if let Some((heap, trace)) = &self.replay {
            writeln!(text, "  lazuli replay {} {trace} --heap {heap}", program.name).expect("writing to a string");
        }
        text
    }
}

/// A control-flow path with its end.
type Path = (Flow, Outcome);

/// Explores under every model and compares. Errors are about the entry, or about a run that was cut short.
pub fn check(
    program: &Program,
    config: &Config,
    heaps: &[HeapKind],
    extent: Extent,
    control: &Control,
) -> Result<Comparison, String> {
    let configs = configs(config, heaps);
    let copy = instrumented_for(program, config, &configs)?;
    let (program, entry) = (copy.program(program), copy.entry);
    let mut models: Vec<Box<dyn Explored + '_>> = Vec::new();
    for config in &configs {
        models.push(collect(program, config, entry, control)?);
    }
    let invariants = Invariants::of(config).map(|invariants| &*invariants.hex);
    let universe = Universe::new(program, entry, extent.objects, invariants);
    let mut checker = Checker { program, config, entry, models };
    let enumerated = universe.heaps(extent.heaps);
    let inputs = checker.inputs(&universe, &enumerated.list);
    let (enumerated_number, witnesses) = (enumerated.list.len(), inputs.len() - enumerated.list.len());
    let unfinished = checker.unfinished();
    let mut difference = None;
    for input in &inputs {
        difference = checker.compare(input)?;
        if difference.is_some() {
            break;
        }
    }
    if difference.is_none() && unfinished.is_none() {
        // Companion methods fork, and what they do is no part of a control-flow path.
        let forks = invariants.is_some_and(|hex| calls(hex) != Calls::Never);
        difference = checker.compare_paths().or_else(|| if forks { None } else { checker.path_optimal() });
    }
    let counts = |m: &dyn Explored| ModelCounts {
        heap: m.heap(),
        traces: m.ends().len(),
        flows: m.ends().iter().map(|e| (e.flow, &e.outcome)).collect::<FxHashSet<_>>().len(),
    };
    Ok(Comparison {
        models: checker.models.iter().map(|m| counts(m.as_ref())).collect(),
        objects: extent.objects,
        enumerated: enumerated_number,
        complete: enumerated.complete,
        witnesses,
        unfinished,
        difference,
    })
}

/// A concrete heap, and the traces (model, number) whose witness it is.
struct Input {
    heap: Witness,
    witness_of: Vec<(usize, usize)>,
}

struct Checker<'p> {
    program: &'p Program,
    config: &'p Config,
    entry: lazuli_program::ir::MethodId,
    models: Vec<Box<dyn Explored + 'p>>,
}

/// Whether a path was followed to its end. The bound on calls is one that every model reaches at the same place.
fn is_finished(outcome: &Outcome) -> bool {
    !matches!(outcome, Outcome::Stopped(stop) if *stop != Stop::Bound(Bound::MaxCalls))
}

impl Checker<'_> {
    /// The enumerated heaps and the witnesses of all traces, each once.
    fn inputs(&mut self, universe: &Universe, enumerated: &[Witness]) -> Vec<Input> {
        let mut inputs: Vec<Input> =
            enumerated.iter().map(|heap| Input { heap: heap.clone(), witness_of: Vec::new() }).collect();
        let mut known: FxHashMap<Witness, usize> =
            enumerated.iter().enumerate().map(|(i, heap)| (heap.clone(), i)).collect();
        for (m, model) in self.models.iter_mut().enumerate() {
            for (t, witness) in model.witnesses() {
                let heap = universe.canonical(&witness);
                let at = *known.entry(heap).or_insert_with_key(|heap| {
                    inputs.push(Input { heap: heap.clone(), witness_of: Vec::new() });
                    inputs.len() - 1
                });
                inputs[at].witness_of.push((m, t));
            }
        }
        inputs
    }

    fn unfinished(&self) -> Option<String> {
        self.models.iter().find_map(|model| {
            let end = model.ends().iter().find(|end| !is_finished(&end.outcome))?;
            Some(format!("{}: a trace was {}", model.heap(), end.outcome))
        })
    }

    /// Whether the traces of a model represent everything within the bounds that `lazy` represents.
    fn bounded_alike(&self, heap: HeapKind) -> bool {
        let bounds = &self.config.bounds;
        // Likewise the invariants: what nobody resolves, nobody asks about.
        let bounded = bounds.k.is_some() || self.config.invariants.is_some();
        bounds.n.is_empty() && (!bounded || !matches!(heap, HeapKind::Lazier | HeapKind::LazierSharp))
    }

    /// One heap, under every model.
    fn compare(&mut self, input: &Input) -> Result<Option<Difference>, String> {
        let (outcome, flow) = run_concrete(self.program, self.config, self.entry, &input.heap)?;
        let bounds = &self.config.bounds;
        let bounded = bounds.k.is_some() || !bounds.n.is_empty() || self.config.invariants.is_some();
        // Under a bound, the first model that represents it, and the first that does not.
        let (mut inside, mut outside) = (None, None);
        for m in 0..self.models.len() {
            let heap = self.models[m].heap();
            let found = self.models[m].representing(&input.heap)?;
            // A trace that a budget stopped had a decision before it: what it represents is not known exactly.
            if found.iter().any(|trace| !is_finished(&self.models[m].ends()[*trace].outcome)) {
                continue;
            }
            let alike = self.bounded_alike(heap);
            match found.as_slice() {
                [] if bounded => outside = outside.or(alike.then_some(m)),
                [] => return Ok(Some(self.not_represented(m, input, &outcome))),
                &[trace] => {
                    let end = &self.models[m].ends()[trace];
                    if is_finished(&outcome) && (end.flow, &end.outcome) != (flow, &outcome) {
                        return Ok(Some(self.other_path(m, trace, input, &outcome)));
                    }
                    inside = inside.or(alike.then_some((m, trace)));
                }
                &[first, second, ..] => return Ok(Some(self.represented_twice(m, [first, second], input))),
            }
            if let Some(&(_, trace)) = input.witness_of.iter().find(|(of, trace)| *of == m && !found.contains(trace)) {
                return Ok(Some(self.strange_witness(m, trace, input)));
            }
        }
        Ok(match (inside, outside) {
            (Some((m, trace)), Some(other)) => Some(self.bounds_differ(m, trace, other, input)),
            _ => None,
        })
    }

    /// All models have the same control-flow paths.
    fn compare_paths(&mut self) -> Option<Difference> {
        let sets: Vec<FxHashSet<Path>> =
            self.models.iter().map(|m| m.ends().iter().map(|e| (e.flow, e.outcome.clone())).collect()).collect();
        let alike: Vec<usize> = (0..sets.len()).filter(|&m| self.bounded_alike(self.models[m].heap())).collect();
        for &m in &alike {
            for &other in &alike {
                let missing = |e: &collect::End| !sets[other].contains(&(e.flow, e.outcome.clone()));
                let Some(trace) = self.models[m].ends().iter().position(missing) else { continue };
                let other = self.models[other].heap();
                let what = format!("{other} has no trace with the control-flow path of this trace of ");
                return Some(self.about(m, trace, what));
            }
        }
        None
    }

    /// `summary` and `pose` have one trace for each control-flow path.
    fn path_optimal(&mut self) -> Option<Difference> {
        for m in 0..self.models.len() {
            if !matches!(self.models[m].heap(), HeapKind::Summary | HeapKind::PoseIte | HeapKind::Pose) {
                continue;
            }
            let mut seen: FxHashMap<Path, usize> = FxHashMap::default();
            for trace in 0..self.models[m].ends().len() {
                let end = &self.models[m].ends()[trace];
                if let Some(first) = seen.insert((end.flow, end.outcome.clone()), trace) {
                    let id = show_decisions(&self.models[m].ends()[first].decisions);
                    let what = format!("trace {id} has the same control-flow path as this trace of ");
                    return Some(self.about(m, trace, what));
                }
            }
        }
        None
    }
}

/// The differences in words and pictures.
impl Checker<'_> {
    fn id(&self, m: usize, trace: usize) -> (HeapKind, String) {
        (self.models[m].heap(), show_decisions(&self.models[m].ends()[trace].decisions))
    }

    /// Pictures of the heap compared and of the traces' own witnesses.
    fn pictures(&mut self, m: usize, traces: &[usize], input: Option<&Input>) -> Vec<(String, Witness)> {
        let mut pictures: Vec<(String, Witness)> =
            input.map(|input| ("the heap".to_string(), input.heap.clone())).into_iter().collect();
        for &trace in traces {
            if let Some(witness) = self.models[m].witness(trace) {
                let (heap, id) = self.id(m, trace);
                pictures.push((format!("the witness of trace {id} of {heap}"), witness));
            }
        }
        pictures
    }

    fn about(&mut self, m: usize, trace: usize, what: String) -> Difference {
        let (heap, id) = self.id(m, trace);
        let outcome = &self.models[m].ends()[trace].outcome;
        let what = format!("{what}{heap}: {id}, {outcome}");
        let pictures = self.pictures(m, &[trace], None);
        Difference { what, replay: Some((heap, id)), pictures }
    }

    fn not_represented(&mut self, m: usize, input: &Input, outcome: &Outcome) -> Difference {
        let what = format!("{}: no trace represents this heap; the program {outcome} on it", self.models[m].heap());
        Difference { what, replay: None, pictures: self.pictures(m, &[], Some(input)) }
    }

    fn other_path(&mut self, m: usize, trace: usize, input: &Input, outcome: &Outcome) -> Difference {
        let (heap, id) = self.id(m, trace);
        let said = &self.models[m].ends()[trace].outcome;
        let what = match said == outcome {
            true => format!("{heap}: trace {id} represents this heap, but the program takes another path on it"),
            false => format!("{heap}: trace {id}, {said}, represents this heap, but the program {outcome} on it"),
        };
        Difference { what, replay: Some((heap, id)), pictures: self.pictures(m, &[trace], Some(input)) }
    }

    fn represented_twice(&mut self, m: usize, traces: [usize; 2], input: &Input) -> Difference {
        let (heap, first) = self.id(m, traces[0]);
        let (_, second) = self.id(m, traces[1]);
        let what = format!("{heap}: two traces, {first} and {second}, represent this heap");
        Difference { what, replay: Some((heap, second)), pictures: self.pictures(m, &traces, Some(input)) }
    }

    fn strange_witness(&mut self, m: usize, trace: usize, input: &Input) -> Difference {
        let (heap, id) = self.id(m, trace);
        let what = format!("{heap}: trace {id} does not represent its own witness");
        Difference { what, replay: Some((heap, id)), pictures: self.pictures(m, &[trace], Some(input)) }
    }

    fn bounds_differ(&mut self, m: usize, trace: usize, other: usize, input: &Input) -> Difference {
        let (heap, id) = self.id(m, trace);
        let other = self.models[other].heap();
        let what =
            format!("within the bounds, trace {id} of {heap} represents this heap, and no trace of {other} does");
        Difference { what, replay: Some((heap, id)), pictures: self.pictures(m, &[trace], Some(input)) }
    }
}
