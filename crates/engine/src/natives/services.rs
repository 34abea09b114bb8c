//! `ServiceLoader`: the providers that the JDK's modules name. Those of the class path are not looked for, and the run says so.

use lazuli_logic::Term;
use lazuli_program::bytecode::services::providers;

use super::members::constructors;
use crate::executor::{Executor, Native};
use crate::heap::{HeapModel, Memory};
use crate::scope::Taken;
use crate::state::State;
use crate::suspend::{Step, unsupported};

type Heap<M> = <M as Memory>::Heap;

pub(super) fn find<M: HeapModel>(key: &str) -> Option<Native<M>> {
    let native: Native<M> = match key {
        "java/util/ServiceLoader.checkCaller(Ljava/lang/Class;Ljava/lang/Class;)V" => |_, _, _| Ok(Term::NULL),
        "java/util/ServiceLoader.newLookupIterator()Ljava/util/Iterator;" => lookup,
        _ => return None,
    };
    Some(native)
}

/// An iterator over the providers, as the JDK's own code would find them.
fn lookup<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let library = e.cx.library().expect("only Java has services");
    let field = e.cx.program.field_named(library.class_id("java/util/ServiceLoader"), "service");
    let Some(field) = field else { return unsupported("the services of this JDK") };
    let service = e.read(state, args[0], field)?;
    let Some(class) = e.mirrored(service) else { return unsupported("a service that is not known") };
    if e.is_program(class) {
        return unsupported("services that the class path provides");
    }
    e.cx.take_for_granted(Taken::Services);
    let mut found = Vec::new();
    for provider in providers(&library.path.jdk().image, library.internal_name(class)) {
        let provider = library.class_id(&provider);
        if library.java(provider).missing.is_none() {
            let mirror = e.mirror(provider);
            let constructor = plain_constructor(e, state, mirror)?;
            let fields = [("service", service), ("type", mirror), ("ctor", constructor)];
            found.push(e.object_with(state, "java/util/ServiceLoader$ProviderImpl", &fields));
        }
    }
    let array = e.array_with(state, "[Ljava/lang/Object;", found);
    Ok(e.object_with(state, "java/util/Arrays$ArrayItr", &[("a", array)]))
}

/// The constructor without parameters, which whoever has it may call.
fn plain_constructor<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, mirror: Term) -> Step<Term> {
    let all = e.cx.int(0);
    let array = constructors(e, state, &[mirror, all])?;
    let library = e.cx.library().expect("only Java has services");
    let of_constructor = library.class_id("java/lang/reflect/Constructor");
    let field = |name: &str| e.cx.program.field_named(of_constructor, name);
    let (Some(types), Some(open)) = (field("parameterTypes"), field("override")) else {
        return unsupported("the services of this JDK");
    };
    let constructors = e.model.arrays(&mut state.heap).dense(&e.cx, array).cloned().unwrap_or_default();
    for &constructor in constructors.iter() {
        let parameters = e.read(state, constructor, types)?;
        if e.model.arrays(&mut state.heap).dense(&e.cx, parameters).is_some_and(|types| types.is_empty()) {
            e.model.preset(&mut e.cx, &mut state.heap, constructor, open, Term::TRUE);
            return Ok(constructor);
        }
    }
    unsupported("a provider of a service without a constructor of its own")
}
