//! Terms as text, the way people write conditions. A part that a large term uses several times is named once
//! (`let #1 = …`), so that the text grows with the number of nodes and not with the number of paths to them.

use std::fmt::Write;

use rustc_hash::FxHashMap;

use crate::term::{BitOp, Node, Term, Terms};

/// Terms whose written-out tree has at most this many nodes are printed without names for shared parts.
const PLAIN_SIZE: u64 = 60;

impl Terms {
    /// The text of a term.
    pub fn show(&self, term: Term) -> String {
        self.show_with(term, &|low, high| format!("{low}..{high}"))
    }

    /// The text of a term; `classes` names an interval of class numbers.
    pub fn show_with(&self, term: Term, classes: &dyn Fn(u32, u32) -> String) -> String {
        let nodes = self.postorder(&[term]);
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
        let mut text: FxHashMap<Term, String> = FxHashMap::default();
        let mut definitions = String::new();
        let mut names = 0;
        for &node in &nodes {
            let written = self.show_node(node, &text, classes);
            let shared = !plain && node != term && uses.get(&node).is_some_and(|&u| u > 1) && size[&node] > 3;
            // A long unshared part is named as well: it keeps every line of the text readable and linear in size.
            if shared || (!plain && node != term && written.len() > 400) {
                names += 1;
                writeln!(definitions, "let #{names} = {written} in").expect("writing to a string");
                text.insert(node, format!("#{names}"));
            } else {
                text.insert(node, written);
            }
        }
        let body = text.remove(&term).unwrap_or_else(|| self.show_constant(term));
        definitions + &body
    }

    fn show_constant(&self, term: Term) -> String {
        if let Some(value) = term.as_bool() {
            value.to_string()
        } else if let Some(value) = term.as_small_int() {
            value.to_string()
        } else if let Some((width, value)) = term.as_small_bits() {
            show_bits(width, value)
        } else if let Some(location) = term.as_location() {
            format!("new{location}")
        } else {
            "null".to_string()
        }
    }

    fn show_node(&self, term: Term, done: &FxHashMap<Term, String>, classes: &dyn Fn(u32, u32) -> String) -> String {
        let text = |t: &Term| done.get(t).cloned().unwrap_or_else(|| self.show_constant(*t));
        let operand = |t: &Term| {
            let inner = text(t);
            let compound = inner.contains(' ') && !inner.ends_with(')');
            if compound || inner.contains(" + ") || inner.contains(" - ") { format!("({inner})") } else { inner }
        };
        let binary = |a: &Term, op: &str, b: &Term| format!("{} {op} {}", text(a), text(b));
        let junction = |list: &[Term], op: &str| {
            let parts: Vec<String> = list.iter().map(&operand).collect();
            parts.join(op)
        };
        match self.node(term).expect("constants are written by the caller") {
            Node::Int(value) => value.to_string(),
            Node::Bits { width, value } => show_bits(*width, *value),
            Node::Symbol(symbol) => self.symbol_name(*symbol),
            Node::Not(a) => match self.node(*a) {
                Some(Node::Eq(x, y)) => binary(x, "!=", y),
                Some(Node::Lt(x, y)) => binary(y, "<=", x),
                Some(Node::Bit(BitOp::SLt, x, y)) => binary(y, "<=", x),
                Some(Node::Bit(BitOp::ULt, x, y)) => binary(y, "<=u", x),
                Some(Node::Class { reference, low, high }) => {
                    format!("{} is not {}", text(reference), classes(*low, *high))
                }
                _ => format!("!{}", operand(a)),
            },
            Node::And(list) => junction(list, " && "),
            Node::Or(list) => junction(list, " || "),
            Node::Ite(c, a, b) => format!("ite({}, {}, {})", text(c), text(a), text(b)),
            Node::Eq(a, b) if a.index().is_none() => binary(b, "==", a),
            Node::Eq(a, b) => binary(a, "==", b),
            Node::Lt(a, b) => binary(a, "<", b),
            Node::Sum(list, constant) => {
                let mut sum = String::new();
                for (part, coefficient) in list {
                    let sign = match (sum.is_empty(), *coefficient < 0) {
                        (true, false) => "",
                        (true, true) => "-",
                        (false, false) => " + ",
                        (false, true) => " - ",
                    };
                    sum.push_str(sign);
                    if coefficient.unsigned_abs() != 1 {
                        write!(sum, "{}*", coefficient.unsigned_abs()).expect("writing to a string");
                    }
                    sum.push_str(&operand(part));
                }
                match constant {
                    0 => {}
                    c if *c < 0 => write!(sum, " - {}", c.unsigned_abs()).expect("writing to a string"),
                    c => write!(sum, " + {c}").expect("writing to a string"),
                }
                sum
            }
            Node::WideAdd(a, factor, b) => format!("{} + {factor}*{}", operand(a), operand(b)),
            Node::Bit(op, a, b) => format!("{} {} {}", operand(a), bit_sign(*op), operand(b)),
            Node::Extend { signed, width, term } => {
                format!("{}{width}({})", if *signed { "sext" } else { "zext" }, text(term))
            }
            Node::Extract { high, low, term } => format!("{}[{high}:{low}]", operand(term)),
            Node::Class { reference, low, high } => format!("{} is {}", text(reference), classes(*low, *high)),
        }
    }
}

fn show_bits(width: u8, value: u64) -> String {
    let shift = 64 - width as u32;
    (((value << shift) as i64) >> shift).to_string()
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
