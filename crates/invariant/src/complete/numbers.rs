//! The numbers of complete heaps: every choice within a range, by asking for one more until there is none.

use lazuli_engine::context::InitialHeap;
use lazuli_logic::{BitOp, Sort, Term, Value};
use lazuli_program::ir::{FieldId, Type};

use super::{Cut, Partial, Search};
use crate::evaluate::Evaluator;

impl Search<'_, '_> {
    /// Accepts a heap once for every choice of the numbers that the invariants mention.
    pub(super) fn choose_numbers(&mut self, mut partial: Partial, (least, greatest): (i64, i64)) {
        let numbers = self.numbers(&mut partial);
        for &number in &numbers {
            let within = self.is_within(number, least, greatest);
            if !self.assume(&mut partial.path, within) {
                return;
            }
        }
        loop {
            if self.accepted.count >= self.extent.steps {
                self.accepted.cut = Some(Cut::Steps);
                return;
            }
            self.keep(&partial);
            let Some(model) = partial.path.model() else { return };
            let differs: Vec<Term> = numbers
                .iter()
                .filter_map(|&number| {
                    let value = match (self.cx.terms.eval(number, &model)?, self.cx.terms.sort(number)) {
                        (Value::Bits(bits), Sort::Bits(width)) => self.cx.terms.bits(width, bits),
                        (Value::Int(value), _) => self.cx.terms.int(i64::try_from(value).ok()?),
                        _ => return None,
                    };
                    Some(self.cx.terms.ne(number, value))
                })
                .collect();
            let another = self.cx.terms.any(differs);
            if !self.assume(&mut partial.path, another) {
                return;
            }
        }
    }

    /// The numbers that the invariants mention, in all objects.
    fn numbers(&mut self, partial: &mut Partial) -> Vec<Term> {
        let program = self.cx.program;
        let mut mentioned: Vec<FieldId> = self.cx.origins().hex.initial_fields();
        mentioned.retain(|field| !matches!(program.field(*field).ty, Type::Bool | Type::Ref(_)));
        let mut numbers = Vec::new();
        for number in 0..partial.backbone.len() {
            let Some(class) = self.class_of(partial, number) else { continue };
            let fields = program.class(class).layout.iter().filter(|field| mentioned.contains(field));
            let object = partial.backbone.node(number).object();
            for &field in fields {
                let mut facts = Term::TRUE;
                let value = partial.heap.initial(self.cx, &partial.backbone, object, field, &mut facts);
                if self.assume(&mut partial.path, facts) {
                    numbers.push(value);
                }
            }
        }
        numbers
    }

    fn is_within(&mut self, number: Term, least: i64, greatest: i64) -> Term {
        match self.cx.terms.sort(number) {
            Sort::Bits(width) => {
                let bound = |search: &mut Self, value: i64| search.cx.terms.bits(width, value as u64);
                let (least, greatest) = (bound(self, least), bound(self, greatest));
                let below = self.cx.terms.bit_op(BitOp::SLt, number, least);
                let above = self.cx.terms.bit_op(BitOp::SLt, greatest, number);
                let outside = self.cx.terms.or(below, above);
                self.cx.terms.not(outside)
            }
            _ => {
                let (least, greatest) = (self.cx.terms.int(least), self.cx.terms.int(greatest));
                let below = self.cx.terms.lt(number, least);
                let above = self.cx.terms.lt(greatest, number);
                let outside = self.cx.terms.or(below, above);
                self.cx.terms.not(outside)
            }
        }
    }
}
