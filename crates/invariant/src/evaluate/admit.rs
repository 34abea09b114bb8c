//! What a reference may be: the atoms of Definition 3.2 as a clause over its alternatives.
//!
//! A reference may stand at several places in the backbone, if the object that holds it may be an alias; then the clause is a
//! conjunction over the places. Alternatives that the statements exclude are forgotten: the terms stay small.

use std::rc::Rc;

use crate::hex::automaton::Selector;
use crate::hex::{ClassTest, Clause, Hex, Semantics, Start, When};
use lazuli_logic::Term;
use lazuli_program::ir::ClassId;

use super::Evaluator;
use super::alternatives::{Alternatives, Verdicts};
use super::backbone::{Backbone, Loaded, Node, Place};
use super::demand::Demanding;
use super::existing::It;
use super::formula::Assumption;
use super::spot::{MAX_SPOTS, Matched, Scoped, Spot, is_meant};
use lazuli_engine::context::{Context, InitialHeap};

/// Who holds a reference.
pub enum Owner<'a> {
    Input(&'a str),
    /// This object, for sure.
    Node {
        node: u32,
        selector: Selector,
    },
    /// One of these objects, where the guard holds.
    Field {
        objects: Vec<(Term, u32)>,
        selector: Selector,
    },
    /// Likewise one of these arrays.
    Element {
        objects: Vec<(Term, u32)>,
        index: Term,
    },
}

/// A reference about which something is assumed.
pub struct Reference<'a> {
    pub symbol: Term,
    /// Its declared class.
    pub class: ClassId,
    pub owner: Owner<'a>,
    /// What the heap calls the object that it may expand to; none if it cannot, by a bound.
    pub handle: Option<u32>,
    /// The object that it denotes where it is not null, if that exists before the entry: then it never expands.
    pub existing: Option<Term>,
}

/// Which alternatives are impossible.
pub struct Excluded {
    pub null: bool,
    pub fresh: bool,
    pub aliases: Vec<bool>,
}

impl Backbone {
    /// A reference is assumed to be one of the alternatives, where `real` holds. Gives the clause that the invariants put on it.
    pub fn assume(
        &mut self,
        cx: &mut Context,
        heap: &mut dyn InitialHeap,
        reference: Reference,
        mut alternatives: Alternatives,
        real: Term,
    ) -> Term {
        let hex = cx.known_origins().hex.clone();
        let spots = self.spots(cx, &reference);
        if spots.len() > MAX_SPOTS {
            cx.given_up = Some(format!("a reference may stand at more than {MAX_SPOTS} places of the backbone"));
            return Term::TRUE;
        }
        let free = spots.iter().all(|spot| cx.origins().is_free(spot.origin));
        if free && alternatives.enumerated && hex.semantics == Semantics::Hex && hex.formulas.is_empty() {
            self.enter(cx, &reference, &spots, &alternatives, real);
            return Term::TRUE;
        }
        let matched: Vec<Vec<Matched>> = spots.iter().map(|spot| self.matched(cx, &hex, spot)).collect();
        let mut verdicts = Vec::with_capacity(spots.len());
        for (spot, matched) in spots.iter().zip(&matched) {
            verdicts.push(match hex.semantics {
                Semantics::Hex => self.verdicts(cx, &hex, &reference, spot, matched, &alternatives),
                Semantics::Jbse => self.jbse_verdicts(cx, &hex, &reference, spot, matched, &alternatives),
            });
        }
        let mut clause = self.narrow(cx, reference.symbol, &spots, &verdicts, &mut alternatives, real);
        if clause == Term::FALSE {
            return clause;
        }
        let assumption =
            Assumption { reference: &reference, spots: &spots, matched: &matched, alternatives: &alternatives, real };
        let touched = if hex.formulas.is_empty() { Vec::new() } else { self.violate(cx, &hex, &assumption) };
        let freezes = hex.semantics == Semantics::Hex;
        for (spot, matched) in spots.iter().zip(&matched).filter(|_| freezes) {
            self.thaw(cx, &hex, spot, alternatives.fresh);
            self.freeze(cx, &hex, spot, matched, &alternatives);
        }
        let fresh = self.enter(cx, &reference, &spots, &alternatives, real);
        let existing = reference.existing.map(|object| It::Existing { reference: reference.symbol, object });
        let it = existing.or(fresh.map(It::Node));
        if !hex.formulas.is_empty() {
            let formulas = self.formulas(cx, &hex, &assumption, fresh, touched);
            clause = cx.terms.and(clause, formulas);
            if clause == Term::FALSE {
                return clause;
            }
        }
        for (spot, matched) in spots.iter().zip(&matched) {
            let of =
                Demanding { hex: &hex, spot, alternatives: &alternatives, fresh: it, symbol: reference.symbol, real };
            let facts = self.demands(cx, heap, &of, matched);
            let assumed = self.events(cx, heap, &hex, spot, matched, &alternatives, it, real);
            clause = cx.terms.all([clause, assumed, facts]);
        }
        clause
    }

    /// Likewise for a reference that is loaded under `guard`, under the models that do not enumerate.
    pub(super) fn load(
        &mut self,
        cx: &mut Context,
        heap: &mut dyn InitialHeap,
        reference: Reference,
        guard: Term,
    ) -> Term {
        let symbol = reference.symbol;
        if cx.is_closed(symbol) {
            let existing = Some(symbol);
            return self.load_existing(cx, heap, Reference { existing, ..reference }, guard);
        }
        let real = self.first_loaded(cx, symbol, guard);
        let mut clause = Term::TRUE;
        if real != Term::FALSE {
            let mut alternatives = self.alternatives(cx, symbol, reference.class, real);
            if reference.handle.is_none() {
                alternatives.fresh = Term::FALSE;
            }
            clause = self.assume(cx, heap, reference, alternatives, real);
        }
        if guard == Term::TRUE
            && let Some(last) = Rc::make_mut(&mut self.loaded).iter_mut().rfind(|loaded| loaded.symbol == symbol)
        {
            last.complete = true;
        }
        clause
    }

    /// Likewise for the receiver of the entry, which is an object of its own under every model.
    pub(super) fn receive_own(&mut self, cx: &mut Context, heap: &mut dyn InitialHeap, reference: Reference) -> Term {
        let own = cx.terms.is_own(reference.symbol);
        let clause = self.assume(cx, heap, reference, Alternatives::told(When::Expand, None), Term::TRUE);
        cx.terms.and(clause, own)
    }

    pub(super) fn verdicts(
        &self,
        cx: &mut Context,
        hex: &Hex,
        reference: &Reference,
        spot: &Spot,
        matched: &[Matched],
        alternatives: &Alternatives,
    ) -> Verdicts {
        let mut verdicts = Verdicts {
            null: Term::TRUE,
            fresh: self.unfrozen(cx, hex, spot),
            aliases: alternatives.aliases.iter().map(|(_, node)| self.has_fitting_type(cx, reference, *node)).collect(),
        };
        for matched in matched.iter().filter(|m| hex.statements[m.statement as usize].formula.is_none()) {
            self.restrict(cx, hex, reference, spot, matched, alternatives, &mut verdicts);
        }
        verdicts
    }

    /// A list of numbers is no list of strings, though both may be empty: nobody has cheated.
    fn has_fitting_type(&self, cx: &Context, reference: &Reference, node: u32) -> Term {
        if node == Backbone::BYSTANDER {
            return Term::TRUE;
        }
        let symbols = cx.terms.as_symbol(reference.symbol).zip(cx.terms.as_symbol(self.node(node).symbol));
        Term::bool(!symbols.is_some_and(|(a, b)| cx.have_types_apart(a, b)))
    }

    /// What one statement says of the alternatives.
    pub(super) fn of_statement(
        &self,
        cx: &mut Context,
        hex: &Hex,
        reference: &Reference,
        spot: &Spot,
        matched: &Matched,
        alternatives: &Alternatives,
    ) -> Verdicts {
        let aliases = vec![Term::TRUE; alternatives.aliases.len()];
        let mut verdicts = Verdicts { null: Term::TRUE, fresh: Term::TRUE, aliases };
        self.restrict(cx, hex, reference, spot, matched, alternatives, &mut verdicts);
        verdicts
    }

    #[allow(clippy::too_many_arguments)]
    fn restrict(
        &self,
        cx: &mut Context,
        hex: &Hex,
        reference: &Reference,
        spot: &Spot,
        matched: &Matched,
        alternatives: &Alternatives,
        verdicts: &mut Verdicts,
    ) {
        for clause in &hex.statements[matched.statement as usize].clauses {
            match clause {
                Clause::NotNull => {
                    // Of a reference that denotes nothing it cannot be said that it denotes one of the scope's class.
                    if !matches!(matched.scope, Scoped::Itself { sure: false }) {
                        verdicts.null = unless(cx, matched.guard, verdicts.null);
                    }
                }
                Clause::ExpandsToNothing => {
                    let guard = self.with_itself(cx, hex, matched, reference.symbol);
                    verdicts.fresh = unless(cx, guard, verdicts.fresh);
                }
                Clause::ExpandsTo(tests) => {
                    let guard = self.with_itself(cx, hex, matched, reference.symbol);
                    let is = any_class(cx, reference.symbol, tests);
                    let holds = cx.terms.implies(guard, is);
                    verdicts.fresh = cx.terms.and(verdicts.fresh, holds);
                }
                Clause::AliasesNothing | Clause::Aliases(_) | Clause::NeverAliases(_) => {
                    for (verdict, &(alias, node)) in verdicts.aliases.iter_mut().zip(&alternatives.aliases) {
                        if alias != Term::FALSE && *verdict != Term::FALSE {
                            let holds = self.alias_holds(cx, hex, spot, matched, clause, node);
                            let guard = match matched.scope {
                                Scoped::Itself { .. } => self.with_itself(cx, hex, matched, self.node(node).symbol),
                                // The node may be a bystander.
                                _ => matched.guard,
                            };
                            let holds = cx.terms.implies(guard, holds);
                            *verdict = cx.terms.and(*verdict, holds);
                        }
                    }
                }
            }
        }
    }

    /// The guard of a statement about an object; if the statement is about the object itself, its class is part of it.
    pub(super) fn with_itself(&self, cx: &mut Context, hex: &Hex, matched: &Matched, symbol: Term) -> Term {
        let Scoped::Itself { sure: false } = matched.scope else { return matched.guard };
        let pattern = hex.statements[matched.statement as usize].pattern;
        let Start::Scope(scope) = hex.patterns[pattern.index()].start else { return matched.guard };
        let is = is_meant(cx, symbol, &hex.scopes[scope.index()]);
        cx.terms.and(matched.guard, is)
    }

    /// Enters the object that the reference may expand to; `None` if it cannot.
    pub(super) fn enter(
        &mut self,
        cx: &mut Context,
        reference: &Reference,
        spots: &[Spot],
        alternatives: &Alternatives,
        real: Term,
    ) -> Option<u32> {
        let fresh = alternatives.fresh;
        let entered = (fresh != Term::FALSE && reference.existing.is_none()).then(|| {
            let place = |cx: &mut Context, spot: &Spot| {
                let guard = if spots.len() > 1 { cx.terms.and(fresh, spot.guard) } else { fresh };
                Place { guard, origin: spot.origin, parent: spot.parent }
            };
            let places: Rc<[Place]> = spots.iter().map(|spot| place(cx, spot)).collect();
            let named = alternatives.named;
            self.push(cx, Node::new(reference.symbol, reference.class, (fresh, named), places, reference.handle));
            self.len() - 1
        });
        if alternatives.remembered {
            let aliases = alternatives.aliases.iter().copied().filter(|(alias, _)| *alias != Term::FALSE);
            let objects = aliases.chain(entered.map(|node| (fresh, node))).collect();
            let complete = real == Term::TRUE;
            Rc::make_mut(&mut self.loaded).push(Loaded { symbol: reference.symbol, real, objects, complete });
        }
        entered
    }
}

/// `value`, but not where `guard` holds.
pub(super) fn unless(cx: &mut Context, guard: Term, value: Term) -> Term {
    let not = cx.terms.not(guard);
    cx.terms.and(value, not)
}

/// The condition that the object a symbol denotes is of one of the classes.
pub(super) fn any_class(cx: &mut Context, symbol: Term, tests: &[ClassTest]) -> Term {
    let each: Vec<Term> = tests
        .iter()
        .map(|test| match test.exact {
            true => cx.terms.class_in(symbol, test.class.0, test.class.0),
            false => cx.is_class(symbol, test.class),
        })
        .collect();
    cx.terms.any(each)
}
