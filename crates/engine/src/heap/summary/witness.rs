//! Between summaries and single inputs: the input that a model describes, and the model that an input is.
//!
//! A symbol names the initial value of a field where one of the guards of its holders holds; elsewhere it names nothing.

use std::collections::BTreeMap;
use std::rc::Rc;

use lazuli_logic::{Model, Symbol, Term};

use super::{Heap, Initial};
use crate::context::Context;
use crate::input::{Assignment, InputHeap};
use crate::witness::{self, Builder, Witness};

impl Heap {
    /// The input that a model of the path describes.
    pub(super) fn witness(&self, cx: &Context, model: &Model) -> Witness {
        let mut builder = Builder::new(cx, model);
        for &(root, _) in self.roots.iter() {
            let symbol = cx.terms.as_symbol(root).expect("an input is a symbol");
            builder.root(cx, symbol);
        }
        for initial in self.initial.iter() {
            let holds = |&&(guard, _): &&(Term, u32)| cx.terms.holds(guard, model);
            let Some(&(_, location)) = initial.holders.iter().find(holds) else { continue };
            let origin = self.objects[location as usize].origin.expect("an input location");
            let Some(index) = builder.object_of(origin) else { continue };
            let class = builder.witness.objects[index].class;
            if cx.program.is_subclass(class, cx.program.field(initial.field).class) {
                let value = builder.value(initial.symbol);
                builder.witness.objects[index].fields.push((initial.field, value));
            }
        }
        builder.elements_where(&self.arrays.initial(), |element| {
            let array = element.array.as_location().expect("an array is a location");
            cx.terms.holds(self.objects[array as usize].created, model) && cx.terms.holds(element.guard, model)
        });
        builder.witness
    }

    /// The values that the symbols have in an input.
    pub(super) fn represents(&self, cx: &Context, input: &InputHeap) -> Rc<Model> {
        let mut naming = Naming { heap: self, cx, input, assignment: Assignment::new(cx, input), names: self.names() };
        for &(root, _) in self.roots.iter() {
            let symbol = cx.terms.as_symbol(root).expect("an input is a symbol");
            naming.assignment.set(symbol, input.path_value(symbol));
        }
        let symbols: Vec<Symbol> = naming.names.keys().copied().collect();
        symbols.into_iter().for_each(|symbol| naming.name(symbol));
        let mut model = Rc::new(naming.assignment.model);
        if let Some(assumptions) = &cx.assumed.0 {
            assumptions.name_objects(cx, &mut model);
        }
        model
    }

    /// What the symbols name that are no inputs.
    fn names(&self) -> BTreeMap<Symbol, Vec<Name>> {
        let fields = self.initial.iter().map(|initial| (initial.symbol, Name::Field(initial.clone())));
        let elements = self.arrays.initial().into_iter().map(|initial| (initial.symbol, Name::Element(initial)));
        let mut names: BTreeMap<Symbol, Vec<Name>> = BTreeMap::new();
        fields.chain(elements).for_each(|(symbol, name)| names.entry(symbol).or_default().push(name));
        names
    }
}

/// What a symbol names.
enum Name {
    Field(Initial),
    Element(witness::Initial),
}

/// Symbols get their values after those that say where they name something: an index may have come out of a field, and a field
/// may be one of an array's element.
struct Naming<'a> {
    heap: &'a Heap,
    cx: &'a Context<'a>,
    input: &'a InputHeap<'a>,
    assignment: Assignment<'a>,
    /// Those that have none yet.
    names: BTreeMap<Symbol, Vec<Name>>,
}

impl Naming<'_> {
    fn name(&mut self, symbol: Symbol) {
        for name in self.names.remove(&symbol).unwrap_or_default() {
            match name {
                Name::Field(initial) => self.name_field(&initial),
                Name::Element(initial) => self.name_element(&initial),
            }
        }
    }

    fn name_all(&mut self, terms: impl IntoIterator<Item = Term>) {
        for term in terms {
            self.cx.terms.symbols_of(term).into_iter().for_each(|symbol| self.name(symbol));
        }
    }

    fn name_field(&mut self, initial: &Initial) {
        let origin = |location: u32| self.heap.objects[location as usize].origin.expect("an input location");
        for &(guard, location) in initial.holders.iter() {
            self.name_all([guard]);
            self.name(origin(location));
        }
        let (cx, model) = (self.cx, &self.assignment.model);
        // Where none of the guards holds, the symbol names nothing and is null by definition.
        let holder = initial.holders.iter().find(|(guard, _)| cx.terms.holds(*guard, model));
        if let Some(&(_, location)) = holder
            && let Some(holder) = self.assignment.object(origin(location))
            && let Some(value) = self.input.field(cx, holder, initial.field)
        {
            self.assignment.set(initial.symbol, value);
        }
    }

    fn name_element(&mut self, initial: &witness::Initial) {
        let array = initial.array.as_location().expect("an array is a location");
        let created = self.heap.objects[array as usize].created;
        self.name_all([created, initial.guard, initial.index]);
        self.name(initial.holder);
        let (cx, model) = (self.cx, &self.assignment.model);
        if cx.terms.holds(created, model)
            && cx.terms.holds(initial.guard, model)
            && let Some(array) = self.assignment.object(initial.holder)
            && let Some(index) = cx.terms.eval(initial.index, model)
            && let Some(value) = self.input.element(array, index)
        {
            self.assignment.set(initial.symbol, value);
        }
    }
}
