//! Which lines and branches of a program were executed on the witnesses of its traces, and why the others were not.
//!
//! What is counted is what JaCoCo counts: instructions of the bytecode and the ways out of its jumps, added up by lines; what the compiler wrote
//! is left out as JaCoCo leaves it out (`coverage/filter.rs`). An instruction is covered if it was begun. JaCoCo sees only where a block was left, so that it
//! misses those before one that throws.

mod calls;
mod filter;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;

use lazuli_program::Program;
use lazuli_program::bytecode::ClassPath;
use lazuli_program::bytecode::classfile::{ClassFile, Method};
use serde::{Deserialize, Serialize};

use self::calls::Calls;
use crate::error::Error;
use crate::executed::{self, Executed, MethodName, targets};

/// What was executed when one method was explored, and what is known of the rest.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Explored {
    pub entry: MethodName,
    pub executed: Executed,
    /// Why there may be more that can be executed, in words.
    pub limits: Vec<String>,
    /// Within which bounds there is no more, if somebody has set some.
    pub bounds: Option<String>,
    /// Whether there are inputs of which nothing is kept here: what was executed is that of tests, and some inputs have none.
    #[serde(default)]
    pub is_partial: bool,
}

impl Explored {
    /// `None` where there is no bytecode.
    pub fn new(program: &Program, executed: Executed, limits: Vec<String>, bounds: Option<String>) -> Option<Explored> {
        Some(Explored { entry: executed::name(program, program.main?)?, executed, limits, bounds, is_partial: false })
    }
}

/// How many there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub missed: u32,
    pub covered: u32,
}

impl Count {
    pub fn total(self) -> u32 {
        self.missed + self.covered
    }

    pub fn one(is_covered: bool) -> Count {
        Count { missed: u32::from(!is_covered), covered: u32::from(is_covered) }
    }
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Count) {
        self.missed += other.missed;
        self.covered += other.covered;
    }
}

impl std::iter::Sum for Count {
    fn sum<I: Iterator<Item = Count>>(counts: I) -> Count {
        counts.fold(Count::default(), |mut sum, count| {
            sum += count;
            sum
        })
    }
}

/// A line of the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineCount {
    pub instructions: Count,
    pub branches: Count,
}

impl LineCount {
    pub fn is_covered(&self) -> bool {
        self.instructions.covered > 0
    }

    /// Whether there is nothing left to be executed.
    pub fn is_whole(&self) -> bool {
        self.instructions.missed == 0 && self.branches.missed == 0
    }
}

impl AddAssign for LineCount {
    fn add_assign(&mut self, other: LineCount) {
        self.instructions += other.instructions;
        self.branches += other.branches;
    }
}

/// Why something was not executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// No input leads there, as the exploration has shown; within these bounds, if there are any.
    Infeasible { within: Option<String> },
    /// Nothing that was explored calls the method.
    NotCalled,
    /// These limits have cut something off.
    CutOff(Vec<String>),
    /// There may be an input that executes it, but no test has it.
    Untested,
}

#[derive(Clone, Debug)]
pub struct MethodCount {
    pub name: String,
    pub descriptor: String,
    /// By lines; instructions of which the class file does not say a line have none.
    pub lines: BTreeMap<u32, LineCount>,
    pub instructions: Count,
    pub branches: Count,
    /// The paths that are needed to go everywhere, as JaCoCo counts them (McCabe).
    pub complexity: Count,
    /// Why what is missed is missed.
    pub why: Why,
}

#[derive(Clone, Debug)]
pub struct ClassCount {
    /// `com/acme/Order`.
    pub name: String,
    pub source: Option<String>,
    pub methods: Vec<MethodCount>,
}

/// The classes in the order of their names.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    pub classes: Vec<ClassCount>,
}

/// Counts what was executed of the program's own classes: of those of which something was, those of the entries, and those within these.
pub fn count(classes: &ClassPath, explored: &[Explored]) -> Result<Coverage, Error> {
    let own: BTreeSet<&str> = classes.classes_beside().iter().map(String::as_str).collect();
    let entries = explored.iter().map(|explored| explored.entry.class.as_str());
    let executed = explored.iter().flat_map(|explored| explored.executed.classes());
    let looked_at: BTreeSet<&str> = entries.chain(executed).filter(|name| own.contains(name)).map(outermost).collect();
    // Nested classes are a part of what is around them.
    let wanted: Vec<&str> = own.into_iter().filter(|name| looked_at.contains(outermost(name))).collect();
    let reasons = Reasons::of(classes, explored);
    let mut counted = Vec::new();
    for name in wanted {
        let Some(class) = classes.find(name)? else { continue };
        let methods: Vec<MethodCount> = match filter::is_counted(&class) {
            true => {
                class.methods.iter().filter_map(|method| count_method(&class, method, explored, &reasons)).collect()
            }
            false => Vec::new(),
        };
        if !methods.is_empty() {
            let source = class.source_file.as_ref().map(ToString::to_string);
            counted.push(ClassCount { name: name.to_string(), source, methods });
        }
    }
    Ok(Coverage { classes: counted })
}

/// `None` for a method that is not counted.
fn count_method(class: &ClassFile, method: &Method, explored: &[Explored], reasons: &Reasons) -> Option<MethodCount> {
    let code = method.code().ok()??;
    let ignored = filter::ignored(class, method, code)?;
    let name = MethodName {
        class: class.name.to_string(),
        name: method.name.to_string(),
        descriptor: method.descriptor.to_string(),
    };
    let steps: Vec<_> = explored.iter().filter_map(|explored| explored.executed.method(&name)).collect();
    let mut counted = MethodCount {
        name: name.name.clone(),
        descriptor: name.descriptor.clone(),
        lines: BTreeMap::new(),
        instructions: Count::default(),
        branches: Count::default(),
        complexity: Count::default(),
        why: reasons.why(&name),
    };
    for op in (0..code.ops.len() as u32).filter(|op| !ignored.contains(op)) {
        let instructions = Count::one(steps.iter().any(|steps| steps.ops.contains(&op)));
        let targets = targets(code, op);
        let taken = |target: &u32| steps.iter().any(|steps| steps.jumps.contains(&(op, *target)));
        let mut branches: Count = targets.iter().map(|target| Count::one(taken(target))).sum();
        if targets.len() < 2 {
            branches = Count::default();
        }
        counted.instructions += instructions;
        counted.branches += branches;
        if branches.total() > 1 {
            let covered = branches.covered.saturating_sub(1);
            counted.complexity += Count { missed: branches.total() - covered - 1, covered };
        }
        if let Some(line) = code.line(op as usize) {
            *counted.lines.entry(line.into()).or_default() += LineCount { instructions, branches };
        }
    }
    counted.complexity += Count::one(counted.instructions.covered > 0);
    (counted.instructions.total() > 0).then_some(counted)
}

/// `Order` of `Order$Line`.
fn outermost(class: &str) -> &str {
    class.split('$').next().unwrap_or(class)
}

/// Why methods were not executed as a whole.
struct Reasons<'a> {
    explored: &'a [Explored],
    /// Of each run that a limit cut short, what it may lead to.
    reachable: Vec<(&'a Explored, BTreeSet<MethodName>)>,
}

impl<'a> Reasons<'a> {
    fn of(classes: &ClassPath, explored: &'a [Explored]) -> Reasons<'a> {
        let cut: Vec<&Explored> = explored.iter().filter(|explored| !explored.limits.is_empty()).collect();
        // Nobody looks at all calls of a program that was explored as a whole.
        let calls = (!cut.is_empty()).then(|| Calls::of(classes));
        let reachable = cut.into_iter().filter_map(|cut| Some((cut, calls.as_ref()?.from(&cut.entry)))).collect();
        Reasons { explored, reachable }
    }

    fn why(&self, method: &MethodName) -> Why {
        let comes_there = |explored: &&Explored| explored.executed.method(method).is_some();
        let is_about = |explored: &Explored| explored.entry == *method || comes_there(&explored);
        if self.explored.iter().any(|explored| explored.is_partial && is_about(explored)) {
            return Why::Untested;
        }
        let itself = self.explored.iter().find(|explored| explored.entry == *method && explored.limits.is_empty());
        if let Some(itself) = itself {
            return Why::Infeasible { within: itself.bounds.clone() };
        }
        let limits = |is_near: bool| {
            let may = self
                .reachable
                .iter()
                .filter(|(cut, reachable)| if is_near { comes_there(cut) } else { reachable.contains(method) });
            may.flat_map(|(cut, _)| &cut.limits).collect::<BTreeSet<&String>>()
        };
        let nearest = limits(true);
        let limits = if nearest.is_empty() { limits(false) } else { nearest };
        let mut callers = self.explored.iter().filter(comes_there).peekable();
        match () {
            _ if !limits.is_empty() => Why::CutOff(limits.into_iter().cloned().collect()),
            _ if callers.peek().is_none() => Why::NotCalled,
            _ => Why::Infeasible { within: callers.find_map(|caller| caller.bounds.clone()) },
        }
    }
}

impl MethodCount {
    /// The line that the method begins with.
    pub fn line(&self) -> Option<u32> {
        self.lines.keys().next().copied()
    }

    pub fn line_count(&self) -> Count {
        self.lines.values().map(|line| Count::one(line.is_covered())).sum()
    }

    pub fn is_covered(&self) -> bool {
        self.instructions.covered > 0
    }
}

impl ClassCount {
    /// The name as Java writes it.
    pub fn readable(&self) -> String {
        self.name.replace('/', ".")
    }

    pub fn package(&self) -> &str {
        self.name.rsplit_once('/').map_or("", |(package, _)| package)
    }

    /// All its lines.
    pub fn lines(&self) -> BTreeMap<u32, LineCount> {
        sum(&mut self.methods.iter())
    }
}

/// The lines of some methods, which may share some.
fn sum(methods: &mut dyn Iterator<Item = &MethodCount>) -> BTreeMap<u32, LineCount> {
    let mut lines: BTreeMap<u32, LineCount> = BTreeMap::new();
    for (line, count) in methods.flat_map(|method| &method.lines) {
        *lines.entry(*line).or_default() += *count;
    }
    lines
}

impl Coverage {
    /// The sources, by package and name, each with its classes.
    pub fn sources(&self) -> BTreeMap<(&str, &str), Vec<&ClassCount>> {
        let mut sources: BTreeMap<(&str, &str), Vec<&ClassCount>> = BTreeMap::new();
        for class in &self.classes {
            if let Some(source) = &class.source {
                sources.entry((class.package(), source)).or_default().push(class);
            }
        }
        sources
    }

    /// The lines of a source.
    pub fn lines_of(classes: &[&ClassCount]) -> BTreeMap<u32, LineCount> {
        sum(&mut classes.iter().flat_map(|class| &class.methods))
    }

    /// All lines of all sources.
    pub fn line_count(&self) -> Count {
        let lines = self.sources().into_values().flat_map(|classes| Coverage::lines_of(&classes).into_values());
        lines.map(|line| Count::one(line.is_covered())).sum()
    }

    pub fn branch_count(&self) -> Count {
        self.classes.iter().flat_map(|class| &class.methods).map(|method| method.branches).sum()
    }
}
