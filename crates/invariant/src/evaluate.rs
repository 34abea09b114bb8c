//! HEX (seed document 002, Section 3), evaluated one assumed reference at a time (Theorem 3.6).
//!
//! `origin` runs the automata of the path expressions along access paths, once for every path; `backbone` is what the
//! invariants keep of a path: the input objects with their places, their ghost fields, and the `max` targets that were
//! taken. `listen` hears what a heap model tells, `waiting` puts off what can wait. `admit` says what a reference may be,
//! as a clause: `spot` finds where it stands and what is said of it there, `target` and `frozen` what its aliases may be,
//! `alternatives` what is left. `chosen` is the shorter way where one alternative is chosen, `seen` where the path chooses
//! it, `memo` what need not be asked twice, `bystander` what need not be known. `formula` is about what is said beyond
//! conjunction, `jbse` about JBSE's rules; `action` carries out events, `number` calculates,
//! `demand` asks objects. The heaps that a file accepts
//! are enumerated by [`crate::complete`].
//!
//! One evaluation serves all heap models. The alternatives of a reference (null, an alias, a fresh object) have guards:
//! constants where the model enumerates, formulas where it does not.

mod action;
mod admit;
mod alternatives;
mod backbone;
mod bystander;
mod chosen;
mod demand;
mod existing;
mod formula;
mod frozen;
mod jbse;
mod listen;
mod memo;
mod number;
pub(crate) mod origin;
mod seen;
mod spot;
mod target;
mod waiting;

use std::sync::Arc;

use lazuli_engine::context::{Assumptions, Context};
use lazuli_engine::invariant::Calls;

use crate::hex::{Companion, Hex};

pub(crate) use backbone::Backbone;
pub use backbone::is_ghost;
pub(crate) use origin::{OriginId, Origins};

/// What the evaluator keeps in a worker's context, which knows nothing of it.
pub(crate) trait Evaluator {
    /// Where the automata of the invariants run.
    fn origins(&mut self) -> &mut Origins;

    /// Likewise, to look at.
    fn known_origins(&self) -> &Origins;
}

impl Evaluator for Context<'_> {
    fn origins(&mut self) -> &mut Origins {
        let kept = self.kept.as_mut().and_then(|kept| kept.downcast_mut());
        kept.expect("there are invariants")
    }

    fn known_origins(&self) -> &Origins {
        let kept = self.kept.as_ref().and_then(|kept| kept.downcast_ref());
        kept.expect("there are invariants")
    }
}

/// Prepares a context, and begins with an empty backbone.
pub(crate) fn begin(cx: &mut Context, hex: Arc<Hex>) -> Box<dyn Assumptions> {
    cx.needs_objects = listen::needs_objects(&hex);
    cx.kept = Some(Box::new(Origins::new(hex)));
    Box::new(Backbone::default())
}

/// Whether invariants call methods, and when.
pub fn calls(hex: &Hex) -> Calls {
    let mut events = hex.statements.iter().flat_map(|s| &s.events);
    if events.any(|event| matches!(event.companion, Companion::Method { .. })) {
        return Calls::AtOnce;
    }
    match hex.statements.iter().any(|statement| !statement.demands.is_empty()) {
        true => Calls::Sometime,
        false => Calls::Never,
    }
}
