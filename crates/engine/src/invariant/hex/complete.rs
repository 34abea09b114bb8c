//! The complete heaps that invariants accept, up to a size: the way to see whether they say what one means.
//!
//! A heap is complete when every reference that a statement is about, or that leads to one, is known. The others are free. Numbers
//! are not enumerated: there must be some that fit. Truth values that the invariants mention are. On a complete heap every atom of
//! a formula holds or is violated: there the formulas are judged.

mod elements;

use lazuli_logic::{PathCondition, Solver, Term, Verdict};
use lazuli_program::Program;
use lazuli_program::hex::automaton::Selector;
use lazuli_program::hex::{Clause, Hex, Semantics, Start};
use lazuli_program::ir::{ClassId, FieldId, MethodId, Type};

use crate::config::{Config, HeapKind};
use crate::context::Context;
use crate::heap::lazy::{Change, Heap, Lazy, When};
use crate::heap::{Cases, Effect, HeapModel};
use crate::invariant::Technique;
use crate::invariant::hex::OriginId;
use crate::invariant::hex::origin::{At, Match};
use crate::witness::Witness;

/// What the heaps hang from: inputs, or an object of a scope.
#[derive(Clone, Debug)]
pub struct Roots {
    pub list: Vec<(String, ClassId)>,
    /// Whether they are references: null or aliases of each other perhaps. The receiver and the object of a scope are not.
    pub references: bool,
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
    /// Whether inputs and fields are looked at in the opposite order: origins depend on it.
    pub backwards: bool,
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
    Enough,
    Unknown(String),
}

/// The roots of the heaps that a file speaks of: its inputs together, those of the entry if it is known, and an object for every scope.
pub fn roots(program: &Program, hex: &Hex, entry: Option<MethodId>) -> Vec<Roots> {
    let mut inputs: Vec<(String, ClassId)> = Vec::new();
    for pattern in &hex.patterns {
        let Start::Root(name) = &pattern.start else { continue };
        if inputs.iter().all(|(known, _)| known != name)
            && let Some(class) = input_class(program, name, entry)
        {
            inputs.push((name.clone(), class));
        }
    }
    let mut all = Vec::new();
    if !inputs.is_empty() {
        all.push(Roots { list: inputs, references: true });
    }
    for scope in &hex.scopes {
        let known = |roots: &Roots| matches!(roots.list.as_slice(), [(_, class)] if *class == scope.class);
        if !all.iter().any(known) {
            let list = vec![(scope.variable.clone(), scope.class)];
            all.push(Roots { list, references: false });
        }
    }
    all
}

/// The declared class of an input or parameter: one of the entry, if it has one of the name.
fn input_class(program: &Program, name: &str, entry: Option<MethodId>) -> Option<ClassId> {
    let entry = entry.or(program.main.filter(|_| program.library.is_some())).map(|entry| program.method(entry));
    let methods = entry.into_iter().chain(&program.methods);
    let parameters = methods.flat_map(|m| &m.registers[..m.parameters]).map(|r| (&r.name, r.ty));
    let inputs = program.inputs.iter().map(|i| (&i.name, i.ty));
    let declared = parameters.chain(inputs).find_map(|(known, ty)| match ty {
        Type::Ref(class) if known == name => Some(class),
        _ => None,
    });
    declared.or_else(|| static_class(program, name))
}

/// The declared class of Java's `Class.STATIC`.
fn static_class(program: &Program, name: &str) -> Option<ClassId> {
    let (class, field) = name.rsplit_once('.')?;
    let class = program.library.as_ref()?.java(program.class_named(class)?);
    let mut statics = class.statics.iter().map(|(id, _)| program.field(*id));
    match statics.find(|declared| declared.name == field)?.ty {
        Type::Ref(class) => Some(class),
        _ => None,
    }
}

/// Enumerates the complete heaps.
pub fn complete(program: &Program, config: &Config, roots: &Roots, extent: Extent) -> Accepted {
    search(program, config, roots, extent, None)
}

fn search(program: &Program, config: &Config, roots: &Roots, extent: Extent, elsewhere: Option<Elsewhere>) -> Accepted {
    let mut config = Config { heap: HeapKind::Lazy, ..config.clone() };
    // The classes of Java's inputs are few, and often not the declared ones: they are enumerated.
    config.bounds.exact_types = program.library.is_none();
    let hex = config.invariants.as_ref().expect("there are invariants").hex.clone();
    let mut search = Search {
        cx: Context::new(program, &config),
        model: Lazy::new(When::Load),
        solver: Solver::new(config.solver.clone()),
        truths: mentioned_truths(program, &hex),
        inputs: Vec::new(),
        extent,
        elsewhere,
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
    /// The inputs that are references to be resolved.
    inputs: Vec<(Term, OriginId)>,
    extent: Extent,
    elsewhere: Option<Elsewhere>,
    accepted: Accepted,
}

#[derive(Clone)]
struct Partial {
    heap: Heap,
    path: PathCondition,
    /// Inputs that were resolved or put off.
    inputs: usize,
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
}

/// References may be aliases of objects that are not here: a program may look at the heap in another order, or come to an object along
/// fields and inputs of which nothing is said. A reference that the statements let be an alias is therefore put off too: it is taken to be
/// resolved somehow. Whether that goes for inputs depends on what other inputs lead to.
#[derive(Clone, Copy)]
struct Elsewhere {
    inputs: bool,
}

/// What to decide next of a partial heap.
#[derive(Clone, Copy)]
enum Open {
    Input(Term, OriginId),
    Reference { object: u32, field: FieldId, origin: OriginId },
    Class { node: u32 },
    Length { node: u32 },
    Element { object: u32, index: u32, element: Type, origin: OriginId },
    Truth(Term),
    Nothing,
}

impl Search<'_> {
    fn run(&mut self, roots: &Roots) {
        let (heap, path) = (self.model.empty(), PathCondition::default());
        let (lengths, elements, classes) = (Vec::new(), Vec::new(), Vec::new());
        let (put_off, is_doubtful) = (Vec::new(), false);
        let mut first = Partial { heap, path, inputs: 0, put_off, is_doubtful, decided: 0, lengths, elements, classes };
        let mut list: Vec<&(String, ClassId)> = roots.list.iter().collect();
        if self.extent.backwards {
            list.reverse();
        }
        for (name, class) in list {
            let symbol = self.cx.root_symbol(name, Type::Ref(*class));
            let expanded = !roots.references || name == "this";
            self.model.input(&mut self.cx, &mut first.heap, symbol, Type::Ref(*class), expanded);
            if !expanded {
                let program = self.cx.program;
                let origin = self.cx.origins().root(program, name, *class);
                self.inputs.push((symbol, origin));
                continue;
            }
            let clause = self.model.receiver(&mut self.cx, &mut first.heap, symbol);
            if !self.assume(&mut first.path, clause) {
                self.accepted.no_roots = true;
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
            let open = self.open(&partial);
            let put_off = self.put_off(&partial, open);
            match open {
                Open::Input(symbol, _) => self.resolve_input(partial, symbol, &mut stack),
                Open::Reference { object, field, .. } => self.resolve(partial, object, field, &mut stack),
                Open::Class { node } => self.decide_class(partial, node, &mut stack),
                Open::Length { node } => self.decide_length(partial, node, &mut stack),
                Open::Element { object, index, element, .. } => {
                    self.resolve_element(partial, (object, index), element, &mut stack);
                }
                Open::Truth(value) => self.decide(partial, value, &mut stack),
                Open::Nothing => {
                    self.accept(&partial);
                    if self.accepted.count >= self.extent.accept {
                        self.accepted.cut = Some(Cut::Enough);
                        return;
                    }
                }
            }
            stack.extend(put_off);
            stack[at..].reverse();
        }
    }

    /// The partial heap in which an open reference is put off, if it may be an alias of an object that is elsewhere.
    fn put_off(&mut self, partial: &Partial, open: Open) -> Option<Partial> {
        let elsewhere = self.elsewhere?;
        let mut next = Partial { is_doubtful: true, ..partial.clone() };
        let origin = match open {
            Open::Input(_, origin) if elsewhere.inputs => {
                next.inputs += 1;
                origin
            }
            Open::Reference { object, field, origin } => {
                next.put_off.push((object, field));
                origin
            }
            Open::Element { object, index, origin, .. } => {
                next.elements.push((object, index));
                origin
            }
            _ => return None,
        };
        self.may_alias(origin).then_some(next)
    }

    /// Whether the reference at an origin may be an alias of an object elsewhere. Next to formulas that is asked only of those that may
    /// not expand: what an alias does to the atoms is not known here.
    fn may_alias(&mut self, origin: OriginId) -> bool {
        let origins = self.cx.origins();
        // Rules of JBSE that match a reference combine by or.
        if origins.hex.semantics == Semantics::Jbse {
            return true;
        }
        let says = |matched: &Match, clause: &Clause| {
            let statement = &origins.hex.statements[matched.statement as usize];
            let is_sure = !matches!(matched.at, At::Itself { sure: false });
            is_sure && statement.formula.is_none() && statement.clauses.contains(clause)
        };
        let matches = origins.matches(origin);
        let may_expand = !matches.iter().any(|matched| says(matched, &Clause::ExpandsToNothing));
        let never = matches.iter().any(|matched| says(matched, &Clause::AliasesNothing));
        !never && (origins.hex.formulas.is_empty() || !may_expand)
    }

    fn assume(&mut self, path: &mut PathCondition, clause: Term) -> bool {
        match self.solver.extension(&mut self.cx.terms, path, clause) {
            Verdict::Sat(extension) => {
                path.extend(extension);
                true
            }
            Verdict::Unsat => false,
            Verdict::Unknown(why) => {
                self.accepted.cut = Some(Cut::Unknown(why));
                false
            }
        }
    }

    /// The first reference that is open, the inputs first, then object by object; then the truth values.
    fn open(&mut self, partial: &Partial) -> Open {
        if let Some((symbol, origin)) = self.inputs.get(partial.inputs) {
            return Open::Input(*symbol, *origin);
        }
        let program = self.cx.program;
        let backbone = partial.heap.backbone();
        let mut truths = Vec::new();
        for number in 0..backbone.len() {
            let (node, object) = (backbone.node(number), partial.heap.object_of(number));
            let Some(class) = self.class_of(partial, number) else { return Open::Class { node: number } };
            if let Some(open) = self.open_element(partial, number, class) {
                return open;
            }
            let mut fields = program.class(class).layout.clone();
            if self.extent.backwards {
                fields.reverse();
            }
            for field in fields {
                let initial = partial.heap.initial_value(&self.cx, object, field);
                match (program.field(field).ty, initial) {
                    (Type::Ref(class), None) if !partial.put_off.contains(&(object, field)) => {
                        let origins = self.cx.origins();
                        let origin = origins.step(program, node.places[0].origin, Selector::Field(field), class);
                        if origins.is_mentioned(program, origin) {
                            return Open::Reference { object, field, origin };
                        }
                    }
                    (Type::Bool, Some(value)) if self.truths.contains(&field) => truths.push(value),
                    _ => {}
                }
            }
        }
        truths.get(partial.decided).map_or(Open::Nothing, |value| Open::Truth(*value))
    }

    fn resolve_input(&mut self, mut partial: Partial, symbol: Term, stack: &mut Vec<Partial>) {
        let mut cases = Cases::default();
        partial.inputs += 1;
        self.model.load(&mut self.cx, &mut partial.heap, symbol, &mut cases);
        self.take_cases(&partial, cases, stack);
    }

    fn resolve(&mut self, mut partial: Partial, object: u32, field: FieldId, stack: &mut Vec<Partial>) {
        let mut cases = Cases::default();
        self.model.read(&mut self.cx, &mut partial.heap, Term::location(object), field, &mut cases);
        self.take_cases(&partial, cases, stack);
    }

    fn take_cases(&mut self, partial: &Partial, cases: Cases<Change>, stack: &mut Vec<Partial>) {
        for case in cases.list.into_iter().filter(|case| case.effect != Effect::Refused) {
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

    /// The class of a node, if it can have only one or it was decided.
    fn class_of(&self, partial: &Partial, number: u32) -> Option<ClassId> {
        let symbol = partial.heap.backbone().node(number).symbol;
        match self.cx.classes_of_symbol(symbol)[..] {
            [(low, high)] if low == high => Some(ClassId(low)),
            _ => partial.classes.iter().find(|(node, _)| *node == number).map(|(_, class)| *class),
        }
    }

    fn decide_class(&mut self, partial: Partial, node: u32, stack: &mut Vec<Partial>) {
        let symbol = partial.heap.backbone().node(node).symbol;
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
        // What was put off may decide an atom.
        if partial.is_doubtful {
            self.accepted.count += 1;
            return;
        }
        let hex = self.cx.origins().hex.clone();
        let judged = partial.heap.backbone().judge(&mut self.cx, &hex);
        let mut path = partial.path.clone();
        if !self.assume(&mut path, judged) {
            return;
        }
        let partial = &Partial { path, ..partial.clone() };
        if partial.heap.backbone().is_empty() {
            self.accepted.empty = true;
            return;
        }
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
    let inputs = reference_inputs(program, entry);
    let is_input = |name: &str, class: ClassId| {
        let is_scope = hex.scopes.iter().any(|scope| scope.variable == name && scope.class == class);
        let is_parameter = inputs.iter().any(|(input, of)| match is_scope {
            true => program.related(*of, class),
            false => *input == name,
        });
        // A file may speak of static fields only if they are inputs.
        is_parameter || static_class(program, name).is_some()
    };
    roots(program, hex, Some(entry)).into_iter().find_map(|mut roots| {
        roots.list.retain(|(name, class)| is_input(name, *class));
        (!roots.list.is_empty() && is_contradiction(program, config, &roots, Some(entry))).then_some(roots)
    })
}

/// Whether no heap at all that hangs from these roots is accepted, for certain, in whichever order it is looked at.
pub fn is_contradiction(program: &Program, config: &Config, roots: &Roots, entry: Option<MethodId>) -> bool {
    let inputs = entry.map_or(Vec::new(), |entry| reference_inputs(program, entry));
    let mut others = inputs.iter().filter(|(name, _)| roots.list.iter().all(|(root, _)| root != name));
    let inputs = match roots.list.as_slice() {
        [(name, class)] => {
            others.any(|(_, other)| leads_to(program, *other, *class)) || has_other_static(program, name)
        }
        _ => true,
    };
    [false, true].into_iter().all(|backwards| {
        let extent = Extent { size: 4, keep: 0, accept: 1, steps: 2_000, backwards };
        let accepted = search(program, config, roots, extent, Some(Elsewhere { inputs }));
        // One of several inputs may be an alias of another.
        accepted.is_nothing() && (!accepted.no_roots || roots.list.len() == 1)
    })
}

/// The inputs of an entry that are references, with their declared classes.
fn reference_inputs(program: &Program, entry: MethodId) -> Vec<(&str, ClassId)> {
    let method = program.method(entry);
    let parameters = method.registers[..method.parameters].iter().map(|r| (r.name.as_str(), r.ty));
    let inputs = parameters.chain(program.inputs.iter().map(|i| (i.name.as_str(), i.ty)));
    let references = inputs.filter_map(|(name, ty)| match ty {
        Type::Ref(class) => Some((name, class)),
        _ => None,
    });
    references.collect()
}

/// Whether a static field is an input besides the one of this name.
fn has_other_static(program: &Program, name: &str) -> bool {
    let Some(library) = &program.library else { return false };
    let classes = library.path.user_classes().iter().map(|class| library.class_id(class));
    let mut statics = classes.filter(|class| library.has_symbolic_statics(*class)).flat_map(|class| {
        let of_class = library.java(class).statics.iter().map(|(field, _)| program.field(*field));
        of_class.map(move |field| (&program.class(class).name, field))
    });
    statics.any(|(class, field)| field.ty.is_ref() && name != format!("{class}.{}", field.name))
}

/// Whether references may lead from an object of one class to one of another, as far as the declarations tell.
fn leads_to(program: &Program, from: ClassId, to: ClassId) -> bool {
    // In Java, objects of classes that are not known here may come from anywhere.
    if program.library.is_some() {
        return true;
    }
    let mut reached = vec![from];
    let mut next = 0;
    while let Some(&class) = reached.get(next) {
        next += 1;
        if program.related(class, to) {
            return true;
        }
        for number in class.0..=program.class(class).last.0 {
            for field in &program.class(ClassId(number)).layout {
                if let Type::Ref(class) = program.field(*field).ty
                    && !reached.contains(&class)
                {
                    reached.push(class);
                }
            }
        }
    }
    false
}
