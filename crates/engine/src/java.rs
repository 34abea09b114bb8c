//! What the engine knows of Java's inputs: how objects of the JDK's own classes look, and what is true of them in every input.

use lazuli_logic::{BitOp, Origin, Symbol, Term};
use lazuli_program::ir::{ClassId, FieldId, Type};
use lazuli_program::library::{LENGTH, Library};

use crate::context::Context;
use crate::scope::LeftOut;
use crate::witness::{Concrete, Witness};

/// The name of the initial value of a field, and what the program sees there.
pub fn input_field(cx: &mut Context, holder: Symbol, field: FieldId, facts: &mut Term) -> (Term, Term) {
    let symbol = cx.field_symbol(holder, field);
    match given_field(cx, symbol, field, facts) {
        Some(given) => (given, given),
        None => (symbol, symbol),
    }
}

/// Likewise, where what a reference denotes is not resolved one by one: then also which constants one of an enum may be is added to `facts`.
pub fn named_field(cx: &mut Context, holder: Symbol, field: FieldId, facts: &mut Term) -> (Term, Term) {
    let (name, value) = input_field(cx, holder, field, facts);
    if let Some(choice) = cx.choice_of(name) {
        *facts = cx.terms.and(*facts, choice.clause);
    }
    (name, value)
}

/// The value that a field has in every input, if there is one; otherwise what is true of it is added to `facts`.
pub fn given_field(cx: &mut Context, symbol: Term, field: FieldId, facts: &mut Term) -> Option<Term> {
    let library = cx.library()?;
    if field == LENGTH {
        let name = cx.terms.as_symbol(symbol).expect("a length is a symbol");
        let Origin::Field { holder, .. } = cx.terms.symbol_info(name).origin else {
            unreachable!("a length is one of an array")
        };
        if let Some(count) = cx.values_of_map(holder) {
            let count = cx.int(i64::from(count));
            let fact = cx.terms.eq(symbol, count);
            *facts = cx.terms.and(*facts, fact);
            return None;
        }
        let library = cx.library()?;
        let array = cx.terms.symbol_info(holder).clone();
        let (most, beyond) = match array.unique {
            true => (library.world.max_string, LeftOut::LongerStrings(library.world.max_string)),
            false => (library.world.max_array, LeftOut::LongerArrays(library.world.max_array)),
        };
        let (zero, most) = (cx.int(0), cx.int(most as i64));
        let negative = cx.terms.bit_op(BitOp::SLt, symbol, zero);
        let longer = cx.terms.bit_op(BitOp::SLt, most, symbol);
        let is_array = cx.terms.ne(array.term, Term::NULL);
        let left_out = cx.terms.and(is_array, longer);
        cx.leave_out(beyond, left_out);
        let wrong = cx.terms.or(negative, longer);
        let fact = cx.terms.not(wrong);
        *facts = cx.terms.and(*facts, fact);
        return None;
    }
    if is_load_factor(library, field) {
        return Some(cx.terms.float(32, u64::from(LOAD_FACTOR.to_bits())));
    }
    if let Some(fact) = cx.over_constants(symbol, field) {
        *facts = cx.terms.and(*facts, fact);
        return None;
    }
    // Input strings are Latin-1, and have not computed their hash.
    let (library, known) = (cx.library()?, cx.known.as_ref()?);
    if field == known.string_coder || known.string_caches.contains(&field) {
        return Some(cx.default_value(library.field(field).ty));
    }
    None
}

/// What the tables of input maps have: few programs choose another.
const LOAD_FACTOR: f32 = 0.75;

fn is_load_factor(library: &Library, field: FieldId) -> bool {
    let field = library.field(field);
    if field.ty != Type::Float {
        return false;
    }
    let is_map = library.internal_name(field.class) == "java/util/HashMap";
    is_map && field.name == "loadFactor" && library.has_valid_inputs()
}

/// What every input has that is not a default is in a witness too.
pub(crate) fn fill_given(cx: &Context, witness: &mut Witness) {
    let Some(library) = cx.library().filter(|library| library.has_valid_inputs()) else { return };
    for object in witness.objects.iter_mut().filter(|object| object.existing.is_none()) {
        let layout = &cx.program.class(object.class).layout;
        if let Some(&field) = layout.iter().find(|field| is_load_factor(library, **field)) {
            object.fields.retain(|(known, _)| *known != field);
            object.fields.push((field, Concrete::Float(LOAD_FACTOR.to_bits())));
        }
    }
}

/// The type of the elements of an array that may have several classes: as exactly as they know it, and of the kind that an instruction
/// asks for, because the program has made sure of that. `None` if none of the classes has such elements.
pub fn element_among(cx: &Context, classes: &[(u32, u32)], asked: Type) -> Option<Type> {
    let numbers = classes.iter().flat_map(|&(low, high)| low..=high);
    let mut elements = numbers.filter_map(|number| cx.element_of(ClassId(number)));
    elements.find(|element| cell(*element) == cell(asked) || element.is_ref() && asked.is_ref())
}

/// What an element is kept as: booleans as bytes, because one instruction serves both.
pub fn cell(element: Type) -> Type {
    if element == Type::Bool { Type::Byte } else { element }
}

/// What the program sees of an initial element.
pub fn input_element(element: Type) -> impl FnOnce(&mut Context, Term) -> Term {
    move |cx, symbol| match element {
        Type::Bool => {
            let (one, zero) = (cx.terms.bits(8, 1), cx.terms.bits(8, 0));
            cx.terms.ite(symbol, one, zero)
        }
        _ => symbol,
    }
}
