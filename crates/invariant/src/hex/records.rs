//! Classes whose inputs a method judges that comes with the program, as if a file said `for any R r { r on expand do …(r); }`: records whose
//! canonical constructor looks at its arguments.

use lazuli_program::frontend::java::record::valid_record;
use lazuli_program::ir::ClassId;
use lazuli_program::library::Library;

use super::automaton::{Automaton, Regex};
use super::{Companion, Event, Hex, Object, Pattern, PatternId, Scope, ScopeId, Start, Statement, When};

/// Adds those among the classes that inputs of the program may lead to, unless a file says something of them.
pub(super) fn add(library: &Library, mut hex: Hex, classes: Vec<ClassId>) -> Hex {
    for class in classes {
        let is_own = hex.scopes[..hex.own_scopes].iter().any(|scope| scope.class == class);
        if let Some(method) = valid_record(library, class).filter(|_| !is_own) {
            let companion = Companion::Method { method, object: Some(Object::It), waits: true };
            add_statement(&mut hex, class, Event { when: When::Expand, companion, given: None });
        }
    }
    hex
}

fn add_statement(hex: &mut Hex, class: ClassId, event: Event) {
    let scope = ScopeId(hex.scopes.len() as u32);
    let pattern = PatternId(hex.patterns.len() as u32);
    hex.scopes.push(Scope { class, but: None, variable: "record".into() });
    let automaton = Automaton::new(&Regex::Empty).unwrap_or_else(|_| unreachable!("a path without steps has a state"));
    hex.patterns.push(Pattern { start: Start::Scope(scope), automaton });
    hex.statements.push(Statement {
        pattern,
        clauses: Vec::new(),
        events: vec![event],
        demands: Vec::new(),
        text: "record".into(),
        of_type: None,
        formula: None,
    });
}
