//! The traces of one heap model with their heaps, behind one interface for all models.

use lazuli_invariant::is_ghost;
use lazuli_logic::{Model, Origin, PathCondition, Symbol, Term, Verdict};
use lazuli_program::Program;
use lazuli_program::ir::{ClassId, FieldId, MethodId};

use rustc_hash::FxHashSet;

use crate::ends::{Ended, beginning, ends};
use lazuli_engine::config::{Config, HeapKind};
use lazuli_engine::context::Standing;
use lazuli_engine::executor::Executor;
use lazuli_engine::existing::{Existing, Offered};
use lazuli_engine::heap::HeapModel;
use lazuli_engine::input::InputHeap;
use lazuli_engine::limits::{Control, Watch};
use lazuli_engine::outcome::Outcome;
use lazuli_engine::state::{Decisions, Flow};
use lazuli_engine::with_heap_model;
use lazuli_engine::witness::Witness;

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

    /// The traces that represent a heap: one, if all is well. An error if the solver does not know.
    fn representing(&mut self, input: &Witness) -> Result<Vec<usize>, String>;

    /// The witness of a trace whose condition is known to be satisfiable.
    fn witness(&mut self, trace: usize) -> Option<Witness>;

    /// What exists before the entry, mattered, and was not offered as an input: the exploration says nothing before it was.
    fn wanted(&self) -> Offered;

    /// What exists before the entry and was offered as an input, with its class.
    fn existing(&self) -> Vec<(ClassId, Existing)>;

    /// The fields of the input that have names.
    fn named_fields(&self) -> Vec<FieldId>;

    /// An input that is none of these.
    fn other_input(&self, known: &dyn Fn(&str) -> bool) -> Option<String>;

    /// Whether the objects of a heap are of the classes that inputs have where they stand.
    fn is_of_the_world(&self, heap: &Witness) -> bool;

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
    let mut executor = Executor::new(program, config, entry, model);
    let watch = Watch::of(config, control);
    let mut open = beginning(&mut executor)?;
    let (ended, reason) = ends(&mut executor, &mut open, &watch, u64::MAX);
    if let Some(reason) = reason {
        return Err(format!("the exploration under {} was stopped by {reason}", config.heap));
    }
    let end = |e: &Ended<M::Heap>| End {
        decisions: e.state.decisions.to_vec(),
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

    fn representing(&mut self, input: &Witness) -> Result<Vec<usize>, String> {
        let input = InputHeap::new(&self.executor.cx, input);
        let mut found = Vec::new();
        for trace in 0..self.ended.len() {
            let Some(model) = self.executor.represents(&self.ended[trace].state, &input) else { continue };
            if self.holds(trace, &model)? {
                found.push(trace);
            }
        }
        Ok(found)
    }

    fn wanted(&self) -> Offered {
        self.executor.cx.scope.wanted.clone()
    }

    fn existing(&self) -> Vec<(ClassId, Existing)> {
        self.executor.cx.existing_objects().map(|(class, name)| (class, name.clone())).collect()
    }

    fn named_fields(&self) -> Vec<FieldId> {
        let cx = &self.executor.cx;
        let standing = cx.terms.symbols().filter_map(|(symbol, _)| cx.standing_in_heap(symbol));
        standing
            .filter_map(|standing| if let Standing::Field(_, field) = standing { Some(field) } else { None })
            .collect()
    }

    fn other_input(&self, known: &dyn Fn(&str) -> bool) -> Option<String> {
        let cx = &self.executor.cx;
        cx.terms.symbols().find_map(|(symbol, info)| match &info.origin {
            Origin::Root(name, _) if !known(name) && !cx.is_varying(symbol) => Some(name.to_string()),
            _ => None,
        })
    }

    fn is_of_the_world(&self, heap: &Witness) -> bool {
        InputHeap::new(&self.executor.cx, heap).is_of_the_world(&self.executor.cx)
    }

    fn witness(&mut self, trace: usize) -> Option<Witness> {
        self.executor.witness(&self.ended[trace].state).ok()
    }
}

impl<M: HeapModel> Collected<'_, M> {
    /// Whether the condition of a trace holds under a model, for some values of the ghost fields that the invariants leave open.
    fn holds(&mut self, trace: usize, model: &Model) -> Result<bool, String> {
        let (terms, clauses) = (&mut self.executor.cx.terms, &self.clauses[trace]);
        let is_ghost: FxHashSet<Symbol> = {
            let symbols = clauses.iter().flat_map(|clause| terms.symbols_of(*clause));
            symbols.filter(|symbol| is_ghost(terms, *symbol)).collect()
        };
        if is_ghost.is_empty() {
            return Ok(clauses.iter().all(|clause| terms.holds(*clause, model)));
        }
        let left: Vec<Term> = clauses
            .iter()
            .map(|clause| terms.with_values(*clause, model, |symbol| is_ghost.contains(&symbol)))
            .collect();
        let left = terms.all(left);
        match self.executor.solver.extension(terms, &PathCondition::default(), left) {
            Verdict::Sat(_) => Ok(true),
            Verdict::Unsat => Ok(false),
            Verdict::Unknown(why) => Err(format!("the solver does not know whether a trace represents a heap: {why}")),
        }
    }
}
