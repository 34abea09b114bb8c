//! The published representation: H by columns. For every field, the symbols in which it has a value, and that value.
//!
//! A first read of `Y.f` names its initial value Z and gives `Y.f` the value `ite(Y = Y1, H(Y1)(f), … Z)` over the symbols
//! that have one; a write updates all of them.

use std::rc::Rc;

use lazuli_logic::{Symbol, Term};
use lazuli_program::ir::FieldId;

use super::Heap;
use super::fields::Fields;
use super::told::Sameness;
use crate::context::{Assumptions, Context, InputObject};
use crate::heap::bound::Bound;
use crate::heap::writes::Writes;
use crate::planted::Planted;

/// The input symbols that have a value for one field, in the order in which they got it.
type Column = Rc<Vec<(Term, Term)>>;

/// Sorted by field.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Columns(Rc<Vec<(FieldId, Column)>>, Writes);

impl Columns {
    fn column(&self, field: FieldId) -> &[(Term, Term)] {
        match self.0.binary_search_by_key(&field, |(field, _)| *field) {
            Ok(at) => &self.0[at].1,
            Err(_) => &[],
        }
    }

    fn column_mut(&mut self, field: FieldId) -> &mut Vec<(Term, Term)> {
        let columns = Rc::make_mut(&mut self.0);
        let at = columns.binary_search_by_key(&field, |(field, _)| *field).unwrap_or_else(|at| {
            columns.insert(at, (field, Column::default()));
            at
        });
        Rc::make_mut(&mut columns[at].1)
    }
}

impl Fields for Columns {
    const REFINES_FIRST: bool = true;

    type Bounds = Bound;

    fn value(&self, field: FieldId, symbol: Term) -> Option<Term> {
        self.column(field).iter().find(|(o, _)| *o == symbol).map(|(_, v)| *v)
    }

    fn refine(
        heap: &mut Heap<Self>,
        cx: &mut Context,
        known: Option<&dyn Assumptions>,
        symbol: Term,
        field: FieldId,
        facts: &mut Term,
    ) {
        let holder = cx.terms.as_symbol(symbol).expect("only input symbols are refined");
        let (initial, mut value) = crate::java::named_field(cx, holder, field, facts);
        let names = heap.names.clone();
        let sameness = Sameness::new(known, &names, symbol);
        let mut is_first = Term::TRUE;
        for at in 0..heap.fields.column(field).len() {
            if Planted::PoseInitialisesPlain.here() {
                break;
            }
            let (object, current) = heap.fields.column(field)[at];
            let same = sameness.with(cx, object);
            if same != Term::FALSE {
                value = cx.terms.ite(same, current, value);
                let differs = cx.terms.not(same);
                is_first = cx.terms.and(is_first, differs);
            }
        }
        if cx.listens && cx.program.field(field).ty.is_ref() {
            let stands = heap.stands(cx, holder, field, is_first);
            heap.names.add(initial, stands);
        }
        heap.fields.column_mut(field).push((symbol, value));
        Rc::make_mut(&mut heap.initial).push((holder, field, initial));
    }

    fn write(heap: &mut Heap<Self>, cx: &mut Context, object: Term, field: FieldId, value: Term) {
        heap.fields.1.add();
        let plain = cx.terms.as_symbol(object).is_some();
        let (assumed, names) = (std::mem::take(&mut cx.assumed), heap.names.clone());
        let sameness = Sameness::new(assumed.0.as_deref(), &names, object);
        for i in 0..heap.fields.column(field).len() {
            let (target, current) = heap.fields.column(field)[i];
            if Planted::PoseWritesLeavesOnly.here() && cx.terms.leaves(object).iter().all(|(leaf, _)| *leaf != target) {
                continue;
            }
            let denotes = match plain {
                true if target == object => Term::TRUE,
                true => sameness.with(cx, target),
                false => cx.terms.eq(object, target),
            };
            if denotes != Term::FALSE {
                let updated = cx.terms.ite(denotes, value, current);
                heap.fields.column_mut(field)[i].1 = updated;
            }
        }
        cx.assumed = assumed;
        if plain && heap.fields.value(field, object).is_none() {
            heap.fields.column_mut(field).push((object, value));
        }
    }

    /// The value that the field was named with first, through whichever symbol.
    fn initial(
        heap: &mut Heap<Self>,
        cx: &mut Context,
        known: &dyn Assumptions,
        object: InputObject,
        field: FieldId,
        facts: &mut Term,
    ) -> Term {
        let holder = cx.terms.as_symbol(object.symbol).expect("an input object has a symbol");
        let own = |h: Symbol, f: FieldId| (h, f) == (holder, field);
        if !heap.initial.iter().any(|(h, f, _)| own(*h, *f)) {
            // What the program wrote without looking stays in the column; only the name is new.
            let name = cx.field_symbol(holder, field);
            match heap.fields.value(field, object.symbol) {
                None => Self::refine(heap, cx, Some(known), object.symbol, field, facts),
                Some(_) => {
                    let name = crate::java::given_field(cx, name, field, facts).unwrap_or(name);
                    Rc::make_mut(&mut heap.initial).push((holder, field, name));
                }
            }
        }
        let at = heap.initial.iter().position(|(h, f, _)| own(*h, *f)).expect("it has a name");
        heap.named_before(cx, Some(known), object.symbol, field, at, heap.initial[at].2)
    }

    fn is_unwritten(&self, before: &Columns) -> bool {
        !self.1.is_more_than(before.1)
    }

    fn binds(&self, symbol: Term) -> bool {
        self.0.iter().any(|(_, column)| column.iter().any(|(known, _)| *known == symbol))
    }

    fn all(&self) -> Vec<(Term, FieldId, Term)> {
        let values = |(field, column): &(FieldId, Column)| {
            column.iter().map(|&(symbol, value)| (symbol, *field, value)).collect::<Vec<_>>()
        };
        self.0.iter().flat_map(values).collect()
    }
}
