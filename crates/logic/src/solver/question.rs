//! A question on its way through the chain: a guard, the path it is to extend, and what the stages have found out so
//! far.
//!
//! What a stage needs is made when the first one needs it ([`Question::connect`], [`Question::recall`],
//! [`Question::join`]), because most questions are answered before.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::rc::Rc;

use crate::eval::Model;
use crate::path::{ClauseList, Group, PathCondition};
use crate::solver::Solver;
use crate::term::{Symbol, Term, Terms};

/// What a stage says, if it says anything.
pub(crate) enum Reply {
    /// The guard is true wherever the path holds.
    Unchanged,
    /// The group that the guard makes of those it is connected with.
    Group(Rc<Group>),
    /// A model of the path and the guard, which the stage has evaluated.
    Fits(Rc<Model>),
    /// Likewise, but nobody has evaluated it.
    Found(Model),
    Unsat,
    Unknown(String),
}

/// A guard that was asked about, with what its negation needs too: usually that is the next question.
pub(crate) struct Asked {
    path: ClauseList,
    guard: Term,
    symbols: Vec<Symbol>,
    /// Whether the known model of the path satisfied the guard, if it was tried.
    held: Option<bool>,
}

pub(crate) struct Question<'a> {
    pub path: &'a PathCondition,
    pub guard: Term,
    /// Of the guard, sorted.
    pub symbols: Vec<Symbol>,
    /// The groups of the path that share a symbol with the guard: no other clause can matter.
    pub connected: Vec<&'a Rc<Group>>,
    /// A model of these groups.
    pub known: Option<Rc<Model>>,
    /// Whether the known model satisfies the guard, if that was tried.
    pub held: Option<bool>,
    /// The clauses of these groups, and the guard as the last.
    group: Option<Group>,
    /// These clauses in one piece, once somebody wants them so.
    clauses: OnceCell<Vec<Term>>,
    /// Where nothing is known.
    nothing: Model,
    /// Whether the question before was about the negation.
    is_second: bool,
}

impl<'a> Question<'a> {
    #[inline]
    pub fn new(path: &'a PathCondition, guard: Term) -> Question<'a> {
        Question {
            path,
            guard,
            symbols: Vec::new(),
            connected: Vec::new(),
            known: None,
            held: None,
            group: None,
            clauses: OnceCell::new(),
            nothing: Model::EMPTY,
            is_second: false,
        }
    }

    /// Finds the groups that the guard is connected with.
    pub fn connect(&mut self, solver: &mut Solver, terms: &mut Terms) {
        let not_guard = terms.not(self.guard);
        let is_last = |asked: &mut Asked| asked.guard == not_guard && asked.path.is(self.path.list());
        match solver.last.take_if(is_last) {
            Some(Asked { symbols, held, .. }) => {
                (self.symbols, self.held, self.is_second) = (symbols, held.map(|held| !held), true);
            }
            None => self.symbols = terms.involved(self.guard),
        }
        self.connected = self.path.connected(&self.symbols);
    }

    /// Takes the model that is known of these groups.
    pub fn recall(&mut self, _: &mut Solver, terms: &mut Terms) {
        self.known = Group::model_of(&self.connected);
        if let Some(known) = &mut self.known
            && let Some(more) = known.with_forced(terms, &self.symbols)
        {
            *known = Rc::new(more);
        }
    }

    /// Makes one group of these groups and the guard.
    pub fn join(&mut self, _: &mut Solver, terms: &mut Terms) {
        self.group = Some(self.joined(terms));
    }

    pub fn joined(&self, terms: &Terms) -> Group {
        Group::joined(terms, &self.connected, &self.symbols, self.guard)
    }

    pub fn group(&self) -> &Group {
        self.group.as_ref().expect("the chain joins the groups first")
    }

    pub fn group_mut(&mut self) -> &mut Group {
        self.group.as_mut().expect("the chain joins the groups first")
    }

    /// The clauses of the group, the guard last.
    pub fn clauses(&self) -> &[Term] {
        self.clauses.get_or_init(|| self.group().clauses.iter().copied().collect())
    }

    /// These clauses, and what is said of the functions in them.
    pub fn constraints(&self) -> Cow<'_, [Term]> {
        match self.group().instances.as_slice() {
            [] => Cow::Borrowed(self.clauses()),
            instances => Cow::Owned([instances, self.clauses()].concat()),
        }
    }

    /// The group with a model of it.
    pub fn extended(&mut self, terms: &Terms, model: Rc<Model>) -> Rc<Group> {
        let group = self.group.take().unwrap_or_else(|| self.joined(terms));
        Rc::new(group.with_model(terms, Some(model)))
    }

    /// The group with the known model, or with one that says more.
    pub fn extended_by_known(&mut self, terms: &Terms, model: Rc<Model>) -> Rc<Group> {
        let group = self.group.take().unwrap_or_else(|| self.joined(terms));
        Rc::new(group.with_known(terms, Some(model)))
    }

    /// Values to start from.
    pub fn hint(&self) -> &Model {
        self.known.as_deref().unwrap_or(&self.nothing)
    }

    /// What the next question may need, if it is about the negation.
    pub fn into_asked(self) -> Option<Asked> {
        let Question { path, guard, symbols, held, .. } = self;
        (!self.is_second).then(|| Asked { path: path.list().clone(), guard, symbols, held })
    }
}
