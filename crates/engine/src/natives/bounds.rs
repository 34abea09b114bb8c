//! Exceptions for indices out of bounds, and their messages.

use lazuli_logic::Term;

use crate::executor::Executor;
use crate::heap::{HeapModel, Memory};
use crate::state::State;
use crate::suspend::{Step, Suspend};

type Heap<M> = <M as Memory>::Heap;

/// An index is out of bounds. Its message needs boxes and formatting; with unknown numbers it is left out.
pub(super) fn exception<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    state.be_quiet(state.frames.len() - 1);
    if args[1..].iter().all(|arg| e.cx.terms.is_constant(*arg)) {
        return e.run_original(state);
    }
    if args[0].is_null() {
        return Err(Suspend::Throw("IndexOutOfBoundsException"));
    }
    let library = e.cx.library().expect("only Java has natives");
    let class = library.class_id("jdk/internal/util/Preconditions");
    for (field, exception) in [
        ("SIOOBE_FORMATTER", "StringIndexOutOfBoundsException"),
        ("AIOOBE_FORMATTER", "ArrayIndexOutOfBoundsException"),
        ("IOOBE_FORMATTER", "IndexOutOfBoundsException"),
    ] {
        let field = library.find_field(class, &field.into(), &"Ljava/util/function/BiFunction;".into());
        if field.is_some_and(|field| e.static_so_far(state, field) == Some(args[0])) {
            return Err(Suspend::Throw(exception));
        }
    }
    e.run_original(state)
}

/// The message, from the kind of check and a list of its numbers. It is written here: the JDK would format it, which takes a whole library.
pub(super) fn message<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let kind = match args[0].is_null() {
        true => None,
        false => e.text_of(state, args[0])?,
    };
    let Some(numbers) = e.listed(state, args[1])? else { return Ok(e.untold_text(state)) };
    let text = match (kind.as_deref(), numbers.as_slice()) {
        (Some("checkIndex"), [index, length]) => format!("Index {index} out of bounds for length {length}"),
        (Some("checkFromToIndex"), [from, to, length]) => {
            format!("Range [{from}, {to}) out of bounds for length {length}")
        }
        (Some("checkFromIndexSize"), [from, size, length]) => {
            format!("Range [{from}, {from} + {size}) out of bounds for length {length}")
        }
        _ => return Ok(e.untold_text(state)),
    };
    let units: Vec<u16> = text.encode_utf16().collect();
    Ok(e.new_string(state, &units))
}

impl<M: HeapModel> Executor<'_, M> {
    /// The numbers of a list that `List.of` has made, if they are known.
    fn listed(&mut self, state: &mut State<M::Heap>, list: Term) -> Step<Option<Vec<i64>>> {
        let library = self.cx.library().expect("only Java has natives");
        let of_list = self.model.classes(&mut self.cx, &state.heap, list);
        let [(class, _)] = of_list.as_slice() else { return Ok(None) };
        let field = |name: &str, descriptor: &str| library.find_field(*class, &name.into(), &descriptor.into());
        let boxes = match library.internal_name(*class) {
            "java/util/ImmutableCollections$List12" => {
                let (first, second) = (field("e0", "Ljava/lang/Object;"), field("e1", "Ljava/lang/Object;"));
                let (Some(first), Some(second)) = (first, second) else { return Ok(None) };
                vec![self.read(state, list, first)?, self.read(state, list, second)?]
            }
            "java/util/ImmutableCollections$ListN" => {
                let Some(elements) = field("elements", "[Ljava/lang/Object;") else { return Ok(None) };
                let array = self.read(state, list, elements)?;
                let Some(elements) = self.elements_of(state, array)? else { return Ok(None) };
                elements.to_vec()
            }
            _ => return Ok(None),
        };
        let value = library.find_field(library.class_id("java/lang/Integer"), &"value".into(), &"I".into());
        let Some(value) = value else { return Ok(None) };
        let mut numbers = Vec::new();
        for number in boxes {
            let number = self.read(state, number, value)?;
            let Some((_, bits)) = self.cx.terms.as_bits(number) else { return Ok(None) };
            numbers.push(i64::from(bits as u32 as i32));
        }
        Ok(Some(numbers))
    }
}
