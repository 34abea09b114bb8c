//! Methods of Java that the engine itself provides: natives, and some methods whose code would need a whole virtual machine.
//!
//! [`find`] is the table. Whatever is native and not in it stops the trace, by name.

mod arrays;
mod big;
mod bounds;
pub(crate) mod boxes;
mod calendars;
mod checksums;
mod classes;
mod decimals;
mod handles;
mod hashes;
mod math;
mod members;
mod monitors;
mod numbers;
mod numerals;
mod printing;
mod products;
mod reflection;
mod services;
mod strings;
mod traces;
mod unsafes;
mod verifier;
mod views;

use std::rc::Rc;

use lazuli_logic::Term;
use lazuli_program::ir::{MethodId, Type};

use crate::arith;
use crate::executor::{Executor, Native};
use crate::heap::pose::Pose;
use crate::heap::{Given, HeapModel};
use crate::scope::Taken;
use crate::start::machine;
use crate::state::{Frame, State};
use crate::suspend::{Step, Suspend, unsupported};

/// The table, by class, name and descriptor.
pub(crate) fn find<M: HeapModel>(key: &str) -> Option<Native<M>> {
    let native: Native<M> = match key {
        // Objects and classes.
        "java/lang/Object.hashCode()I" => |e, s, args| e.identity_hash(s, args[0]),
        "java/lang/System.identityHashCode(Ljava/lang/Object;)I" => classes::identity_hash_code,
        "java/lang/Object.getClass()Ljava/lang/Class;" => classes::get_class,
        "java/lang/Object.clone()Ljava/lang/Object;" => arrays::clone,
        "java/lang/Class.desiredAssertionStatus()Z" => classes::assertions_enabled,
        "java/lang/Class.isArray()Z" => classes::is_array,
        "java/lang/Class.isPrimitive()Z" => classes::is_primitive,
        "java/lang/Class.isInterface()Z" => classes::is_interface,
        "java/lang/Class.isInstance(Ljava/lang/Object;)Z" => classes::is_instance,
        "java/lang/Class.isAssignableFrom(Ljava/lang/Class;)Z" => classes::is_assignable_from,
        "java/lang/Class.getComponentType()Ljava/lang/Class;" => classes::component_type,
        "java/lang/Class.getSuperclass()Ljava/lang/Class;" => classes::superclass,
        "java/lang/Class.getName()Ljava/lang/String;" => classes::name,
        "java/lang/Class.getTypeName()Ljava/lang/String;" => classes::name,
        "java/lang/Class.getSimpleName()Ljava/lang/String;" => classes::simple_name,
        "java/lang/Class.getPrimitiveClass(Ljava/lang/String;)Ljava/lang/Class;" => classes::primitive_class,
        "java/lang/Class.getEnumConstantsShared()[Ljava/lang/Object;" => classes::enum_constants,
        "java/lang/Class.isEnum()Z" => classes::is_enum,
        "java/lang/Class.isRecord()Z" => classes::is_record,
        "java/lang/String.intern()Ljava/lang/String;" => classes::intern,
        "java/lang/Class.getCanonicalName()Ljava/lang/String;" => classes::canonical_name,
        // Arrays.
        "java/lang/System.arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V" => arrays::copy,
        "java/lang/reflect/Array.newArray(Ljava/lang/Class;I)Ljava/lang/Object;" => arrays::new_array,
        "java/lang/reflect/Array.multiNewArray(Ljava/lang/Class;[I)Ljava/lang/Object;" => arrays::new_arrays,
        "java/lang/reflect/Array.getLength(Ljava/lang/Object;)I" => arrays::length,
        // It may leave everything to its caller.
        "jdk/internal/util/ArraysSupport.vectorizedMismatch(Ljava/lang/Object;JLjava/lang/Object;JII)I" => {
            |e, _, args| Ok(e.cx.terms.bit_not(args[4]))
        }
        // Numbers.
        "java/lang/Float.floatToRawIntBits(F)I" => |e, _, args| numbers::to_bits(e, 32, args[0]),
        "java/lang/Double.doubleToRawLongBits(D)J" => |e, _, args| numbers::to_bits(e, 64, args[0]),
        "java/lang/Float.intBitsToFloat(I)F" => |e, _, args| numbers::from_bits(e, 32, args[0]),
        "java/lang/Double.longBitsToDouble(J)D" => |e, _, args| numbers::from_bits(e, 64, args[0]),
        "java/lang/Math.sqrt(D)D" | "java/lang/StrictMath.sqrt(D)D" => numbers::sqrt,
        "java/lang/Math.floor(D)D" | "java/lang/StrictMath.floor(D)D" => numbers::floor,
        "java/lang/Math.ceil(D)D" | "java/lang/StrictMath.ceil(D)D" => numbers::ceil,
        "java/lang/Math.rint(D)D" | "java/lang/StrictMath.rint(D)D" => numbers::rint,
        "java/lang/Float.isNaN(F)Z" | "java/lang/Double.isNaN(D)Z" => numbers::is_nan,
        "java/lang/Math.abs(F)F" | "java/lang/Math.abs(D)D" => numbers::abs,
        // What is done with it is lowered from the descriptors of its calls.
        "java/lang/invoke/MethodHandles.arrayElementVarHandle(Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;" => {
            classes::element_handle
        }
        "java/lang/invoke/MethodHandles$Lookup.findVarHandle(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;"
        | "java/lang/invoke/MethodHandles$Lookup.findStaticVarHandle(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;" => {
            handles::of_field
        }
        "java/lang/invoke/MethodHandles.byteArrayViewVarHandle(Ljava/lang/Class;Ljava/nio/ByteOrder;)Ljava/lang/invoke/VarHandle;" => {
            views::of_bytes
        }
        "java/lang/ref/Reference.refersTo0(Ljava/lang/Object;)Z" => classes::refers_to,
        "java/lang/ref/Reference.clear0()V" => classes::clear_reference,
        "jdk/internal/reflect/Reflection.getCallerClass()Ljava/lang/Class;" => classes::caller_class,
        "java/lang/Runtime.availableProcessors()I" => |e, _, _| {
            e.cx.take_for_granted(Taken::Processors);
            Ok(e.cx.int(1))
        },
        "java/util/concurrent/atomic/AtomicLong.VMSupportsCS8()Z" => |e, _, _| Ok(e.cx.int(1)),
        "java/util/Locale.initDefault()Ljava/util/Locale;" => classes::default_locale,
        "jdk/internal/util/Preconditions.outOfBoundsMessage(Ljava/lang/String;Ljava/util/List;)Ljava/lang/String;" => {
            bounds::message
        }
        "jdk/internal/util/Preconditions.outOfBoundsCheckIndex(Ljava/util/function/BiFunction;II)Ljava/lang/RuntimeException;"
        | "jdk/internal/util/Preconditions.outOfBoundsCheckFromToIndex(Ljava/util/function/BiFunction;III)Ljava/lang/RuntimeException;"
        | "jdk/internal/util/Preconditions.outOfBoundsCheckFromIndexSize(Ljava/util/function/BiFunction;III)Ljava/lang/RuntimeException;" => {
            bounds::exception
        }
        "jdk/internal/misc/CDS.isDumpingClassList0()Z"
        | "jdk/internal/misc/CDS.isDumpingArchive0()Z"
        | "jdk/internal/misc/CDS.isSharingEnabled0()Z"
        | "jdk/internal/misc/CDS.getCDSConfigStatus()I"
        | "java/lang/StringUTF16.isBigEndian()Z" => |e, _, _| Ok(e.cx.int(0)),
        // What is made of it differs from run to run all the same, see the table of the start.
        "jdk/internal/misc/CDS.getRandomSeedForDumping()J" => |e, _, _| Ok(e.cx.terms.bits(64, 1)),
        "java/lang/System.nanoTime()J"
        | "java/lang/System.currentTimeMillis()J"
        | "jdk/internal/misc/VM.getNanoTimeAdjustment(J)J" => {
            |e, s, _| e.varying(s, "the time", Type::Long)
        }
        "jdk/internal/misc/CDS.initializeFromArchive(Ljava/lang/Class;)V"
        | "jdk/internal/misc/VM.initializeFromArchive(Ljava/lang/Class;)V"
        | "java/lang/Runtime.gc()V"
        // What the libraries of the JDK provide is here.
        | "java/util/zip/ZipUtils.loadLibrary()V"
        | "jdk/internal/loader/BootLoader.loadLibrary(Ljava/lang/String;)V" => |_, _, _| Ok(Term::NULL),
        _ => {
            let more = boxes::find(key).or_else(|| math::find(key)).or_else(|| products::find(key)).or_else(|| reflection::find(key));
            let more = more.or_else(|| members::find(key)).or_else(|| traces::find(key)).or_else(|| unsafes::find(key));
            let more = more.or_else(|| verifier::find(key)).or_else(|| machine::find(key));
            let more = more.or_else(|| monitors::find(key)).or_else(|| checksums::find(key)).or_else(|| strings::find(key));
            let more = more.or_else(|| decimals::find(key)).or_else(|| numerals::find(key)).or_else(|| big::find(key));
            return more.or_else(|| printing::find(key)).or_else(|| calendars::find(key)).or_else(|| services::find(key)).or_else(|| views::find(key));
        }
    };
    Some(native)
}

/// Whether the engine provides a method although it has code.
pub fn provides(class: &str, name: &str, descriptor: &str) -> bool {
    name == "registerNatives" || find::<Pose>(&format!("{class}.{name}{descriptor}")).is_some()
}

impl<M: HeapModel> Executor<'_, M> {
    /// Executes the only instruction of a method that the engine provides.
    pub(crate) fn native(&mut self, state: &mut State<M::Heap>, frame: Frame, method: MethodId) -> Step<Term> {
        let library = self.cx.library().expect("only Java has natives");
        let declared = library.declared(method);
        let base = frame.base as usize;
        let args: Vec<Term> = state.registers[base..base + declared.parameters.len()].to_vec();
        let native = *self.natives.entry(method).or_insert_with(|| {
            let class = library.internal_name(declared.class);
            find::<M>(&format!("{class}.{}{}", declared.name, declared.descriptor))
        });
        match native {
            Some(native) => native(self, state, &args),
            None if &*declared.name == "registerNatives" || &*declared.name == "initIDs" => Ok(Term::NULL),
            None if library.internal_name(declared.class) == "java/lang/invoke/VarHandle" => {
                handles::access(self, state, (&declared.name, &declared.descriptor), &args)
            }
            None if library.is_uninterpreted(declared.class) => self.uninterpreted(state, method, &args),
            None => unsupported(library.method_signature(method)),
        }
    }

    /// The method's own code is executed in place of what the engine provides.
    pub(crate) fn run_original(&mut self, state: &mut State<M::Heap>) -> Step<Term> {
        let library = self.cx.library().expect("only Java has natives");
        let frame = state.frames.last_mut().expect("a running state has a frame");
        let original = library.original(frame.method);
        *frame = Frame { method: original, pc: 0, ..*frame };
        let size = frame.base as usize + self.cx.program.method(original).registers.len();
        state.registers.resize(size, Term::NULL);
        Err(Suspend::Detour)
    }

    /// Likewise, where what it does is no part of the path: with other arguments the engine provides it, and nothing of this is done.
    fn run_quietly(&mut self, state: &mut State<M::Heap>) -> Step<Term> {
        state.be_quiet(state.frames.len() - 1);
        self.run_original(state)
    }

    /// A method of the environment: any result, but the same for the same arguments.
    fn uninterpreted(&mut self, state: &mut State<M::Heap>, method: MethodId, args: &[Term]) -> Step<Term> {
        let library = self.cx.library().expect("only Java has natives");
        let declared = library.declared(method);
        let class = library.class(declared.class).name.trim_end_matches("$Uninterpreted").to_string();
        let results = Taken::Results { class: class.clone(), method: declared.name.to_string() };
        self.cx.take_for_granted(results);
        if declared.result == Type::Void {
            return Ok(Term::NULL);
        }
        let input = self.uninterpreted_result(state, method, &class, args)?;
        let mut value = input;
        for (known, known_args, result) in state.vm.calls.clone() {
            if known == method {
                let equal: Vec<Term> = args.iter().zip(&known_args).map(|(a, b)| self.cx.terms.eq(*a, *b)).collect();
                let same = self.cx.terms.all(equal);
                value = self.cx.terms.ite(same, result, value);
            }
        }
        Rc::make_mut(&mut state.vm).calls.push((method, args.to_vec(), value));
        Ok(value)
    }

    /// Any result of a method: of the type that generic declarations give it.
    fn uninterpreted_result(
        &mut self,
        state: &mut State<M::Heap>,
        method: MethodId,
        class: &str,
        args: &[Term],
    ) -> Step<Term> {
        let declared = self.cx.library().expect("only Java has natives").declared(method);
        let name = format!("{class}.{}", declared.name);
        let of_input = match self.input_symbols(state, args[0])[..] {
            [receiver] => self.cx.result_type(receiver, method),
            _ => None,
        };
        let Some((ty, shape)) = of_input else { return self.fresh_input(state, &name, declared.result) };
        let next = next_name(state, &name);
        self.cx.give_shape(&next, ty, shape);
        self.fresh_input(state, &name, ty)
    }

    /// A new input, as a value of the stack. The name is made unique by a number that counts along the path.
    pub(crate) fn fresh_input(&mut self, state: &mut State<M::Heap>, name: &str, ty: Type) -> Step<Term> {
        let value = self.next_input(state, name, ty)?;
        self.count_input(state, name);
        Ok(arith::widen(&mut self.cx.terms, ty, value))
    }

    /// The next input of a name. It is the same until it is counted.
    fn next_input(&mut self, state: &mut State<M::Heap>, name: &str, ty: Type) -> Step<Term> {
        let name = next_name(state, name);
        let value = self.inputs.value(&mut self.cx, &self.model, &mut state.heap, &name, ty, Given::Nothing);
        self.assume_input(state, value)?;
        Ok(value)
    }

    fn count_input(&mut self, state: &mut State<M::Heap>, name: &str) {
        *Rc::make_mut(&mut state.vm).inputs.entry(name.to_string()).or_default() += 1;
    }

    /// Whether a reference is null: decided here.
    pub(crate) fn is_null(&mut self, state: &mut State<M::Heap>, value: Term) -> Step<bool> {
        let null = self.same(state, value, Term::NULL)?;
        self.check(state, null)
    }
}

/// What the next input of a name is called.
fn next_name<H>(state: &State<H>, name: &str) -> String {
    match state.vm.inputs.get(name) {
        None => name.to_string(),
        Some(number) => format!("{name}#{}", number + 1),
    }
}
