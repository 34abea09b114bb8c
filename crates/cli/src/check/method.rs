//! One method: explored until it fails, or as far as its time goes, and what that comes to.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use lazuli::coverage::Explored;
use lazuli::{Bound, Bounds, Config, Control, Event, Jvm, LeftOut, Limit, Options, Program, Run, Search, Stop, Target};
use lazuli_program::frontend::java::{EntryPoint, callable};
use serde::{Deserialize, Serialize};

use super::contract::{ensured, required};
use super::property::Property;
use super::violation::{Finder, Violation};
use crate::names;
use crate::style::Style;
use crate::verdict::Question;

/// The first of so many parts of the time is for breadth.
const BREADTH: u32 = 3;

/// What is asked of every method.
pub struct Asked<'a> {
    pub target: &'a Target,
    pub options: &'a Options,
    pub question: &'a Question,
    /// Who judges, if it is a JVM.
    pub jvm: Option<&'a Jvm>,
    pub strict: bool,
    pub null_args: bool,
    /// All violations of a method are looked for.
    pub all: bool,
    pub style: Style,
}

/// What became of a method.
#[derive(Serialize, Deserialize)]
pub struct Checked {
    /// `com.acme.Order.total(java.lang.String)`.
    pub method: String,
    pub verdict: Verdict,
    pub violations: Vec<Violation>,
    pub paths: u64,
    pub time: Duration,
    /// What was executed, if that is counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explored: Option<Explored>,
}

/// What exploring it came to.
struct Outcome {
    verdict: Verdict,
    violations: Vec<Violation>,
    paths: u64,
    explored: Option<Explored>,
}

/// In the order of how much they matter to whoever reads them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Verdict {
    Fails,
    /// Why it is not certain.
    MayFail(String),
    /// Why.
    Unknown(String),
    /// Within limits that nobody asked for.
    WithinLimits(String),
    /// Within what the user asked for.
    WithinBounds(String),
    Holds,
}

impl Checked {
    /// Nothing came out of a method, and this is why.
    pub fn unknown(entry: &EntryPoint, why: &str) -> Checked {
        Checked {
            method: entry.readable(),
            verdict: Verdict::Unknown(why.into()),
            violations: Vec::new(),
            paths: 0,
            time: Duration::ZERO,
            explored: None,
        }
    }

    /// The method with the simple names of its parameters' types: `com.acme.Order.total(String)`.
    pub fn name(&self) -> String {
        let Some((name, parameters)) = self.method.split_once('(') else { return self.method.clone() };
        let simple = |ty: &str| ty.trim_end_matches(')').rsplit('.').next().unwrap_or(ty).to_string();
        let parameters: Vec<String> = parameters.split(", ").map(simple).collect();
        format!("{name}({})", parameters.join(", "))
    }
}

impl Asked<'_> {
    pub fn check(&self, entry: &EntryPoint, control: &Control) -> Checked {
        let started = Instant::now();
        let Outcome { verdict, violations, paths, explored } =
            self.explore(entry, started, control).unwrap_or_else(|why| {
                let first = why.lines().next().unwrap_or_default().to_string();
                Outcome { verdict: Verdict::Unknown(first), violations: Vec::new(), paths: 0, explored: None }
            });
        Checked { method: entry.readable(), verdict, violations, paths, time: started.elapsed(), explored }
    }

    fn explore(&self, entry: &EntryPoint, started: Instant, control: &Control) -> Result<Outcome, String> {
        let program = self.target.program(entry).map_err(names::error)?;
        let mut options = self.options.clone();
        if !self.null_args {
            options.not_null = not_null(&program, entry);
        }
        options.pre = options.pre.map_or_else(|| required(entry), |pre| Ok(Some(pre)))?;
        options.post = options.post.map_or_else(|| ensured(entry), |post| Ok(Some(post)))?;
        let config = options.config(&program).map_err(names::error)?;
        let property = Property::new(&program, self.target.classes(), entry, self.strict, options.post.as_deref());
        let until = config.bounds.time.map(|all| started + all);
        let mut finder = Finder::new(self, &program, entry, &config, until);
        let mut found: Vec<Violation> = Vec::new();
        // What is found before a worker hears that it is to end depends on the moment: it is not looked at.
        let (mut paths, mut is_over) = (0, false);
        let mut tell = |event: Event| {
            let is_enough = |found: &[Violation]| found.iter().any(Violation::is_certain);
            let trace = match event {
                Event::Trace(trace) if !is_over => trace,
                Event::Task { .. } => {
                    is_over |= !self.all && is_enough(&found);
                    return;
                }
                _ => return,
            };
            paths += 1;
            let Some(failure) = property.violated(&trace).filter(|_| !trace.is_refuted()) else { return };
            let place = finder.place(&trace);
            let is_known = |known: &Violation| known.failure == failure && known.place == place;
            // A failure that ends is easier to look at than one that does not, where both came together.
            let is_better = !failure.is_endless() && found.iter().all(|known| known.failure.is_endless());
            if !self.all && is_enough(&found) && !is_better && !found.iter().any(is_known) {
                return;
            }
            let violation = finder.violation(&trace, failure.clone());
            // One that is certain takes the place of one that is not, and a small one that of a large one: what comes together is not in the
            // order of its size.
            match found.iter_mut().find(|known| is_known(known)) {
                Some(known) if violation.rank() < known.rank() => *known = violation,
                Some(_) => {}
                None => found.push(violation),
            }
            if !self.all && is_enough(&found) {
                control.interrupted.store(true, Ordering::Relaxed);
            }
        };
        // Reading the program is a part of the time.
        let time = config.bounds.time.map(|all| all.saturating_sub(started.elapsed()));
        let timed = Config { bounds: Bounds { time, ..config.bounds.clone() }, ..config.clone() };
        let run = in_turn(&program, &timed, control, self.jvm, &mut tell).map_err(names::error)?;
        // What is certain comes first, and what ends.
        found.sort_by_key(|violation| (violation.doubt.is_some(), violation.failure.is_endless()));
        let verdict = self.verdict(&run, &found);
        let said = self.question.verdict(&run);
        let explored = match config.coverage {
            true => Explored::new(&program, run.executed.clone(), said.limit_texts(), said.within()),
            false => None,
        };
        let paths = if is_over { paths } else { run.counts.traces };
        Ok(Outcome { verdict, violations: found, paths, explored })
    }

    fn verdict(&self, run: &Run, found: &[Violation]) -> Verdict {
        if let Some(first) = found.first() {
            // The table says it in short.
            return first.doubt_in_short().map_or(Verdict::Fails, Verdict::MayFail);
        }
        if run.counts.traces == 0 && run.incomplete.is_none() {
            return Verdict::Unknown("no input is valid, so there is nothing to execute".into());
        }
        let limits = self.question.limits(run);
        let left_out =
            limits.iter().map(|limit| if let Limit::LeftOut(left) = limit { Some(within(left)) } else { None });
        match left_out.collect::<Option<Vec<String>>>() {
            None => Verdict::Unknown(unknown(&limits)),
            Some(within) if !within.is_empty() => Verdict::WithinLimits(within.join(", ")),
            Some(_) => match self.question.verdict(run).line.strip_prefix("complete within ") {
                Some(bounds) => Verdict::WithinBounds(bounds.to_string()),
                None => Verdict::Holds,
            },
        }
    }
}

/// Explores breadth first for a part of the time, so that no path without end hides what is beside it, and then depth first, if there is
/// anything left: that needs less memory, and less time where everything is explored.
pub(crate) fn in_turn(
    program: &Program,
    config: &Config,
    control: &Control,
    jvm: Option<&Jvm>,
    tell: &mut dyn FnMut(Event),
) -> Result<Run, lazuli::Error> {
    let started = Instant::now();
    let mut run = |search: Search, time: Option<Duration>| {
        let bounds = Bounds { time, ..config.bounds.clone() };
        let config = Config { search, bounds, ..config.clone() };
        match jvm {
            Some(jvm) => lazuli::explore_judged_with(program, &config, control, jvm, &mut *tell),
            None => lazuli::explore_with(program, &config, control, None, &mut *tell),
        }
    };
    let all = config.bounds.time;
    let first = run(Search::Breadth, all.map(|all| all / BREADTH))?;
    if !matches!(first.incomplete, Some(Bound::Timeout)) || control.is_interrupted() {
        return Ok(first);
    }
    let mut rest = run(Search::Depth, all.map(|all| all.saturating_sub(started.elapsed())))?;
    rest.executed.extend(first.executed);
    rest.counts.traces = rest.counts.traces.max(first.counts.traces);
    Ok(rest)
}

/// The parameters whose callers are not told that they may be null, by their names in the program.
pub(crate) fn not_null(program: &Program, entry: &EntryPoint) -> Vec<String> {
    let Some(main) = program.main else { return Vec::new() };
    let (method, nullable) = (program.method(main), callable::nullable(entry.method()));
    let receiver = method.parameters - nullable.len().min(method.parameters);
    let parameters = method.registers.iter().take(method.parameters).skip(receiver).zip(nullable);
    let not_null = parameters.filter(|(register, nullable)| register.ty.is_ref() && !nullable);
    not_null.map(|(register, _)| register.name.clone()).collect()
}

/// Inputs that were left out, in a few words.
pub(crate) fn within(left_out: &LeftOut) -> String {
    let simple = |class: &str| class.rsplit('.').next().unwrap_or(class).to_string();
    match left_out {
        LeftOut::LongerStrings(most) => format!("strings of up to {most}"),
        LeftOut::LongerArrays(most) => format!("arrays of up to {most}"),
        LeftOut::WiderCharacters => "Latin-1".into(),
        LeftOut::OtherClasses { of, .. } => format!("the known classes of {}", simple(of)),
        LeftOut::ClassObjects { .. } => "a few class objects".into(),
        LeftOut::Existing { class } => format!("no {} that exists before", simple(class)),
        LeftOut::Deeper => "--k".into(),
        LeftOut::More => "--n".into(),
    }
}

/// The limit that matters most.
pub(crate) fn unknown(limits: &[Limit]) -> String {
    let rank = |limit: &&Limit| match limit {
        Limit::Refuted { .. } => 0,
        Limit::Stopped(Stop::Unsupported(_), _) => 1,
        Limit::Ended(_) => 2,
        Limit::Stopped(..) => 3,
        Limit::Untried { .. } => 4,
        Limit::LeftOut(_) => 5,
    };
    match limits.iter().min_by_key(rank) {
        Some(Limit::Stopped(stop, _)) => names::stop(stop),
        Some(limit) => names::limit(limit),
        None => "nothing was explored".into(),
    }
}
