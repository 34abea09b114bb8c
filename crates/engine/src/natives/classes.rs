//! Objects and the objects that stand for classes.

use std::rc::Rc;

use lazuli_logic::Term;
use lazuli_program::ir::{ClassId, Type};
use lazuli_program::library::{LENGTH, access};

use crate::arith;
use crate::executor::Executor;
use crate::heap::{HeapModel, Memory};
use crate::scope::Taken;
use crate::state::State;
use crate::suspend::{Step, Suspend, unsupported};

type Heap<M> = <M as Memory>::Heap;

impl<M: HeapModel> Executor<'_, M> {
    fn yes_no(&mut self, holds: bool) -> Step<Term> {
        Ok(self.cx.int(holds as i64))
    }

    /// The text of a string, if it is constant. Halves of surrogate pairs are lost.
    pub(crate) fn text_of(&mut self, state: &mut State<M::Heap>, string: Term) -> Step<Option<String>> {
        Ok(self.units_of(state, string)?.map(|units| String::from_utf16_lossy(&units)))
    }

    /// Likewise, as Java has it.
    pub(crate) fn units_of(&mut self, state: &mut State<M::Heap>, string: Term) -> Step<Option<Vec<u16>>> {
        let Some(known) = self.cx.known.clone().filter(|_| string.as_location().is_some()) else { return Ok(None) };
        let value = self.read(state, string, known.string_value)?;
        // Nobody has looked into this string of a witness: a machine is given an empty one.
        if value.is_null() {
            return Ok(Some(Vec::new()));
        }
        let coder = self.read(state, string, known.string_coder)?;
        let Some(elements) = self.elements_of(state, value)? else { return Ok(None) };
        let bytes: Option<Vec<u8>> = elements.iter().map(|e| self.cx.terms.as_bits(*e).map(|(_, b)| b as u8)).collect();
        let coder = self.cx.terms.as_bits(coder).map(|(_, coder)| coder);
        Ok(bytes.zip(coder).map(|(bytes, coder)| match coder {
            0 => bytes.iter().map(|byte| *byte as u16).collect(),
            _ => bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect(),
        }))
    }
}

impl<M: HeapModel> Executor<'_, M> {
    /// The elements of an array that is not null, if they are side by side and it is known how many there are.
    pub(crate) fn elements_of(&mut self, state: &mut State<M::Heap>, array: Term) -> Step<Option<Rc<Vec<Term>>>> {
        let Some(elements) = self.model.arrays(&mut state.heap).dense(&self.cx, array).cloned() else {
            return Ok(None);
        };
        let length = self.read(state, array, LENGTH)?;
        let length = self.cx.terms.as_bits(length).map(|(_, length)| length as usize);
        Ok(Some(elements).filter(|elements| length == Some(elements.len())))
    }
}

pub(super) fn identity_hash_code<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    args: &[Term],
) -> Step<Term> {
    if args[0].is_null() {
        return Ok(e.cx.int(0));
    }
    if e.is_null(state, args[0])? {
        return Ok(e.cx.int(0));
    }
    e.identity_hash(state, args[0])
}

pub(super) fn get_class<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    e.asked_class(state, args[0]);
    let classes = e.model.classes(&mut e.cx, &state.heap, args[0]);
    let mut value = None;
    for (class, guard) in classes.into_iter().rev() {
        let mirror = e.mirror(class);
        value = Some(match value {
            None => mirror,
            Some(other) => e.cx.terms.ite(guard, mirror, other),
        });
    }
    match value {
        Some(value) if e.model.enumerates() && value.as_location().is_none() => decide_class(e, state, args[0]),
        Some(value) => Ok(value),
        None => Err(Suspend::Throw(crate::outcome::NULL_POINTER)),
    }
}

/// Where references are constants, the class is decided here.
fn decide_class<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, value: Term) -> Step<Term> {
    let classes = e.model.classes(&mut e.cx, &state.heap, value);
    let guards: Vec<Term> = classes.iter().map(|(_, guard)| *guard).collect();
    let (class, _) = classes[e.choose(state, &guards, true)?];
    Ok(e.mirror(class))
}

/// Assertions are enabled in the program, and not in the JDK.
pub(super) fn assertions_enabled<M: HeapModel>(
    e: &mut Executor<M>,
    _: &mut State<Heap<M>>,
    args: &[Term],
) -> Step<Term> {
    let is_enabled = e.mirrored(args[0]).is_some_and(|class| e.is_program(class));
    e.yes_no(is_enabled)
}

/// Wraps a question about the class that an object stands for.
pub(super) fn about<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    mirror: Term,
    what: &str,
    answer: impl FnOnce(&mut Executor<M>, &mut State<Heap<M>>, ClassId) -> Step<Term>,
) -> Step<Term> {
    let class = e.the_class(state, mirror, || format!("Class.{what} of a class that is not known"))?;
    answer(e, state, class)
}

pub(super) fn is_array<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    about(e, state, args[0], "isArray", |e, _, class| {
        let is = e.cx.element_of(class).is_some();
        e.yes_no(is)
    })
}

/// The class that stands for a primitive type: it has no members, only a name.
fn primitive<M: HeapModel>(e: &Executor<M>, class: ClassId) -> Option<Type> {
    crate::context::primitive(e.cx.library()?, class)
}

pub(super) fn is_primitive<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    about(e, state, args[0], "isPrimitive", |e, _, class| {
        let is = primitive(e, class).is_some();
        e.yes_no(is)
    })
}

fn flag<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    mirror: Term,
    what: &str,
    flag: u16,
) -> Step<Term> {
    about(e, state, mirror, what, |e, _, class| {
        let is = primitive(e, class).is_none() && e.cx.library().expect("only Java has natives").java(class).is(flag);
        e.yes_no(is)
    })
}

pub(super) fn is_interface<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    flag(e, state, args[0], "isInterface", access::INTERFACE)
}

pub(super) fn is_enum<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    flag(e, state, args[0], "isEnum", access::ENUM)
}

pub(super) fn is_record<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    about(e, state, args[0], "isRecord", |e, _, class| {
        let library = e.cx.library().expect("only Java has natives");
        e.yes_no(library.java(class).file.as_ref().is_some_and(|file| file.record.is_some()))
    })
}

pub(super) fn is_instance<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let object = args[1];
    about(e, state, args[0], "isInstance", |e, state, class| {
        let is = e.instance_of(state, object, class)?;
        Ok(arith::truth(&mut e.cx.terms, is))
    })
}

pub(super) fn is_assignable_from<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    args: &[Term],
) -> Step<Term> {
    e.check_null(state, args[1])?;
    about(e, state, args[0], "isAssignableFrom", |e, state, class| {
        let sub = e.the_class(state, args[1], || "Class.isAssignableFrom of a class that is not known".into())?;
        let primitives = primitive(e, class).is_some() || primitive(e, sub).is_some();
        let is = class == sub || !primitives && e.cx.program.is_subclass(sub, class);
        e.yes_no(is)
    })
}

pub(super) fn component_type<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    args: &[Term],
) -> Step<Term> {
    about(e, state, args[0], "getComponentType", |e, _, class| {
        let library = e.cx.library().expect("only Java has natives");
        Ok(match e.cx.element_of(class) {
            None => Term::NULL,
            Some(Type::Ref(element)) => e.mirror(element),
            Some(element) => {
                let name = crate::context::primitive_name(element).expect("a primitive has a name");
                e.mirror(library.class_id(name))
            }
        })
    })
}

pub(super) fn superclass<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    about(e, state, args[0], "getSuperclass", |e, _, class| {
        let library = e.cx.library().expect("only Java has natives");
        if primitive(e, class).is_some() || library.java(class).is(access::INTERFACE) {
            return Ok(Term::NULL);
        }
        Ok(library.class(class).superclass.map_or(Term::NULL, |above| e.mirror(above)))
    })
}

pub(super) fn name<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    about(e, state, args[0], "getName", |e, state, class| {
        let library = e.cx.library().expect("only Java has natives");
        let name = library.text_id(&library.internal_name(class).replace('/', "."));
        Ok(e.constant_string(state, name))
    })
}

pub(super) fn simple_name<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    about(e, state, args[0], "getSimpleName", |e, state, class| {
        let library = e.cx.library().expect("only Java has natives");
        let internal = library.internal_name(class);
        let inner = library.java(class).file.as_ref().and_then(|file| {
            let own = file.inner_classes.iter().find(|inner| *inner.inner == *internal)?;
            Some(own.simple_name.as_ref().map_or_else(String::new, |name| name.to_string()))
        });
        let simple = inner.unwrap_or_else(|| match internal.starts_with('[') {
            true => library.class(class).name.rsplit('.').next().unwrap_or_default().to_string(),
            false => internal.rsplit('/').next().unwrap_or(internal).to_string(),
        });
        let name = library.text_id(&simple);
        Ok(e.constant_string(state, name))
    })
}

/// `None` for local and anonymous classes.
fn canonical(library: &lazuli_program::library::Library, class: ClassId) -> Option<String> {
    if let Some(element) = library.java(class).element {
        let element = match element {
            Type::Ref(element) => canonical(library, element)?,
            _ => return Some(library.class(class).name.clone()),
        };
        return Some(element + "[]");
    }
    let internal = library.internal_name(class);
    let file = library.java(class).file.as_ref();
    let inner = file.and_then(|file| file.inner_classes.iter().find(|inner| *inner.inner == *internal));
    match inner {
        None => Some(internal.replace('/', ".")),
        Some(inner) => {
            let outer = canonical(library, library.class_id(inner.outer.as_ref()?))?;
            Some(format!("{outer}.{}", inner.simple_name.as_ref()?))
        }
    }
}

pub(super) fn canonical_name<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    args: &[Term],
) -> Step<Term> {
    about(e, state, args[0], "getCanonicalName", |e, state, class| {
        let library = e.cx.library().expect("only Java has natives");
        match canonical(library, class) {
            Some(name) => Ok(e.constant_string(state, library.text_id(&name))),
            None => Ok(Term::NULL),
        }
    })
}

/// A handle that nobody looks into.
fn new_handle<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>) -> Step<Term> {
    let class = e.cx.library().expect("only Java has natives").class_id("java/lang/invoke/VarHandle");
    Ok(e.model.alloc(&mut e.cx, &mut state.heap, class))
}

/// A handle of the elements of arrays.
pub(super) fn element_handle<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    args: &[Term],
) -> Step<Term> {
    about(e, state, args[0], "arrayElementVarHandle", |e, state, class| {
        if e.cx.element_of(class).is_none() {
            return Err(Suspend::Throw("java/lang/IllegalArgumentException"));
        }
        new_handle(e, state)
    })
}

/// Whether a reference object holds this object.
pub(super) fn refers_to<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let reference = e.cx.library().expect("only Java has natives").class_id("java/lang/ref/Reference");
    let Some(field) = e.cx.program.field_named(reference, "referent") else {
        return unsupported("Reference.refersTo");
    };
    let held = e.read(state, args[0], field)?;
    let same = e.cx.terms.eq(held, args[1]);
    if e.model.enumerates() && same.as_bool().is_none() {
        return unsupported("Reference.refersTo of an input");
    }
    Ok(arith::truth(&mut e.cx.terms, same))
}

/// A reference object holds nothing any more.
pub(super) fn clear_reference<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    args: &[Term],
) -> Step<Term> {
    let reference = e.cx.library().expect("only Java has natives").class_id("java/lang/ref/Reference");
    match e.cx.program.field_named(reference, "referent") {
        Some(field) => e.write(state, args[0], field, Term::NULL),
        None => unsupported("Reference.clear"),
    }
}

/// The class whose method called the method that asks.
pub(super) fn caller_class<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, _: &[Term]) -> Step<Term> {
    let caller = state.frames.len().checked_sub(3).map(|at| state.frames[at].method);
    match caller.and_then(|method| e.cx.program.method(method).class) {
        Some(class) => Ok(e.mirror(class)),
        None => Ok(Term::NULL),
    }
}

/// `en_US`, which is a constant of the class already when its initialiser asks.
pub(super) fn default_locale<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, _: &[Term]) -> Step<Term> {
    e.cx.take_for_granted(Taken::Locale);
    let library = e.cx.library().expect("only Java has natives");
    let locale = library.class_id("java/util/Locale");
    match library.find_field(locale, &"US".into(), &"Ljava/util/Locale;".into()) {
        Some(field) => e.get_static(state, field),
        None => unsupported("the default locale"),
    }
}

pub(super) fn primitive_class<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    args: &[Term],
) -> Step<Term> {
    let library = e.cx.library().expect("only Java has natives");
    match e.text_of(state, args[0])? {
        Some(name) => Ok(e.mirror(library.class_id(&name))),
        None => unsupported("Class.getPrimitiveClass of an unknown name"),
    }
}

/// What `values()` of an enum gives: its own static array, after the class has been initialised.
pub(super) fn enum_constants<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    args: &[Term],
) -> Step<Term> {
    about(e, state, args[0], "getEnumConstantsShared", |e, state, class| {
        let library = e.cx.library().expect("only Java has natives");
        if !library.java(class).is(access::ENUM) {
            return Ok(Term::NULL);
        }
        if !state.vm.is_initialised(class) {
            e.init_class(state, class)?;
            return Err(Suspend::Detour);
        }
        let array = format!("[L{};", library.internal_name(class));
        match library.find_field(class, &"$VALUES".into(), &array.as_str().into()) {
            Some(field) => e.get_static(state, field),
            None => Ok(Term::NULL),
        }
    })
}

/// The constant with the same text; a string that is not constant cannot be interned.
pub(super) fn intern<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let library = e.cx.library().expect("only Java has natives");
    match e.units_of(state, args[0])? {
        Some(units) => {
            let id = library.string_id(&units.into());
            let strings = &mut Rc::make_mut(&mut state.vm).strings;
            let known = *Rc::make_mut(strings).entry(id).or_insert(args[0]);
            Ok(known)
        }
        None => unsupported("String.intern of a string that is not constant"),
    }
}
