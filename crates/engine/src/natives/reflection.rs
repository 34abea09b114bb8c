//! Reflection on constants.

use lazuli_logic::Term;
use lazuli_program::bytecode::descriptor;
use lazuli_program::ir::{ClassId, Type};
use lazuli_program::library::{Library, access};

use super::classes::about;
use crate::executor::{Executor, Native};
use crate::heap::{HeapModel, Memory};
use crate::state::State;
use crate::suspend::{Step, Suspend, unsupported};

type Heap<M> = <M as Memory>::Heap;

pub(super) fn find<M: HeapModel>(key: &str) -> Option<Native<M>> {
    let native: Native<M> = match key {
        "java/lang/Class.forName0(Ljava/lang/String;ZLjava/lang/ClassLoader;Ljava/lang/Class;)Ljava/lang/Class;" => {
            for_name
        }
        "java/lang/Class.getModifiers()I" => modifiers,
        "java/lang/Class.getInterfaces0()[Ljava/lang/Class;" => interfaces,
        "java/lang/Class.getDeclaringClass0()Ljava/lang/Class;" => declaring_class,
        "java/lang/Class.isRecord0()Z" => super::classes::is_record,
        "java/lang/Class.isHidden()Z" => is_hidden,
        "jdk/internal/reflect/Reflection.getClassAccessFlags(Ljava/lang/Class;)I" => access_flags,
        _ => return None,
    };
    Some(native)
}

/// The class that `Class.forName` means by a name, or what the exception says of one that there is not.
fn named(library: &Library, name: &str) -> Result<ClassId, String> {
    let internal = name.replace('.', "/");
    let is_name = match name.starts_with('[') {
        true => descriptor::is_field(&internal),
        // The machine takes a slash at the end for a part of the name.
        false => descriptor::is_class_name(internal.strip_suffix('/').unwrap_or(&internal)),
    };
    if name.contains('/') {
        return Err(name.into());
    }
    if !is_name || name.contains('\0') {
        return Err(internal);
    }
    // The elements of an array have to be there, too.
    let innermost = internal.trim_start_matches('[');
    let element = match internal.starts_with('[') {
        true => innermost.strip_prefix('L').map(|class| class.trim_end_matches(';')),
        false => Some(innermost),
    };
    let missing = element.is_some_and(|class| !matches!(library.path.find(class), Ok(Some(_))));
    if missing { Err(name.into()) } else { Ok(library.class_id(&internal)) }
}

fn for_name<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let library = e.cx.library().expect("only Java has natives");
    e.check_null(state, args[0])?;
    let Some(name) = e.text_of(state, args[0])? else { return unsupported("Class.forName of an unknown name") };
    let class = match named(library, &name) {
        Ok(class) => class,
        Err(message) => {
            e.throw_with_message(state, "ClassNotFoundException", &message)?;
            return Err(Suspend::Detour);
        }
    };
    let initialise = e.cx.terms.as_bits(args[1]).is_some_and(|(_, initialise)| initialise != 0);
    if initialise && library.java(class).needs_initializing && !state.vm.is_initialised(class) {
        e.init_class(state, class)?;
        return Err(Suspend::Detour);
    }
    Ok(e.mirror(class))
}

/// As `Class.getModifiers` has them: those of an inner class are where its outer class declares it.
fn modifiers_of(library: &Library, class: ClassId) -> u16 {
    const SEEN: u16 = 0x7FFF & !access::SUPER;
    let java = library.java(class);
    let internal = library.internal_name(class);
    if internal.starts_with('[') {
        let of_element = match java.element {
            Some(Type::Ref(element)) => modifiers_of(library, element),
            _ => access::PUBLIC,
        };
        return of_element & (access::PUBLIC | access::PRIVATE | access::PROTECTED) | access::FINAL | access::ABSTRACT;
    }
    let Some(file) = &java.file else { return access::PUBLIC | access::FINAL | access::ABSTRACT };
    let inner = file.inner_classes.iter().find(|inner| *inner.inner == *internal);
    inner.map_or(file.access.0, |inner| inner.access.0) & SEEN
}

fn modifiers<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    about(e, state, args[0], "getModifiers", |e, _, class| {
        let modifiers = modifiers_of(e.cx.library().expect("only Java has natives"), class);
        Ok(e.cx.int(modifiers as i64))
    })
}

/// Those of the class file itself.
fn access_flags<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    about(e, state, args[0], "getClassAccessFlags", |e, _, class| {
        let library = e.cx.library().expect("only Java has natives");
        let flags =
            library.java(class).file.as_ref().map_or_else(|| modifiers_of(library, class), |file| file.access.0);
        Ok(e.cx.int(flags as i64))
    })
}

fn interfaces<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    about(e, state, args[0], "getInterfaces", |e, state, class| {
        let library = e.cx.library().expect("only Java has natives");
        let mirrors = library.java(class).interfaces.iter().map(|interface| e.mirror(*interface)).collect();
        Ok(e.array_with(state, "[Ljava/lang/Class;", mirrors))
    })
}

/// The class that an inner class is a member of.
fn declaring_class<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    about(e, state, args[0], "getDeclaringClass", |e, _, class| {
        let library = e.cx.library().expect("only Java has natives");
        let internal = library.internal_name(class);
        let file = library.java(class).file.as_ref();
        let inner = file.and_then(|file| file.inner_classes.iter().find(|inner| *inner.inner == *internal));
        match inner.and_then(|inner| inner.outer.as_ref()) {
            Some(outer) => Ok(e.mirror(library.class_id(outer))),
            None => Ok(Term::NULL),
        }
    })
}

/// Whether no class file has it: classes of lambdas are made by the machine.
fn is_hidden<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    about(e, state, args[0], "isHidden", |e, _, class| {
        let library = e.cx.library().expect("only Java has natives");
        let is_made = library.java(class).file.is_none() && library.internal_name(class).contains("Lambda");
        Ok(e.cx.int(is_made as i64))
    })
}
