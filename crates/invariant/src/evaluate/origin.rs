//! Origins: the access paths of the backbone, each once, with the states of all automata there. Matching a reference is one
//! transition for every pattern, made when its path is met for the first time.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use crate::hex::automaton::{DEAD, START, Selector, StateId};
use crate::hex::{Clause, Hex, Pattern, PatternId, ScopeId, Semantics, Start, Statement, When};
use lazuli_logic::Term;
use lazuli_program::Program;
use lazuli_program::ir::{ClassId, Type};
use rustc_hash::FxHashMap;

use super::Evaluator;
use super::memo::Memo;
use lazuli_engine::context::Context;
use lazuli_engine::invariant::Calls;

/// Stands for every index that no path expression names.
const OTHER_INDEX: u32 = u32::MAX;

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

/// What somebody wants to know of a reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Topic {
    /// The clauses of statements that must hold by themselves.
    Clauses,
    /// The `max` targets that an alias may take.
    Maxima,
    /// The events of an assumption.
    On(When),
}

impl Topic {
    const NUMBER: usize = 5;
    const ALL: [Topic; Topic::NUMBER] =
        [Topic::Clauses, Topic::Maxima, Topic::On(When::Null), Topic::On(When::Expand), Topic::On(When::Alias)];

    fn number(self) -> usize {
        match self {
            Topic::Clauses => 0,
            Topic::Maxima => 1,
            Topic::On(When::Null) => 2,
            Topic::On(When::Expand) => 3,
            Topic::On(When::Alias) => 4,
        }
    }

    fn concerns(self, statement: &Statement) -> bool {
        match self {
            Topic::Clauses => statement.formula.is_none() && !statement.clauses.is_empty(),
            Topic::Maxima => statement.maxima().next().is_some(),
            Topic::On(when) => {
                let is_asked = when != When::Null && !statement.demands.is_empty();
                is_asked || statement.events.iter().any(|event| event.when == when)
            }
        }
    }
}

#[derive(Debug)]
struct Origin {
    parent: Option<(OriginId, Selector)>,
    /// What was met below; a class has few fields.
    children: Vec<(Selector, OriginId)>,
    depth: u32,
    /// The declared class of the reference.
    class: ClassId,
    /// For every scope, the objects above the reference, innermost first; nothing after one that is sure.
    runs: Vec<Rc<[Run]>>,
    /// For every pattern its states: one, or, if it starts at a scope, one for every run.
    states: States,
    matches: Rc<[Match]>,
    /// Those of the statements that have something to say of a topic.
    about: [Rc<[Match]>; Topic::NUMBER],
    /// For every pattern, whether the path may be one of it.
    possible: Vec<bool>,
    /// Whether an object here is one of a path that a `max` target speaks of.
    extends: bool,
}

impl Origin {
    /// The erased static type of the reference, by which JBSE indexes its rules: generic types say more of it than its declaration.
    fn erased(&self, program: &Program) -> ClassId {
        let Some((_, Selector::Field(field))) = self.parent else { return self.class };
        match program.field(field).ty {
            Type::Ref(class) => class,
            _ => self.class,
        }
    }
}

/// The states of all patterns, one after the other.
#[derive(Default, Debug)]
struct States {
    list: Vec<StateId>,
    /// Where those of a pattern end.
    ends: Vec<u32>,
}

impl States {
    fn push(&mut self, states: impl Iterator<Item = StateId>) {
        self.list.extend(states);
        self.ends.push(self.list.len() as u32);
    }

    fn of(&self, pattern: usize) -> &[StateId] {
        let begin = pattern.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.list[begin as usize..self.ends[pattern] as usize]
    }
}

impl Origin {
    fn new(
        parent: Option<(OriginId, Selector)>,
        depth: u32,
        class: ClassId,
        runs: Vec<Rc<[Run]>>,
        states: States,
    ) -> Origin {
        let matches: Rc<[Match]> = Rc::from([]);
        let about = std::array::from_fn(|_| matches.clone());
        let (children, possible) = (Vec::new(), Vec::new());
        Origin { parent, children, depth, class, runs, states, matches, about, possible, extends: false }
    }
}

/// All origins met so far by one worker.
#[derive(Debug)]
pub struct Origins {
    pub hex: Arc<Hex>,
    /// The indices that path expressions name: what an unknown index may be.
    indices: OnceCell<Rc<[u32]>>,
    /// The patterns of `max` targets.
    maxima: OnceCell<Vec<PatternId>>,
    list: Vec<Origin>,
    roots: FxHashMap<(String, ClassId), OriginId>,
    pub(super) memo: Memo,
    /// Of the classes of objects that were met, see [`Origins::is_bystander`].
    pub(super) bystanders: FxHashMap<ClassId, bool>,
    /// Whether there are methods to be executed at an assumption: then it makes a difference when that is.
    pub calls: Calls,
}

impl Origins {
    pub fn new(hex: Arc<Hex>) -> Origins {
        let calls = super::calls(&hex);
        let (list, roots, memo) = (Vec::new(), FxHashMap::default(), Memo::default());
        let (indices, maxima, bystanders) = (OnceCell::new(), OnceCell::new(), FxHashMap::default());
        Origins { hex, indices, maxima, list, roots, memo, bystanders, calls }
    }

    fn indices(&self) -> &Rc<[u32]> {
        self.indices.get_or_init(|| {
            let mut indices: Vec<u32> = self.hex.patterns.iter().flat_map(|p| p.automaton.indices()).collect();
            indices.sort_unstable();
            indices.dedup();
            indices.into()
        })
    }

    fn maxima(&self) -> &[PatternId] {
        self.maxima.get_or_init(|| self.hex.statements.iter().flat_map(|statement| statement.maxima()).collect())
    }

    /// One element for every kind of index that the path expressions tell apart.
    pub(crate) fn some_indices(&self) -> Vec<Selector> {
        self.indices().iter().copied().chain([OTHER_INDEX]).map(Selector::Index).collect()
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

    /// Those of the statements that have something to say of a topic.
    pub fn about(&self, origin: OriginId, topic: Topic) -> &Rc<[Match]> {
        &self.get(origin).about[topic.number()]
    }

    /// Whether nothing is said of the reference at an origin.
    pub fn is_free(&self, origin: OriginId) -> bool {
        let origin = self.get(origin);
        origin.matches.is_empty() && !origin.extends
    }

    /// Whether the statements at an origin may leave a reference only one alternative: it is worth looking.
    pub fn may_force(&self, origin: OriginId) -> bool {
        // Rules of JBSE say the same in other ways.
        if self.hex.semantics == Semantics::Jbse {
            return true;
        }
        let clauses = self.get(origin).matches.iter().flat_map(|m| &self.hex.statements[m.statement as usize].clauses);
        let (mut null, mut fresh, mut aliases) = (true, true, true);
        for clause in clauses {
            match clause {
                Clause::NotNull => null = false,
                Clause::ExpandsToNothing => fresh = false,
                Clause::AliasesNothing => aliases = false,
                Clause::ExpandsTo(_) | Clause::Aliases(_) | Clause::NeverAliases(_) => {}
            }
        }
        // Where it may be an alias, statements may still leave just one.
        !fresh && (!null || !aliases) || !null && !aliases
    }

    pub fn runs(&self, origin: OriginId, scope: ScopeId) -> Rc<[Run]> {
        self.get(origin).runs[scope.index()].clone()
    }

    /// The states of a pattern's automaton.
    pub fn states(&self, origin: OriginId, pattern: PatternId) -> &[StateId] {
        self.get(origin).states.of(pattern.index())
    }

    /// Whether the path may be one of the pattern, from some object on that the scope's variable may denote.
    pub fn may_be_in(&self, origin: OriginId, pattern: PatternId) -> bool {
        self.get(origin).possible[pattern.index()]
    }

    /// The number of the run that begins so many steps from the input.
    pub fn run_at(&self, origin: OriginId, scope: ScopeId, depth: u32) -> Option<usize> {
        self.get(origin).runs[scope.index()].iter().position(|run| run.depth == depth)
    }

    /// Where the first run begins, if it is sure.
    pub fn sure_run(&self, origin: OriginId, scope: ScopeId) -> Option<u32> {
        self.get(origin).runs[scope.index()].first().filter(|run| run.sure).map(|run| run.depth)
    }

    /// Whether the path is one of the pattern, from the run of that number on if it starts at a scope.
    pub fn is_in(&self, origin: OriginId, pattern: PatternId, run: usize) -> bool {
        let state = self.states(origin, pattern).get(run).copied().unwrap_or(DEAD);
        self.hex.patterns[pattern.index()].automaton.accepts(state)
    }

    /// Whether a complete heap says what this reference is: a statement is about it or one below it, or others may be aliases of what is
    /// there.
    pub fn is_known_in_the_end(&self, program: &Program, origin: OriginId) -> bool {
        let states = &self.get(origin).states;
        let is_target = |(number, pattern): (usize, &Pattern)| {
            pattern.start != Start::AnyRoot && states.of(number).iter().any(|state| *state != DEAD)
        };
        self.is_mentioned(program, origin) || self.hex.patterns.iter().enumerate().any(is_target)
    }

    /// Whether a statement is about this reference or one below it.
    pub fn is_mentioned(&self, program: &Program, origin: OriginId) -> bool {
        let origin = self.get(origin);
        let above = self.hex.statements.iter().any(|s| origin.states.of(s.pattern.index()).iter().any(|s| *s != DEAD));
        above || self.hex.scopes.iter().any(|scope| scope.has(program, origin.class))
    }

    /// The origin of an input.
    pub fn root(&mut self, program: &Program, name: &str, class: ClassId) -> OriginId {
        // Inputs of one name that have different types are different inputs.
        let key = (name.to_string(), class);
        if let Some(known) = self.roots.get(&key) {
            return *known;
        }
        let hex = self.hex.clone();
        let mut states = States::default();
        for pattern in &hex.patterns {
            let state = match &pattern.start {
                Start::Root(root) if root == name => Some(START),
                Start::AnyRoot => Some(START),
                Start::Root(_) => Some(DEAD),
                Start::Scope(_) => None,
            };
            states.push(state.into_iter());
        }
        let runs = hex.scopes.iter().map(|_| Rc::from([])).collect();
        let id = self.enter(program, Origin::new(None, 0, class, runs, states));
        self.roots.insert(key, id);
        id
    }

    /// The origin of what an object at `holder` refers to.
    pub fn step(&mut self, program: &Program, holder: OriginId, selector: Selector, class: ClassId) -> OriginId {
        // References of one path may be declared with different classes: by the generic types of those that lead there.
        let is_known = |(known, id): &&(Selector, OriginId)| *known == selector && self.get(*id).class == class;
        if let Some((_, known)) = self.get(holder).children.iter().find(is_known) {
            return *known;
        }
        let hex = self.hex.clone();
        let above = self.get(holder);
        let mut runs: Vec<Rc<[Run]>> = Vec::with_capacity(hex.scopes.len());
        for (scope, outer) in hex.scopes.iter().zip(&above.runs) {
            let sure = scope.has(program, above.class);
            let run = Run { depth: above.depth, sure };
            runs.push(match sure || scope.may_have(program, above.class) {
                false => outer.clone(),
                true if sure => Rc::from([run]),
                true => std::iter::once(run).chain(outer.iter().copied()).collect(),
            });
        }
        let number = hex.patterns.len();
        let mut states = States { list: Vec::with_capacity(number), ends: Vec::with_capacity(number) };
        for (at, pattern) in hex.patterns.iter().enumerate() {
            let before = above.states.of(at);
            let step = |state: &StateId| pattern.automaton.step(*state, selector);
            match pattern.start {
                Start::Scope(scope) => {
                    let runs = &runs[scope.index()];
                    let new = runs.first().is_some_and(|run| run.depth == above.depth);
                    let begun = new.then_some(START);
                    states.push(begun.iter().chain(before).take(runs.len()).map(step));
                }
                _ => states.push(before.iter().map(step)),
            }
        }
        let origin = Origin::new(Some((holder, selector)), above.depth + 1, class, runs, states);
        let id = self.enter(program, origin);
        self.list[holder.0 as usize].children.push((selector, id));
        id
    }

    /// Whether there may be objects of a scope's class above an origin beside those that its runs begin at.
    fn has_outer(&self, program: &Program, origin: &Origin, scope: ScopeId) -> bool {
        let of = &self.hex.scopes[scope.index()];
        let above = std::iter::successors(origin.parent, |(above, _)| self.parent(*above));
        let possible = above.filter(|(above, _)| of.may_have(program, self.class(*above))).count();
        possible > origin.runs[scope.index()].len()
    }

    fn enter(&mut self, program: &Program, mut origin: Origin) -> OriginId {
        let hex = &self.hex;
        let mut matches = Vec::new();
        for (number, statement) in (0..).zip(&hex.statements) {
            if hex.semantics == Semantics::Jbse && statement.of_type != Some(origin.erased(program)) {
                continue;
            }
            let pattern = &hex.patterns[statement.pattern.index()];
            let accepted = |state: &StateId| pattern.automaton.accepts(*state);
            let states = origin.states.of(statement.pattern.index());
            let Start::Scope(scope) = pattern.start else {
                if accepted(&states[0]) {
                    matches.push(Match { statement: number, at: At::Input });
                }
                continue;
            };
            for (run, state) in (0..).zip(states.iter()) {
                if accepted(state) {
                    matches.push(Match { statement: number, at: At::Run(run) });
                }
            }
            let of = &hex.scopes[scope.index()];
            // The object that a sure run begins at is the innermost one in any case.
            let runs = &origin.runs[scope.index()];
            let settled = runs.first().is_some_and(|run| run.sure) && states.first().is_some_and(accepted);
            if !settled && pattern.automaton.accepts(START) && of.may_have(program, origin.class) {
                let sure = of.has(program, origin.class);
                matches.push(Match { statement: number, at: At::Itself { sure } });
            }
        }
        for topic in Topic::ALL {
            let concerned = |m: &&Match| topic.concerns(&hex.statements[m.statement as usize]);
            if matches.iter().any(|m| concerned(&m)) {
                origin.about[topic.number()] = matches.iter().filter(concerned).copied().collect();
            }
        }
        origin.matches = matches.into();
        let possible = hex.patterns.iter().enumerate().map(|(at, Pattern { start, automaton })| {
            let accepted = origin.states.of(at).iter().any(|state| automaton.accepts(*state));
            // The path from an object of the scope further up goes on, though its run has ended.
            accepted || matches!(start, Start::Scope(scope) if self.has_outer(program, &origin, *scope))
        });
        origin.possible = possible.collect();
        origin.extends = self.maxima().iter().any(|pattern| origin.possible[pattern.index()]);
        self.list.push(origin);
        OriginId(self.list.len() as u32 - 1)
    }
}

/// The selectors of an element whose index may not be known, with their guards. Indices that no expression names are all alike.
pub(crate) fn index_selectors(cx: &mut Context, index: Term) -> Vec<(Term, Selector)> {
    let named = cx.origins().indices().clone();
    if let Some((_, at)) = cx.terms.as_bits(index) {
        let at = if named.contains(&(at as u32)) { at as u32 } else { OTHER_INDEX };
        return vec![(Term::TRUE, Selector::Index(at))];
    }
    let mut selectors = Vec::with_capacity(named.len() + 1);
    let mut other = Term::TRUE;
    for &at in named.iter() {
        let number = cx.int(at as i64);
        let here = cx.terms.eq(index, number);
        selectors.push((here, Selector::Index(at)));
        let elsewhere = cx.terms.not(here);
        other = cx.terms.and(other, elsewhere);
    }
    selectors.push((other, Selector::Index(OTHER_INDEX)));
    selectors.retain(|(guard, _)| *guard != Term::FALSE);
    selectors
}
