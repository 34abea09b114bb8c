//! The complete heaps that invariants accept, up to a size: the way to see whether they say what one means.
//!
//! A heap is complete when every reference is known that a statement is about or names as what others may be aliases of, and those that lead
//! to them. The others are free. Numbers are not enumerated: there must be some that fit. Truth values that the invariants mention are. On
//! a complete heap every atom of a formula holds or is violated: there the formulas are judged.

mod contradiction;
mod elements;
mod numbers;
mod roots;
mod whole;

use crate::hex::automaton::Selector;
use crate::hex::{Hex, Start, Statement};
use lazuli_logic::interrupt::Cause;
use lazuli_logic::{PathCondition, Solver, Term, Verdict};
use lazuli_program::Program;
use lazuli_program::ir::{ClassId, FieldId, Type};

use crate::evaluate::{Backbone, Evaluator, OriginId, begin};
use crate::invariants::Invariants;
use contradiction::Elsewhere;
pub use contradiction::{Impossible, impossible, is_contradiction};
use lazuli_engine::config::{Config, HeapKind};
use lazuli_engine::context::{Assumptions, Call, Context, Holder, Opinion, Reference, Resolution};
use lazuli_engine::heap::lazy::{Change, Heap, Lazy, When};
use lazuli_engine::heap::{Cases, Enumerating, Given, Memory, View};
use lazuli_engine::limits::Watch;
use lazuli_engine::witness::Witness;
pub use roots::inputs_elsewhere;
pub use roots::{Roots, roots, speaks_of_inputs};
pub(crate) use whole::completed;

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
    pub order: Order,
    /// Every choice of the numbers that the invariants mention, within this range; without it one that fits.
    pub numbers: Option<(i64, i64)>,
}

/// In which order inputs and fields are looked at: origins depend on it, and what actions find in ghost fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    Declared,
    Opposite,
    /// In every order, so that heaps are met many times.
    Any,
}

#[derive(Clone, Debug, Default)]
pub struct Accepted {
    pub heaps: Vec<Witness>,
    /// The heaps without any object are not among them.
    pub count: u64,
    /// Whether the heap without any object is accepted.
    pub empty: bool,
    /// Why there may be more: the size, the number of steps, or what the solver does not know.
    pub cut: Option<Cut>,
    /// Methods that were not executed, because this looks at structure only.
    pub companions: bool,
    /// The inputs cannot all be objects of their own. They may still be aliases of each other.
    pub no_roots: bool,
}

impl Accepted {
    /// Whether no heap at all is accepted: the invariants contradict themselves.
    pub fn is_nothing(&self) -> bool {
        self.count == 0 && !self.empty && self.cut.is_none()
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cut {
    Size,
    Steps,
    Interrupted(Cause),
    Enough,
    Unknown(String),
}

/// Enumerates the complete heaps.
pub fn complete(program: &Program, config: &Config, roots: &Roots, extent: Extent) -> Accepted {
    complete_unless(program, config, roots, extent, &Watch::default())
}

/// Enumerates the complete heaps unless it is interrupted: then with what was found.
pub fn complete_unless(program: &Program, config: &Config, roots: &Roots, extent: Extent, watch: &Watch) -> Accepted {
    search(program, config, roots, extent, None, watch)
}

fn search(
    program: &Program,
    config: &Config,
    roots: &Roots,
    extent: Extent,
    elsewhere: Option<Elsewhere>,
    watch: &Watch,
) -> Accepted {
    let mut config = Config { heap: HeapKind::Lazy, ..config.clone() };
    // What is too large for an exploration is no contradiction.
    (config.bounds.k, config.bounds.n) = (None, Vec::new());
    let hex = Invariants::of(&config).expect("there are invariants").hex.clone();
    let mut cx = Context::new(program, &config.setup());
    begin(&mut cx, hex.clone());
    let mut search = Search {
        cx: &mut cx,
        model: Lazy::new(When::Load),
        solver: &mut Solver::new(config.solver.clone()),
        truths: mentioned_truths(program, &hex),
        names: roots.list.iter().filter(|_| roots.references).map(|(name, _)| name.clone()).collect(),
        inputs: Vec::new(),
        extent,
        elsewhere,
        accepted: Accepted::default(),
        most_objects: None,
        last: None,
        asks_nobody: true,
    };
    search.cx.terms.set_interrupt(watch.interrupt());
    search.run(roots);
    search.accepted
}

/// The boolean fields that the invariants mention.
fn mentioned_truths(program: &Program, hex: &Hex) -> Vec<FieldId> {
    let mut fields = hex.initial_fields();
    fields.retain(|field| program.field(*field).ty == Type::Bool);
    fields
}

struct Search<'a, 'p> {
    cx: &'a mut Context<'p>,
    model: Lazy,
    solver: &'a mut Solver,
    truths: Vec<FieldId>,
    /// The names of the inputs that are here.
    names: Vec<String>,
    /// The inputs that are references to be resolved.
    inputs: Vec<Input>,
    extent: Extent,
    elsewhere: Option<Elsewhere>,
    accepted: Accepted,
    /// All objects together, instead of those of each class.
    most_objects: Option<u32>,
    /// The heap that was accepted last.
    last: Option<Partial>,
    /// Whether what is to be asked of objects stays unasked.
    asks_nobody: bool,
}

#[derive(Clone)]
struct Partial {
    heap: Heap,
    backbone: Backbone,
    path: PathCondition,
    /// Inputs that were resolved or put off.
    inputs: Vec<Term>,
    /// Fields that were put off, and whether anything was.
    put_off: Vec<(u32, FieldId)>,
    is_doubtful: bool,
    /// Truth values that were decided.
    decided: usize,
    /// The arrays whose lengths were decided, and their elements that were.
    lengths: Vec<(u32, u32)>,
    elements: Vec<(u32, u32)>,
    /// The classes that were decided, of nodes that may have several.
    classes: Vec<(u32, ClassId)>,
    /// What is to be asked of objects.
    calls: Vec<Call>,
}

/// An input that is a reference.
#[derive(Clone, Copy)]
struct Input {
    symbol: Term,
    origin: OriginId,
    /// Whether it may be an alias of an object elsewhere.
    elsewhere: bool,
}

/// What to decide next of a partial heap.
#[derive(Clone, Copy)]
enum Open {
    Input(Input),
    Reference { object: u32, field: FieldId, origin: OriginId },
    Class { node: u32 },
    Length { node: u32 },
    Element { object: u32, index: u32, element: Type, origin: OriginId },
    Truth(Term),
}

impl Search<'_, '_> {
    fn run(&mut self, roots: &Roots) {
        let (heap, backbone, path) = (Heap::default(), Backbone::default(), PathCondition::default());
        let (lengths, elements, classes) = (Vec::new(), Vec::new(), Vec::new());
        let (put_off, is_doubtful) = (Vec::new(), false);
        let (inputs, calls) = (Vec::new(), Vec::new());
        let mut first = Partial {
            heap,
            backbone,
            path,
            inputs,
            put_off,
            is_doubtful,
            decided: 0,
            lengths,
            elements,
            classes,
            calls,
        };
        let mut list: Vec<&(String, ClassId)> = roots.list.iter().collect();
        if self.extent.order == Order::Opposite {
            list.reverse();
        }
        for (name, class) in list {
            let symbol = self.cx.root_symbol(name, Type::Ref(*class));
            let expanded = !roots.references || name == "this";
            let given = if expanded { Given::Receiver } else { Given::Nothing };
            let value = self.model.input(self.cx, &mut first.heap, symbol, Type::Ref(*class), given);
            if !expanded {
                let program = self.cx.program;
                let origin = self.cx.origins().root(program, name, *class);
                let elsewhere = self.elsewhere.as_ref().is_some_and(|elsewhere| elsewhere.inputs.contains(name));
                self.inputs.push(Input { symbol, origin, elsewhere });
                continue;
            }
            let (holder, object) = (Holder::Input(name.as_str().into()), value.as_location());
            let name = self.cx.terms.as_symbol(symbol).expect("an input is a symbol");
            let class = self.cx.declared_class(name);
            let reference = Reference { symbol: Some(symbol), class, holder, object };
            let Partial { heap, backbone, .. } = &mut first;
            let clause = backbone.resolved(self.cx, heap, &reference, Resolution::New, Opinion::Nothing);
            if !self.assume(&mut first.path, clause) {
                self.accepted.no_roots = true;
                return;
            }
        }
        self.complete_all(first);
    }

    /// Completes a partial heap in all ways, as long as the terms are not interrupted.
    fn complete_all(&mut self, first: Partial) {
        let mut stack = vec![first];
        let mut steps = 0;
        while let Some(partial) = stack.pop() {
            steps += 1;
            if steps > self.extent.steps {
                self.accepted.cut = Some(Cut::Steps);
                return;
            }
            if let Some(cause) = self.raised() {
                self.accepted.cut = Some(Cut::Interrupted(cause));
                return;
            }
            let open = self.open(&partial);
            if open.is_empty() {
                self.accept(&partial);
                if self.accepted.count >= self.extent.accept {
                    self.accepted.cut = Some(Cut::Enough);
                    return;
                }
            }
            let at = stack.len();
            for open in open {
                self.decide(&partial, open, &mut stack);
                stack.extend(self.put_off(&partial, open));
            }
            stack[at..].reverse();
        }
    }

    /// What interrupts the search, if it is to end.
    fn raised(&self) -> Option<Cause> {
        let interrupt = self.cx.terms.interrupt();
        if interrupt.is_raised() { interrupt.cause() } else { None }
    }

    fn decide(&mut self, partial: &Partial, open: Open, stack: &mut Vec<Partial>) {
        let partial = partial.clone();
        match open {
            Open::Input(input) => self.resolve_input(partial, input.symbol, stack),
            Open::Reference { object, field, .. } => self.resolve(partial, object, field, stack),
            Open::Class { node } => self.decide_class(partial, node, stack),
            Open::Length { node } => self.decide_length(partial, node, stack),
            Open::Element { object, index, element, .. } => {
                self.resolve_element(partial, (object, index), element, stack);
            }
            Open::Truth(value) => self.decide_truth(partial, value, stack),
        }
    }

    fn assume(&mut self, path: &mut PathCondition, clause: Term) -> bool {
        match self.solver.extension(&mut self.cx.terms, path, clause) {
            Verdict::Sat(extension) => {
                path.extend(extension);
                true
            }
            Verdict::Unsat => false,
            Verdict::Unknown(why) => {
                let cause = self.cx.terms.interrupt().cause();
                self.accepted.cut = Some(cause.map_or(Cut::Unknown(why), Cut::Interrupted));
                false
            }
        }
    }

    /// What is open: the first of the references, the inputs first, then object by object; or all of them, if they may be looked at in any
    /// order. Then the truth values.
    fn open(&mut self, partial: &Partial) -> Vec<Open> {
        let is_open = |input: &&Input| !partial.inputs.contains(&input.symbol);
        let inputs = self.inputs.iter().filter(is_open).map(|input| Open::Input(*input));
        let mut open: Vec<Open> = inputs.collect();
        let mut truths = Vec::new();
        for number in 0..partial.backbone.len() {
            if !open.is_empty() && self.extent.order != Order::Any {
                break;
            }
            // Nothing happens when these are decided, so they come first.
            let Some(class) = self.class_of(partial, number) else { return vec![Open::Class { node: number }] };
            let elements = self.open_elements(partial, number, class);
            if let [Open::Length { .. }] = elements[..] {
                return elements;
            }
            open.extend(elements);
            self.open_fields(partial, number, class, &mut open, &mut truths);
        }
        if self.extent.order != Order::Any {
            open.truncate(1);
        }
        match open.is_empty() {
            true => truths.get(partial.decided).map(|value| Open::Truth(*value)).into_iter().collect(),
            false => open,
        }
    }

    fn open_fields(
        &mut self,
        partial: &Partial,
        number: u32,
        class: ClassId,
        open: &mut Vec<Open>,
        truths: &mut Vec<Term>,
    ) {
        let program = self.cx.program;
        let (node, object) = (partial.backbone.node(number), partial.backbone.object_of(number));
        let mut fields = program.class(class).layout.clone();
        if self.extent.order == Order::Opposite {
            fields.reverse();
        }
        for field in fields {
            let initial = partial.heap.initial_value(self.cx, object, field);
            match (program.field(field).ty, initial) {
                (Type::Ref(class), None) if !partial.put_off.contains(&(object, field)) => {
                    let origins = self.cx.origins();
                    let origin = origins.step(program, node.places[0].origin, Selector::Field(field), class);
                    if origins.is_known_in_the_end(program, origin) {
                        open.push(Open::Reference { object, field, origin });
                    }
                }
                // A program has loaded it and not looked at it.
                (Type::Ref(class), Some(symbol)) if self.model.is_open(self.cx, &partial.heap, symbol) => {
                    let origins = self.cx.origins();
                    let origin = origins.step(program, node.places[0].origin, Selector::Field(field), class);
                    if origins.is_known_in_the_end(program, origin) {
                        open.push(Open::Input(Input { symbol, origin, elsewhere: false }));
                    }
                }
                (Type::Bool, Some(value)) if self.truths.contains(&field) => truths.push(value),
                _ => {}
            }
        }
    }

    fn resolve_input(&mut self, mut partial: Partial, symbol: Term, stack: &mut Vec<Partial>) {
        let mut cases = Cases::default();
        partial.inputs.push(symbol);
        self.model.touch(self.cx, &mut partial.heap, symbol, &mut cases);
        self.take_cases(&partial, cases, stack);
    }

    fn resolve(&mut self, mut partial: Partial, object: u32, field: FieldId, stack: &mut Vec<Partial>) {
        let mut cases = Cases::default();
        self.model.get(self.cx, &mut partial.heap, Term::location(object), field, &mut cases);
        self.take_cases(&partial, cases, stack);
    }

    fn take_cases(&mut self, partial: &Partial, cases: Cases<Change>, stack: &mut Vec<Partial>) {
        let changes: Vec<(Term, Change)> = cases
            .list
            .into_iter()
            .map(|case| (case.guard, case.change.expect("a reference is resolved by a change")))
            .collect();
        let Some((_, first)) = changes.first() else { return };
        let reference = self.model.reference(self.cx, &partial.heap, first);
        let resolution = |(_, change): &(Term, Change)| self.model.resolution(change).expect("a reference is resolved");
        let mut proposed: Vec<_> = changes.iter().map(|change| (resolution(change), Opinion::Nothing)).collect();
        partial.backbone.clone().weigh(self.cx, &reference, &mut proposed);
        for ((guard, change), (what, opinion)) in changes.into_iter().zip(proposed) {
            if opinion == Opinion::Excluded {
                continue;
            }
            let mut next = partial.clone();
            self.model.apply(self.cx, &mut next.heap, change);
            let clause = match opinion {
                Opinion::Settled => Term::TRUE,
                _ => next.backbone.resolved(self.cx, &mut next.heap, &reference, what, opinion),
            };
            if !self.assume(&mut next.path, guard) || !self.assume(&mut next.path, clause) {
                continue;
            }
            let (asked, other) = next.backbone.take_calls().into_iter().partition(|call| call.wanted.can_wait());
            next.calls = [std::mem::take(&mut next.calls), asked].concat();
            let other: Vec<Call> = other;
            self.accepted.companions |= !other.is_empty() || !next.calls.is_empty() && self.asks_nobody;
            if self.too_large(&next) {
                self.accepted.cut = self.accepted.cut.take().or(Some(Cut::Size));
                continue;
            }
            stack.push(next);
        }
    }

    /// The class of a node, if it can have only one or it was decided.
    fn class_of(&self, partial: &Partial, number: u32) -> Option<ClassId> {
        let symbol = partial.backbone.node(number).symbol;
        match self.cx.classes_of_symbol(symbol)[..] {
            [(low, high)] if low == high => Some(ClassId(low)),
            _ => partial.classes.iter().find(|(node, _)| *node == number).map(|(_, class)| *class),
        }
    }

    fn decide_class(&mut self, partial: Partial, node: u32, stack: &mut Vec<Partial>) {
        let symbol = partial.backbone.node(node).symbol;
        for number in self.cx.classes_of_symbol(symbol).iter().flat_map(|&(low, high)| low..=high) {
            let mut next = partial.clone();
            let is = self.cx.terms.class_in(symbol, number, number);
            if self.assume(&mut next.path, is) {
                next.classes.push((node, ClassId(number)));
                stack.push(next);
            }
        }
    }

    fn too_large(&self, partial: &Partial) -> bool {
        let backbone = &partial.backbone;
        let Some(last) = backbone.len().checked_sub(1) else { return false };
        if let Some(most) = self.most_objects {
            return backbone.len() > most;
        }
        let class = backbone.node(last).class;
        (0..=last).filter(|n| backbone.node(*n).class == class).count() > self.extent.size as usize
    }

    fn decide_truth(&mut self, partial: Partial, value: Term, stack: &mut Vec<Partial>) {
        for clause in [self.cx.terms.not(value), value] {
            let mut next = Partial { decided: partial.decided + 1, ..partial.clone() };
            if self.assume(&mut next.path, clause) {
                stack.push(next);
            }
        }
    }

    /// Whether a statement is also about inputs that are not here.
    fn is_absent(&self, hex: &Hex, statement: &Statement) -> bool {
        match &hex.patterns[statement.pattern.index()].start {
            Start::Root(name) => !self.names.contains(name),
            Start::AnyRoot => self.elsewhere.is_some(),
            Start::Scope(_) => false,
        }
    }

    fn accept(&mut self, partial: &Partial) {
        // What was put off may decide an atom.
        if partial.is_doubtful {
            self.accepted.count += 1;
            return;
        }
        let hex = self.cx.origins().hex.clone();
        let absent: Vec<bool> = hex.statements.iter().map(|statement| self.is_absent(&hex, statement)).collect();
        let judged = partial.backbone.judge(self.cx, &hex, &absent);
        let mut path = partial.path.clone();
        if !self.assume(&mut path, judged) {
            return;
        }
        let partial = &Partial { path, ..partial.clone() };
        if partial.backbone.is_empty() {
            self.accepted.empty = true;
            return;
        }
        match self.extent.numbers {
            Some(range) => self.choose_numbers(partial.clone(), range),
            None => self.keep(partial),
        }
    }

    /// One more heap that is accepted.
    fn keep(&mut self, partial: &Partial) {
        self.accepted.count += 1;
        self.last = Some(partial.clone());
        if self.accepted.heaps.len() < self.extent.keep
            && let Some(model) = partial.path.model()
        {
            let witness = self.model.witness(self.cx, &partial.heap, &model);
            self.accepted.heaps.push(witness);
        }
    }
}
