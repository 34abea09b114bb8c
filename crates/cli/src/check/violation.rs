//! An input on which a method fails: what fails and where, the input drawn and as code, and whether anybody can meet it.

use std::path::PathBuf;
use std::time::Instant;

use lazuli::{Again, Called, Config, Judge, Line, Outcome, Program, Trace, Witness};
use lazuli_engine::limits::Watch;
use lazuli_program::frontend::java::EntryPoint;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::method::Asked;
use super::property::Failure;
use super::reach;
use crate::code::{Calling, NONE, Recipes, Sequences, Tier};
use crate::report::sources::Sources;
use crate::report::{behaviours, data};

/// An input on which a method fails.
#[derive(Serialize, Deserialize)]
pub struct Violation {
    pub failure: Failure,
    pub message: Option<String>,
    /// Where it fails, in the target's own code if it comes there.
    pub place: Line,
    /// The file, if it is at hand, and the text of the line.
    pub path: Option<PathBuf>,
    pub source: Option<String>,
    /// The calls that had not returned, the newest first.
    pub stack: Vec<Called>,
    /// Its branches and its input, as text.
    pub facts: String,
    /// The statements that make the input and call the method, where they are known.
    pub code: Vec<String>,
    /// What the judge says.
    pub judgement: String,
    pub is_confirmed: bool,
    /// Why it need not be one: the input cannot be made by public calls, or has null in it.
    pub doubt: Option<String>,
    /// The objects of the input, and the decisions that led there.
    pub objects: usize,
    pub decisions: usize,
    /// The trace as `--format json` has it.
    pub trace: Map<String, Value>,
}

impl Violation {
    /// What fails, in one line.
    pub fn headline(&self) -> String {
        let message = self.message.as_ref().map_or_else(String::new, |message| format!(": {message}"));
        format!("{}{message}", self.failure.text())
    }

    /// The better it is, the less: certain, confirmed, with few objects, after few decisions.
    pub fn rank(&self) -> (bool, bool, usize, usize) {
        (self.doubt.is_some(), !self.is_confirmed, self.objects, self.decisions)
    }

    /// Whether it is no doubtful one, and somebody has confirmed it.
    pub fn is_certain(&self) -> bool {
        self.doubt.is_none() && self.is_confirmed
    }

    /// Whether no public call is known to build the input.
    pub fn is_hidden(&self) -> bool {
        self.doubt.as_ref().is_some_and(|doubt| doubt.starts_with(HIDDEN))
    }

    /// A few words on why it need not be one.
    pub fn doubt_in_short(&self) -> Option<String> {
        self.doubt.as_ref().map(|doubt| doubt.split(':').next().unwrap_or_default().to_string())
    }
}

/// So many inputs of one method are looked for sequences of calls.
const MAX_SEARCHES: usize = 6;
/// The instructions of one call of a sequence.
const MAX_STEPS: u64 = 20_000;

/// What makes violations of the traces of a method.
pub struct Finder<'a> {
    asked: &'a Asked<'a>,
    calling: Calling<'a>,
    config: &'a Config,
    /// The time of the method ends then.
    until: Option<Instant>,
    searches: usize,
}

/// An input that public calls can build, as far as that is known.
struct Built {
    trace: Trace,
    recipes: Recipes,
}

impl<'a> Finder<'a> {
    pub fn new(
        asked: &'a Asked<'a>,
        program: &'a Program,
        entry: &'a EntryPoint,
        config: &'a Config,
        until: Option<Instant>,
    ) -> Finder<'a> {
        let calling = Calling { program, classes: asked.target.classes(), entry };
        Finder { asked, calling, config, until, searches: 0 }
    }

    /// Where a trace came to the target's own code with its exception, or where it ended.
    pub fn place(&self, trace: &Trace) -> Line {
        let nowhere = || Line { file: String::new(), line: 0, class: String::new() };
        match (&trace.outcome, trace.detail.as_deref()) {
            // What a postcondition speaks of is the method as a whole.
            (Outcome::PostFailed, _) => self.first_line().unwrap_or_else(nowhere),
            (_, facts) => facts.map_or_else(nowhere, |facts| facts.came.as_ref().unwrap_or(&facts.place).clone()),
        }
    }

    /// Where the method begins.
    fn first_line(&self) -> Option<Line> {
        let Calling { program, entry, .. } = self.calling;
        let line = program.method(program.main?).lines.iter().copied().filter(|line| *line > 0).min()?;
        let file = entry.class.source_file.as_ref().map(|file| file.to_string()).unwrap_or_default();
        Some(Line { file, line, class: entry.class.name.replace('/', ".") })
    }

    pub fn violation(&mut self, trace: &Trace, failure: Failure) -> Violation {
        let (built, doubt) = self.built(trace, &failure);
        let (trace, recipes) = built.as_ref().map_or((trace, &NONE), |built| (&built.trace, &built.recipes));
        let facts = trace.detail.as_deref();
        let place = self.place(trace);
        let (asked, program) = (self.asked, self.calling.program);
        let mut sources = Sources::near(asked.target.source());
        let judgement = facts.map(|facts| &facts.judgement);
        let ending = facts.and_then(|facts| facts.ending.as_ref());
        let witness = facts.and_then(|facts| facts.witness.as_ref());
        Violation {
            failure,
            message: ending.and_then(|ending| ending.message.clone()),
            path: sources.path(&place),
            source: sources.line(&place).map(str::to_string).filter(|line| !line.is_empty()),
            place,
            stack: ending.map(|ending| ending.stack.clone()).unwrap_or_default(),
            facts: behaviours::facts(program, asked.target.source(), trace, asked.style),
            code: witness.map(|witness| self.code(witness, recipes)).unwrap_or_default(),
            is_confirmed: judgement.is_some_and(|judgement| judgement.agrees() || judgement.judge == Judge::None),
            judgement: judgement.map_or_else(|| "not tried".into(), |judgement| judgement.to_string()),
            doubt,
            objects: witness.map_or(0, |witness| witness.objects.len()),
            decisions: trace.decisions.len(),
            trace: data::trace(program, trace, false),
        }
    }

    fn code(&self, witness: &Witness, recipes: &Recipes) -> Vec<String> {
        self.calling.statements(witness, Tier::Package, recipes).unwrap_or_default()
    }

    /// Why an input need not be one that the method meets. Another input that goes the same way is looked for where no public call is known to
    /// build this one.
    fn built(&mut self, trace: &Trace, failure: &Failure) -> (Option<Built>, Option<String>) {
        let witness = trace.detail.as_ref().and_then(|facts| facts.witness.as_ref());
        let Some(witness) = witness else { return (None, None) };
        let (program, classes, null_args) = (self.calling.program, self.calling.classes, self.asked.null_args);
        let doubt = || reach::doubtful_null(program, classes, witness, failure).filter(|_| !null_args);
        let Some(hidden) = reach::hidden(program, classes, witness, &[]) else { return (None, doubt()) };
        match self.by_calls(trace) {
            Some(built) if null_args => (Some(built), None),
            Some(built) if gives_null(&built.recipes) => {
                (Some(built), Some("with null given as an argument only".into()))
            }
            Some(built) => {
                let witness = built.trace.detail.as_ref().and_then(|facts| facts.witness.as_ref());
                let doubt = witness.and_then(|witness| reach::null_element(program, witness, failure));
                (Some(built), doubt)
            }
            None => (None, Some(unbuilt(&hidden))),
        }
    }

    /// The trace with an input that sequences of calls build, confirmed again.
    fn by_calls(&mut self, trace: &Trace) -> Option<Built> {
        let is_late = self.until.is_some_and(|until| Instant::now() >= until);
        if self.searches >= MAX_SEARCHES || is_late {
            return None;
        }
        self.searches += 1;
        let Calling { program, classes, .. } = self.calling;
        let mut quick = self.config.clone();
        quick.bounds.steps = quick.bounds.steps.min(MAX_STEPS);
        let mut sequences = Sequences::new(program, classes, &quick, self.calling.package())?;
        let watch = Watch::default().until(self.until);
        let mut again = Again::new(program, self.config).ok()?;
        let (mut trace, recipes) = self.calling.with_calls(&mut sequences, &mut again, trace, &watch)?;
        let witness = trace.detail.as_ref()?.witness.as_ref()?;
        let made: Vec<usize> = recipes.keys().copied().collect();
        if reach::hidden(program, classes, witness, &made).is_some() {
            return None;
        }
        let judgement = again.judged(self.asked.jvm, &trace, &watch);
        trace.detail.as_mut()?.judgement = judgement;
        (!trace.is_refuted()).then_some(Built { trace, recipes })
    }
}

/// Why an input with an object of a class need not be one that the method meets.
fn unbuilt(class: &str) -> String {
    let simple = class.rsplit('.').next().unwrap_or(class);
    match simple.strip_suffix("$Uninterpreted") {
        // Everybody may implement it, but nobody has.
        Some(declared) => format!("with an implementation of {} of one's own only", declared.replace('$', ".")),
        None => {
            format!("{HIDDEN}: no public call is known to build this {}", simple.replace('$', "."))
        }
    }
}

/// Of inputs that no public call is known to build.
const HIDDEN: &str = "by reflection only";

/// Whether null is an argument of a call.
fn gives_null(recipes: &Recipes) -> bool {
    recipes.values().flat_map(|recipe| &recipe.steps).any(|step| step.arguments.iter().any(|code| code == "null"))
}
