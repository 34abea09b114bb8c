//! Turning an ended state into a trace: counting it, and, as far as detail is wanted, its condition, value and witness.

use lazuli_engine::branches::Line;
use lazuli_engine::config::{Judge, TraceDetail};
use lazuli_engine::confirm::{Confirmed, Replayer};
use lazuli_engine::executor::Executor;
use lazuli_engine::heap::HeapModel;
use lazuli_engine::limits::Watch;
use lazuli_engine::observe::Observed;
use lazuli_engine::outcome::{Bound, Outcome};
use lazuli_engine::state::{Flow, State};
use lazuli_engine::witness::Witness;
use lazuli_invariant::Whole;
use lazuli_logic::Term;
use lazuli_program::ir::{Callee, Exception, Instr, MethodId};

use crate::judge::End;
use crate::judgement::{Judgement, Verdict};
use crate::run::{Trace, TraceFacts};
use crate::worker::{Cut, Worker};

/// What it costs, in instructions, to make a witness and to begin its replay.
const WITNESS: u64 = 200;

/// So many witnesses on which the program does not end are run by the JVM before anything of them is told: each takes its time, and a new process.
const MOST_WAITS: usize = 1;

impl<M: HeapModel> Worker<'_, M> {
    /// Counts an ended path and makes a trace of it. If the run must end meanwhile, it is as if the path had not ended.
    pub(crate) fn record(
        &mut self,
        state: Box<State<M::Heap>>,
        outcome: Outcome,
        value: Option<Term>,
    ) -> Result<(), Cut<M::Heap>> {
        let mut detail = match self.executor.config.detail {
            TraceDetail::Full => {
                let mut judges = Judges { replayer: &mut self.replayer, whole: self.whole.as_mut() };
                match facts(&mut self.executor, &mut judges, &state, &outcome, value) {
                    Ok(made) => Some(made),
                    Err(bound) => return Err(Cut { bound, state }),
                }
            }
            _ => None,
        };
        self.executor.counts.count_end(&outcome);
        if let Outcome::Stopped(stop) = &outcome {
            *self.stops.entry(stop.clone()).or_default() += 1;
        }
        let observed = detail.as_mut().and_then(|made| made.observed.take());
        let wanted = self.executor.config.detail != TraceDetail::None
            || matches!(outcome, Outcome::AssertFailed | Outcome::PostFailed);
        if wanted {
            let State { decisions, flow, .. } = *state;
            let steps = detail.as_ref().map_or(0, |made| WITNESS + made.steps);
            let decisions = decisions.to_vec();
            let mut trace = Trace { decisions, outcome, flow, detail: detail.map(|made| Box::new(made.facts)) };
            self.judge(&mut trace, observed);
            self.made += steps + trace.size() as u64 / 4;
            self.size += trace.size();
            self.traces.push(trace);
        }
        Ok(())
    }

    /// Puts a trace to the JVM, if that is to judge and the engine has nothing against it; otherwise its verdict is counted.
    fn judge(&mut self, trace: &mut Trace, observed: Option<Observed>) {
        if let (Some(jvm), Some(observed), Some(facts)) = (&self.jvm, observed, trace.detail.as_mut())
            && let (true, Some(witness)) = (facts.judgement.agrees(), &facts.witness)
        {
            let is_endless = |outcome: &Outcome| matches!(outcome, Outcome::Endless { .. });
            let waits = self.judged.iter().filter(|(number, _)| is_endless(&self.traces[*number].outcome)).count();
            if is_endless(&trace.outcome) && waits >= MOST_WAITS {
                facts.judgement.verdict =
                    Verdict::NotComparable("the JVM is waited for on others that do not end".into());
            } else {
                match jvm.submit(self.executor.cx.program, witness, &trace.outcome, observed) {
                    Ok(ticket) => return self.judged.push((self.traces.len(), ticket)),
                    Err(verdict) => facts.judgement.verdict = verdict,
                }
            }
        }
        self.count_witness(trace);
    }

    /// Waits for the verdicts of the JVM.
    pub(crate) fn settle(&mut self) {
        let watch = self.executor.watch.clone();
        let mut end = End::of(&watch);
        for (number, ticket) in std::mem::take(&mut self.judged) {
            let verdict = ticket.wait(&mut end);
            let facts = self.traces[number].detail.as_mut().expect("only a witness is judged");
            facts.judgement.verdict = verdict;
            let trace = self.traces[number].clone();
            self.count_witness(&trace);
        }
    }

    fn count_witness(&mut self, trace: &Trace) {
        let counts = &mut self.executor.counts;
        let ended = trace.detail.as_ref().filter(|_| !matches!(trace.outcome, Outcome::Stopped(_)));
        let Some(facts) = ended else { return };
        match facts.judgement.verdict {
            Verdict::Agrees => counts.agreed += 1,
            Verdict::Differs(_) => counts.differed += 1,
            Verdict::NotComparable(_) => counts.not_comparable += 1,
            Verdict::NotTried(_) => counts.not_tried += 1,
        }
        counts.violations_refuted += (trace.is_violation() && trace.is_refuted()) as u64;
    }
}

/// The facts of a trace, and how many instructions the replay of its witness took.
pub(crate) struct Made {
    pub facts: TraceFacts,
    /// What the JVM is to be asked about.
    pub observed: Option<Observed>,
    pub steps: u64,
}

/// Who has a say in witnesses.
pub(crate) struct Judges<'a, 'p> {
    pub replayer: &'a mut Replayer<'p>,
    pub whole: Option<&'a mut Whole<'p>>,
}

impl Judges<'_, '_> {
    /// Replays a witness, and the valid input first that it can be completed to, if there is one: that takes its place if
    /// it takes the same path.
    fn replay(&mut self, witness: &mut Witness, outcome: &Outcome, flow: Flow, watch: &Watch) -> Confirmed {
        let whole = self.whole.as_mut().and_then(|whole| whole.complete(witness, outcome, flow, watch));
        if let Some(whole) = whole {
            let replayed = self.replayer.confirm(&whole, outcome, flow, watch);
            if replayed.verdict.is_ok() {
                *witness = whole;
                return replayed;
            }
        }
        self.replayer.confirm(witness, outcome, flow, watch)
    }
}

/// The condition, the value, and a witness that was replayed; or what ended the run before they were there.
pub(crate) fn facts<M: HeapModel>(
    executor: &mut Executor<'_, M>,
    judges: &mut Judges<'_, '_>,
    state: &State<M::Heap>,
    outcome: &Outcome,
    value: Option<Term>,
) -> Result<Made, Bound> {
    let mut path_condition = executor.model.choices(&executor.cx, &state.heap);
    path_condition.extend(state.path.clauses().into_iter().map(|clause| executor.cx.show_clause(clause)));
    let is_small = executor.config.smallest && !matches!(outcome, Outcome::Returned | Outcome::Stopped(_));
    let mut witness = if is_small { executor.small_witness(state) } else { executor.witness(state) };
    let (mut steps, mut ending, mut observed) = (0, None, None);
    let verdict = match (&mut witness, outcome) {
        _ if executor.config.judge == Judge::None => Verdict::NotTried("nobody was asked".into()),
        (Ok(_), Outcome::Stopped(_)) => Verdict::NotTried("the path was not followed to its end".into()),
        (Ok(witness), _) => {
            let replayed = judges.replay(witness, outcome, state.flow, &executor.watch);
            if let Some(bound) = replayed.late {
                return Err(bound);
            }
            (steps, ending, observed) = (replayed.steps, replayed.ending, replayed.observed);
            match (replayed.verdict, replayed.refuted) {
                (Ok(()), _) => Verdict::Agrees,
                (Err(what), true) => Verdict::Differs(vec![what]),
                (Err(why), false) => Verdict::NotTried(why),
            }
        }
        (Err(reason), _) => Verdict::NotTried(reason.clone()),
    };
    // What the JVM says is known later, if it is asked: it hears of no witness that the engine itself refutes.
    let judge = match verdict {
        Verdict::Differs(_) => Judge::Engine,
        _ => executor.config.judge,
    };
    let tells_branches = executor.cx.program.semantics.tells_branches();
    let facts = TraceFacts {
        value: value.map(|value| executor.show_value(state, value)),
        said_value: value.filter(|_| tells_branches).and_then(|value| executor.said_value(state, value)),
        is_fixed: value.is_none_or(|value| executor.is_fixed(state, value)),
        branches: if tells_branches { executor.branches(state) } else { Vec::new() },
        path_condition,
        witness: witness.ok(),
        ending,
        judgement: Judgement { judge, verdict },
        place: place(executor, state),
        came: state.thrown.and_then(|thrown| thrown.came).map(|(method, pc)| executor.line(method, pc)),
        is_new: state.thrown.is_some_and(|thrown| is_new(executor, thrown.method, thrown.pc)),
        through: state.thrown.and_then(|thrown| thrown.came).and_then(|(method, pc)| called(executor, method, pc)),
        printed: state.vm.output(),
        reached: state.vm.reached.to_vec(),
    };
    Ok(Made { facts, observed, steps })
}

/// Whether `throw new` stands there.
fn is_new<M: HeapModel>(executor: &Executor<'_, M>, method: MethodId, pc: u32) -> bool {
    let program = executor.cx.program;
    let (code, pc) = (&program.method(method).code, pc as usize);
    let throws = matches!(code.get(pc), Some(Instr::Throw { exception: Exception::Object(_) }));
    match pc.checked_sub(1).and_then(|before| code.get(before)) {
        Some(Instr::Call { callee: Callee::Exactly(made), .. }) => throws && program.method(*made).name == "<init>",
        _ => false,
    }
}

/// The method that is called there, if it is certain which.
fn called<M: HeapModel>(executor: &Executor<'_, M>, method: MethodId, pc: u32) -> Option<String> {
    let program = executor.cx.program;
    match program.method(method).code.get(pc as usize)? {
        Instr::Call { callee: Callee::Exactly(method), .. } => Some(program.method_name(*method)),
        _ => None,
    }
}

/// Where a state stands.
fn place<M: HeapModel>(executor: &Executor<'_, M>, state: &State<M::Heap>) -> Line {
    // An exception has a place of its own.
    match (state.thrown, state.frames.last()) {
        (Some(thrown), _) => executor.line(thrown.method, thrown.pc),
        (None, Some(frame)) => executor.line(frame.method, frame.pc),
        (None, None) => executor.line(executor.entry, 0),
    }
}
