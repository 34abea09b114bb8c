//! Initial functions: the initial value of a field is a function of the object, its current value that function under a
//! log of writes.
//!
//! `Y.f` is one symbol, whatever else denotes the object of Y: to the solver it is an *application*
//! (`lazuli_logic::Terms::make_application`), so that of one object there is one initial value. A read goes through the writes that
//! came since this symbol was last read, from the newest: `ite(Y = τ, v, …)` where Y may be τ, and at the bottom what was
//! read then, or the initial value. Reading alone builds no `ite`, and a write changes nothing but the log.

use std::rc::Rc;

use lazuli_logic::{Symbol, Term};
use lazuli_program::ir::FieldId;
use rustc_hash::FxHashMap;

use super::Heap;
use super::fields::Fields;
use super::first_loads::FirstLoads;
use super::told::Sameness;
use crate::context::{Assumptions, Context, InputObject};
use crate::planted::Planted;

#[derive(Clone, Copy, PartialEq, Eq)]
struct Write {
    /// Through a symbol or a choice.
    address: Term,
    value: Term,
    /// The version of the log that it made.
    version: u32,
}

/// What happened to one field.
#[derive(Clone, Default, PartialEq, Eq)]
struct Written {
    /// In order, one an address: an older one is never seen again.
    writes: Vec<Write>,
    version: u32,
    /// What was read or written last through a symbol, and the version of the log at that time.
    read: FxHashMap<Term, (u32, Term)>,
}

/// Sorted by field.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Log(Rc<Vec<(FieldId, Rc<Written>)>>);

impl Log {
    fn written(&self, field: FieldId) -> Option<&Written> {
        let at = self.0.binary_search_by_key(&field, |(field, _)| *field).ok()?;
        Some(&self.0[at].1)
    }

    fn written_mut(&mut self, field: FieldId) -> &mut Written {
        let fields = Rc::make_mut(&mut self.0);
        let at = fields.binary_search_by_key(&field, |(field, _)| *field).unwrap_or_else(|at| {
            fields.insert(at, (field, Rc::default()));
            at
        });
        Rc::make_mut(&mut fields[at].1)
    }
}

impl Heap<Log> {
    /// The initial value of a field of the object that a symbol denotes; it is loaded where `is_first` holds.
    fn application(
        &mut self,
        cx: &mut Context,
        known: Option<&dyn Assumptions>,
        (symbol, field): (Term, FieldId),
        mut is_first: Term,
        facts: &mut Term,
    ) -> Term {
        let holder = cx.terms.as_symbol(symbol).expect("only input objects have initial values");
        let own = |(h, f, _): &(Symbol, FieldId, Term)| (*h, *f) == (holder, field);
        // Whoever listens is told of a reference once, by the name that it was loaded with first, and mostly knows which
        // object it is: then names are shorter than functions, whose holders would be a part of every question.
        let is_told = cx.listens && cx.program.field(field).ty.is_ref();
        let at = self.initial.iter().position(own).unwrap_or_else(|| {
            let (initial, _) = crate::java::named_field(cx, holder, field, facts);
            let is_symbol = cx.terms.as_symbol(initial).is_some();
            let is_function = is_symbol && !cx.listens && !cx.terms.is_unique(initial);
            if is_function && !Planted::LogWithoutCongruence.here() {
                cx.terms.make_application(initial);
            }
            if is_told {
                for &(other, ..) in self.initial.iter().filter(|(_, f, _)| *f == field) {
                    let other = cx.terms.symbol_info(other).term;
                    let same = Sameness::new(known, &self.names, symbol).with(cx, other);
                    let differs = cx.terms.not(same);
                    is_first = cx.terms.and(is_first, differs);
                }
                let stands = self.stands(cx, holder, field, is_first);
                self.names.add(initial, stands);
            }
            Rc::make_mut(&mut self.initial).push((holder, field, initial));
            self.initial.len() - 1
        });
        let initial = self.initial[at].2;
        // What belongs to its holder alone is no function's value: that would have to be the object of several symbols.
        match cx.listens || cx.terms.is_unique(initial) {
            true => self.named_before(cx, known, symbol, field, at, initial),
            false => initial,
        }
    }
}

impl Fields for Log {
    const REFINES_FIRST: bool = false;

    type Bounds = FirstLoads;

    fn value(&self, field: FieldId, symbol: Term) -> Option<Term> {
        let written = self.written(field)?;
        written.read.get(&symbol).filter(|(version, _)| *version == written.version).map(|(_, value)| *value)
    }

    fn refine(
        heap: &mut Heap<Self>,
        cx: &mut Context,
        known: Option<&dyn Assumptions>,
        symbol: Term,
        field: FieldId,
        facts: &mut Term,
    ) {
        let names = heap.names.clone();
        let sameness = Sameness::new(known, &names, symbol);
        let mut open = Vec::new();
        let mut before = None;
        if let Some(written) = heap.fields.written(field) {
            let (read, value) = written.read.get(&symbol).copied().unzip();
            before = value;
            for write in written.writes.iter().rev().take_while(|write| read.is_none_or(|read| write.version > read)) {
                match sameness.with(cx, write.address) {
                    Term::TRUE => {
                        before = Some(write.value);
                        break;
                    }
                    Term::FALSE => {}
                    same => open.push((same, write.value)),
                }
            }
        }
        if Planted::LogOldestFirst.here() {
            open.reverse();
        }
        let mut value = match before {
            Some(value) => value,
            None => {
                let written = cx.terms.any(open.iter().map(|(same, _)| *same));
                let is_first = cx.terms.not(written);
                heap.application(cx, known, (symbol, field), is_first, facts)
            }
        };
        for (same, written) in open.into_iter().rev() {
            value = cx.terms.ite(same, written, value);
        }
        let written = heap.fields.written_mut(field);
        let version = written.version;
        if Planted::LogSharesReads.here() {
            value = *cx.shared_reads.entry((field, symbol, version)).or_insert(value);
        }
        written.read.insert(symbol, (version, value));
    }

    fn write(heap: &mut Heap<Self>, cx: &mut Context, object: Term, field: FieldId, value: Term) {
        let is_symbol = |term: Term| cx.terms.as_symbol(term).is_some();
        let plain = is_symbol(object);
        if !plain && !cx.terms.leaves(object).iter().any(|(leaf, _)| cx.terms.as_symbol(*leaf).is_some()) {
            return;
        }
        let written = heap.fields.written_mut(field);
        written.version += 1;
        let before = written.writes.iter().position(|write| write.address == object);
        match before {
            Some(at) if Planted::LogOverwritesInPlace.here() => written.writes[at].value = value,
            _ => {
                written.writes.retain(|write| write.address != object);
                written.writes.push(Write { address: object, value, version: written.version });
            }
        }
        if Planted::LogRemembersByLength.here() {
            written.version = written.writes.len() as u32;
        }
        let version = written.version;
        if plain {
            written.read.insert(object, (version, value));
        }
    }

    fn initial(
        heap: &mut Heap<Self>,
        cx: &mut Context,
        known: &dyn Assumptions,
        object: InputObject,
        field: FieldId,
        facts: &mut Term,
    ) -> Term {
        heap.application(cx, Some(known), (object.symbol, field), Term::TRUE, facts)
    }

    fn is_unwritten(&self, before: &Log) -> bool {
        let version = |log: &Log, field: FieldId| log.written(field).map_or(0, |written| written.version);
        self.0.iter().all(|(field, written)| written.version == version(before, *field))
    }

    fn binds(&self, symbol: Term) -> bool {
        self.0.iter().any(|(_, written)| written.read.contains_key(&symbol))
    }

    /// What was read or written last through the symbols, and what was written through choices.
    fn all(&self) -> Vec<(Term, FieldId, Term)> {
        let mut all = Vec::new();
        for (field, written) in self.0.iter() {
            let mut values: Vec<(Term, Term)> =
                written.read.iter().map(|(symbol, (_, value))| (*symbol, *value)).collect();
            values.sort_unstable();
            let choices = written.writes.iter().filter(|write| !written.read.contains_key(&write.address));
            values.extend(choices.map(|write| (write.address, write.value)));
            all.extend(values.into_iter().map(|(symbol, value)| (symbol, *field, value)));
        }
        all
    }
}
