//! The locals of a method hold what its instructions take them for: the part of the JVM's verification that lowering itself does
//! not see, because registers have no types.

use rustc_hash::FxHashMap;

use super::calls::kind_of;
use super::{Lowered, Lowering};
use crate::bytecode::code::{Kind, Op};

/// What every local holds; nothing that can be used, where paths disagree.
type Locals = Vec<Option<Kind>>;

/// The locals at the start of every block, as far as they are known, and the blocks to be looked at again.
#[derive(Default)]
struct Flow {
    known: FxHashMap<u32, Locals>,
    open: Vec<u32>,
}

impl Flow {
    /// Control comes to a block with these locals.
    fn reach(&mut self, block: u32, locals: &Locals) {
        let Some(known) = self.known.get_mut(&block) else {
            self.known.insert(block, locals.clone());
            return self.open.push(block);
        };
        let mut news = false;
        for (known, local) in known.iter_mut().zip(locals) {
            if known.is_some() && known != local {
                *known = None;
                news = true;
            }
        }
        if news {
            self.open.push(block);
        }
    }
}

impl Lowering<'_> {
    /// Checks every load against what was stored, along all paths. Subroutines of old class files are left alone: what a local holds
    /// in them depends on the caller.
    pub(super) fn check_locals(&self) -> Lowered<()> {
        if self.code.ops.iter().any(|op| matches!(op, Op::Jsr(_) | Op::Ret(_))) {
            return Ok(());
        }
        let mut locals: Locals = vec![None; self.code.max_locals as usize];
        let mut at = 0;
        for ty in &self.declared.parameters {
            locals[at] = Some(kind_of(*ty));
            at += kind_of(*ty).words();
        }
        let mut flow = Flow::default();
        flow.reach(0, &locals);
        while let Some(block) = flow.open.pop() {
            let locals = flow.known[&block].clone();
            self.check_block(block, locals, &mut flow)?;
        }
        Ok(())
    }

    fn check_block(&self, block: u32, mut locals: Locals, flow: &mut Flow) -> Lowered<()> {
        let mut at = block;
        loop {
            let covering = self.code.handlers.iter().filter(|handler| (handler.start..handler.end).contains(&at));
            covering.for_each(|handler| flow.reach(handler.handler, &locals));
            let op = self.code.ops.get(at as usize).ok_or("control runs off its end")?;
            match op {
                Op::Load(kind, local) => holds(&locals, *local, *kind)?,
                Op::Increment(local, _) => holds(&locals, *local, Kind::Int)?,
                Op::Store(kind, local) => store(&mut locals, *local, *kind)?,
                Op::IfZero(_, target) | Op::IfInt(_, target) | Op::IfRef(_, target) | Op::IfNull(_, target) => {
                    flow.reach(*target, &locals);
                }
                Op::Goto(target) => flow.reach(*target, &locals),
                Op::Switch { default, cases } => {
                    flow.reach(*default, &locals);
                    cases.iter().for_each(|(_, target)| flow.reach(*target, &locals));
                }
                _ => {}
            }
            at += 1;
            if !op.falls_through() {
                return Ok(());
            }
            if self.leaders.contains(&at) {
                flow.reach(at, &locals);
                return Ok(());
            }
        }
    }
}

fn holds(locals: &Locals, local: u16, kind: Kind) -> Lowered<()> {
    match locals.get(local as usize) {
        Some(Some(held)) if *held == kind => Ok(()),
        Some(Some(held)) => Err(format!("it takes local {local} for {kind:?}, which holds {held:?}")),
        _ => Err(format!("it uses local {local}, which holds nothing certain")),
    }
}

fn store(locals: &mut Locals, local: u16, kind: Kind) -> Lowered<()> {
    let at = local as usize;
    if at + kind.words() > locals.len() {
        return Err("it stores into a local that it does not have".into());
    }
    // The second half of a wide value that is overwritten takes the first with it.
    if at > 0 && locals[at - 1].is_some_and(|before| before.words() == 2) {
        locals[at - 1] = None;
    }
    locals[at] = Some(kind);
    if kind.words() == 2 {
        locals[at + 1] = None;
    }
    Ok(())
}
