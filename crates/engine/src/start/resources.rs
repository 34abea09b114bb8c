//! Resources: files that a program finds by its class loader, in the class path or in the modules of the JDK.

use lazuli_logic::Term;

use crate::executor::{Executor, Native};
use crate::heap::{HeapModel, Memory};
use crate::scope::Taken;
use crate::state::State;
use crate::suspend::{Step, unsupported};

type Heap<M> = <M as Memory>::Heap;

pub(super) fn find<M: HeapModel>(key: &str) -> Option<Native<M>> {
    let native: Native<M> = match key {
        "jdk/internal/loader/BootLoader.findResourceAsStream(Ljava/lang/String;Ljava/lang/String;)Ljava/io/InputStream;" => {
            of_module
        }
        "java/lang/Class.getResourceAsStream(Ljava/lang/String;)Ljava/io/InputStream;" => {
            |e, s, a| beside_class(e, s, a, stream)
        }
        "java/lang/Class.getResource(Ljava/lang/String;)Ljava/net/URL;" => |e, s, a| beside_class(e, s, a, place),
        "java/lang/ClassLoader.getResourceAsStream(Ljava/lang/String;)Ljava/io/InputStream;" => {
            |e, s, a| by_loader(e, s, a, stream)
        }
        "java/lang/ClassLoader.getResource(Ljava/lang/String;)Ljava/net/URL;" => |e, s, a| by_loader(e, s, a, place),
        "java/lang/ClassLoader.getSystemResourceAsStream(Ljava/lang/String;)Ljava/io/InputStream;" => {
            |e, s, a| match e.text_of(s, a[0])? {
                Some(name) => of_class_path(e, s, &name, stream),
                None => unsupported(UNKNOWN),
            }
        }
        _ => return None,
    };
    Some(native)
}

const UNKNOWN: &str = "a resource whose name is not known";

/// What is made of the contents of a resource that was found.
type Found<M> = fn(&mut Executor<M>, &mut State<Heap<M>>, Vec<u8>) -> Step<Term>;

/// A stream of its bytes.
fn stream<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, bytes: Vec<u8>) -> Step<Term> {
    let count = e.cx.int(bytes.len() as i64);
    let bytes = bytes.into_iter().map(|byte| e.cx.terms.bits(8, byte as u64)).collect();
    let buffer = e.array_with(state, "[B", bytes);
    Ok(e.object_with(state, "java/io/ByteArrayInputStream", &[("buf", buffer), ("count", count)]))
}

/// Where it is on a machine is not the program's.
fn place<M: HeapModel>(_: &mut Executor<M>, _: &mut State<Heap<M>>, _: Vec<u8>) -> Step<Term> {
    unsupported("where a resource of the class path is")
}

/// A resource of one of the JDK's modules, as a stream of bytes; null if there is none.
fn of_module<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let (module, name) = (e.text_of(state, args[0])?, e.text_of(state, args[1])?);
    let (Some(module), Some(name)) = (module, name) else { return unsupported(UNKNOWN) };
    let library = e.cx.library().expect("only Java has resources");
    match library.path.jdk().image.resource(&module, &name) {
        Ok(Some(bytes)) => stream(e, state, bytes),
        Ok(None) => Ok(Term::NULL),
        Err(error) => unsupported(format!("the resource {name} ({})", error.message)),
    }
}

/// A name that is relative to the package of a class, unless it begins with a slash.
fn beside_class<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    args: &[Term],
    found: Found<M>,
) -> Step<Term> {
    let Some(class) = e.mirrored(args[0]) else { return unsupported("a resource of a class that is not known") };
    if !e.is_program(class) || e.is_null(state, args[1])? {
        return e.run_original(state);
    }
    let Some(name) = e.text_of(state, args[1])? else { return unsupported(UNKNOWN) };
    let library = e.cx.library().expect("only Java has resources");
    let package = library.internal_name(class).rsplit_once('/').map(|(package, _)| package);
    let name = match (name.strip_prefix('/'), package) {
        (Some(absolute), _) => absolute.to_string(),
        (None, Some(package)) => format!("{package}/{name}"),
        (None, None) => name,
    };
    of_class_path(e, state, &name, found)
}

/// A name that the program's class loader is asked for.
fn by_loader<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    args: &[Term],
    found: Found<M>,
) -> Step<Term> {
    if args[0] != e.program_loader()? || e.is_null(state, args[1])? {
        return e.run_original(state);
    }
    match e.text_of(state, args[1])? {
        Some(name) => of_class_path(e, state, &name, found),
        None => unsupported(UNKNOWN),
    }
}

/// A resource of the class path; null if there is none. The JDK would be looked through first: what may be in it is left alone.
fn of_class_path<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    name: &str,
    found: Found<M>,
) -> Step<Term> {
    let library = e.cx.library().expect("only Java has resources");
    let package = name.rsplit_once('/').map(|(package, _)| package);
    if package.is_some_and(|package| !matches!(library.path.module(package), Ok(None))) {
        return unsupported(format!("the resource {name} of the JDK"));
    }
    e.cx.take_for_granted(Taken::Resources);
    match library.path.resource(name) {
        Ok(Some(bytes)) => found(e, state, bytes),
        Ok(None) => Ok(Term::NULL),
        Err(error) => unsupported(format!("the resource {name} ({})", error.message)),
    }
}
