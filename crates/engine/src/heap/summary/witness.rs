//! Between summaries and single inputs: the input that a model describes, and the model that an input is.
//!
//! A symbol names the initial value of a field where one of the guards of its holders holds; elsewhere it names nothing.

use std::rc::Rc;

use lazuli_logic::{Model, Term};

use super::Heap;
use crate::context::Context;
use crate::input::{Assignment, InputHeap};
use crate::witness::{Builder, Witness};

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
        let mut assignment = Assignment::new(cx, input);
        for &(root, _) in self.roots.iter() {
            let symbol = cx.terms.as_symbol(root).expect("an input is a symbol");
            assignment.set(symbol, input.path_value(symbol));
        }
        for initial in self.initial.iter() {
            let holds = |&&(guard, _): &&(Term, u32)| cx.terms.holds(guard, &assignment.model);
            // Where none of the guards holds, the symbol names nothing and is null by definition.
            let Some(&(_, location)) = initial.holders.iter().find(holds) else { continue };
            let origin = self.objects[location as usize].origin.expect("an input location");
            if let Some(holder) = assignment.object(origin)
                && let Some(value) = input.field(cx, holder, initial.field)
            {
                assignment.set(initial.symbol, value);
            }
        }
        let mut model = Rc::new(assignment.model);
        if let Some(assumptions) = &cx.assumed.0 {
            assumptions.name_objects(cx, &mut model);
        }
        model
    }
}
