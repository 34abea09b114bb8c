//! For the unit tests of heap models: a program with one class, operations that have one outcome, and somebody who
//! listens.

use std::cell::RefCell;
use std::rc::Rc;

use lazuli_logic::{Model, Symbol, Term};
use lazuli_program::Program;
use lazuli_program::frontend::load_text;
use lazuli_program::ir::{ClassId, FieldId, Type};

use super::{Cases, Found, Given, HeapModel};
use crate::config::{Config, HeapKind};
use crate::context::{
    Assumed, Assumptions, Call, Context, Decided, Holder, InitialHeap, Opinion, Reference, Resolution, Side, Told,
};

/// `A` has a number and a reference to another `A`.
pub fn program() -> Program {
    load_text("heap.pose", "class A { int v; A next; }\n0".into()).unwrap_or_else(|error| panic!("{error}"))
}

/// A model with a heap of its own.
pub struct Bench<'p, M: HeapModel> {
    pub cx: Context<'p>,
    pub model: M,
    pub heap: M::Heap,
    pub class: ClassId,
    pub v: FieldId,
    pub next: FieldId,
}

impl<'p, M: HeapModel> Bench<'p, M> {
    pub fn new(program: &'p Program, heap: HeapKind, model: M) -> Bench<'p, M> {
        let config = Config { heap, ..Config::default() };
        let class = program.class_named("A").expect("it was declared");
        let field = |name| program.field_named(class, name).expect("it was declared");
        let cx = Context::new(program, &config.setup());
        Bench { cx, model, heap: M::Heap::default(), class, v: field("v"), next: field("next") }
    }

    /// An input that is an `A`, or null.
    pub fn input(&mut self, name: &str) -> Term {
        let ty = Type::Ref(self.class);
        let symbol = self.cx.root_symbol(name, ty);
        self.model.input(&mut self.cx, &mut self.heap, symbol, ty, Given::Nothing)
    }

    /// The receiver of the entry.
    pub fn receiver(&mut self) -> Term {
        let ty = Type::Ref(self.class);
        let symbol = self.cx.root_symbol("this", ty);
        self.model.input(&mut self.cx, &mut self.heap, symbol, ty, Given::Receiver)
    }

    pub fn alloc(&mut self) -> Term {
        self.model.alloc(&mut self.cx, &mut self.heap, self.class)
    }

    pub fn int(&mut self, value: i64) -> Term {
        self.cx.int(value)
    }

    pub fn touch(&mut self, value: Term) -> Cases<M::Change> {
        let mut cases = Cases::default();
        self.model.touch(&mut self.cx, &mut self.heap, value, &mut cases);
        cases
    }

    pub fn get(&mut self, object: Term, field: FieldId) -> Cases<M::Change> {
        let mut cases = Cases::default();
        self.model.get(&mut self.cx, &mut self.heap, object, field, &mut cases);
        cases
    }

    pub fn put(&mut self, object: Term, field: FieldId, value: Term) -> Cases<M::Change> {
        let mut cases = Cases::default();
        self.model.put(&mut self.cx, &mut self.heap, object, field, value, &mut cases);
        cases
    }

    pub fn same(&mut self, a: Term, b: Term) -> Cases<M::Change> {
        let mut cases = Cases::default();
        self.model.same(&mut self.cx, &mut self.heap, a, b, &mut cases);
        cases
    }

    /// Takes a case; gives what the operation gives there.
    pub fn take(&mut self, mut cases: Cases<M::Change>, number: usize) -> Option<Found> {
        let case = cases.list.swap_remove(number);
        if let Some(change) = case.change {
            self.model.apply(&mut self.cx, &mut self.heap, change);
        }
        case.found
    }

    /// The value that an operation gives in the first case.
    pub fn first(&mut self, cases: Cases<M::Change>) -> Term {
        match self.take(cases, 0) {
            Some(Found::Value(value)) => value,
            other => panic!("no value: {other:?}"),
        }
    }

    /// Listens from now on. What is told is written down.
    pub fn listen(&mut self, known: &[(Term, Told)]) -> Rc<RefCell<Vec<String>>> {
        let told = Rc::new(RefCell::new(Vec::new()));
        let listener = Listener { known: known.into(), told: told.clone() };
        (self.cx.listens, self.cx.assumed) = (true, Assumed(Some(Box::new(listener))));
        told
    }
}

/// Somebody who knows what some references are, permits everything, and writes down what he is told.
#[derive(Clone)]
struct Listener {
    known: Rc<[(Term, Told)]>,
    told: Rc<RefCell<Vec<String>>>,
}

impl Listener {
    fn note(&self, text: String) -> Term {
        self.told.borrow_mut().push(text);
        Term::TRUE
    }
}

/// A reference as text: its name and what holds it.
pub fn show(cx: &Context, reference: &Reference) -> String {
    let name = reference.symbol.map_or("?".into(), |symbol| cx.show(symbol));
    let holder = match &reference.holder {
        Holder::Input(name) => format!("input {name}"),
        Holder::Field(object, field) => format!("{object}.{}", cx.program.field(*field).name),
        Holder::OneOf(objects, field) => format!("one of {}, .{}", objects.len(), cx.program.field(*field).name),
        Holder::Element(array, index) => format!("{array}[{}]", cx.show(*index)),
    };
    format!("{name} at {holder}")
}

impl Assumptions for Listener {
    fn copy(&self) -> Box<dyn Assumptions> {
        Box::new(self.clone())
    }

    fn receive(&mut self, cx: &mut Context, _: &mut dyn InitialHeap, reference: Reference) -> Term {
        self.note(format!("received {}", show(cx, &reference)))
    }

    fn weigh(&mut self, _: &mut Context, _: &Reference, _: &mut [(Resolution, Opinion)]) {}

    fn resolved(
        &mut self,
        cx: &mut Context,
        _: &mut dyn InitialHeap,
        reference: &Reference,
        what: Resolution,
        _: Opinion,
    ) -> Term {
        self.note(format!("{} is {what:?}", show(cx, reference)))
    }

    fn loaded(&mut self, cx: &mut Context, _: &mut dyn InitialHeap, reference: &Reference, guard: Term) -> Term {
        self.note(format!("{} where {}", show(cx, reference), cx.show(guard)))
    }

    fn met(&mut self, cx: &mut Context, _: &mut dyn InitialHeap, value: Term, is_sure: bool, _: Term) -> Term {
        self.note(format!("{}{}", cx.show(value), if is_sure { "" } else { " perhaps" }))
    }

    fn told(&self, reference: Term) -> Told {
        self.known.iter().find(|(known, _)| *known == reference).map_or(Told::Open, |(_, told)| *told)
    }

    fn are_apart(&self, _: Term, _: Term) -> bool {
        false
    }

    fn found(&mut self, _: Term) {}

    fn forced(&mut self, _: &mut Context, _: &dyn InitialHeap, _: Term) -> Option<(Resolution, Opinion, Term)> {
        None
    }

    fn looked_at(&mut self, _: &mut Context, _: &dyn InitialHeap, _: Symbol) -> Option<[Side; 2]> {
        None
    }

    fn decided(&mut self, _: &mut Context, _: &mut dyn InitialHeap, _: Option<[Term; 2]>) -> Decided {
        Decided::Nothing
    }

    fn seen(&mut self, _: &mut Context, _: &mut dyn InitialHeap, _: Symbol, _: Resolution, _: Opinion) -> Term {
        Term::TRUE
    }

    fn ask(&mut self, _: &mut Context, _: &mut dyn InitialHeap) -> Term {
        Term::TRUE
    }

    fn take_calls(&mut self) -> Vec<Call> {
        Vec::new()
    }

    fn name_objects(&self, _: &Context, _: &mut Rc<Model>) {}
}
