//! What a run came to, as its reader needs it: the bounds that he gave, which are part of the question; the limits that cut something off beside
//! them; and what was taken for granted.

use std::collections::BTreeSet;

use clap::ArgMatches;
use clap::parser::ValueSource;
use lazuli::{Bound, Chosen, LeftOut, Limit, Run, Stop};
use serde_json::{Map, Value, json};

use crate::args::{InvariantArgs, Limits, Subject};
use crate::names;

/// The exit code where a property was violated.
pub const VIOLATED: u8 = 1;
/// The exit code where something was cut off that the question does not bound.
pub const CUT_OFF: u8 = 3;

/// The options that stand on the command line, by the names of their fields. One that repeats its default is among them.
pub struct Given(BTreeSet<String>);

impl Given {
    pub fn of(matches: &ArgMatches) -> Given {
        let Some((_, matches)) = matches.subcommand() else { return Given(BTreeSet::new()) };
        let on_command_line = |id: &&clap::Id| matches.value_source(id.as_str()) == Some(ValueSource::CommandLine);
        Given(matches.ids().filter(on_command_line).map(|id| id.as_str().to_string()).collect())
    }

    /// Those that are bounds, and so part of the question, in one text.
    pub fn bounds(&self) -> String {
        const BOUNDS: [&str; 7] = ["k", "n", "max_string", "max_array", "max_depth", "max_steps", "max_calls"];
        let bounds = self.0.iter().filter(|name| BOUNDS.contains(&name.as_str()));
        bounds.map(String::as_str).collect::<Vec<_>>().join(",")
    }

    fn has(&self, field: &str) -> bool {
        self.0.contains(field)
    }
}

/// What the user bounds, in the order in which it is told.
pub struct Question {
    bounds: Vec<Asked>,
    chosen: Chosen,
}

/// A bound that the user gave.
struct Asked {
    kind: &'static str,
    /// The option as it was given.
    option: String,
    value: Option<u64>,
    what: What,
}

/// What a bound keeps away, and so how one knows whether it did.
enum What {
    /// Inputs that are left out where it matters.
    Inputs(fn(&LeftOut) -> bool),
    /// Ends of paths, or of the run.
    Effort(Bound),
    /// Inputs, and nobody asks whether there are any.
    Unasked,
}

/// Whether a bound cut something off.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    Yes,
    No,
    Perhaps,
    Unasked,
}

impl Question {
    pub fn new(given: &Given, subject: &Subject, limits: &Limits, invariants: &InvariantArgs) -> Question {
        let chosen = Chosen { max_string: given.has("max_string"), max_array: given.has("max_array") };
        let mut question = Question { bounds: Vec::new(), chosen };
        question.ask_about_inputs(subject, limits, invariants);
        let efforts = [
            ("max_depth", Bound::MaxDepth, Some(limits.bounds.max_depth as u64)),
            ("max_steps", Bound::MaxSteps, Some(limits.bounds.max_steps)),
            ("max_calls", Bound::MaxCalls, Some(limits.bounds.max_calls as u64)),
            ("max_traces", Bound::MaxTraces, limits.max_traces),
        ];
        for (kind, bound, value) in efforts.into_iter().filter(|(kind, ..)| given.has(kind)) {
            question.number(kind, names::bound(bound), value, What::Effort(bound));
        }
        if let Some(time) = limits.timeout.and_then(|limit| limit.0) {
            let option = format!("{} {time:?}", names::bound(Bound::Timeout));
            let value = Some(time.as_millis() as u64);
            question.bounds.push(Asked { kind: "timeout", option, value, what: What::Effort(Bound::Timeout) });
        }
        if let Some(memory) = limits.bounds.max_memory.and_then(|limit| limit.0) {
            question.number("max_memory", names::bound(Bound::MaxMemory), Some(memory), What::Effort(Bound::MaxMemory));
        }
        question
    }

    fn ask_about_inputs(&mut self, subject: &Subject, limits: &Limits, invariants: &InvariantArgs) {
        let is_deeper = |left_out: &LeftOut| *left_out == LeftOut::Deeper;
        let is_more = |left_out: &LeftOut| *left_out == LeftOut::More;
        let is_string = |left_out: &LeftOut| matches!(left_out, LeftOut::LongerStrings(_));
        let is_array = |left_out: &LeftOut| matches!(left_out, LeftOut::LongerArrays(_));
        let (strings, arrays) = (self.chosen.max_string, self.chosen.max_array);
        self.number("k", "--k", limits.bounds.k.map(u64::from), What::Inputs(is_deeper));
        for most in &limits.bounds.n {
            let (option, value) = (format!("--n {most}"), Some(u64::from(most.number)));
            self.bounds.push(Asked { kind: "n", option, value, what: What::Inputs(is_more) });
        }
        self.number(
            "max_string",
            "--max-string",
            strings.then_some(subject.java.max_string.into()),
            What::Inputs(is_string),
        );
        self.number(
            "max_array",
            "--max-array",
            arrays.then_some(subject.java.max_array.into()),
            What::Inputs(is_array),
        );
        let mut unasked = |kind, option| self.bounds.push(Asked { kind, option, value: None, what: What::Unasked });
        if limits.exact_types {
            unasked("exact_types", "--exact-types".into());
        }
        for types in &subject.java.types {
            unasked("types", format!("--types {types}"));
        }
        if let Some(file) = &invariants.invariants {
            unasked("invariants", format!("--invariants {}", file.display()));
        }
        if let Some(technique) = invariants.invariants_by {
            unasked("invariants_by", format!("--invariants-by {technique}"));
        }
        if let Some(pre) = &invariants.pre {
            unasked("pre", format!("--pre {pre}"));
        }
    }

    fn number(&mut self, kind: &'static str, option: &str, value: Option<u64>, what: What) {
        if let Some(number) = value {
            self.bounds.push(Asked { kind, option: format!("{option} {number}"), value, what });
        }
    }

    /// What cut something off beside the bounds.
    pub fn limits(&self, run: &Run) -> Vec<Limit> {
        run.limits(self.chosen)
    }

    pub fn verdict(&self, run: &Run) -> Verdict {
        let limits = run.limits(self.chosen);
        let cuts: Vec<(&Asked, Cut)> = self.bounds.iter().map(|asked| (asked, asked.cut(run))).collect();
        let line = match limits.is_empty() {
            true => complete(&cuts),
            false => incomplete(&limits),
        };
        let is_usual =
            |bound: Bound| !self.bounds.iter().any(|asked| matches!(asked.what, What::Effort(b) if b == bound));
        let code = match (run.is_violated(), limits.is_empty()) {
            (true, _) => VIOLATED,
            (false, false) => CUT_OFF,
            (false, true) => 0,
        };
        Verdict {
            line,
            code,
            bounds: cuts.iter().map(|(asked, cut)| asked.entry(*cut)).collect(),
            limits: limits.iter().map(|limit| limit_entry(limit, &is_usual)).collect(),
            assumptions: run
                .scope
                .taken
                .iter()
                .map(|taken| Entry::new(names::taken_kind(taken), names::taken(taken)))
                .collect(),
        }
    }
}

impl Asked {
    fn cut(&self, run: &Run) -> Cut {
        match &self.what {
            What::Unasked => Cut::Unasked,
            What::Effort(bound) => {
                let stopped =
                    |stop: &Stop| matches!(stop, Stop::Bound(b) | Stop::Endless { bound: b, .. } if b == bound);
                let reached = run.incomplete == Some(*bound) || run.stops.iter().any(|(stop, _)| stopped(stop));
                if reached { Cut::Yes } else { Cut::No }
            }
            What::Inputs(is) => match run.scope.left_out.iter().any(is) {
                // What was left out may have been no valid input.
                true if run.judged => Cut::Perhaps,
                true => Cut::Yes,
                // Nobody knows what would have been left out on paths that were not followed.
                false if run.is_complete() => Cut::No,
                false => Cut::Perhaps,
            },
        }
    }

    fn entry(&self, cut: Cut) -> Entry {
        let text = match cut {
            Cut::Yes => format!("{} cut something off", self.option),
            Cut::No => format!("{} did not cut anything off", self.option),
            Cut::Perhaps => format!("{} may have cut something off", self.option),
            Cut::Unasked => self.option.clone(),
        };
        let mut entry = Entry::new(self.kind, text);
        entry.numbers.extend(self.value.map(|value| ("value".into(), json!(value))));
        let known = match cut {
            Cut::Yes => Some(true),
            Cut::No => Some(false),
            Cut::Perhaps | Cut::Unasked => None,
        };
        entry.numbers.insert("cut".into(), json!(known));
        // The limits have what was stopped, with numbers. Time and memory that were not used up are no part of an answer.
        let ends_run = |bound: &Bound| matches!(bound, Bound::Timeout | Bound::MaxMemory);
        entry.is_repeated = match (&self.what, cut) {
            (What::Effort(_), Cut::Yes) => true,
            (What::Effort(bound), Cut::No) => ends_run(bound),
            _ => false,
        };
        entry
    }
}

/// All paths were followed: of all inputs, or of those within bounds.
fn complete(cuts: &[(&Asked, Cut)]) -> String {
    let within = cuts.iter().filter(|(asked, cut)| *cut != Cut::No && !matches!(asked.what, What::Effort(_)));
    let within: Vec<&str> = within.map(|(asked, _)| asked.option.as_str()).collect();
    if within.is_empty() { "complete".into() } else { format!("complete within {}", within.join(", ")) }
}

fn incomplete(limits: &[Limit]) -> String {
    let mut why: Vec<String> = Vec::new();
    let stopped = |limit: &Limit| if let Limit::Stopped(_, traces) = limit { *traces } else { 0 };
    let traces: u64 = limits.iter().map(stopped).sum();
    for limit in limits {
        let reason = match limit {
            Limit::Ended(bound) => format!("stopped by {}", names::bound(*bound)),
            Limit::Stopped(..) => format!("{traces} {} stopped", names::plural(traces, "trace")),
            Limit::Refuted { .. } => "witnesses were refuted".into(),
            Limit::Untried { .. } => "witnesses were not tried".into(),
            Limit::LeftOut(_) => "inputs were left out".into(),
        };
        if !why.contains(&reason) {
            why.push(reason);
        }
    }
    format!("incomplete: {}", why.join(", "))
}

fn limit_entry(limit: &Limit, is_usual: &dyn Fn(Bound) -> bool) -> Entry {
    let mut entry = Entry::new(names::limit_kind(limit), names::limit(limit));
    let number = match limit {
        Limit::Ended(bound) => {
            // The verdict says so already.
            match names::usual(*bound).filter(|_| is_usual(*bound)) {
                Some(usual) => entry.text += &format!(", {usual}"),
                None => entry.is_repeated = true,
            }
            None
        }
        Limit::Stopped(_, traces) => Some(("traces", *traces)),
        Limit::Refuted { witnesses, .. } | Limit::Untried { witnesses, .. } => Some(("witnesses", *witnesses)),
        Limit::LeftOut(LeftOut::LongerStrings(most) | LeftOut::LongerArrays(most)) => Some(("value", u64::from(*most))),
        Limit::LeftOut(_) => None,
    };
    entry.numbers.extend(number.map(|(name, number)| (name.to_string(), json!(number))));
    entry
}

/// One line of a verdict.
pub struct Entry {
    kind: &'static str,
    pub text: String,
    numbers: Map<String, Value>,
    /// Whether another line says as much, or there is nothing to say.
    is_repeated: bool,
}

impl Entry {
    fn new(kind: &'static str, text: String) -> Entry {
        Entry { kind, text, numbers: Map::new(), is_repeated: false }
    }

    fn json(&self) -> Value {
        let mut all = Map::from_iter([("kind".to_string(), json!(self.kind)), ("text".to_string(), json!(self.text))]);
        all.extend(self.numbers.clone());
        Value::Object(all)
    }
}

/// What a run came to.
pub struct Verdict {
    /// In one line.
    pub line: String,
    /// The exit code of the command: a violated property outweighs everything else.
    pub code: u8,
    bounds: Vec<Entry>,
    limits: Vec<Entry>,
    assumptions: Vec<Entry>,
}

impl Verdict {
    pub fn is_complete(&self) -> bool {
        self.limits.is_empty()
    }

    /// The limits that the line does not name.
    pub fn limits(&self) -> impl Iterator<Item = &Entry> {
        self.limits.iter().filter(|entry| !entry.is_repeated)
    }

    /// What has cut something off, in words.
    pub fn limit_texts(&self) -> Vec<String> {
        self.limits.iter().map(|entry| entry.text.clone()).collect()
    }

    /// The bounds of the user within which everything was explored, if there are any that matter.
    pub fn within(&self) -> Option<String> {
        self.line.strip_prefix("complete within ").map(str::to_string)
    }

    /// The line, and what it is about: nothing twice.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", self.line);
        for (word, entries) in [("bound", &self.bounds), ("limit", &self.limits), ("assumption", &self.assumptions)] {
            for entry in entries.iter().filter(|entry| !entry.is_repeated) {
                text += &format!("{word}: {}\n", entry.text);
            }
        }
        text
    }

    /// The three lists.
    pub fn json(&self) -> [(&'static str, Value); 3] {
        let list = |entries: &[Entry]| Value::Array(entries.iter().map(Entry::json).collect());
        [("bounds", list(&self.bounds)), ("limits", list(&self.limits)), ("assumptions", list(&self.assumptions))]
    }
}
