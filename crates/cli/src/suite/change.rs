//! What a call has changed of its input.

use lazuli::{Concrete, Ending, Program, Witness, WitnessObject};
use lazuli_program::library::Library;

use crate::report::values::Heap;

/// What is another at the end than it was.
pub enum Change {
    /// A field of an object of the program.
    Field { index: usize, declaring: String, name: String, value: Concrete },
    /// An array or a collection.
    Whole { index: usize },
}

/// What has become of the objects of the input, as far as somebody can see it.
pub fn changed(program: &Program, witness: &Witness, ending: &Ending) -> Vec<Change> {
    let Some(library) = program.library.as_deref() else { return Vec::new() };
    let (before, after) = (Heap::new(program, &witness.objects), Heap::new(program, &ending.objects));
    let mut changes = Vec::new();
    for (index, object) in witness.objects.iter().enumerate() {
        let Some(now) = ending.objects.get(index).filter(|_| object.existing.is_none()) else { continue };
        if before.text_of(index).is_some() || before.boxed(index).is_some() || before.is_text(index) {
            continue;
        }
        if let Some(elements) = before.elements(index) {
            let is_inside = !is_seen(library, witness, index);
            changes.extend((!is_inside && after.elements(index) != Some(elements)).then_some(Change::Whole { index }));
            continue;
        }
        let class = library.internal_name(object.class);
        if !library.path.is_user_class(class) {
            let is_other = before.contents(index).is_some_and(|contents| after.contents(index) != Some(contents));
            changes.extend(is_other.then_some(Change::Whole { index }));
            continue;
        }
        for (field, value) in &now.fields {
            let declared = library.field(*field);
            let known = object.fields.iter().find(|(known, _)| known == field).map(|(_, value)| *value);
            let old = known.unwrap_or(Concrete::default_of(declared.ty));
            let declaring = library.internal_name(declared.class);
            if old != *value && library.path.is_user_class(declaring) {
                changes.push(Change::Field {
                    index,
                    declaring: declaring.into(),
                    name: declared.name.clone(),
                    value: *value,
                });
            }
        }
    }
    changes
}

/// Whether an object of the input belongs to the program, and is not the inside of one of the library's.
fn is_seen(library: &Library, witness: &Witness, index: usize) -> bool {
    let is_users = |object: &WitnessObject| library.path.is_user_class(library.internal_name(object.class));
    let holders =
        witness.objects.iter().filter(|object| is_users(object) || library.java(object.class).element.is_some());
    let of_object = holders.flat_map(|object| {
        object.fields.iter().map(|(_, value)| *value).chain(object.elements.iter().map(|(_, value)| *value))
    });
    of_object.chain(witness.roots.iter().map(|(_, value)| *value)).any(|value| value == Concrete::Object(index))
}
