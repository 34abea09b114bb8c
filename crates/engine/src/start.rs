//! Initialising classes, and what exists before the program's first instruction.
//!
//! Most initialisers do the same wherever they run: they read constants, and what other initialisers of this kind have left. Such an initialiser
//! is executed *once*, on a state of its own, and what it made belongs to all paths and trials ([`crate::shared`]). A path on which the class is
//! first used takes over the [`Effect`](crate::started::Effect): that is a lookup, not a run. An initialiser that decides something, asks for an input or an identity hash
//! code, prints, throws or stops is executed on every path, as it is written; and so is one that has looked at something which the
//! path in question has changed meanwhile.
//!
//! *Invariant:* a path that takes over an effect is in the state in which its own run of the initialiser would have left it, but for the
//! numbers of objects. That is why an effect remembers the statics that it has looked at, and the classes whose objects it may have.

mod boot;
mod effect;
mod files;
pub(crate) mod machine;
mod modules;
pub(crate) mod properties;
mod resources;
pub(crate) mod table;
mod varying;

use std::rc::Rc;

use lazuli_logic::Term;
use lazuli_program::ir::{ClassId, FieldId, MethodId, Reg};

use crate::executor::Executor;
use crate::heap::HeapModel;
use crate::outcome::{Bound, Stop};
use crate::shared::Maker;
use crate::started::{Known, Running};
use crate::state::State;
use crate::suspend::{Step, Suspend, unsupported};
use crate::vm::By;
use effect::Built;

impl<M: HeapModel> Executor<'_, M> {
    /// Initialises a class, its superclasses and their interfaces as far as they are not: by taking over what was done for all paths, or by
    /// entering the initialisers, the uppermost first; then what is under way goes on.
    pub(crate) fn init_class(&mut self, state: &mut State<M::Heap>, class: ClassId) -> Step {
        let library = self.cx.library().expect("only Java has initialisers");
        if let Some(why) = &library.java(class).missing {
            return unsupported(format!("the class {}: {why}, and it", library.class(class).name));
        }
        if state.vm.failed.contains(&class) {
            let text = format!("Could not initialize class {}", library.class(class).name);
            return self.throw_with_message(state, "NoClassDefFoundError", &text);
        }
        let before = table::before(library.internal_name(class)).map(|before| library.class_id(before));
        if let Some(before) = before.filter(|before| !state.vm.is_initialised(*before)) {
            // It initialises this one.
            return self.init_class(state, before);
        }
        self.init_in_order(state, library.initialised_with(class))
    }

    fn init_in_order(&mut self, state: &mut State<M::Heap>, classes: Vec<ClassId>) -> Step {
        let library = self.cx.library().expect("only Java has initialisers");
        let mut entered = Vec::new();
        for class in classes {
            if state.vm.is_initialised(class) || self.cx.is_machine(class) {
                continue;
            }
            self.depends_on(class);
            let initialiser = library.java(class).initializer;
            if initialiser.is_some() && entered.is_empty() && self.take_over(state, class)? {
                continue;
            }
            let by = if initialiser.is_some() { By::Path } else { By::Nobody };
            Rc::make_mut(&mut state.vm).set_initialised(class, by);
            entered.extend(initialiser);
        }
        self.enter_initialisers(state, entered)
    }

    fn enter_initialisers(&mut self, state: &mut State<M::Heap>, initialisers: Vec<MethodId>) -> Step {
        // When an initialiser runs is no decision of the program's, and it runs on constants.
        if !initialisers.is_empty() {
            state.be_quiet(state.frames.len());
        }
        for initialiser in initialisers.into_iter().rev() {
            if state.frames.len() >= self.config.bounds.calls {
                return Err(Suspend::stop(Stop::Bound(Bound::MaxCalls)));
            }
            self.push_frame(state, initialiser, &[], Reg(0), false);
        }
        Ok(())
    }

    /// Initialises a class by what its initialiser did for all paths, if that is possible here.
    fn take_over(&mut self, state: &mut State<M::Heap>, class: ClassId) -> Step<bool> {
        let maker = match self.start.known.get(&class) {
            Some(Known::OnPath) => return Ok(false),
            Some(Known::Effect(maker)) => Some(*maker),
            None => self.build(class)?,
        };
        Ok(maker.is_some_and(|maker| self.apply_effect(state, class, maker)))
    }

    /// Runs the initialiser of a class for all paths, if it can be; who has done it.
    fn build(&mut self, class: ClassId) -> Step<Option<Maker>> {
        if self.start.running.iter().any(|running| running.class == class) {
            // It waits for the one that is being run: that one is run as a part of it.
            return self.give_up_for(class);
        }
        let is_circular = |running: &Running| self.start.circular.contains(&(class, running.class));
        if self.start.running.iter().any(is_circular) {
            return Ok(None);
        }
        // The machine is started before anything else: nobody is waiting there.
        let boots = self.cx.is_machine(class);
        let waiting = if boots { std::mem::take(&mut self.start.running) } else { Vec::new() };
        let built = self.run_for_all(class);
        if boots {
            self.start.running = waiting;
        }
        match built {
            Built::Effect(maker) => {
                self.start.known.insert(class, Known::Effect(maker));
                if boots {
                    self.has_booted(maker)?;
                }
                Ok(Some(maker))
            }
            Built::OnPath => {
                self.start.known.insert(class, Known::OnPath);
                Ok(None)
            }
            // The start of the machine has initialised it.
            Built::GivenUp(within) if within == class => match self.start.known.get(&class) {
                Some(Known::Effect(maker)) => Ok(Some(*maker)),
                _ => Ok(None),
            },
            Built::GivenUp(within) if self.start.known.contains_key(&within) => self.give_up_for(within),
            Built::GivenUp(within) => {
                self.start.circular.insert((class, within));
                Ok(None)
            }
        }
    }

    /// Whatever the start of the machine has initialised is initialised by starting it, also what is waiting for that.
    fn has_booted(&mut self, maker: Maker) -> Step {
        for &member in &self.start.effects[&maker].members {
            self.start.known.insert(member, Known::Effect(maker));
        }
        let effect = &self.start.effects[&maker];
        let waiting = self.start.running.iter().map(|running| running.class);
        match waiting.into_iter().find(|class| effect.members.contains(class)) {
            Some(class) => self.give_up_for(class),
            None => Ok(()),
        }
    }

    /// The run for all paths is given up, and those that wait for it up to that of `class`.
    fn give_up_for<T>(&mut self, class: ClassId) -> Step<T> {
        self.start.given_up = Some(class);
        unsupported("an initialiser that needs one which waits for it")
    }

    /// What is being run for all paths looks at a static.
    #[inline]
    pub(crate) fn depends_on_static(&mut self, field: FieldId) {
        if let Some(running) = self.start.running.last_mut() {
            running.statics.insert(field);
        }
    }

    /// What is being run for all paths may look at the objects that the initialiser of a class has made.
    #[inline]
    pub(crate) fn depends_on(&mut self, class: ClassId) {
        if let Some(running) = self.start.running.last_mut() {
            running.depends.insert(class);
        }
    }

    /// What an object that all paths share is called: by who made it, the same in every run.
    pub(crate) fn name_of_shared(&self, location: u32) -> String {
        let library = self.cx.library().expect("only Java has a machine");
        if let Some(class) = self.mirrored(Term::location(location)) {
            return format!("class {}", library.internal_name(class));
        }
        let class = library.internal_name(self.cx.shared.class(location));
        match self.cx.shared.made(location) {
            Some((maker, number)) => {
                format!("{class} {number} of {}", library.internal_name(self.start.makers[maker as usize]))
            }
            // Strings and the like: nobody tells them apart by their numbers.
            None => class.into(),
        }
    }

    /// Whether an initialiser is being run for all paths: then nothing may depend on the path.
    pub(crate) fn runs_for_all(&self) -> bool {
        !self.start.running.is_empty()
    }

    /// What depends on the path was asked for: an initialiser that does so is executed on every path.
    pub(crate) fn only_on_path(&self) -> Step {
        match self.runs_for_all() {
            true => unsupported("an initialiser that depends on the path"),
            false => Ok(()),
        }
    }
}
