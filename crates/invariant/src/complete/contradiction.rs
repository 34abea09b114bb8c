//! Invariants that contradict themselves: no heap at all is accepted, in whichever order a program looks at it, and whatever it comes to on the
//! way. Only what is certain is said.

use crate::hex::{Clause, Semantics, Start};
use lazuli_program::Program;
use lazuli_program::ir::{ClassId, FieldId, MethodId, Type};

use super::roots::{Roots, possible_inputs, reference_inputs, roots};
use super::{Extent, Open, Order, Partial, Search, search};
use crate::evaluate::origin::{At, Match};
use crate::evaluate::{Evaluator, OriginId};
use crate::invariants::Invariants;
use crate::technique::Technique;
use lazuli_engine::config::Config;
use lazuli_engine::limits::Watch;

/// References may be aliases of objects that are not here: a program may look at the heap in another order, or come to an object along
/// fields and inputs of which nothing is said. A reference that the statements let be an alias is therefore put off too: it is taken to be
/// resolved somehow. Whether that goes for inputs depends on what other inputs lead to.
pub(super) struct Elsewhere {
    /// The inputs that may be such aliases.
    pub inputs: Vec<String>,
}

impl Search<'_, '_> {
    /// The partial heap in which an open reference is put off, if it may be an alias of an object that is elsewhere.
    pub(super) fn put_off(&mut self, partial: &Partial, open: Open) -> Option<Partial> {
        self.elsewhere.as_ref()?;
        let mut next = Partial { is_doubtful: true, ..partial.clone() };
        let origin = match open {
            Open::Input(input) if input.elsewhere => {
                next.inputs.push(input.symbol);
                input.origin
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
        if !self.may_alias(origin) {
            return None;
        }
        let (hex, broken) = (self.cx.origins().hex.clone(), self.broken_by_alias(origin));
        let clause = next.backbone.violate_by_alias(self.cx, &hex, &broken);
        self.assume(&mut next.path, clause).then_some(next)
    }

    /// The atoms about inputs that an alias at an origin breaks, whatever it is an alias of.
    fn broken_by_alias(&mut self, origin: OriginId) -> Vec<u32> {
        let origins = self.cx.origins();
        let is_broken = |matched: &&Match| {
            let statement = &origins.hex.statements[matched.statement as usize];
            let says_nothing = statement.clauses.contains(&Clause::AliasesNothing);
            matched.at == At::Input && statement.formula.is_some() && says_nothing
        };
        origins.matches(origin).iter().filter(is_broken).map(|matched| matched.statement).collect()
    }

    /// Whether the reference at an origin may be an alias of an object elsewhere.
    fn may_alias(&mut self, origin: OriginId) -> bool {
        let origins = self.cx.origins();
        // Rules of JBSE that match a reference combine by or.
        if origins.hex.semantics == Semantics::Jbse {
            return true;
        }
        let never = |matched: &Match| {
            let statement = &origins.hex.statements[matched.statement as usize];
            let is_sure = match (matched.at, &origins.hex.patterns[statement.pattern.index()].start) {
                (At::Run(run), Start::Scope(scope)) => run == 0 && origins.sure_run(origin, *scope).is_some(),
                (at, _) => at != At::Itself { sure: false },
            };
            is_sure && statement.formula.is_none() && statement.clauses.contains(&Clause::AliasesNothing)
        };
        !origins.matches(origin).iter().any(never)
    }
}

/// What the invariants say is impossible, in the inputs of an entry. Only what is certain is said: if the search meets a bound, the
/// invariants may well be satisfiable.
#[derive(Default)]
pub struct Impossible {
    /// Inputs of which none is valid: there is nothing to explore.
    pub inputs: Option<Roots>,
    /// Objects of scopes that no input can be; it may be null or of another class.
    pub objects: Vec<Roots>,
}

pub fn impossible(program: &Program, config: &Config, entry: MethodId, watch: &Watch) -> Impossible {
    let mut found = Impossible::default();
    let invariants = Invariants::of(config).filter(|invariants| invariants.technique == Technique::Hex);
    let Some(invariants) = invariants else { return found };
    let inputs = reference_inputs(program, entry);
    for roots in roots(program, &invariants.hex, Some(entry)) {
        let may_be = |class: ClassId| inputs.iter().any(|(_, of)| program.related(*of, class));
        // Only the receiver is an object in any case.
        let must_be =
            |class: ClassId| inputs.iter().any(|(name, of)| *name == "this" && program.is_subclass(*of, class));
        let is_possible = roots.references || roots.list.iter().any(|(_, class)| may_be(*class));
        if !is_possible || !is_contradiction(program, config, &roots, Some(entry), watch) {
            continue;
        }
        match roots.references || roots.list.iter().any(|(_, class)| must_be(*class)) {
            true => found.inputs = found.inputs.or(Some(roots)),
            false => found.objects.push(roots),
        }
    }
    found
}

/// Whether no heap at all that hangs from these roots is accepted, for certain, in whichever order it is looked at. If the entry is not
/// known, the inputs of any method may be beside them.
pub fn is_contradiction(
    program: &Program,
    config: &Config,
    roots: &Roots,
    entry: Option<MethodId>,
    watch: &Watch,
) -> bool {
    let inputs = possible_inputs(program, entry)
        .into_iter()
        .chain(roots.list.iter().map(|(name, class)| (name.as_str(), *class)));
    let inputs: Vec<(&str, ClassId)> = inputs.collect();
    let is_elsewhere = |(name, class): &&(String, ClassId)| {
        let mut others = inputs.iter().filter(|(other, _)| other != name);
        others.any(|(_, other)| leads_to(program, *other, *class)) || has_other_static(program, name)
    };
    let inputs: Vec<String> = roots.list.iter().filter(is_elsewhere).map(|(name, _)| name.clone()).collect();
    // Where there are actions, each order of many may find other values in ghost fields.
    let has_ghosts = Invariants::of(config).is_some_and(|invariants| !invariants.hex.ghosts.is_empty());
    let any = has_ghosts.then_some(Order::Any);
    [Order::Declared, Order::Opposite].into_iter().chain(any).all(|order| {
        let extent = Extent { size: 4, keep: 0, accept: 1, steps: 2_000, order, numbers: None };
        let accepted = search(program, config, roots, extent, Some(Elsewhere { inputs: inputs.clone() }), watch);
        // One of several inputs may be an alias of another.
        accepted.is_nothing() && (!accepted.no_roots || roots.list.len() == 1)
    })
}

/// Whether a static field is an input besides the one of this name.
fn has_other_static(program: &Program, name: &str) -> bool {
    let is_other = |field: FieldId| program.field(field).ty.is_ref() && name != program.show_field(field);
    program.input_statics().into_iter().any(is_other)
}

/// Whether references may lead from an object of one class to one of another, as far as the declarations tell.
fn leads_to(program: &Program, from: ClassId, to: ClassId) -> bool {
    // Objects of classes that are not known here may come from anywhere.
    if program.semantics.loads_classes() {
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
