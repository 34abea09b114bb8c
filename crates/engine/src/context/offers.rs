//! Objects that exist before the entry, where they may be inputs: which of them a symbol may denote, under every heap model.
//!
//! Such an object stays what it is, a location that all paths share ([`crate::shared`]), and its fields are those of the location. What is new is that a
//! symbol of a fitting class may be equal to it: for the logic it is a constant object (`Terms::make_constant`). A model that enumerates has one
//! case more for each; the others have the equality as a condition.

use std::rc::Rc;

use lazuli_logic::{Symbol, Term};
use lazuli_program::ir::{ClassId, FieldId};
use lazuli_program::library::access;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Context;
use super::universes::Universe;
use crate::existing::Existing;
use crate::scope::LeftOut;

#[derive(Default)]
pub(crate) struct Offers {
    /// In the order in which they are proposed.
    list: Vec<Offer>,
    by_symbol: FxHashMap<Symbol, usize>,
    /// The enums whose constants are among them.
    pub(super) enums: FxHashSet<ClassId>,
    pub(super) universes: FxHashMap<ClassId, Universe>,
    /// By the number of a symbol.
    of: Vec<Known>,
}

struct Offer {
    location: u32,
    class: ClassId,
    symbol: Symbol,
    name: Existing,
    as_what: OfferedAs,
}

/// What an object is offered as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OfferedAs {
    Object,
    /// A constant of an enum.
    Constant,
    /// What only sets and maps over an enum have.
    Universe,
}

#[derive(Clone)]
enum Known {
    Unasked,
    /// It denotes null or an object of the input.
    Plain,
    Special(Rc<Choice>),
}

/// What a symbol may denote beside null and objects of the input.
pub struct Choice {
    /// The locations of objects that exist before the entry, in order, with their classes.
    pub objects: Vec<(u32, ClassId)>,
    /// It denotes no object of the input: it is of an enum, or a class object.
    pub is_closed: bool,
    /// The classes of objects of the input that it may denote, if those are not all of its classes.
    pub open: Option<Vec<(u32, u32)>>,
    /// What is true of it in every input.
    pub clause: Term,
}

impl Context<'_> {
    /// An object may be an input from now on.
    pub(crate) fn offer(&mut self, location: u32, name: Existing, as_what: OfferedAs) {
        if let Some(offer) = self.offers.list.iter_mut().find(|offer| offer.location == location) {
            // The class object of an enum may be any input of its type as well.
            if as_what == OfferedAs::Object {
                offer.as_what = as_what;
            }
            return;
        }
        let class = self.shared.class(location);
        let symbol = self.terms.make_constant(location, &name.to_string(), class.0);
        self.offers.by_symbol.insert(symbol, self.offers.list.len());
        self.offers.list.push(Offer { location, class, symbol, name, as_what });
    }

    /// All constants of an enum are offered.
    pub(crate) fn has_constants_of(&mut self, class: ClassId, universe: Option<Universe>) {
        self.offers.enums.insert(class);
        self.offers.universes.extend(universe.map(|universe| (class, universe)));
    }

    pub(crate) fn is_offered(&self, location: u32) -> bool {
        self.offers.list.iter().any(|offer| offer.location == location)
    }

    /// The name of the object that is called by a symbol.
    pub(crate) fn existing_object(&self, symbol: Symbol) -> Option<&Existing> {
        self.offers.by_symbol.get(&symbol).map(|at| &self.offers.list[*at].name)
    }

    /// The objects that exist before the entry and may be inputs of any kind, with their classes.
    pub fn existing_objects(&self) -> impl Iterator<Item = (ClassId, &Existing)> {
        let of_any_kind = self.offers.list.iter().filter(|offer| offer.as_what != OfferedAs::Universe);
        of_any_kind.map(|offer| (offer.class, &offer.name))
    }

    /// What an object that exists before the entry is called by the logic.
    pub(crate) fn constant_of(&self, location: u32) -> Option<Symbol> {
        self.offers.list.iter().find(|offer| offer.location == location).map(|offer| offer.symbol)
    }

    pub(crate) fn constant_named(&self, name: &Existing) -> Option<Symbol> {
        self.offers.list.iter().find(|offer| offer.name == *name).map(|offer| offer.symbol)
    }

    /// Where a constant of an enum with this class is, if there is one.
    pub(crate) fn some_constant(&self, class: ClassId) -> Option<Symbol> {
        self.offers
            .list
            .iter()
            .find(|offer| offer.as_what == OfferedAs::Constant && offer.class == class)
            .map(|offer| offer.symbol)
    }

    /// What a symbol may denote beside null and objects of the input; `None` if there is nothing.
    #[inline]
    pub fn choice(&mut self, symbol: Symbol) -> Option<Rc<Choice>> {
        match self.offers.of.get(symbol.0 as usize) {
            Some(Known::Plain) => None,
            Some(Known::Special(choice)) => Some(choice.clone()),
            Some(Known::Unasked) | None => self.first_choice(symbol),
        }
    }

    /// Likewise, if somebody has asked before.
    pub(crate) fn known_choice(&self, symbol: Symbol) -> Option<&Choice> {
        match self.offers.of.get(symbol.0 as usize) {
            Some(Known::Special(choice)) => Some(choice),
            _ => None,
        }
    }

    /// Likewise for any leaf of a reference.
    #[inline]
    pub fn choice_of(&mut self, leaf: Term) -> Option<Rc<Choice>> {
        self.terms.as_symbol(leaf).and_then(|symbol| self.choice(symbol))
    }

    /// Whether a symbol may denote an object that exists before the entry.
    pub fn may_exist(&mut self, leaf: Term) -> bool {
        self.choice_of(leaf).is_some_and(|choice| choice.is_closed || !choice.objects.is_empty())
    }

    /// Whether a symbol denotes no object of the input.
    pub fn is_closed(&mut self, leaf: Term) -> bool {
        self.choice_of(leaf).is_some_and(|choice| choice.is_closed)
    }

    /// The condition that a symbol denotes an object that exists before the entry.
    pub fn denotes_existing(&mut self, symbol: Term) -> Term {
        let Some(choice) = self.choice_of(symbol) else { return Term::FALSE };
        let denoted: Vec<Term> =
            choice.objects.iter().map(|(location, _)| self.terms.eq(symbol, Term::location(*location))).collect();
        self.terms.any(denoted)
    }

    /// The initial value of a field of a reference that denotes no object of the input but one that exists before the entry, and where
    /// it has that field; `None` where it never has.
    pub fn existing_field(&mut self, reference: Term, field: FieldId) -> Option<(Term, Term)> {
        let locations: Vec<u32> = match reference.as_location() {
            Some(location) => vec![location],
            None => self.choice_of(reference)?.objects.iter().map(|(location, _)| *location).collect(),
        };
        let declaring = self.program.field(field).class;
        let mut found: Option<(Term, Term)> = None;
        for location in locations {
            if !self.program.is_subclass(self.shared.class(location), declaring) {
                continue;
            }
            let value = self.shared.cell(self.shared_cell(location, field));
            let is = self.terms.eq(reference, Term::location(location));
            found = Some(match found {
                None => (value, is),
                Some((others, has)) => (self.terms.ite(is, value, others), self.terms.or(has, is)),
            });
        }
        found
    }

    fn first_choice(&mut self, symbol: Symbol) -> Option<Rc<Choice>> {
        let choice = self.make_choice(symbol).map(Rc::new);
        let at = symbol.0 as usize;
        if self.offers.of.len() <= at {
            self.offers.of.resize(at + 1, Known::Unasked);
        }
        self.offers.of[at] = choice.clone().map_or(Known::Plain, Known::Special);
        choice
    }

    fn make_choice(&mut self, symbol: Symbol) -> Option<Choice> {
        self.library()?;
        let info = self.terms.symbol_info(symbol);
        if info.unique || info.classes.is_empty() || info.sort != lazuli_logic::Sort::Ref {
            return None;
        }
        let term = info.term;
        if let Some(choice) = self.universe_choice(symbol) {
            return Some(choice);
        }
        let library = self.library()?;
        let classes: Vec<u32> = self.declared_classes(symbol).iter().flat_map(|&(low, high)| low..=high).collect();
        let of_classes = self.known.as_ref().map(|known| known.class.0);
        let (closed, open): (Vec<u32>, Vec<u32>) = classes
            .iter()
            .partition(|number| library.java(ClassId(**number)).is(access::ENUM) || Some(**number) == of_classes);
        if of_classes.is_some_and(|number| closed.contains(&number)) {
            self.want_class_objects(symbol);
        }
        for &number in closed.iter().filter(|number| Some(**number) != of_classes) {
            let class = library.enum_of(ClassId(number));
            if !self.offers.enums.contains(&class) {
                self.scope.wanted.enums.insert(library.binary_name(class));
                self.scope.left_out.insert(LeftOut::Existing { class: self.program.class(class).name.clone() });
            }
        }
        let is_closed = open.is_empty();
        // Invariants speak of input objects; what is none is no part of what they describe.
        let is_heard = |offer: &Offer| offer.as_what != OfferedAs::Universe && (is_closed || !self.listens);
        let fits = |offer: &&Offer| {
            classes.contains(&offer.class.0) && is_heard(offer) && self.may_stand_for(symbol, &offer.name)
        };
        let objects: Vec<(u32, ClassId)> =
            self.offers.list.iter().filter(fits).map(|offer| (offer.location, offer.class)).collect();
        if objects.is_empty() && closed.is_empty() {
            return None;
        }
        let open: Vec<(u32, u32)> = open.into_iter().map(|number| (number, number)).collect();
        let mut clause = Term::TRUE;
        if !closed.is_empty() {
            let mut among = vec![self.terms.eq(term, Term::NULL)];
            among.extend(objects.iter().map(|(location, _)| self.terms.eq(term, Term::location(*location))));
            if !is_closed {
                among.push(self.in_classes(term, &open));
            }
            clause = self.terms.any(among);
        }
        Some(Choice { objects, is_closed, open: (!closed.is_empty()).then_some(open), clause })
    }
}
