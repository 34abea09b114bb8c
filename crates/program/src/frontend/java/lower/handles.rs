//! Calls of `VarHandle`s. Of those of the elements of arrays it is in their descriptors what they do; the engine knows which field one of the others is of.
//!
//! A handle whose coordinates are an array and an index, and whose variable has the array's type of element, is one of the array's elements: those of
//! fields have other coordinates, and views of bytes have other types. There is one thread, so all modes of access are alike.

use super::Lowering;
use crate::bytecode::descriptor;
use crate::bytecode::pool::MemberRef;
use crate::ir::{BinaryOp, Callee, Const, Instr, Kind, Operand, Reg, Type, UnaryOp};

/// Where the elements of an array begin, for `Unsafe`.
const BASE: i64 = 16;

/// The only class whose arrays of references are known to hold everything: other stores fail with an exception of their own.
const HOLDS_ALL: &str = "java/util/concurrent/atomic/AtomicReferenceArray";

impl Lowering<'_> {
    pub(super) fn handle_access(&mut self, member: &MemberRef, args: Box<[Reg]>, dst: Reg) {
        if self.element_access(member, &args, dst) {
            return;
        }
        let class = self.library.class_id(&member.class);
        match self.library.polymorphic(class, &member.name, &member.descriptor) {
            Some(method) => {
                self.check_receiver(args[0]);
                self.emit(Instr::Call { dst, callee: Callee::Exactly(method), args });
            }
            None => self.unsupported("a call of a VarHandle without a descriptor"),
        }
    }

    /// Says whether the call is one of these; if not, nothing was emitted.
    fn element_access(&mut self, member: &MemberRef, args: &[Reg], dst: Reg) -> bool {
        let Some(signature) = descriptor::method(&member.descriptor) else { return false };
        let ([first, "I", values @ ..], &[handle, array, index, ref given @ ..]) = (&signature.parameters[..], args)
        else {
            return false;
        };
        let Some(element) = first.strip_prefix('[') else { return false };
        let all_alike = values.iter().all(|value| *value == element);
        let ty = self.library.type_of(element);
        let (kind, shift, unsafe_name) = match ty {
            Type::Int => (Kind::Int, 2, "Int"),
            Type::Long => (Kind::Long, 3, "Long"),
            Type::Ref(_) if self.library.internal_name(self.declared.class) == HOLDS_ALL => (Kind::Int, 2, "Reference"),
            _ => return false,
        };
        let name = &*member.name;
        let gives_element = signature.result == element;
        let is_set = name == "compareAndSet" || name.starts_with("weakCompareAndSet");
        let known = match (name, given.len()) {
            ("get" | "getVolatile" | "getOpaque" | "getAcquire", 0) => gives_element,
            ("set" | "setVolatile" | "setOpaque" | "setRelease", 1) => signature.result == "V",
            ("getAndSet" | "getAndSetAcquire" | "getAndSetRelease", 1) => gives_element,
            ("getAndAdd" | "getAndAddAcquire" | "getAndAddRelease", 1) => gives_element && !ty.is_ref(),
            ("compareAndExchange" | "compareAndExchangeAcquire" | "compareAndExchangeRelease", 2) => gives_element,
            (_, 2) if is_set => signature.result == "Z",
            _ => false,
        };
        if !known || !all_alike {
            return false;
        }
        self.check_receiver(handle);
        self.check_index(array, Operand::Reg(index));
        let at = Operand::Reg(index);
        if !is_set && !name.starts_with("set") {
            self.emit(Instr::ArrayLoad { dst, array, index: at, element: ty });
            if ty.is_ref() {
                self.emit(Instr::Load { register: dst });
            }
        }
        match *given {
            [value] if name.starts_with("getAndAdd") => {
                let sum = self.scratch(1);
                self.emit(Instr::Binary { dst: sum, kind, op: BinaryOp::Add, lhs: dst, rhs: Operand::Reg(value) });
                self.emit(Instr::ArrayStore { array, index: at, value: sum, element: ty });
            }
            [value] => self.emit(Instr::ArrayStore { array, index: at, value, element: ty }),
            [expected, new] => {
                let dst = if is_set { dst } else { self.scratch(0) };
                self.compare_and_set(unsafe_name, [array, index, expected, new], shift, dst);
            }
            _ => {}
        }
        true
    }

    fn compare_and_set(&mut self, name: &str, [array, index, expected, new]: [Reg; 4], shift: i32, dst: Reg) {
        let [offset, base, receiver] = [1, 2, 3].map(|number| self.scratch(number));
        self.emit(Instr::Unary { dst: offset, op: UnaryOp::Convert { from: Kind::Int, to: Kind::Long }, src: index });
        let (kind, rhs) = (Kind::Long, Operand::Int(shift));
        self.emit(Instr::Binary { dst: offset, kind, op: BinaryOp::Shl, lhs: offset, rhs });
        self.emit(Instr::Const { dst: base, value: Const::Long(BASE) });
        self.emit(Instr::Binary { dst: offset, kind, op: BinaryOp::Add, lhs: offset, rhs: Operand::Reg(base) });
        self.emit(Instr::Const { dst: receiver, value: Const::Null });
        let value = match name {
            "Int" => "I",
            "Long" => "J",
            _ => "Ljava/lang/Object;",
        };
        let class = self.library.class_id("jdk/internal/misc/Unsafe");
        let descriptor = format!("(Ljava/lang/Object;J{value}{value})Z");
        let method = self.library.find_method(class, &format!("compareAndSet{name}").into(), &descriptor.into());
        match method {
            Some(method) => {
                let args = [receiver, array, offset, expected, new].into();
                self.emit(Instr::Call { dst, callee: Callee::Exactly(method), args });
            }
            None => self.unsupported("Unsafe.compareAndSet"),
        }
    }
}
