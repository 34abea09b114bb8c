//! What stages say, judged by the axiom of functions ([`crate::congruence`]): a model counts only if it is congruent.
//!
//! A stage that decides clauses is asked again, with the instances of the axiom that its model broke: few are ever
//! needed, because references that need not be equal are different in most models. The instances stay in the group.

use std::rc::Rc;

use crate::congruence::instance;
use crate::eval::Model;
use crate::solver::chain::Stage;
use crate::solver::question::{Question, Reply};
use crate::term::{Symbol, Terms};

/// What becomes of a reply.
pub(super) enum Judgement {
    Stands(Reply),
    /// The question has more clauses now.
    Again,
    /// The next stage is asked.
    Dropped,
}

pub(super) fn judge(terms: &mut Terms, question: &mut Question, stage: Stage, reply: Reply) -> Judgement {
    if !terms.has_applications() {
        return Judgement::Stands(reply);
    }
    match reply {
        // The known model is congruent, and says of new symbols what follows.
        Reply::Fits(model) if stage == Stage::ModelFits => Judgement::Stands(Reply::Fits(model)),
        Reply::Fits(model) => {
            let symbols = match stage {
                // Of what the known model says, nothing was changed.
                Stage::FreshModel => question.new_symbols(),
                _ => question.all_symbols(),
            };
            match model.broken(terms, &symbols).is_empty() {
                true => Judgement::Stands(Reply::Fits(model)),
                false => Judgement::Dropped,
            }
        }
        Reply::Found(model) => found(terms, question, stage, model),
        other => Judgement::Stands(other),
    }
}

fn found(terms: &mut Terms, question: &mut Question, stage: Stage, model: Model) -> Judgement {
    let symbols = question.all_symbols();
    let broken = model.broken(terms, &symbols);
    if broken.is_empty() {
        return Judgement::Stands(Reply::Found(model));
    }
    // What the stage left open may have the value that follows.
    let completed = model.completed(terms, &symbols);
    let holds = |model: &Model| question.clauses().iter().all(|clause| terms.holds(*clause, model));
    if completed.broken(terms, &symbols).is_empty() && holds(&completed) {
        return Judgement::Stands(Reply::Found(completed));
    }
    if !matches!(stage, Stage::Search | Stage::Bits | Stage::Z3) {
        return Judgement::Dropped;
    }
    let before = question.group().instances.len();
    for pair in broken {
        let instance = instance(terms, pair);
        let instances = &mut question.group_mut().instances;
        if !instances.contains(&instance) {
            instances.push(instance);
        }
    }
    assert!(question.group().instances.len() > before, "a model of {} breaks an instance that it has", stage.name());
    Judgement::Again
}

impl Question<'_> {
    /// The symbols of the guard that the known model says nothing about, sorted.
    fn new_symbols(&self) -> Rc<[Symbol]> {
        self.symbols.iter().copied().filter(|symbol| self.hint().get(*symbol).is_none()).collect()
    }

    /// The symbols of the clauses and the guard, sorted.
    fn all_symbols(&self) -> Rc<[Symbol]> {
        let groups = self.connected.iter().flat_map(|group| group.symbols.iter().map(|(symbol, ())| symbol));
        let mut symbols: Vec<Symbol> = groups.chain(&self.symbols).copied().collect();
        symbols.sort_unstable();
        symbols.dedup();
        symbols.into()
    }
}
