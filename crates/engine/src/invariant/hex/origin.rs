//! Origins: the access paths of the backbone, each once, with the states of all automata there. Matching a reference is one
//! transition for every pattern, made when its path is met for the first time.

use std::rc::Rc;

use lazuli_program::Program;
use lazuli_program::hex::automaton::{DEAD, START, Selector, StateId};
use lazuli_program::hex::{Hex, PatternId, ScopeId, Semantics, Start};
use lazuli_program::ir::ClassId;
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OriginId(u32);

/// An object above a reference that a scope's variable may denote: the innermost one that is of the class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// How many steps from the input it is.
    pub depth: u32,
    /// Whether its declared class says that it is of the scope's class; otherwise its class must be asked.
    pub sure: bool,
}

/// A statement about a reference.
#[derive(Clone, Copy, Debug)]
pub struct Match {
    pub statement: u32,
    pub at: At,
}

/// Where the variable of the statement's scope is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum At {
    /// The pattern starts at an input.
    Input,
    /// The number of the run.
    Run(u32),
    /// The object that the reference denotes is itself of the scope's class, for sure or perhaps.
    Itself { sure: bool },
}

#[derive(Debug)]
struct Origin {
    parent: Option<(OriginId, Selector)>,
    depth: u32,
    /// The declared class of the reference.
    class: ClassId,
    /// For every scope, the objects above the reference, innermost first; nothing after one that is sure.
    runs: Vec<Rc<[Run]>>,
    /// For every pattern its states: one, or, if it starts at a scope, one for every run.
    states: Vec<Rc<[StateId]>>,
    matches: Rc<[Match]>,
}

/// All origins met so far by one worker.
#[derive(Debug)]
pub struct Origins {
    pub hex: Rc<Hex>,
    list: Vec<Origin>,
    roots: FxHashMap<String, OriginId>,
    children: FxHashMap<(OriginId, Selector), OriginId>,
    /// Set when a reference may stand at too many places in the backbone: its path is given up.
    pub too_many: bool,
}

impl Origins {
    pub fn new(hex: Rc<Hex>) -> Origins {
        Origins { hex, list: Vec::new(), roots: FxHashMap::default(), children: FxHashMap::default(), too_many: false }
    }

    fn get(&self, origin: OriginId) -> &Origin {
        &self.list[origin.0 as usize]
    }

    pub fn depth(&self, origin: OriginId) -> u32 {
        self.get(origin).depth
    }

    pub fn class(&self, origin: OriginId) -> ClassId {
        self.get(origin).class
    }

    pub fn parent(&self, origin: OriginId) -> Option<(OriginId, Selector)> {
        self.get(origin).parent
    }

    /// The statements about the reference at an origin.
    pub fn matches(&self, origin: OriginId) -> Rc<[Match]> {
        self.get(origin).matches.clone()
    }

    pub fn runs(&self, origin: OriginId, scope: ScopeId) -> Rc<[Run]> {
        self.get(origin).runs[scope.index()].clone()
    }

    /// Whether the path is one of the pattern, from the run of that number on if it starts at a scope.
    pub fn is_in(&self, origin: OriginId, pattern: PatternId, run: usize) -> bool {
        let state = self.get(origin).states[pattern.index()].get(run).copied().unwrap_or(DEAD);
        self.hex.patterns[pattern.index()].automaton.accepts(state)
    }

    /// Whether a statement is about this reference or one below it: whether a complete heap says what it is.
    pub fn is_mentioned(&self, program: &Program, origin: OriginId) -> bool {
        let origin = self.get(origin);
        let above = self.hex.statements.iter().any(|s| origin.states[s.pattern.index()].iter().any(|s| *s != DEAD));
        above || self.hex.scopes.iter().any(|scope| program.is_subclass(origin.class, scope.class))
    }

    /// The origin of an input.
    pub fn root(&mut self, program: &Program, name: &str, class: ClassId) -> OriginId {
        if let Some(known) = self.roots.get(name) {
            return *known;
        }
        let hex = self.hex.clone();
        let states = hex.patterns.iter().map(|pattern| match &pattern.start {
            Start::Root(root) if root == name => Rc::from([START]),
            Start::AnyRoot => Rc::from([START]),
            Start::Root(_) => Rc::from([DEAD]),
            Start::Scope(_) => Rc::from([]),
        });
        let states = states.collect();
        let runs = hex.scopes.iter().map(|_| Rc::from([])).collect();
        let id = self.enter(program, Origin { parent: None, depth: 0, class, runs, states, matches: Rc::from([]) });
        self.roots.insert(name.into(), id);
        id
    }

    /// The origin of what an object at `holder` refers to.
    pub fn step(&mut self, program: &Program, holder: OriginId, selector: Selector, class: ClassId) -> OriginId {
        if let Some(known) = self.children.get(&(holder, selector)) {
            return *known;
        }
        let hex = self.hex.clone();
        let above = self.get(holder);
        let mut runs: Vec<Rc<[Run]>> = Vec::with_capacity(hex.scopes.len());
        for (scope, outer) in hex.scopes.iter().zip(&above.runs) {
            let sure = program.is_subclass(above.class, scope.class);
            let run = Run { depth: above.depth, sure };
            runs.push(match sure || program.related(above.class, scope.class) {
                false => outer.clone(),
                true if sure => Rc::from([run]),
                true => std::iter::once(run).chain(outer.iter().copied()).collect(),
            });
        }
        let mut states: Vec<Rc<[StateId]>> = Vec::with_capacity(hex.patterns.len());
        for (pattern, before) in hex.patterns.iter().zip(&above.states) {
            let step = |state: &StateId| pattern.automaton.step(*state, selector);
            states.push(match pattern.start {
                Start::Scope(scope) => {
                    let runs = &runs[scope.index()];
                    let new = runs.first().is_some_and(|run| run.depth == above.depth);
                    let begun = new.then_some(START);
                    begun.iter().chain(before.iter()).take(runs.len()).map(step).collect()
                }
                _ => before.iter().map(step).collect(),
            });
        }
        let origin = Origin {
            parent: Some((holder, selector)),
            depth: above.depth + 1,
            class,
            runs,
            states,
            matches: Rc::from([]),
        };
        let id = self.enter(program, origin);
        self.children.insert((holder, selector), id);
        id
    }

    fn enter(&mut self, program: &Program, mut origin: Origin) -> OriginId {
        let hex = &self.hex;
        let mut matches = Vec::new();
        for (number, statement) in (0..).zip(&hex.statements) {
            // JBSE indexes its rules by the erased static type.
            if hex.semantics == Semantics::Jbse && statement.of_type != Some(origin.class) {
                continue;
            }
            let pattern = &hex.patterns[statement.pattern.index()];
            let accepted = |state: &StateId| pattern.automaton.accepts(*state);
            let states = &origin.states[statement.pattern.index()];
            let Start::Scope(scope) = pattern.start else {
                if accepted(&states[0]) {
                    matches.push(Match { statement: number, at: At::Input });
                }
                continue;
            };
            let before = matches.len();
            for (run, state) in (0..).zip(states.iter()) {
                if accepted(state) {
                    matches.push(Match { statement: number, at: At::Run(run) });
                }
            }
            let class = hex.scopes[scope.index()].class;
            if matches.len() == before && pattern.automaton.accepts(START) && program.related(origin.class, class) {
                let sure = program.is_subclass(origin.class, class);
                matches.push(Match { statement: number, at: At::Itself { sure } });
            }
        }
        origin.matches = matches.into();
        self.list.push(origin);
        OriginId(self.list.len() as u32 - 1)
    }
}
