//! Emitting the code of one method: registers with reuse, instructions with their places, jumps that are patched.

use rustc_hash::FxHashMap;

use crate::ir::*;
use crate::source::Place;

pub struct Code {
    pub registers: Vec<Register>,
    pub code: Vec<Instr>,
    pub places: Vec<Place>,
    /// Registers that hold nothing any more, by name and type.
    free: FxHashMap<(String, Type), Vec<Reg>>,
}

impl Code {
    /// Starts with the parameters.
    pub fn new(parameters: Vec<Register>) -> Code {
        Code { registers: parameters, code: Vec::new(), places: Vec::new(), free: FxHashMap::default() }
    }

    /// A register for an intermediate value (no name) or a variable. Frames are copied at every fork, so registers that
    /// are free again are used again.
    pub fn register(&mut self, name: &str, ty: Type) -> Reg {
        let free = self.free.get_mut(&(name.to_string(), ty)).and_then(|fitting| fitting.pop());
        free.unwrap_or_else(|| self.fresh(name, ty))
    }

    /// A register that no other value has used: its type may still be changed by [`Code::retype`].
    pub fn fresh(&mut self, name: &str, ty: Type) -> Reg {
        self.registers.push(Register { name: name.to_string(), ty });
        Reg(self.registers.len() as u32 - 1)
    }

    pub fn retype(&mut self, register: Reg, ty: Type) {
        self.registers[register.index()].ty = ty;
    }

    pub fn release(&mut self, register: Reg) {
        let Register { name, ty } = self.registers[register.index()].clone();
        self.free.entry((name, ty)).or_default().push(register);
    }

    pub fn here(&self) -> u32 {
        self.code.len() as u32
    }

    /// Appends an instruction and says where it stands.
    pub fn emit(&mut self, place: Place, instr: Instr) -> u32 {
        self.code.push(instr);
        self.places.push(place);
        self.here() - 1
    }

    /// A branch whose `then` part follows; its other target is set by [`Code::otherwise_here`].
    pub fn branch(&mut self, place: Place, condition: Reg) -> u32 {
        let then = self.here() + 1;
        self.emit(place, Instr::Branch { condition, then, otherwise: u32::MAX })
    }

    pub fn otherwise_here(&mut self, branch: u32) {
        let here = self.here();
        match &mut self.code[branch as usize] {
            Instr::Branch { otherwise, .. } => *otherwise = here,
            other => unreachable!("not a branch: {other:?}"),
        }
    }

    /// A jump whose target is set by [`Code::land_here`].
    pub fn jump(&mut self, place: Place) -> u32 {
        self.emit(place, Instr::Jump { target: u32::MAX })
    }

    pub fn land_here(&mut self, jump: u32) {
        let here = self.here();
        match &mut self.code[jump as usize] {
            Instr::Jump { target } => *target = here,
            other => unreachable!("not a jump: {other:?}"),
        }
    }
}
