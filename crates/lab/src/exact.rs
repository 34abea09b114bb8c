//! Exactness, checked by machine: Theorem 11 and Corollaries 12 and 13 of document 001 by enumeration.
//!
//! Every concrete input heap is represented by exactly one trace of each heap model, and the program, run on that heap, ends as
//! the trace says and takes the control-flow path that the trace took. So the traces of a model partition the inputs, and
//! all models have the same control-flow paths. `summary` and `pose` have no more traces than that: they are path-optimal.
//!
//! Bounds: k and n speak of references when they are first loaded, so those models that resolve them there, or say there what
//! they may be, still agree on what they represent; of the others only "at most one trace" is checked. A trace that a budget stopped says nothing
//! about the heaps that it represents. It must not be trusted with unbounded recursion: bound the calls or k.
//!
//! A program in Java is executed on every heap by a real JVM as well, whose outcome, result and objects must be those of the engine.

pub mod collect;
mod enumerate;
mod ingredients;
pub mod picture;

use std::collections::BTreeMap;
use std::fmt::Write;

use lazuli_program::Program;
use lazuli_program::ir::MethodId;
use rustc_hash::{FxHashMap, FxHashSet};

use collect::{Explored, collect};
use enumerate::{Heaps, Universe};
use ingredients::Ingredients;
use lazuli::{Client, Jvm, Ticket, Verdict};
use lazuli_engine::config::{Config, HeapKind, Judge};
use lazuli_engine::confirm::{Ran, Replayer};
use lazuli_engine::executor::entry_of;
use lazuli_engine::existing::Offered;
use lazuli_engine::invariant::Calls;
use lazuli_engine::limits::{Control, Watch};
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

/// Enumerates concrete heaps and says of each, for every model, which traces represent it. Not for programs in Java.
pub fn covered(program: &Program, config: &Config, heaps: &[HeapKind], extent: Extent) -> Result<Vec<Covered>, String> {
    let configs = configs(config, heaps);
    let copy = instrumented_for(program, config, &configs)?;
    let (program, entry) = (copy.program(program), copy.entry);
    let mut models = explored(program, &configs, entry, &Control::default())?;
    let universe = universe(program, entry, config, extent, &models)?;
    let covered = |heap| {
        let traces = models.iter_mut().map(|model| model.representing(&heap)).collect::<Result<Vec<_>, _>>()?;
        let ended = models.iter().zip(&traces).flat_map(|(model, found)| found.iter().map(|t| &model.ends()[*t]));
        let finished = ended.into_iter().all(|end| is_finished(&end.outcome));
        Ok(Covered { heap, traces, finished })
    };
    universe.heaps(extent.heaps)?.list.into_iter().map(covered).collect()
}

/// The traces of every model.
fn explored<'p>(
    program: &'p Program,
    configs: &'p [Config],
    entry: MethodId,
    control: &Control,
) -> Result<Vec<Box<dyn Explored + 'p>>, String> {
    configs.iter().map(|config| collect(program, config, entry, control)).collect()
}

/// The heaps of a program that was explored.
fn universe<'p>(
    program: &'p Program,
    entry: MethodId,
    config: &Config,
    extent: Extent,
    models: &[Box<dyn Explored + '_>],
) -> Result<Universe<'p>, String> {
    let invariants = Invariants::of(config).map(|invariants| &*invariants.hex);
    let ingredients = Ingredients::of(program, entry, invariants, models);
    let is_root = |name: &str| ingredients.roots.iter().any(|root| root.name == name);
    match models.iter().find_map(|model| model.other_input(&is_root)) {
        Some(name) if program.semantics.loads_classes() => Err(format!("{name} is an input that is not enumerated")),
        _ => Ok(Universe::new(program, ingredients, extent.objects)),
    }
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
    /// Of a program in Java, what a JVM did on all of these.
    pub on_jvm: Option<OnJvm>,
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

/// Explores under every model and compares. Errors are about the entry, about inputs that are not enumerated, or about a run that was cut short.
pub fn check(
    program: &Program,
    config: &Config,
    heaps: &[HeapKind],
    extent: Extent,
    control: &Control,
) -> Result<Comparison, String> {
    check_judged(program, config, heaps, extent, control, Jvm::of(program).as_ref())
}

/// The same, with a JVM that has judged others.
pub fn check_judged(
    program: &Program,
    config: &Config,
    heaps: &[HeapKind],
    extent: Extent,
    control: &Control,
    jvm: Option<&Jvm>,
) -> Result<Comparison, String> {
    let mut config = config.clone();
    loop {
        match check_once(program, &config, heaps, extent, control, jvm)? {
            Round::Done(comparison) => return Ok(*comparison),
            Round::Again(wanted) => config.offered.extend(wanted),
        }
    }
}

enum Round {
    Done(Box<Comparison>),
    /// There is more that may be an input.
    Again(Offered),
}

fn check_once(
    program: &Program,
    config: &Config,
    heaps: &[HeapKind],
    extent: Extent,
    control: &Control,
    jvm: Option<&Jvm>,
) -> Result<Round, String> {
    let configs = configs(config, heaps);
    let copy = instrumented_for(program, config, &configs)?;
    let (program, entry) = (copy.program(program), copy.entry);
    let models = explored(program, &configs, entry, control)?;
    let mut wanted = Offered::default();
    models.iter().for_each(|model| wanted.extend(model.wanted()));
    if !wanted.is_empty() {
        return Ok(Round::Again(wanted));
    }
    let universe = universe(program, entry, config, extent, &models)?;
    let replayed = Config { judge: if jvm.is_some() { Judge::Jvm } else { Judge::Engine }, ..config.clone() };
    let bench = jvm.and_then(|jvm| jvm.client(program, entry)).map(Bench::new);
    let replayer = Replayer::new(program, &replayed, entry);
    let mut checker = Checker { program, config, replayer, bench, models };
    let Heaps { mut list, complete } = universe.heaps(extent.heaps)?;
    if program.semantics.loads_classes() {
        list.retain(|heap| checker.models.iter().all(|model| model.is_of_the_world(heap)));
    }
    let enumerated = list.len();
    let inputs = checker.inputs(&universe, list);
    let unfinished = checker.unfinished();
    let mut difference = None;
    for input in &inputs {
        difference = checker.compare(input)?;
        if difference.is_some() {
            break;
        }
    }
    let (on_jvm, doubted) = checker.bench.take().map(|bench| bench.settle(&inputs)).unzip();
    let doubted: Option<Difference> = doubted.flatten();
    difference = difference.or(doubted);
    if difference.is_none() && unfinished.is_none() {
        // Companion methods fork, and what they do is no part of a control-flow path.
        let forks = Invariants::of(config).is_some_and(|invariants| calls(&invariants.hex) != Calls::Never);
        difference = checker.compare_paths().or_else(|| if forks { None } else { checker.path_optimal() });
    }
    let counts = |m: &dyn Explored| ModelCounts {
        heap: m.heap(),
        traces: m.ends().len(),
        flows: m.ends().iter().map(|e| (e.flow, &e.outcome)).collect::<FxHashSet<_>>().len(),
    };
    Ok(Round::Done(Box::new(Comparison {
        models: checker.models.iter().map(|m| counts(m.as_ref())).collect(),
        objects: extent.objects,
        enumerated,
        complete,
        witnesses: inputs.len() - enumerated,
        on_jvm,
        unfinished,
        difference,
    })))
}

/// What a JVM said of the heaps.
#[derive(Clone, Debug, Default)]
pub struct OnJvm {
    /// On so many it did as the engine does.
    pub agreed: usize,
    /// Why others could not be compared, and how many.
    pub others: BTreeMap<String, usize>,
}

/// The heaps that a JVM is asked about.
struct Bench {
    client: Client,
    /// By the numbers of the inputs; those that cannot be put to it have a verdict at once.
    asked: Vec<Result<Ticket, Verdict>>,
}

impl Bench {
    fn new(client: Client) -> Bench {
        Bench { client, asked: Vec::new() }
    }

    fn submit(&mut self, program: &Program, heap: &Witness, run: Ran) {
        let verdict = |why: &str| Err(Verdict::NotComparable(why.into()));
        self.asked.push(match (run.outcome, run.observed) {
            (Outcome::Endless { .. }, _) => verdict("the program does not end"),
            (outcome, Some(observed)) => self.client.submit(program, heap, &outcome, observed),
            (_, None) => verdict("the engine stopped"),
        });
    }

    /// What was said, and the first heap on which it did something else.
    fn settle(self, inputs: &[Input]) -> (OnJvm, Option<Difference>) {
        let (mut said, mut difference) = (OnJvm::default(), None);
        for (input, asked) in inputs.iter().zip(self.asked) {
            match asked.map_or_else(|verdict| verdict, |ticket| ticket.verdict()) {
                Verdict::Agrees => said.agreed += 1,
                Verdict::NotComparable(why) | Verdict::NotTried(why) => *said.others.entry(why).or_default() += 1,
                Verdict::Differs(reasons) => {
                    let what = format!("the JVM does something else on this heap: {}", reasons.join("; "));
                    let pictures = vec![("the heap".into(), input.heap.clone())];
                    difference = difference.or(Some(Difference { what, replay: None, pictures }));
                }
            }
        }
        (said, difference)
    }
}

/// A concrete heap, and the traces (model, number) whose witness it is.
struct Input {
    heap: Witness,
    witness_of: Vec<(usize, usize)>,
}

struct Checker<'p> {
    program: &'p Program,
    config: &'p Config,
    replayer: Replayer<'p>,
    bench: Option<Bench>,
    models: Vec<Box<dyn Explored + 'p>>,
}

/// Whether a path was followed to its end. The bound on calls is one that every model reaches at the same place.
fn is_finished(outcome: &Outcome) -> bool {
    !matches!(outcome, Outcome::Stopped(stop) if *stop != Stop::Bound(Bound::MaxCalls))
}

impl Checker<'_> {
    /// The enumerated heaps and the witnesses of all traces, each once.
    fn inputs(&mut self, universe: &Universe, enumerated: Vec<Witness>) -> Vec<Input> {
        let mut known: FxHashMap<Witness, usize> = enumerated.iter().cloned().zip(0..).collect();
        let mut inputs: Vec<Input> =
            enumerated.into_iter().map(|heap| Input { heap, witness_of: Vec::new() }).collect();
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

    fn is_bounded(&self) -> bool {
        let bounds = &self.config.bounds;
        bounds.k.is_some() || !bounds.n.is_empty() || self.config.invariants.is_some()
    }

    /// Whether the traces of a model represent everything within the bounds that `lazy` represents.
    fn bounded_alike(&self, heap: HeapKind) -> bool {
        // What nobody resolves, nobody counts or asks about.
        !self.is_bounded() || !matches!(heap, HeapKind::Lazier | HeapKind::LazierSharp)
    }

    /// One heap, under every model.
    fn compare(&mut self, input: &Input) -> Result<Option<Difference>, String> {
        let run = self.replayer.run(&input.heap, &Watch::default())?;
        let (outcome, flow) = (run.outcome.clone(), run.flow);
        if let Some(bench) = &mut self.bench {
            bench.submit(self.program, &input.heap, run);
        }
        let bounded = self.is_bounded();
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

    /// `summary` and `pose` have one trace for each control-flow path that ends. Those that do not end have one for every round in which that is
    /// noticed.
    fn path_optimal(&mut self) -> Option<Difference> {
        for m in 0..self.models.len() {
            if !matches!(self.models[m].heap(), HeapKind::Summary | HeapKind::PoseIte | HeapKind::Pose) {
                continue;
            }
            let mut seen: FxHashMap<Path, usize> = FxHashMap::default();
            for trace in 0..self.models[m].ends().len() {
                let end = &self.models[m].ends()[trace];
                if matches!(end.outcome, Outcome::Endless { .. }) {
                    continue;
                }
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
