//! The values of terms.

use crate::sort::{Sort, Symbol};

/// What a reference denotes. An input object is named by one of the symbols that denote it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum RefValue {
    Null,
    Input(Symbol),
    Location(u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    Bool(bool),
    Int(i128),
    Bits(u64),
    /// A bit pattern; NaN has only the canonical one, so that equal values have equal patterns.
    Float(u64),
    Ref(RefValue),
}

impl Value {
    pub fn default_of(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Int => Value::Int(0),
            Sort::Bits(_) => Value::Bits(0),
            Sort::Float(_) => Value::Float(0),
            Sort::Ref => Value::Ref(RefValue::Null),
        }
    }

    pub fn as_bool(self) -> bool {
        matches!(self, Value::Bool(true))
    }

    pub(crate) fn as_int(self) -> i128 {
        match self {
            Value::Int(value) => value,
            other => panic!("an integer is wanted, not {other:?}"),
        }
    }

    pub(crate) fn as_bits(self) -> u64 {
        match self {
            Value::Bits(value) => value,
            other => panic!("a bit-vector is wanted, not {other:?}"),
        }
    }

    pub(crate) fn as_float(self) -> u64 {
        match self {
            Value::Float(value) => value,
            other => panic!("a floating-point number is wanted, not {other:?}"),
        }
    }
}
