//! References that denote no object of the input, but null or an object that exists before the entry, as those of an enum do. Such an
//! object has no place in the backbone: others may lead there too. For the statements each reference to it is one that expands, and
//! its fields are what they are.

use std::rc::Rc;

use lazuli_engine::context::{Context, InitialHeap};
use lazuli_logic::Term;

use super::Evaluator;
use super::admit::Reference;
use super::alternatives::Alternatives;
use super::backbone::Backbone;
use crate::hex::Semantics;

/// The object that a reference denotes.
#[derive(Clone, Copy)]
pub(super) enum It {
    Node(u32),
    /// One that exists before the entry: its location, or the reference itself if that may denote several.
    Existing {
        reference: Term,
        object: Term,
    },
}

impl It {
    pub fn node(self) -> Option<u32> {
        match self {
            It::Node(node) => Some(node),
            It::Existing { .. } => None,
        }
    }
}

impl Backbone {
    /// A reference to what exists before the entry is loaded under `guard`, under the models that do not enumerate. Gives the clause
    /// that the invariants put on it.
    pub(super) fn load_existing(
        &mut self,
        cx: &mut Context,
        heap: &mut dyn InitialHeap,
        reference: Reference,
        guard: Term,
    ) -> Term {
        let symbol = reference.symbol;
        let real = self.first_loaded(cx, symbol, guard);
        // Rules of JBSE speak of objects of the input.
        if real == Term::FALSE || cx.known_origins().hex.semantics == Semantics::Jbse {
            return Term::TRUE;
        }
        Rc::make_mut(&mut self.existing).push((symbol, real));
        let is_null = cx.terms.eq(symbol, Term::NULL);
        let is_object = cx.terms.not(is_null);
        let [null, object] = [is_null, is_object].map(|is| cx.terms.and(real, is));
        self.assume(cx, heap, reference, Alternatives::existing(null, object), real)
    }
}
