//! Stack traces: the frames from where an exception was made down to the entry. Each is kept as a number in the array that the machine hangs on an
//! exception; the elements of the trace are made of it when somebody asks.

use lazuli_logic::Term;
use lazuli_program::ir::{MethodId, Type};
use lazuli_program::library::{LENGTH, THROWER, access};

use crate::backtrace::{numbers, throwable_field};
use crate::executor::{Executor, Native};
use crate::heap::{HeapModel, Memory};
use crate::state::{Frame, State};
use crate::suspend::{Step, unsupported};

type Heap<M> = <M as Memory>::Heap;

/// The machine keeps no more frames than these.
const MOST: usize = 1_024;
/// Where there is no line.
const NATIVE_LINE: i64 = -2;
const NO_LINE: i64 = -1;
/// A loader and a module of the JDK itself: neither is named in texts.
const OF_THE_JDK: i64 = 3;

pub(super) fn find<M: HeapModel>(key: &str) -> Option<Native<M>> {
    let native: Native<M> = match key {
        "java/lang/Throwable.fillInStackTrace(I)Ljava/lang/Throwable;" => fill_in,
        "java/lang/NullPointerException.getExtendedNPEMessage()Ljava/lang/String;" => extended_message,
        "java/lang/StackTraceElement.initStackTraceElements([Ljava/lang/StackTraceElement;Ljava/lang/Throwable;)V" => {
            |e, state, args| {
                let backtrace = throwable_field(e, state, args[1], "backtrace")?;
                elements(e, state, args[0], backtrace)
            }
        }
        "java/lang/StackTraceElement.initStackTraceElements([Ljava/lang/StackTraceElement;Ljava/lang/Object;I)V" => {
            |e, state, args| elements(e, state, args[0], args[1])
        }
        "java/lang/StackTraceElement.computeFormat()V" => |_, _, _| Ok(Term::NULL),
        _ => return None,
    };
    Some(native)
}

/// The frames of a trace, the newest first, and whether an instruction raised the exception: without frames that only make it, and without those that no
/// class file has.
fn frames<M: HeapModel>(e: &Executor<M>, state: &State<Heap<M>>, throwable: Term) -> (Vec<Frame>, bool) {
    let library = e.cx.library().expect("only Java has natives");
    let makes_it = |frame: &&Frame| {
        let declared = library.declared(frame.method);
        let is_own = !declared.is(access::STATIC) && state.registers.get(frame.base as usize) == Some(&throwable);
        is_own && ["fillInStackTrace", "<init>"].contains(&&*declared.name)
    };
    let is_thrower = |frame: &&Frame| &*library.declared(frame.method).name == THROWER;
    let mut below = state.frames.iter().rev().skip_while(makes_it).peekable();
    let raised = below.peek().is_some_and(is_thrower);
    // A method without code is never entered: who calls it fails.
    let in_file = |frame: &&Frame| {
        let declared = library.declared(frame.method);
        !declared.is(access::ABSTRACT) && library.method_in_file(declared).is_some()
    };
    (below.filter(in_file).take(MOST).copied().collect(), raised)
}

/// The first number says whether an instruction raised it; then there is one for every frame.
fn fill_in<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let library = e.cx.library().expect("only Java has natives");
    let class = library.class_id("java/lang/Throwable");
    let [backtrace, depth] = ["backtrace", "depth"].map(|name| e.cx.program.field_named(class, name));
    let (Some(backtrace), Some(depth)) = (backtrace, depth) else { return unsupported("stack traces of this JDK") };
    let (frames, raised) = frames(e, state, args[0]);
    let numbers = frames.iter().map(|frame| (frame.method.0 as u64) << 32 | frame.pc as u64);
    let numbers: Vec<u64> = std::iter::once(raised as u64).chain(numbers).collect();
    let length = e.cx.int(frames.len() as i64);
    let numbers = numbers.into_iter().map(|number| e.cx.terms.bits(64, number)).collect();
    let trace = e.array_with(state, "[J", numbers);
    e.write(state, args[0], backtrace, trace)?;
    e.write(state, args[0], depth, length)?;
    Ok(args[0])
}

/// What the machine would say about a null is not put together. Of an exception that the program made it says nothing.
fn extended_message<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let backtrace = throwable_field(e, state, args[0], "backtrace")?;
    match numbers(e, state, backtrace).as_deref() {
        Some([0, ..]) => Ok(Term::NULL),
        Some(_) => Ok(e.untold_text(state)),
        None => unsupported("the message of an exception that is an input"),
    }
}

/// Fills in the elements of a trace.
fn elements<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    elements: Term,
    backtrace: Term,
) -> Step<Term> {
    let Some(numbers) = numbers(e, state, backtrace) else {
        return unsupported("the stack trace of an exception that is an input");
    };
    let library = e.cx.library().expect("only Java has natives");
    let element = Type::Ref(library.class_id("java/lang/StackTraceElement"));
    let length = e.read(state, elements, LENGTH)?;
    if e.cx.terms.as_bits(length).map(|(_, length)| length) != Some(numbers.len() as u64 - 1) {
        return unsupported("a part of a stack trace");
    }
    for (at, number) in numbers[1..].iter().enumerate() {
        let at = e.cx.int(at as i64);
        let object = e.element(state, elements, at, element)?;
        describe(e, state, object, MethodId((number >> 32) as u32), *number as u32)?;
    }
    Ok(Term::NULL)
}

fn describe<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    object: Term,
    method: MethodId,
    pc: u32,
) -> Step {
    let library = e.cx.library().expect("only Java has natives");
    let declared = library.declared(method);
    let java = library.java(declared.class);
    let internal = library.internal_name(declared.class);
    let line = match declared.is(access::NATIVE) {
        true => NATIVE_LINE,
        false => match e.cx.program.method(method).lines.get(pc as usize) {
            Some(&line) if line > 0 => line as i64,
            _ => NO_LINE,
        },
    };
    let package = internal.rsplit_once('/').map_or("", |(package, _)| package);
    let is_users = library.path.user_classes().iter().any(|name| name == internal);
    let module = (!is_users).then(|| library.path.module(package).ok().flatten()).flatten();
    let text = |e: &mut Executor<M>, state: &mut State<Heap<M>>, text: &str| {
        let id = e.cx.library().expect("only Java has natives").text_id(text);
        e.constant_string(state, id)
    };
    let mut fields = vec![("lineNumber", e.cx.int(line)), ("format", e.cx.int(OF_THE_JDK))];
    fields.push(("declaringClass", text(e, state, &internal.replace('/', "."))));
    fields.push(("methodName", text(e, state, &declared.name)));
    if let Some(file) = java.file.as_ref().and_then(|file| file.source_file.clone()) {
        fields.push(("fileName", text(e, state, &file)));
    }
    if is_users {
        fields.push(("classLoaderName", text(e, state, "app")));
    }
    if let Some(module) = module {
        fields.push(("moduleName", text(e, state, &module)));
        let version = e.untold_text(state);
        fields.push(("moduleVersion", version));
    }
    let class = library.class_id("java/lang/StackTraceElement");
    for (name, value) in fields {
        if let Some(field) = e.cx.program.field_named(class, name) {
            let value = crate::arith::narrow(&mut e.cx.terms, library.field(field).ty, value);
            e.write(state, object, field, value)?;
        }
    }
    Ok(())
}
