//! Sets and maps over the constants of an enum know which enum that is: its class object, and the array of its constants. Of an
//! input both follow from the generic type (`EnumSet<Color>`); they exist before the entry, and nothing else can be there.

use lazuli_logic::{BitOp, Symbol, Term};
use lazuli_program::ir::{ClassId, FieldId, Type};
use lazuli_program::library::{Library, access};

use super::offers::Choice;
use super::{Context, Standing};
use crate::scope::LeftOut;

/// Classes over an enum, with the fields that hold its class object and its constants.
const OVER_ENUMS: [(&str, &str, &str); 2] =
    [("java/util/EnumSet", "elementType", "universe"), ("java/util/EnumMap", "keyType", "keyUniverse")];

/// The bits of a set, and the values of a map, which has as many as there are constants.
const BITS: (&str, &str) = ("java/util/RegularEnumSet", "elements");
const VALUES: (&str, &str) = ("java/util/EnumMap", "vals");
const SIZE: (&str, &str) = ("java/util/EnumMap", "size");

/// Where the class object of an enum is, and the array of its constants.
#[derive(Clone, Copy)]
pub(crate) struct Universe {
    pub class: u32,
    pub constants: u32,
}

fn is_field(library: &Library, field: FieldId, (class, name): (&str, &str)) -> bool {
    let field = library.field(field);
    field.name == name && library.internal_name(field.class) == class
}

impl Context<'_> {
    /// What a symbol denotes that stands for an enum or for its constants; `None` if it is no such symbol.
    pub(super) fn universe_choice(&mut self, symbol: Symbol) -> Option<Choice> {
        let library = self.library().filter(|library| library.has_valid_inputs())?;
        let Some(Standing::Field(holder, field)) = self.standing_in_heap(symbol) else { return None };
        let is_class = OVER_ENUMS.iter().any(|(class, held, _)| is_field(library, field, (class, held)));
        let is_constants = OVER_ENUMS.iter().any(|(class, _, held)| is_field(library, field, (class, held)));
        if !is_class && !is_constants {
            return None;
        }
        let universe = self.enum_of_holder(holder, field).and_then(|of| self.universe(of));
        if universe.is_none() {
            self.scope
                .left_out
                .insert(LeftOut::Existing { class: self.program.class(self.declared_class(holder)).name.clone() });
        }
        let location = universe.map(|universe| if is_class { universe.class } else { universe.constants });
        let term = self.terms.symbol_info(symbol).term;
        let mut among = vec![self.terms.eq(term, Term::NULL)];
        among.extend(location.map(|location| self.terms.eq(term, Term::location(location))));
        let objects = location.map(|location| (location, self.shared.class(location))).into_iter().collect();
        Some(Choice { objects, is_closed: true, open: None, clause: self.terms.any(among) })
    }

    /// The enum that the object of a symbol is over, which has this field.
    fn enum_of_holder(&mut self, holder: Symbol, field: FieldId) -> Option<ClassId> {
        let library = self.library()?;
        let (_, held, _) = OVER_ENUMS
            .iter()
            .find(|(class, ..)| library.is_subclass(library.field(field).class, library.class_id(class)))?;
        let held = self.program.field_named(library.field(field).class, held)?;
        let shape = self.field_shape(holder, held)?;
        let library = self.library()?;
        let of = library.shape((*library.shape(shape).arguments.first()?)?).class;
        library.java(of).is(access::ENUM).then(|| library.enum_of(of))
    }

    /// What is known of an enum, if its constants are offered: if they are not, they are wanted.
    fn universe(&mut self, class: ClassId) -> Option<Universe> {
        let known = self.offers.universes.get(&class).copied();
        if known.is_none() && !self.offers.enums.contains(&class) {
            let name = self.library()?.binary_name(class);
            self.scope.wanted.enums.insert(name);
        }
        known
    }

    /// How many constants the enum has that the holder of a field is over.
    fn constants_over(&mut self, holder: Symbol, field: FieldId) -> Option<u32> {
        let class = self.enum_of_holder(holder, field)?;
        let library = self.library()?;
        let statics = library.java(class).statics.iter();
        Some(statics.filter(|(field, _)| library.field_flags(*field) & access::ENUM != 0).count() as u32)
    }

    /// What is true of the number that a symbol names, if the constants of an enum say so: no other bits are in a set, and no map
    /// is larger.
    pub(crate) fn over_constants(&mut self, symbol: Term, field: FieldId) -> Option<Term> {
        let library = self.library().filter(|library| library.has_valid_inputs())?;
        let is_bits = match library.field(field).ty {
            Type::Long if is_field(library, field, BITS) => true,
            Type::Int if is_field(library, field, SIZE) => false,
            _ => return None,
        };
        let name = self.terms.as_symbol(symbol)?;
        let Some(Standing::Field(holder, _)) = self.standing_in_heap(name) else { return None };
        let count = self.constants_over(holder, field)?;
        if !is_bits {
            let count = self.int(i64::from(count));
            let larger = self.terms.bit_op(BitOp::SLt, count, symbol);
            return Some(self.terms.not(larger));
        }
        // There is another class for more than 64 constants.
        let bits = match count {
            0..64 => (1 << count) - 1,
            64 => u64::MAX,
            _ => return Some(Term::FALSE),
        };
        let (others, zero) = (self.terms.bits(64, !bits), self.terms.bits(64, 0));
        let beyond = self.terms.bit_op(BitOp::And, symbol, others);
        Some(self.terms.eq(beyond, zero))
    }

    /// The length of the array that a symbol names, if it has the values of a map over an enum.
    pub(crate) fn values_of_map(&mut self, array: Symbol) -> Option<u32> {
        let library = self.library().filter(|library| library.has_valid_inputs())?;
        let Some(Standing::Field(holder, field)) = self.standing_in_heap(array) else { return None };
        if !is_field(library, field, VALUES) {
            return None;
        }
        self.constants_over(holder, field)
    }
}
