//! Executing the instructions that only Java has.

use std::rc::Rc;

use lazuli_logic::{BitOp, Term};
use lazuli_program::ir::{ClassId, FieldId, Instr, Kind, MethodId, Reg, Type};
use lazuli_program::library::LENGTH;

use crate::arith;
use crate::executor::Executor;
use crate::heap::{Given, HeapModel};
use crate::outcome::{ARRAY_STORE, Bound, INDEX, NEGATIVE_SIZE, Stop};
use crate::start::table;
use crate::state::{Frame, State};
use crate::suspend::{Step, Suspend, unsupported};

impl<M: HeapModel> Executor<'_, M> {
    pub(super) fn step_java(&mut self, state: &mut State<M::Heap>, frame: Frame, instr: &Instr) -> Step {
        let base = frame.base as usize;
        let get = |state: &State<M::Heap>, register: Reg| state.registers[base + register.index()];
        match *instr {
            Instr::Compare { dst, kind, lhs, rhs, nan } => {
                let value = arith::compare(&mut self.cx.terms, kind, nan, get(state, lhs), get(state, rhs));
                state.set(dst, value);
            }
            Instr::Switch { value, ref table, default } => {
                let value = get(state, value);
                let target = self.switch(state, value, table, default)?;
                state.record(target as u64);
                state.goto(target);
            }
            Instr::NewArray { dst, class, length } => {
                let length = get(state, length);
                self.check_length(state, length)?;
                let array = self.new_array(state, class, length);
                state.set(dst, array);
            }
            Instr::NewArrays { dst, class, ref lengths } => {
                let lengths: Vec<Term> = lengths.iter().map(|length| get(state, *length)).collect();
                let array = self.new_arrays(state, class, &lengths)?;
                state.set(dst, array);
            }
            Instr::CheckIndex { index, length } => {
                let index = self.operand(state, base, index, Kind::Int);
                let length = get(state, length);
                self.check_index(state, index, length)?;
                state.next();
            }
            Instr::CheckStore { array, value } => {
                let (array, value) = (get(state, array), get(state, value));
                let fits = self.may_hold(state, array, value)?;
                self.require(state, fits, ARRAY_STORE)?;
                state.next();
            }
            Instr::CheckNull { object } => {
                let object = get(state, object);
                self.check_null(state, object)?;
                state.next();
            }
            Instr::Monitor { object, enter } => {
                let object = get(state, object);
                self.monitor(state, object, enter)?;
                state.next();
            }
            Instr::ArrayLoad { dst, array, index, element } => {
                let index = self.operand(state, base, index, Kind::Int);
                let array = get(state, array);
                let value = self.element(state, array, index, element)?;
                state.set(dst, value);
            }
            Instr::ArrayStore { array, index, value, element } => {
                let index = self.operand(state, base, index, Kind::Int);
                let (array, mut value) = (get(state, array), get(state, value));
                if element == Type::Byte {
                    value = self.byte_or_boolean(state, array, value);
                }
                self.set_element(state, array, index, value)?;
                state.next();
            }
            Instr::GetStatic { dst, field } => {
                let value = self.get_static(state, field)?;
                state.set(dst, value);
            }
            Instr::PutStatic { field, value } => {
                let value = get(state, value);
                self.put_static(state, field, value)?;
                state.next();
            }
            Instr::InitClass { class } => match state.vm.is_initialised(class) || self.cx.is_machine(class) {
                true => state.next(),
                false => self.init_class(state, class)?,
            },
            Instr::Native { dst, method } => {
                let value = self.native(state, frame, method)?;
                state.set(dst, value);
            }
            Instr::Unsupported { ref what } => return unsupported(what.to_string()),
            ref other => unreachable!("{other:?} is executed elsewhere"),
        }
        Ok(())
    }

    fn switch(&mut self, state: &mut State<M::Heap>, value: Term, table: &[(i32, u32)], default: u32) -> Step<u32> {
        if let Some((_, value)) = self.cx.terms.as_bits(value) {
            let found = table.binary_search_by_key(&(value as i32), |(key, _)| *key);
            return Ok(found.map_or(default, |at| table[at].1));
        }
        // One case a target, however many keys lead there: that is how the program branches.
        let terms = &mut self.cx.terms;
        let mut targets: Vec<(u32, Vec<Term>)> = Vec::new();
        let mut all = Vec::new();
        for &(key, target) in table {
            let key = terms.bits(32, key as u32 as u64);
            let equal = terms.eq(value, key);
            if target == default || equal == Term::FALSE {
                continue;
            }
            all.push(equal);
            match targets.iter_mut().find(|(known, _)| *known == target) {
                Some((_, guards)) => guards.push(equal),
                None => targets.push((target, vec![equal])),
            }
        }
        let some = terms.any(all);
        let mut guards: Vec<Term> = targets.iter_mut().map(|(_, guards)| terms.any(std::mem::take(guards))).collect();
        guards.push(terms.not(some));
        let taken = self.choose(state, &guards, true)?;
        Ok(targets.get(taken).map_or(default, |(target, _)| *target))
    }

    // ---- arrays ----

    pub(crate) fn check_length(&mut self, state: &mut State<M::Heap>, length: Term) -> Step {
        let zero = self.cx.int(0);
        let negative = self.cx.terms.bit_op(BitOp::SLt, length, zero);
        let fits = self.cx.terms.not(negative);
        self.require(state, fits, NEGATIVE_SIZE)
    }

    /// A new array of a length that is not negative.
    pub(crate) fn new_array(&mut self, state: &mut State<M::Heap>, class: ClassId, length: Term) -> Term {
        let element = self.cx.element_of(class).unwrap_or(Type::Int);
        let array = self.model.alloc(&mut self.cx, &mut state.heap, class);
        self.model.preset(&mut self.cx, &mut state.heap, array, LENGTH, length);
        // The elements of a very long array are in the log, with those of arrays of unknown length.
        if let Some((_, length)) = self.cx.terms.as_bits(length).filter(|(_, length)| *length < 1 << 24) {
            let default = self.cx.default_value(crate::java::cell(element));
            let location = array.as_location().expect("a new object is a location");
            self.model.arrays(&mut state.heap).alloc(location, vec![default; length as usize]);
        }
        array
    }

    /// Arrays of arrays.
    pub(crate) fn new_arrays(&mut self, state: &mut State<M::Heap>, class: ClassId, lengths: &[Term]) -> Step<Term> {
        // All lengths are checked before anything is allocated.
        for &length in lengths {
            self.check_length(state, length)?;
        }
        let mut known = Vec::new();
        for &length in &lengths[..lengths.len() - 1] {
            known.push(self.outer_length(state, length)?);
        }
        known.extend(lengths.last());
        Ok(self.nested_array(state, class, &known))
    }

    /// How many arrays an array is to have, each an object of its own: decided, up to the bound on arrays.
    fn outer_length(&mut self, state: &mut State<M::Heap>, length: Term) -> Step<Term> {
        if self.cx.terms.as_bits(length).is_some() {
            return Ok(length);
        }
        let most = self.cx.library().expect("only Java has arrays").world.max_array as i64;
        let numbers: Vec<Term> = (0..=most).map(|number| self.cx.int(number)).collect();
        let mut guards: Vec<Term> = numbers.iter().map(|number| self.cx.terms.eq(length, *number)).collect();
        guards.push(self.cx.terms.bit_op(BitOp::SLt, numbers[most as usize], length));
        match numbers.get(self.choose(state, &guards, true)?) {
            Some(number) => Ok(*number),
            None => Err(Suspend::stop(Stop::Bound(Bound::MaxArray))),
        }
    }

    fn nested_array(&mut self, state: &mut State<M::Heap>, class: ClassId, lengths: &[Term]) -> Term {
        let array = self.new_array(state, class, lengths[0]);
        let Some(Type::Ref(inner)) = self.cx.element_of(class) else { return array };
        if lengths.len() > 1 {
            let (_, length) = self.cx.terms.as_bits(lengths[0]).expect("outer lengths are known");
            for at in 0..length {
                let element = self.nested_array(state, inner, &lengths[1..]);
                let at = self.cx.terms.bits(32, at);
                self.model.arrays(&mut state.heap).write(&mut self.cx, array, Term::TRUE, at, element);
            }
        }
        array
    }

    fn check_index(&mut self, state: &mut State<M::Heap>, index: Term, length: Term) -> Step {
        // Lengths are not negative, so one unsigned comparison would do; the solver prefers two signed ones.
        let zero = self.cx.int(0);
        let terms = &mut self.cx.terms;
        let negative = terms.bit_op(BitOp::SLt, index, zero);
        let inside = terms.bit_op(BitOp::SLt, index, length);
        let beyond = terms.not(inside);
        let fails = terms.or(negative, beyond);
        let fits = terms.not(fails);
        self.require(state, fits, INDEX)
    }

    /// One instruction writes bytes and booleans: of what goes into an array of booleans only the lowest bit counts.
    fn byte_or_boolean(&mut self, state: &State<M::Heap>, array: Term, value: Term) -> Term {
        if arith::is_truth(&self.cx.terms, value) {
            return value;
        }
        let mut boolean = Term::FALSE;
        for (class, guard) in self.model.classes(&mut self.cx, &state.heap, array) {
            if self.cx.element_of(class) == Some(Type::Bool) {
                boolean = self.cx.terms.or(boolean, guard);
            }
        }
        let one = self.cx.terms.bits(8, 1);
        let lowest = self.cx.terms.bit_op(BitOp::And, value, one);
        self.cx.terms.ite(boolean, lowest, value)
    }

    /// The condition that an array may hold a reference: arrays hold null and objects of their element type. What the reference is
    /// need not be known where all its classes fit.
    pub(crate) fn may_hold(&mut self, state: &mut State<M::Heap>, array: Term, value: Term) -> Step<Term> {
        if !value.is_null() {
            self.asked_class(state, array);
            self.asked_class(state, value);
        }
        let values = self.model.classes(&mut self.cx, &state.heap, value);
        let mut allowed = Vec::new();
        let mut all_fit = true;
        for (class, guard) in self.model.classes(&mut self.cx, &state.heap, array) {
            let Some(Type::Ref(element)) = self.cx.element_of(class) else { continue };
            let mut is = Term::TRUE;
            if !value.is_null() && !values.iter().all(|(class, _)| self.cx.program.is_subclass(*class, element)) {
                all_fit = false;
                is = self.instance_of(state, value, element)?;
            }
            allowed.push(self.cx.terms.and(guard, is));
        }
        if all_fit {
            return Ok(Term::TRUE);
        }
        allowed.push(self.model.is_null(&mut self.cx, &state.heap, value));
        Ok(self.cx.terms.any(allowed))
    }

    // ---- statics ----

    pub(crate) fn get_static(&mut self, state: &mut State<M::Heap>, field: FieldId) -> Step<Term> {
        if let Some(value) = state.vm.statics.get(&field) {
            return Ok(*value);
        }
        let class = self.cx.program.field(field).class;
        self.depends_on_static(field);
        let by = state.vm.initialised.get(&class).copied();
        if by.is_none() && self.cx.library().is_some_and(|library| library.java(class).initializer.is_some()) {
            self.initialise_first(state, class)?;
            return self.get_static(state, field);
        }
        match by.and_then(|by| self.start.static_of(by, field)) {
            Some(Term::NULL) => self.left_null(field),
            Some(value) => self.unless_varying(state, field, value),
            None => self.first_static(state, field),
        }
    }

    /// A static that an initialiser has set to null, for the virtual machine to set afterwards.
    fn left_null(&self, field: FieldId) -> Step<Term> {
        let library = self.cx.library().expect("only Java has statics");
        let declared = library.field(field);
        match table::left_null(library.internal_name(declared.class), &declared.name) {
            Some(what) => self.set_by_machine(field, what),
            None => Ok(Term::NULL),
        }
    }

    fn set_by_machine<T>(&self, field: FieldId, what: &str) -> Step<T> {
        let declared = self.cx.program.field(field);
        let class = &self.cx.program.class(declared.class).name;
        unsupported(format!("{class}.{}, which the virtual machine sets up ({what})", declared.name))
    }

    /// What a static holds, if somebody has written it.
    pub(crate) fn static_so_far(&self, state: &State<M::Heap>, field: FieldId) -> Option<Term> {
        let own = state.vm.statics.get(&field).copied();
        let by = state.vm.initialised.get(&self.cx.program.field(field).class);
        own.or_else(|| self.start.static_of(*by?, field))
    }

    /// A class is initialised before its statics are touched, also where the code could rely on somebody having done so: objects that the
    /// machine makes are made without.
    fn initialise_first(&mut self, state: &mut State<M::Heap>, class: ClassId) -> Step {
        if self.cx.is_machine(class) {
            return self.boot(state);
        }
        let frames = state.frames.len();
        self.init_class(state, class)?;
        if state.frames.len() > frames { Err(Suspend::Detour) } else { Ok(()) }
    }

    /// A static that nobody has written.
    fn first_static(&mut self, state: &mut State<M::Heap>, field: FieldId) -> Step<Term> {
        let library = self.cx.library().expect("only Java has statics");
        let declared = library.field(field);
        // A class without an initialiser is never seen to have been initialised.
        let java = library.java(declared.class);
        if java.initializer.is_none() && library.has_symbolic_statics(declared.class) && !library.is_final(field) {
            return self.make_symbolic(state, field);
        }
        let constant = java.statics.iter().find(|(known, _)| *known == field).and_then(|(_, constant)| *constant);
        if let Some(constant) = constant {
            let value = self.constant(state, constant);
            return Ok(arith::narrow(&mut self.cx.terms, declared.ty, value));
        }
        if let Some(what) = table::left_out(library.internal_name(declared.class), &declared.name) {
            return self.set_by_machine(field, what);
        }
        Ok(self.cx.default_value(declared.ty))
    }

    pub(crate) fn put_static(&mut self, state: &mut State<M::Heap>, field: FieldId, value: Term) -> Step {
        let class = self.cx.program.field(field).class;
        self.depends_on_static(field);
        if self.cx.is_machine(class) && !state.vm.is_initialised(class) {
            self.initialise_first(state, class)?;
        }
        Rc::make_mut(&mut state.vm).statics.insert(field, value);
        Ok(())
    }

    /// Enters a method with its arguments.
    pub(crate) fn push_frame(
        &mut self,
        state: &mut State<M::Heap>,
        method: MethodId,
        args: &[Term],
        dst: Reg,
        called: bool,
    ) {
        let base = state.registers.len();
        let size = self.cx.program.method(method).registers.len();
        state.registers.extend_from_slice(args);
        state.registers.resize(base + size, Term::NULL);
        state.frames.push(Frame { method, pc: 0, base: base as u32, dst, called });
    }

    /// The static fields of a class that the user declared to be inputs, once its initialiser has run.
    pub(crate) fn make_statics_symbolic(&mut self, state: &mut State<M::Heap>, class: ClassId) -> Step {
        let library = self.cx.library().expect("only Java has statics");
        if !library.has_symbolic_statics(class) {
            return Ok(());
        }
        for &(field, _) in &library.java(class).statics {
            if !library.is_final(field) {
                self.make_symbolic(state, field)?;
            }
        }
        Ok(())
    }

    fn make_symbolic(&mut self, state: &mut State<M::Heap>, field: FieldId) -> Step<Term> {
        self.only_on_path()?;
        let declared = self.cx.program.field(field);
        let input = format!("{}.{}", self.cx.program.class(declared.class).name, declared.name);
        let (cx, heap) = (&mut self.cx, &mut state.heap);
        let value = self.inputs.value(cx, &self.model, heap, &input, declared.ty, Given::Nothing);
        self.assume_input(state, value)?;
        Rc::make_mut(&mut state.vm).statics.insert(field, value);
        Ok(value)
    }
}
