//! Formulas over atoms: which atoms are violated so far, which are settled, and the clause that follows.
//!
//! An atom of a formula excludes nothing by itself. Where an assumption breaks it, its bit is set: a constant where the model
//! enumerates, a guarded term where it does not. A bit is never taken back. An atom that occurs negated is watched too: it is settled
//! when every reference that could break it has been assumed. A formula is evaluated anew when a bit of it changes; files without
//! formulas pay nothing. In a scope every object has bits of its own.

use crate::hex::automaton::{DEAD, Selector};
use crate::hex::{Clause, Formula, Hex, Literal, Prop, Start, Statement, Target};
use lazuli_logic::Term;
use lazuli_program::ir::{ClassId, FieldId, Type};

use super::Evaluator;
use super::admit::{Owner, Reference};
use super::alternatives::{Alternatives, Verdicts};
use super::backbone::Backbone;
use super::origin::OriginId;
use super::spot::{Matched, Scoped, Spot, is_meant};
use lazuli_engine::context::Context;

/// The object that a formula is about, as a node and a place; `None` outside of scopes.
pub(super) type Instance = Option<(u32, u32)>;

/// What is known of the atoms of all formulas.
#[derive(Clone, Default, Debug)]
pub(super) struct Atoms {
    bits: Vec<Bit>,
    open: Vec<Open>,
    /// Atoms whose paths begin at an input that has been assumed, with the guard.
    begun: Vec<(u32, Term)>,
}

#[derive(Clone, Copy, Debug)]
struct Bit {
    statement: u32,
    instance: Instance,
    violated: Term,
}

/// A reference that could break an atom, or lead to one that could.
#[derive(Clone, Copy, Debug)]
struct Open {
    statement: u32,
    instance: Instance,
    holder: (u32, u32),
    origin: OriginId,
    /// Where it does not exist or has been assumed.
    closed: Term,
}

/// The formulas about which something has changed.
type Touched = Vec<(u32, Instance)>;

/// An assumption about a reference.
pub(super) struct Assumption<'a> {
    pub reference: &'a Reference<'a>,
    pub spots: &'a [Spot],
    pub matched: &'a [Vec<Matched>],
    pub alternatives: &'a Alternatives,
    pub real: Term,
}

impl Backbone {
    /// Sets the bits of the atoms that an assumption breaks. To be asked before a fresh object is entered.
    pub(super) fn violate(&mut self, cx: &mut Context, hex: &Hex, assumption: &Assumption) -> Touched {
        let mut touched = Touched::new();
        let Assumption { spots, matched, alternatives, .. } = *assumption;
        for (number, (spot, matched)) in (0..).zip(spots.iter().zip(matched)) {
            for matched in matched {
                let Some(formula) = hex.statements[matched.statement as usize].formula else { continue };
                let verdicts = self.of_statement(cx, hex, assumption.reference, spot, matched, alternatives);
                let fresh = (self.len(), number);
                for (instance, violated) in self.violations(cx, spot, matched, alternatives, &verdicts, fresh) {
                    self.set(cx, matched.statement, instance, violated);
                    touch(&mut touched, formula, instance);
                }
            }
            if alternatives.fresh == Term::FALSE {
                continue;
            }
            for (statement, instance, lost) in self.lost_targets(cx, hex, spot) {
                let violated = cx.terms.all([spot.guard, alternatives.fresh, lost]);
                if violated != Term::FALSE {
                    self.set(cx, statement, instance, violated);
                    touch(&mut touched, hex.statements[statement as usize].formula.expect("an atom"), instance);
                }
            }
        }
        touched
    }

    /// Where an atom is broken at a spot, by the object that it is about.
    fn violations(
        &self,
        cx: &mut Context,
        spot: &Spot,
        matched: &Matched,
        alternatives: &Alternatives,
        verdicts: &Verdicts,
        fresh: (u32, u32),
    ) -> Vec<(Instance, Term)> {
        let mut found = Vec::new();
        let mut add = |cx: &mut Context, instance: Instance, guard: Term, alternative: Term, holds: Term| {
            let fails = cx.terms.not(holds);
            let violated = cx.terms.all([spot.guard, guard, alternative, fails]);
            if violated != Term::FALSE {
                found.push((instance, violated));
            }
        };
        let about = match matched.scope {
            Scoped::Nothing => Some(None),
            Scoped::Object(object) => Some(Some(object)),
            Scoped::Itself { .. } => None,
        };
        // null is no object that a formula could be about.
        if let Some(instance) = about {
            add(cx, instance, Term::TRUE, alternatives.null, verdicts.null);
        }
        add(cx, about.unwrap_or(Some(fresh)), Term::TRUE, alternatives.fresh, verdicts.fresh);
        for (&(alias, node), &holds) in alternatives.aliases.iter().zip(&verdicts.aliases) {
            match about {
                Some(instance) => add(cx, instance, Term::TRUE, alias, holds),
                None => {
                    for (place, guard) in self.places_of(node) {
                        add(cx, Some((node, place)), guard, alias, holds);
                    }
                }
            }
        }
        found
    }

    /// The places of a node with their guards; a single one needs none.
    pub(super) fn places_of(&self, node: u32) -> Vec<(u32, Term)> {
        let places = &self.node(node).places;
        let guard = |place: &super::backbone::Place| if places.len() > 1 { place.guard } else { Term::TRUE };
        (0..).zip(places.iter().map(guard)).collect()
    }

    fn set(&mut self, cx: &mut Context, statement: u32, instance: Instance, violated: Term) {
        let bits = &mut self.inner().atoms.bits;
        match bits.iter_mut().find(|bit| bit.statement == statement && bit.instance == instance) {
            Some(bit) => bit.violated = cx.terms.or(bit.violated, violated),
            None => bits.push(Bit { statement, instance, violated }),
        }
    }

    fn violated(&self, statement: u32, instance: Instance) -> Term {
        let bits = &self.shared.atoms.bits;
        let bit = bits.iter().find(|bit| bit.statement == statement && bit.instance == instance);
        bit.map_or(Term::FALSE, |bit| bit.violated)
    }

    /// Watches the references below an assumption, and gives the clause of the formulas that it has changed.
    pub(super) fn formulas(
        &mut self,
        cx: &mut Context,
        hex: &Hex,
        assumption: &Assumption,
        fresh: Option<u32>,
        mut touched: Touched,
    ) -> Term {
        for (number, formula) in (0..).zip(&hex.formulas) {
            for &statement in &formula.negated {
                for spot in assumption.spots {
                    self.close(cx, hex, assumption, spot, (number, statement), &mut touched);
                }
                for (place, spot) in
                    fresh.into_iter().flat_map(|node| (0..).map(move |p| (node, p)).zip(assumption.spots))
                {
                    self.watch(cx, hex, spot, statement, place);
                    if formula.scope.is_some() {
                        touch(&mut touched, number, Some(place));
                    }
                }
            }
        }
        self.clause_of(cx, hex, touched)
    }

    /// Sets the bits of atoms outside of scopes that an alias breaks, whatever it is an alias of, and gives the clause that follows.
    pub fn violate_by_alias(&mut self, cx: &mut Context, hex: &Hex, atoms: &[u32]) -> Term {
        let mut touched = Touched::new();
        for &atom in atoms {
            self.set(cx, atom, None, Term::TRUE);
            touch(&mut touched, hex.statements[atom as usize].formula.expect("an atom"), None);
        }
        self.clause_of(cx, hex, touched)
    }

    /// What follows for the formulas about which something has changed.
    fn clause_of(&self, cx: &mut Context, hex: &Hex, touched: Touched) -> Term {
        let mut clause = Term::TRUE;
        for (number, instance) in touched {
            let formula = &hex.formulas[number as usize];
            let about = self.is_about(cx, hex, formula, instance);
            if about != Term::FALSE {
                let possible = self.evaluate(cx, hex, formula, &formula.possible, instance, None);
                let holds = cx.terms.implies(about, possible);
                clause = cx.terms.and(clause, holds);
            }
        }
        clause
    }

    /// A reference that was watched has been assumed.
    fn close(
        &mut self,
        cx: &mut Context,
        hex: &Hex,
        assumption: &Assumption,
        spot: &Spot,
        (formula, statement): (u32, u32),
        touched: &mut Touched,
    ) {
        let guard = cx.terms.and(spot.guard, assumption.real);
        let Some(holder) = spot.parent else {
            let pattern = hex.statements[statement as usize].pattern;
            let starts = matches!((&hex.patterns[pattern.index()].start, &assumption.reference.owner),
                (Start::Root(root), Owner::Input(name)) if root == name);
            if starts {
                let begun = &mut self.inner().atoms.begun;
                match begun.iter_mut().find(|(known, _)| *known == statement) {
                    Some((_, known)) => *known = cx.terms.or(*known, guard),
                    None => begun.push((statement, guard)),
                }
                touch(touched, formula, None);
            }
            return;
        };
        let is_it = |open: &Open| open.statement == statement && open.holder == holder && open.origin == spot.origin;
        if !self.shared.atoms.open.iter().any(is_it) {
            return;
        }
        let open = &mut self.inner().atoms.open;
        for open in open.iter_mut().filter(|open| is_it(open)) {
            open.closed = cx.terms.or(open.closed, guard);
            touch(touched, formula, open.instance);
        }
        open.retain(|open| open.closed != Term::TRUE);
    }

    /// Watches the references of an object that was just entered at a place.
    fn watch(&mut self, cx: &mut Context, hex: &Hex, spot: &Spot, statement: u32, place: (u32, u32)) {
        let program = cx.program;
        let pattern = hex.statements[statement as usize].pattern;
        let class = self.node(place.0).class;
        let exists = self.place(place).guard;
        let closed = cx.terms.not(exists);
        let mut found = Vec::new();
        let mut add = |backbone: &Backbone, cx: &mut Context, child: OriginId, origin: OriginId| {
            let runs = cx.origins().alive(child, pattern);
            for depth in runs {
                let instance = depth.map(|depth| {
                    let above = cx.origins().depth(child) - 1 - depth;
                    backbone.ancestor(place, above).expect("the backbone reaches to the input")
                });
                found.push(Open { statement, instance, holder: place, origin, closed });
            }
        };
        // Whatever class the object has of those that it may have.
        let symbol = cx.terms.as_symbol(self.node(place.0).symbol).expect("a reference is a symbol");
        let classes = cx.terms.symbol_info(symbol).classes.clone();
        let mut fields: Vec<FieldId> = Vec::new();
        for class in classes.iter().flat_map(|&(low, high)| low..=high) {
            fields.extend(&program.class(ClassId(class)).layout);
        }
        fields.sort_unstable();
        fields.dedup();
        for field in fields {
            if let Type::Ref(of) = program.field(field).ty {
                let child = cx.origins().step(program, spot.origin, Selector::Field(field), of);
                add(self, cx, child, child);
            }
        }
        // How many elements an array has is not known: it is never settled.
        let element = cx.origins().step(program, spot.origin, Selector::Index(u32::MAX), class);
        add(self, cx, element, spot.origin);
        if !found.is_empty() {
            self.inner().atoms.open.extend(found);
        }
    }

    /// Where no reference can break an atom any more.
    fn settled(&self, cx: &mut Context, hex: &Hex, statement: u32, instance: Instance) -> Term {
        let Statement { pattern, clauses, .. } = &hex.statements[statement as usize];
        let pattern = &hex.patterns[pattern.index()];
        let atoms = &self.shared.atoms;
        // What is the longest path now may be extended later, wherever that is.
        let is_max = |target: &Target| matches!(target, Target::Path { max: true, .. });
        if clauses.iter().any(|clause| matches!(clause, Clause::Aliases(targets) if targets.iter().any(is_max))) {
            return Term::FALSE;
        }
        let mut settled = match &pattern.start {
            // Another input, or another reference to the object itself, is always possible.
            Start::AnyRoot => return Term::FALSE,
            Start::Scope(_) if pattern.automaton.accepts(crate::hex::automaton::START) => return Term::FALSE,
            Start::Scope(_) => Term::TRUE,
            Start::Root(_) => {
                atoms.begun.iter().find(|(s, _)| *s == statement).map_or(Term::FALSE, |(_, guard)| *guard)
            }
        };
        for open in atoms.open.iter().filter(|open| open.statement == statement && open.instance == instance) {
            settled = cx.terms.and(settled, open.closed);
        }
        settled
    }

    /// Where there is an object of the scope's class at a place.
    fn is_about(&self, cx: &mut Context, hex: &Hex, formula: &Formula, instance: Instance) -> Term {
        let (Some(scope), Some(at)) = (formula.scope, instance) else { return Term::TRUE };
        let is = is_meant(cx, self.node(at.0).symbol, &hex.scopes[scope.index()]);
        let exists = self.place(at).guard;
        cx.terms.and(exists, is)
    }

    /// What a formula says, of a partial heap or of one that is complete but for the atoms that are marked.
    fn evaluate(
        &self,
        cx: &mut Context,
        hex: &Hex,
        formula: &Formula,
        prop: &Prop,
        instance: Instance,
        complete: Option<&[bool]>,
    ) -> Term {
        match prop {
            Prop::Literal(Literal::MayHold(atom)) => {
                let violated = self.violated(formula.atoms[*atom as usize], instance);
                cx.terms.not(violated)
            }
            Prop::Literal(Literal::MayFail(atom)) => {
                let statement = formula.atoms[*atom as usize];
                let violated = self.violated(statement, instance);
                match complete {
                    Some(absent) if absent[statement as usize] => return Term::TRUE,
                    Some(_) => return violated,
                    None => {}
                }
                let settled = self.settled(cx, hex, statement, instance);
                let open = cx.terms.not(settled);
                cx.terms.or(violated, open)
            }
            Prop::And(list) => {
                let each: Vec<Term> =
                    list.iter().map(|prop| self.evaluate(cx, hex, formula, prop, instance, complete)).collect();
                cx.terms.all(each)
            }
            Prop::Or(list) => {
                let each: Vec<Term> =
                    list.iter().map(|prop| self.evaluate(cx, hex, formula, prop, instance, complete)).collect();
                cx.terms.any(each)
            }
        }
    }

    /// What all formulas say of a heap that is complete: an atom that is not violated holds. One that is also about what is `absent`
    /// may be violated there.
    pub fn judge(&self, cx: &mut Context, hex: &Hex, absent: &[bool]) -> Term {
        let mut holds = Term::TRUE;
        for formula in &hex.formulas {
            let instances: Vec<Instance> = match formula.scope {
                None => vec![None],
                Some(_) => (0..self.len())
                    .flat_map(|node| (0..self.node(node).places.len() as u32).map(move |place| Some((node, place))))
                    .collect(),
            };
            for instance in instances {
                let about = self.is_about(cx, hex, formula, instance);
                if about != Term::FALSE {
                    let body = self.evaluate(cx, hex, formula, &formula.body, instance, Some(absent));
                    let clause = cx.terms.implies(about, body);
                    holds = cx.terms.and(holds, clause);
                }
            }
        }
        holds
    }
}

fn touch(touched: &mut Touched, formula: u32, instance: Instance) {
    if !touched.contains(&(formula, instance)) {
        touched.push((formula, instance));
    }
}

impl super::origin::Origins {
    /// The automaton runs of a pattern that are not dead at an origin: at what depth each began, if at the object of a scope.
    fn alive(&self, origin: OriginId, pattern: crate::hex::PatternId) -> Vec<Option<u32>> {
        let states = self.states(origin, pattern);
        match self.hex.patterns[pattern.index()].start {
            Start::Scope(scope) => {
                let runs = self.runs(origin, scope);
                let alive = runs.iter().zip(states.iter()).filter(|(_, state)| **state != DEAD);
                alive.map(|(run, _)| Some(run.depth)).collect()
            }
            _ => states.iter().filter(|state| **state != DEAD).map(|_| None).collect(),
        }
    }
}
