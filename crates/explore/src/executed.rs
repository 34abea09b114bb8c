//! What runs on witnesses have executed of the user's bytecode: by the names of methods, so that it means the same in every process.

use std::collections::{BTreeMap, BTreeSet};

use lazuli_engine::visits::{Visit, Visits};
use lazuli_program::Program;
use lazuli_program::bytecode::code::{Code, Op};
use lazuli_program::ir::MethodId;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// A method as its class file names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MethodName {
    /// `com/acme/Order`.
    pub class: String,
    pub name: String,
    pub descriptor: String,
}

/// What was executed of one method: its instructions, by their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Steps {
    pub ops: BTreeSet<u32>,
    /// The jumps that were taken, or not, each with the instruction that it went to.
    pub jumps: BTreeSet<(u32, u32)>,
}

/// What was executed, method by method.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<(MethodName, Steps)>", into = "Vec<(MethodName, Steps)>")]
pub struct Executed(BTreeMap<MethodName, Steps>);

impl From<Vec<(MethodName, Steps)>> for Executed {
    fn from(list: Vec<(MethodName, Steps)>) -> Executed {
        Executed(list.into_iter().collect())
    }
}

impl From<Executed> for Vec<(MethodName, Steps)> {
    fn from(executed: Executed) -> Self {
        executed.0.into_iter().collect()
    }
}

impl Executed {
    pub(crate) fn of(program: &Program, visits: &Visits) -> Executed {
        let Some(library) = program.library.as_deref() else { return Executed::default() };
        let steps = visits.steps().filter_map(|(method, steps)| {
            let declared = library.declared(method);
            let (file, index) = library.method_in_file(declared)?;
            let code = file.methods[index].code().ok()??;
            let lowered = library.body(method).ops.iter().copied().collect();
            Some((name(program, method)?, Executing { code, lowered: &lowered, seen: steps }.steps()))
        });
        Executed(steps.collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn method(&self, name: &MethodName) -> Option<&Steps> {
        self.0.get(name)
    }

    /// The classes of which something was executed.
    pub fn classes(&self) -> BTreeSet<&str> {
        self.0.keys().map(|name| name.class.as_str()).collect()
    }

    pub fn extend(&mut self, other: Executed) {
        for (name, steps) in other.0 {
            let known = self.0.entry(name).or_default();
            known.ops.extend(steps.ops);
            known.jumps.extend(steps.jumps);
        }
    }
}

/// The name of a method of Java.
pub(crate) fn name(program: &Program, method: MethodId) -> Option<MethodName> {
    let library = program.library.as_deref()?;
    let declared = library.declared(method);
    let class = library.internal_name(declared.class).to_string();
    Some(MethodName { class, name: declared.name.to_string(), descriptor: declared.descriptor.to_string() })
}

/// From what the engine executed to instructions of the bytecode. Many of these are nothing in the engine: what is pushed is used where it is
/// popped. Whether they were executed follows from what comes after them in the same block.
struct Executing<'a> {
    code: &'a Code,
    /// The instructions that are something in the engine.
    lowered: &'a FxHashSet<u32>,
    /// Which were executed, each after which.
    seen: &'a FxHashSet<Visit>,
}

impl Executing<'_> {
    fn steps(&self) -> Steps {
        let number = self.code.ops.len() as u32;
        let leaders = leaders(self.code);
        let seen: BTreeSet<u32> = self.seen.iter().map(|(_, to)| *to).collect();
        let mut ops: BTreeSet<u32> = BTreeSet::new();
        // Later blocks first: whether the end of one was reached may be known from the next.
        let mut end = number;
        for &start in leaders.iter().rev() {
            let last = seen.range(start..end).next_back().copied();
            let from = last.map_or(start, |last| last + 1);
            let is_silent = !(from..end).any(|op| self.lowered.contains(&op));
            let goes_on = end < number && self.code.ops[end as usize - 1].falls_through();
            let is_entered = last.is_some() || self.is_entered(start, &seen);
            let is_left = is_silent && goes_on && is_entered && ops.contains(&end);
            ops.extend(start..if is_left { end } else { last.map_or(start, |last| last + 1) });
            end = start;
        }
        let jumps = ops.iter().flat_map(|&op| {
            let taken = move |target: &u32| self.seen.contains(&(Some(op), self.first(*target)));
            targets(self.code, op).into_iter().filter(taken).map(move |target| (op, target))
        });
        Steps { jumps: jumps.collect(), ops }
    }

    /// Whether somebody goes to a block that is nothing in the engine.
    fn is_entered(&self, start: u32, seen: &BTreeSet<u32>) -> bool {
        let next = self.first(start);
        let goes_there = |op: &&u32| {
            let goes_on = self.code.ops[**op as usize].falls_through() && **op + 1 == start;
            goes_on || targets(self.code, **op).contains(&start) && self.seen.contains(&(Some(**op), next))
        };
        seen.iter().any(|op| goes_there(&op))
    }

    /// The first instruction from there on that is something in the engine.
    fn first(&self, target: u32) -> u32 {
        (target..self.code.ops.len() as u32).find(|op| self.lowered.contains(op)).unwrap_or(target)
    }
}

/// Where an instruction may go, if it may go to several places: each of them once.
pub(crate) fn targets(code: &Code, op: u32) -> BTreeSet<u32> {
    match &code.ops[op as usize] {
        Op::IfZero(_, target) | Op::IfInt(_, target) | Op::IfRef(_, target) | Op::IfNull(_, target) => {
            [*target, op + 1].into()
        }
        Op::Switch { default, cases } => cases.iter().map(|(_, target)| *target).chain([*default]).collect(),
        _ => BTreeSet::new(),
    }
}

/// Where blocks begin.
fn leaders(code: &Code) -> BTreeSet<u32> {
    let mut leaders: BTreeSet<u32> = code.handlers.iter().map(|handler| handler.handler).chain([0]).collect();
    for (op, at) in code.ops.iter().zip(0..) {
        leaders.extend(targets(code, at));
        if let Op::Goto(target) | Op::Jsr(target) = op {
            leaders.insert(*target);
        }
        if !op.falls_through() {
            leaders.insert(at + 1);
        }
    }
    leaders.retain(|leader| (*leader as usize) < code.ops.len());
    leaders
}
