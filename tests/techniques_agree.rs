//! The techniques that HEX is compared with, against brute force: random small classes with random invariants as methods, and all concrete
//! heaps up to a number of objects. Which of these are valid is decided by a plain interpreter (`hex/visits.rs`).

#[path = "techniques/generate.rs"]
mod generate;
#[allow(dead_code)]
use crate::hex_agree::visits;
use crate::random;
#[allow(dead_code)]
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use lazuli::{Control, explore};
use lazuli_engine::config::{Config, HeapKind, Most, TraceDetail};
use lazuli_invariant::{InvariantSource, Invariants, Technique};
use lazuli_lab::audit::{self, audit};
use lazuli_lab::exact::{self, Covered, Extent};
use lazuli_program::Program;
use random::seeds::{check_all, seeds};

/// The models that resolve references, about whose partial heaps a technique can ask.
const ENUMERATING: [HeapKind; 3] = [HeapKind::Lazy, HeapKind::Lazier, HeapKind::LazierSharp];

/// More heaps than that are not compared: they must be all.
const MOST_HEAPS: usize = 1_500;

/// Nor are programs with more traces under one model.
const MOST_TRACES: u64 = 300;

/// A program, and its heaps with what the interpreter says of each.
struct Subject {
    program: Program,
    config: Config,
    extent: Extent,
    /// Of every heap: whether it is valid, if the interpreter knows.
    valid: Vec<Option<bool>>,
}

impl Subject {
    fn new(program: Program, entry: &str, objects: usize) -> Result<Subject, String> {
        let mut config = Config { entry: Some(entry.into()), ..random::config(&program, random::Bound::None) };
        config.bounds.traces = Some(MOST_TRACES);
        let extent = Extent { objects, heaps: MOST_HEAPS };
        let plain = exact::check(&program, &config, &ENUMERATING, extent, &Control::default())?;
        if !plain.complete {
            return Err("too many heaps".into());
        }
        let heaps = exact::covered(&program, &config, &[], extent)?;
        let id = program.entry(entry).expect("an entry");
        let valid = heaps.iter().map(|covered| visits::satisfies(&program, id, "repOk", &covered.heap)).collect();
        Ok(Subject { program, config, extent, valid })
    }

    fn by(&self, technique: Technique) -> Config {
        let objects = self.extent.objects as u32;
        let invariants =
            Invariants::load(&InvariantSource::methods(technique, vec![Most::of_all(objects)]), &self.program)
                .expect("methods of the program");
        Config { invariants: Some(invariants.shared()), ..self.config.clone() }
    }

    /// Of the heaps that are valid, exactly one trace of every model covers each; of those that are not, `others` says how many.
    /// Gives the traces of each model that have a valid heap.
    fn covers(
        &self,
        config: &Config,
        models: &[HeapKind],
        others: Option<usize>,
    ) -> Result<Vec<BTreeSet<usize>>, String> {
        let mut traces = vec![BTreeSet::new(); models.len()];
        for (Covered { heap, traces: found, finished }, valid) in
            exact::covered(&self.program, config, models, self.extent)?.iter().zip(&self.valid)
        {
            let Some(valid) = valid.filter(|_| *finished) else { continue };
            for (i, found) in found.iter().enumerate() {
                if valid {
                    traces[i].extend(found);
                }
                let expected = if valid { Some(1) } else { others };
                if expected.is_some_and(|expected| expected != found.len()) {
                    let picture = exact::picture::draw(&self.program, heap).join("\n  ");
                    let word = if valid { "valid" } else { "invalid" };
                    return Err(format!(
                        "this {word} input is covered by {} traces of {}:\n  {picture}",
                        found.len(),
                        models[i]
                    ));
                }
            }
        }
        Ok(traces)
    }

    /// The number of traces under a model. All of them were followed to their end, and their witnesses are confirmed.
    fn traces(&self, config: &Config, heap: HeapKind) -> Result<Option<u64>, String> {
        let config = Config { heap, detail: TraceDetail::Full, ..config.clone() };
        let run = explore(&self.program, &config, &Control::default())?;
        if run.counts.doubtful() > 0 {
            return Err(format!("{} witnesses of {heap} are not confirmed", run.counts.doubtful()));
        }
        Ok((run.counts.stopped == 0 && run.incomplete.is_none()).then_some(run.counts.traces))
    }

    /// What the audit calls valid are the traces that have a valid heap.
    fn audited(&self, config: &Config, heap: HeapKind, valid: &BTreeSet<usize>) -> Result<(), String> {
        let extent =
            audit::Extent { completion: vec![Most::of_all(self.extent.objects as u32)], time: Duration::from_secs(60) };
        let config = Config { heap, ..config.clone() };
        let audit = audit(&self.program, &config, extent, &Control::default())?;
        if audit.unknown == 0 && audit.incomplete.is_none() && audit.valid != valid.len() as u64 {
            return Err(format!("audit of {heap}: {} traces are valid, not {}", valid.len(), audit.valid));
        }
        Ok(())
    }

    fn check(&self) -> Result<(), String> {
        let said = |who: &'static str| move |why: String| format!("{who}: {why}");
        let plain = self.covers(&self.config, &ENUMERATING, Some(1)).map_err(said("no technique"))?;
        self.audited(&self.config, HeapKind::Lazy, &plain[0]).map_err(said("no technique"))?;

        let prep = self.by(Technique::Prep);
        let traces = self.covers(&prep, &HeapKind::ALL, Some(0)).map_err(said("prep"))?;
        let compared = exact::check(&self.program, &prep, &HeapKind::ALL, self.extent, &Control::default())?;
        if let Some(difference) = compared.difference {
            return Err(format!("prep: {}", difference.show(&self.program)));
        }
        for heap in HeapKind::ALL {
            self.traces(&prep, heap).map_err(said("prep"))?;
        }
        self.audited(&prep, HeapKind::Lazy, &traces[0]).map_err(said("audit of prep"))?;

        let bounded = self.by(Technique::Bounded);
        let traces = self.covers(&bounded, &ENUMERATING, None).map_err(said("bounded"))?;
        for (heap, valid) in ENUMERATING.into_iter().zip(&traces) {
            let known = self.valid.iter().all(Option::is_some);
            let all = self.traces(&bounded, heap).map_err(said("bounded"))?.filter(|_| known);
            if all.is_some_and(|all| all != valid.len() as u64) {
                let (all, valid) = (all.unwrap_or(0), valid.len());
                return Err(format!("bounded: {heap} has {all} traces, of which {valid} have a valid completion"));
            }
            self.audited(&bounded, heap, valid).map_err(said("audit of bounded"))?;
        }

        let consp = self.by(Technique::Consp);
        let traces = self.covers(&consp, &ENUMERATING, None).map_err(said("consp"))?;
        for (heap, valid) in ENUMERATING.into_iter().zip(&traces) {
            self.traces(&consp, heap).map_err(said("consp"))?;
            self.audited(&consp, heap, valid).map_err(said("audit of consp"))?;
        }
        Ok(())
    }
}

/// The first program from a seed on whose fields are where it looks for them.
fn loaded(seed: u64) -> (generate::Sketch, Program) {
    let sketches = (0..100).map(|number| generate::generate(seed * 100 + number));
    let load = |sketch: &generate::Sketch| lazuli_program::load_text("random.pose", sketch.source.clone()).ok();
    sketches.into_iter().find_map(|sketch| load(&sketch).map(|program| (sketch, program))).expect("one that loads")
}

/// Random classes, invariants and programs.
#[test]
fn techniques_keep_what_is_valid() {
    let seeds = seeds(200);
    let [compared, heaps, valid, told] = [const { AtomicU64::new(0) }; 4];
    check_all(&seeds, |seed| {
        let (sketch, program) = loaded(seed);
        let checked = catch_unwind(AssertUnwindSafe(|| {
            let subject = Subject::new(program, sketch.entry, sketch.objects)?;
            subject.check()?;
            Ok::<_, String>(subject.valid)
        }));
        let all = match checked.unwrap_or_else(|_| Err("the engine panicked".into())) {
            Ok(all) => all,
            Err(reason) if reason.contains("the bound on traces") || reason == "too many heaps" => return None,
            Err(reason) => return Some(format!("seed {seed}, {}: {reason}\n{}", sketch.entry, sketch.source)),
        };
        let good = all.iter().filter(|valid| **valid == Some(true)).count();
        compared.fetch_add(1, Ordering::Relaxed);
        heaps.fetch_add(all.len() as u64, Ordering::Relaxed);
        valid.fetch_add(good as u64, Ordering::Relaxed);
        told.fetch_add((good > 0 && good < all.len()) as u64, Ordering::Relaxed);
        None
    });
    let programs = seeds.end - seeds.start;
    let [compared, heaps, valid, told] = [compared, heaps, valid, told].map(AtomicU64::into_inner);
    println!(
        "{compared} of {programs} programs compared, {told} with valid and invalid inputs; {valid} of {heaps} are valid"
    );
    assert!(compared * 2 > programs, "only {compared} of {programs} could be compared");
    assert!(told * 2 > compared, "only in {told} of {compared} are some inputs valid and some not");
}
