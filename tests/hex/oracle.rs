//! HEX once more, by its definition, on a concrete heap: the backbone is the order of the visits, every path is written out, and
//! every atom is asked of every reference at the end. Nothing is incremental and nothing symbolic. The oracle of the agreement check.

use lazuli_engine::witness::{Concrete, Witness};
use lazuli_invariant::hex::automaton::{DEAD, START, Selector};
use lazuli_invariant::hex::{
    Action, ClassTest, Clause, Companion, Expr, Formula, Ghost, GhostId, GhostValue, Hex, Literal, Object, Op,
    PatternId, Prop, SetOp, Start, Target, When,
};
use lazuli_program::Program;
use lazuli_program::ir::{ClassId, FieldId, MethodId, Type};

use super::visits::{Holder, Visit};

/// An object of the backbone.
struct Node {
    object: usize,
    class: ClassId,
    declared: ClassId,
    root: String,
    path: Vec<Selector>,
    parent: Option<usize>,
}

/// A reference that was visited: where it is, and what it was found to be.
struct Reference {
    holder: Option<usize>,
    field: Option<FieldId>,
    root: String,
    path: Vec<Selector>,
    declared: ClassId,
    kind: When,
    /// The node it denotes.
    it: Option<usize>,
    /// How many nodes there were before.
    known: usize,
}

/// The object that a statement's scope variable denotes.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Scoped {
    Nothing,
    Node(usize),
    Itself,
}

#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
enum Num {
    Low,
    Finite(i128),
    High,
}

#[derive(Clone, Copy, Debug)]
enum Value {
    Num(Num),
    Bool(bool),
}

pub struct Oracle<'a> {
    program: &'a Program,
    hex: &'a Hex,
    heap: &'a Witness,
    nodes: Vec<Node>,
    references: Vec<Reference>,
}

impl<'a> Oracle<'a> {
    pub fn new(program: &'a Program, hex: &'a Hex, heap: &'a Witness, visits: &[Visit]) -> Oracle<'a> {
        let mut oracle = Oracle { program, hex, heap, nodes: Vec::new(), references: Vec::new() };
        for visit in visits {
            oracle.visit(visit);
        }
        oracle
    }

    fn visit(&mut self, visit: &Visit) {
        let (holder, field, root, path) = match &visit.holder {
            Holder::Root(name) => (None, None, name.clone(), Vec::new()),
            Holder::Field(object, field) => {
                let holder = self.nodes.iter().position(|n| n.object == *object).expect("it was met before");
                let mut path = self.nodes[holder].path.clone();
                path.push(Selector::Field(*field));
                (Some(holder), Some(*field), self.nodes[holder].root.clone(), path)
            }
        };
        let known = self.nodes.len();
        let met = visit.target.and_then(|object| self.nodes.iter().position(|n| n.object == object));
        let (kind, it) = match (visit.target, met) {
            (None, _) => (When::Null, None),
            (Some(_), Some(node)) => (When::Alias, Some(node)),
            (Some(object), None) => {
                let (root, path) = (root.clone(), path.clone());
                let class = self.heap.objects[object].class;
                self.nodes.push(Node { object, class, declared: visit.class, root, path, parent: holder });
                (When::Expand, Some(known))
            }
        };
        self.references.push(Reference { holder, field, root, path, declared: visit.class, kind, it, known });
    }

    /// The companion methods that the last visit calls, and the objects they are called for.
    pub fn companions(&self) -> Vec<(MethodId, usize)> {
        let Some(reference) = self.references.last() else { return Vec::new() };
        let mut called = Vec::new();
        for (number, scoped) in self.matching(reference) {
            for event in self.hex.statements[number].events.iter().filter(|e| e.when == reference.kind) {
                let Companion::Method { method, object: Some(object), .. } = &event.companion else { continue };
                let Type::Ref(taken) = self.program.method(*method).registers[0].ty else {
                    panic!("it takes an object")
                };
                let node = self.object(reference, scoped, *object).map(|node| &self.nodes[node]);
                let node = node.filter(|node| self.program.is_subclass(node.class, taken));
                called.extend(node.map(|node| (*method, node.object)));
            }
        }
        called
    }

    /// The longest chain of references from an input to an object.
    pub fn depth(&self) -> usize {
        self.nodes.iter().map(|node| node.path.len() + 1).max().unwrap_or(0)
    }

    /// Whether a completion of what was visited may satisfy the invariants, as far as one reference at a time tells.
    pub fn is_valid(&self) -> bool {
        for reference in &self.references {
            for (number, scoped) in self.matching(reference) {
                let statement = &self.hex.statements[number];
                let holds = |clause: &Clause| self.holds(reference, scoped, clause);
                if statement.formula.is_none() && !statement.clauses.iter().all(holds) {
                    return false;
                }
            }
        }
        self.hex.formulas.iter().all(|formula| self.formula_possible(formula)) && self.actions_hold()
    }

    /// The statements about a reference.
    fn matching(&self, reference: &Reference) -> Vec<(usize, Scoped)> {
        let mut found = Vec::new();
        for (number, statement) in self.hex.statements.iter().enumerate() {
            let pattern = &self.hex.patterns[statement.pattern.index()];
            let scoped = match &pattern.start {
                Start::Root(root) => {
                    (*root == reference.root && pattern.automaton.matches(&reference.path)).then_some(Scoped::Nothing)
                }
                Start::AnyRoot => pattern.automaton.matches(&reference.path).then_some(Scoped::Nothing),
                Start::Scope(scope) => {
                    let class = self.hex.scopes[scope.index()].class;
                    let variable = self.innermost(reference.holder, class);
                    let from = |node: usize| &reference.path[self.nodes[node].path.len()..];
                    match variable.filter(|node| pattern.automaton.matches(from(*node))) {
                        Some(node) => Some(Scoped::Node(node)),
                        // A bare variable is every reference to such an object.
                        None => {
                            let is = match reference.it {
                                Some(node) => self.program.is_subclass(self.nodes[node].class, class),
                                None => self.program.is_subclass(reference.declared, class),
                            };
                            (pattern.automaton.accepts(START) && is).then_some(Scoped::Itself)
                        }
                    }
                }
            };
            found.extend(scoped.map(|scoped| (number, scoped)));
        }
        found
    }

    /// The innermost object of a class, from one on upwards.
    fn innermost(&self, from: Option<usize>, class: ClassId) -> Option<usize> {
        let mut at = from;
        while let Some(node) = at {
            if self.program.is_subclass(self.nodes[node].class, class) {
                return Some(node);
            }
            at = self.nodes[node].parent;
        }
        None
    }

    fn holds(&self, reference: &Reference, scoped: Scoped, clause: &Clause) -> bool {
        match (clause, reference.kind, reference.it) {
            (Clause::NotNull, When::Null, _) => false,
            (Clause::ExpandsToNothing, When::Expand, _) => false,
            (Clause::ExpandsTo(tests), When::Expand, Some(it)) => tests.iter().any(|test| self.is(it, *test)),
            (Clause::AliasesNothing, When::Alias, _) => false,
            (Clause::Aliases(targets), When::Alias, Some(it)) => {
                targets.iter().any(|target| self.is_target(reference, scoped, target, it))
            }
            (Clause::NeverAliases(target), When::Alias, Some(it)) => !self.is_target(reference, scoped, target, it),
            _ => true,
        }
    }

    fn is(&self, node: usize, test: ClassTest) -> bool {
        let class = self.nodes[node].class;
        if test.exact { class == test.class } else { self.program.is_subclass(class, test.class) }
    }

    fn is_target(&self, reference: &Reference, scoped: Scoped, target: &Target, it: usize) -> bool {
        match target {
            Target::Some(test) => self.is(it, *test),
            Target::Object(object) => self.object(reference, scoped, *object) == Some(it),
            Target::Below { .. } => panic!("a rule of JBSE"),
            Target::Path { pattern, max } => {
                let inside = |node: usize| self.in_pattern(node, *pattern, scoped);
                // The maximal paths are those of the whole backbone, not of what was known at the time.
                inside(it) && !(*max && (0..self.nodes.len()).any(|n| n != it && self.is_below(n, it) && inside(n)))
            }
        }
    }

    fn is_below(&self, node: usize, above: usize) -> bool {
        node == above || self.nodes[node].parent.is_some_and(|parent| self.is_below(parent, above))
    }

    fn in_pattern(&self, node: usize, pattern: PatternId, scoped: Scoped) -> bool {
        let pattern = &self.hex.patterns[pattern.index()];
        let Node { root, path, .. } = &self.nodes[node];
        match &pattern.start {
            Start::Root(name) => name == root && pattern.automaton.matches(path),
            Start::AnyRoot => pattern.automaton.matches(path),
            Start::Scope(_) => match scoped {
                Scoped::Node(from) if self.is_below(node, from) => {
                    pattern.automaton.matches(&path[self.nodes[from].path.len()..])
                }
                _ => false,
            },
        }
    }

    fn object(&self, reference: &Reference, scoped: Scoped, object: Object) -> Option<usize> {
        match object {
            Object::It => reference.it,
            Object::Up(steps) => (1..steps).try_fold(reference.holder?, |node, _| self.nodes[node].parent),
            Object::Scope(scope) => match scoped {
                Scoped::Itself => reference.it,
                Scoped::Node(node) => Some(node),
                Scoped::Nothing => self.innermost(reference.holder, self.hex.scopes[scope.index()].class),
            },
            Object::Prefix(_) | Object::AboveIt(_) => panic!("a rule of JBSE"),
        }
    }
}

/// Formulas.
impl Oracle<'_> {
    fn formula_possible(&self, formula: &Formula) -> bool {
        let instances: Vec<Option<usize>> = match formula.scope {
            None => vec![None],
            Some(scope) => {
                let class = self.hex.scopes[scope.index()].class;
                let is = |node: &usize| self.program.is_subclass(self.nodes[*node].class, class);
                (0..self.nodes.len()).filter(is).map(Some).collect()
            }
        };
        instances.into_iter().all(|instance| {
            let atoms: Vec<(bool, bool)> = formula
                .atoms
                .iter()
                .map(|atom| (self.violated(*atom, instance), self.settled(*atom, instance)))
                .collect();
            // Some assignment that every atom allows satisfies the formula.
            (0..1u32 << atoms.len()).any(|assignment| {
                let truth = |atom: usize| assignment >> atom & 1 == 1;
                let allowed = |atom: usize| if truth(atom) { !atoms[atom].0 } else { atoms[atom].0 || !atoms[atom].1 };
                (0..atoms.len()).all(allowed) && satisfied(&formula.body, &truth)
            })
        })
    }

    fn violated(&self, atom: u32, instance: Option<usize>) -> bool {
        let statement = &self.hex.statements[atom as usize];
        self.references.iter().any(|reference| {
            self.matching(reference).into_iter().any(|(number, scoped)| {
                let about = match scoped {
                    Scoped::Nothing => None,
                    Scoped::Node(node) => Some(node),
                    Scoped::Itself if reference.it.is_none() => return false,
                    Scoped::Itself => reference.it,
                };
                number == atom as usize
                    && about == instance
                    && !statement.clauses.iter().all(|clause| self.holds(reference, scoped, clause))
            })
        })
    }

    /// Whether every reference that could break an atom was visited. What is the longest path may always be extended.
    fn settled(&self, atom: u32, instance: Option<usize>) -> bool {
        let is_max = |target: &Target| matches!(target, Target::Path { max: true, .. });
        let has_max = |clause: &Clause| matches!(clause, Clause::Aliases(targets) if targets.iter().any(is_max));
        if self.hex.statements[atom as usize].clauses.iter().any(has_max) {
            return false;
        }
        let pattern = &self.hex.patterns[self.hex.statements[atom as usize].pattern.index()];
        let from: usize = match (&pattern.start, instance) {
            (Start::Root(name), None) => {
                if !self.references.iter().any(|r| r.holder.is_none() && r.root == *name) {
                    return false;
                }
                0
            }
            (Start::Scope(_), Some(node)) if !pattern.automaton.accepts(START) => self.nodes[node].path.len(),
            _ => return false,
        };
        let below = |number: &usize| match instance {
            Some(above) => self.is_below(*number, above),
            None => matches!(&pattern.start, Start::Root(name) if *name == self.nodes[*number].root),
        };
        (0..self.nodes.len()).filter(below).all(|number| {
            let node = &self.nodes[number];
            // What hangs from an inner object of the scope's class, for sure, is about that one.
            let inner = |between: usize| match (&pattern.start, instance) {
                (Start::Scope(scope), Some(above)) => {
                    let class = self.hex.scopes[scope.index()].class;
                    between != above
                        && self.is_below(between, above)
                        && self.program.is_subclass(self.nodes[between].declared, class)
                }
                _ => false,
            };
            if self.is_hidden(number, &inner) {
                return true;
            }
            (0..).map(FieldId).zip(&self.program.fields).all(|(field, info)| {
                if !info.ty.is_ref() || !self.program.related(info.class, node.declared) {
                    return true;
                }
                let path = node.path[from..].iter().copied().chain([Selector::Field(field)]);
                let state = path.fold(START, |state, selector| pattern.automaton.step(state, selector));
                state == DEAD || self.references.iter().any(|r| r.holder == Some(number) && r.field == Some(field))
            })
        })
    }

    fn is_hidden(&self, node: usize, inner: &dyn Fn(usize) -> bool) -> bool {
        inner(node) || self.nodes[node].parent.is_some_and(|parent| self.is_hidden(parent, inner))
    }
}

fn satisfied(prop: &Prop, truth: &dyn Fn(usize) -> bool) -> bool {
    match prop {
        Prop::Literal(Literal::MayHold(atom)) => truth(*atom as usize),
        Prop::Literal(Literal::MayFail(atom)) => !truth(*atom as usize),
        Prop::And(list) => list.iter().all(|prop| satisfied(prop, truth)),
        Prop::Or(list) => list.iter().any(|prop| satisfied(prop, truth)),
    }
}

/// Actions.
impl Oracle<'_> {
    /// Whether all assumptions hold for some small values of the ghost fields that may be chosen.
    fn actions_hold(&self) -> bool {
        const SMALL: usize = 8;
        let chosen = |node: &Node| self.hex.ghosts.iter().filter(|g| self.is_chosen(node, g)).count();
        let mut choices = vec![0; self.nodes.iter().map(chosen).sum()];
        assert!(choices.len() <= 4, "too many ghost fields to try");
        loop {
            if self.run_actions(&choices) {
                return true;
            }
            let Some(next) = choices.iter().position(|choice| *choice + 1 < SMALL) else { return false };
            choices[..next].fill(0);
            choices[next] += 1;
        }
    }

    fn is_chosen(&self, node: &Node, ghost: &Ghost) -> bool {
        ghost.initial == GhostValue::Fresh && self.program.related(ghost.class, node.declared)
    }

    fn run_actions(&self, choices: &[usize]) -> bool {
        let mut ghosts: Vec<Vec<Value>> = Vec::new();
        let mut choices = choices.iter().copied();
        for node in 0..self.nodes.len() {
            ghosts.push(Vec::new());
            for ghost in &self.hex.ghosts {
                let value = match ghost.initial {
                    GhostValue::Int(value) => Value::Num(Num::Finite(value as i128)),
                    GhostValue::Bool(value) => Value::Bool(value),
                    GhostValue::MinusInfinity => Value::Num(Num::Low),
                    GhostValue::PlusInfinity => Value::Num(Num::High),
                    GhostValue::Fresh => {
                        let is_chosen = self.is_chosen(&self.nodes[node], ghost);
                        let choice = if is_chosen { choices.next().expect("one for each") } else { 0 };
                        match ghost.ty {
                            Type::Bool => Value::Bool(choice % 2 == 1),
                            _ => Value::Num(Num::Finite(choice as i128)),
                        }
                    }
                    _ => unreachable!("the generator makes no collections"),
                };
                ghosts[node].push(value);
            }
        }
        for reference in &self.references {
            for (number, scoped) in self.matching(reference) {
                for event in self.hex.statements[number].events.iter().filter(|e| e.when == reference.kind) {
                    // Methods were executed when the reference was visited.
                    let Companion::Actions(actions) = &event.companion else { continue };
                    for action in actions {
                        if !self.act(reference, scoped, action, &mut ghosts) {
                            return false;
                        }
                    }
                }
            }
        }
        true
    }

    fn act(&self, reference: &Reference, scoped: Scoped, action: &Action, ghosts: &mut [Vec<Value>]) -> bool {
        match action {
            Action::Assume(condition) => match self.eval(reference, scoped, condition, ghosts) {
                Some(Value::Bool(holds)) => holds,
                Some(other) => panic!("{other:?} is no condition"),
                None => true,
            },
            Action::Insert { .. } => unreachable!("the generator makes no sets"),
            Action::Set { object, ghosts: names, op, value } => {
                let value = self.eval(reference, scoped, value, ghosts);
                let object = self.object(reference, scoped, *object).filter(|o| self.is_known(reference, *o));
                if let (Some(value), Some(node)) = (value, object)
                    && let Some(ghost) = self.ghost(node, names)
                {
                    let cell = &mut ghosts[node][ghost];
                    *cell = match (op, *cell, value) {
                        (SetOp::Assign, _, value) => value,
                        (SetOp::Add, Value::Num(old), Value::Num(value)) => Value::Num(add(old, value, false)),
                        (SetOp::Subtract, Value::Num(old), Value::Num(value)) => Value::Num(add(old, value, true)),
                        other => panic!("{other:?}"),
                    };
                }
                true
            }
        }
    }

    /// Whether a node was there when the reference was visited, or is what it expanded to.
    fn is_known(&self, reference: &Reference, node: usize) -> bool {
        node < reference.known || reference.it == Some(node)
    }

    fn ghost(&self, node: usize, names: &[GhostId]) -> Option<usize> {
        let has = |id: &&GhostId| self.program.related(self.hex.ghosts[id.index()].class, self.nodes[node].declared);
        names.iter().find(has).map(|id| id.index())
    }

    /// `None`: it speaks of an object, or a field, that is not there.
    fn eval(&self, reference: &Reference, scoped: Scoped, expr: &Expr, ghosts: &[Vec<Value>]) -> Option<Value> {
        let eval = |expr: &Expr| self.eval(reference, scoped, expr, ghosts);
        Some(match expr {
            Expr::Int(value) => Value::Num(Num::Finite(*value as i128)),
            Expr::Bool(value) => Value::Bool(*value),
            Expr::Index => unreachable!("the tiny languages have no arrays"),
            Expr::Infinity { positive } => Value::Num(if *positive { Num::High } else { Num::Low }),
            Expr::Initial { object, fields } => {
                let node = &self.nodes[self.object(reference, scoped, *object)?];
                let has = |f: &&FieldId| self.program.is_subclass(node.class, self.program.field(**f).class);
                let field = fields.iter().find(has)?;
                let given = self.heap.objects[node.object].fields.iter().find(|(f, _)| f == field);
                match given.map_or_else(|| Concrete::default_of(self.program.field(*field).ty), |(_, value)| *value) {
                    Concrete::Int(value) => Value::Num(Num::Finite(value)),
                    Concrete::Bool(value) => Value::Bool(value),
                    other => panic!("{other:?} has no value"),
                }
            }
            Expr::Ghost { object, ghosts: names } => {
                let node = self.object(reference, scoped, *object)?;
                ghosts[node][self.ghost(node, names)?]
            }
            Expr::Not(inner) => Value::Bool(!truth(eval(inner)?)),
            Expr::If(condition, then, otherwise) => {
                let (then, otherwise) = (eval(then), eval(otherwise));
                // What one side speaks of must be there even where the other is taken.
                let (then, otherwise) = (then?, otherwise?);
                if truth(eval(condition)?) { then } else { otherwise }
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (eval(a)?, eval(b)?);
                match op {
                    Op::Add => Value::Num(add(number(a), number(b), false)),
                    Op::Subtract => Value::Num(add(number(a), number(b), true)),
                    Op::Less => Value::Bool(number(a) < number(b)),
                    Op::LessEqual => Value::Bool(number(a) <= number(b)),
                    Op::EqualInt => Value::Bool(number(a) == number(b)),
                    Op::EqualBool => Value::Bool(truth(a) == truth(b)),
                    Op::And => Value::Bool(truth(a) && truth(b)),
                    Op::Or => Value::Bool(truth(a) || truth(b)),
                    Op::Remainder | Op::BitAnd | Op::BitXor | Op::ShiftRight => {
                        unreachable!("numbers of the tiny languages have no bits")
                    }
                }
            }
        })
    }
}

fn truth(value: Value) -> bool {
    match value {
        Value::Bool(value) => value,
        other => panic!("{other:?} is no truth value"),
    }
}

fn number(value: Value) -> Num {
    match value {
        Value::Num(value) => value,
        other => panic!("{other:?} is no number"),
    }
}

/// Infinity wins, and of two infinities the first.
fn add(a: Num, b: Num, negated: bool) -> Num {
    match (a, b) {
        (Num::Low | Num::High, _) => a,
        (_, Num::Low) => {
            if negated {
                Num::High
            } else {
                Num::Low
            }
        }
        (_, Num::High) => {
            if negated {
                Num::Low
            } else {
                Num::High
            }
        }
        (Num::Finite(a), Num::Finite(b)) => Num::Finite(if negated { a - b } else { a + b }),
    }
}
