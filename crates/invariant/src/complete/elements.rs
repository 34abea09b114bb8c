//! Arrays of references in complete heaps: their lengths, up to the size of the heaps, and their elements.

use crate::hex::automaton::Selector;
use lazuli_logic::Term;
use lazuli_program::ir::{ClassId, Type};
use lazuli_program::library::LENGTH;

use super::{Cut, Open, Partial, Search};
use crate::evaluate::origin::index_selectors;
use crate::evaluate::{Evaluator, OriginId};
use lazuli_engine::context::InitialHeap;
use lazuli_engine::heap::{Cases, Elements, Enumerating, Found, Memory};

impl Search<'_, '_> {
    /// What is open of a node that is an array, if a statement is about its elements: its length, and then they.
    pub(super) fn open_elements(&mut self, partial: &Partial, number: u32, class: ClassId) -> Vec<Open> {
        let node = partial.backbone.node(number);
        let (object, origin) = (partial.backbone.object_of(number), node.places[0].origin);
        let Some(Type::Ref(class)) = self.cx.element_of(class) else { return Vec::new() };
        let program = self.cx.program;
        let mentioned = |search: &mut Self, selector: Selector| -> Option<OriginId> {
            let element = search.cx.origins().step(program, origin, selector, class);
            search.cx.origins().is_known_in_the_end(program, element).then_some(element)
        };
        let Some(&(_, length)) = partial.lengths.iter().find(|(known, _)| *known == object) else {
            let any = self.cx.origins().some_indices();
            let is_mentioned = any.into_iter().any(|selector| mentioned(self, selector).is_some());
            return is_mentioned.then_some(Open::Length { node: number }).into_iter().collect();
        };
        let open = (0..length).filter(|index| !partial.elements.contains(&(object, *index)));
        let element = |index| {
            let at = self.cx.int(index as i64);
            let (_, selector) = index_selectors(self.cx, at)[0];
            let origin = mentioned(self, selector)?;
            Some(Open::Element { object, index, element: Type::Ref(class), origin })
        };
        open.filter_map(element).collect()
    }

    pub(super) fn decide_length(&mut self, partial: Partial, node: u32, stack: &mut Vec<Partial>) {
        let most = self.cx.library().map_or(0, |library| library.world.max_array);
        for length in 0..=self.extent.size.min(most) {
            let mut next = partial.clone();
            let object = next.backbone.object_of(node);
            let node = next.backbone.node(node).object();
            let mut facts = Term::TRUE;
            let value = next.heap.initial(self.cx, &next.backbone, node, LENGTH, &mut facts);
            let number = self.cx.int(length as i64);
            let equal = self.cx.terms.eq(value, number);
            let clause = self.cx.terms.and(facts, equal);
            if self.assume(&mut next.path, clause) {
                next.lengths.push((object, length));
                stack.push(next);
            }
        }
        if most > self.extent.size {
            self.accepted.cut = self.accepted.cut.take().or(Some(Cut::Size));
        }
    }

    pub(super) fn resolve_element(
        &mut self,
        mut partial: Partial,
        (object, index): (u32, u32),
        element: Type,
        stack: &mut Vec<Partial>,
    ) {
        partial.elements.push((object, index));
        let at = self.cx.int(index as i64);
        let mut read = Cases::default();
        self.model.element(self.cx, &mut partial.heap, Term::location(object), at, element, &mut read);
        // Where the index of another element is not known, it may be this one.
        for case in read.list {
            let (Some(Found::Value(value)), mut next) = (case.found, partial.clone()) else { continue };
            if !self.assume(&mut next.path, case.guard) {
                continue;
            }
            if !self.model.is_open(self.cx, &next.heap, value) {
                stack.push(next);
                continue;
            }
            let mut cases = Cases::default();
            self.model.touch(self.cx, &mut next.heap, value, &mut cases);
            self.take_cases(&next, cases, stack);
        }
    }
}
