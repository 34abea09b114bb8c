//! The invariants of the input under the models that enumerate: what was chosen is told to the backbone.

use std::rc::Rc;

use lazuli_logic::{Symbol, Term};
use lazuli_program::hex::When;
use lazuli_program::hex::automaton::Selector;
use lazuli_program::ir::{ClassId, FieldId, Type};

use super::{Cell, Change, Heap, Holder, Lazy, Target};
use crate::context::{Context, Standing};
use crate::heap::{Case, Effect, HeapModel};
use crate::invariant::hex::{Alternatives, Backbone, InitialHeap, Node, Owner, Reference};

impl Heap {
    /// The clause that the invariants put on a reference that was just resolved to `value`.
    pub(super) fn invariant_clause(&mut self, cx: &mut Context, place: Holder, target: Target, value: Term) -> Term {
        let (symbol, class, held) = self.held(cx, place);
        let handle = value.as_location().unwrap_or(u32::MAX);
        let (when, node) = match target {
            Target::Null => (When::Null, None),
            Target::Fresh => (When::Expand, None),
            Target::Alias(object) => (When::Alias, Some(self.objects[object as usize].node)),
        };
        let reference = Reference { symbol, class, owner: held.owner(), handle };
        let mut backbone = std::mem::take(&mut self.backbone);
        let before = backbone.len();
        let clause = backbone.assume(cx, self, reference, Alternatives::chosen(when, node), Term::TRUE);
        if backbone.len() > before {
            Rc::make_mut(&mut self.objects)[handle as usize].node = before;
        }
        self.backbone = backbone;
        clause
    }

    /// Marks the alternatives of a reference that the statements exclude, all at once: most of them are never tried then.
    pub(super) fn refuse(&self, cx: &mut Context, place: Holder, cases: &mut [Case<Change>]) {
        let (symbol, class, held) = self.held(cx, place);
        let reference = Reference { symbol, class, owner: held.owner(), handle: u32::MAX };
        let target = |case: &Case<Change>| match case.change {
            Some(Change::Bind { target, .. }) => Some(target),
            _ => None,
        };
        let node = |target: Target| match target {
            Target::Alias(object) => Some(self.objects[object as usize].node),
            Target::Null | Target::Fresh => None,
        };
        let nodes: Vec<u32> = cases.iter().filter_map(target).filter_map(node).collect();
        let Some(excluded) = self.backbone.excluded(cx, &reference, &nodes) else { return };
        let mut aliases = excluded.aliases.into_iter();
        for case in cases {
            let is_excluded = match target(case) {
                Some(Target::Null) => excluded.null,
                Some(Target::Fresh) => excluded.fresh,
                Some(Target::Alias(_)) => aliases.next().expect("one for each alias"),
                None => false,
            };
            if is_excluded {
                case.effect = Effect::Refused;
            }
        }
    }

    /// The symbol of an unresolved reference, its declared class, and what holds it.
    fn held(&self, cx: &mut Context, place: Holder) -> (Term, ClassId, Held) {
        match place {
            Holder::Cell { object, field } => {
                let holder = self.objects[object as usize];
                let symbol = cx.field_symbol(holder.origin.expect("an input object"), field);
                let Type::Ref(class) = cx.program.field(field).ty else { unreachable!("only references are resolved") };
                (symbol, class, Held::Field(holder.node, field))
            }
            Holder::Symbol(symbol) => {
                let (term, class) = (cx.terms.symbol_info(symbol).term, cx.declared_class(symbol));
                let node = |holder: Symbol| {
                    self.objects.iter().find(|o| o.origin == Some(holder)).expect("its holder is an object").node
                };
                let held = match cx.standing(symbol) {
                    Standing::Input(root) => Held::Input(root),
                    Standing::Field(holder, field) => Held::Field(node(holder), field),
                    Standing::Element(array, index) => Held::Element(node(array), index),
                };
                (term, class, held)
            }
        }
    }
}

/// What holds a reference: an input by name, the field of a node, or an element of one.
enum Held {
    Input(Rc<str>),
    Field(u32, FieldId),
    Element(u32, Term),
}

impl Held {
    fn owner(&self) -> Owner<'_> {
        match self {
            Held::Input(name) => Owner::Input(name),
            Held::Field(node, field) => {
                Owner::Field { objects: vec![(Term::TRUE, *node)], selector: Selector::Field(*field) }
            }
            Held::Element(node, index) => Owner::Element { objects: vec![(Term::TRUE, *node)], index: *index },
        }
    }
}

impl Heap {
    /// What the invariants keep.
    pub fn backbone(&self) -> &Backbone {
        &self.backbone
    }

    /// What a field of an input object held at first, if anybody has looked.
    pub fn initial_value(&self, cx: &Context, object: u32, field: FieldId) -> Option<Term> {
        self.cells[self.cell(cx, object, field)].initial
    }
}

impl Lazy {
    /// `lazier#` has learnt that a reference is not null: there must be an object that it can denote.
    pub(super) fn some_object(&self, cx: &mut Context, heap: &Heap, symbol: Symbol) -> Term {
        let declared = cx.declared_class(symbol);
        let fits = |o: &(u32, &super::Object)| o.1.origin.is_some() && cx.program.related(o.1.class, declared);
        let objects: Vec<u32> = (0..).zip(heap.objects.iter()).filter(fits).map(|(index, _)| index).collect();
        let mut any = Term::FALSE;
        for target in objects.into_iter().map(Target::Alias).chain([Target::Fresh]) {
            let change = Change::Bind { place: Holder::Symbol(symbol), target };
            let clause = self.apply(cx, &mut heap.clone(), change);
            any = cx.terms.or(any, clause);
        }
        any
    }
}

impl InitialHeap for Heap {
    fn initial(&mut self, cx: &mut Context, node: &Node, field: FieldId, facts: &mut Term) -> Term {
        let origin = self.objects[node.handle as usize].origin.expect("an input object");
        let value = cx.field_symbol(origin, field);
        // A field of a subclass: in objects of another one, its cell is that of another field. A read will name it alike.
        if !cx.program.is_subclass(node.class, cx.program.field(field).class) {
            let name = (node.handle, field, cx.terms.as_symbol(value).expect("a name is a symbol"));
            if !self.named.contains(&name) {
                Rc::make_mut(&mut self.named).push(name);
            }
            return value;
        }
        let at = self.cell(cx, node.handle, field);
        if let Some(initial) = self.cells[at].initial {
            return initial;
        }
        let value = crate::java::given_initial(cx, value, field, facts).unwrap_or(value);
        let cell = &mut Rc::make_mut(&mut self.cells)[at];
        // What the program wrote before stays.
        *cell = Cell { current: cell.current.or(Some(value)), initial: Some(value) };
        value
    }

    fn reference(&self, node: &Node) -> Term {
        Term::location(node.handle)
    }
}
