//! The traces of one heap model with their heaps, behind one interface for all models.

use std::collections::VecDeque;

use lazuli_logic::{Model, Sort, Symbol, Term, Value};
use lazuli_program::Program;
use lazuli_program::ir::MethodId;

use crate::config::{Config, HeapKind, Search};
use crate::context::Context;
use crate::explore::{Control, Ended, Executor, Limits};
use crate::heap::{HeapModel, with_heap_model};
use crate::input::InputHeap;
use crate::invariant::hex;
use crate::outcome::Outcome;
use crate::state::{Decisions, Flow};
use crate::witness::Witness;

/// How a trace went and ended.
pub struct End {
    pub decisions: Decisions,
    pub flow: Flow,
    pub outcome: Outcome,
}

/// A finished exploration.
pub trait Explored {
    fn heap(&self) -> HeapKind;

    fn ends(&self) -> &[End];

    /// The traces that represent a heap: one, if all is well.
    fn representing(&mut self, input: &Witness) -> Vec<usize>;

    /// The witness of a trace whose condition is known to be satisfiable.
    fn witness(&mut self, trace: usize) -> Option<Witness>;

    fn witnesses(&mut self) -> Vec<(usize, Witness)> {
        (0..self.ends().len()).filter_map(|trace| Some((trace, self.witness(trace)?))).collect()
    }
}

struct Collected<'p, M: HeapModel> {
    executor: Executor<'p, M>,
    ended: Vec<Ended<M::Heap>>,
    ends: Vec<End>,
    clauses: Vec<Vec<lazuli_logic::Term>>,
}

/// Explores under the configuration's heap model and keeps where every path ended.
pub fn collect<'p>(
    program: &'p Program,
    config: &'p Config,
    entry: MethodId,
    control: &Control,
) -> Result<Box<dyn Explored + 'p>, String> {
    with_heap_model!(config.heap, |make| run(program, config, entry, control, make()))
}

fn run<'p, M: HeapModel + 'p>(
    program: &'p Program,
    config: &'p Config,
    entry: MethodId,
    control: &Control,
    model: M,
) -> Result<Box<dyn Explored + 'p>, String> {
    let mut executor = Executor::new(program, config, entry, model, 0);
    executor.ended = Some(Vec::new());
    let limits = Limits {
        control,
        deadline: config.bounds.time.map(|t| std::time::Instant::now() + t),
        memory: config.bounds.memory,
        traces: config.bounds.traces,
    };
    let heap = executor.model.empty();
    let mut open: VecDeque<_> = executor.initial(heap).into_iter().collect();
    if let Some(reason) = executor.work(&mut open, Search::Depth, &limits, |_, _| false) {
        return Err(format!("the exploration under {} was stopped by {reason}", config.heap));
    }
    let ended = executor.ended.take().expect("kept since the beginning");
    let end = |e: &Ended<M::Heap>| End {
        decisions: e.state.decisions.clone(),
        flow: e.state.flow,
        outcome: e.outcome.clone(),
    };
    let ends = ended.iter().map(end).collect();
    let clauses = ended.iter().map(|e| e.state.path.clauses()).collect();
    Ok(Box::new(Collected { executor, ended, ends, clauses }))
}

impl<M: HeapModel> Explored for Collected<'_, M> {
    fn heap(&self) -> HeapKind {
        self.executor.config.heap
    }

    fn ends(&self) -> &[End] {
        &self.ends
    }

    fn representing(&mut self, input: &Witness) -> Vec<usize> {
        let cx = &self.executor.cx;
        let input = InputHeap::new(cx, input);
        let mut found = Vec::new();
        for (trace, ended) in self.ended.iter().enumerate() {
            let Some(model) = self.executor.model.represents(cx, &ended.state.heap, &input) else { continue };
            if holds_with_ghosts(cx, &self.clauses[trace], &model) {
                found.push(trace);
            }
        }
        found
    }

    fn witness(&mut self, trace: usize) -> Option<Witness> {
        self.executor.witness(&self.ended[trace].state).ok()
    }
}

/// Whether the clauses hold for some values of the ghost fields that the invariants leave open: truth values, and small numbers.
fn holds_with_ghosts(cx: &Context, clauses: &[Term], model: &Model) -> bool {
    let mut ghosts: Vec<Symbol> = clauses.iter().flat_map(|clause| cx.terms.symbols_of(*clause)).collect();
    ghosts.retain(|symbol| hex::is_ghost(&cx.terms, *symbol));
    ghosts.sort_unstable();
    ghosts.dedup();
    let Some((last, rest)) = ghosts.split_last() else {
        return clauses.iter().all(|clause| cx.terms.holds(*clause, model));
    };
    let mut model = model.clone();
    let mut choices = vec![0; rest.len()];
    loop {
        for (symbol, choice) in rest.iter().zip(&choices) {
            model.set(*symbol, small_value(cx, *symbol, *choice));
        }
        let fits = |choice: u64| {
            let mut model = model.clone();
            model.set(*last, small_value(cx, *last, choice));
            clauses.iter().all(|clause| cx.terms.holds(*clause, &model))
        };
        if (0..SMALL).any(fits) {
            return true;
        }
        let Some(next) = choices.iter().position(|choice| *choice + 1 < SMALL) else { return false };
        choices[..next].fill(0);
        choices[next] += 1;
    }
}

/// Ghost numbers below this are tried.
const SMALL: u64 = 8;

fn small_value(cx: &Context, symbol: Symbol, choice: u64) -> Value {
    match cx.terms.symbol_info(symbol).sort {
        Sort::Bool => Value::Bool(choice % 2 == 1),
        Sort::Bits(_) => Value::Bits(choice),
        _ => Value::Int(choice as i128),
    }
}
