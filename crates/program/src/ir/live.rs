//! Which registers still matter: those that may be read before they are written.

use super::{Instr, Method, Reg};

impl Method {
    /// For every register, whether execution from an instruction on may read what it holds.
    pub fn live_at(&self, at: u32) -> Vec<bool> {
        let size = self.registers.len();
        let mut live = vec![vec![false; size]; self.code.len()];
        let mut changes = true;
        while changes {
            changes = false;
            for at in (0..self.code.len()).rev() {
                let here = self.live_before(at, &live);
                if live[at] != here {
                    live[at] = here;
                    changes = true;
                }
            }
        }
        live.swap_remove(at as usize)
    }

    /// The registers that matter before an instruction, by those that matter before what follows.
    fn live_before(&self, at: usize, live: &[Vec<bool>]) -> Vec<bool> {
        let instr = &self.code[at];
        // What the engine provides reads the parameters.
        let mut here = vec![matches!(instr, Instr::Native { .. }); self.registers.len()];
        let follows = instr.falls_through().then_some(at + 1);
        for next in instr.targets().map(|target| target as usize).chain(follows) {
            join(&mut here, &live[next], instr.written());
        }
        instr.each_read(|register| here[register.index()] = true);
        for handler in self.handlers.iter().filter(|handler| (handler.start..handler.end).contains(&(at as u32))) {
            join(&mut here, &live[handler.target as usize], Some(handler.register));
        }
        here
    }
}

/// Adds the registers that matter elsewhere, but for one.
fn join(here: &mut [bool], there: &[bool], without: Option<Reg>) {
    for (number, (here, there)) in here.iter_mut().zip(there).enumerate() {
        *here |= *there && without.is_none_or(|without| without.index() != number);
    }
}
