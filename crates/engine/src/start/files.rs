//! Files: those of the JDK itself can be read, as they are a part of it (time zones, settings). All others are the user's: a path that wants one
//! stops, by name. Nothing is ever written.

use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use lazuli_logic::{BitOp, Term};
use lazuli_program::ir::Type;

use crate::arith;
use crate::config::Varying;
use crate::executor::{Executor, Native};
use crate::heap::{HeapModel, Memory};
use crate::state::State;
use crate::suspend::{Step, Suspend, unsupported};
use crate::vm::OpenFile;

type Heap<M> = <M as Memory>::Heap;

/// Larger files of the JDK are not read.
const MOST_BYTES: u64 = 16 << 20;

/// Devices that are on every machine.
const DEVICES: [&str; 2] = ["/dev/random", "/dev/urandom"];

/// What `UnixFileSystem` says of a file.
const EXISTS: i64 = 1;
const REGULAR: i64 = 2;
const DIRECTORY: i64 = 4;
/// What it may be asked for.
const WRITE: u64 = 2;

pub(super) fn find<M: HeapModel>(key: &str) -> Option<Native<M>> {
    let native: Native<M> = match key {
        "java/io/FileInputStream.open0(Ljava/lang/String;)V" => open,
        "java/io/FileInputStream.read0()I" => read_byte,
        "java/io/FileInputStream.readBytes([BII)I" | "java/io/FileInputStream.readBytes0([BII)I" => read_bytes,
        "java/io/FileInputStream.available0()I" => |e, s, a| {
            let file = opened(s, a[0])?;
            let left = file.bytes.len() - file.position;
            Ok(e.cx.int(left as i64))
        },
        "java/io/FileInputStream.isRegularFile0(Ljava/io/FileDescriptor;)Z" => |e, _, _| Ok(e.cx.int(1)),
        "java/io/FileInputStream.length0()J" => |e, s, a| {
            let length = opened(s, a[0])?.bytes.len();
            Ok(e.cx.terms.bits(64, length as u64))
        },
        "java/io/FileInputStream.position0()J" => |e, s, a| {
            let position = opened(s, a[0])?.position;
            Ok(e.cx.terms.bits(64, position as u64))
        },
        "java/io/FileInputStream.skip0(J)J" => skip,
        "java/io/FileDescriptor.close0()V" | "java/io/FileCleanable.cleanupClose0(IJ)V" => |_, _, _| Ok(Term::NULL),
        "java/io/UnixFileSystem.getBooleanAttributes0(Ljava/io/File;)I"
        | "java/io/UnixFileSystem.getBooleanAttributes0(Ljava/lang/String;)I" => attributes,
        "java/io/UnixFileSystem.checkAccess(Ljava/io/File;I)Z"
        | "java/io/UnixFileSystem.checkAccess0(Ljava/io/File;I)Z" => {
            |e, s, a| {
                let path = known_path(e, s, a[1])?;
                // Nobody writes there.
                let reads = e.cx.terms.as_bits(a[2]).is_some_and(|(_, access)| access & WRITE == 0);
                Ok(e.cx.int((reads && path.exists()) as i64))
            }
        }
        "java/io/UnixFileSystem.getLength(Ljava/io/File;)J" | "java/io/UnixFileSystem.getLength0(Ljava/io/File;)J" => {
            |e, s, a| {
                let path = own_path(e, s, a[1])?;
                let length = std::fs::metadata(path).map_or(0, |about| about.len());
                Ok(e.cx.terms.bits(64, length))
            }
        }
        // The directory of the process is taken for the root as long as nobody asks for it.
        "sun/nio/fs/UnixFileSystem.<init>(Lsun/nio/fs/UnixFileSystemProvider;Ljava/lang/String;)V" => |e, s, _| {
            let directory = e.literal_text("/");
            let base = s.frames.last().expect("a running state has a frame").base as usize;
            s.registers[base + 2] = directory;
            e.run_original(s)
        },
        "sun/nio/fs/UnixNativeDispatcher.getcwd()[B" => |e, _, _| {
            let byte = e.cx.terms.bits(8, b'/' as u64);
            Ok(e.shared_array("[B", vec![byte]))
        },
        "sun/nio/fs/UnixNativeDispatcher.init()I" => |e, _, _| Ok(e.cx.int(0)),
        "sun/nio/fs/UnixFileSystem.defaultDirectory()[B" => |_, _, _| unsupported("the directory of the process"),
        "java/io/UnixFileSystem.canonicalize0(Ljava/lang/String;)Ljava/lang/String;" => |e, s, a| {
            known_path(e, s, a[1])?;
            Ok(a[1])
        },
        _ => return None,
    };
    Some(native)
}

/// The path that a string or a `File` names.
fn path_named<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, name: Term) -> Step<PathBuf> {
    let file = e.cx.library().expect("only Java has files").class_id("java/io/File");
    let is_file = e.model.classes(&mut e.cx, &state.heap, name).iter().any(|(class, _)| *class == file);
    let name = match e.cx.program.field_named(file, "path").filter(|_| is_file) {
        Some(path) => e.read(state, name, path)?,
        None => name,
    };
    match e.text_of(state, name)? {
        Some(text) => Ok(PathBuf::from(text)),
        None => unsupported("a file whose name is not known"),
    }
}

/// That path, if it is one of the JDK.
fn own_path<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, name: Term) -> Step<PathBuf> {
    let path = path_named(e, state, name)?;
    let home = &e.cx.library().expect("only Java has files").path.jdk().home;
    let is_plain = path.components().all(|part| !matches!(part, Component::ParentDir));
    match is_plain && path.starts_with(home) {
        true => Ok(path),
        false => unsupported(format!("the file {}", path.display())),
    }
}

fn is_device(path: &Path) -> bool {
    DEVICES.iter().any(|device| path == Path::new(device))
}

/// That path, if it is one of the JDK or a device that every machine has: it is there, and whoever reads from it stops.
fn known_path<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, name: Term) -> Step<PathBuf> {
    let path = path_named(e, state, name)?;
    match is_device(&path) {
        true => Ok(path),
        false => own_path(e, state, name),
    }
}

fn open<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let path = known_path(e, state, args[1])?;
    if is_device(&path) {
        let file = OpenFile { bytes: Rc::from([]), position: 0, is_device: true };
        Rc::make_mut(&mut state.vm).files.insert(args[0], file);
        return Ok(Term::NULL);
    }
    let size = match std::fs::metadata(&path) {
        Ok(about) if about.is_file() => about.len(),
        _ => return Err(Suspend::Throw("java/io/FileNotFoundException")),
    };
    if size > MOST_BYTES {
        return unsupported(format!("a file as large as {}", path.display()));
    }
    let Ok(bytes) = std::fs::read(&path) else { return unsupported(format!("the file {}", path.display())) };
    let files = &mut Rc::make_mut(&mut state.vm).files;
    files.insert(args[0], OpenFile { bytes: bytes.into(), position: 0, is_device: false });
    Ok(Term::NULL)
}

fn opened<H>(state: &State<H>, file: Term) -> Step<OpenFile> {
    match state.vm.files.get(&file) {
        Some(file) if file.is_device => unsupported("what a device of the operating system gives"),
        Some(file) => Ok(file.clone()),
        None => unsupported("standard input"),
    }
}

fn set_position<H>(state: &mut State<H>, file: Term, position: usize) {
    if let Some(file) = Rc::make_mut(&mut state.vm).files.get_mut(&file) {
        file.position = position;
    }
}

/// A byte of standard input where that is an input of the program: whether it has ended, and the byte.
fn unknown_byte<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    file: Term,
) -> Step<Option<(Term, Term)>> {
    if state.vm.files.contains_key(&file) || e.config.environment.varying == Varying::Stops {
        return Ok(None);
    }
    e.only_on_path()?;
    let ended = e.fresh_input(state, "standard input ends", Type::Bool)?;
    let byte = e.fresh_input(state, "standard input", Type::Byte)?;
    Ok(Some((arith::given(&mut e.cx, ended), byte)))
}

fn read_byte<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    if let Some((ended, byte)) = unknown_byte(e, state, args[0])? {
        let (mask, end) = (e.cx.int(0xff), e.cx.int(-1));
        let byte = e.cx.terms.bit_op(BitOp::And, byte, mask);
        return Ok(e.cx.terms.ite(ended, end, byte));
    }
    let file = opened(state, args[0])?;
    let Some(byte) = file.bytes.get(file.position) else { return Ok(e.cx.int(-1)) };
    set_position(state, args[0], file.position + 1);
    Ok(e.cx.int(*byte as i64))
}

fn read_bytes<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    // Standard input comes byte by byte, as from a slow writer.
    if let Some((ended, byte)) = unknown_byte(e, state, args[0])? {
        let (goes_on, byte) = (e.cx.terms.not(ended), arith::narrow(&mut e.cx.terms, Type::Byte, byte));
        e.model.arrays(&mut state.heap).write(&mut e.cx, args[1], goes_on, args[2], byte);
        let (one, end) = (e.cx.int(1), e.cx.int(-1));
        return Ok(e.cx.terms.ite(ended, end, one));
    }
    let file = opened(state, args[0])?;
    let number = |e: &Executor<M>, term: Term| e.cx.terms.as_bits(term).map(|(_, bits)| bits as usize);
    let (Some(at), Some(wanted)) = (number(e, args[2]), number(e, args[3])) else {
        return unsupported("reading an unknown number of bytes");
    };
    if file.position == file.bytes.len() && wanted > 0 {
        return Ok(e.cx.int(-1));
    }
    let count = wanted.min(file.bytes.len() - file.position);
    for offset in 0..count {
        let index = e.cx.int((at + offset) as i64);
        let byte = e.cx.terms.bits(8, file.bytes[file.position + offset] as u64);
        e.model.arrays(&mut state.heap).write(&mut e.cx, args[1], Term::TRUE, index, byte);
    }
    set_position(state, args[0], file.position + count);
    Ok(e.cx.int(count as i64))
}

fn skip<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let file = opened(state, args[0])?;
    let Some((_, wanted)) = e.cx.terms.as_bits(args[1]) else {
        return unsupported("skipping an unknown number of bytes");
    };
    let count = (wanted as i64).clamp(-(file.position as i64), (file.bytes.len() - file.position) as i64);
    set_position(state, args[0], (file.position as i64 + count) as usize);
    Ok(e.cx.terms.bits(64, count as u64))
}

fn attributes<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let path = known_path(e, state, args[1])?;
    let found = match std::fs::metadata(path) {
        Ok(about) if about.is_file() => EXISTS | REGULAR,
        Ok(about) if about.is_dir() => EXISTS | DIRECTORY,
        Ok(_) => EXISTS,
        Err(_) => 0,
    };
    Ok(e.cx.int(found))
}
