//! The meaning of terms: evaluation under a model. The smart constructors and both back ends are tested against it.

use crate::float::{self, FloatFn, FloatOp};
use crate::map::Map;
use crate::simplify::{apply_bits, extend_value, extract_value};
use crate::term::{BitOp, Node, Sort, Symbol, Term, Terms};
pub use crate::value::{RefValue, Value};

/// Values for symbols, and class numbers for the input objects they denote. A symbol that is not mentioned has the
/// default of its sort, an object that is not mentioned the first class of its symbol's type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    values: Map<Symbol, Value>,
    /// By the symbol that names the object.
    classes: Map<Symbol, u32>,
}

impl Model {
    /// Says nothing.
    pub(crate) const EMPTY: Model = Model { values: Map::EMPTY, classes: Map::EMPTY };

    /// With these values, of different symbols.
    pub(crate) fn of(values: Vec<(Symbol, Value)>) -> Model {
        Model { values: Map::of(values), classes: Map::EMPTY }
    }

    pub fn set(&mut self, symbol: Symbol, value: Value) {
        self.values.insert(symbol, value);
    }

    pub fn set_class(&mut self, object: Symbol, class: u32) {
        self.classes.insert(object, class);
    }

    #[inline]
    pub fn get(&self, symbol: Symbol) -> Option<Value> {
        self.values.get(symbol).copied()
    }

    #[inline]
    pub fn value(&self, terms: &Terms, symbol: Symbol) -> Value {
        self.get(symbol).unwrap_or_else(|| Model::default_value(terms, symbol))
    }

    pub(crate) fn default_value(terms: &Terms, symbol: Symbol) -> Value {
        let info = terms.symbol_info(symbol);
        if info.unique { Value::Ref(RefValue::Input(symbol)) } else { Value::default_of(info.sort) }
    }

    /// Whether it says of any object that it is not of the first class of its symbol's type.
    pub(crate) fn has_classes(&self) -> bool {
        !self.classes.is_empty()
    }

    /// The class number of the object that `object` names.
    pub fn class(&self, terms: &Terms, object: Symbol) -> u32 {
        self.classes.get(object).copied().unwrap_or_else(|| terms.symbol_info(object).classes[0].0)
    }

    /// The model with values for some of the symbols that it says nothing about.
    pub(crate) fn extended(&self, symbols: &[Symbol], value: impl Fn(Symbol) -> Option<Value>) -> Model {
        let mut model = self.clone();
        for &symbol in symbols.iter().filter(|symbol| !self.values.contains(**symbol)) {
            if let Some(value) = value(symbol) {
                model.set(symbol, value);
            }
        }
        model
    }

    /// Adds what `other` says. The two speak of different symbols, as the models of independent groups do.
    pub fn absorb(&mut self, other: &Model) {
        self.values.absorb(&other.values);
        self.classes.absorb(&other.classes);
    }

    /// The values in the order of the symbols.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = (Symbol, Value)> {
        self.values.iter().copied()
    }

    /// Calls an object by another name.
    pub fn rename(&mut self, object: Symbol, name: Symbol) {
        self.change(|_, value| {
            if *value == Value::Ref(RefValue::Input(object)) {
                *value = Value::Ref(RefValue::Input(name));
            }
        });
    }

    /// Changes values in place.
    pub(crate) fn change(&mut self, change: impl FnMut(Symbol, &mut Value)) {
        self.values.change(change);
    }
}

/// How deep the direct evaluation recurses before the loop over the whole term takes over.
const DIRECT_DEPTH: u32 = 6;

impl Terms {
    /// The value of a term, `None` if an integer leaves 128 bits.
    pub fn eval(&self, term: Term, model: &Model) -> Option<Value> {
        match self.eval_direct(term, model, DIRECT_DEPTH) {
            Ok(value) => Some(value),
            Err(Failure::Overflow) => None,
            Err(Failure::TooDeep) => self.eval_all(term, model),
        }
    }

    /// Whether a condition holds; a value that cannot be computed counts as "no".
    pub fn holds(&self, condition: Term, model: &Model) -> bool {
        self.truth(condition, model) == Some(true)
    }

    /// Whether a condition holds, `None` if an integer leaves 128 bits.
    pub(crate) fn truth(&self, condition: Term, model: &Model) -> Option<bool> {
        self.holds_direct(condition, model, DIRECT_DEPTH)
            .or_else(|| self.eval(condition, model).map(|value| value.as_bool()))
    }

    /// Conditions about references, the most frequent ones, without making values; `None` for all that is more.
    fn holds_direct(&self, condition: Term, model: &Model, depth: u32) -> Option<bool> {
        if depth == 0 {
            return None;
        }
        let holds = |part: Term| self.holds_direct(part, model, depth - 1);
        let Some(node) = self.node(condition) else { return condition.as_bool() };
        match node {
            Node::Not(inner) => holds(*inner).map(|value| !value),
            Node::And(list) => {
                for part in list {
                    if !holds(*part)? {
                        return Some(false);
                    }
                }
                Some(true)
            }
            Node::Or(list) => {
                for part in list {
                    if holds(*part)? {
                        return Some(true);
                    }
                }
                Some(false)
            }
            Node::Ite(condition, a, b) => holds(if holds(*condition)? { *a } else { *b }),
            // Equal values of one sort are equal words, whatever the sort.
            Node::Eq(a, b) if self.is_word(*a) && self.is_word(*b) => {
                match (self.denoted(*a, model), self.denoted(*b, model)) {
                    (Some(x), Some(y)) => Some(x == y),
                    _ => Some(self.word_value(*a, model)? == self.word_value(*b, model)?),
                }
            }
            Node::Symbol(symbol) => Some(model.value(self, *symbol).as_bool()),
            _ => match self.eval_direct(condition, model, depth) {
                Ok(value) => Some(value.as_bool()),
                Err(_) => None,
            },
        }
    }

    /// Whether a term is a symbol, or a constant that lives in the word.
    fn is_word(&self, term: Term) -> bool {
        self.node(term).is_none_or(|node| matches!(node, Node::Symbol(_)))
    }

    /// The value of such a term.
    fn word_value(&self, term: Term, model: &Model) -> Option<Value> {
        match self.as_symbol(term) {
            Some(symbol) => Some(model.value(self, symbol)),
            None => self.constant(term),
        }
    }

    /// What such a term denotes, if it is null or a symbol that the model says to be a reference.
    fn denoted(&self, term: Term, model: &Model) -> Option<RefValue> {
        match self.as_symbol(term) {
            Some(symbol) => match *model.values.get(symbol)? {
                Value::Ref(value) => Some(value),
                _ => None,
            },
            None => term.is_null().then_some(RefValue::Null),
        }
    }

    /// Small terms, the most frequent ones, without a table.
    fn eval_direct(&self, term: Term, model: &Model, depth: u32) -> Result<Value, Failure> {
        if let Some(value) = self.constant(term) {
            return Ok(value);
        }
        if depth == 0 {
            return Err(Failure::TooDeep);
        }
        self.eval_node(term, model, |child| self.eval_direct(child, model, depth - 1))
    }

    /// Any term: one pass over its nodes, children first.
    fn eval_all(&self, term: Term, model: &Model) -> Option<Value> {
        // What an earlier evaluation left in the room is overwritten before it is read: children come first.
        let mut room = self.values.borrow_mut();
        if room.len() < self.len() {
            room.resize(self.len() + self.len() / 2, Value::Bool(false));
        }
        let index = |t: Term| t.index().expect("constants live in the word");
        let nodes = self.postorder(&[term]);
        self.interrupt.spend(nodes.len());
        for node in nodes {
            let value =
                self.eval_node(node, model, |child| Ok(self.constant(child).unwrap_or_else(|| room[index(child)])));
            room[index(node)] = value.ok()?;
        }
        Some(self.constant(term).unwrap_or_else(|| room[index(term)]))
    }

    /// The value of a constant that lives in the word.
    pub fn constant(&self, term: Term) -> Option<Value> {
        if term.index().is_some() {
            return None;
        }
        Some(if let Some(value) = term.as_bool() {
            Value::Bool(value)
        } else if let Some(value) = term.as_small_int() {
            Value::Int(value as i128)
        } else if let Some((_, value)) = term.as_small_bits() {
            Value::Bits(value)
        } else if let Some((_, bits)) = term.as_small_float() {
            Value::Float(bits)
        } else if let Some(location) = term.as_location() {
            Value::Ref(RefValue::Location(location))
        } else if let Some(object) = term.as_object() {
            Value::Ref(RefValue::Input(object))
        } else {
            Value::Ref(RefValue::Null)
        })
    }

    fn eval_node(
        &self,
        term: Term,
        model: &Model,
        value_of: impl Fn(Term) -> Result<Value, Failure>,
    ) -> Result<Value, Failure> {
        let node = self.node(term).expect("constants are evaluated by the caller");
        Ok(match node {
            Node::Int(value) => Value::Int(*value as i128),
            Node::Bits { value, .. } => Value::Bits(*value),
            Node::FloatConstant { bits, .. } => Value::Float(*bits),
            Node::Symbol(symbol) => model.value(self, *symbol),
            Node::Not(a) => Value::Bool(!value_of(*a)?.as_bool()),
            Node::And(list) => {
                for part in list {
                    if !value_of(*part)?.as_bool() {
                        return Ok(Value::Bool(false));
                    }
                }
                Value::Bool(true)
            }
            Node::Or(list) => {
                for part in list {
                    if value_of(*part)?.as_bool() {
                        return Ok(Value::Bool(true));
                    }
                }
                Value::Bool(false)
            }
            Node::Ite(c, a, b) => {
                if value_of(*c)?.as_bool() {
                    value_of(*a)?
                } else {
                    value_of(*b)?
                }
            }
            Node::Eq(a, b) => Value::Bool(value_of(*a)? == value_of(*b)?),
            Node::Lt(a, b) => Value::Bool(value_of(*a)?.as_int() < value_of(*b)?.as_int()),
            Node::Sum(list, constant) => {
                let mut sum = *constant as i128;
                for (part, coefficient) in list {
                    sum = add_product(sum, *coefficient, value_of(*part)?)?;
                }
                Value::Int(sum)
            }
            Node::WideAdd(a, factor, b) => Value::Int(add_product(value_of(*a)?.as_int(), *factor, value_of(*b)?)?),
            Node::Bit(op, a, b) => self.eval_bit(*op, *a, value_of(*a)?, value_of(*b)?),
            Node::Extend { signed, width, term } => {
                let Sort::Bits(from) = self.sort(*term) else { unreachable!("an extension is of a bit-vector") };
                Value::Bits(extend_value(*signed, from, *width, value_of(*term)?.as_bits()))
            }
            Node::Extract { high, low, term } => Value::Bits(extract_value(*high, *low, value_of(*term)?.as_bits())),
            Node::Float(op, a, b) => self.eval_float(*op, *a, value_of(*a)?, value_of(*b)?),
            Node::FloatFn(function, a) => {
                let Sort::Float(width) = self.sort(*a) else { unreachable!("a function of a floating-point number") };
                let result = float::apply_fn(*function, width, value_of(*a)?.as_float());
                if *function == FloatFn::IsNan { Value::Bool(result == 1) } else { Value::Float(result) }
            }
            Node::Convert(conversion, width, a) => {
                let (from, value) = match (self.sort(*a), value_of(*a)?) {
                    (Sort::Float(from), Value::Float(value)) | (Sort::Bits(from), Value::Bits(value)) => (from, value),
                    (sort, value) => panic!("{value:?} is not of sort {sort:?}"),
                };
                let result = float::convert(*conversion, from, *width, value);
                if conversion.gives_float() { Value::Float(result) } else { Value::Bits(result) }
            }
            Node::Class { reference, low, high } => {
                let symbol = self.as_symbol(*reference).expect("a class test is about a symbol");
                let class = match value_of(*reference)? {
                    Value::Ref(RefValue::Input(object)) => model.class(self, object),
                    _ => self.symbol_info(symbol).classes[0].0,
                };
                Value::Bool(*low <= class && class <= *high)
            }
        })
    }

    fn eval_float(&self, op: FloatOp, operand: Term, a: Value, b: Value) -> Value {
        let Sort::Float(width) = self.sort(operand) else { unreachable!("an operation on floating-point numbers") };
        let result = float::apply(op, width, a.as_float(), b.as_float());
        if op.is_comparison() { Value::Bool(result == 1) } else { Value::Float(result) }
    }

    fn eval_bit(&self, op: BitOp, operand: Term, a: Value, b: Value) -> Value {
        let Sort::Bits(width) = self.sort(operand) else { unreachable!("a bit operation is on bit-vectors") };
        let value = apply_bits(op, width, a.as_bits(), b.as_bits());
        if op.is_comparison() { Value::Bool(value == 1) } else { Value::Bits(value) }
    }
}

enum Failure {
    TooDeep,
    Overflow,
}

fn add_product(sum: i128, coefficient: i64, value: Value) -> Result<i128, Failure> {
    value.as_int().checked_mul(coefficient as i128).and_then(|p| p.checked_add(sum)).ok_or(Failure::Overflow)
}
