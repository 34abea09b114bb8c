//! k- and n-bounding for the models that do not enumerate: as clauses over the symbols met so far.
//!
//! k limits the length of reference chains from the roots: the field of an object at depth k is null or an alias, never
//! fresh. n limits the number of input objects. Whether a symbol is fresh, and how deep its object is, depends on aliasing, so
//! both are guards. Nothing here costs anything unless a bound is given.
//!
//! Both preserve the equivalence with `lazy` because symbols are entered at the moment at which `lazy` resolves them: the
//! first load. It is what document 001, Section 7.2, builds into the rules: one clause a load, shared by all inputs of a path.

use std::rc::Rc;

use lazuli_logic::{Origin, Symbol, Term};
use lazuli_program::ir::ClassId;

use crate::context::Context;
use crate::scope::LeftOut;

/// A symbol that was loaded for the first time under a guard. Under another guard it may be loaded first later on: then it has
/// several entries, whose guards exclude each other.
#[derive(Clone, PartialEq, Eq)]
struct Seen {
    symbol: Term,
    /// Where this was its first load.
    real: Term,
    /// `depth[d]`: its object is at depth `d + 1`; where `real` holds. Empty without a bound on k.
    depth: Rc<[Term]>,
}

#[derive(Clone, Default, PartialEq, Eq)]
pub struct Bound {
    seen: Rc<Vec<Seen>>,
    /// One for every quota.
    numbers: Rc<Vec<Number>>,
}

/// `number[i]`: there are more than `i` input objects.
type Number = Vec<Term>;

impl Bound {
    /// Enters a reference symbol where it is loaded: under `guard`. Gives the clause that keeps it within the bounds.
    pub fn enter(&mut self, cx: &mut Context, symbol: Term, guard: Term) -> Term {
        if cx.k.is_none() && cx.quotas.is_empty() {
            return Term::TRUE;
        }
        let before: Vec<Term> = self.seen.iter().filter(|s| s.symbol == symbol).map(|s| s.real).collect();
        let before = cx.terms.any(before);
        let not_before = cx.terms.not(before);
        let real = cx.terms.and(guard, not_before);
        if real == Term::FALSE {
            return Term::TRUE;
        }
        let name = cx.terms.as_symbol(symbol).expect("only symbols are entered");
        let holder = match cx.terms.symbol_info(name).origin {
            Origin::Root(..) | Origin::Constant(_) => None,
            Origin::Field { holder, .. } => Some(holder),
        };
        let is_null = cx.terms.eq(symbol, Term::NULL);
        let non_null = cx.terms.not(is_null);
        let mut aliases = Vec::with_capacity(self.seen.len());
        for seen in self.seen.iter() {
            let equal = cx.terms.eq(symbol, seen.symbol);
            let alias = cx.terms.all([seen.real, equal, non_null]);
            aliases.push(alias);
        }
        let is_alias = cx.terms.any(aliases.iter().copied());
        let not_alias = cx.terms.not(is_alias);
        let exists = cx.denotes_existing(symbol);
        let is_input = cx.terms.not(exists);
        let fresh = cx.terms.all([real, non_null, not_alias, is_input]);
        let depth = self.depths(cx, holder, &aliases, fresh);
        let within_k = match (cx.k, holder) {
            (Some(0), None) => cx.terms.not(fresh),
            (Some(_), Some(_)) => {
                let placed = cx.terms.any(depth.iter().copied());
                cx.terms.implies(fresh, placed)
            }
            _ => Term::TRUE,
        };
        let too_deep = cx.terms.not(within_k);
        cx.leave_out(LeftOut::Deeper, too_deep);
        let class = ClassId(cx.terms.symbol_info(name).classes[0].0);
        let within_n = self.count(cx, class, fresh);
        Rc::make_mut(&mut self.seen).push(Seen { symbol, real, depth });
        cx.terms.and(within_k, within_n)
    }

    fn depths(&self, cx: &mut Context, holder: Option<Symbol>, aliases: &[Term], fresh: Term) -> Rc<[Term]> {
        let Some(k) = cx.k else { return Rc::from([]) };
        let above = holder.map(|h| cx.terms.symbol_info(h).term);
        let mut depths = Vec::with_capacity(k as usize);
        for d in 0..k as usize {
            // A fresh object is one deeper than its holder; a root counts from 1.
            let here = match (above, d) {
                (None, 0) => Term::TRUE,
                (None, _) | (Some(_), 0) => Term::FALSE,
                (Some(above), d) => self.at_depth(cx, above, d - 1),
            };
            // An alias has the depth of what it equals; several that it equals have one. The nesting shares what a
            // disjunction would repeat.
            let mut at = cx.terms.and(fresh, here);
            for (seen, alias) in self.seen.iter().zip(aliases).rev() {
                at = cx.terms.ite(*alias, seen.depth[d], at);
            }
            depths.push(at);
        }
        depths.into()
    }

    /// The condition that the object of a symbol is at depth `d + 1`. The symbol itself need not have been loaded: one that
    /// denotes the same object was.
    fn at_depth(&self, cx: &mut Context, symbol: Term, d: usize) -> Term {
        let mut at = Term::FALSE;
        for seen in self.seen.iter().rev() {
            let equal = cx.terms.eq(symbol, seen.symbol);
            let same = cx.terms.and(seen.real, equal);
            at = cx.terms.ite(same, seen.depth[d], at);
        }
        at
    }

    /// Whether there are as many objects of a declared class as there may be.
    pub fn is_full(&self, cx: &Context, class: ClassId) -> bool {
        let number = |at: usize| self.numbers.get(at).map_or(&[][..], |number| number);
        let mut quotas = cx.quotas.iter().enumerate().filter(|(_, quota)| quota.counts(cx.program, class));
        quotas.any(|(at, quota)| is_reached(number(at), quota.most) == Term::TRUE)
    }

    /// Counts an object of a declared class that is fresh where `fresh` holds; the clause that it is not one too many.
    pub fn count(&mut self, cx: &mut Context, class: ClassId, fresh: Term) -> Term {
        let mut within = Term::TRUE;
        for at in 0..cx.quotas.len() {
            let quota = cx.quotas[at];
            if !quota.counts(cx.program, class) {
                continue;
            }
            let numbers = Rc::make_mut(&mut self.numbers);
            if numbers.len() <= at {
                numbers.resize(at + 1, Number::new());
            }
            let one_more = count_in(cx, &mut numbers[at], quota.most, fresh);
            within = cx.terms.and(within, one_more);
        }
        within
    }
}

/// The condition that there are so many objects.
fn is_reached(number: &[Term], most: u32) -> Term {
    match most {
        0 => Term::TRUE,
        most => number.get(most as usize - 1).copied().unwrap_or(Term::FALSE),
    }
}

fn count_in(cx: &mut Context, number: &mut Number, most: u32, fresh: Term) -> Term {
    let full = is_reached(number, most);
    let too_many = cx.terms.and(full, fresh);
    cx.leave_out(LeftOut::More, too_many);
    if fresh == Term::TRUE {
        number.insert(0, Term::TRUE);
        number.truncate(most as usize);
        return cx.terms.not(full);
    }
    if number.len() < most as usize {
        number.push(Term::FALSE);
    }
    for i in (0..number.len()).rev() {
        let one_less = if i == 0 { Term::TRUE } else { number[i - 1] };
        let grown = cx.terms.and(one_less, fresh);
        number[i] = cx.terms.or(number[i], grown);
    }
    cx.terms.not(too_many)
}
