//! What the engine knows of Java beyond its instructions: how objects of the JDK's own classes look, what is true of them in
//! every input, and the part of a state that only Java has.

use lazuli_logic::{BitOp, Symbol, Term};
use lazuli_program::ir::{ClassId, FieldId, MethodId, StrId, Type};
use lazuli_program::library::{LENGTH, Library};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::Context;
use crate::heap::Cases;

/// Statics, class literals and constant strings. Cloned when a state that shares it changes it.
#[derive(Clone, Default)]
pub struct Vm {
    pub statics: FxHashMap<FieldId, Term>,
    /// Classes whose initialiser has run, or is running.
    pub initialised: FxHashSet<ClassId>,
    /// Classes whose initialiser has thrown.
    pub failed: FxHashSet<ClassId>,
    /// The objects that stand for classes, and the classes they stand for.
    pub mirrors: FxHashMap<ClassId, Term>,
    pub classes: FxHashMap<Term, ClassId>,
    /// Objects of which there is one, mostly by their class.
    pub singletons: FxHashMap<&'static str, Term>,
    /// The objects of constant strings.
    pub strings: FxHashMap<StrId, Term>,
    /// Strings that stand for texts which were not put together: whoever looks into one stops the path.
    pub untold: FxHashSet<Term>,
    /// The calls of methods of the environment: the method, its arguments, and what it gave.
    pub calls: Vec<(MethodId, Vec<Term>, Term)>,
    /// How many inputs of a name the path has made.
    pub inputs: FxHashMap<String, u32>,
}

/// Members of the JDK that the engine itself touches.
#[derive(Clone, Debug)]
pub struct Known {
    pub string: ClassId,
    pub string_value: FieldId,
    pub string_coder: FieldId,
    /// Fields of a string that cache something.
    string_caches: Vec<FieldId>,
    pub class: ClassId,
    pub bytes: ClassId,
}

impl Known {
    /// `None` if the JDK's classes do not look as expected.
    pub fn find(library: &Library) -> Option<Known> {
        let string = library.class_id("java/lang/String");
        let field = |name: &str, descriptor: &str| library.find_field(string, &name.into(), &descriptor.into());
        Some(Known {
            string,
            string_value: field("value", "[B")?,
            string_coder: field("coder", "B")?,
            string_caches: [field("hash", "I"), field("hashIsZero", "Z")].into_iter().flatten().collect(),
            class: library.class_id("java/lang/Class"),
            bytes: library.class_id("[B"),
        })
    }
}

/// Whether the object in a field belongs to its holder alone: nobody can tell whether two strings share their characters.
pub fn is_owned(cx: &Context, field: FieldId) -> bool {
    cx.known.as_ref().is_some_and(|known| known.string_value == field)
}

/// The name of the initial value of a field, and what the program sees there.
pub fn input_field<C>(cx: &mut Context, holder: Symbol, field: FieldId, cases: &mut Cases<C>) -> (Term, Term) {
    let symbol = cx.field_symbol(holder, field);
    match given_field(cx, symbol, field, cases) {
        Some(given) => (given, given),
        None => (symbol, symbol),
    }
}

/// The value that a field has in every input, if there is one; otherwise what is true of it.
pub fn given_field<C>(cx: &mut Context, symbol: Term, field: FieldId, cases: &mut Cases<C>) -> Option<Term> {
    let library = cx.library()?;
    if field == LENGTH {
        let name = cx.terms.as_symbol(symbol).expect("a length is a symbol");
        let of_string = match cx.terms.symbol_info(name).origin {
            lazuli_logic::Origin::Field { holder, .. } => cx.terms.symbol_info(holder).unique,
            _ => false,
        };
        let most = if of_string { library.world.max_string } else { library.world.max_array };
        let kind = if of_string { "strings" } else { "arrays" };
        let option = if of_string { "--max-string" } else { "--max-array" };
        cx.caveats.insert(format!("input {kind} have at most {most} elements ({option})"));
        let (zero, most) = (cx.int(0), cx.int(most as i64));
        let negative = cx.terms.bit_op(BitOp::SLt, symbol, zero);
        let longer = cx.terms.bit_op(BitOp::SLt, most, symbol);
        let wrong = cx.terms.or(negative, longer);
        let fact = cx.terms.not(wrong);
        cases.add_fact(cx, fact);
        return None;
    }
    // Input strings are Latin-1, and have not computed their hash.
    let known = cx.known.as_ref()?;
    if field == known.string_coder || known.string_caches.contains(&field) {
        return Some(cx.default_value(library.field(field).ty));
    }
    None
}

/// Likewise; what is true of the field is added to `facts`.
pub fn given_initial(cx: &mut Context, symbol: Term, field: FieldId, facts: &mut Term) -> Option<Term> {
    let mut cases = Cases::<()>::default();
    let given = given_field(cx, symbol, field, &mut cases);
    *facts = cx.terms.and(*facts, cases.fact);
    given
}

/// The type of an array's elements; `None` if the class is no array.
pub fn element_of(cx: &Context, class: ClassId) -> Option<Type> {
    cx.library()?.java(class).element
}

/// The type of the elements of an array that may have several classes: as exactly as they know it, and of the kind that an instruction
/// asks for, because the program has made sure of that. `None` if none of the classes has such elements.
pub fn element_among(cx: &Context, classes: &[(u32, u32)], asked: Type) -> Option<Type> {
    let numbers = classes.iter().flat_map(|&(low, high)| low..=high);
    let mut elements = numbers.filter_map(|number| element_of(cx, ClassId(number)));
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
