//! What a program prints to the standard streams: kept on its path, never written. Parts that are not known are shown as terms.

use std::rc::Rc;

use lazuli_logic::Term;
use lazuli_program::ir::Type;

use crate::arith;
use crate::executor::{Executor, Native};
use crate::heap::{HeapModel, Memory};
use crate::state::State;
use crate::suspend::{Step, Suspend, unsupported};
use crate::vm::{Printed, Stream};

type Heap<M> = <M as Memory>::Heap;

pub(super) fn find<M: HeapModel>(key: &str) -> Option<Native<M>> {
    if let Some(method) = key.strip_prefix("java/io/PrintStream.") {
        return print_stream(method);
    }
    let native: Native<M> = match key {
        // Other ways to these streams.
        "java/io/FileOutputStream.writeBytes([BIIZ)V" => |e, s, a| write_bytes(e, s, a[0], &a[1..4]),
        "java/io/FileOutputStream.write(IZ)V" => |e, s, a| {
            let Some(stream) = stream_of_file(e, s, a[0])? else { return unsupported("writing to a file") };
            print_byte(e, s, stream, a[1])
        },
        _ => return None,
    };
    Some(native)
}

fn print_stream<M: HeapModel>(method: &str) -> Option<Native<M>> {
    Some(match method {
        "print(Z)V" => |e, s, a| print(e, s, a, Some(Type::Bool), false),
        "print(C)V" => |e, s, a| print(e, s, a, Some(Type::Char), false),
        "print(I)V" => |e, s, a| print(e, s, a, Some(Type::Int), false),
        "print(J)V" => |e, s, a| print(e, s, a, Some(Type::Long), false),
        "print(F)V" => |e, s, a| print(e, s, a, Some(Type::Float), false),
        "print(D)V" => |e, s, a| print(e, s, a, Some(Type::Double), false),
        "println(Z)V" => |e, s, a| print(e, s, a, Some(Type::Bool), true),
        "println(C)V" => |e, s, a| print(e, s, a, Some(Type::Char), true),
        "println(I)V" => |e, s, a| print(e, s, a, Some(Type::Int), true),
        "println(J)V" => |e, s, a| print(e, s, a, Some(Type::Long), true),
        "println(F)V" => |e, s, a| print(e, s, a, Some(Type::Float), true),
        "println(D)V" => |e, s, a| print(e, s, a, Some(Type::Double), true),
        "print(Ljava/lang/String;)V" | "write(Ljava/lang/String;)V" => |e, s, a| print_string(e, s, a, false),
        "println(Ljava/lang/String;)V" | "writeln(Ljava/lang/String;)V" => |e, s, a| print_string(e, s, a, true),
        "println()V" | "newLine()V" => |e, s, a| match e.system_stream(s, a[0]) {
            Some(stream) => e.printed(s, stream, "\n".into()),
            None => e.run_original(s),
        },
        "flush()V" => |e, s, a| match e.system_stream(s, a[0]) {
            Some(_) => Ok(Term::NULL),
            None => e.run_original(s),
        },
        "write(I)V" => |e, s, a| match e.system_stream(s, a[0]) {
            Some(stream) => print_byte(e, s, stream, a[1]),
            None => e.run_original(s),
        },
        _ => return None,
    })
}

impl<M: HeapModel> Executor<'_, M> {
    /// A value at the end of a path, as its reader sees it: a string by its text, where that is known.
    pub fn show_value(&mut self, state: &State<M::Heap>, value: Term) -> String {
        let string = self.cx.known.as_ref().map(|known| known.string);
        let classes = match value.as_location() {
            Some(_) => self.model.classes(&mut self.cx, &state.heap, value),
            None => Vec::new(),
        };
        if let [(class, _)] = *classes.as_slice()
            && Some(class) == string
            && let Ok(Some(text)) = self.text_of(&mut state.clone(), value)
        {
            return format!("{text:?}");
        }
        self.model.show(&mut self.cx, &state.heap, value)
    }

    /// Which of the standard streams an object is, as the start of the machine has made them, for all paths or on this one.
    fn system_stream(&self, state: &State<M::Heap>, object: Term) -> Option<Stream> {
        let is = |name: &str| {
            let made = state.vm.streams.get(name).or_else(|| self.start.machine.get(name));
            made == Some(&object)
        };
        if is("out") {
            return Some(Stream::Out);
        }
        is("err").then_some(Stream::Err)
    }

    fn printed(&mut self, state: &mut State<M::Heap>, stream: Stream, text: String) -> Step<Term> {
        self.only_on_path()?;
        let vm = Rc::make_mut(&mut state.vm);
        vm.printed = Some(Rc::new(Printed { stream, text, before: vm.printed.take() }));
        Ok(Term::NULL)
    }
}

/// A number. Fractions are written by the JDK's own code where they are known.
fn print<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    args: &[Term],
    ty: Option<Type>,
    line: bool,
) -> Step<Term> {
    let (Some(stream), Some(ty)) = (e.system_stream(state, args[0]), ty) else { return e.run_original(state) };
    let is_known = e.cx.terms.is_constant(args[1]);
    if is_known && matches!(ty, Type::Float | Type::Double) {
        return e.run_quietly(state);
    }
    let mut text = match e.cx.terms.as_bits(args[1]) {
        Some((_, bits)) => number(ty, bits),
        None => {
            let value = if ty == Type::Bool { arith::given(&mut e.cx, args[1]) } else { args[1] };
            format!("{{{}}}", e.cx.show(value))
        }
    };
    if line {
        text.push('\n');
    }
    e.printed(state, stream, text)
}

fn number(ty: Type, bits: u64) -> String {
    match ty {
        Type::Bool => (bits != 0).to_string(),
        Type::Char => String::from_utf16_lossy(&[bits as u16]),
        Type::Long => (bits as i64).to_string(),
        _ => (bits as i32).to_string(),
    }
}

fn print_string<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    args: &[Term],
    line: bool,
) -> Step<Term> {
    let Some(stream) = e.system_stream(state, args[0]) else { return e.run_original(state) };
    let mut text = match e.is_null(state, args[1])? {
        true => "null".into(),
        false => shown_text(e, state, args[1])?,
    };
    if line {
        text.push('\n');
    }
    e.printed(state, stream, text)
}

/// The text of a string, as far as it is known; what is not is a term.
pub(super) fn shown_text<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, string: Term) -> Step<String> {
    if let Some(text) = state.vm.shown.get(&string) {
        return Ok(text.to_string());
    }
    let is_known = string.as_location().is_some() && !state.vm.untold.contains(&string);
    if !is_known {
        return Ok(format!("{{{}}}", e.model.show(&mut e.cx, &state.heap, string)));
    }
    if let Some(text) = e.text_of(state, string)? {
        return Ok(text);
    }
    let known = e.cx.known.clone().expect("the JDK has strings");
    let (value, coder) = (e.read(state, string, known.string_value)?, e.read(state, string, known.string_coder)?);
    let elements = e.elements_of(state, value)?;
    let is_latin = e.cx.terms.as_bits(coder).is_some_and(|(_, coder)| coder == 0);
    match elements.filter(|_| is_latin) {
        Some(elements) => Ok(elements.iter().map(|byte| shown_byte(e, *byte)).collect()),
        None => Ok(format!("{{{}}}", e.model.show(&mut e.cx, &state.heap, string))),
    }
}

fn shown_byte<M: HeapModel>(e: &mut Executor<M>, byte: Term) -> String {
    match e.cx.terms.as_bits(byte) {
        Some((_, bits)) => char::from(bits as u8).to_string(),
        None => format!("{{{}}}", e.cx.show(byte)),
    }
}

fn print_byte<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, stream: Stream, byte: Term) -> Step<Term> {
    let text = shown_byte(e, byte);
    e.printed(state, stream, text)
}

/// Bytes that come to one of the streams by another way than its `PrintStream`.
fn write_bytes<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    file: Term,
    range: &[Term],
) -> Step<Term> {
    let Some(stream) = stream_of_file(e, state, file)? else { return unsupported("writing to a file") };
    let elements = e.model.arrays(&mut state.heap).dense(&e.cx, range[0]).cloned();
    let place = |term: Term| e.cx.terms.as_bits(term).map(|(_, bits)| bits as usize);
    let (Some(elements), Some(from), Some(count)) = (elements, place(range[1]), place(range[2])) else {
        return unsupported("writing an unknown number of bytes");
    };
    let Some(bytes) = elements.get(from..from.saturating_add(count)) else {
        return Err(Suspend::Throw("java/lang/IndexOutOfBoundsException"));
    };
    let constants: Option<Vec<u8>> = bytes.iter().map(|b| e.cx.terms.as_bits(*b).map(|(_, b)| b as u8)).collect();
    let text = match constants {
        Some(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        None => bytes.iter().map(|byte| shown_byte(e, *byte)).collect(),
    };
    e.printed(state, stream, text)
}

/// The stream that a file's descriptor means.
fn stream_of_file<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, file: Term) -> Step<Option<Stream>> {
    let library = e.cx.library().expect("only Java has natives");
    let field = |class: &str, name: &str| e.cx.program.field_named(library.class_id(class), name);
    let (Some(fd), Some(number)) = (field("java/io/FileOutputStream", "fd"), field("java/io/FileDescriptor", "fd"))
    else {
        return unsupported("the files of this JDK");
    };
    let descriptor = e.read(state, file, fd)?;
    let number = e.read(state, descriptor, number)?;
    Ok(match e.cx.terms.as_bits(number).map(|(_, bits)| bits) {
        Some(1) => Some(Stream::Out),
        Some(2) => Some(Stream::Err),
        _ => None,
    })
}
