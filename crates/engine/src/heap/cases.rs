//! The cases of one operation: what a heap model proposes.

use lazuli_logic::{Extension, Symbol, Term};
use lazuli_program::ir::MethodId;

use crate::context::{Context, Opinion, Resolution, Side};

/// What an operation gives in one case.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Found {
    /// A value (a write gives the value written).
    Value(Term),
    Throw(&'static str),
    /// The method that a call runs; none if the receiver has no such method.
    Method(Option<MethodId>),
    /// The number of an alternative.
    Alternative(u32),
    /// Whether a loop has come back to where it was.
    Around(bool),
}

/// What is told when a case is taken that changes nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tell {
    Nothing,
    /// What a reference is that waited.
    Seen(Symbol, Resolution),
    /// Everything that waits is asked about.
    All,
}

/// One way on. The guards of one list are exhaustive and exclusive; where a model enumerates structurally (`lazy`), the
/// guards are trivial and the changes exclude each other.
pub struct Case<C> {
    pub guard: Term,
    /// Whether the papers count a query for it: alternatives of a reference and program branches, not implicit checks.
    pub counted: bool,
    pub change: Option<C>,
    /// What the operation gives; otherwise the heap knows more now, and the operation is carried out again.
    pub found: Option<Found>,
    /// What has been said of it. If it is excluded nobody takes it, but it keeps its number.
    pub opinion: Opinion,
    pub tells: Tell,
}

impl<C> Case<C> {
    /// Tells something first. What else the case does, it does when the operation is carried out again.
    pub fn asks(&mut self, tells: Tell) {
        self.tells = tells;
        if self.change.take().is_some() {
            self.found = None;
        }
    }

    /// Whether there is nothing to ask, to change or to tell.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.guard == Term::TRUE && self.change.is_none() && !self.counted && self.tells == Tell::Nothing
    }

    pub fn exclude(&mut self) {
        self.opinion = Opinion::Excluded;
    }

    pub fn is_excluded(&self) -> bool {
        self.opinion == Opinion::Excluded
    }
}

/// The cases of one operation. One buffer serves all operations of a worker.
pub struct Cases<C> {
    pub list: Vec<Case<C>>,
    /// Whether the guards cover everything: not if a bound on the input cuts some of it off.
    pub exhaustive: bool,
    /// A clause about symbols that are new here; it goes with every case that does not throw. It can always be made
    /// true, so it takes nothing away.
    pub definition: Term,
    /// Likewise, but it goes with every case: what is true of every input.
    pub fact: Term,
    /// A clause about references that the instruction loads before it can throw; it goes with every case.
    pub loaded: Term,
}

impl<C> Default for Cases<C> {
    fn default() -> Self {
        let (definition, fact, loaded) = (Term::TRUE, Term::TRUE, Term::TRUE);
        Cases { list: Vec::new(), exhaustive: true, definition, fact, loaded }
    }
}

impl<C> Cases<C> {
    pub fn push(&mut self, guard: Term, counted: bool, change: Option<C>, found: impl Into<Option<Found>>) {
        let (opinion, tells) = (Opinion::Nothing, Tell::Nothing);
        self.list.push(Case { guard, counted, change, found: found.into(), opinion, tells });
    }

    /// Nothing to decide.
    pub fn only(&mut self, found: Found) {
        self.push(Term::TRUE, false, None, found);
    }

    /// Whether there is something to decide.
    pub fn is_open(&self) -> bool {
        !matches!(self.list.as_slice(), [] | [Case { guard: Term::TRUE, .. }])
    }

    /// Starts the cases of the next operation.
    pub fn clear(&mut self) {
        self.list.clear();
        self.exhaustive = true;
        self.definition = Term::TRUE;
        self.fact = Term::TRUE;
        self.loaded = Term::TRUE;
    }

    /// The exception of an instruction, where `invalid` holds.
    pub fn throw(&mut self, cx: &mut Context, invalid: Term, exception: &'static str) {
        if invalid != Term::FALSE {
            self.exhaustive &= self.loaded == Term::TRUE;
            // Where the path may go on, it does so with the symbols that would have been loaded.
            let definition = if cx.program.semantics.catches_failures() { self.definition } else { Term::TRUE };
            let guard = cx.terms.all([invalid, self.loaded, definition, self.fact]);
            self.push(guard, false, None, Found::Throw(exception));
        }
    }

    /// Defines a new symbol: outside of `guard` it is null.
    pub fn define(&mut self, cx: &mut Context, guard: Term, is_null: Term) {
        let clause = cx.terms.or(guard, is_null);
        self.definition = cx.terms.and(self.definition, clause);
    }

    /// Nothing to decide, but the input stays within `bound`.
    pub fn bounded(&mut self, cx: &mut Context, bound: Term, found: Found) {
        if [bound, self.definition, self.fact] == [Term::TRUE; 3] {
            return self.only(found);
        }
        self.exhaustive &= bound == Term::TRUE;
        let guard = cx.terms.all([bound, self.definition, self.fact]);
        self.push(guard, false, None, found);
    }

    /// The access succeeds where `valid` holds (and the input is within `bound`), and throws elsewhere.
    pub fn checked(
        &mut self,
        cx: &mut Context,
        valid: Term,
        bound: Term,
        change: Option<C>,
        found: impl Into<Option<Found>>,
        exception: &'static str,
    ) {
        if valid != Term::FALSE {
            self.exhaustive &= bound == Term::TRUE;
            let guard = cx.terms.all([valid, bound, self.definition, self.fact]);
            self.push(guard, false, change, found);
        }
        let invalid = cx.terms.not(valid);
        self.throw(cx, invalid, exception);
    }
}

impl<C> Cases<C> {
    /// The program looks at a reference that waits: it is decided first whether it is null, and told what it is in
    /// either case.
    pub fn look(&mut self, cx: &mut Context, reference: Term, symbol: Symbol, sides: [Side; 2]) {
        let null = cx.terms.eq(reference, Term::NULL);
        let non_null = cx.terms.not(null);
        self.push(non_null, false, None, None);
        self.push(null, false, None, None);
        let [is, is_not] = sides;
        self.tell(symbol, [is_not, is]);
    }

    /// Both cases tell what a reference is, if they say that much; one that cannot be is none.
    pub fn tell(&mut self, symbol: Symbol, sides: [Side; 2]) {
        let mut sides = sides.into_iter();
        self.list.retain_mut(|case| match sides.next() {
            Some(Side::Is(what, opinion)) => {
                case.asks(Tell::Seen(symbol, what));
                case.opinion = opinion;
                true
            }
            Some(Side::Open) => true,
            Some(Side::Excluded) | None => false,
        });
        match self.list.as_mut_slice() {
            [] => self.impossible(),
            // If it is still open what the reference is, the other case will be excluded when it is asked about.
            [only] => (only.guard, only.counted) = (Term::TRUE, false),
            _ => {}
        }
    }

    /// A reference that was just initialised: null, or not (uber-lazy).
    pub fn split_null(&mut self, cx: &mut Context, valid: Term, bound: Term, non_null: Term, value: Term) {
        self.exhaustive &= bound == Term::TRUE;
        let null = cx.terms.not(non_null);
        for (guard, value) in [(null, Term::NULL), (non_null, value)] {
            let guard = cx.terms.all([valid, bound, self.definition, self.fact, guard]);
            if guard != Term::FALSE {
                self.push(guard, guard != Term::TRUE, None, Found::Value(value));
            }
        }
        self.at_least_one();
    }

    /// The input is cut off, and `fork` prunes the path.
    pub fn impossible(&mut self) {
        self.exhaustive = false;
        self.push(Term::FALSE, false, None, None);
    }

    /// Where nothing is left, because the input is cut off, that is a case too: one that `fork` prunes.
    pub fn at_least_one(&mut self) {
        if self.list.is_empty() {
            self.impossible();
        }
    }
}

/// What the solver said of one case.
pub enum Way {
    /// The path condition stays as it is.
    Free,
    Feasible(Extension),
    Infeasible,
    Unknown(String),
}
