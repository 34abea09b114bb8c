//! Finding objects that exist before the entry, and their names: see [`crate::existing`].
//!
//! The class of an object that may be an input has been initialised before the entry: every path begins with that. Only initialisers count
//! that do the same on all paths and write nothing but what they make ([`crate::start`]); then nobody can tell when they ran.

use std::collections::VecDeque;

use lazuli_logic::{PathCondition, Term};
use lazuli_program::ir::{ClassId, FieldId};
use lazuli_program::library::access;
use rustc_hash::FxHashSet;

use crate::context::{OfferedAs, Universe};
use crate::executor::Executor;
use crate::existing::{Existing, Offered, Reached};
use crate::heap::HeapModel;
use crate::known::BOXES;
use crate::natives::boxes::cache_of;
use crate::scope::LeftOut;
use crate::shared::Maker;
use crate::state::State;
use crate::suspend::Step;
use crate::vm::By;

/// Where compilers keep the constants of an enum.
const VALUES: &str = "$VALUES";

/// How many objects are looked at on the way from static fields to one.
const MOST_REACHED: usize = 4_096;

impl<M: HeapModel> Executor<'_, M> {
    /// Offers what a run is to offer, before its first path begins.
    pub(crate) fn offer_all(&mut self, offered: &Offered) {
        for name in &offered.enums {
            self.offer_constants(name);
        }
        for object in &offered.objects {
            if let Some(location) = self.find_existing(object) {
                self.cx.offer(location, object.clone(), OfferedAs::Object);
                self.begins_with_class_of(object);
            }
        }
    }

    /// The constants of an enum are what its inputs may be; none, if its initialiser depends on the path.
    fn offer_constants(&mut self, name: &str) {
        let library = self.cx.library().expect("only Java has enums");
        let class = library.class_id(&name.replace('.', "/"));
        let mut universe = None;
        if let Some(state) = self.initialised(class) {
            for (field, _) in &library.java(class).statics {
                let declared = library.field(*field);
                if library.field_flags(*field) & access::ENUM == 0 {
                    continue;
                }
                if let Some(location) = self.static_so_far(&state, *field).and_then(Term::as_location) {
                    let (class, field) = (name.to_string(), declared.name.clone());
                    self.cx.offer(location, Existing::Static { class, field, path: Vec::new() }, OfferedAs::Constant);
                }
            }
            universe = self.offer_universe(&state, class, name);
            self.begins_with(class);
        } else {
            self.cx.scope.left_out.insert(LeftOut::Existing { class: self.cx.program.class(class).name.clone() });
        }
        self.cx.has_constants_of(class, universe);
    }

    /// The class object of an enum, and the array of its constants.
    fn offer_universe(&mut self, state: &State<M::Heap>, class: ClassId, name: &str) -> Option<Universe> {
        let library = self.cx.library()?;
        let array = format!("[L{};", library.internal_name(class));
        let field = library.find_field(class, &VALUES.into(), &array.as_str().into())?;
        let constants = self.static_so_far(state, field).and_then(Term::as_location)?;
        let mirror = self.mirror(class).as_location()?;
        self.cx.offer(mirror, Existing::Class { class: name.into() }, OfferedAs::Universe);
        let values = Existing::Static { class: name.into(), field: VALUES.into(), path: Vec::new() };
        self.cx.offer(constants, values, OfferedAs::Universe);
        Some(Universe { class: mirror, constants })
    }

    /// From now on every path begins with the class initialised that has made an object.
    pub(crate) fn begins_with_class_of(&mut self, object: &Existing) {
        let library = self.cx.library().expect("only Java has what exists before");
        let class = match object {
            Existing::Static { class, .. } => Some(class.replace('.', "/")),
            Existing::Boxed { class, .. } => cache_of(&class.replace('.', "/")).map(String::from),
            Existing::Literal { .. } | Existing::Class { .. } => None,
        };
        if let Some(class) = class {
            self.begins_with(library.class_id(&class));
        }
    }

    fn begins_with(&mut self, class: ClassId) {
        if !self.start.before.contains(&class) {
            self.start.before.push(class);
        }
    }

    /// Where an object is, if it is there on all paths.
    pub(crate) fn find_existing(&mut self, object: &Existing) -> Option<u32> {
        let library = self.cx.library()?;
        let class_of = |name: &str| library.class_id(&name.replace('.', "/"));
        match object {
            Existing::Literal { units } => {
                let id = library.string_id(&units.as_slice().into());
                self.literal(id).as_location()
            }
            Existing::Class { class } => self.mirror(class_of(class)).as_location(),
            Existing::Boxed { class, value } => {
                let class = class_of(class);
                let field = self.cx.program.field_named(class, "value")?;
                let holds = |executor: &Self, location: u32| {
                    let held = executor.cx.shared.cell(executor.cx.shared_cell(location, field));
                    executor.number(held) == Some(*value)
                };
                let cached = self.cached_boxes(class)?;
                cached.into_iter().find(|location| holds(self, *location))
            }
            Existing::Static { class, field, path } => {
                let class = class_of(class);
                let state = self.initialised(class)?;
                let (field, _) =
                    library.java(class).statics.iter().find(|(id, _)| library.field(*id).name == *field)?;
                let mut location = self.static_so_far(&state, *field)?.as_location()?;
                for reached in path {
                    location = match reached {
                        Reached::Element(index) => *self.cx.shared.elements(location)?.get(*index as usize)?,
                        Reached::Field { class, name } => {
                            let declaring = class_of(class);
                            let layout = &self.cx.program.class(self.cx.shared.class(location)).layout;
                            let is_it = |id: &&FieldId| {
                                library.field(**id).name == *name && library.field(**id).class == declaring
                            };
                            let field = *layout.iter().find(is_it)?;
                            self.cx.shared.cell(self.cx.shared_cell(location, field))
                        }
                    }
                    .as_location()?;
                }
                Some(location)
            }
        }
    }

    fn number(&self, value: Term) -> Option<i64> {
        match (value.as_bool(), self.cx.terms.as_bits(value)) {
            (Some(value), _) => Some(value as i64),
            (_, Some((16, bits))) => Some(bits as i64),
            (_, Some((width, bits))) => i64::try_from(crate::witness::signed(width, bits)).ok(),
            _ => None,
        }
    }

    /// The boxes that `valueOf` has.
    fn cached_boxes(&mut self, class: ClassId) -> Option<Vec<u32>> {
        let library = self.cx.library()?;
        let name = library.internal_name(class).to_string();
        let holder = library.class_id(cache_of(&name)?);
        let state = self.initialised(holder)?;
        let mut boxes = Vec::new();
        for (field, _) in &library.java(holder).statics {
            let Some(held) = self.static_so_far(&state, *field).and_then(Term::as_location) else { continue };
            match self.cx.shared.elements(held) {
                Some(elements) => boxes.extend(elements.iter().filter_map(|element| element.as_location())),
                None => boxes.push(held),
            }
        }
        boxes.retain(|location| self.cx.shared.class(*location) == class);
        Some(boxes)
    }

    /// A state in which a class was initialised by what its initialiser does on all paths, if nobody can tell when that was.
    fn initialised(&mut self, class: ClassId) -> Option<State<M::Heap>> {
        let mut state = State::new(M::Heap::default(), PathCondition::default());
        self.init_class(&mut state, class).ok()?;
        let makers: Vec<Maker> = state
            .vm
            .initialised
            .values()
            .filter_map(|by| match by {
                By::Shared(maker) => Some(*maker),
                By::Path | By::Nobody => None,
            })
            .collect();
        let is_silent = makers.into_iter().all(|maker| self.is_silent(maker));
        (state.frames.is_empty() && is_silent).then_some(state)
    }

    /// Whether a run for all paths has written nothing but what it made, and what class objects keep: they do not say what they keep. The start of
    /// the machine comes before everything anyhow.
    fn is_silent(&self, maker: Maker) -> bool {
        let effect = &self.start.effects[&maker];
        let is_kept = |cell: u32| {
            let holder = self.cx.shared.class(self.cx.shared.holder_of(cell));
            self.cx.known.as_ref().is_some_and(|known| known.class == holder)
        };
        let keeps = effect.cells.iter().all(|(cell, _)| is_kept(*cell));
        let writes_nothing = effect.elsewhere.is_empty() && effect.arrays.is_empty() && keeps;
        writes_nothing || self.cx.is_machine(self.start.makers[maker as usize])
    }

    /// The classes whose objects are inputs are initialised before the entry.
    pub(crate) fn begin_initialised(&mut self, state: &mut State<M::Heap>) -> Step {
        for at in 0..self.start.before.len() {
            let class = self.start.before[at];
            if !state.vm.is_initialised(class) {
                self.init_class(state, class)?;
            }
        }
        Ok(())
    }

    /// The name of an object that all paths share, if it can be an input: literals, cached boxes, and what is reached from static fields.
    pub(crate) fn name_existing(&mut self, location: u32) -> Option<Existing> {
        let library = self.cx.library()?;
        if self.cx.shared.is_opaque(location) {
            return None;
        }
        let literal = self.start.literals.iter().find(|(_, object)| object.as_location() == Some(location));
        if let Some((id, _)) = literal {
            return Some(Existing::Literal { units: library.string(*id).to_vec() });
        }
        if let Some(class) = self.mirrored(Term::location(location)) {
            let class = library.binary_name(class);
            return (!class.contains("$$")).then_some(Existing::Class { class });
        }
        let (maker, _) = self.cx.shared.made(location)?;
        let class = self.cx.shared.class(location);
        if BOXES.iter().any(|(name, _)| *name == library.internal_name(class))
            && let Some(field) = self.cx.program.field_named(class, "value")
            && let Some(value) = self.number(self.cx.shared.cell(self.cx.shared_cell(location, field)))
        {
            let boxed = Existing::Boxed { class: library.binary_name(class), value };
            if self.find_existing(&boxed) == Some(location) {
                return Some(boxed);
            }
        }
        let name = self.reached_from_statics(maker, location)?;
        // It is what somebody finds who looks for it.
        (self.find_existing(&name) == Some(location)).then_some(name)
    }

    /// The way from a static field of the classes that were initialised together to an object: the shortest, and of those the first by name.
    fn reached_from_statics(&self, maker: Maker, location: u32) -> Option<Existing> {
        let library = self.cx.library()?;
        let effect = self.start.effects.get(&maker)?;
        let mut statics: Vec<(String, FieldId, u32)> = effect
            .statics
            .iter()
            .filter_map(|(field, value)| {
                Some((library.binary_name(library.field(*field).class), *field, value.as_location()?))
            })
            .collect();
        statics.sort_unstable_by(|a, b| (&a.0, library.field(a.1).slot).cmp(&(&b.0, library.field(b.1).slot)));
        let mut queue: VecDeque<(usize, Vec<Reached>, u32)> =
            statics.iter().enumerate().map(|(at, (_, _, object))| (at, Vec::new(), *object)).collect();
        let mut seen = FxHashSet::default();
        while let Some((at, path, object)) = queue.pop_front() {
            if object == location {
                let (class, field) = (statics[at].0.clone(), library.field(statics[at].1).name.clone());
                return Some(Existing::Static { class, field, path });
            }
            if !seen.insert(object) || seen.len() > MOST_REACHED {
                continue;
            }
            let mut reach = |reached: Reached, value: Term| {
                let mut longer = path.clone();
                longer.push(reached);
                queue.extend(value.as_location().map(|next| (at, longer, next)));
            };
            if let Some(elements) = self.cx.shared.elements(object) {
                (0..).zip(elements.iter()).for_each(|(index, value)| reach(Reached::Element(index), *value));
                continue;
            }
            for &field in &self.cx.program.class(self.cx.shared.class(object)).layout {
                let declared = library.field(field);
                let value = self.cx.shared.cell(self.cx.shared_cell(object, field));
                reach(
                    Reached::Field { class: library.binary_name(declared.class), name: declared.name.clone() },
                    value,
                );
            }
        }
        None
    }
}
