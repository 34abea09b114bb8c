//! Writing the body of one method: registers that are used again, instructions with a mark of where they come from, labels that
//! jumps lead to, and handlers. Every front end writes with it, and so does whoever makes methods that no source has.
//!
//! While a body is written, the targets of its jumps are labels; [`Assembler::finish`] makes them places in the code.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::ir::*;

/// A place in the code that may not be known yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label(u32);

/// `M` is the mark of an instruction: what it was made from.
pub struct Assembler<M> {
    registers: Vec<Register>,
    code: Vec<Instr>,
    marks: Vec<M>,
    /// Where every label stands.
    labels: Vec<Option<u32>>,
    /// Where the last label was put: the instructions from here on are reached only one after the other.
    straight_from: u32,
    /// Registers that hold nothing any more, by name and type.
    free: FxHashMap<(String, Type), Vec<Reg>>,
    catches: Vec<Catch<M>>,
}

/// What is thrown by the instructions of some marks goes to a label.
struct Catch<M> {
    marks: Range<M>,
    target: Label,
    class: Option<ClassId>,
    register: Reg,
}

/// A body that is complete.
pub struct Assembled<M> {
    pub registers: Vec<Register>,
    pub code: Vec<Instr>,
    pub marks: Vec<M>,
    pub handlers: Vec<Handler>,
}

impl<M: Copy + PartialOrd> Assembler<M> {
    /// Starts with the parameters.
    pub fn new(parameters: Vec<Register>) -> Assembler<M> {
        Assembler {
            registers: parameters,
            code: Vec::new(),
            marks: Vec::new(),
            labels: Vec::new(),
            straight_from: 0,
            free: FxHashMap::default(),
            catches: Vec::new(),
        }
    }

    // ---- registers ----

    /// All registers so far, the parameters first.
    pub fn registers(&self) -> &[Register] {
        &self.registers
    }

    pub fn type_of(&self, register: Reg) -> Type {
        self.registers[register.index()].ty
    }

    /// A register for an intermediate value (no name) or a variable. Frames are copied at every fork, so registers that
    /// are free again are used again.
    pub fn register(&mut self, name: &str, ty: Type) -> Reg {
        let free = self.free.get_mut(&(name.to_string(), ty)).and_then(|fitting| fitting.pop());
        free.unwrap_or_else(|| self.fresh(name, ty))
    }

    /// A register that no other value has used: its type may still be changed by [`Assembler::retype`].
    pub fn fresh(&mut self, name: &str, ty: Type) -> Reg {
        self.registers.push(Register { name: name.to_string(), ty });
        Reg(self.registers.len() as u32 - 1)
    }

    /// Makes sure that there are so many registers; those that are new have no type.
    pub fn reserve(&mut self, registers: u32) {
        let count = self.registers.len().max(registers as usize);
        self.registers.resize(count, Register { name: String::new(), ty: Type::Void });
    }

    pub fn retype(&mut self, register: Reg, ty: Type) {
        self.registers[register.index()].ty = ty;
    }

    /// Shows a variable's name in the IR where the register has none yet.
    pub fn name(&mut self, register: Reg, name: &str) {
        let slot = &mut self.registers[register.index()];
        if slot.name.is_empty() {
            slot.name = name.to_string();
        }
    }

    pub fn release(&mut self, register: Reg) {
        let Register { name, ty } = self.registers[register.index()].clone();
        self.free.entry((name, ty)).or_default().push(register);
    }

    // ---- instructions ----

    /// What was written so far; its jumps lead to labels.
    pub fn code(&self) -> &[Instr] {
        &self.code
    }

    /// Appends an instruction that is no jump.
    pub fn emit(&mut self, mark: M, instr: Instr) {
        debug_assert!(instr.targets().next().is_none(), "jumps are written by methods of their own");
        self.push(mark, instr);
    }

    fn push(&mut self, mark: M, instr: Instr) {
        self.code.push(instr);
        self.marks.push(mark);
    }

    /// Lets the last instruction write its result to another register, if it wrote `from`, can do so, and is always the one that
    /// ran before what comes here.
    pub fn redirect(&mut self, from: Reg, to: Reg) -> bool {
        let straight = self.code.len() as u32 > self.straight_from;
        match self.code.last_mut().filter(|_| straight).and_then(Instr::redirectable) {
            Some(written) if *written == from => {
                *written = to;
                true
            }
            _ => false,
        }
    }

    // ---- jumps ----

    /// A label that stands nowhere yet.
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() as u32 - 1)
    }

    /// Puts a label before the next instruction.
    pub fn bind(&mut self, label: Label) {
        let here = self.code.len() as u32;
        let known = self.labels[label.0 as usize].replace(here);
        assert!(known.is_none(), "a label stands in one place");
        self.straight_from = here;
    }

    pub fn is_bound(&self, label: Label) -> bool {
        self.labels[label.0 as usize].is_some()
    }

    pub fn jump(&mut self, mark: M, to: Label) {
        self.push(mark, Instr::Jump { target: to.0 });
    }

    pub fn branch(&mut self, mark: M, condition: Condition, then: Label, otherwise: Label) {
        self.push(mark, Instr::Branch { condition, then: then.0, otherwise: otherwise.0 });
    }

    /// Goes on where the condition holds, and to the label where it does not.
    pub fn unless(&mut self, mark: M, condition: Condition, otherwise: Label) {
        let then = self.label();
        self.branch(mark, condition, then, otherwise);
        self.bind(then);
    }

    /// Goes to the label where the condition holds, and on where it does not.
    pub fn when(&mut self, mark: M, condition: Condition, then: Label) {
        let otherwise = self.label();
        self.branch(mark, condition, then, otherwise);
        self.bind(otherwise);
    }

    /// The keys are sorted.
    pub fn switch(&mut self, mark: M, value: Reg, table: impl Iterator<Item = (i32, Label)>, default: Label) {
        let table = table.map(|(key, label)| (key, label.0)).collect();
        self.push(mark, Instr::Switch { value, table, default: default.0 });
    }

    /// What the instructions of some marks throw goes to a label, wherever they come to stand. Earlier handlers come first.
    pub fn catch(&mut self, marks: Range<M>, class: Option<ClassId>, target: Label, register: Reg) {
        self.catches.push(Catch { marks, target, class, register });
    }

    // ---- the end ----

    pub fn finish(mut self) -> Assembled<M> {
        let place = |label: u32| self.labels[label as usize].expect("a label that is jumped to stands somewhere");
        for instr in &mut self.code {
            instr.targets_mut().for_each(|target| *target = place(*target));
            // Where the body of a statement is empty, both ways are one: nothing is decided.
            if let Instr::Branch { then, otherwise, .. } = *instr
                && then == otherwise
            {
                *instr = Instr::Jump { target: then };
            }
        }
        let mut handlers = Vec::new();
        for Catch { marks, target, class, register } in &self.catches {
            let (class, target, register) = (*class, place(target.0), *register);
            for covered in runs(&self.marks, marks) {
                let Range { start, end } = covered;
                handlers.push(Handler { start, end, target, class, register });
            }
        }
        Assembled { registers: self.registers, code: self.code, marks: self.marks, handlers }
    }
}

/// The longest runs of instructions whose marks are in a range.
fn runs<M: PartialOrd>(marks: &[M], range: &Range<M>) -> Vec<Range<u32>> {
    let mut runs: Vec<Range<u32>> = Vec::new();
    for (at, mark) in (0..).zip(marks) {
        if range.contains(mark) {
            match runs.last_mut() {
                Some(run) if run.end == at => run.end = at + 1,
                _ => runs.push(at..at + 1),
            }
        }
    }
    runs
}
