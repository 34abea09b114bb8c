//! Asking as late as one can, under the models in which a reference is a symbol (POSE). A reference that was loaded
//! waits until the program looks at it: mostly that is the next thing it does. Then the path decides what it is, and
//! what the statements say of that is a few literals instead of a formula over all that it may be. The order in which
//! they are asked stays that of the loads.

use crate::hex::automaton::Selector;
use lazuli_logic::{Node as Logic, Symbol, Term};

use super::Evaluator;
use super::admit::{Owner, Reference};
use super::backbone::Backbone;
use super::seen::{either, kind};
use lazuli_engine::context::{Context, Decided, InitialHeap, Opinion, Resolution, Side, Standing};
use lazuli_engine::invariant::Calls;
use lazuli_engine::scope::LeftOut;

/// Two cases say whether a reference is another one.
struct Comparison {
    /// It waits.
    symbol: Symbol,
    other: Term,
    /// Whether the other one does not.
    is_asked: bool,
    /// The number of the case where they are equal.
    equal: usize,
}

impl Backbone {
    /// A reference is loaded: it may wait if it is sure to be. Gives what the statements say of it, and of all that
    /// waited, otherwise.
    pub(super) fn meet(
        &mut self,
        cx: &mut Context,
        heap: &mut dyn InitialHeap,
        value: Term,
        is_sure: bool,
        succeeds: Term,
    ) -> Term {
        if self.is_asked(cx, value) || is_sure && self.can_wait(cx, value) {
            return Term::TRUE;
        }
        let mut bounds = self.ask_waiting(cx, heap);
        for &(leaf, guard) in cx.terms.leaves(value).iter() {
            if let Some(symbol) = cx.terms.as_symbol(leaf) {
                let loaded = cx.terms.and(guard, succeeds);
                let bound = self.ask_about(cx, heap, symbol, loaded, None);
                bounds = cx.terms.and(bounds, bound);
            }
        }
        bounds
    }

    /// Whether the statements have nothing more to say of a reference.
    fn is_asked(&self, cx: &mut Context, value: Term) -> bool {
        let is_asked = |cx: &Context, leaf: Term| cx.terms.as_symbol(leaf).is_none() || self.is_loaded(leaf);
        match cx.terms.node(value) {
            Some(Logic::Ite(..)) => cx.terms.leaves(value).iter().all(|(leaf, _)| is_asked(cx, *leaf)),
            _ => is_asked(cx, value),
        }
    }

    /// A reference that is one symbol is remembered instead of asking about it at once. One that was loaded before,
    /// under a guard, does not wait: it is asked about elsewhere only.
    fn can_wait(&mut self, cx: &mut Context, value: Term) -> bool {
        let Some(symbol) = cx.terms.as_symbol(value).filter(|_| !cx.is_closed(value)) else { return false };
        let waits = self.is_new(cx, value);
        if waits && !self.waiting.contains(&symbol) {
            self.waiting.push(symbol);
        }
        waits
    }

    /// Whether the statements have never been asked about a symbol, under whatever guard, and can wait. A method that
    /// they call cannot: it would see what the program has written in the meantime.
    fn is_new(&self, cx: &Context, symbol: Term) -> bool {
        cx.known_origins().calls != Calls::AtOnce && !self.was_loaded(symbol)
    }

    /// Of a reference that the statements leave just one alternative: which one, and its value.
    pub(super) fn force(
        &self,
        cx: &mut Context,
        heap: &dyn InitialHeap,
        value: Term,
    ) -> Option<(Resolution, Opinion, Term)> {
        let symbol = cx.terms.as_symbol(value)?;
        if !self.waiting.is_empty() || !self.is_new(cx, value) || cx.is_closed(value) {
            return None;
        }
        let standing = cx.standing(symbol);
        let reference = self.standing_at(cx, heap, symbol, &standing, Term::TRUE);
        let (what, opinion) = self.only_way(cx, &reference)?;
        let known = match what {
            Resolution::Null => Term::NULL,
            Resolution::Object(node) => self.node(node).symbol,
            Resolution::Existing(location) => Term::location(location),
            Resolution::New | Resolution::NotNull => value,
        };
        Some((what, opinion, known))
    }

    /// What a reference that waits is if it is null, or a node, and if it is not.
    pub(super) fn sides_of(
        &self,
        cx: &mut Context,
        heap: &dyn InitialHeap,
        symbol: Symbol,
        other: Option<u32>,
    ) -> [Side; 2] {
        // Those that were loaded before it may still become nodes.
        if self.waiting.first() != Some(&symbol) {
            return either(other);
        }
        let standing = cx.standing(symbol);
        let reference = self.standing_at(cx, heap, symbol, &standing, Term::TRUE);
        self.sides(cx, &reference, other)
    }

    /// What two guards decide of references that wait.
    pub(super) fn decide(
        &mut self,
        cx: &mut Context,
        heap: &mut dyn InitialHeap,
        guards: Option<[Term; 2]>,
    ) -> Decided {
        if self.waiting.is_empty() {
            return Decided::Nothing;
        }
        match guards.and_then(|guards| self.comparison(cx, guards)) {
            Some(comparison) => self.compare(cx, heap, comparison),
            None => Decided::All(self.ask_waiting(cx, heap)),
        }
    }

    /// The references that two guards compare, if they do just that: one that waits, and the other.
    fn comparison(&self, cx: &mut Context, [first, second]: [Term; 2]) -> Option<Comparison> {
        if cx.terms.not(first) != second {
            return None;
        }
        let (atom, equal) = match *cx.terms.node(first)? {
            Logic::Not(atom) => (atom, 1),
            _ => (first, 0),
        };
        let Logic::Eq(a, b) = *cx.terms.node(atom)? else { return None };
        let waits = |term: Term| cx.terms.as_symbol(term).filter(|symbol| self.waiting.contains(symbol));
        match (waits(a), waits(b)) {
            (Some(symbol), other) => Some(Comparison { symbol, other: b, is_asked: other.is_none(), equal }),
            (None, Some(symbol)) => Some(Comparison { symbol, other: a, is_asked: true, equal }),
            (None, None) => None,
        }
    }

    /// Where a reference is compared with null or a certain object, the path decides what it is. Where the other one
    /// is not known either, the statements are asked if they are equal, for that is seldom valid, and wait on if they
    /// are not.
    fn compare(&self, cx: &mut Context, heap: &dyn InitialHeap, comparison: Comparison) -> Decided {
        let Comparison { symbol, other, is_asked, equal } = comparison;
        let node = self.sole_object(cx, other);
        if is_asked && (other.is_null() || node.is_some()) {
            let mut sides = self.sides_of(cx, heap, symbol, node);
            sides.rotate_left(equal);
            return Decided::Reference(symbol, sides);
        }
        Decided::AllIn(equal)
    }

    /// Tells what a reference is, and asks about those that were loaded before it.
    pub(super) fn see(
        &mut self,
        cx: &mut Context,
        heap: &mut dyn InitialHeap,
        symbol: Symbol,
        what: Resolution,
        opinion: Opinion,
    ) -> Term {
        let mut before = Term::TRUE;
        if let Some(at) = self.waiting.iter().position(|waits| *waits == symbol) {
            let later = self.waiting.split_off(at + 1);
            self.waiting.pop();
            before = self.ask_waiting(cx, heap);
            self.waiting = later;
        }
        let term = cx.terms.symbol_info(symbol).term;
        let literal = match what {
            Resolution::New => cx.terms.is_own(term),
            Resolution::Existing(location) => cx.terms.eq(term, Term::location(location)),
            Resolution::NotNull => cx.terms.ne(term, Term::NULL),
            Resolution::Null | Resolution::Object(_) => {
                let (_, node) = kind(what);
                let other = node.map_or(Term::NULL, |node| self.node(node).symbol);
                cx.terms.eq(term, other)
            }
        };
        let valid = self.ask_about(cx, heap, symbol, Term::TRUE, Some((what, opinion)));
        cx.terms.all([literal, before, valid])
    }

    /// Asks about all that wait: the clause that the statements put on them.
    pub(super) fn ask_waiting(&mut self, cx: &mut Context, heap: &mut dyn InitialHeap) -> Term {
        let mut clause = Term::TRUE;
        for symbol in std::mem::take(&mut self.waiting) {
            let valid = self.ask_about(cx, heap, symbol, Term::TRUE, None);
            clause = cx.terms.and(clause, valid);
        }
        clause
    }

    /// A symbol is loaded under a guard; `seen` is what the program is about to learn of it. Gives the clause that
    /// keeps the input valid, and within its bounds.
    fn ask_about(
        &mut self,
        cx: &mut Context,
        heap: &mut dyn InitialHeap,
        symbol: Symbol,
        guard: Term,
        seen: Option<(Resolution, Opinion)>,
    ) -> Term {
        let nodes = self.len();
        let mut valid = Term::TRUE;
        if !self.is_loaded(cx.terms.symbol_info(symbol).term) {
            let standing = cx.standing(symbol);
            let reference = self.standing_at(cx, heap, symbol, &standing, guard);
            valid = match seen {
                Some((what, opinion)) => self.tell(cx, heap, reference, what, opinion),
                None => self.load(cx, heap, reference, guard),
            };
        }
        if cx.is_closed(cx.terms.symbol_info(symbol).term) {
            return valid;
        }
        // The statements have said where it is an object of its own.
        let fresh = (self.len() > nodes).then(|| self.node(nodes).exists);
        let bound = heap.entered(cx, symbol, guard, fresh);
        cx.terms.and(bound, valid)
    }

    /// The reference that a symbol names.
    fn standing_at<'a>(
        &self,
        cx: &mut Context,
        heap: &dyn InitialHeap,
        symbol: Symbol,
        standing: &'a Standing,
        guard: Term,
    ) -> Reference<'a> {
        let owner = match standing {
            Standing::Input(name) => Owner::Input(name),
            Standing::Field(holder, field) => {
                let (holder, selector) = (cx.terms.symbol_info(*holder).term, Selector::Field(*field));
                match self.named_by(holder) {
                    Some(node) => Owner::Node { node, selector },
                    None => Owner::Field { objects: self.denoted(cx, holder, guard), selector },
                }
            }
            Standing::Element(array, index) => {
                let array = cx.terms.symbol_info(*array).term;
                let objects = self.denoted(cx, array, guard);
                Owner::Element { objects, index: *index }
            }
        };
        let (term, class) = (cx.terms.symbol_info(symbol).term, cx.declared_class(symbol));
        // Where there are as many objects as there may be it is none of its own.
        let has_room = heap.has_room(cx, symbol);
        if !has_room {
            cx.leave_out(LeftOut::More, Term::TRUE);
        }
        let handle = has_room.then_some(symbol.0);
        Reference { symbol: term, class, owner, handle, existing: None }
    }
}
