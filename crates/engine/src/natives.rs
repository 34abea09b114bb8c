//! Methods of Java that the engine itself provides: natives, and some methods whose code would need a whole virtual machine.
//!
//! [`find`] is the table. Whatever is native and not in it stops the trace, by name.

mod arrays;
mod classes;
mod numbers;
mod unsafes;
mod verifier;

use std::rc::Rc;

use lazuli_logic::Term;
use lazuli_program::ir::{FieldId, MethodId, Type};
use lazuli_program::library::IDENTITY_HASH;

use crate::executor::Executor;
use crate::heap::pose::Pose;
use crate::heap::{Effect, HeapModel};
use crate::outcome::{Outcome, Stop};
use crate::state::{Frame, State};
use crate::step::{Pause, arith};

/// What a native method does.
pub(crate) enum Answer {
    /// A value of the stack, or nothing in particular for `void`.
    Value(Term),
    /// Likewise, where a condition holds; it holds in every input within the bounds.
    Within(Term, Term),
    /// The cases are in the buffer.
    Proposed,
    Throw(&'static str),
    /// The path is not one: an assumption does not hold.
    Prune,
    Unsupported(String),
    /// The method's own code is to be executed.
    Original,
}

pub(crate) type Native<M> = fn(&mut Executor<'_, M>, &mut State<<M as HeapModel>::Heap>, &[Term]) -> Answer;

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
        "java/lang/Throwable.fillInStackTrace()Ljava/lang/Throwable;" => |_, _, args| Answer::Value(args[0]),
        "java/lang/String.intern()Ljava/lang/String;" => classes::intern,
        "java/lang/Class.getCanonicalName()Ljava/lang/String;" => classes::canonical_name,
        "java/lang/Thread.currentThread()Ljava/lang/Thread;" => classes::current_thread,
        // Arrays.
        "java/lang/System.arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V" => arrays::copy,
        "java/lang/reflect/Array.newArray(Ljava/lang/Class;I)Ljava/lang/Object;" => arrays::new_array,
        "java/lang/reflect/Array.getLength(Ljava/lang/Object;)I" => arrays::length,
        // It may leave everything to its caller.
        "jdk/internal/util/ArraysSupport.vectorizedMismatch(Ljava/lang/Object;JLjava/lang/Object;JII)I" => {
            |e, _, args| Answer::Value(e.cx.terms.bit_not(args[4]))
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
        // The virtual machine, as far as class initialisers ask for it. What these would set up is provided here, or not needed.
        "java/lang/ref/Reference.<clinit>()V"
        | "java/lang/ref/Finalizer.<clinit>()V"
        | "jdk/internal/access/SharedSecrets.<clinit>()V" => |_, _, _| Answer::Value(Term::NULL),
        "jdk/internal/access/SharedSecrets.getJavaLangAccess()Ljdk/internal/access/JavaLangAccess;" => {
            classes::language_access
        }
        // What is done with it is lowered from the descriptors of its calls.
        "java/lang/invoke/MethodHandles.arrayElementVarHandle(Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;" => {
            classes::element_handle
        }
        "java/lang/invoke/MethodHandles$Lookup.findVarHandle(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;" => {
            classes::field_handle
        }
        "java/lang/ref/Reference.refersTo0(Ljava/lang/Object;)Z" => classes::refers_to,
        "jdk/internal/reflect/Reflection.getCallerClass()Ljava/lang/Class;" => classes::caller_class,
        "java/lang/System.getProperties()Ljava/util/Properties;"
        | "sun/security/action/GetPropertyAction.privilegedGetProperties()Ljava/util/Properties;" => {
            classes::properties
        }
        "java/lang/Runtime.availableProcessors()I" => |e, _, _| Answer::Value(e.cx.int(1)),
        "java/util/Locale.initDefault()Ljava/util/Locale;" => classes::default_locale,
        "jdk/internal/misc/VM.getSavedProperty(Ljava/lang/String;)Ljava/lang/String;"
        | "java/lang/System.getProperty(Ljava/lang/String;)Ljava/lang/String;"
        | "java/lang/System.getSecurityManager()Ljava/lang/SecurityManager;"
        | "sun/security/action/GetPropertyAction.privilegedGetProperty(Ljava/lang/String;)Ljava/lang/String;" => {
            |_, _, _| Answer::Value(Term::NULL)
        }
        // It would be formatted, which takes a whole library.
        "jdk/internal/util/Preconditions.outOfBoundsMessage(Ljava/lang/String;Ljava/util/List;)Ljava/lang/String;" => {
            |e, state, _| Answer::Value(e.untold_text(state))
        }
        "jdk/internal/util/Preconditions.outOfBoundsCheckIndex(Ljava/util/function/BiFunction;II)Ljava/lang/RuntimeException;"
        | "jdk/internal/util/Preconditions.outOfBoundsCheckFromToIndex(Ljava/util/function/BiFunction;III)Ljava/lang/RuntimeException;"
        | "jdk/internal/util/Preconditions.outOfBoundsCheckFromIndexSize(Ljava/util/function/BiFunction;III)Ljava/lang/RuntimeException;" => {
            classes::out_of_bounds
        }
        "jdk/internal/misc/CDS.isDumpingClassList0()Z"
        | "jdk/internal/misc/CDS.isDumpingArchive0()Z"
        | "jdk/internal/misc/CDS.isSharingEnabled0()Z"
        | "jdk/internal/misc/CDS.getCDSConfigStatus()I"
        | "java/lang/StringUTF16.isBigEndian()Z" => |e, _, _| Answer::Value(e.cx.int(0)),
        "jdk/internal/misc/VM.isBooted()Z" | "jdk/internal/misc/VM.isModuleSystemInited()Z" => {
            |e, _, _| Answer::Value(e.cx.int(1))
        }
        "jdk/internal/misc/CDS.getRandomSeedForDumping()J" => |e, _, _| Answer::Value(e.cx.terms.bits(64, 0)),
        "java/lang/System.nanoTime()J" | "java/lang/System.currentTimeMillis()J" => classes::time,
        "jdk/internal/misc/CDS.initializeFromArchive(Ljava/lang/Class;)V"
        | "jdk/internal/misc/VM.initialize()V"
        | "jdk/internal/misc/VM.initializeFromArchive(Ljava/lang/Class;)V"
        | "java/lang/Object.notify()V"
        | "java/lang/Object.notifyAll()V" => |_, _, _| Answer::Value(Term::NULL),
        // Test drivers.
        _ => return unsafes::find(key).or_else(|| verifier::find(key)),
    };
    Some(native)
}

/// Whether the engine provides a method although it has code.
pub fn provides(class: &str, name: &str, descriptor: &str) -> bool {
    name == "registerNatives" || find::<Pose>(&format!("{class}.{name}{descriptor}")).is_some()
}

impl<M: HeapModel> Executor<'_, M> {
    /// Executes the only instruction of a method that the engine provides.
    pub(crate) fn native(&mut self, state: &mut State<M::Heap>, frame: Frame, method: MethodId) -> Option<Pause> {
        let library = self.cx.library().expect("only Java has natives");
        let declared = library.declared(method);
        let base = frame.base as usize;
        let args: Vec<Term> = state.registers[base..base + declared.parameters.len()].to_vec();
        let native = *self.natives.entry(method).or_insert_with(|| {
            let class = library.internal_name(declared.class);
            find::<M>(&format!("{class}.{}{}", declared.name, declared.descriptor))
        });
        let answer = match native {
            Some(native) => native(self, state, &args),
            None if &*declared.name == "registerNatives" || &*declared.name == "initIDs" => Answer::Value(Term::NULL),
            None if library.is_uninterpreted(declared.class) => self.uninterpreted(state, method, &args),
            None => Answer::Unsupported(library.method_signature(method)),
        };
        match answer {
            Answer::Value(value) => self.cases.only(Effect::Value(value)),
            Answer::Within(condition, value) => {
                self.cases.exhaustive &= condition == Term::TRUE;
                self.cases.push(condition, false, None, Effect::Value(value));
            }
            Answer::Proposed => {}
            Answer::Throw(exception) => self.cases.only(Effect::Throw(exception)),
            Answer::Prune => {
                self.cases.exhaustive = false;
                self.cases.push(Term::FALSE, false, None, Effect::Again);
            }
            Answer::Original => {
                let original = library.original(method);
                let size = self.cx.program.method(original).registers.len();
                state.registers.resize(base + size, Term::NULL);
                let frame = state.frames.last_mut().expect("a running state has a frame");
                *frame = Frame { method: original, pc: 0, ..*frame };
            }
            Answer::Unsupported(what) => {
                return Some(Pause::End(Outcome::Stopped(Stop::Unsupported(what)), None));
            }
        }
        None
    }

    /// A method of the environment: any result, but the same for the same arguments.
    fn uninterpreted(&mut self, state: &mut State<M::Heap>, method: MethodId, args: &[Term]) -> Answer {
        let library = self.cx.library().expect("only Java has natives");
        let declared = library.declared(method);
        let class = library.class(declared.class).name.trim_end_matches("$Uninterpreted").to_string();
        self.cx
            .caveats
            .insert(format!("{class} has no implementation here: the results of {} are inputs", declared.name));
        if declared.result == Type::Void {
            return Answer::Value(Term::NULL);
        }
        let input = self.fresh_input(state, &format!("{class}.{}", declared.name), declared.result);
        let mut value = input;
        for (known, known_args, result) in state.vm.calls.clone() {
            if known == method {
                let equal: Vec<Term> = args.iter().zip(&known_args).map(|(a, b)| self.cx.terms.eq(*a, *b)).collect();
                let same = self.cx.terms.all(equal);
                value = self.cx.terms.ite(same, result, value);
            }
        }
        Rc::make_mut(&mut state.vm).calls.push((method, args.to_vec(), value));
        Answer::Value(value)
    }

    /// A new input, as a value of the stack. The name is made unique by a number that counts along the path.
    pub(crate) fn fresh_input(&mut self, state: &mut State<M::Heap>, name: &str, ty: Type) -> Term {
        let vm = Rc::make_mut(&mut state.vm);
        let number = vm.inputs.entry(name.to_string()).or_default();
        *number += 1;
        let name = if *number == 1 { name.to_string() } else { format!("{name}#{number}") };
        let value = self.inputs.value(&mut self.cx, &self.model, &mut state.heap, &name, ty, false);
        arith::widen(&mut self.cx.terms, ty, value)
    }

    /// A field of an object that is not null, at once. What must hold for that is added to `within`.
    pub(crate) fn field_now(
        &mut self,
        state: &mut State<M::Heap>,
        object: Term,
        field: FieldId,
        within: &mut Term,
    ) -> Option<Term> {
        if !self.is_told(state, object, field) {
            return None;
        }
        self.model.read(&mut self.cx, &mut state.heap, object, field, &mut self.cases);
        self.value_now(within)
    }

    /// The value of the only case that does not throw; `None` leaves the cases in the buffer. What changes the heap is done first, and the method
    /// is executed again: what it has found so far must hold then.
    pub(crate) fn value_now(&mut self, within: &mut Term) -> Option<Term> {
        let changes = self.cases.list.iter().any(|case| case.change.is_some());
        if changes && *within != Term::TRUE {
            self.cases.clear();
            self.cases.exhaustive = false;
            self.cases.push(*within, false, None, Effect::Again);
            return None;
        }
        let mut values = self.cases.list.iter().filter_map(|case| match case.effect {
            Effect::Value(value) => Some((case.guard, value)),
            _ => None,
        });
        let found = values.next().filter(|_| values.next().is_none());
        let several = self.cases.list.iter().any(|case| matches!(case.effect, Effect::Again));
        if let Some((guard, value)) = found.filter(|_| !several && !changes) {
            *within = self.cx.terms.and(*within, guard);
            self.cases.clear();
            return Some(value);
        }
        // Where no reference is a constant, several values are those of one that was just initialised.
        if changes || !self.model.enumerates() {
            for case in self.cases.list.iter_mut().filter(|case| matches!(case.effect, Effect::Value(_))) {
                case.effect = Effect::Again;
            }
        }
        None
    }

    /// Whether the path has what was found so far. Otherwise it is put there, and the method is executed again: what is decided next
    /// would forget it, and a field says what is true of it only when it is initialised.
    pub(crate) fn is_within(&mut self, state: &State<M::Heap>, within: Term) -> bool {
        if self.is_settled(state, within) {
            return true;
        }
        self.cases.exhaustive = false;
        self.cases.push(within, false, None, Effect::Again);
        false
    }

    /// An element of an array, likewise.
    pub(crate) fn element_now(
        &mut self,
        state: &mut State<M::Heap>,
        array: Term,
        index: Term,
        element: Type,
        within: &mut Term,
    ) -> Option<Term> {
        self.model.array_read(&mut self.cx, &mut state.heap, array, index, element, &mut self.cases);
        if self.model.enumerates() && self.cases.list.len() > 1 && !self.decides_element(state, within) {
            return None;
        }
        self.value_now(within)
    }

    /// Under a model that enumerates, several values are those of elements that may have the index. Leaves the one that the path has decided
    /// for; otherwise that is decided first, and the method is executed again.
    fn decides_element(&mut self, state: &State<M::Heap>, within: &Term) -> bool {
        let guards: Vec<Term> = self.cases.list.iter().map(|case| case.guard).collect();
        if let Some(at) = guards.into_iter().position(|guard| self.is_settled(state, guard)) {
            self.cases.list.swap(0, at);
            self.cases.list.truncate(1);
            self.cases.list[0].guard = Term::TRUE;
            return true;
        }
        let mut cases = std::mem::take(&mut self.cases.list);
        if self.is_within(state, *within) {
            cases.iter_mut().for_each(|case| case.effect = Effect::Again);
            self.cases.list = cases;
        }
        false
    }

    /// Where an element is written: the index, or, where references are constants and stand side by side, the number that the path has decided
    /// it to be. Otherwise that is decided first, and the method is executed again.
    pub(crate) fn index_now(
        &mut self,
        state: &mut State<M::Heap>,
        array: Term,
        index: Term,
        element: Type,
        within: Term,
    ) -> Option<Term> {
        let length = self.model.arrays(&mut state.heap).dense(array).map_or(0, |elements| elements.len());
        let is_open = self.model.enumerates() && element.is_ref() && self.cx.terms.as_bits(index).is_none();
        if !is_open || length == 0 {
            return Some(index);
        }
        let numbers: Vec<Term> = (0..length).map(|at| self.cx.terms.bits(32, at as u64)).collect();
        let here: Vec<Term> = numbers.iter().map(|number| self.cx.terms.eq(index, *number)).collect();
        if let Some(at) = here.iter().position(|here| self.is_settled(state, *here)) {
            return Some(numbers[at]);
        }
        if self.is_within(state, within) {
            here.into_iter().for_each(|here| self.cases.push(here, true, None, Effect::Again));
        }
        None
    }

    /// Writes an element at once, at an index that [`Executor::index_now`] gave or that is known. What must hold for that is added to `within`.
    pub(crate) fn set_element(
        &mut self,
        state: &mut State<M::Heap>,
        array: Term,
        index: Term,
        value: Term,
        within: &mut Term,
    ) {
        self.model.array_write(&mut self.cx, &mut state.heap, array, index, value, &mut self.cases);
        assert!(self.cases.list.len() <= 1, "an element is written at one place");
        if let Some(case) = self.cases.list.pop() {
            *within = self.cx.terms.and(*within, case.guard);
            if let Some(change) = case.change {
                self.model.apply(&mut self.cx, &mut state.heap, change);
            }
        }
        self.cases.clear();
    }

    /// `Object.hashCode`: an unknown that belongs to the object. Objects of the program get theirs when they are asked.
    pub(crate) fn identity_hash(&mut self, state: &mut State<M::Heap>, object: Term) -> Answer {
        self.cx.caveats.insert("identity hash codes are unknown values".into());
        let mut within = Term::TRUE;
        let zero = self.cx.int(0);
        for (leaf, _) in self.cx.terms.leaves(object).to_vec() {
            if leaf.as_location().is_none() {
                continue;
            }
            let Some(known) = self.field_now(state, leaf, IDENTITY_HASH, &mut within) else { return Answer::Proposed };
            if known == zero {
                let hash = self.fresh_input(state, "identityHashCode", Type::Int);
                self.model.preset(&mut self.cx, &mut state.heap, leaf, IDENTITY_HASH, hash);
            }
        }
        match self.field_now(state, object, IDENTITY_HASH, &mut within) {
            Some(hash) => Answer::Within(within, hash),
            None => Answer::Proposed,
        }
    }
}
