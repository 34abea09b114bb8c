//! Bystanders: objects that the invariants need not know, as the elements of a list usually are. Nothing hangs from them, no target
//! of an alias may be one, and what statements say of references that could be their aliases is the same of all objects. Left out
//! of the backbone, they do not keep apart the states that differ in nothing else.

use crate::hex::automaton::START;
use crate::hex::{Clause, PatternId, Semantics, Start, Statement, Target, When};
use lazuli_engine::invariant::Calls;
use lazuli_program::Program;
use lazuli_program::ir::{ClassId, Type};

use super::origin::{OriginId, Origins};

impl Origins {
    /// Whether the object that a reference expands to is a bystander.
    pub fn is_bystander(&mut self, program: &Program, origin: OriginId) -> bool {
        if !self.is_free(origin) || self.is_mentioned(program, origin) {
            return false;
        }
        let class = self.class(origin);
        if let Some(known) = self.bystanders.get(&class) {
            return *known;
        }
        let is_bystander = self.are_bystanders(program, class);
        self.bystanders.insert(class, is_bystander);
        is_bystander
    }

    /// Whether all objects of a declared class are, where nothing is said of them.
    fn are_bystanders(&self, program: &Program, class: ClassId) -> bool {
        let hex = &self.hex;
        // The classes must all be known.
        let simple = hex.semantics == Semantics::Hex && hex.formulas.is_empty() && self.calls == Calls::Never;
        if !simple || program.semantics.loads_classes() {
            return false;
        }
        let holds_references = |number: u32| {
            let layout = &program.class(ClassId(number)).layout;
            layout.iter().any(|field| program.field(*field).ty.is_ref())
        };
        let has_ghosts = hex.ghosts.iter().any(|ghost| program.related(ghost.class, class));
        if has_ghosts || (class.0..=program.class(class).last.0).any(holds_references) {
            return false;
        }
        hex.statements.iter().all(|statement| {
            let targets = targets(statement).all(|target| match target {
                Target::Path { pattern, .. } | Target::Below { pattern, .. } => {
                    self.may_end_at(program, *pattern, class) == Ends::Elsewhere
                }
                Target::Some(_) | Target::Object(_) => true,
            });
            targets
                && match self.may_end_at(program, statement.pattern, class) {
                    Ends::Elsewhere => true,
                    Ends::Perhaps => false,
                    Ends::There => targets_nothing(statement),
                }
        })
    }

    /// Whether a path of a pattern may end at a reference that denotes an object of a class.
    fn may_end_at(&self, program: &Program, pattern: PatternId, class: ClassId) -> Ends {
        let pattern = &self.hex.patterns[pattern.index()];
        let scopes = &self.hex.scopes;
        // Where the path begins it may end too.
        let at_once = match pattern.start {
            Start::Scope(scope) => program.related(scopes[scope.index()].class, class),
            Start::Root(_) | Start::AnyRoot => pattern.automaton.accepts(START),
        };
        let Some(last) = pattern.automaton.last_fields().filter(|_| !at_once) else { return Ends::Perhaps };
        let mut ends = Ends::Elsewhere;
        for field in last {
            let Type::Ref(declared) = program.field(field).ty else { continue };
            if program.related(declared, class) {
                // What is said of objects of a scope may be about the one that the reference denotes.
                if scopes.iter().any(|scope| program.related(scope.class, declared)) {
                    return Ends::Perhaps;
                }
                ends = Ends::There;
            }
        }
        ends
    }
}

/// Where the paths of a pattern may end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    Elsewhere,
    /// At a reference to an object in question, which is none of a scope.
    There,
    /// Nobody has looked.
    Perhaps,
}

fn targets(statement: &Statement) -> impl Iterator<Item = &Target> {
    let lists = statement.clauses.iter().map(|clause| match clause {
        Clause::Aliases(targets) => targets.as_slice(),
        Clause::NeverAliases(target) => std::slice::from_ref(target),
        _ => &[],
    });
    lists.flatten()
}

/// Whether a statement says the same of every object that a reference may be an alias of, and lets nothing follow from it.
fn targets_nothing(statement: &Statement) -> bool {
    let hears = statement.events.iter().any(|event| event.when == When::Alias) || !statement.demands.is_empty();
    targets(statement).next().is_none() && !hears
}
