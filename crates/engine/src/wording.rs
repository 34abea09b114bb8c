//! Terms as the program's source would write them: `amount <= this.balance`, `name.charAt(0) == 'a'`, `to is this`.
//!
//! What has no such form (the insides of the library, objects that the program made, terms that are too large) has none here: whoever asks
//! says it in another way.

mod constants;
mod names;

use lazuli_logic::float::{Conversion, FloatFn, FloatOp};
use lazuli_logic::term::{BitOp, Node};
use lazuli_logic::{Sort, Symbol, Term};
use lazuli_program::frontend::java::operators::{
    AND, ATOM, BITWISE, COMPARE, OR, PRODUCT, SHIFT, SUM, TERNARY, UNARY, within,
};
use lazuli_program::frontend::java::phrase::{Phrase, char_literal, phrase, simple_name};
use lazuli_program::ir::{ClassId, MethodId, Type};
use rustc_hash::FxHashMap;

use crate::context::{Context, Standing};

/// Longer texts are none.
const MAX_LENGTH: usize = 100;
/// Terms with more nodes are not written.
const MAX_NODES: u32 = 60;

/// What was put into words already: neighbouring paths have most of it in common.
#[derive(Default)]
pub(crate) struct Worded {
    /// Whether the code of a class is the program's own.
    pub own: FxHashMap<ClassId, bool>,
    phrases: FxHashMap<(MethodId, u32), Phrase>,
    conditions: FxHashMap<Term, Option<String>>,
}

/// When this many conditions are kept, all are forgotten.
const MAX_CONDITIONS: usize = 1 << 12;

impl Worded {
    /// What an instruction does.
    pub fn phrase(&mut self, cx: &Context, method: MethodId, pc: u32) -> Phrase {
        let known = self.phrases.entry((method, pc)).or_insert_with(|| {
            let library = cx.library();
            library.and_then(|library| phrase(library, method, pc as usize)).unwrap_or(Phrase::Other)
        });
        known.clone()
    }

    /// A condition, as [`say`] writes it.
    pub fn condition(&mut self, cx: &Context, condition: Term) -> Option<String> {
        if self.conditions.len() >= MAX_CONDITIONS {
            self.conditions.clear();
        }
        self.conditions.entry(condition).or_insert_with(|| say(cx, condition, None)).clone()
    }
}

/// A text and how tightly its outermost operator binds.
struct Words {
    text: String,
    strength: u8,
}

impl Words {
    fn atom(text: impl Into<String>) -> Words {
        Words { text: text.into(), strength: ATOM }
    }

    fn within(&self, strength: u8) -> String {
        within(&self.text, self.strength, strength)
    }
}

/// A term as the source would write it, as a value of a type if that is known.
pub(crate) fn say(cx: &Context, term: Term, ty: Option<Type>) -> Option<String> {
    let mut writer = Writer::new(cx);
    let words = match ty {
        Some(Type::Bool) => writer.truth(term)?,
        Some(Type::Char) => writer.side(term, true)?,
        _ => writer.words(term)?,
    };
    (words.text.chars().count() <= MAX_LENGTH).then_some(words.text)
}

/// Of a condition that has it, what of it says that a reference is null.
pub(crate) fn say_null(cx: &Context, guard: Term) -> Option<String> {
    let is_null = |term: &Term| matches!(cx.terms.node(*term), Some(Node::Eq(a, b)) if a.is_null() || b.is_null());
    let clause = match cx.terms.node(guard) {
        Some(Node::And(list)) => list.iter().copied().find(is_null)?,
        _ => guard,
    };
    say(cx, clause, None)
}

/// Whether a condition says that one reference is null, or that it is not; nothing if it is about something else.
pub(crate) fn is_null_test(cx: &Context, guard: Term) -> Option<bool> {
    match cx.terms.node(guard)? {
        Node::Eq(a, b) => (a.is_null() || b.is_null()).then_some(true),
        Node::Not(inner) => is_null_test(cx, *inner).map(|holds| !holds),
        _ => None,
    }
}

/// A condition on what is switched on, which is not null.
pub(crate) fn say_switched(cx: &Context, guard: Term) -> Option<String> {
    let mut writer = Writer { not_null: true, ..Writer::new(cx) };
    let words = writer.words(guard)?;
    (words.text.chars().count() <= MAX_LENGTH).then_some(words.text)
}

/// Where an initial value stands, as the source would write it.
pub(crate) fn say_symbol(cx: &Context, symbol: Symbol) -> Option<String> {
    Writer::new(cx).symbol(symbol).map(|words| words.text)
}

struct Writer<'a, 'p> {
    cx: &'a Context<'p>,
    nodes: u32,
    /// References that are compared with constants are not null.
    not_null: bool,
}

impl<'a, 'p> Writer<'a, 'p> {
    fn new(cx: &'a Context<'p>) -> Self {
        Writer { cx, nodes: 0, not_null: false }
    }
}

impl Writer<'_, '_> {
    fn words(&mut self, term: Term) -> Option<Words> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return None;
        }
        let terms = &self.cx.terms;
        let Some(node) = terms.node(term) else { return self.constant(term) };
        if matches!(node, Node::And(_) | Node::Or(_) | Node::Not(_))
            && let Some(words) = self.among_constants(term)
        {
            return Some(words);
        }
        match node {
            Node::Int(value) => Some(Words::atom(value.to_string())),
            Node::Bits { width, value } => Some(bits(*width, *value)),
            Node::FloatConstant { width, bits } => Some(float(*width, *bits)),
            Node::Symbol(symbol) => self.symbol(*symbol),
            Node::Not(inner) => self.negated(*inner),
            Node::And(list) => self.junction(list, " && ", AND),
            Node::Or(list) => match self.classes(list) {
                Some(words) => Some(words),
                None => self.junction(list, " || ", OR),
            },
            // A field of what may be several objects, or a truth value as a number.
            Node::Ite(condition, yes, no) => {
                if let Some(initial) = self.initial(term) {
                    return self.symbol(initial);
                }
                let (condition, yes, no) = (self.words(*condition)?, self.words(*yes)?, self.words(*no)?);
                let text = format!("{} ? {} : {}", condition.within(OR), yes.within(OR), no.within(OR));
                Some(Words { text, strength: TERNARY })
            }
            Node::Eq(a, b) => self.equal(*a, *b, true),
            Node::Lt(a, b) | Node::Bit(BitOp::SLt, a, b) => self.compared(*a, "<", *b),
            Node::Sum(list, constant) => self.sum(list, *constant),
            Node::WideAdd(..) | Node::Bit(BitOp::ULt | BitOp::UDiv | BitOp::URem, ..) => None,
            Node::Bit(BitOp::Add, a, b) => self.added(*a, *b),
            Node::Bit(op, a, b) => {
                let (sign, strength) = match op {
                    BitOp::Sub => ("-", SUM),
                    BitOp::Mul => ("*", PRODUCT),
                    BitOp::SDiv => ("/", PRODUCT),
                    BitOp::SRem => ("%", PRODUCT),
                    BitOp::Shl => ("<<", SHIFT),
                    BitOp::AShr => (">>", SHIFT),
                    BitOp::LShr => (">>>", SHIFT),
                    BitOp::And => ("&", BITWISE),
                    BitOp::Or => ("|", BITWISE),
                    BitOp::Xor => ("^", BITWISE),
                    BitOp::Add | BitOp::SLt | BitOp::ULt | BitOp::UDiv | BitOp::URem => return None,
                };
                // The numbers of terms, by which commutative ones are stored, depend on what was built before.
                let (a, b) = (self.words(*a)?, self.words(*b)?);
                let (a, b) = if op.is_commutative() { ordered(a, b) } else { (a, b) };
                Some(Words { text: format!("{} {sign} {}", a.within(strength), b.within(strength + 1)), strength })
            }
            // Widening is not written.
            Node::Extend { term, .. } => self.words(*term),
            Node::Extract { high, low: 0, term } => {
                let name = match high {
                    7 => "byte",
                    15 => "short",
                    31 => "int",
                    _ => return None,
                };
                let inner = self.words(*term)?;
                Some(Words { text: format!("({name}) {}", inner.within(UNARY)), strength: UNARY })
            }
            Node::Extract { .. } => None,
            Node::Float(FloatOp::Computed(function), a, b) => {
                let (a, b) = (self.words(*a)?, self.words(*b)?);
                Some(Words::atom(format!("Math.{}({}, {})", function.name(), a.text, b.text)))
            }
            Node::Float(op, a, b) => {
                let (sign, strength) = match op {
                    FloatOp::Add => ("+", SUM),
                    FloatOp::Sub => ("-", SUM),
                    FloatOp::Mul => ("*", PRODUCT),
                    FloatOp::Div => ("/", PRODUCT),
                    FloatOp::Rem => ("%", PRODUCT),
                    FloatOp::Lt => ("<", COMPARE),
                    FloatOp::Le => ("<=", COMPARE),
                    FloatOp::Eq => ("==", COMPARE),
                    FloatOp::Computed(_) => return None,
                };
                let (a, b) = (self.words(*a)?, self.words(*b)?);
                Some(Words { text: format!("{} {sign} {}", a.within(strength), b.within(strength + 1)), strength })
            }
            Node::FloatFn(function, a) => {
                let inner = self.words(*a)?;
                Some(match function {
                    FloatFn::Neg => Words { text: format!("-{}", inner.within(ATOM)), strength: UNARY },
                    FloatFn::Abs => Words::atom(format!("Math.abs({})", inner.text)),
                    FloatFn::Sqrt => Words::atom(format!("Math.sqrt({})", inner.text)),
                    FloatFn::Floor => Words::atom(format!("Math.floor({})", inner.text)),
                    FloatFn::Ceil => Words::atom(format!("Math.ceil({})", inner.text)),
                    FloatFn::Rint => Words::atom(format!("Math.rint({})", inner.text)),
                    FloatFn::Computed(function) => Words::atom(format!("Math.{}({})", function.name(), inner.text)),
                    FloatFn::IsNan => Words::atom(format!("Double.isNaN({})", inner.text)),
                })
            }
            Node::Convert(conversion, width, a) => {
                let name = match (conversion, width) {
                    (Conversion::FromSigned | Conversion::Resize, 32) => "float",
                    (Conversion::FromSigned | Conversion::Resize, _) => "double",
                    (Conversion::ToSigned, 32) => "int",
                    (Conversion::ToSigned, _) => "long",
                    (Conversion::FromBits | Conversion::ToBits, _) => return None,
                };
                let inner = self.words(*a)?;
                Some(Words { text: format!("({name}) {}", inner.within(UNARY)), strength: UNARY })
            }
            Node::Class { reference, low, high } => self.instance(*reference, &[(*low, *high)], false),
        }
    }

    /// The initial value of a field that a choice is: where `b` may be `a`, `b.f` is `b is a ? a.f : b.f`.
    fn initial(&self, term: Term) -> Option<Symbol> {
        let (terms, cx) = (&self.cx.terms, self.cx);
        let Some(Node::Ite(condition, yes, no)) = terms.node(term) else { return terms.as_symbol(term) };
        let field_of = |symbol: Symbol| match cx.standing_in_heap(symbol) {
            Some(Standing::Field(holder, field)) => Some((holder, field)),
            _ => None,
        };
        let otherwise = self.initial(*no)?;
        let ((holder, field), (alias, same)) = (field_of(otherwise)?, field_of(terms.as_symbol(*yes)?)?);
        let denotes = |side: Term, symbol| terms.as_symbol(side) == Some(symbol) || side.as_object() == Some(symbol);
        let is_alias = |part: &Term| match terms.node(*part) {
            Some(Node::Eq(a, b)) => {
                denotes(*a, holder) && denotes(*b, alias) || denotes(*a, alias) && denotes(*b, holder)
            }
            _ => false,
        };
        (field == same && terms.conjuncts(condition).iter().any(is_alias)).then_some(otherwise)
    }

    fn constant(&mut self, term: Term) -> Option<Words> {
        if let Some(value) = term.as_bool() {
            return Some(Words::atom(value.to_string()));
        }
        if let Some(value) = self.cx.terms.as_int(term) {
            return Some(signed(value));
        }
        if let Some((width, value)) = self.cx.terms.as_bits(term) {
            return Some(bits(width, value));
        }
        if let Some((width, bits)) = self.cx.terms.as_float(term) {
            return Some(float(width, bits));
        }
        if let Some(object) = term.as_object() {
            return if self.cx.terms.is_constant_object(object) { self.existing(object) } else { self.symbol(object) };
        }
        if let Some(location) = term.as_location() {
            return self.existing(self.cx.constant_of(location)?);
        }
        term.is_null().then(|| Words::atom("null"))
    }

    /// A truth value, which is a number where it comes from the stack.
    fn truth(&mut self, term: Term) -> Option<Words> {
        let terms = &self.cx.terms;
        if let Some((_, value)) = terms.as_bits(term) {
            return Some(Words::atom((value != 0).to_string()));
        }
        match terms.node(term) {
            Some(Node::Ite(condition, yes, no)) => {
                let condition = *condition;
                match (terms.as_bits(*yes), terms.as_bits(*no)) {
                    (Some((_, 1)), Some((_, 0))) => self.words(condition),
                    (Some((_, 0)), Some((_, 1))) => self.negated(condition),
                    _ => self.words(term),
                }
            }
            Some(Node::Extend { term, .. }) => self.truth(*term),
            _ => self.words(term),
        }
    }

    fn negated(&mut self, inner: Term) -> Option<Words> {
        let terms = &self.cx.terms;
        match terms.node(inner) {
            Some(Node::Eq(a, b)) => self.equal(*a, *b, false),
            Some(Node::Float(FloatOp::Eq, a, b)) => self.compared(*a, "!=", *b),
            Some(Node::Lt(a, b) | Node::Bit(BitOp::SLt, a, b)) => self.compared(*b, "<=", *a),
            Some(Node::Class { reference, low, high }) => self.instance(*reference, &[(*low, *high)], true),
            Some(Node::Bit(BitOp::ULt, ..)) => None,
            _ => {
                let words = self.words(inner)?;
                Some(Words { text: format!("!{}", words.within(UNARY)), strength: UNARY })
            }
        }
    }

    /// A side of a comparison; a constant beside a character is one too.
    fn side(&mut self, term: Term, is_char: bool) -> Option<Words> {
        match self.cx.terms.as_bits(term).filter(|_| is_char) {
            Some((_, value)) => Some(Words::atom(char_literal(value as u16))),
            None => self.words(term),
        }
    }

    fn compared(&mut self, a: Term, sign: &str, b: Term) -> Option<Words> {
        // A number stands on the right.
        let (a, sign, b) = match (sign, self.is_constant(a) && !self.is_constant(b)) {
            ("<", true) => (b, ">", a),
            ("<=", true) => (b, ">=", a),
            (sign, _) => (a, sign, b),
        };
        let is_char = self.is_char(a) || self.is_char(b);
        let (a, b) = (self.side(a, is_char)?, self.side(b, is_char)?);
        Some(Words { text: format!("{} {sign} {}", a.within(COMPARE + 1), b.within(COMPARE + 1)), strength: COMPARE })
    }

    fn equal(&mut self, a: Term, b: Term, holds: bool) -> Option<Words> {
        let terms = &self.cx.terms;
        if matches!(terms.sort(a), Sort::Float(_)) {
            return None;
        }
        // That a symbol denotes the object it names says that it is none of those met before.
        let is_name = |side: Term| side.as_object().is_some_and(|object| !terms.is_constant_object(object));
        if is_name(a) || is_name(b) {
            return None;
        }
        let sides = (self.is_constant(a), self.is_constant(b));
        let (mut a, mut b) = if sides.0 && !sides.1 { (b, a) } else { (a, b) };
        if b.is_null()
            && let Some(words) = self.presence(a, holds)
        {
            return Some(words);
        }
        let is_char = self.is_char(a) || self.is_char(b);
        let is_alias = terms.sort(a) == Sort::Ref && !self.is_constant(a) && !self.is_constant(b);
        let mut words = (self.side(a, is_char)?, self.side(b, is_char)?);
        if !self.is_constant(b) && (words.0.text.len(), &words.0.text) < (words.1.text.len(), &words.1.text) && is_alias
        {
            // The longer name is the one that a reader wants explained: `this.next is this`.
            std::mem::swap(&mut words.0, &mut words.1);
            std::mem::swap(&mut a, &mut b);
        } else if !self.is_constant(b) && !is_alias {
            words = ordered(words.0, words.1);
        }
        let sign = match (is_alias, holds) {
            (true, true) => "is",
            (true, false) => "is not",
            (false, true) => "==",
            (false, false) => "!=",
        };
        let text = format!("{} {sign} {}", words.0.within(COMPARE + 1), words.1.within(COMPARE + 1));
        Some(Words { text, strength: COMPARE })
    }

    fn is_constant(&self, term: Term) -> bool {
        self.cx.terms.is_constant(term)
    }

    fn junction(&mut self, list: &[Term], sign: &str, strength: u8) -> Option<Words> {
        let mut parts: Vec<String> = Vec::new();
        for part in list {
            parts.push(self.words(*part)?.within(strength + 1));
        }
        parts.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
        Some(Words { text: parts.join(sign), strength })
    }

    fn sum(&mut self, list: &[(Term, i64)], constant: i64) -> Option<Words> {
        let mut parts: Vec<(String, i64)> = Vec::new();
        for (term, factor) in list {
            parts.push((self.words(*term)?.within(PRODUCT), *factor));
        }
        parts.sort_by(|(a, c), (b, d)| (*c < 0, a.len(), a).cmp(&(*d < 0, b.len(), b)));
        let mut text = String::new();
        for (part, factor) in parts {
            text += match (text.is_empty(), factor < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            if factor.unsigned_abs() != 1 {
                text += &format!("{} * ", factor.unsigned_abs());
            }
            text += &part;
        }
        match constant {
            0 => {}
            c if c < 0 => text += &format!(" - {}", c.unsigned_abs()),
            c => text += &format!(" + {c}"),
        }
        Some(Words { text, strength: SUM })
    }

    /// A sum: what is negative is subtracted.
    fn added(&mut self, a: Term, b: Term) -> Option<Words> {
        let terms = &self.cx.terms;
        let (a, b) = if self.is_constant(a) { (b, a) } else { (a, b) };
        if let Some((width, value)) = terms.as_bits(b) {
            let number = lowest(width, value);
            let left = self.words(a)?;
            let text = match number < 0 {
                true => format!("{} - {}", left.within(SUM), number.unsigned_abs()),
                false => format!("{} + {number}", left.within(SUM)),
            };
            return Some(Words { text, strength: SUM });
        }
        // In one order, whatever was added first: the numbers of terms depend on what was built before.
        let (mut addends, mut rest) = (Vec::new(), vec![a, b]);
        while let Some(term) = rest.pop() {
            match terms.node(term) {
                Some(Node::Bit(BitOp::Add, a, b)) if !self.is_constant(*a) && !self.is_constant(*b) => {
                    rest.extend([*a, *b]);
                }
                _ => addends.push(self.words(term)?),
            }
        }
        addends.sort_by(|a, b| (a.text.len(), &a.text).cmp(&(b.text.len(), &b.text)));
        let text = addends.iter().map(|addend| addend.within(SUM)).collect::<Vec<_>>().join(" + ");
        Some(Words { text, strength: SUM })
    }

    /// Several class tests of one reference.
    fn classes(&mut self, list: &[Term]) -> Option<Words> {
        let mut of = None;
        let mut intervals = Vec::new();
        for part in list {
            let Some(Node::Class { reference, low, high }) = self.cx.terms.node(*part) else { return None };
            if of.is_some_and(|known| known != *reference) {
                return None;
            }
            of = Some(*reference);
            intervals.push((*low, *high));
        }
        self.instance(of?, &intervals, false)
    }

    fn instance(&mut self, reference: Term, intervals: &[(u32, u32)], negated: bool) -> Option<Words> {
        let classes = intervals.iter().flat_map(|&(low, high)| low..=high).map(ClassId);
        let names: Vec<String> = match &self.cx.program.library {
            Some(library) => classes.map(|class| simple_name(library.internal_name(class))).collect(),
            None => classes.map(|class| self.cx.program.class(class).name.clone()).collect(),
        };
        let of = self.words(reference)?;
        let is = if negated { "is not" } else { "is" };
        let text = format!("{} {is} {}", of.within(COMPARE + 1), with_article(&names.join(" or ")));
        Some(Words { text, strength: COMPARE })
    }
}

/// A class's name after "a" or "an".
pub(crate) fn with_article(name: &str) -> String {
    let article = if name.starts_with(['A', 'E', 'I', 'O', 'U', 'a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {name}")
}

/// In an order that does not depend on the numbers of terms.
fn ordered(a: Words, b: Words) -> (Words, Words) {
    if (a.text.len(), &a.text) <= (b.text.len(), &b.text) { (a, b) } else { (b, a) }
}

fn lowest(width: u8, value: u64) -> i64 {
    let shift = 64 - width as u32;
    ((value << shift) as i64) >> shift
}

fn bits(width: u8, value: u64) -> Words {
    signed(lowest(width, value))
}

fn signed(value: i64) -> Words {
    Words { text: value.to_string(), strength: if value < 0 { UNARY } else { ATOM } }
}

fn float(width: u8, bits: u64) -> Words {
    let text = match width {
        32 => format!("{:?}f", f32::from_bits(bits as u32)),
        _ => format!("{:?}", f64::from_bits(bits)),
    };
    Words::atom(text)
}
