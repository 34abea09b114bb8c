//! Congruence closure: what the axiom of functions ([`crate::congruence`]) makes of the references that are equal.
//!
//! References that denote one object have equal initial values: references among these are united in the theory of
//! references, numbers in that of differences. Nothing is done as long as no two references have been united.

use rustc_hash::FxHashMap;

use super::Search;
use crate::term::{Label, Sort, Symbol, Term};

/// What a function gives for the object of a vertex.
#[derive(Clone, Copy)]
struct Application {
    value: Term,
    /// Of a reference, the vertex.
    vertex: Option<u16>,
    function: Label,
    holder: u16,
}

#[derive(Default)]
pub(super) struct Functions {
    applications: Vec<Application>,
    /// The first application of every function to every object, while they are being closed.
    first: FxHashMap<(u16, Label), usize>,
    /// Whether something was assumed since they were closed.
    pub is_open: bool,
}

impl Search<'_> {
    /// Enters the applications among some symbols, which are sorted: a holder comes before what it holds.
    pub(super) fn enter_applications(&mut self, symbols: &[Symbol]) {
        if !self.terms.has_applications() {
            return;
        }
        for &symbol in symbols {
            let Some((holder, function)) = self.terms.application(symbol) else { continue };
            let (value, holder) = (self.terms.symbol_info(symbol).term, self.terms.symbol_info(holder).term);
            let holder = self.references.enter(self.terms, holder);
            let is_reference = self.terms.sort(value) == Sort::Ref;
            let vertex = is_reference.then(|| self.references.enter(self.terms, value));
            self.functions.applications.push(Application { value, vertex, function, holder });
        }
    }

    /// Assumes what follows from what was assumed; `false`: a contradiction.
    pub(super) fn close(&mut self) -> bool {
        if !std::mem::take(&mut self.functions.is_open) || !self.references.has_merged() {
            return true;
        }
        loop {
            let mut has_merged = false;
            self.functions.first.clear();
            for at in 0..self.functions.applications.len() {
                let application = self.functions.applications[at];
                let Some(object) = self.references.object(application.holder) else { continue };
                let first = *self.functions.first.entry((object, application.function)).or_insert(at);
                if first != at {
                    match self.equate(self.functions.applications[first], application) {
                        Some(merged) => has_merged |= merged,
                        None => return false,
                    }
                }
            }
            if !has_merged {
                self.functions.is_open = false;
                return true;
            }
        }
    }

    /// Makes two values equal: whether references are equal that were not yet; `None`: they cannot be.
    fn equate(&mut self, a: Application, b: Application) -> Option<bool> {
        if let (Some(a), Some(b)) = (a.vertex, b.vertex) {
            return self.references.merge(a, b);
        }
        let consistent = match self.terms.sort(a.value) {
            Sort::Bool => match (self.is_decided(a.value), self.is_decided(b.value)) {
                (Some(a), Some(b)) => a == b,
                (Some(value), None) => self.assume(b.value, value) == Some(true),
                (None, Some(value)) => self.assume(a.value, value) == Some(true),
                (None, None) => true,
            },
            // What the theory does not understand is left to whoever looks at the model.
            Sort::Int | Sort::Bits(_) => match self.terms.eq(a.value, b.value) {
                equal if equal.as_bool().is_some() || self.is_decided(equal) == Some(true) => true,
                equal => self.assume(equal, true) != Some(false),
            },
            Sort::Float(_) | Sort::Ref => true,
        };
        consistent.then_some(false)
    }
}
