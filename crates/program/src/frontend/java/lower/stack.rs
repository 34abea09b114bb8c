//! The JVM's stack as registers: what a place of it holds while a block is lowered, and what the targets of jumps find on it.

use super::{Lowered, Lowering};
use crate::bytecode::code;
use crate::ir::*;

/// What a place of the stack holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Value {
    /// What is in the place's own register.
    Here,
    Local(u16),
    Int(i32),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub kind: code::Kind,
    pub value: Value,
    /// An exception whose constructor has not run: what is put together above it is its message.
    pub new_throwable: bool,
}

impl Lowering<'_> {
    /// The register of the place `index`, counted from the bottom.
    pub(super) fn place(&self, index: usize) -> Reg {
        let words: usize = self.stack[..index].iter().map(|entry| entry.kind.words()).sum();
        Reg(self.stack_base + words as u32)
    }

    /// Pushes a value that the instruction about to be emitted writes; gives its register.
    pub(super) fn push(&mut self, kind: code::Kind) -> Lowered<Reg> {
        self.push_value(kind, Value::Here)?;
        Ok(self.place(self.stack.len() - 1))
    }

    pub(super) fn push_value(&mut self, kind: code::Kind, value: Value) -> Lowered<()> {
        let words: usize = self.stack.iter().map(|entry| entry.kind.words()).sum::<usize>() + kind.words();
        if words > self.code.max_stack as usize {
            return Err("its stack overflows".into());
        }
        self.stack.push(Entry { kind, value, new_throwable: false });
        Ok(())
    }

    /// Puts the value of a place into its own register.
    pub(super) fn materialise(&mut self, index: usize) -> Reg {
        let dst = self.place(index);
        match self.stack[index].value {
            Value::Here => {}
            Value::Local(local) => {
                let src = self.locals[local as usize];
                self.emit(Instr::Move { dst, src });
            }
            Value::Int(value) => self.emit(Instr::Const { dst, value: Const::Int(value as i64) }),
        }
        self.stack[index].value = Value::Here;
        dst
    }

    pub(super) fn flush(&mut self) {
        for index in 0..self.stack.len() {
            self.materialise(index);
        }
    }

    /// Takes the top of the stack; gives a register that holds it until the next push.
    pub(super) fn pop(&mut self, kind: code::Kind) -> Lowered<Reg> {
        match self.pop_operand(kind)? {
            Operand::Reg(register) => Ok(register),
            Operand::Int(value) => {
                let words: usize = self.stack.iter().map(|entry| entry.kind.words()).sum();
                let dst = Reg(self.stack_base + words as u32);
                self.emit(Instr::Const { dst, value: Const::Int(value as i64) });
                Ok(dst)
            }
        }
    }

    pub(super) fn pop_operand(&mut self, kind: code::Kind) -> Lowered<Operand> {
        let index = self.stack.len().checked_sub(1).ok_or("its stack underflows")?;
        let register = self.place(index);
        let entry = self.stack.pop().expect("it is not empty");
        if entry.kind != kind {
            return Err(format!("it uses {:?} as {kind:?}", entry.kind));
        }
        Ok(match entry.value {
            Value::Here => Operand::Reg(register),
            Value::Local(local) => Operand::Reg(self.locals[local as usize]),
            Value::Int(value) => Operand::Int(value),
        })
    }

    pub(super) fn pop_any(&mut self) -> Lowered<Entry> {
        self.stack.pop().ok_or_else(|| "its stack underflows".into())
    }

    /// A local is about to change: places that stand for it get their value now.
    pub(super) fn about_to_write(&mut self, local: u16) {
        for index in 0..self.stack.len() {
            if self.stack[index].value == Value::Local(local) {
                self.materialise(index);
            }
        }
        self.loaded.insert(local);
    }

    pub(super) fn local(&self, local: u16) -> Lowered<Reg> {
        self.locals.get(local as usize).copied().ok_or_else(|| "it uses a local that it does not have".into())
    }

    pub(super) fn scratch(&self, number: u32) -> Reg {
        Reg(self.scratch + number)
    }

    /// The kinds on the stack, which the target of a jump starts with.
    pub(super) fn kinds(&self) -> Vec<code::Kind> {
        self.stack.iter().map(|entry| entry.kind).collect()
    }

    pub(super) fn jump_to(&mut self, target: u32) {
        self.come_to(target);
        self.open.push((target, self.kinds()));
    }

    /// All paths to a block agree on what is on the stack there.
    pub(super) fn come_to(&mut self, block: u32) {
        let kinds = self.kinds();
        if *self.shapes.entry(block).or_insert_with(|| kinds.clone()) != kinds {
            self.conflict.get_or_insert(block);
        }
    }
}
