//! k- and n-bounding for the models that do not enumerate: as clauses over the symbols met so far.
//!
//! k limits the length of reference chains from the roots: the field of an object at depth k is null or an alias, never
//! fresh. n limits the number of input objects. Whether a symbol is fresh, and how deep its object is, depends on aliasing, so
//! both are guards. Nothing here costs anything unless a bound is given.
//!
//! k-bounding preserves the equivalence with `lazy` because symbols are entered at the moment at which `lazy` resolves
//! them: the first load. n-bounding does not: `lazy` counts what it has resolved so far.

use std::rc::Rc;

use lazuli_logic::{Symbol, Term};

use crate::context::Context;

#[derive(Clone)]
struct Seen {
    symbol: Term,
    /// Whether it names the initial value of anything: not if its holder is an alias whose field had a name already.
    real: Term,
    /// `depth[d]`: its object is at depth `d + 1`. Empty without a bound on k.
    depth: Rc<[Term]>,
}

#[derive(Clone, Default)]
pub struct Bound {
    seen: Rc<Vec<Seen>>,
    /// `objects[i]`: there are more than `i` input objects.
    objects: Rc<Vec<Term>>,
}

impl Bound {
    /// Enters a reference symbol at its first load. Gives the clause that keeps it within the bounds.
    pub fn enter(&mut self, cx: &mut Context, symbol: Term, holder: Option<Symbol>, real: Term) -> Term {
        if (cx.k.is_none() && cx.n.is_none()) || self.seen.iter().any(|s| s.symbol == symbol) {
            return Term::TRUE;
        }
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
        let fresh = cx.terms.all([real, non_null, not_alias]);
        let depth = self.depths(cx, holder, &aliases, fresh);
        let within_k = match (cx.k, holder) {
            (Some(0), None) => cx.terms.not(fresh),
            (Some(_), Some(_)) => {
                let placed = cx.terms.any(depth.iter().copied());
                cx.terms.implies(fresh, placed)
            }
            _ => Term::TRUE,
        };
        let within_n = self.count(cx, fresh);
        Rc::make_mut(&mut self.seen).push(Seen { symbol, real, depth });
        cx.terms.and(within_k, within_n)
    }

    fn depths(&self, cx: &mut Context, holder: Option<Symbol>, aliases: &[Term], fresh: Term) -> Rc<[Term]> {
        let Some(k) = cx.k else { return Rc::from([]) };
        let above = holder.map(|h| cx.terms.symbol_info(h).term);
        let above = above.and_then(|h| self.seen.iter().find(|s| s.symbol == h)).map(|s| s.depth.clone());
        let mut depths = Vec::with_capacity(k as usize);
        for d in 0..k as usize {
            // A fresh object is one deeper than its holder; a root, and a holder that is the receiver's, count from 1.
            let here = match (&above, d) {
                (None, 0) => Term::TRUE,
                (None, _) | (Some(_), 0) => Term::FALSE,
                (Some(above), d) => above[d - 1],
            };
            let mut ways = vec![cx.terms.and(fresh, here)];
            for (seen, alias) in self.seen.iter().zip(aliases) {
                let at = seen.depth[d];
                ways.push(cx.terms.and(*alias, at));
            }
            depths.push(cx.terms.any(ways));
        }
        depths.into()
    }

    /// Counts an object that is fresh where `fresh` holds; the clause that it is not one too many.
    pub fn count(&mut self, cx: &mut Context, fresh: Term) -> Term {
        let Some(n) = cx.n else { return Term::TRUE };
        let n = n as usize;
        let full = if n == 0 { Term::TRUE } else { self.objects.get(n - 1).copied().unwrap_or(Term::FALSE) };
        let too_many = cx.terms.and(full, fresh);
        let objects = Rc::make_mut(&mut self.objects);
        if objects.len() < n {
            objects.push(Term::FALSE);
        }
        for i in (0..objects.len()).rev() {
            let one_less = if i == 0 { Term::TRUE } else { objects[i - 1] };
            let grown = cx.terms.and(one_less, fresh);
            objects[i] = cx.terms.or(objects[i], grown);
        }
        cx.terms.not(too_many)
    }
}
