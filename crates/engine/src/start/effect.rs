//! What an initialiser did when it ran for all paths, and how a path takes that over.

use std::rc::Rc;

use lazuli_logic::{PathCondition, Term};
use lazuli_program::ir::{ClassId, Reg, StrId};
use rustc_hash::FxHashSet;

use crate::executor::Executor;
use crate::heap::HeapModel;
use crate::outcome::Outcome;
use crate::shared::Maker;
use crate::started::{Effect, Running};
use crate::state::State;
use crate::suspend::Pause;
use crate::vm::By;

/// The instructions after which a run for all paths is given up. None of the JDK's takes nearly as many.
const MOST_STEPS: u64 = 20_000_000;

/// How a run for all paths ended.
pub(super) enum Built {
    Effect(Maker),
    /// It depends on the path.
    OnPath,
    /// For the sake of a class that waits for it.
    GivenUp(ClassId),
}

impl<M: HeapModel> Executor<'_, M> {
    /// Runs the initialiser of a class on a state of its own.
    pub(super) fn run_for_all(&mut self, class: ClassId) -> Built {
        let library = self.cx.library().expect("only Java has initialisers");
        if library.has_symbolic_statics(class) {
            return Built::OnPath;
        }
        let maker = self.start.makers.len() as Maker;
        self.start.makers.push(class);
        let depends = FxHashSet::from_iter([class]);
        self.start.running.push(Running {
            class,
            depends,
            statics: FxHashSet::default(),
            uses: Vec::new(),
            varying: 0,
        });
        let mut state = State::new(M::Heap::default(), PathCondition::default());
        state.be_quiet(0);
        let returned = self.run_aside(maker, |executor| {
            let initialiser = executor.cx.library().and_then(|library| library.java(class).initializer);
            executor.push_frame(&mut state, initialiser.expect("it is run"), &[], Reg(0), true);
            Rc::make_mut(&mut state.vm).set_initialised(class, By::Path);
            // What is above a class is initialised before it.
            let mut above = library.initialised_with(class);
            above.pop();
            if executor.init_in_order(&mut state, above).is_err() {
                return false;
            }
            matches!(executor.advance(&mut state), Pause::End(Outcome::Returned, _))
        });
        let running = self.start.running.pop().expect("just pushed");
        if let Some(within) = self.start.given_up.take() {
            return Built::GivenUp(within);
        }
        let vm = &state.vm;
        let is_plain = vm.failed.is_empty()
            && vm.untold.is_empty()
            && vm.calls.is_empty()
            && vm.inputs.is_empty()
            && vm.boxes.is_empty();
        if !returned || !is_plain {
            return Built::OnPath;
        }
        let effect = self.effect_of(&mut state, maker, running);
        self.start.effects.insert(maker, effect);
        Built::Effect(maker)
    }

    /// Does something beside the instruction in work, which is not disturbed.
    fn run_aside(&mut self, maker: Maker, run: impl FnOnce(&mut Self) -> bool) -> bool {
        let maker_before = self.cx.shared.maker.replace(maker);
        let counts = self.counts;
        let (operations, asked) = (self.operations, self.asked);
        let (cases, ways) = (std::mem::take(&mut self.cases), std::mem::take(&mut self.ways));
        let facts = std::mem::take(&mut self.facts);
        let (path, cx_facts) = (std::mem::take(&mut self.cx.path), std::mem::take(&mut self.cx.facts));
        let steps_trace = self.steps_trace.take();
        let listens = std::mem::replace(&mut self.cx.listens, false);
        let companions = std::mem::replace(&mut self.companions, false);
        let most_steps = std::mem::replace(&mut self.most_steps, MOST_STEPS);
        let result = run(self);
        self.most_steps = most_steps;
        self.companions = companions;
        self.cx.listens = listens;
        self.steps_trace = steps_trace;
        (self.cx.path, self.cx.facts) = (path, cx_facts);
        self.facts = facts;
        (self.cases, self.ways) = (cases, ways);
        (self.operations, self.asked) = (operations, asked);
        self.start.steps += self.counts.steps - counts.steps;
        self.counts = counts;
        self.cx.shared.maker = maker_before;
        result
    }

    /// What a run has done: its objects are finished, and what it did elsewhere is written down.
    fn effect_of(&mut self, state: &mut State<M::Heap>, maker: Maker, running: Running) -> Effect {
        let Running { mut depends, statics: mut read, uses, .. } = running;
        for (_, used) in &uses {
            depends.extend(self.start.effects[used].depends.iter().copied());
            read.extend(self.start.effects[used].read.iter().copied());
        }
        let mut effect = Effect { uses, depends, read, ..Effect::default() };
        let vm = &state.vm;
        effect.members = vm.initialised.iter().filter(|(_, by)| **by == By::Path).map(|(class, _)| *class).collect();
        effect.depends.extend(effect.members.iter().copied());
        for (&field, &value) in &vm.statics {
            match effect.members.contains(&self.cx.program.field(field).class) {
                true => _ = effect.statics.insert(field, value),
                false => effect.elsewhere.push((field, value)),
            }
        }
        effect.hashed = vm.hashed;
        effect.strings = vm.strings.iter().map(|(id, string)| (*id, *string)).collect();
        for (cell, value) in self.model.shared(&mut state.heap).written() {
            let holder = self.cx.shared.holder_of(cell);
            match self.cx.shared.maker_of(holder) == Some(maker) || self.is_cache(holder, cell) {
                true => self.cx.shared.set_cell(cell, value),
                false => effect.cells.push((cell, value)),
            }
        }
        for (array, elements) in self.model.arrays(&mut state.heap).written_shared() {
            match self.cx.shared.maker_of(array) == Some(maker) {
                true => self.cx.shared.set_elements(array, elements),
                false => effect.arrays.push((array, elements)),
            }
        }
        effect
    }

    /// Whether a field of a constant string keeps what its text says anyway.
    fn is_cache(&self, holder: u32, cell: u32) -> bool {
        let Some(known) = self.cx.known.as_ref() else { return false };
        let is_literal = self.cx.shared.maker_of(holder).is_none() && self.cx.shared.class(holder) == known.string;
        is_literal && known.string_caches.iter().any(|field| self.cx.shared_cell(holder, *field) == cell)
    }

    /// Initialises a class by an effect, if the path has left alone what that depends on.
    pub(super) fn apply_effect(&mut self, state: &mut State<M::Heap>, class: ClassId, maker: Maker) -> bool {
        if self.has_changed(state, maker) {
            return false;
        }
        let mut planned = Vec::new();
        if !self.plan(state, maker, &mut planned) {
            return false;
        }
        for maker in planned {
            self.take_effect(state, maker);
        }
        if let Some(running) = self.start.running.last_mut() {
            running.uses.push((class, maker));
        }
        true
    }

    /// Whether the path has changed something that an effect depends on.
    fn has_changed(&mut self, state: &mut State<M::Heap>, maker: Maker) -> bool {
        let effect = &self.start.effects[&maker];
        if state.vm.statics.keys().any(|field| effect.read.contains(field)) {
            return true;
        }
        let depends = |location: u32| {
            let maker = self.cx.shared.maker_of(location);
            maker.is_some_and(|maker| effect.depends.contains(&self.start.makers[maker as usize]))
        };
        let cells = self.model.shared(&mut state.heap).written();
        if cells.into_iter().any(|(cell, _)| depends(self.cx.shared.holder_of(cell))) {
            return true;
        }
        self.model.arrays(&mut state.heap).written_shared().into_iter().any(|(array, _)| depends(array))
    }

    /// The effects that have to be taken over for one, itself last.
    fn plan(&self, state: &State<M::Heap>, maker: Maker, planned: &mut Vec<Maker>) -> bool {
        if planned.contains(&maker) {
            return true;
        }
        let effect = &self.start.effects[&maker];
        for (class, used) in &effect.uses {
            let possible = match state.vm.initialised.get(class) {
                Some(By::Shared(by)) => by == used,
                Some(_) => false,
                None => self.plan(state, *used, planned),
            };
            if !possible {
                return false;
            }
        }
        planned.push(maker);
        let is_same = |(id, string): &(StrId, Term)| state.vm.strings.get(id).is_none_or(|known| known == string);
        effect.strings.iter().all(is_same) && !effect.members.iter().any(|member| state.vm.is_initialised(*member))
    }

    fn take_effect(&mut self, state: &mut State<M::Heap>, maker: Maker) {
        let effect = &self.start.effects[&maker];
        let vm = Rc::make_mut(&mut state.vm);
        for member in &effect.members {
            vm.set_initialised(*member, By::Shared(maker));
        }
        vm.statics.extend(effect.elsewhere.iter().copied());
        vm.hashed |= effect.hashed;
        if !effect.strings.is_empty() {
            let strings = Rc::make_mut(&mut vm.strings);
            effect.strings.iter().for_each(|(id, string)| _ = strings.entry(*id).or_insert(*string));
        }
        let overlay = self.model.shared(&mut state.heap);
        effect.cells.iter().for_each(|(cell, value)| overlay.set_cell(*cell, *value));
        let arrays = self.model.arrays(&mut state.heap);
        effect.arrays.iter().for_each(|(array, elements)| arrays.set_dense(*array, elements.clone()));
    }
}
