//! Where a character or a text stands in another.

use lazuli_logic::{BitOp, Term};

use super::{Heap, Text};
use crate::executor::{Executor, Native};
use crate::heap::HeapModel;
use crate::state::State;
use crate::suspend::Step;

/// More comparisons of characters than this are left to the JDK's code.
const MOST_COMPARISONS: usize = 1 << 14;

pub(super) fn find<M: HeapModel>(key: &str) -> Option<Native<M>> {
    let native: Native<M> = match key {
        "java/lang/String.startsWith(Ljava/lang/String;)Z" => |e, s, a| starts_with(e, s, a, |e, _, _| e.cx.int(0)),
        "java/lang/String.startsWith(Ljava/lang/String;I)Z" => |e, s, a| {
            let offset = a[2];
            starts_with(e, s, a, |_, _, _| offset)
        },
        "java/lang/String.endsWith(Ljava/lang/String;)Z" => {
            |e, s, a| starts_with(e, s, a, |e, text, end| e.cx.terms.bit_op(BitOp::Sub, text.length, end.length))
        }
        "java/lang/String.regionMatches(ILjava/lang/String;II)Z" => region_matches,
        "java/lang/String.indexOf(I)I" | "java/lang/String.indexOf(II)I" => |e, s, a| find_unit(e, s, a, Way::First),
        "java/lang/String.lastIndexOf(I)I" | "java/lang/String.lastIndexOf(II)I" => {
            |e, s, a| find_unit(e, s, a, Way::Last)
        }
        "java/lang/String.indexOf(Ljava/lang/String;)I" | "java/lang/String.indexOf(Ljava/lang/String;I)I" => {
            |e, s, a| find_text(e, s, a, Way::First)
        }
        "java/lang/String.lastIndexOf(Ljava/lang/String;)I" | "java/lang/String.lastIndexOf(Ljava/lang/String;I)I" => {
            |e, s, a| find_text(e, s, a, Way::Last)
        }
        _ => return None,
    };
    Some(native)
}

/// Which of several places is looked for.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    First,
    Last,
}

impl<M: HeapModel> Executor<'_, M> {
    /// Whether `count` characters from one place of a text on are those from a place of another on.
    fn matches(&mut self, (a, at): (&Text, usize), (b, other): (&Text, usize), count: Term) -> Term {
        let mut all = Vec::new();
        let most = a.most().saturating_sub(at).min(b.most().saturating_sub(other));
        for offset in 0..most {
            let inside = self.is_before(offset, count);
            if inside == Term::FALSE || all.last() == Some(&Term::FALSE) {
                break;
            }
            let same = self.same_unit((a, at + offset), (b, other + offset));
            all.push(self.cx.terms.implies(inside, same));
        }
        self.cx.terms.all(all)
    }

    /// Whether so many characters are left from a place on. Lengths are small, so nothing overflows.
    fn fits(&mut self, text: &Text, at: usize, count: Term) -> Term {
        let at = self.cx.int(at as i64);
        let rest = self.cx.terms.bit_op(BitOp::Sub, text.length, at);
        let is_short = self.cx.terms.bit_op(BitOp::SLt, rest, count);
        self.cx.terms.not(is_short)
    }

    /// The places that a number may mean, with the conditions that it means them. Where it means none of `0..=most`, none holds.
    fn places(&mut self, number: Term, most: usize) -> Vec<(usize, Term)> {
        if let Some((_, at)) = self.cx.terms.as_bits(number) {
            return if at as usize <= most { vec![(at as usize, Term::TRUE)] } else { Vec::new() };
        }
        let here = |e: &mut Self, at: usize| {
            let place = e.cx.int(at as i64);
            e.cx.terms.eq(number, place)
        };
        (0..=most).map(|at| (at, here(self, at))).collect()
    }

    /// The first of some places, or the last one: whose condition holds. They are in the order in which they are looked for. Otherwise -1.
    fn found(&mut self, places: Vec<(usize, Term)>) -> Term {
        let mut found = self.cx.int(-1);
        for (at, here) in places.into_iter().rev() {
            let at = self.cx.int(at as i64);
            found = self.cx.terms.ite(here, at, found);
        }
        found
    }

    /// Looks at places in their order, as long as it is not known that one is it.
    fn look(&mut self, most: usize, way: Way, mut here: impl FnMut(&mut Self, usize) -> Term) -> Term {
        let mut places = Vec::new();
        for number in 0..=most {
            let at = if way == Way::First { number } else { most - number };
            let here = here(self, at);
            if here != Term::FALSE {
                places.push((at, here));
            }
            if here == Term::TRUE {
                break;
            }
        }
        self.found(places)
    }

    /// Whether a place is not before (or not behind) the one where the search begins.
    fn is_reached(&mut self, at: usize, from: Option<Term>, way: Way) -> Term {
        let Some(from) = from else { return Term::TRUE };
        let at = self.cx.int(at as i64);
        let passed = match way {
            Way::First => self.cx.terms.bit_op(BitOp::SLt, at, from),
            Way::Last => self.cx.terms.bit_op(BitOp::SLt, from, at),
        };
        self.cx.terms.not(passed)
    }
}

/// Whether a text stands at an offset of another.
fn starts_with<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    args: &[Term],
    offset: impl Fn(&mut Executor<M>, &Text, &Text) -> Term,
) -> Step<Term> {
    if e.is_null(state, args[1])? {
        return e.run_quietly(state);
    }
    let Some((text, part)) = e.texts(state, args[0], args[1])? else { return e.run_quietly(state) };
    let offset = offset(e, &text, &part);
    let mut cases = Vec::new();
    for (at, here) in e.places(offset, text.most()) {
        let fits = e.fits(&text, at, part.length);
        if here != Term::FALSE && fits != Term::FALSE {
            let matches = e.matches((&text, at), (&part, 0), part.length);
            cases.push(e.cx.terms.all([here, fits, matches]));
        }
    }
    let starts = e.cx.terms.any(cases);
    Ok(e.truth(starts))
}

fn region_matches<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let &[this, at, other, from, count] = args else { unreachable!("it has four parameters") };
    if e.is_null(state, other)? {
        return e.run_quietly(state);
    }
    let Some((a, b)) = e.texts(state, this, other)? else { return e.run_quietly(state) };
    let (places, others) = (e.places(at, a.most()), e.places(from, b.most()));
    if places.len() * others.len() * a.most().min(b.most()) > MOST_COMPARISONS {
        return e.run_quietly(state);
    }
    let mut cases = Vec::new();
    // A negative number of characters fits also behind the end: there it is about the numbers alone.
    let zero = e.cx.int(0);
    let terms = &mut e.cx.terms;
    let mut none = vec![terms.bit_op(BitOp::SLt, count, zero)];
    for (offset, length) in [(at, a.length), (from, b.length)] {
        let [offset, length, count] = [offset, length, count].map(|number| terms.extend(true, 64, number));
        let zero = terms.bits(64, 0);
        let negative = terms.bit_op(BitOp::SLt, offset, zero);
        let last = terms.bit_op(BitOp::Sub, length, count);
        let beyond = terms.bit_op(BitOp::SLt, last, offset);
        let outside = terms.or(negative, beyond);
        none.push(terms.not(outside));
    }
    cases.push(terms.all(none));
    for &(at, here) in &places {
        for &(other, there) in &others {
            let (fits, fits_other) = (e.fits(&a, at, count), e.fits(&b, other, count));
            let possible = e.cx.terms.all([here, there, fits, fits_other]);
            if possible != Term::FALSE {
                let matches = e.matches((&a, at), (&b, other), count);
                cases.push(e.cx.terms.and(possible, matches));
            }
        }
    }
    let matches = e.cx.terms.any(cases);
    Ok(e.truth(matches))
}

/// `indexOf` and `lastIndexOf` of a character.
fn find_unit<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term], way: Way) -> Step<Term> {
    let Some(text) = e.read_text(state, args[0])? else { return e.run_quietly(state) };
    // What is beyond 16 bits stands for two characters.
    let is_one = e.cx.terms.as_bits(args[1]).is_some_and(|(_, unit)| unit <= 0xFFFF);
    if text.is_wide && !is_one {
        return e.run_quietly(state);
    }
    let Some(last) = text.most().checked_sub(1) else { return Ok(e.cx.int(-1)) };
    Ok(e.look(last, way, |e, at| {
        let (reached, inside) = (e.is_reached(at, args.get(2).copied(), way), e.is_before(at, text.length));
        if reached == Term::FALSE || inside == Term::FALSE {
            return Term::FALSE;
        }
        let unit = e.unit(&text, at);
        let unit = e.cx.terms.extend(false, 32, unit);
        let same = e.cx.terms.eq(unit, args[1]);
        e.cx.terms.all([reached, inside, same])
    }))
}

/// `indexOf` and `lastIndexOf` of a text.
fn find_text<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term], way: Way) -> Step<Term> {
    if e.is_null(state, args[1])? {
        return e.run_quietly(state);
    }
    let Some((text, part)) = e.texts(state, args[0], args[1])? else { return e.run_quietly(state) };
    let is_known = |e: &Executor<M>, text: &Text| text.bytes.iter().all(|byte| e.cx.terms.is_constant(*byte));
    if text.most() * part.most() > MOST_COMPARISONS && !(is_known(e, &text) && is_known(e, &part)) {
        return e.run_quietly(state);
    }
    // Who looks for nothing behind the end finds it there.
    let from = args.get(2).map(|from| {
        let behind = e.cx.terms.bit_op(BitOp::SLt, text.length, *from);
        e.cx.terms.ite(behind, text.length, *from)
    });
    Ok(e.look(text.most(), way, |e, at| {
        let (reached, fits) = (e.is_reached(at, from, way), e.fits(&text, at, part.length));
        if reached == Term::FALSE || fits == Term::FALSE {
            return Term::FALSE;
        }
        let matches = e.matches((&text, at), (&part, 0), part.length);
        e.cx.terms.all([reached, fits, matches])
    }))
}
