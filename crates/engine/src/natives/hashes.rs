//! The hash codes of objects that define none.

use std::rc::Rc;

use lazuli_logic::Term;
use lazuli_program::ir::Type;
use lazuli_program::library::IDENTITY_HASH;

use crate::executor::Executor;
use crate::heap::HeapModel;
use crate::state::State;
use crate::suspend::{Step, unsupported};

impl<M: HeapModel> Executor<'_, M> {
    /// `Object.hashCode`.
    pub(crate) fn identity_hash(&mut self, state: &mut State<M::Heap>, object: Term) -> Step<Term> {
        if self.may_be_box(state, object) {
            return unsupported("the identity hash code of a box of an unknown number");
        }
        match self.cx.library().is_some_and(|library| library.world.unknown_hashes) {
            true => self.unknown_hash(state, object),
            false => self.counted_hash(state, object),
        }
    }

    /// One of the choices that a machine has: the i-th question of a path gives i if its object was not asked before, otherwise what that object got.
    fn counted_hash(&mut self, state: &mut State<M::Heap>, object: Term) -> Step<Term> {
        self.cx.caveats.insert("identity hash codes count the questions (--identity-hash)".into());
        let hashes = &state.vm.hashes;
        let number = hashes.asked + 1;
        let known = hashes.of_location.get(&object).map(|known| self.cx.int(*known as i64));
        let mut value = known.unwrap_or_else(|| self.cx.int(number as i64));
        if known.is_none() {
            let mut others = hashes.unknown.clone();
            if object.as_location().is_none() {
                let locations = hashes.locations.iter().map(|(number, object)| (*object, *number));
                let locations: Vec<(Term, u32)> = locations.collect();
                others.extend(locations.into_iter().map(|(object, number)| (object, self.cx.int(number as i64))));
            }
            for (other, hash) in others {
                let same = self.same(state, object, other)?;
                value = self.cx.terms.ite(same, hash, value);
            }
        }
        let hashes = &mut Rc::make_mut(&mut state.vm).hashes;
        hashes.asked = number;
        match object.as_location() {
            Some(_) if known.is_some() => {}
            // An input that was asked before under another name has that one's number.
            Some(_) if hashes.unknown.is_empty() => {
                hashes.locations.insert(number, object);
                hashes.of_location.insert(object, number);
            }
            _ => hashes.unknown.push((object, value)),
        }
        Ok(value)
    }

    /// An unknown that belongs to the object. Objects of the program get theirs when they are asked.
    fn unknown_hash(&mut self, state: &mut State<M::Heap>, object: Term) -> Step<Term> {
        self.cx.caveats.insert("identity hash codes are unknown values".into());
        let zero = self.cx.int(0);
        let mut unasked = Vec::new();
        for (leaf, _) in self.cx.terms.leaves(object).to_vec() {
            if leaf.as_location().is_some() && self.read(state, leaf, IDENTITY_HASH)? == zero {
                unasked.push(leaf);
            }
        }
        // An input object has one from the beginning.
        self.read(state, object, IDENTITY_HASH)?;
        for leaf in unasked {
            let hash = self.fresh_input(state, "identityHashCode", Type::Int);
            self.model.preset(&mut self.cx, &mut state.heap, leaf, IDENTITY_HASH, hash);
        }
        self.commit(state);
        self.read(state, object, IDENTITY_HASH)
    }
}
