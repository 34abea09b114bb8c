//! What complete heaps hang from: the inputs that a file speaks of, or an object of a scope.

use crate::hex::{Hex, PatternId, Start};
use lazuli_program::Program;
use lazuli_program::ir::{ClassId, MethodId, Type};

/// What the heaps hang from: inputs, or an object of a scope.
#[derive(Clone, Debug)]
pub struct Roots {
    pub list: Vec<(String, ClassId)>,
    /// Whether they are references: null or aliases of each other perhaps. The receiver and the object of a scope are not.
    pub references: bool,
}

impl Roots {
    /// In words.
    pub fn describe(&self, program: &Program) -> String {
        let each = self.list.iter().map(|(name, class)| format!("{} {name}", program.class(*class).name));
        each.collect::<Vec<_>>().join(", ")
    }
}

/// The roots of the heaps that a file speaks of: its inputs together, only those of the entry if it is known, and an object for every
/// scope. Those of files that come with the program are left to their own tests.
pub fn roots(program: &Program, hex: &Hex, entry: Option<MethodId>) -> Vec<Roots> {
    let mut inputs: Vec<(String, ClassId)> = Vec::new();
    for (number, pattern) in (0..).map(PatternId).zip(&hex.patterns) {
        let named: Vec<(String, ClassId)> = match &pattern.start {
            Start::Root(name) => {
                input_class(program, name, entry).map(|class| (name.clone(), class)).into_iter().collect()
            }
            Start::AnyRoot if is_stated(hex, number) => every_input(program, entry),
            Start::AnyRoot | Start::Scope(_) => continue,
        };
        for (name, class) in named {
            if inputs.iter().all(|(known, _)| *known != name) {
                inputs.push((name, class));
            }
        }
    }
    let mut all = Vec::new();
    if !inputs.is_empty() {
        all.push(Roots { list: inputs, references: true });
    }
    for scope in &hex.scopes[..hex.own_scopes] {
        let known = |roots: &Roots| matches!(roots.list.as_slice(), [(_, class)] if *class == scope.class);
        if !all.iter().any(known) {
            let list = vec![(scope.variable.clone(), scope.class)];
            all.push(Roots { list, references: false });
        }
    }
    all
}

/// Whether a statement is about the paths of a pattern; others are only targets.
fn is_stated(hex: &Hex, pattern: PatternId) -> bool {
    hex.statements.iter().any(|statement| statement.pattern == pattern)
}

/// Whether a file has statements about inputs: which ones there are depends on the entry.
pub fn speaks_of_inputs(hex: &Hex) -> bool {
    let mut starts = hex.statements.iter().map(|statement| &hex.patterns[statement.pattern.index()].start);
    starts.any(|start| matches!(start, Start::Root(_) | Start::AnyRoot))
}

/// The inputs that a file has statements about and that the entry does not have: they are parameters of other methods. Where
/// classes are loaded on demand, a file is read for one entry.
pub fn inputs_elsewhere<'h>(program: &Program, hex: &'h Hex, entry: MethodId) -> Vec<&'h str> {
    let mut names = Vec::new();
    if program.semantics.loads_classes() {
        return names;
    }
    let inputs = every_input(program, Some(entry));
    for statement in &hex.statements {
        if let Start::Root(name) = &hex.patterns[statement.pattern.index()].start
            && inputs.iter().all(|(input, _)| input != name)
            && !names.contains(&name.as_str())
        {
            names.push(name);
        }
    }
    names
}

/// The declared class of an input or parameter.
fn input_class(program: &Program, name: &str, entry: Option<MethodId>) -> Option<ClassId> {
    let inputs = possible_inputs(program, entry);
    let declared = inputs.iter().find(|(known, _)| *known == name).map(|(_, class)| *class);
    declared.or_else(|| static_class(program, name))
}

/// What `any` is about: the inputs of the entry, or, if none is known, those of the main expression.
fn every_input(program: &Program, entry: Option<MethodId>) -> Vec<(String, ClassId)> {
    let Some(entry) = entry.or(program.main) else { return Vec::new() };
    let is_main = |name: &str| program.inputs.iter().any(|input| input.name == name);
    let inputs = reference_inputs(program, entry).into_iter();
    // A method does not see the inputs of the main expression.
    let inputs = inputs.filter(|(name, _)| program.main.is_none_or(|main| main == entry) || !is_main(name));
    inputs.map(|(name, class)| (name.to_string(), class)).collect()
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

/// The inputs that are references: of the entry, or, if none is known, of any method.
pub(super) fn possible_inputs(program: &Program, entry: Option<MethodId>) -> Vec<(&str, ClassId)> {
    match entry {
        Some(entry) => reference_inputs(program, entry),
        None => {
            let methods = (0..program.methods.len()).map(|number| MethodId(number as u32));
            methods.flat_map(|method| reference_inputs(program, method)).collect()
        }
    }
}

/// The inputs of an entry that are references, with their declared classes.
pub(super) fn reference_inputs(program: &Program, entry: MethodId) -> Vec<(&str, ClassId)> {
    let method = program.method(entry);
    let parameters = method.registers[..method.parameters].iter().map(|r| (r.name.as_str(), r.ty));
    let inputs = parameters.chain(program.inputs.iter().map(|i| (i.name.as_str(), i.ty)));
    let references = inputs.filter_map(|(name, ty)| match ty {
        Type::Ref(class) => Some((name, class)),
        _ => None,
    });
    references.collect()
}
