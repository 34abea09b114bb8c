//! The run as text for people.

use std::fmt::Write as _;
use std::io::Write;

use lazuli::replay::Replayed;
use lazuli::{Judge, Outcome, Run, Stream, Subject, Trace, Verdict};
use lazuli_lab::exact::Comparison;
use lazuli_program::{Program, escape};

use super::title::Title;
use crate::names::{self, plural};
use crate::style::Style;
use crate::verdict::{self, Question};

/// Longer conditions are cut here; JSON has them whole.
const CLAUSE_WIDTH: usize = 400;

/// The text so far.
pub struct Writer {
    title: Title,
    style: Style,
    /// How many traces are shown.
    show: u64,
    shown: u64,
    hidden: u64,
}

impl Writer {
    pub fn new(style: Style) -> Writer {
        let show = if style.quiet { 0 } else { style.show };
        Writer { title: Title::default(), style, show, shown: 0, hidden: 0 }
    }

    pub fn begin(&mut self, subject: &Subject) {
        self.title.begin(subject);
    }

    /// Shows a trace, as long as there are few, or if it is a violation.
    pub fn trace(&mut self, out: &mut impl Write, program: &Program, trace: &Trace) -> std::io::Result<()> {
        if self.shown >= self.show && !trace.is_violation() && !trace.is_refuted() {
            self.hidden += 1;
            return Ok(());
        }
        self.shown += 1;
        self.title.write(out, self.style)?;
        let mut text = String::from("\n");
        write_trace(program, trace, &mut text).expect("writing to a string");
        out.write_all(text.as_bytes())
    }

    /// The summary.
    pub fn end(&mut self, out: &mut impl Write, run: &Run, verdict: &verdict::Verdict) -> std::io::Result<()> {
        self.title.write(out, self.style)?;
        let mut text = String::new();
        if self.shown > 0 {
            text.push('\n');
        }
        write_summary(run, &mut text).expect("writing to a string");
        text.push_str(&verdict.text());
        run.notes.iter().for_each(|note| text.push_str(&format!("note: {}\n", names::note(note))));
        if self.hidden > 0 {
            let word = plural(self.hidden, "trace");
            text.push_str(&format!("note: {} more {word} not shown (--show N, --format jsonl)\n", self.hidden));
        }
        out.write_all(text.as_bytes())
    }
}

fn write_summary(run: &Run, out: &mut String) -> std::fmt::Result {
    let c = &run.counts;
    let mut parts = vec![format!("{} returned", c.returned)];
    let failed = format!("{} failed", plural(c.assert_failed, "assertion"));
    let endless = if c.endless == 1 { "does not end" } else { "do not end" };
    let ends = [(c.threw, "threw"), (c.assert_failed, failed.as_str()), (c.endless, endless), (c.stopped, "stopped")];
    for (number, word) in ends {
        if number > 0 {
            parts.push(format!("{number} {word}"));
        }
    }
    writeln!(out, "{} {}: {}", c.traces, plural(c.traces, "trace"), parts.join(", "))?;
    if c.pruned_invariant > 0 {
        let word = plural(c.pruned_invariant, "assumption");
        writeln!(out, "{} {word} about the input pruned by the invariants", c.pruned_invariant)?;
    }
    out.push_str(&effort(run));
    out.push_str(&judgements(run));
    let s = &run.solver;
    if s.unwind > 0 {
        let least = if s.unwind_cut > 0 { "at least " } else { "" };
        writeln!(out, "{least}{} ite-free sub-queries (POSE-unwind)", s.unwind)?;
    }
    Ok(())
}

/// What it took.
pub fn effort(run: &Run) -> String {
    let c = &run.counts;
    format!(
        "{} queries ({} more on implicit checks), {} reached the solver; {} steps; {:.1} ms\n",
        c.queries,
        c.implicit_queries,
        run.solver.backend(),
        c.steps,
        run.time.as_secs_f64() * 1e3
    )
}

/// What the judge says of the witnesses.
pub fn judgements(run: &Run) -> String {
    let c = &run.counts;
    let all = c.agreed + c.differed + c.not_comparable + c.not_tried;
    let word = match run.judge {
        Judge::Jvm => "confirmed by the JVM",
        Judge::Engine => "replayed",
        Judge::None => return String::new(),
    };
    if all == 0 {
        return String::new();
    }
    let others = match c.not_comparable {
        0 => String::new(),
        number => format!(", {number} not comparable"),
    };
    format!("{} of {all} witnesses {word}{others}\n", c.agreed)
}

fn write_trace(program: &Program, trace: &Trace, out: &mut String) -> std::fmt::Result {
    write!(out, "trace {}: {}", trace.id(), escape::line(&names::outcome(&trace.outcome)))?;
    let Some(facts) = &trace.detail else { return writeln!(out) };
    if let Some(value) = &facts.value {
        write!(out, " {}", cut(value))?;
    }
    writeln!(out)?;
    for (i, clause) in facts.path_condition.iter().enumerate() {
        writeln!(out, "  {} {}", if i == 0 { "if " } else { "and" }, cut(clause))?;
    }
    if !facts.reached.is_empty() {
        writeln!(out, "  reaches {}", cut(&escape::line(&facts.reached.join(", "))))?;
    }
    for (stream, text) in &facts.printed {
        let name = match stream {
            Stream::Out => "prints",
            Stream::Err => "prints to standard error",
        };
        writeln!(out, "  {name} {}", cut(&format!("{text:?}")))?;
    }
    if let Some(witness) = &facts.witness {
        for (i, line) in witness.show(program).iter().enumerate() {
            writeln!(out, "  {} {}", if i == 0 { "e.g." } else { "    " }, escape::line(line))?;
        }
    }
    match (&facts.judgement.verdict, &trace.outcome) {
        (Verdict::Agrees, _) => Ok(()),
        (Verdict::NotTried(reason), Outcome::Stopped(_)) => writeln!(out, "  ({reason})"),
        (_, _) => writeln!(out, "  {}", escape::line(&facts.judgement.to_string())),
    }
}

/// At most a few lines of a long text, joined by spaces.
fn cut(text: &str) -> String {
    let one_line = text.replace('\n', " ");
    match one_line.char_indices().nth(CLAUSE_WIDTH) {
        None => one_line,
        Some((at, _)) => format!("{}… ({} characters)", &one_line[..at], one_line.chars().count()),
    }
}

/// One row a model.
pub fn comparison(runs: &[Run], question: &Question) -> String {
    let header = ["heap", "traces", "returned", "threw", "stopped", "pruned", "queries", "solver calls", "steps", "ms"];
    let mut rows: Vec<Vec<String>> = vec![header.iter().map(|h| h.to_string()).collect()];
    for run in runs {
        let c = &run.counts;
        let numbers =
            [c.traces, c.returned, c.threw, c.stopped, c.pruned_infeasible, c.queries, run.solver.backend(), c.steps];
        let mut row = vec![run.heap.to_string()];
        row.extend(numbers.iter().map(|n| n.to_string()));
        row.push(format!("{:.1}", run.time.as_secs_f64() * 1e3));
        rows.push(row);
    }
    let mut out = table(&rows);
    for run in runs {
        let verdict = question.verdict(run);
        let lines = std::iter::once(&verdict.line).chain(verdict.limits().map(|limit| &limit.text));
        for line in lines.filter(|line| *line != "complete") {
            writeln!(out, "{}: {line}", run.heap).expect("writing to a string");
        }
    }
    out
}

/// What `compare --exact` found.
pub fn exactness(program: &Program, comparison: &Comparison) -> String {
    let mut rows = vec![["heap", "traces", "control-flow paths"].map(String::from).to_vec()];
    for model in &comparison.models {
        rows.push(vec![model.heap.to_string(), model.traces.to_string(), model.flows.to_string()]);
    }
    let mut out = table(&rows);
    let all = if comparison.complete { "all" } else { "a sample of those" };
    writeln!(
        out,
        "{} heaps compared: {} ({all} with at most {} object{}) and {} witness{} not among them",
        comparison.enumerated + comparison.witnesses,
        comparison.enumerated,
        comparison.objects,
        if comparison.objects == 1 { "" } else { "s" },
        comparison.witnesses,
        if comparison.witnesses == 1 { " that is" } else { "es that are" }
    )
    .expect("writing to a string");
    if let Some(said) = &comparison.on_jvm {
        writeln!(out, "{} of them executed by a JVM, with the engine's outcome, result and objects", said.agreed)
            .expect("writing to a string");
        for (why, heaps) in &said.others {
            writeln!(out, "{heaps} not compared with the JVM: {why}").expect("writing to a string");
        }
    }
    if let Some(reason) = &comparison.unfinished {
        writeln!(out, "the sets of control-flow paths were not compared: {reason}").expect("writing to a string");
    }
    match &comparison.difference {
        None => out.push_str("exact\n"),
        Some(difference) => write!(out, "\nnot exact: {}", difference.show(program)).expect("writing to a string"),
    }
    out
}

/// Rows in columns: the first to the left, all others to the right.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |i: usize| rows.iter().filter_map(|r| r.get(i)).map(|c| c.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (i, cell) in row.iter().enumerate() {
            let pad = " ".repeat(widths[i] - cell.chars().count());
            let cell = if i == 0 { format!("{cell}{pad}") } else { format!("  {pad}{cell}") };
            line.push_str(&cell);
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// The decisions of a trace that was run again, one a line.
pub fn decisions(replayed: &Replayed) -> String {
    let mut out = String::new();
    for point in &replayed.points {
        let choice =
            if point.of > 1 { format!("case {} of {}", point.taken, point.of) } else { "the only case".into() };
        let guard = if point.guard == "true" { String::new() } else { format!("  if {}", cut(&point.guard)) };
        writeln!(out, "{}: {}  [{choice}]{guard}", point.place, point.instruction).expect("writing to a string");
    }
    out
}

pub fn replayed(program: &Program, replayed: &Replayed) -> String {
    let mut out = decisions(replayed) + "\n";
    write_trace(program, &replayed.trace, &mut out).expect("writing to a string");
    out
}
