//! A trial that is done once. Where a method is asked of many partial inputs, the paths on which it is true are found
//! once, from the input of which nothing is known, and kept: the dead ends are paid once. Each stands for completions of
//! one shape. A partial input has a completion if it is a part of one of these shapes, and the condition of its path and
//! that of the shape can be satisfied together; the shape that fitted last is tried first.

use lazuli_logic::{Origin, Sort, Symbol, Term, Verdict};
use lazuli_program::ir::{ClassId, MethodId};

use crate::completions::{Completion, Kept, Shape};
use crate::drive::{Policy, Successors};
use crate::executor::Executor;
use crate::heap::HeapModel;
use crate::invariant::OpenInputs;
use crate::quota::Quota;
use crate::state::State;
use crate::suspend::{Pruned, Step, Suspend};
use crate::trial::End;

/// After so many states of the trial it is given up: then every partial input has a trial of its own.
const MOST_STATES: usize = 3_000_000;

impl<M: HeapModel> Executor<'_, M> {
    /// Whether the method is true of a completion of the state's input; `None` if what is kept does not say.
    pub(crate) fn kept_answer(&mut self, state: &State<M::Heap>, method: MethodId, quotas: &[Quota]) -> Option<Step> {
        let is_kept = |kept: &Kept| kept.method == method && kept.quotas == quotas;
        if !self.trials.kept.as_ref().is_some_and(is_kept) {
            let before = self.effort();
            let completions = self.all_completions(method, quotas.to_vec());
            // However many parts a run has: what is done once is no part of their effort.
            self.trials.once += self.effort() - before;
            let quotas = quotas.to_vec();
            self.trials.kept = Some(Kept { method, quotas, completions, last: 0 });
        }
        let mut kept = self.trials.kept.take().expect("just made");
        let answer = self.model.shape(&self.cx, &state.heap).and_then(|shape| self.fitting(&mut kept, state, &shape));
        self.trials.kept = Some(kept);
        answer
    }

    fn fitting(&mut self, kept: &mut Kept, state: &State<M::Heap>, shape: &Shape) -> Option<Step> {
        let completions = kept.completions.as_ref()?;
        let first = kept.last.min(completions.len());
        let mut is_sure = true;
        for at in (first..completions.len()).chain(0..first) {
            let completion = &completions[at];
            let Some(same) = completion.shape.contains(shape) else { continue };
            if !self.has_room(&kept.quotas, &completion.shape, shape, &same) {
                // Objects that the method did not look at may be some that it did.
                is_sure = false;
                continue;
            }
            let clause = self.together(completion, shape, &same);
            match self.solver.check(&mut self.cx.terms, &state.path, clause) {
                Verdict::Sat(_) => {
                    kept.last = at;
                    return Some(Ok(()));
                }
                Verdict::Unsat => {}
                Verdict::Unknown(_) => is_sure = false,
            }
        }
        is_sure.then_some(Err(Suspend::Prune(Pruned::Invariant)))
    }

    /// Whether the objects of both are within the quotas.
    fn has_room(&self, quotas: &[Quota], whole: &Shape, part: &Shape, same: &[(u32, u32)]) -> bool {
        let program = self.cx.program;
        quotas.iter().all(|quota| {
            let counts = |object: &&(u32, Symbol, ClassId)| quota.counts(program, object.2);
            let more = part.objects.iter().filter(counts).filter(|(o, ..)| same.iter().all(|(known, _)| known != o));
            whole.objects.iter().filter(counts).count() + more.count() <= quota.most as usize
        })
    }

    /// The condition of a completion, where objects of the partial input are some of its own.
    fn together(&mut self, completion: &Completion, part: &Shape, same: &[(u32, u32)]) -> Term {
        let mut clause = completion.condition;
        for &(object, field, number) in &completion.numbers {
            let Some((here, _)) = same.iter().find(|(_, there)| *there == object) else { continue };
            let Some((_, name, _)) = part.objects.iter().find(|(known, ..)| known == here) else { continue };
            let also = self.cx.field_symbol(*name, field);
            if also != number {
                let equal = self.cx.terms.eq(also, number);
                clause = self.cx.terms.and(clause, equal);
            }
        }
        clause
    }

    /// All paths from the open input on which the method is true.
    fn all_completions(&mut self, method: MethodId, quotas: Vec<Quota>) -> Option<Vec<Completion>> {
        let open = self.initial(M::Heap::default()).ok()?;
        let start = self.trial_state(&open, method, OpenInputs::Resolved).ok()?;
        self.aside(quotas, |executor| {
            let mut open = vec![Box::new(start)];
            let mut successors = Successors::default();
            let mut completions = Vec::new();
            for _ in 0..MOST_STATES {
                let Some(state) = open.pop() else { return Some(completions) };
                if executor.is_late() {
                    return None;
                }
                executor.drive(state, Policy::Explore, &mut successors).expect("every case is taken");
                for (mut state, outcome, value) in successors.ended.drain(..).rev() {
                    match executor.verdict(&mut state, outcome, value) {
                        End::True => completions.push(executor.completion(&state)?),
                        End::False => {}
                        End::Unknown(_) => return None,
                    }
                }
                open.extend(successors.running.drain(..).rev());
            }
            None
        })
    }

    fn completion(&mut self, state: &State<M::Heap>) -> Option<Completion> {
        let shape = self.model.shape(&self.cx, &state.heap)?;
        let condition = self.cx.terms.all(state.path.clauses());
        let mut numbers = Vec::new();
        for symbol in self.cx.terms.symbols_of(condition) {
            let info = self.cx.terms.symbol_info(symbol);
            let Origin::Field { holder, label } = info.origin else { continue };
            let Some((object, _, class)) = shape.objects.iter().find(|(_, name, _)| *name == holder) else { continue };
            let field = self.cx.field_labelled(*class, label)?;
            if info.sort != Sort::Ref {
                numbers.push((*object, field, info.term));
            }
        }
        Some(Completion { shape, condition, numbers })
    }
}
