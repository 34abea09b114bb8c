//! The invariants of the input under POSE: an initialisation is a formula, so the statements are clauses, and nothing forks. A reference
//! waits until the program looks at it; where the program's own decision says what it is, the invariants are told just that.

use std::rc::Rc;

use lazuli_logic::{Node as Logic, Symbol, Term};
use lazuli_program::hex::When;
use lazuli_program::hex::automaton::Selector;
use lazuli_program::ir::{ClassId, FieldId};

use super::told::Sameness;
use super::{Heap, Write};
use crate::context::{Context, Standing};
use crate::heap::{Cases, Found};
use crate::hex::{Backbone, Evaluator, InitialHeap, Node, Owner, Reference, Seen, Side};

/// Whether it is known here that a reference is not null.
fn is_sure(cx: &mut Context, non_null: Term) -> bool {
    let is_known = |cx: &mut Context| cx.path.entails(&cx.terms, non_null) || cx.under_path(non_null) == Term::TRUE;
    non_null == Term::TRUE || cx.invariant.is_some() && is_known(cx)
}

/// What the program learns of a reference that was loaded.
#[derive(Clone, Copy)]
pub struct Look {
    symbol: Symbol,
    seen: Seen,
}

/// Two cases say whether a reference is another one.
struct Comparison {
    /// The invariants have not been asked about it.
    symbol: Symbol,
    other: Term,
    /// Whether they have been about the other one.
    is_asked: bool,
    /// The number of the case where they are equal.
    equal: usize,
}

impl Heap {
    /// Whether the invariants have nothing more to say of a reference.
    pub(super) fn is_asked(&self, cx: &mut Context, value: Term) -> bool {
        let is_asked = |cx: &Context, leaf: Term| cx.terms.as_symbol(leaf).is_none() || self.backbone.is_loaded(leaf);
        match cx.terms.node(value) {
            _ if cx.invariant.is_none() => false,
            Some(Logic::Ite(..)) => cx.terms.leaves(value).iter().all(|(leaf, _)| is_asked(cx, *leaf)),
            _ => is_asked(cx, value),
        }
    }

    /// A reference that is one symbol is remembered instead of asking about it at once. Mostly the next thing that the program does is
    /// to look at it; then the path decides what it is, and what the invariants say of that is a few literals instead of a formula over all that it
    /// may be. The order in which they are asked stays that of the loads. One that was loaded before, under a guard, does not wait: it is asked
    /// about elsewhere only.
    pub(super) fn can_wait(&mut self, cx: &Context, value: Term) -> bool {
        let Some(symbol) = cx.terms.as_symbol(value) else { return false };
        let waits = self.is_new(cx, value);
        if waits && !self.unasked.contains(&symbol) {
            self.unasked.push(symbol);
        }
        waits
    }

    /// Whether the invariants have never been asked about a symbol, under whatever guard, and can wait. A method that they call cannot: it
    /// would see what the program has written in the meantime.
    fn is_new(&self, cx: &Context, symbol: Term) -> bool {
        let waits = cx.invariant.is_some() && !cx.known_origins().calls_methods;
        waits && !self.backbone.was_loaded(symbol)
    }

    /// A reference of which the invariants leave just one alternative is known as soon as it is read.
    pub(super) fn is_forced(&self, cx: &mut Context, value: Term, cases: &mut Cases<Write>) -> bool {
        let Some(symbol) = cx.terms.as_symbol(value) else { return false };
        let no_clause = [cases.loaded, cases.definition, cases.fact] == [Term::TRUE; 3];
        if !no_clause || !self.unasked.is_empty() || !self.is_new(cx, value) {
            return false;
        }
        let standing = cx.standing(symbol);
        let reference = self.reference_of(cx, symbol, &standing, Term::TRUE);
        let Some(seen) = self.backbone.forced(cx, &reference) else { return false };
        let known = match seen {
            Seen::Is { when: When::Null, .. } => Term::NULL,
            Seen::Is { node: Some(node), .. } => self.backbone.node(node).symbol,
            _ => value,
        };
        cases.push(Term::TRUE, false, Some(Write::Look(Look { symbol, seen })), Found::Value(known));
        true
    }

    /// The clause for the holder of a field, and where it is not null. Where it may be null, what is in the field is not loaded for sure, but
    /// what was loaded before is: the invariants are asked about that first.
    pub(super) fn holder_bound(&mut self, cx: &mut Context, object: Term, bound: Term) -> (Term, Term) {
        let non_null = self.non_null(cx, object);
        if is_sure(cx, non_null) {
            self.backbone.found(object);
            return (bound, Term::TRUE);
        }
        let before = self.ask(cx);
        (cx.terms.and(bound, before), non_null)
    }

    /// The clause for a reference that goes into or comes out of a field, where the holder is not null.
    pub(super) fn field_bound(&mut self, cx: &mut Context, field: FieldId, value: Term, non_null: Term) -> Term {
        if !cx.program.field(field).ty.is_ref() {
            return Term::TRUE;
        }
        let is_sure = is_sure(cx, non_null);
        let succeeds = if is_sure || !cx.program.semantics.catches_failures() { Term::TRUE } else { non_null };
        self.bound_where(cx, value, is_sure, succeeds)
    }

    /// Whether it is decided first that the holder of a reference is not null: where the access fails nothing is loaded, and what the
    /// invariants keep of it must not stay if the failure is caught.
    pub(super) fn is_checked_first(&self, cx: &mut Context, object: Term, field: FieldId, non_null: Term) -> bool {
        let is_ref = cx.program.field(field).ty.is_ref();
        let is_kept = is_ref && cx.invariant.is_some() && cx.program.semantics.catches_failures();
        is_kept && cx.terms.as_symbol(object).is_some() && !is_sure(cx, non_null)
    }

    /// An instruction looks at a reference: if the invariants have not been asked about it, it is decided first whether it is null.
    pub(super) fn looks_at(&self, cx: &mut Context, object: Term, cases: &mut Cases<Write>) -> bool {
        let Some(symbol) = cx.terms.as_symbol(object).filter(|symbol| self.unasked.contains(symbol)) else {
            return false;
        };
        let null = cx.terms.eq(object, Term::NULL);
        let non_null = cx.terms.not(null);
        cases.push(non_null, false, None, None);
        cases.push(null, false, None, None);
        let [is, is_not] = self.sides(cx, symbol, None);
        self.tell_cases(symbol, [is_not, is], cases);
        true
    }

    /// What a reference is if it is null, or a node, and if it is not.
    fn sides(&self, cx: &mut Context, symbol: Symbol, other: Option<u32>) -> [Side; 2] {
        // Those that were loaded before it may still become nodes.
        if self.unasked.first() != Some(&symbol) {
            return Side::either(other);
        }
        let standing = cx.standing(symbol);
        let reference = self.reference_of(cx, symbol, &standing, Term::TRUE);
        self.backbone.sides(cx, &reference, other)
    }

    /// Both cases tell the invariants what the reference is, if they say that much; one that they exclude is none.
    fn tell_cases(&self, symbol: Symbol, sides: [Side; 2], cases: &mut Cases<Write>) {
        let mut sides = sides.into_iter();
        cases.list.retain_mut(|case| match sides.next() {
            Some(Side::Seen(seen)) => {
                case.asks(Write::Look(Look { symbol, seen }));
                true
            }
            Some(Side::Open) => true,
            Some(Side::Excluded) | None => false,
        });
        match cases.list.as_mut_slice() {
            [] => cases.impossible(),
            // If it is still open what the reference is, the statements will exclude the other case when they are asked.
            [only] => (only.guard, only.counted) = (Term::TRUE, false),
            _ => {}
        }
    }

    /// See [`crate::heap::HeapModel::look_first`].
    pub(super) fn look_first(&mut self, cx: &mut Context, cases: &mut Cases<Write>) {
        let asks = |change: &Option<Write>| matches!(change, Some(Write::Look(_) | Write::Ask));
        if self.unasked.is_empty() || cases.list.iter().any(|case| asks(&case.change)) {
            return;
        }
        if let Some(comparison) = self.comparison(cx, cases) {
            return self.compare(cx, comparison, cases);
        }
        let clause = self.ask(cx);
        if clause != Term::TRUE {
            cases.clear();
            cases.exhaustive = false;
            cases.push(cx.under_path(clause), false, None, None);
        }
    }

    /// The references that two cases compare, if they do just that: one about which the invariants have not been asked, and the other.
    fn comparison(&self, cx: &mut Context, cases: &Cases<Write>) -> Option<Comparison> {
        let [first, second] = cases.list.as_slice() else { return None };
        if cx.terms.not(first.guard) != second.guard {
            return None;
        }
        let (atom, equal) = match *cx.terms.node(first.guard)? {
            Logic::Not(atom) => (atom, 1),
            _ => (first.guard, 0),
        };
        let Logic::Eq(a, b) = *cx.terms.node(atom)? else { return None };
        let unasked = |term: Term| cx.terms.as_symbol(term).filter(|symbol| self.unasked.contains(symbol));
        match (unasked(a), unasked(b)) {
            (Some(symbol), other) => Some(Comparison { symbol, other: b, is_asked: other.is_none(), equal }),
            (None, Some(symbol)) => Some(Comparison { symbol, other: a, is_asked: true, equal }),
            (None, None) => None,
        }
    }

    /// Where a reference is compared with null or a certain object, the path decides what it is. Where the other one is not known
    /// either, the invariants are asked if they are equal, for that is seldom valid, and wait on if they are not.
    fn compare(&mut self, cx: &mut Context, comparison: Comparison, cases: &mut Cases<Write>) {
        let Comparison { symbol, other, is_asked, equal } = comparison;
        let node = self.backbone.sole_object(cx, other);
        if is_asked && (other.is_null() || node.is_some()) {
            let mut sides = self.sides(cx, symbol, node);
            sides.rotate_left(equal);
            return self.tell_cases(symbol, sides, cases);
        }
        cases.list[equal].asks(Write::Ask);
    }

    /// Tells the invariants what a reference is, and asks about those that were loaded before it.
    pub(super) fn look(&mut self, cx: &mut Context, look: Look) -> Term {
        let mut before = Term::TRUE;
        if let Some(at) = self.unasked.iter().position(|symbol| *symbol == look.symbol) {
            let later = self.unasked.split_off(at + 1);
            self.unasked.pop();
            before = self.ask(cx);
            self.unasked = later;
        }
        let symbol = cx.terms.symbol_info(look.symbol).term;
        let other = |node: Option<u32>| node.map_or(Term::NULL, |node| self.backbone.node(node).symbol);
        let literal = match look.seen {
            Seen::Is { when: When::Expand, .. } => cx.terms.is_own(symbol),
            Seen::Is { node, .. } => cx.terms.eq(symbol, other(node)),
            Seen::NotNull => cx.terms.ne(symbol, Term::NULL),
        };
        let valid = self.enter(cx, look.symbol, Term::TRUE, Some(look));
        cx.terms.all([literal, before, valid])
    }

    /// Asks about all that were loaded: the clause that the invariants put on them.
    pub(super) fn ask(&mut self, cx: &mut Context) -> Term {
        let mut clause = Term::TRUE;
        for symbol in std::mem::take(&mut self.unasked) {
            let valid = self.enter(cx, symbol, Term::TRUE, None);
            clause = cx.terms.and(clause, valid);
        }
        clause
    }
}

impl Heap {
    /// A symbol is loaded under `guard`: the clause that the invariants put on it there.
    pub(super) fn valid(&mut self, cx: &mut Context, symbol: Symbol, guard: Term, look: Option<Look>) -> Term {
        let term = cx.terms.symbol_info(symbol).term;
        if self.backbone.is_loaded(term) {
            return Term::TRUE;
        }
        let standing = cx.standing(symbol);
        let reference = self.reference_of(cx, symbol, &standing, guard);
        let mut backbone = std::mem::take(&mut self.backbone);
        let clause = match look {
            Some(look) => backbone.tell(cx, self, reference, look.seen),
            None => backbone.load(cx, self, reference, guard),
        };
        self.backbone = backbone;
        clause
    }

    fn reference_of<'a>(&self, cx: &mut Context, symbol: Symbol, standing: &'a Standing, guard: Term) -> Reference<'a> {
        let owner = match standing {
            Standing::Input(name) => Owner::Input(name),
            Standing::Field(holder, field) => {
                let (holder, selector) = (cx.terms.symbol_info(*holder).term, Selector::Field(*field));
                match self.backbone.named_by(holder) {
                    Some(node) => Owner::Node { node, selector },
                    None => Owner::Field { objects: self.backbone.denoted(cx, holder, guard), selector },
                }
            }
            Standing::Element(array, index) => {
                let array = cx.terms.symbol_info(*array).term;
                let objects = self.backbone.denoted(cx, array, guard);
                Owner::Element { objects, index: *index }
            }
        };
        let (term, class) = (cx.terms.symbol_info(symbol).term, cx.declared_class(symbol));
        // As many objects as there may be: it is none of its own.
        let is_full = self.bound.is_full(cx, ClassId(cx.terms.symbol_info(symbol).classes[0].0));
        let handle = if is_full { Reference::NO_OBJECT } else { symbol.0 };
        Reference { symbol: term, class, owner, handle }
    }

    /// The receiver of the entry is an object of its own.
    pub(super) fn valid_receiver(&mut self, cx: &mut Context, symbol: Symbol) -> Term {
        let (term, class) = (cx.terms.symbol_info(symbol).term, cx.declared_class(symbol));
        let Standing::Input(name) = cx.standing(symbol) else { unreachable!("a receiver is an input") };
        let reference = Reference { symbol: term, class, owner: Owner::Input(&name), handle: symbol.0 };
        let mut backbone = std::mem::take(&mut self.backbone);
        let clause = backbone.receive(cx, self, reference);
        self.backbone = backbone;
        clause
    }
}

impl InitialHeap for Heap {
    /// The value that the field was named with first, through whichever symbol.
    fn initial(
        &mut self,
        cx: &mut Context,
        backbone: &Backbone,
        node: &Node,
        field: FieldId,
        facts: &mut Term,
    ) -> Term {
        let holder = cx.terms.as_symbol(node.symbol).expect("a node is a symbol");
        let own = |h: Symbol, f: FieldId| (h, f) == (holder, field);
        if !self.initial.iter().any(|(h, f, _)| own(*h, *f)) {
            // What the program wrote without looking stays in the column; only the name is new.
            let name = cx.field_symbol(holder, field);
            match self.value(cx, field, node.symbol) {
                None => {
                    let mut cases = crate::heap::Cases::default();
                    self.refine(cx, backbone, node.symbol, field, &mut cases);
                    *facts = cx.terms.and(*facts, cases.fact);
                }
                Some(_) => {
                    let name = crate::java::given_field(cx, name, field, facts).unwrap_or(name);
                    Rc::make_mut(&mut self.initial).push((holder, field, name));
                }
            }
        }
        let at = self.initial.iter().position(|(h, f, _)| own(*h, *f)).expect("it has a name");
        let mut value = self.initial[at].2;
        let sameness = Sameness::new(backbone, &self.names, node.symbol);
        for &(h, _, name) in self.initial[..at].iter().rev().filter(|(_, f, _)| *f == field) {
            let other = cx.terms.symbol_info(h).term;
            value = match sameness.with(cx, other) {
                Term::FALSE => value,
                same => cx.terms.ite(same, name, value),
            };
        }
        value
    }

    fn reference(&self, node: &Node) -> Term {
        node.symbol
    }
}
