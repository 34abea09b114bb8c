//! Terms as text, the way people write conditions. A part that a large term uses several times is named once
//! (`let #1 = …`), so that the text grows with the number of nodes and not with the number of paths to them.

use std::fmt::Write;

use rustc_hash::FxHashMap;

use crate::float::{self, Conversion, FloatFn, FloatOp};
use crate::term::{BitOp, Node, Sort, Symbol, Term, Terms};

/// Terms whose written-out tree has at most this many nodes are printed without names for shared parts.
const PLAIN_SIZE: u64 = 60;

impl Terms {
    /// The text of a term.
    pub fn show(&self, term: Term) -> String {
        self.show_with(term, &|low, high| format!("{low}..{high}"))
    }

    /// The text of a term; `classes` names an interval of class numbers.
    pub fn show_with(&self, term: Term, classes: &dyn Fn(u32, u32) -> String) -> String {
        let mut nodes = self.postorder(&[term]);
        let mut size: FxHashMap<Term, u64> = FxHashMap::default();
        let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
        for &node in &nodes {
            let mut total = 1u64;
            self.children(node, |child| {
                total = total.saturating_add(size.get(&child).copied().unwrap_or(1));
                *uses.entry(child).or_default() += 1;
            });
            size.insert(node, total);
        }
        let plain = size.get(&term).is_none_or(|&s| s <= PLAIN_SIZE);
        if !plain {
            self.sort_by_form(&mut nodes, classes);
        }
        let mut text: FxHashMap<Term, Written> = FxHashMap::default();
        let mut definitions = String::new();
        let mut names = 0;
        // What is of one height may still be a part of another.
        nodes.reverse();
        while let Some(&node) = nodes.last() {
            let before = nodes.len();
            self.children(node, |child| {
                if child.index().is_some() && !text.contains_key(&child) {
                    nodes.push(child);
                }
            });
            if nodes.len() > before {
                continue;
            }
            nodes.pop();
            if text.contains_key(&node) {
                continue;
            }
            let written = self.show_node(node, &text, classes);
            let shared = !plain && node != term && uses.get(&node).is_some_and(|&u| u > 1) && size[&node] > 3;
            // A long unshared part is named as well: it keeps every line of the text readable and linear in size.
            if shared || (!plain && node != term && written.text.len() > 400) {
                names += 1;
                writeln!(definitions, "let #{names} = {} in", written.text).expect("writing to a string");
                text.insert(node, Written { text: format!("#{names}"), strength: ATOM });
            } else {
                text.insert(node, written);
            }
        }
        let body = text.remove(&term).map_or_else(|| self.show_constant(term), |written| written.text);
        definitions + &body
    }

    fn show_constant(&self, term: Term) -> String {
        if let Some(value) = term.as_bool() {
            value.to_string()
        } else if let Some(value) = term.as_small_int() {
            value.to_string()
        } else if let Some((width, value)) = term.as_small_bits() {
            show_bits(width, value)
        } else if let Some((width, bits)) = term.as_small_float() {
            float::show(width, bits)
        } else if let Some(location) = term.as_location() {
            format!("new{location}")
        } else if let Some(object) = term.as_object() {
            self.symbol_name(object)
        } else {
            "null".to_string()
        }
    }

    /// The symbol of which a comparison says that it denotes the object it names.
    fn named_by(&self, a: Term, b: Term) -> Option<Symbol> {
        let object = a.as_object().or(b.as_object())?;
        (!self.is_constant_object(object)).then_some(object)
    }

    /// That an integer is less than another one, or at most as great, where neither is a constant. Which of `a + 1 <= b` and `a < b` is stored
    /// depends on the numbers of terms, and the text must not.
    fn show_order(&self, a: Term, b: Term, or_equal: bool, operand: &dyn Fn(&Term, u8) -> String) -> Option<String> {
        let alone = [a, b].map(|side| [(side, 1)]);
        let parts = |side: Term, alone| match self.node(side) {
            Some(Node::Sum(list, constant)) => Some((&**list, *constant)),
            Some(Node::Int(_)) | None => None,
            _ => Some((alone, 0)),
        };
        let ((left, less), (right, more)) = (parts(a, &alone[0])?, parts(b, &alone[1])?);
        // left < right + more
        let more = more.checked_sub(less)?.checked_add(or_equal as i64)?;
        let show = |list, constant| show_sum(list, constant, operand);
        Some(match more {
            1.. => format!("{} <= {}", show(left, 0), show(right, more - 1)),
            _ => format!("{} < {}", show(left, more.checked_neg()?), show(right, 0)),
        })
    }

    fn is_negative(&self, term: Term) -> bool {
        self.as_bits(term).is_some_and(|(width, value)| value >> (width - 1) & 1 == 1)
    }

    fn is_float(&self, term: Term) -> bool {
        matches!(self.sort(term), Sort::Float(_))
    }

    fn show_node(&self, term: Term, done: &FxHashMap<Term, Written>, classes: &dyn Fn(u32, u32) -> String) -> Written {
        let text = |t: &Term| done.get(t).map_or_else(|| self.show_constant(*t), |w| w.text.clone());
        // An operand of an operator of the given strength, in parentheses where it binds less.
        let operand = |t: &Term, strength: u8| match done.get(t) {
            Some(written) if written.strength <= strength => format!("({})", written.text),
            _ => text(t),
        };
        let comparison = |a: &Term, op: &str, b: &Term| {
            let [mut a, mut b] = [a, b].map(|side| (side.index().is_none(), operand(side, COMPARE)));
            // Where the sides mean the same, constants stand on the right, and of others the shorter one on the left: the numbers of terms,
            // by which they are stored, depend on what was built before, and a text must not.
            if matches!(op, "==" | "!=" | "===") && (a.0, by_length(&a.1)) > (b.0, by_length(&b.1)) {
                std::mem::swap(&mut a, &mut b);
            }
            Written { text: format!("{} {op} {}", a.1, b.1), strength: COMPARE }
        };
        let junction = |list: &[Term], op: &str, strength: u8| {
            let mut parts: Vec<String> = list.iter().map(|t| operand(t, strength)).collect();
            parts.sort_by(|a, b| by_length(a).cmp(&by_length(b)));
            Written { text: parts.join(op), strength }
        };
        let atom = |text: String| Written { text, strength: ATOM };
        match self.node(term).expect("constants are written by the caller") {
            Node::Int(value) => atom(value.to_string()),
            Node::Bits { width, value } => atom(show_bits(*width, *value)),
            Node::FloatConstant { width, bits } => atom(float::show(*width, *bits)),
            Node::Symbol(symbol) => atom(self.symbol_name(*symbol)),
            // That a symbol denotes the object it names.
            Node::Eq(a, b) if self.named_by(*a, *b).is_some() => {
                let name = self.named_by(*a, *b).expect("just asked");
                atom(format!("own({})", self.symbol_name(name)))
            }
            Node::Not(a) => match self.node(*a) {
                Some(Node::Eq(x, y)) if self.named_by(*x, *y).is_some() => atom(format!("!{}", text(a))),
                Some(Node::Eq(x, y)) if !self.is_float(*x) => comparison(x, "!=", y),
                Some(Node::Float(FloatOp::Eq, x, y)) => comparison(x, "!=", y),
                Some(Node::Lt(x, y)) => match self.show_order(*y, *x, true, &operand) {
                    Some(text) => Written { text, strength: COMPARE },
                    None => comparison(y, "<=", x),
                },
                Some(Node::Bit(BitOp::SLt, x, y)) => comparison(y, "<=", x),
                Some(Node::Bit(BitOp::ULt, x, y)) => comparison(y, "<=u", x),
                Some(Node::Class { reference, low, high }) => {
                    let text = format!("{} is not {}", text(reference), classes(*low, *high));
                    Written { text, strength: COMPARE }
                }
                _ => atom(format!("!{}", operand(a, SUM))),
            },
            Node::And(list) => junction(list, " && ", AND),
            Node::Or(list) => junction(list, " || ", OR),
            Node::Ite(c, a, b) => atom(format!("ite({}, {}, {})", text(c), text(a), text(b))),
            // Identity of values, which is not the comparison of programs.
            Node::Eq(a, b) if self.is_float(*a) => comparison(a, "===", b),
            Node::Eq(a, b) => comparison(a, "==", b),
            Node::Lt(a, b) => match self.show_order(*a, *b, false, &operand) {
                Some(text) => Written { text, strength: COMPARE },
                None => comparison(a, "<", b),
            },
            Node::Sum(list, constant) => Written { text: show_sum(list, *constant, &operand), strength: SUM },
            Node::WideAdd(a, factor, b) => {
                Written { text: format!("{} + {factor}*{}", operand(a, SUM), operand(b, SUM)), strength: SUM }
            }
            Node::Bit(op, a, b) if op.is_comparison() => comparison(a, bit_sign(*op), b),
            Node::Bit(BitOp::Add, a, b) if self.is_negative(*b) => {
                let (width, value) = self.as_bits(*b).expect("a negative constant");
                let text = show_bits(width, value);
                Written { text: format!("{} - {}", operand(a, SUM), text.trim_start_matches('-')), strength: SUM }
            }
            Node::Bit(op, a, b) => {
                let mut sides = [a, b].map(|side| (side.index().is_none(), operand(side, SUM)));
                if op.is_commutative() {
                    sides.sort_by(|a, b| (a.0, by_length(&a.1)).cmp(&(b.0, by_length(&b.1))));
                }
                Written { text: format!("{} {} {}", sides[0].1, bit_sign(*op), sides[1].1), strength: SUM }
            }
            Node::Extend { signed, width, term } => {
                atom(format!("{}{width}({})", if *signed { "sext" } else { "zext" }, text(term)))
            }
            Node::Extract { high, low, term } => atom(format!("{}[{high}:{low}]", operand(term, SUM))),
            Node::Float(op, a, b) if op.is_comparison() => comparison(a, float_sign(*op), b),
            Node::Float(FloatOp::Computed(function), a, b) => {
                atom(format!("{}({}, {})", function.name(), text(a), text(b)))
            }
            Node::Float(op, a, b) => {
                Written { text: format!("{} {} {}", operand(a, SUM), float_sign(*op), operand(b, SUM)), strength: SUM }
            }
            Node::FloatFn(FloatFn::Neg, a) => atom(format!("-{}", operand(a, SUM))),
            Node::FloatFn(function, a) => atom(format!("{}({})", function_name(*function), text(a))),
            Node::Convert(conversion, width, a) => {
                let name = match conversion {
                    Conversion::FromSigned | Conversion::Resize => "float",
                    Conversion::ToSigned => "int",
                    Conversion::FromBits => "float_of_bits",
                    Conversion::ToBits => "bits",
                };
                atom(format!("{name}{width}({})", text(a)))
            }
            Node::Class { reference, low, high } => {
                Written { text: format!("{} is {}", text(reference), classes(*low, *high)), strength: COMPARE }
            }
        }
    }
}

/// A text and how tightly its outermost operator binds.
struct Written {
    text: String,
    strength: u8,
}

const OR: u8 = 0;
const AND: u8 = 1;
const COMPARE: u8 = 2;
const SUM: u8 = 3;
const ATOM: u8 = 4;

/// The order of texts where terms have none: the shorter first.
fn by_length(text: &str) -> (usize, &str) {
    (text.len(), text)
}

fn show_sum(list: &[(Term, i64)], constant: i64, operand: &dyn Fn(&Term, u8) -> String) -> String {
    let mut parts: Vec<(String, i64)> = list.iter().map(|(t, c)| (operand(t, SUM), *c)).collect();
    parts.sort_by(|(a, c), (b, d)| (*c < 0, by_length(a)).cmp(&(*d < 0, by_length(b))));
    let mut sum = String::new();
    for (part, coefficient) in &parts {
        sum.push_str(match (sum.is_empty(), *coefficient < 0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        });
        if coefficient.unsigned_abs() != 1 {
            write!(sum, "{}*", coefficient.unsigned_abs()).expect("writing to a string");
        }
        sum.push_str(part);
    }
    match constant {
        0 => {}
        c if c < 0 => write!(sum, " - {}", c.unsigned_abs()).expect("writing to a string"),
        c => write!(sum, " + {c}").expect("writing to a string"),
    }
    sum
}

fn show_bits(width: u8, value: u64) -> String {
    let shift = 64 - width as u32;
    (((value << shift) as i64) >> shift).to_string()
}

fn float_sign(op: FloatOp) -> &'static str {
    match op {
        FloatOp::Add => "+",
        FloatOp::Sub => "-",
        FloatOp::Mul => "*",
        FloatOp::Div => "/",
        FloatOp::Rem => "%",
        FloatOp::Lt => "<",
        FloatOp::Le => "<=",
        FloatOp::Eq => "==",
        FloatOp::Computed(function) => function.name(),
    }
}

fn function_name(function: FloatFn) -> &'static str {
    match function {
        FloatFn::Neg => "-",
        FloatFn::Abs => "abs",
        FloatFn::Sqrt => "sqrt",
        FloatFn::Floor => "floor",
        FloatFn::Ceil => "ceil",
        FloatFn::Rint => "rint",
        FloatFn::IsNan => "is_nan",
        FloatFn::Computed(function) => function.name(),
    }
}

fn bit_sign(op: BitOp) -> &'static str {
    match op {
        BitOp::Add => "+",
        BitOp::Sub => "-",
        BitOp::Mul => "*",
        BitOp::SDiv => "/",
        BitOp::SRem => "%",
        BitOp::UDiv => "/u",
        BitOp::URem => "%u",
        BitOp::Shl => "<<",
        BitOp::AShr => ">>",
        BitOp::LShr => ">>>",
        BitOp::And => "&",
        BitOp::Or => "|",
        BitOp::Xor => "^",
        BitOp::SLt => "<",
        BitOp::ULt => "<u",
    }
}
