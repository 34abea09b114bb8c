//! One method: explored as `lazuli check` does it, its behaviours chosen, and tests of them drafted.

use lazuli::coverage::Explored;
use lazuli::{Again, Bounds, Branch, Config, Control, Event, Executed, Limit, Options, Outcome, Run, Target, Trace};
use lazuli_engine::limits::Watch;
use lazuli_program::frontend::java::EntryPoint;

use super::behaviour::{Behaviour, Behaviours};
use super::draft::Drafting;
use super::effect::effect;
use super::name::{self, Parts};
use super::{Attempt, INTERRUPTED, Test};
use crate::args::test::JUnit;
use crate::check::contract::required;
use crate::check::method::{in_turn, not_null, unknown, within};
use crate::check::property::{Failure, Property};
use crate::check::reach::doubtful_null;
use crate::code::{Calling, NONE, Sequences, Tier};
use crate::names;
use crate::verdict::Question;

/// What is asked of every method.
pub struct Asked<'a> {
    pub target: &'a Target,
    pub options: &'a Options,
    pub question: &'a Question,
    pub junit: JUnit,
    pub strict: bool,
    pub null_args: bool,
    pub failing_only: bool,
}

/// What became of a method.
pub struct Tested {
    /// `com.acme.Order.total(int)`.
    pub method: String,
    /// Its class, by its internal name.
    pub class: String,
    /// The tests, without their final names.
    pub tests: Vec<Test>,
    /// What was not explored, if something was not.
    pub cut: Option<String>,
    /// What is known of what its tests do not execute.
    pub explored: Option<Explored>,
}

/// The instructions of one call of a sequence.
const MAX_STEPS: u64 = 20_000;
/// Longer conditions are broken into lines.
const WIDTH: usize = 105;

impl Asked<'_> {
    pub fn test(&self, entry: &EntryPoint, control: &Control) -> Tested {
        let (method, class) = (entry.readable(), entry.receiver.name.to_string());
        self.explore(entry, control).unwrap_or_else(|why| {
            let first = why.lines().next().unwrap_or_default().to_string();
            Tested { method, class, tests: Vec::new(), cut: Some(first), explored: None }
        })
    }

    fn explore(&self, entry: &EntryPoint, control: &Control) -> Result<Tested, String> {
        let program = self.target.program(entry).map_err(names::error)?;
        let mut options = self.options.clone();
        if !self.null_args {
            options.not_null = not_null(&program, entry);
        }
        options.pre = required(entry)?;
        let config = options.config(&program).map_err(names::error)?;
        let mut behaviours = Behaviours::default();
        let mut tell = |event: Event| {
            if let Event::Trace(trace) = event {
                behaviours.add(trace);
            }
        };
        let run = in_turn(&program, &config, control, None, &mut tell).map_err(names::error)?;
        if control.is_interrupted() {
            return Err(INTERRUPTED.into());
        }
        let property = Property::new(&program, self.target.classes(), entry, self.strict, None);
        let mut chosen = behaviours.chosen();
        // That an object can be made shows nothing.
        let is_constructor = &*entry.method().name == "<init>";
        let is_plain = |behaviour: &Behaviour| {
            behaviour.examples[0].outcome == Outcome::Returned && behaviour.branches().is_empty()
        };
        let all = chosen.len();
        chosen.retain(|behaviour| !(is_constructor && is_plain(behaviour)));
        if self.failing_only {
            chosen.retain(|behaviour| property.violated(&behaviour.examples[0]).is_some());
        }
        let calling = Calling { program: &program, classes: self.target.classes(), entry };
        let drafting = Drafting { calling, junit: self.junit };
        let tests = self.tests(&drafting, &property, &config, &chosen)?;
        let said = self.question.verdict(&run);
        let explored = Explored::new(&program, Executed::default(), said.limit_texts(), said.within());
        let explored = explored.map(|explored| Explored { is_partial: chosen.len() < all, ..explored });
        let (method, class) = (entry.readable(), entry.receiver.name.to_string());
        Ok(Tested { method, class, tests, cut: self.cut(&run), explored })
    }

    fn tests(
        &self,
        drafting: &Drafting,
        property: &Property,
        config: &Config,
        chosen: &[Behaviour],
    ) -> Result<Vec<Test>, String> {
        let method = match &*drafting.calling.entry.method().name {
            "<init>" => "constructor",
            name => name,
        };
        let plain: String = method.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        let parts: Vec<Parts> = chosen
            .iter()
            .map(|behaviour| Parts {
                method: plain.clone(),
                conditions: behaviour.branches().iter().map(in_words).collect(),
                effect: effect(&drafting.calling, &behaviour.examples[0]),
            })
            .collect();
        // No sequence takes longer than this.
        let quick = Config { bounds: Bounds { steps: MAX_STEPS, ..config.bounds.clone() }, ..config.clone() };
        let Calling { program, classes, .. } = drafting.calling;
        let mut sequences = Sequences::new(program, classes, &quick, drafting.calling.package());
        let counting = Config { coverage: true, ..config.clone() };
        let mut again = Again::new(program, &counting).map_err(names::error)?;
        let parts = chosen.iter().zip(parts);
        let tests = parts
            .map(|(behaviour, parts)| {
                let trace = &behaviour.examples[0];
                let shows = property.violated(trace);
                let failure = shows.as_ref().filter(|_| !self.null_args);
                let (attempts, why) = attempts(drafting, sequences.as_mut(), &mut again, behaviour, failure);
                Test {
                    method: drafting.calling.entry.readable(),
                    name: String::new(),
                    parts,
                    comment: comment(trace),
                    fails: shows.as_ref().map(|failure| shown(trace, failure)),
                    shows: shows.map(|failure| failure.text()),
                    attempts,
                    suppressed: Default::default(),
                    why,
                }
            })
            .collect();
        Ok(tests)
    }

    /// What was not explored.
    fn cut(&self, run: &Run) -> Option<String> {
        let limits = self.question.limits(run);
        let left_out =
            limits.iter().map(|limit| if let Limit::LeftOut(left) = limit { Some(within(left)) } else { None });
        match left_out.collect::<Option<Vec<String>>>() {
            None => Some(unknown(&limits)),
            Some(within) if !within.is_empty() => Some(format!("only {}", within.join(", "))),
            Some(_) => None,
        }
    }
}

/// All ways to write a test of a behaviour, those without reflection first; and why there is none, if so.
fn attempts(
    drafting: &Drafting,
    mut sequences: Option<&mut Sequences>,
    again: &mut Again,
    behaviour: &Behaviour,
    failure: Option<&Failure>,
) -> (Vec<Attempt>, String) {
    let mut attempts: Vec<Attempt> = Vec::new();
    let mut why = "nothing is known of it".to_string();
    let mut add = |drafted: Result<Attempt, String>, trace: &Trace, again: &mut Again| match drafted {
        Ok(attempt) if !attempts.iter().any(|known| known.body == attempt.body) => {
            let Calling { program, classes, .. } = drafting.calling;
            let witness = trace.detail.as_ref().and_then(|facts| facts.witness.as_ref());
            let doubt =
                witness.zip(failure).and_then(|(witness, failure)| doubtful_null(program, classes, witness, failure));
            attempts.push(Attempt { executed: again.executed(trace), doubt, ..attempt });
        }
        Ok(_) => {}
        Err(reason) => why = reason,
    };
    let mut is_plain = false;
    for trace in &behaviour.examples {
        let drafted = drafting.draft(trace, Tier::Package, &NONE);
        is_plain |= drafted.is_ok();
        add(drafted, trace, again);
    }
    for trace in behaviour.examples.iter().filter(|_| !is_plain) {
        let watch = Watch::default();
        let made =
            sequences.as_mut().and_then(|sequences| drafting.calling.with_calls(sequences, again, trace, &watch));
        if let Some((trace, recipes)) = made {
            add(drafting.draft(&trace, Tier::Package, &recipes), &trace, again);
            break;
        }
    }
    for trace in &behaviour.examples {
        add(drafting.draft(trace, Tier::Reflection, &NONE), trace, again);
    }
    attempts.sort_by_key(|attempt| attempt.tier);
    // The first is tried first.
    attempts.reverse();
    (attempts, why)
}

/// What was decided, as the code has it; in its own words where what is compared has no name there, as in a loop over elements.
fn in_words(branch: &Branch) -> String {
    let code = branch.code().trim();
    let is_whole = !code.starts_with(['<', '>', '=', '+', '*', '/', '%', '&', '|', '^']) && !code.starts_with("!=");
    if is_whole { code.to_string() } else { branch.text.clone() }
}

/// What fails and where, in words.
fn shown(trace: &Trace, failure: &Failure) -> String {
    let place = trace.detail.as_deref().map(|facts| facts.came.as_ref().unwrap_or(&facts.place));
    let place = place.map_or_else(String::new, |place| format!(" at {place}"));
    match &trace.outcome {
        Outcome::AssertFailed | Outcome::PostFailed => plain(&format!("{}{place}", failure.text())),
        _ => plain(&format!("{} is thrown{place}", failure.text())),
    }
}

/// What holds of the input.
fn comment(trace: &Trace) -> Vec<String> {
    let Some(facts) = trace.detail.as_deref() else { return Vec::new() };
    let mut conditions: Vec<&str> = Vec::new();
    for branch in &facts.branches {
        if !conditions.contains(&branch.text.as_str()) {
            conditions.push(&branch.text);
        }
    }
    let lines = wrapped(&conditions.join(" && "));
    lines.into_iter().map(|line| plain(&line)).collect()
}

fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        match lines.last_mut() {
            Some(line) if line.len() + word.len() < WIDTH => *line += &format!(" {word}"),
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

/// In ASCII, and without anything that the compiler would read in a comment.
fn plain(line: &str) -> String {
    let line = line.replace("\\u", "\\\\u").replace('…', "...");
    line.chars().map(|c| if c.is_ascii() && !c.is_control() { c } else { '?' }).collect()
}

/// The names of tests of one class, method by method.
pub fn named(tests: &mut [Test]) {
    let mut taken = std::collections::BTreeSet::new();
    let mut first = 0;
    while first < tests.len() {
        let method = tests[first].method.clone();
        let number = tests[first..].iter().take_while(|test| test.method == method).count();
        let group = &mut tests[first..first + number];
        let parts: Vec<Parts> = group.iter().map(|test| test.parts.clone()).collect();
        for (test, name) in group.iter_mut().zip(name::names(&parts, &mut taken)) {
            test.name = name;
        }
        first += number;
    }
}
