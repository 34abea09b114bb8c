//! The invariants of the input under the models that enumerate: what was chosen is told to the backbone.

use std::rc::Rc;

use lazuli_logic::{Symbol, Term};
use lazuli_program::hex::automaton::Selector;
use lazuli_program::hex::{Clause, Semantics, Statement, When};
use lazuli_program::ir::{ClassId, FieldId, Type};

use super::{Bind, Cell, Change, Heap, Holder, Lazy, Target};
use crate::context::{Context, Standing};
use crate::heap::{Case, Memory};
use crate::hex::{Alternatives, Backbone, Evaluator, InitialHeap, Known, Node, Owner, Reference};

impl Heap {
    /// The clause that the invariants put on a reference that was just resolved to `value`.
    pub(super) fn invariant_clause(&mut self, cx: &mut Context, bind: Bind, value: Term) -> Term {
        let Bind { place, target, known } = bind;
        if known == Known::Settled {
            return Term::TRUE;
        }
        // What follows from a choice is the same whatever the object is called, unless it is handed to a method.
        let handle = match cx.origins().calls_methods {
            true => value.as_location().unwrap_or(u32::MAX),
            false => UNNAMED,
        };
        let (when, node) = match target {
            Target::Null => (When::Null, None),
            Target::Fresh => (When::Expand, None),
            Target::Alias(object) => (When::Alias, Some(self.objects[object as usize].node)),
        };
        let (class, held) = self.held(cx, place);
        let Heap { backbone, objects, cells, named, .. } = self;
        let before = backbone.len();
        let mut heap = Initial { objects, cells, named };
        let mut facts = Term::TRUE;
        let recalled = match held {
            Held::Field(holder, field) if known == Known::Permitted => {
                let at = (holder, Selector::Field(field));
                backbone.recall(cx, &mut heap, at, (when, node, handle), &mut facts)
            }
            _ => None,
        };
        let clause = recalled.unwrap_or_else(|| {
            let symbol = symbol_at(cx, heap.objects, place);
            let reference = Reference { symbol, class, owner: held.owner(), handle };
            let chosen = Alternatives::chosen(when, node);
            match known {
                Known::Permitted => backbone.permit(cx, &mut heap, reference, chosen, (when, node, handle)),
                _ => backbone.assume(cx, &mut heap, reference, chosen, Term::TRUE),
            }
        });
        if backbone.len() > before {
            let object = value.as_location().expect("only an object enters the backbone");
            Rc::make_mut(objects)[object as usize].node = before;
        }
        cx.terms.and(clause, facts)
    }

    /// Marks the alternatives of a reference that the statements exclude or permit, all at once: most of them are never tried then.
    pub(super) fn refuse(&self, cx: &mut Context, place: Holder, symbol: Term, cases: &mut [Case<Change>]) {
        if cx.origins().hex.semantics != Semantics::Hex {
            return;
        }
        let (class, held) = self.held(cx, place);
        let reference = Reference { symbol, class, owner: held.owner(), handle: u32::MAX };
        let alias = |case: &Case<Change>| match case.change {
            Some(Change::Bind(Bind { target: Target::Alias(object), .. })) => Some(self.objects[object as usize].node),
            _ => None,
        };
        let nodes = cases.iter().filter_map(alias);
        let Some(opinion) = self.backbone.opinion(cx, &reference, nodes) else { return };
        let mut aliases = opinion.verdicts.iter().flat_map(|verdicts| &verdicts.aliases);
        for case in cases {
            let Some(Change::Bind(bind)) = &mut case.change else { continue };
            let (when, verdict) = match (bind.target, &opinion.verdicts) {
                (Target::Null, verdicts) => (When::Null, verdicts.as_ref().map(|v| v.null)),
                (Target::Fresh, verdicts) => (When::Expand, verdicts.as_ref().map(|v| v.fresh)),
                (Target::Alias(_), _) => (When::Alias, aliases.next().copied()),
            };
            match verdict.unwrap_or(Term::TRUE) {
                Term::FALSE => case.refused = true,
                verdict => bind.known = opinion.known(when, verdict),
            }
        }
    }

    /// The declared class of an unresolved reference, and what holds it.
    fn held(&self, cx: &mut Context, place: Holder) -> (ClassId, Held) {
        match place {
            Holder::Cell { object, field } => {
                let Type::Ref(class) = cx.program.field(field).ty else { unreachable!("only references are resolved") };
                (class, Held::Field(self.objects[object as usize].node, field))
            }
            Holder::Symbol(symbol) => {
                let class = cx.declared_class(symbol);
                let node = |holder: Symbol| {
                    self.objects.iter().find(|o| o.origin == Some(holder)).expect("its holder is an object").node
                };
                let held = match cx.standing(symbol) {
                    Standing::Input(root) => Held::Input(root),
                    Standing::Field(holder, field) => Held::Field(node(holder), field),
                    Standing::Element(array, index) => Held::Element(node(array), index),
                };
                (class, held)
            }
        }
    }
}

/// The symbol of an unresolved reference.
fn symbol_at(cx: &mut Context, objects: &[super::Object], place: Holder) -> Term {
    match place {
        Holder::Cell { object, field } => {
            cx.field_symbol(objects[object as usize].origin.expect("an input object"), field)
        }
        Holder::Symbol(symbol) => cx.terms.symbol_info(symbol).term,
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
            Held::Field(node, field) => Owner::Node { node: *node, selector: Selector::Field(*field) },
            Held::Element(node, index) => Owner::Element { objects: vec![(Term::TRUE, *node)], index: *index },
        }
    }
}

impl Heap {
    /// What the invariants keep.
    pub fn backbone(&self) -> &Backbone {
        &self.backbone
    }

    /// The number of the object that is a node of the backbone.
    pub fn object_of(&self, node: u32) -> u32 {
        self.objects.iter().position(|object| object.node == node).expect("a node is an object") as u32
    }

    /// What events ask.
    pub fn initial_heap(&mut self) -> impl InitialHeap + '_ {
        Initial { objects: &self.objects, cells: &mut self.cells, named: &mut self.named }
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
            let change = Change::bind(Holder::Symbol(symbol), target);
            let clause = self.apply(cx, &mut heap.clone(), change);
            any = cx.terms.or(any, clause);
        }
        any
    }
}

/// Whether it is not enough for the invariants that a reference is not null: events count objects, formulas combine what is known of
/// several references, and what another reference may be an alias of depends on the objects that are there.
pub(super) fn needs_objects(cx: &Context) -> bool {
    cx.invariant.is_some() && {
        let hex = &cx.known_origins().hex;
        let of_others = |statement: &Statement| {
            let clauses = &statement.clauses;
            let is_alias = clauses.contains(&Clause::ExpandsToNothing) && !clauses.contains(&Clause::AliasesNothing);
            let names = |clause: &Clause| matches!(clause, Clause::Aliases(_) | Clause::NeverAliases(_));
            is_alias || clauses.iter().any(names) || !statement.events.is_empty()
        };
        !hex.formulas.is_empty() || hex.statements.iter().any(of_others)
    }
}

/// What the objects are called in the backbone: their symbols tell them apart.
const UNNAMED: u32 = 0;

/// The initial heap, without what the invariants keep of it.
struct Initial<'a> {
    objects: &'a [super::Object],
    cells: &'a mut Rc<Vec<Cell>>,
    named: &'a mut Rc<Vec<(u32, FieldId, Symbol)>>,
}

impl Initial<'_> {
    /// The number of a node's object.
    fn object(&self, cx: &Context, node: &Node) -> u32 {
        let symbol = cx.terms.as_symbol(node.symbol);
        let at = self.objects.iter().position(|object| object.origin == symbol);
        at.expect("a node is an object") as u32
    }
}

impl InitialHeap for Initial<'_> {
    fn initial(&mut self, cx: &mut Context, _: &Backbone, node: &Node, field: FieldId, facts: &mut Term) -> Term {
        let number = self.object(cx, node);
        let object = &self.objects[number as usize];
        let origin = object.origin.expect("an input object");
        // A field of a subclass: in objects of another one, its cell is that of another field. A read will name it alike.
        if !cx.program.is_subclass(node.class, cx.program.field(field).class) {
            let value = cx.field_symbol(origin, field);
            let name = (number, field, cx.terms.as_symbol(value).expect("a name is a symbol"));
            if !self.named.contains(&name) {
                Rc::make_mut(self.named).push(name);
            }
            return value;
        }
        let at = (object.first + cx.program.field(field).slot) as usize;
        if let Some(initial) = self.cells[at].initial {
            return initial;
        }
        let value = cx.field_symbol(origin, field);
        let value = crate::java::given_field(cx, value, field, facts).unwrap_or(value);
        let cell = &mut Rc::make_mut(self.cells)[at];
        // What the program wrote before stays.
        *cell = Cell { current: cell.current.or(Some(value)), initial: Some(value) };
        value
    }

    fn reference(&self, node: &Node) -> Term {
        Term::location(node.handle)
    }
}
