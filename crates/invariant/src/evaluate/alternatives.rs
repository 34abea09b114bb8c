//! What a reference may be, and what of it the statements leave.
//!
//! Where the model does not enumerate, an alternative is a formula. That a reference is an object of its own could be said by the
//! inequality with every object before it; where statements exclude aliases, as they do almost everywhere, that is said at once: the
//! symbol *names* its object ([`lazuli_logic::Term::object`]), and two symbols that do are different. The clause of a reference is then as
//! long as what it still may be, not as all that it may not.

use crate::hex::When;
use lazuli_logic::Term;
use lazuli_program::ir::ClassId;

use super::Evaluator;
use super::admit::{Excluded, Reference, unless};
use super::backbone::Backbone;
use super::spot::Spot;
use lazuli_engine::context::Context;

/// What it may be: where it is null, where it denotes an object of its own, and where one of the nodes.
pub struct Alternatives {
    pub null: Term,
    pub fresh: Term,
    pub aliases: Vec<(Term, u32)>,
    /// Whether the heap model has chosen one of them already.
    pub(super) enumerated: bool,
    /// Whether the symbol names its object where it is fresh.
    pub(super) named: bool,
    /// Whether it is looked up later what the reference may be: not where the model enumerates.
    pub(super) remembered: bool,
}

/// What the statements at one spot say of the alternatives.
#[derive(Debug)]
pub struct Verdicts {
    pub null: Term,
    pub fresh: Term,
    pub aliases: Vec<Term>,
}

impl Backbone {
    /// null, the objects so far, and a fresh one; when it is fresh or one of them, [`Backbone::narrow`] says.
    pub(super) fn alternatives(&self, cx: &mut Context, symbol: Term, class: ClassId, real: Term) -> Alternatives {
        let is_null = cx.terms.eq(symbol, Term::NULL);
        let null = cx.terms.and(real, is_null);
        let mut aliases = Vec::new();
        for (index, node) in (0..).zip(self.shared.nodes.iter()) {
            if cx.program.related(node.class, class) {
                aliases.push((Term::TRUE, index));
            }
        }
        Alternatives { null, fresh: real, aliases, enumerated: false, named: false, remembered: true }
    }

    /// Where a reference denotes a node.
    fn is_node(&self, cx: &mut Context, symbol: Term, node: u32, real: Term) -> Term {
        let node = self.node(node);
        let equal = cx.terms.eq(symbol, node.symbol);
        let alias = cx.terms.all([real, equal, node.exists]);
        cx.under_path(alias)
    }

    /// Where a reference that names its object denotes none of those that have no name: of these it must be said one by one.
    pub(super) fn differs(&self, cx: &mut Context, reference: &Reference) -> Term {
        let mut clause = Term::TRUE;
        for number in 0..self.len() {
            if !self.node(number).named && cx.program.related(self.node(number).class, reference.class) {
                let same = self.is_node(cx, reference.symbol, number, Term::TRUE);
                let other = cx.terms.not(same);
                clause = cx.terms.and(clause, other);
            }
        }
        clause
    }

    /// Forgets the alternatives that are excluded at every spot. Gives the clause that excludes them, there and at single spots.
    pub(super) fn narrow(
        &self,
        cx: &mut Context,
        symbol: Term,
        spots: &[Spot],
        verdicts: &[Verdicts],
        alternatives: &mut Alternatives,
        real: Term,
    ) -> Term {
        let mut clause = Term::TRUE;
        if !alternatives.enumerated {
            let gone = |ok: &dyn Fn(&Verdicts) -> Term| verdicts.iter().all(|v| ok(v) == Term::FALSE);
            let aliases = (0..alternatives.aliases.len()).map(|i| gone(&|v| v.aliases[i])).collect();
            // A bound may exclude that it is fresh, whatever the statements say.
            let fresh = alternatives.fresh == Term::FALSE || gone(&|v| v.fresh);
            let gone = Excluded { null: gone(&|v| v.null), fresh, aliases };
            // One of which something is said is named for the sake of those to come.
            let free = spots.iter().all(|spot| cx.origins().is_free(spot.origin));
            clause = match gone.aliases.contains(&true) || gone.aliases.is_empty() && !free {
                true => self.name(cx, symbol, &gone, alternatives, real),
                false => self.without(cx, symbol, &gone, alternatives, real),
            };
        }
        for (spot, verdict) in spots.iter().zip(verdicts) {
            let aliases = alternatives.aliases.iter().zip(&verdict.aliases).map(|((alias, _), ok)| (*alias, *ok));
            let others = [(alternatives.null, verdict.null), (alternatives.fresh, verdict.fresh)];
            for (alternative, ok) in others.into_iter().chain(aliases).filter(|(_, ok)| *ok != Term::TRUE) {
                let here = cx.terms.and(spot.guard, alternative);
                let holds = cx.terms.implies(here, ok);
                clause = cx.terms.and(clause, holds);
            }
        }
        clause
    }

    /// The clause that one of the alternatives is true that are not gone; where the reference is fresh, its symbol names its object.
    fn name(
        &self,
        cx: &mut Context,
        symbol: Term,
        gone: &Excluded,
        alternatives: &mut Alternatives,
        real: Term,
    ) -> Term {
        let own = cx.terms.is_own(symbol);
        let mut left = Vec::new();
        let mut clause = Term::TRUE;
        if gone.null {
            alternatives.null = Term::FALSE;
        }
        left.push(alternatives.null);
        if !gone.fresh {
            left.push(own);
        }
        for ((alias, node), gone_alias) in alternatives.aliases.iter_mut().zip(&gone.aliases) {
            // Of an object that has no name it must be said by itself that this is another one.
            if !self.node(*node).named && (*gone_alias || !gone.fresh) {
                let is_node = self.is_node(cx, symbol, *node, real);
                let same = if *gone_alias { is_node } else { cx.terms.and(own, is_node) };
                let differs = cx.terms.not(same);
                clause = cx.terms.and(clause, differs);
            }
            *alias = if *gone_alias { Term::FALSE } else { self.is_node(cx, symbol, *node, real) };
            left.push(*alias);
        }
        let no_alias = alternatives.aliases.iter().all(|(alias, _)| *alias == Term::FALSE);
        alternatives.named = true;
        alternatives.fresh = match no_alias {
            _ if gone.fresh => Term::FALSE,
            // The atom that the program asks about.
            true => unless(cx, alternatives.null, real),
            false => cx.terms.and(real, own),
        };
        let any = cx.terms.any(left);
        let defined = cx.terms.implies(real, any);
        cx.terms.and(clause, defined)
    }

    /// Likewise where every alias is left: it is only said what the reference is not.
    fn without(
        &self,
        cx: &mut Context,
        symbol: Term,
        gone: &Excluded,
        alternatives: &mut Alternatives,
        real: Term,
    ) -> Term {
        let mut parts = vec![real, cx.terms.ne(symbol, Term::NULL)];
        for (alias, node) in &mut alternatives.aliases {
            *alias = self.is_node(cx, symbol, *node, real);
            parts.push(cx.terms.not(*alias));
        }
        let mut clause = Term::TRUE;
        if gone.null {
            parts.remove(1);
            clause = cx.terms.not(alternatives.null);
            alternatives.null = Term::FALSE;
        }
        alternatives.fresh = cx.terms.all(parts);
        if gone.fresh {
            let not_fresh = cx.terms.not(alternatives.fresh);
            clause = cx.terms.and(clause, not_fresh);
            alternatives.fresh = Term::FALSE;
        }
        clause
    }
}

impl Alternatives {
    /// The alternative that a model which enumerates has chosen.
    pub fn chosen(when: When, node: Option<u32>) -> Alternatives {
        let is = |kind: When| Term::bool(when == kind);
        let aliases = node.filter(|_| when == When::Alias).map(|node| (Term::TRUE, node));
        Alternatives {
            null: is(When::Null),
            fresh: is(When::Expand),
            aliases: aliases.into_iter().collect(),
            enumerated: true,
            named: false,
            remembered: false,
        }
    }

    /// The alternative that the path has chosen, under a model that does not enumerate.
    pub(super) fn told(when: When, node: Option<u32>) -> Alternatives {
        Alternatives { named: when == When::Expand, remembered: true, ..Alternatives::chosen(when, node) }
    }

    /// Null, or an object that is not one of the input.
    pub(super) fn existing(null: Term, object: Term) -> Alternatives {
        Alternatives { null, fresh: object, ..Alternatives::chosen(When::Expand, None) }
    }

    /// Everything, each as if it had been chosen: to ask what the statements say of it.
    pub(super) fn all(aliases: Vec<(Term, u32)>) -> Alternatives {
        Alternatives { null: Term::TRUE, aliases, ..Alternatives::chosen(When::Expand, None) }
    }
}
