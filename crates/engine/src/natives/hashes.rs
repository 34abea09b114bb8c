//! Identity hash codes: what `Object.hashCode` gives where nobody overrides it.
//!
//! A virtual machine gives any number. Here one choice is made, unless all are wanted: the i-th question of a path gives i if its object was not
//! asked before, otherwise what it gave then. An object that all paths share has a number that depends on who made it, so that
//! initialisers which ask for it need not be executed on every path.

use std::rc::Rc;

use lazuli_logic::Term;
use lazuli_logic::term::BitOp;
use lazuli_program::ir::Type;
use lazuli_program::library::IDENTITY_HASH;

use crate::config::IdentityHash;
use crate::context::Wanted;
use crate::executor::{Executor, Inputs};
use crate::heap::HeapModel;
use crate::observe::is_users_shared;
use crate::scope::Taken;
use crate::shared::is_shared;
use crate::state::State;
use crate::suspend::{Step, unsupported};
use crate::vm::Asked;

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
        if let Some(asked) = state.vm.hashes.iter().find(|asked| asked.object == object) {
            return Ok(asked.hash);
        }
        let (shared, is_open) = self.shared_objects(object);
        // Objects of the machine have theirs from the beginning: they are no question.
        if let Some(location) = object.as_location().filter(|location| is_shared(*location)) {
            if is_users_shared(self, location) {
                Rc::make_mut(&mut state.vm).hashed = true;
            }
            let number = self.shared_hash(location);
            return Ok(self.cx.int(number.into()));
        }
        self.only_on_path()?;
        self.cx.take_for_granted(Taken::IdentityHashes);
        if let Some(hash) = self.given_hash(state, object)? {
            return Ok(hash);
        }
        let of_key = self.hash_of_key(state, object)?;
        let mut hash = of_key.unwrap_or_else(|| self.number_of_question(state));
        let mut is_known = Term::FALSE;
        for (guard, location) in shared {
            let number = self.shared_hash(location);
            let number = self.cx.int(number.into());
            hash = self.cx.terms.ite(guard, number, hash);
            is_known = self.cx.terms.or(is_known, guard);
        }
        for asked in state.vm.hashes.clone().iter() {
            let same = self.cx.terms.eq(object, asked.object);
            hash = self.cx.terms.ite(same, asked.hash, hash);
            is_known = self.cx.terms.or(is_known, same);
        }
        let mut is_new = if is_open { self.cx.terms.not(is_known) } else { Term::FALSE };
        if of_key.is_some() {
            // No object has 0.
            let zero = self.cx.int(0);
            let is_one = self.cx.terms.bit_op(BitOp::SLt, zero, hash);
            self.assume(state, is_one)?;
            is_new = Term::FALSE;
        }
        let vm = Rc::make_mut(&mut state.vm);
        Rc::make_mut(&mut vm.hashes).push(Asked { object, hash, is_new });
        Ok(hash)
    }

    /// The hash code of a key of an input map is what the map says: an unknown number that belongs to the object. The invariants
    /// are the first to ask for it.
    fn hash_of_key(&mut self, state: &mut State<M::Heap>, object: Term) -> Step<Option<Term>> {
        let is_asked = state.companions.last().is_some_and(|running| matches!(running.wanted, Wanted::Number(_)));
        let leaves = self.cx.terms.leaves(object);
        let is_input = |leaf: &(Term, Term)| self.model.input_symbol(&self.cx, &state.heap, leaf.0).is_some();
        match is_asked && leaves.iter().all(is_input) {
            true => self.read(state, object, IDENTITY_HASH).map(Some),
            false => Ok(None),
        }
    }

    /// The hash code that an object has in a witness.
    fn given_hash(&mut self, state: &mut State<M::Heap>, object: Term) -> Step<Option<Term>> {
        if object.as_location().is_none() || matches!(self.inputs, Inputs::Symbolic) {
            return Ok(None);
        }
        let (hash, zero) = (self.read(state, object, IDENTITY_HASH)?, self.cx.int(0));
        if hash == zero {
            return Ok(None);
        }
        Rc::make_mut(&mut state.vm).hashed = true;
        Ok(Some(hash))
    }

    /// One more than the number of objects that were asked on a path and were new then. What an input is that may be one
    /// of several is decided later, or never: the number is a term.
    fn number_of_question(&mut self, state: &State<M::Heap>) -> Term {
        let (zero, one) = (self.cx.int(0), self.cx.int(1));
        let mut number = one;
        for asked in state.vm.hashes.iter() {
            let step = self.cx.terms.ite(asked.is_new, one, zero);
            number = self.cx.terms.bit_op(BitOp::Add, number, step);
        }
        number
    }

    /// The objects that all paths share and that a reference may denote, under their guards; and whether it may denote
    /// others.
    fn shared_objects(&mut self, object: Term) -> (Vec<(Term, u32)>, bool) {
        let (mut shared, mut is_open) = (Vec::new(), false);
        for (leaf, guard) in self.cx.terms.leaves(object).to_vec() {
            if let Some(location) = leaf.as_location().filter(|location| is_shared(*location)) {
                shared.push((guard, location));
                continue;
            }
            let choice = self.cx.choice_of(leaf);
            is_open |= choice.as_ref().is_none_or(|choice| !choice.is_closed);
            for (location, _) in choice.iter().flat_map(|choice| &choice.objects) {
                let is = self.cx.terms.eq(leaf, Term::location(*location));
                shared.push((self.cx.terms.and(guard, is), *location));
            }
        }
        (shared, is_open)
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
