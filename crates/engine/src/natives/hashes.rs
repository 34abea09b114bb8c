//! Identity hash codes: what `Object.hashCode` gives where nobody overrides it.
//!
//! A virtual machine gives any number. Here one choice is made, unless all are wanted: the i-th question of a path gives i if its object was not
//! asked before, otherwise what it gave then. An object that all paths share has a number that depends on who made it, so that
//! initialisers which ask for it need not be executed on every path.

use std::rc::Rc;

use lazuli_logic::Term;
use lazuli_program::ir::Type;
use lazuli_program::library::IDENTITY_HASH;

use crate::config::IdentityHash;
use crate::executor::Executor;
use crate::heap::HeapModel;
use crate::observe::is_users_shared;
use crate::scope::Taken;
use crate::shared::is_shared;
use crate::state::State;
use crate::suspend::{Step, unsupported};

impl<M: HeapModel> Executor<'_, M> {
    /// The identity hash code of an object that is not null.
    pub(crate) fn identity_hash(&mut self, state: &mut State<M::Heap>, object: Term) -> Step<Term> {
        if self.may_be_box(state, object) {
            return unsupported("the identity hash code of a box of an unknown number");
        }
        if self.config.environment.identity_hash == IdentityHash::Unknown {
            return self.unknown_hash(state, object);
        }
        let object = self.check_null(state, object)?;
        if let Some((_, hash)) = state.vm.hashes.iter().find(|(known, _)| *known == object) {
            return Ok(*hash);
        }
        let mut hash = self.cx.int(state.vm.hashes.len() as i64 + 1);
        for (leaf, guard) in self.cx.terms.leaves(object).to_vec() {
            // What exists before the entry has its number, whoever denotes it.
            let offered = self.cx.choice_of(leaf).map_or_else(Vec::new, |choice| choice.objects.to_vec());
            for (location, _) in offered {
                let number = self.shared_hash(location);
                let number = self.cx.int(number as i64);
                let is = self.cx.terms.eq(leaf, Term::location(location));
                let here = self.cx.terms.and(guard, is);
                hash = self.cx.terms.ite(here, number, hash);
                Rc::make_mut(&mut state.vm).hashed = true;
            }
            if let Some(location) = leaf.as_location().filter(|location| is_shared(*location)) {
                let number = self.shared_hash(location);
                let number = self.cx.int(number as i64);
                hash = self.cx.terms.ite(guard, number, hash);
            }
        }
        // Objects of the machine have theirs from the beginning: they are no question.
        if let Some(location) = object.as_location().filter(|location| is_shared(*location)) {
            if is_users_shared(self, location) {
                Rc::make_mut(&mut state.vm).hashed = true;
            }
            return Ok(hash);
        }
        self.only_on_path()?;
        self.cx.take_for_granted(Taken::IdentityHashes);
        for &(known, given) in state.vm.hashes.clone().iter() {
            let same = self.cx.terms.eq(object, known);
            hash = self.cx.terms.ite(same, given, hash);
        }
        Rc::make_mut(&mut Rc::make_mut(&mut state.vm).hashes).push((object, hash));
        Ok(hash)
    }

    /// The number of an object that all paths share: never 0, and the same in every run.
    fn shared_hash(&mut self, location: u32) -> u32 {
        let text = self.name_of_shared(location);
        // FNV-1a: short, and known everywhere.
        let hash = text.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ byte as u32).wrapping_mul(0x0100_0193));
        (hash >> 1).max(1)
    }

    /// Any number, which belongs to the object. Objects of the program get theirs when they are asked.
    fn unknown_hash(&mut self, state: &mut State<M::Heap>, object: Term) -> Step<Term> {
        self.only_on_path()?;
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
            let hash = self.fresh_input(state, "identityHashCode", Type::Int)?;
            self.model.preset(&mut self.cx, &mut state.heap, leaf, IDENTITY_HASH, hash);
        }
        self.commit(state);
        self.read(state, object, IDENTITY_HASH)
    }
}
