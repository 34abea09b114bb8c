//! Elements of arrays: a reference among them is a constant, so that its place is decided where it is not known.

use lazuli_logic::{Symbol, Term};
use lazuli_program::ir::Type;

use super::{Change, Heap, Lazy};
use crate::context::Context;
use crate::heap::arrays::{Arrays, Before};
use crate::heap::{Cases, Elements, Found};
use crate::outcome::NULL_POINTER;

impl Elements for Lazy {
    fn arrays<'h>(&self, heap: &'h mut Heap) -> &'h mut Arrays {
        &mut heap.arrays
    }

    fn input_symbol(&self, cx: &Context, heap: &Heap, leaf: Term) -> Option<Symbol> {
        let object = if heap.is_open(cx, leaf) { None } else { heap.resolution(cx, leaf).as_location() };
        heap.origin(object?)
    }

    fn element(
        &self,
        cx: &mut Context,
        heap: &mut Heap,
        array: Term,
        index: Term,
        element: Type,
        cases: &mut Cases<Change>,
    ) {
        let array = heap.resolution(cx, array);
        let Some(object) = array.as_location() else { return cases.only(Found::Throw(NULL_POINTER)) };
        let possible = heap.possible_classes(cx, object);
        let element = crate::java::element_among(cx, &possible, element).unwrap_or(element);
        let before = match heap.origin(object) {
            Some(symbol) => Before::Unknown(symbol),
            None => Before::Default(cx.default_value(crate::java::cell(element))),
        };
        let mut arrays = std::mem::take(&mut heap.arrays);
        if element.is_ref() {
            self.read_reference(cx, &mut arrays, array, before, index, element, cases);
        } else {
            let value = arrays.read(cx, array, before, index, element, crate::java::input_element(element));
            cases.bounded(cx, Term::TRUE, Found::Value(value));
        }
        heap.arrays = arrays;
    }

    fn set_element(
        &self,
        cx: &mut Context,
        heap: &mut Heap,
        array: Term,
        index: Term,
        value: Term,
        cases: &mut Cases<Change>,
    ) {
        let array = heap.resolution(cx, array);
        // References are constants here: where the place of one is not known, it is decided.
        let length = heap.arrays.dense(cx, array).map_or(0, |elements| elements.len());
        let object = array.as_location().filter(|_| length > 0 && cx.terms.as_bits(index).is_none());
        if let Some(object) = object {
            let class = heap.object(cx, object).class;
            if cx.element_of(class).is_some_and(|element| element.is_ref()) {
                for at in 0..length as u32 {
                    let number = cx.terms.bits(32, at as u64);
                    let here = cx.terms.eq(index, number);
                    if here != Term::FALSE {
                        let change = Change::Element { array: object, index: at, value };
                        cases.push(here, here != Term::TRUE, Some(change), Found::Value(value));
                    }
                }
                return;
            }
        }
        heap.arrays.write(cx, array, Term::TRUE, index, value);
        cases.only(Found::Value(value));
    }
}
