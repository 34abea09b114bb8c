//! The interface of test drivers: `lazuli.Lazuli`, that of the software verification competition, and that of JBSE.

use std::rc::Rc;

use lazuli_logic::{Term, Verdict};
use lazuli_program::ir::Type;

use crate::arith;
use crate::executor::{Executor, Native};
use crate::heap::HeapModel;
use crate::state::State;
use crate::suspend::{Step, unsupported};

/// The name of inputs that the competition's interface makes.
const NONDET: &str = "nondet";

pub(super) fn find<M: HeapModel>(key: &str) -> Option<Native<M>> {
    let (class, method) = key.split_once('.')?;
    let native: Native<M> = match (class, method) {
        ("lazuli/Lazuli" | "org/sosy_lab/sv_benchmarks/Verifier" | "jbse/meta/Analysis", "assume(Z)V") => assume,
        ("lazuli/Lazuli", "reachable(Ljava/lang/String;)V") => reachable,
        ("lazuli/Lazuli" | "jbse/meta/Analysis", "isResolved(Ljava/lang/Object;Ljava/lang/String;)Z") => is_resolved,
        ("lazuli/Lazuli", "symbolicInt(Ljava/lang/String;)I") => |e, s, a| named(e, s, a, Type::Int),
        ("lazuli/Lazuli", "symbolicLong(Ljava/lang/String;)J") => |e, s, a| named(e, s, a, Type::Long),
        ("lazuli/Lazuli", "symbolicShort(Ljava/lang/String;)S") => |e, s, a| named(e, s, a, Type::Short),
        ("lazuli/Lazuli", "symbolicByte(Ljava/lang/String;)B") => |e, s, a| named(e, s, a, Type::Byte),
        ("lazuli/Lazuli", "symbolicChar(Ljava/lang/String;)C") => |e, s, a| named(e, s, a, Type::Char),
        ("lazuli/Lazuli", "symbolicBoolean(Ljava/lang/String;)Z") => |e, s, a| named(e, s, a, Type::Bool),
        ("lazuli/Lazuli", "symbolicFloat(Ljava/lang/String;)F") => |e, s, a| named(e, s, a, Type::Float),
        ("lazuli/Lazuli", "symbolicDouble(Ljava/lang/String;)D") => |e, s, a| named(e, s, a, Type::Double),
        ("lazuli/Lazuli", "symbolicObject(Ljava/lang/Class;Ljava/lang/String;)Ljava/lang/Object;") => object,
        ("org/sosy_lab/sv_benchmarks/Verifier", "nondetInt()I") => |e, s, _| unnamed(e, s, Type::Int),
        ("org/sosy_lab/sv_benchmarks/Verifier", "nondetLong()J") => |e, s, _| unnamed(e, s, Type::Long),
        ("org/sosy_lab/sv_benchmarks/Verifier", "nondetShort()S") => |e, s, _| unnamed(e, s, Type::Short),
        ("org/sosy_lab/sv_benchmarks/Verifier", "nondetByte()B") => |e, s, _| unnamed(e, s, Type::Byte),
        ("org/sosy_lab/sv_benchmarks/Verifier", "nondetChar()C") => |e, s, _| unnamed(e, s, Type::Char),
        ("org/sosy_lab/sv_benchmarks/Verifier", "nondetBoolean()Z") => |e, s, _| unnamed(e, s, Type::Bool),
        ("org/sosy_lab/sv_benchmarks/Verifier", "nondetFloat()F") => |e, s, _| unnamed(e, s, Type::Float),
        ("org/sosy_lab/sv_benchmarks/Verifier", "nondetDouble()D") => |e, s, _| unnamed(e, s, Type::Double),
        ("org/sosy_lab/sv_benchmarks/Verifier", "nondetString()Ljava/lang/String;") => |e, s, _| string(e, s),
        _ => return None,
    };
    Some(native)
}

fn unnamed<M: HeapModel>(e: &mut Executor<M>, state: &mut State<M::Heap>, ty: Type) -> Step<Term> {
    e.fresh_input(state, NONDET, ty)
}

/// A new string with the text of an input: it is never null, and no other object.
fn string<M: HeapModel>(e: &mut Executor<M>, state: &mut State<M::Heap>) -> Step<Term> {
    let known = e.cx.known.clone().expect("the JDK has strings");
    let input = e.next_input(state, NONDET, Type::Ref(known.string))?;
    let null = e.same(state, input, Term::NULL)?;
    let some = e.cx.terms.not(null);
    e.within(state, some)?;
    let value = e.read(state, input, known.string_value)?;
    let coder = e.read(state, input, known.string_coder)?;
    e.count_input(state, NONDET);
    let string = e.model.alloc(&mut e.cx, &mut state.heap, known.string);
    e.model.preset(&mut e.cx, &mut state.heap, string, known.string_value, value);
    e.model.preset(&mut e.cx, &mut state.heap, string, known.string_coder, coder);
    Ok(string)
}

fn named<M: HeapModel>(e: &mut Executor<M>, state: &mut State<M::Heap>, args: &[Term], ty: Type) -> Step<Term> {
    let name = e.text_of(state, args[0])?.unwrap_or_else(|| "symbolic".into());
    e.fresh_input(state, &name, ty)
}

/// An input of the class that a class literal names.
fn object<M: HeapModel>(e: &mut Executor<M>, state: &mut State<M::Heap>, args: &[Term]) -> Step<Term> {
    let Some(class) = e.mirrored(args[0]) else {
        return unsupported("symbolicObject of a class that is not a literal");
    };
    let name = e.text_of(state, args[1])?.unwrap_or_else(|| "symbolic".into());
    e.fresh_input(state, &name, Type::Ref(class))
}

/// A place with a name: the trace says that the path came there.
fn reachable<M: HeapModel>(e: &mut Executor<M>, state: &mut State<M::Heap>, args: &[Term]) -> Step<Term> {
    let Some(place) = e.text_of(state, args[0])? else {
        return unsupported("reachable with a name that is not a constant");
    };
    Rc::make_mut(&mut state.vm).reach(&place);
    Ok(Term::NULL)
}

/// Paths on which the condition does not hold are none.
fn assume<M: HeapModel>(e: &mut Executor<M>, state: &mut State<M::Heap>, args: &[Term]) -> Step<Term> {
    let zero = e.cx.int(0);
    let holds = e.cx.terms.ne(args[0], zero);
    e.within(state, holds)?;
    Ok(Term::NULL)
}

/// Whether the field of an input object has been initialised: what a conservative invariant asks before it looks.
fn is_resolved<M: HeapModel>(e: &mut Executor<M>, state: &mut State<M::Heap>, args: &[Term]) -> Step<Term> {
    let Some(name) = e.text_of(state, args[1])? else {
        return unsupported("isResolved of a field that is not named by a constant");
    };
    e.check_null(state, args[0])?;
    let library = e.cx.library().expect("only Java has natives");
    let mut fields = Vec::new();
    for (class, guard) in e.model.classes(&mut e.cx, &state.heap, args[0]) {
        // In a method of a subclass, the path knows the object better than its declaration does.
        if matches!(e.solver.check(&mut e.cx.terms, &state.path, guard), Verdict::Unsat) {
            continue;
        }
        let mut layout = library.class(class).layout.iter().rev();
        match layout.find(|field| library.field(**field).name == name) {
            Some(field) => fields.push(*field),
            None => {
                return unsupported(format!("isResolved: {} has no field {name}", library.class(class).name));
            }
        }
    }
    fields.sort_unstable();
    fields.dedup();
    let [field] = fields[..] else {
        return unsupported(format!("isResolved of fields {name} of several classes"));
    };
    let resolved = e.is_resolved(state, args[0], field)?;
    Ok(arith::truth(&mut e.cx.terms, resolved))
}
