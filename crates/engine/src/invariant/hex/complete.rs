//! The complete heaps that invariants accept, up to a size: the way to see whether they say what one means.
//!
//! A heap is complete when every reference that a statement is about, or that leads to one, is known. The others are free. Numbers
//! are not enumerated: there must be some that fit. Truth values that the invariants mention are.

use lazuli_logic::{PathCondition, Solver, Term, Verdict};
use lazuli_program::Program;
use lazuli_program::hex::automaton::Selector;
use lazuli_program::hex::{Hex, Start};
use lazuli_program::ir::{ClassId, FieldId, MethodId, Type};

use crate::config::{Config, HeapKind};
use crate::context::Context;
use crate::heap::lazy::{Heap, Lazy, When};
use crate::heap::{Cases, HeapModel};
use crate::invariant::Technique;
use crate::witness::Witness;

/// What the heaps hang from: inputs, none of them null.
#[derive(Clone, Debug)]
pub struct Roots {
    pub list: Vec<(String, ClassId)>,
}

/// How much is enumerated.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Objects of one class.
    pub size: u32,
    /// Heaps that are kept; the others are counted.
    pub keep: usize,
    /// Heaps that are accepted; then the search ends.
    pub accept: u64,
    /// Partial heaps that are looked at.
    pub steps: u64,
}

#[derive(Clone, Debug, Default)]
pub struct Accepted {
    pub heaps: Vec<Witness>,
    pub count: u64,
    /// Why there may be more: the size, the number of steps, or what the solver does not know.
    pub cut: Option<Cut>,
    /// Methods that were not executed, because this looks at structure only.
    pub companions: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cut {
    Size,
    Steps,
    Enough,
    Unknown(String),
}

/// The roots of the heaps that a file speaks of: its inputs together, and an object for every scope.
pub fn roots(program: &Program, hex: &Hex) -> Vec<Roots> {
    let mut inputs: Vec<(String, ClassId)> = Vec::new();
    for pattern in &hex.patterns {
        let Start::Root(name) = &pattern.start else { continue };
        if inputs.iter().all(|(known, _)| known != name)
            && let Some(class) = input_class(program, name)
        {
            inputs.push((name.clone(), class));
        }
    }
    let mut all = Vec::new();
    if !inputs.is_empty() {
        all.push(Roots { list: inputs });
    }
    for scope in &hex.scopes {
        let known = |roots: &Roots| matches!(roots.list.as_slice(), [(_, class)] if *class == scope.class);
        if !all.iter().any(known) {
            all.push(Roots { list: vec![(scope.variable.clone(), scope.class)] });
        }
    }
    all
}

/// The declared class of an input or parameter.
fn input_class(program: &Program, name: &str) -> Option<ClassId> {
    let parameters = program.methods.iter().flat_map(|m| &m.registers[..m.parameters]).map(|r| (&r.name, r.ty));
    let inputs = program.inputs.iter().map(|i| (&i.name, i.ty));
    parameters.chain(inputs).find_map(|(known, ty)| match ty {
        Type::Ref(class) if known == name => Some(class),
        _ => None,
    })
}

/// Enumerates the complete heaps.
pub fn complete(program: &Program, config: &Config, roots: &Roots, extent: Extent) -> Accepted {
    let mut config = Config { heap: HeapKind::Lazy, ..config.clone() };
    config.bounds.exact_types = true;
    let hex = config.invariants.as_ref().expect("there are invariants").hex.clone();
    let mut search = Search {
        cx: Context::new(program, &config),
        model: Lazy::new(When::Load),
        solver: Solver::new(config.solver.clone()),
        truths: mentioned_truths(program, &hex),
        extent,
        accepted: Accepted::default(),
    };
    search.run(roots);
    search.accepted
}

/// The boolean fields that the invariants mention.
fn mentioned_truths(program: &Program, hex: &Hex) -> Vec<FieldId> {
    let mut fields = hex.initial_fields();
    fields.retain(|field| program.field(*field).ty == Type::Bool);
    fields
}

struct Search<'p> {
    cx: Context<'p>,
    model: Lazy,
    solver: Solver,
    truths: Vec<FieldId>,
    extent: Extent,
    accepted: Accepted,
}

#[derive(Clone)]
struct Partial {
    heap: Heap,
    path: PathCondition,
    /// Truth values that were decided.
    decided: usize,
}

/// What to decide next of a partial heap.
enum Open {
    Reference { object: u32, field: FieldId },
    Truth(Term),
    Nothing,
}

impl Search<'_> {
    fn run(&mut self, roots: &Roots) {
        let mut first = Partial { heap: self.model.empty(), path: PathCondition::default(), decided: 0 };
        for (name, class) in &roots.list {
            let symbol = self.cx.root_symbol(name, Type::Ref(*class));
            self.model.input(&mut self.cx, &mut first.heap, symbol, Type::Ref(*class), true);
            let clause = self.model.receiver(&mut self.cx, &mut first.heap, symbol);
            if !self.assume(&mut first.path, clause) {
                return;
            }
        }
        let mut stack = vec![first];
        let mut steps = 0;
        while let Some(partial) = stack.pop() {
            steps += 1;
            if steps > self.extent.steps {
                self.accepted.cut = Some(Cut::Steps);
                return;
            }
            let at = stack.len();
            match self.open(&partial) {
                Open::Reference { object, field } => self.resolve(partial, object, field, &mut stack),
                Open::Truth(value) => self.decide(partial, value, &mut stack),
                Open::Nothing => {
                    self.accept(&partial);
                    if self.accepted.count >= self.extent.accept {
                        self.accepted.cut = Some(Cut::Enough);
                        return;
                    }
                }
            }
            stack[at..].reverse();
        }
    }

    fn assume(&mut self, path: &mut PathCondition, clause: Term) -> bool {
        match self.solver.check(&mut self.cx.terms, path, clause) {
            Verdict::Sat(extended) => {
                *path = extended;
                true
            }
            Verdict::Unsat => false,
            Verdict::Unknown(why) => {
                self.accepted.cut = Some(Cut::Unknown(why));
                false
            }
        }
    }

    /// The first reference that is open, object by object; then the truth values.
    fn open(&mut self, partial: &Partial) -> Open {
        let program = self.cx.program;
        let backbone = partial.heap.backbone();
        let mut truths = Vec::new();
        for number in 0..backbone.len() {
            let node = backbone.node(number);
            for &field in &program.class(node.class).layout {
                let initial = partial.heap.initial_value(&self.cx, node.handle, field);
                match (program.field(field).ty, initial) {
                    (Type::Ref(class), None) => {
                        let origins = self.cx.origins();
                        let origin = origins.step(program, node.places[0].origin, Selector::Field(field), class);
                        if origins.is_mentioned(program, origin) {
                            return Open::Reference { object: node.handle, field };
                        }
                    }
                    (Type::Bool, Some(value)) if self.truths.contains(&field) => truths.push(value),
                    _ => {}
                }
            }
        }
        truths.get(partial.decided).map_or(Open::Nothing, |value| Open::Truth(*value))
    }

    fn resolve(&mut self, mut partial: Partial, object: u32, field: FieldId, stack: &mut Vec<Partial>) {
        let mut cases = Cases::default();
        self.model.read(&mut self.cx, &mut partial.heap, Term::location(object), field, &mut cases);
        for case in cases.list {
            let mut next = partial.clone();
            let change = case.change.expect("a reference is resolved by a change");
            let clause = self.model.apply(&mut self.cx, &mut next.heap, change);
            if !self.assume(&mut next.path, case.guard) || !self.assume(&mut next.path, clause) {
                continue;
            }
            self.accepted.companions |= !self.model.backbone(&mut next.heap).take_calls().is_empty();
            if self.too_large(&next) {
                self.accepted.cut = self.accepted.cut.take().or(Some(Cut::Size));
                continue;
            }
            stack.push(next);
        }
    }

    fn too_large(&self, partial: &Partial) -> bool {
        let backbone = partial.heap.backbone();
        let Some(last) = backbone.len().checked_sub(1) else { return false };
        let class = backbone.node(last).class;
        (0..=last).filter(|n| backbone.node(*n).class == class).count() > self.extent.size as usize
    }

    fn decide(&mut self, partial: Partial, value: Term, stack: &mut Vec<Partial>) {
        for clause in [self.cx.terms.not(value), value] {
            let mut next = Partial { decided: partial.decided + 1, ..partial.clone() };
            if self.assume(&mut next.path, clause) {
                stack.push(next);
            }
        }
    }

    fn accept(&mut self, partial: &Partial) {
        self.accepted.count += 1;
        if self.accepted.heaps.len() < self.extent.keep
            && let Some(model) = partial.path.model()
        {
            let witness = self.model.witness(&mut self.cx, &partial.heap, &model);
            self.accepted.heaps.push(witness);
        }
    }
}

/// Inputs of an entry of which none is valid, if the invariants say so. Only what is certain is said: if the search meets a bound,
/// the invariants may well be satisfiable. An object that is no input may well be valid only as a part of others.
pub fn contradiction(program: &Program, config: &Config, entry: MethodId) -> Option<Roots> {
    let hex = &config.invariants.as_ref().filter(|i| i.technique == Technique::Hex)?.hex;
    let extent = Extent { size: 4, keep: 0, accept: 1, steps: 2_000 };
    let method = program.method(entry);
    let parameters = method.registers[..method.parameters].iter().map(|r| (r.name.as_str(), r.ty));
    let inputs: Vec<(&str, Type)> = parameters
        .chain(program.inputs.iter().map(|i| (i.name.as_str(), i.ty)))
        .filter(|(_, ty)| ty.is_ref())
        .collect();
    let is_input = |name: &str, class: ClassId| {
        let is_scope = hex.scopes.iter().any(|scope| scope.variable == name && scope.class == class);
        inputs.iter().any(|(input, ty)| match ty {
            Type::Ref(of) if is_scope => program.related(*of, class),
            _ => *input == name,
        })
    };
    roots(program, hex).into_iter().find_map(|mut roots| {
        roots.list.retain(|(name, class)| is_input(name, *class));
        let accepted = (!roots.list.is_empty()).then(|| complete(program, config, &roots, extent))?;
        (accepted.count == 0 && accepted.cut.is_none()).then_some(roots)
    })
}
