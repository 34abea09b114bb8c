//! The backbone listens: what a heap model tells is put into the words of HEX, with nodes for the objects of the heap.

use std::rc::Rc;

use crate::hex::automaton::Selector;
use crate::hex::{Clause, Hex, Semantics, Statement};
use lazuli_logic::{Model, Symbol, Term};

use super::Evaluator;
use super::admit::{Owner, Reference};
use super::alternatives::Alternatives;
use super::backbone::Backbone;
use super::seen::kind;
use lazuli_engine::context;
use lazuli_engine::context::{
    Assumptions, Call, Context, Decided, Holder, InitialHeap, Opinion, Resolution, Side, Told,
};
use lazuli_engine::invariant::Calls;

/// What an object is called where that does not matter: its symbol tells it apart.
const UNNAMED: u32 = 0;

/// Whether it is not enough for the statements that a reference is not null: events count objects, formulas combine
/// what is known of several references, and what another reference may be an alias of depends on the objects that are
/// there.
pub(super) fn needs_objects(hex: &Hex) -> bool {
    let of_others = |statement: &Statement| {
        let clauses = &statement.clauses;
        let is_alias = clauses.contains(&Clause::ExpandsToNothing) && !clauses.contains(&Clause::AliasesNothing);
        let names = |clause: &Clause| matches!(clause, Clause::Aliases(_) | Clause::NeverAliases(_));
        is_alias || clauses.iter().any(names) || !statement.events.is_empty() || !statement.demands.is_empty()
    };
    !hex.formulas.is_empty() || hex.statements.iter().any(of_others)
}

impl Backbone {
    /// The same with its node.
    fn in_nodes(&self, what: Resolution) -> Resolution {
        match what {
            Resolution::Object(object) => Resolution::Object(self.node_of(object)),
            other => other,
        }
    }

    fn owner<'a>(&self, holder: &'a Holder) -> Owner<'a> {
        match holder {
            Holder::Input(name) => Owner::Input(name),
            Holder::Field(object, field) => {
                Owner::Node { node: self.node_of(*object), selector: Selector::Field(*field) }
            }
            Holder::OneOf(objects, field) => {
                let mut objects = self.known_nodes(objects);
                if let [only] = objects.as_mut_slice() {
                    only.0 = Term::TRUE;
                }
                Owner::Field { objects, selector: Selector::Field(*field) }
            }
            Holder::Element(array, index) => {
                Owner::Element { objects: self.known_nodes(&[(Term::TRUE, *array)]), index: *index }
            }
        }
    }

    /// The nodes of some objects. One that the statements exclude does not exist.
    fn known_nodes(&self, objects: &[(Term, u32)]) -> Vec<(Term, u32)> {
        let nodes = objects.iter().map(|&(guard, object)| (guard, self.node_of(object)));
        nodes.filter(|(_, node)| *node != Backbone::BYSTANDER).collect()
    }

    /// A reference as a model tells of it that enumerates. What follows from a choice is the same whatever the object
    /// is called, unless it is handed to a method.
    fn chosen_reference<'a>(
        &self,
        cx: &mut Context,
        reference: &'a context::Reference,
        object: Option<u32>,
    ) -> Reference<'a> {
        let owner = self.owner(&reference.holder);
        let symbol = reference.symbol.unwrap_or_else(|| {
            let (Owner::Node { node, .. }, Holder::Field(_, field)) = (&owner, &reference.holder) else {
                unreachable!("only a field gives its value a name");
            };
            let holder = cx.terms.as_symbol(self.node(*node).symbol).expect("an input object has a symbol");
            cx.field_symbol(holder, *field)
        });
        let handle = if cx.origins().calls != Calls::Never { object } else { Some(UNNAMED) };
        Reference { symbol, class: reference.class, owner, handle, existing: None }
    }

    /// There must be an object that a reference can denote which is not null.
    fn some_object(&self, cx: &mut Context, heap: &mut dyn InitialHeap, reference: &context::Reference) -> Term {
        let existing = reference.symbol.and_then(|symbol| cx.choice_of(symbol)).filter(|choice| choice.is_closed);
        let possible: Vec<Resolution> = match existing {
            Some(choice) => choice.objects.iter().map(|(location, _)| Resolution::Existing(*location)).collect(),
            None => {
                let objects = heap.candidates(cx, reference.class).into_iter().map(Resolution::Object);
                objects.chain([Resolution::New]).collect()
            }
        };
        let mut any = Term::FALSE;
        for what in possible {
            let clause = self.clone().resolved(cx, heap, reference, what, Opinion::Nothing);
            any = cx.terms.or(any, clause);
        }
        any
    }
}

impl Assumptions for Backbone {
    fn copy(&self) -> Box<dyn Assumptions> {
        Box::new(self.clone())
    }

    fn receive(&mut self, cx: &mut Context, heap: &mut dyn InitialHeap, reference: context::Reference) -> Term {
        let symbol = reference.symbol.expect("an input has a symbol");
        let owner = self.owner(&reference.holder);
        let own = Reference { symbol, class: reference.class, owner, handle: reference.object, existing: None };
        let clause = self.receive_own(cx, heap, own);
        if let Some(object) = reference.object.filter(|_| !self.is_empty()) {
            self.name_last(object);
        }
        clause
    }

    fn weigh(&mut self, cx: &mut Context, reference: &context::Reference, proposed: &mut [(Resolution, Opinion)]) {
        if cx.origins().hex.semantics != Semantics::Hex {
            return;
        }
        let reference = self.chosen_reference(cx, reference, None);
        let nodes = proposed.iter().filter_map(|(what, _)| match what {
            Resolution::Object(object) => Some(self.node_of(*object)),
            _ => None,
        });
        let Some(opinions) = self.opinions(cx, &reference, nodes) else { return };
        let mut aliases = opinions.verdicts.iter().flat_map(|verdicts| &verdicts.aliases);
        for (what, opinion) in proposed {
            let verdict = match (*what, &opinions.verdicts) {
                (Resolution::Object(_), _) => aliases.next().copied(),
                (Resolution::Null, verdicts) => verdicts.as_ref().map(|v| v.null),
                (_, verdicts) => verdicts.as_ref().map(|v| v.fresh),
            };
            *opinion = opinions.of(*what, verdict.unwrap_or(Term::TRUE));
        }
    }

    fn resolved(
        &mut self,
        cx: &mut Context,
        heap: &mut dyn InitialHeap,
        reference: &context::Reference,
        what: Resolution,
        opinion: Opinion,
    ) -> Term {
        if what == Resolution::NotNull {
            return self.some_object(cx, heap, reference);
        }
        let (when, node) = kind(self.in_nodes(what));
        let object = match what {
            Resolution::Object(object) => Some(object),
            _ => reference.object,
        };
        let before = self.len();
        let mut facts = Term::TRUE;
        let recalled = match &reference.holder {
            Holder::Field(holder, field) if opinion == Opinion::Permitted => {
                let handle = if cx.origins().calls != Calls::Never { object } else { Some(UNNAMED) };
                let at = (self.node_of(*holder), Selector::Field(*field));
                self.recall(cx, heap, at, (when, node, handle), &mut facts)
            }
            _ => None,
        };
        let clause = recalled.unwrap_or_else(|| {
            let mut reference = self.chosen_reference(cx, reference, object);
            if let Resolution::Existing(location) = what {
                reference.existing = Some(Term::location(location));
            }
            let (chosen, choice) = (Alternatives::chosen(when, node), (when, node, reference.handle));
            match opinion {
                Opinion::Permitted => self.permit(cx, heap, reference, chosen, choice),
                _ => self.assume(cx, heap, reference, chosen, Term::TRUE),
            }
        });
        if self.len() > before {
            self.name_last(object.expect("only an object enters the backbone"));
        }
        cx.terms.and(clause, facts)
    }

    fn loaded(
        &mut self,
        cx: &mut Context,
        heap: &mut dyn InitialHeap,
        reference: &context::Reference,
        guard: Term,
    ) -> Term {
        let owner = self.owner(&reference.holder);
        // Of an array that does not exist there is nothing to say.
        if matches!(&owner, Owner::Element { objects, .. } if objects.is_empty()) {
            return Term::TRUE;
        }
        let symbol = reference.symbol.expect("what is loaded has a symbol");
        let before = self.len();
        let loaded = Reference { symbol, class: reference.class, owner, handle: reference.object, existing: None };
        let clause = self.load(cx, heap, loaded, guard);
        if let Some(object) = reference.object.filter(|_| self.len() > before) {
            self.name_last(object);
        }
        clause
    }

    fn met(
        &mut self,
        cx: &mut Context,
        heap: &mut dyn InitialHeap,
        value: Term,
        is_sure: bool,
        succeeds: Term,
    ) -> Term {
        self.meet(cx, heap, value, is_sure, succeeds)
    }

    fn told(&self, reference: Term) -> Told {
        Backbone::told(self, reference)
    }

    fn are_apart(&self, a: Term, b: Term) -> bool {
        Backbone::are_apart(self, a, b)
    }

    fn found(&mut self, symbol: Term) {
        Backbone::found(self, symbol);
    }

    fn forced(&mut self, cx: &mut Context, heap: &dyn InitialHeap, value: Term) -> Option<(Resolution, Opinion, Term)> {
        self.force(cx, heap, value)
    }

    fn looked_at(&mut self, cx: &mut Context, heap: &dyn InitialHeap, symbol: Symbol) -> Option<[Side; 2]> {
        self.waiting.contains(&symbol).then(|| self.sides_of(cx, heap, symbol, None))
    }

    fn decided(&mut self, cx: &mut Context, heap: &mut dyn InitialHeap, guards: Option<[Term; 2]>) -> Decided {
        self.decide(cx, heap, guards)
    }

    fn seen(
        &mut self,
        cx: &mut Context,
        heap: &mut dyn InitialHeap,
        symbol: Symbol,
        what: Resolution,
        opinion: Opinion,
    ) -> Term {
        self.see(cx, heap, symbol, what, opinion)
    }

    fn ask(&mut self, cx: &mut Context, heap: &mut dyn InitialHeap) -> Term {
        self.ask_waiting(cx, heap)
    }

    fn take_calls(&mut self) -> Vec<Call> {
        Backbone::take_calls(self)
    }

    fn name_objects(&self, cx: &Context, model: &mut Rc<Model>) {
        Backbone::name_objects(self, cx, model);
    }
}
