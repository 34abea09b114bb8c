//! Random terms for the property tests: a plain tree, its meaning by naive evaluation, and the same thing built through
//! the smart constructors.
//!
//! A test case is a *tape* of numbers from which all choices are read; at its end every choice is the simplest.
//! Proptest shrinks tapes, so a failure comes with a small tree without a strategy for every sort. The evaluation here
//! must stay independent of the crate's: it is what the crate is compared with.
#![allow(dead_code)] // Every test binary uses a part of this file.

use std::rc::Rc;

use lazuli_logic::{BitOp, Conversion, FloatFn, FloatOp, Model, Origin, RefValue, Sort, Symbol, Term, Terms, Value};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

/// A fixed seed, so that a red test is red for everybody; with `PROPTEST_CASES` set, as many cases from a random seed.
pub fn config(cases: u32) -> Config {
    let default = Config { failure_persistence: None, max_shrink_iters: 4096, ..Config::default() };
    match std::env::var("PROPTEST_CASES") {
        Ok(_) => default,
        Err(_) => Config { cases, rng_seed: RngSeed::Fixed(20_240_229), ..default },
    }
}

pub fn tape(length: usize) -> impl Strategy<Value = Vec<u16>> {
    proptest::collection::vec(any::<u16>(), 0..length)
}

/// The choices of one test case.
pub struct Tape<'a> {
    rest: &'a [u16],
}

impl<'a> Tape<'a> {
    pub fn new(numbers: &'a [u16]) -> Tape<'a> {
        Tape { rest: numbers }
    }

    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// A number below `bound`; 0 at the end of the tape.
    pub fn below(&mut self, bound: usize) -> usize {
        match self.rest {
            [first, rest @ ..] => {
                self.rest = rest;
                *first as usize % bound
            }
            [] => 0,
        }
    }

    pub fn flip(&mut self) -> bool {
        self.below(2) == 1
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn word(&mut self) -> u64 {
        (0..4).fold(0, |word, _| word << 16 | self.below(1 << 16) as u64)
    }

    /// Often a value at an edge, because that is where operations go wrong.
    pub fn bits(&mut self, width: u8) -> u64 {
        let mask = u64::MAX >> (64 - width);
        let value = match self.below(8) {
            0 => 0,
            1 => 1,
            2 => mask,
            3 => 1 << (width - 1),
            4 => (1 << (width - 1)) - 1,
            5 => self.below(70) as u64,
            _ => self.word(),
        };
        value & mask
    }

    /// The bit pattern of a number, mostly a special one; NaN is canonical.
    pub fn float(&mut self, width: u8) -> u64 {
        let value = match self.below(24) {
            0 => 0.0,
            1 => -0.0,
            2 => 1.0,
            3 => -1.0,
            4 => f64::NAN,
            5 => f64::INFINITY,
            6 => f64::NEG_INFINITY,
            7 if width == 32 => f32::MAX as f64,
            7 => f64::MAX,
            8 if width == 32 => f32::MIN_POSITIVE as f64,
            8 => f64::MIN_POSITIVE,
            9 if width == 32 => f32::from_bits(1) as f64,
            9 => f64::from_bits(1),
            10 => 0.1,
            11 => -0.5,
            12 => 2147483647.0,
            13 => -2147483648.5,
            14 => 9223372036854775808.0,
            15 => -9223372036854775808.0,
            16 => 1e10,
            17 => 4503599627370497.5,
            18 => 8388609.5,
            19 => self.below(1 << 16) as f64 / 8.0 - 4096.0,
            20 => self.below(9) as f64 - 4.0,
            _ => {
                let bits = self.word();
                return canonical(width, if width == 32 { bits >> 32 } else { bits });
            }
        };
        pattern(width, value)
    }
}

/// The canonical bit pattern of a number at a width.
pub fn pattern(width: u8, value: f64) -> u64 {
    if width == 32 { canonical(32, (value as f32).to_bits() as u64) } else { canonical(64, value.to_bits()) }
}

/// The number that a bit pattern denotes; exact for both widths.
fn number(width: u8, bits: u64) -> f64 {
    if width == 32 { f32::from_bits(bits as u32) as f64 } else { f64::from_bits(bits) }
}

fn canonical(width: u8, bits: u64) -> u64 {
    let (exponent, fraction) = if width == 32 { (0xff << 23, (1 << 23) - 1) } else { (0x7ff << 52, (1 << 52) - 1) };
    if bits & exponent == exponent && bits & fraction != 0 { exponent | (fraction + 1) >> 1 } else { bits }
}

/// The symbols that the trees of one test mention.
pub struct Universe {
    pub terms: Terms,
    pub ints: Vec<Term>,
    pub bools: Vec<Term>,
    /// Widths in use, each with its symbols.
    pub words: Vec<(u8, Vec<Term>)>,
    pub refs: Vec<Term>,
    /// Precisions in use, each with its symbols.
    pub floats: Vec<(u8, Vec<Term>)>,
    /// Floating-point operations to choose from.
    pub float_ops: Vec<FloatOp>,
    /// Operations to choose from.
    pub ops: Vec<BitOp>,
    /// Whether symbols may name their objects.
    pub own: bool,
}

/// Declared classes of the references: overlapping, disjoint, in several intervals, everything.
const CLASSES: [&[(u32, u32)]; 5] = [&[(0, u32::MAX)], &[(0, 3)], &[(2, 5)], &[(0, 1), (4, 6)], &[(7, 9)]];
/// Class numbers that can matter.
pub const CLASS_NUMBERS: std::ops::RangeInclusive<u32> = 0..=10;

impl Universe {
    pub fn new(ints: usize, bools: usize, widths: &[u8], words: usize, refs: usize) -> Universe {
        let mut terms = Terms::new();
        let many = |terms: &mut Terms, prefix: &str, count: usize, sort: Sort| -> Vec<Term> {
            (0..count).map(|i| terms.root(&format!("{prefix}{i}"), sort)).collect()
        };
        let ints = many(&mut terms, "i", ints, Sort::Int);
        let bools = many(&mut terms, "b", bools, Sort::Bool);
        let words = widths.iter().map(|&w| (w, many(&mut terms, &format!("w{w}_"), words, Sort::Bits(w)))).collect();
        let refs = (0..refs)
            .map(|i| {
                let origin = Origin::Root(format!("r{i}").into(), 0);
                terms.symbol(origin, Sort::Ref, &Rc::from(CLASSES[i % CLASSES.len()]))
            })
            .collect();
        let (floats, float_ops) = (Vec::new(), FloatOp::ALL.to_vec());
        Universe { terms, ints, bools, words, refs, floats, float_ops, ops: BitOp::ALL.to_vec(), own: false }
    }

    /// The same with conditions that a symbol names its object.
    pub fn with_own(self) -> Universe {
        Universe { own: true, ..self }
    }

    /// The same with symbols for floating-point numbers.
    pub fn with_floats(mut self, widths: &[u8], count: usize) -> Universe {
        for &width in widths {
            let symbols = (0..count).map(|i| self.terms.root(&format!("f{width}_{i}"), Sort::Float(width))).collect();
            self.floats.push((width, symbols));
        }
        self
    }

    pub fn symbol(&self, term: Term) -> Symbol {
        self.terms.as_symbol(term).expect("a symbol")
    }

    fn classes_contain(&self, symbol: Term, class: u32) -> bool {
        let info = self.terms.symbol_info(self.symbol(symbol));
        info.classes.iter().any(|&(low, high)| low <= class && class <= high)
    }

    /// Names the blocks of an assignment of objects to references (`None` is null) after their first members, and gives
    /// every object the class that `class` says; `false` if a declared type forbids that.
    pub fn set_references(&self, model: &mut Model, objects: &[Option<usize>], class: impl Fn(usize) -> u32) -> bool {
        for (i, object) in objects.iter().enumerate() {
            let symbol = self.symbol(self.refs[i]);
            let Some(object) = object else {
                model.set(symbol, Value::Ref(RefValue::Null));
                continue;
            };
            if !self.classes_contain(self.refs[i], class(*object)) {
                return false;
            }
            let first = objects.iter().position(|o| *o == Some(*object)).expect("at least itself");
            let name = self.symbol(self.refs[first]);
            model.set(symbol, Value::Ref(RefValue::Input(name)));
            model.set_class(name, class(*object));
        }
        true
    }

    /// A random model that respects the declared types.
    pub fn model(&self, tape: &mut Tape) -> Model {
        let mut model = Model::default();
        for &int in &self.ints {
            let value = match tape.below(3) {
                0 => tape.below(7) as i128 - 3,
                1 => tape.below(1 << 16) as i128 - (1 << 15),
                _ => (tape.word() as i64 >> 2) as i128,
            };
            model.set(self.symbol(int), Value::Int(value));
        }
        for &bool in &self.bools {
            model.set(self.symbol(bool), Value::Bool(tape.flip()));
        }
        for (width, words) in &self.words {
            for &word in words {
                model.set(self.symbol(word), Value::Bits(tape.bits(*width)));
            }
        }
        for (width, floats) in &self.floats {
            for &float in floats {
                model.set(self.symbol(float), Value::Float(tape.float(*width)));
            }
        }
        let classes: Vec<u32> = self.refs.iter().map(|_| tape.below(11) as u32).collect();
        let mut objects: Vec<Option<usize>> = Vec::new();
        for &reference in &self.refs {
            let object = tape.below(self.refs.len() + 1);
            let fits = object > 0 && self.classes_contain(reference, classes[object - 1]);
            objects.push(fits.then(|| object - 1));
        }
        assert!(self.set_references(&mut model, &objects, |object| classes[object]));
        model
    }
}

/// A term as a reader would write it.
#[derive(Clone, Debug)]
pub enum Tree {
    Bool(bool),
    Int(i64),
    Bits(u8, u64),
    Null,
    Location(u32),
    Symbol(Term),
    Not(Box<Tree>),
    And(Vec<Tree>),
    Or(Vec<Tree>),
    Implies(Box<Tree>, Box<Tree>),
    Ite(Box<Tree>, Box<Tree>, Box<Tree>),
    Eq(Box<Tree>, Box<Tree>),
    Ne(Box<Tree>, Box<Tree>),
    Lt(Box<Tree>, Box<Tree>),
    Le(Box<Tree>, Box<Tree>),
    Add(Box<Tree>, Box<Tree>),
    Sub(Box<Tree>, Box<Tree>),
    Bit(BitOp, u8, Box<Tree>, Box<Tree>),
    BitNot(u8, Box<Tree>),
    Extend(bool, u8, u8, Box<Tree>),
    Extract(u8, u8, Box<Tree>),
    Class(Term, u32, u32),
    Own(Term),
    Float(u8, u64),
    FloatOp(FloatOp, u8, Box<Tree>, Box<Tree>),
    FloatFn(FloatFn, u8, Box<Tree>),
    Convert(Conversion, u8, u8, Box<Tree>),
}

// ---- choosing a tree ----

impl Tree {
    pub fn of(universe: &Universe, tape: &mut Tape, sort: Sort, depth: u32) -> Tree {
        if depth == 0 || tape.below(6) == 0 {
            return Tree::leaf(universe, tape, sort);
        }
        if sort != Sort::Bool && tape.below(3) == 0 {
            return Tree::Ite(
                Tree::boxed(universe, tape, Sort::Bool, depth - 1),
                Tree::boxed(universe, tape, sort, depth - 1),
                Tree::boxed(universe, tape, sort, depth - 1),
            );
        }
        match sort {
            Sort::Bool => Tree::condition(universe, tape, depth),
            Sort::Int => {
                let (a, b) = Tree::pair(universe, tape, sort, depth);
                if tape.flip() { Tree::Sub(a, b) } else { Tree::Add(a, b) }
            }
            Sort::Bits(width) => Tree::word(universe, tape, width, depth),
            Sort::Float(width) => Tree::number(universe, tape, width, depth),
            Sort::Ref => Tree::leaf(universe, tape, sort),
        }
    }

    fn boxed(universe: &Universe, tape: &mut Tape, sort: Sort, depth: u32) -> Box<Tree> {
        Box::new(Tree::of(universe, tape, sort, depth))
    }

    fn pair(universe: &Universe, tape: &mut Tape, sort: Sort, depth: u32) -> (Box<Tree>, Box<Tree>) {
        (Tree::boxed(universe, tape, sort, depth - 1), Tree::boxed(universe, tape, sort, depth - 1))
    }

    fn leaf(universe: &Universe, tape: &mut Tape, sort: Sort) -> Tree {
        let constant = tape.below(3) == 0;
        match sort {
            Sort::Bool if constant || universe.bools.is_empty() => Tree::Bool(tape.flip()),
            Sort::Bool => Tree::Symbol(tape.pick(&universe.bools)),
            Sort::Int if constant || universe.ints.is_empty() => {
                let edges = [0, 1, -1, 2, 7, i64::MAX, i64::MIN, i64::MAX - 1, 1 << 60, -(1 << 60), (1 << 60) - 1];
                Tree::Int(tape.pick(&edges))
            }
            Sort::Int => Tree::Symbol(tape.pick(&universe.ints)),
            Sort::Bits(width) => match universe.words.iter().find(|w| w.0 == width) {
                Some((_, words)) if !constant => Tree::Symbol(tape.pick(words)),
                _ => Tree::Bits(width, tape.bits(width)),
            },
            Sort::Float(width) => match universe.floats.iter().find(|f| f.0 == width) {
                Some((_, floats)) if !constant => Tree::Symbol(tape.pick(floats)),
                _ => Tree::Float(width, tape.float(width)),
            },
            Sort::Ref if constant || universe.refs.is_empty() => match tape.below(3) {
                0 => Tree::Null,
                n => Tree::Location(n as u32),
            },
            Sort::Ref => Tree::Symbol(tape.pick(&universe.refs)),
        }
    }

    /// A sort that the universe has symbols of.
    fn operand_sort(universe: &Universe, tape: &mut Tape) -> Sort {
        let mut sorts = Vec::new();
        if !universe.refs.is_empty() {
            sorts.extend([Sort::Ref, Sort::Ref]);
        }
        if !universe.ints.is_empty() {
            sorts.extend([Sort::Int, Sort::Int]);
        }
        sorts.extend(universe.words.iter().map(|w| Sort::Bits(w.0)));
        sorts.extend(universe.floats.iter().flat_map(|f| [Sort::Float(f.0); 2]));
        sorts.push(Sort::Bool);
        tape.pick(&sorts)
    }

    fn condition(universe: &Universe, tape: &mut Tape, depth: u32) -> Tree {
        match tape.below(12) {
            0 => Tree::Not(Tree::boxed(universe, tape, Sort::Bool, depth - 1)),
            1 | 2 => Tree::And(Tree::list(universe, tape, depth)),
            3 | 4 => Tree::Or(Tree::list(universe, tape, depth)),
            5 => {
                let (a, b) = Tree::pair(universe, tape, Sort::Bool, depth);
                Tree::Implies(a, b)
            }
            6 => {
                let condition = Tree::boxed(universe, tape, Sort::Bool, depth - 1);
                let (a, b) = Tree::pair(universe, tape, Sort::Bool, depth);
                Tree::Ite(condition, a, b)
            }
            7 if universe.own && tape.flip() => Tree::Own(tape.pick(&universe.refs)),
            7 if !universe.refs.is_empty() => {
                let low = tape.below(9) as u32;
                let high = if tape.below(4) == 0 { u32::MAX } else { low + tape.below(4) as u32 };
                Tree::Class(tape.pick(&universe.refs), low, high)
            }
            7 | 8 => {
                let sort = Tree::operand_sort(universe, tape);
                let (a, b) = Tree::pair(universe, tape, sort, depth);
                Tree::Ne(a, b)
            }
            9 => {
                let sort = Tree::operand_sort(universe, tape);
                let (a, b) = Tree::pair(universe, tape, sort, depth);
                Tree::Eq(a, b)
            }
            n => {
                let sort = Tree::operand_sort(universe, tape);
                let (a, b) = Tree::pair(universe, tape, sort, depth);
                match sort {
                    Sort::Int if n == 10 => Tree::Lt(a, b),
                    Sort::Int => Tree::Le(a, b),
                    Sort::Float(width) if n == 10 && tape.flip() => Tree::FloatFn(FloatFn::IsNan, width, a),
                    Sort::Float(width) => {
                        let op = tape.pick(&[FloatOp::Lt, FloatOp::Le, FloatOp::Eq]);
                        Tree::FloatOp(op, width, a, b)
                    }
                    Sort::Bits(width) => Tree::Bit(if n == 10 { BitOp::SLt } else { BitOp::ULt }, width, a, b),
                    _ => Tree::Eq(a, b),
                }
            }
        }
    }

    fn list(universe: &Universe, tape: &mut Tape, depth: u32) -> Vec<Tree> {
        (0..tape.below(4) + 1).map(|_| Tree::of(universe, tape, Sort::Bool, depth - 1)).collect()
    }

    fn word(universe: &Universe, tape: &mut Tape, width: u8, depth: u32) -> Tree {
        let widths: Vec<u8> = universe.words.iter().map(|w| w.0).collect();
        match tape.below(6) {
            0 if width >= 32 && !universe.floats.is_empty() => {
                let from = universe.floats[tape.below(universe.floats.len())].0;
                let raw = from == width && tape.flip();
                let conversion = if raw { Conversion::ToBits } else { Conversion::ToSigned };
                Tree::Convert(conversion, from, width, Tree::boxed(universe, tape, Sort::Float(from), depth - 1))
            }
            0 => Tree::BitNot(width, Tree::boxed(universe, tape, Sort::Bits(width), depth - 1)),
            1 => {
                let smaller: Vec<u8> = widths.into_iter().filter(|w| *w <= width).collect();
                let from = tape.pick(&smaller);
                let signed = tape.flip();
                Tree::Extend(signed, from, width, Tree::boxed(universe, tape, Sort::Bits(from), depth - 1))
            }
            2 => {
                let larger: Vec<u8> = widths.into_iter().filter(|w| *w >= width).collect();
                let from = tape.pick(&larger);
                let low = tape.below((from - width) as usize + 1) as u8;
                Tree::Extract(low + width - 1, low, Tree::boxed(universe, tape, Sort::Bits(from), depth - 1))
            }
            _ => {
                let ops: Vec<BitOp> = universe.ops.iter().copied().filter(|op| !op.is_comparison()).collect();
                let op = tape.pick(&ops);
                let (a, b) = Tree::pair(universe, tape, Sort::Bits(width), depth);
                Tree::Bit(op, width, a, b)
            }
        }
    }
}

impl Tree {
    fn number(universe: &Universe, tape: &mut Tape, width: u8, depth: u32) -> Tree {
        let words: Vec<u8> = universe.words.iter().map(|w| w.0).filter(|w| *w >= 32).collect();
        match tape.below(6) {
            0 => {
                let function = tape.pick(&FloatFn::ALL[..6]);
                Tree::FloatFn(function, width, Tree::boxed(universe, tape, Sort::Float(width), depth - 1))
            }
            1 if !words.is_empty() => {
                let from = tape.pick(&words);
                let raw = from == width && tape.flip();
                let conversion = if raw { Conversion::FromBits } else { Conversion::FromSigned };
                Tree::Convert(conversion, from, width, Tree::boxed(universe, tape, Sort::Bits(from), depth - 1))
            }
            2 => {
                let from = universe.floats[tape.below(universe.floats.len())].0;
                Tree::Convert(
                    Conversion::Resize,
                    from,
                    width,
                    Tree::boxed(universe, tape, Sort::Float(from), depth - 1),
                )
            }
            _ => {
                let ops: Vec<FloatOp> = universe.float_ops.iter().copied().filter(|op| !op.is_comparison()).collect();
                let op = tape.pick(&ops);
                let (a, b) = Tree::pair(universe, tape, Sort::Float(width), depth);
                Tree::FloatOp(op, width, a, b)
            }
        }
    }
}

// ---- building it ----

impl Tree {
    pub fn build(&self, terms: &mut Terms) -> Term {
        match self {
            Tree::Bool(value) => Term::bool(*value),
            Tree::Int(value) => terms.int(*value),
            Tree::Bits(width, value) => terms.bits(*width, *value),
            Tree::Null => Term::NULL,
            Tree::Location(n) => Term::location(*n),
            Tree::Symbol(term) => *term,
            Tree::Not(a) => {
                let a = a.build(terms);
                terms.not(a)
            }
            Tree::And(list) => {
                let list: Vec<Term> = list.iter().map(|t| t.build(terms)).collect();
                if let [a, b] = list[..] { terms.and(a, b) } else { terms.all(list) }
            }
            Tree::Or(list) => {
                let list: Vec<Term> = list.iter().map(|t| t.build(terms)).collect();
                if let [a, b] = list[..] { terms.or(a, b) } else { terms.any(list) }
            }
            Tree::Ite(c, a, b) => {
                let (c, a, b) = (c.build(terms), a.build(terms), b.build(terms));
                terms.ite(c, a, b)
            }
            Tree::Implies(a, b) => Tree::build_pair(terms, a, b, Terms::implies),
            Tree::Eq(a, b) => Tree::build_pair(terms, a, b, Terms::eq),
            Tree::Ne(a, b) => Tree::build_pair(terms, a, b, Terms::ne),
            Tree::Lt(a, b) => Tree::build_pair(terms, a, b, Terms::lt),
            Tree::Le(a, b) => Tree::build_pair(terms, a, b, Terms::le),
            Tree::Add(a, b) => Tree::build_pair(terms, a, b, Terms::add),
            Tree::Sub(a, b) => Tree::build_pair(terms, a, b, Terms::sub),
            Tree::Bit(op, _, a, b) => Tree::build_pair(terms, a, b, |t, a, b| t.bit_op(*op, a, b)),
            Tree::BitNot(_, a) => {
                let a = a.build(terms);
                terms.bit_not(a)
            }
            Tree::Extend(signed, _, width, a) => {
                let a = a.build(terms);
                terms.extend(*signed, *width, a)
            }
            Tree::Extract(high, low, a) => {
                let a = a.build(terms);
                terms.extract(*high, *low, a)
            }
            Tree::Class(reference, low, high) => terms.class_in(*reference, *low, *high),
            Tree::Own(reference) => terms.is_own(*reference),
            Tree::Float(width, bits) => terms.float(*width, *bits),
            Tree::FloatOp(op, _, a, b) => Tree::build_pair(terms, a, b, |t, a, b| t.float_op(*op, a, b)),
            Tree::FloatFn(function, _, a) => {
                let a = a.build(terms);
                terms.float_fn(*function, a)
            }
            Tree::Convert(conversion, _, to, a) => {
                let a = a.build(terms);
                terms.convert(*conversion, *to, a)
            }
        }
    }

    fn build_pair(terms: &mut Terms, a: &Tree, b: &Tree, make: impl Fn(&mut Terms, Term, Term) -> Term) -> Term {
        let (a, b) = (a.build(terms), b.build(terms));
        make(terms, a, b)
    }
}

// ---- what it means ----

fn signed(width: u8, value: u64) -> i128 {
    let value = value as i128;
    if value >> (width - 1) & 1 == 1 { value - (1i128 << width) } else { value }
}

/// Bit operations in 128-bit arithmetic, after the SMT-LIB definitions.
pub fn plain_bit_op(op: BitOp, width: u8, a: u64, b: u64) -> Value {
    let (ua, ub) = (a as i128, b as i128);
    let (sa, sb) = (signed(width, a), signed(width, b));
    let long = ub >= width as i128;
    let result = match op {
        BitOp::Add => ua + ub,
        BitOp::Sub => ua - ub,
        BitOp::Mul => return Value::Bits(((a as u128 * b as u128) & ((1u128 << width) - 1)) as u64),
        BitOp::UDiv => {
            if b == 0 {
                -1
            } else {
                ua / ub
            }
        }
        BitOp::URem => {
            if b == 0 {
                ua
            } else {
                ua % ub
            }
        }
        BitOp::SDiv if b == 0 => {
            if sa < 0 {
                1
            } else {
                -1
            }
        }
        BitOp::SDiv => sa / sb,
        BitOp::SRem => {
            if b == 0 {
                sa
            } else {
                sa % sb
            }
        }
        BitOp::Shl => {
            if long {
                0
            } else {
                ((a as u128) << b) as i128
            }
        }
        BitOp::LShr => {
            if long {
                0
            } else {
                ua >> b
            }
        }
        BitOp::AShr => sa >> ub.min(100),
        BitOp::And => ua & ub,
        BitOp::Or => ua | ub,
        BitOp::Xor => ua ^ ub,
        BitOp::SLt => return Value::Bool(sa < sb),
        BitOp::ULt => return Value::Bool(ua < ub),
    };
    Value::Bits((result & ((1i128 << width) - 1)) as u64)
}

/// Operations on numbers. Single precision is computed in double precision and rounded, which is exact for these.
pub fn plain_float_op(op: FloatOp, width: u8, a: u64, b: u64) -> Value {
    let (a, b) = (number(width, a), number(width, b));
    let result = match op {
        FloatOp::Add => a + b,
        FloatOp::Sub => a - b,
        FloatOp::Mul => a * b,
        FloatOp::Div => a / b,
        FloatOp::Rem => a % b,
        FloatOp::Lt => return Value::Bool(a < b),
        FloatOp::Le => return Value::Bool(a <= b),
        FloatOp::Eq => return Value::Bool(a == b),
    };
    Value::Float(pattern(width, result))
}

pub fn plain_float_fn(function: FloatFn, width: u8, bits: u64) -> Value {
    let a = number(width, bits);
    // Numbers of this size have no fraction; NaN and the infinities are left alone as well.
    let integral = a.is_nan() || a.abs() >= 4503599627370496.0;
    let truncated = if integral { a } else { (a as i64) as f64 };
    let sign = |value: f64| if a.is_sign_negative() { -value.abs() } else { value.abs() };
    let result = match function {
        FloatFn::Neg => return Value::Float(canonical(width, bits ^ 1 << (width - 1))),
        FloatFn::Abs => return Value::Float(canonical(width, bits & !(1 << (width - 1)))),
        FloatFn::Sqrt => a.sqrt(),
        FloatFn::Floor if integral => a,
        FloatFn::Floor if a < truncated => truncated - 1.0,
        FloatFn::Floor => sign(truncated),
        FloatFn::Ceil if integral => a,
        FloatFn::Ceil if a > truncated => truncated + 1.0,
        FloatFn::Ceil => sign(truncated),
        FloatFn::Rint if integral => a,
        FloatFn::Rint => {
            let distance = (a - truncated).abs();
            let odd = truncated as i64 % 2 != 0;
            sign(if distance > 0.5 || distance == 0.5 && odd { truncated.abs() + 1.0 } else { truncated })
        }
        FloatFn::IsNan => return Value::Bool(a.is_nan()),
        FloatFn::Computed(_) => unreachable!("generated terms have those that solvers know"),
    };
    Value::Float(pattern(width, result))
}

pub fn plain_conversion(conversion: Conversion, from: u8, to: u8, value: u64) -> Value {
    match conversion {
        Conversion::FromBits => Value::Float(canonical(to, value)),
        Conversion::ToBits => Value::Bits(canonical(to, value)),
        Conversion::Resize => Value::Float(pattern(to, number(from, value))),
        Conversion::FromSigned if to == 32 => {
            Value::Float(canonical(32, (signed(from, value) as f32).to_bits() as u64))
        }
        Conversion::FromSigned => Value::Float((signed(from, value) as f64).to_bits()),
        Conversion::ToSigned => {
            let bound = 1i128 << (to - 1);
            let integer = number(from, value) as i128;
            Value::Bits((integer.clamp(-bound, bound - 1) & ((1i128 << to) - 1)) as u64)
        }
    }
}

impl Tree {
    pub fn holds(&self, terms: &Terms, model: &Model) -> bool {
        self.eval(terms, model) == Value::Bool(true)
    }

    fn int(&self, terms: &Terms, model: &Model) -> i128 {
        match self.eval(terms, model) {
            Value::Int(value) => value,
            other => panic!("an integer is wanted, not {other:?}"),
        }
    }

    fn bits(&self, terms: &Terms, model: &Model) -> u64 {
        match self.eval(terms, model) {
            Value::Bits(value) => value,
            other => panic!("a bit-vector is wanted, not {other:?}"),
        }
    }

    fn float(&self, terms: &Terms, model: &Model) -> u64 {
        match self.eval(terms, model) {
            Value::Float(value) => value,
            other => panic!("a floating-point number is wanted, not {other:?}"),
        }
    }

    pub fn eval(&self, terms: &Terms, model: &Model) -> Value {
        let eval = |t: &Tree| t.eval(terms, model);
        let holds = |t: &Tree| t.holds(terms, model);
        let int = |t: &Tree| t.int(terms, model);
        let bits = |t: &Tree| t.bits(terms, model);
        let float = |t: &Tree| t.float(terms, model);
        match self {
            Tree::Bool(value) => Value::Bool(*value),
            Tree::Int(value) => Value::Int(*value as i128),
            Tree::Bits(_, value) => Value::Bits(*value),
            Tree::Null => Value::Ref(RefValue::Null),
            Tree::Location(n) => Value::Ref(RefValue::Location(*n)),
            Tree::Symbol(term) => model.get(terms.as_symbol(*term).unwrap()).expect("models are total here"),
            Tree::Not(a) => Value::Bool(!holds(a)),
            Tree::And(list) => Value::Bool(list.iter().all(holds)),
            Tree::Or(list) => Value::Bool(list.iter().any(holds)),
            Tree::Implies(a, b) => Value::Bool(!holds(a) || holds(b)),
            Tree::Ite(c, a, b) => eval(if holds(c) { a } else { b }),
            Tree::Eq(a, b) => Value::Bool(eval(a) == eval(b)),
            Tree::Ne(a, b) => Value::Bool(eval(a) != eval(b)),
            Tree::Lt(a, b) => Value::Bool(int(a) < int(b)),
            Tree::Le(a, b) => Value::Bool(int(a) <= int(b)),
            Tree::Add(a, b) => Value::Int(int(a) + int(b)),
            Tree::Sub(a, b) => Value::Int(int(a) - int(b)),
            Tree::Bit(op, width, a, b) => plain_bit_op(*op, *width, bits(a), bits(b)),
            Tree::BitNot(width, a) => Value::Bits(!bits(a) & (u64::MAX >> (64 - width))),
            Tree::Extend(is_signed, from, to, a) => {
                let value = bits(a);
                let wide = if *is_signed { signed(*from, value) } else { value as i128 };
                Value::Bits((wide & ((1i128 << to) - 1)) as u64)
            }
            Tree::Extract(high, low, a) => {
                Value::Bits((bits(a) as u128 >> low & ((1u128 << (high - low + 1)) - 1)) as u64)
            }
            Tree::Float(_, bits) => Value::Float(*bits),
            Tree::FloatOp(op, width, a, b) => plain_float_op(*op, *width, float(a), float(b)),
            Tree::FloatFn(function, width, a) => plain_float_fn(*function, *width, float(a)),
            Tree::Convert(conversion, from, to, a) if conversion.takes_float() => {
                plain_conversion(*conversion, *from, *to, float(a))
            }
            Tree::Convert(conversion, from, to, a) => plain_conversion(*conversion, *from, *to, bits(a)),
            Tree::Class(reference, low, high) => {
                let symbol = terms.as_symbol(*reference).unwrap();
                let class = match eval(&Tree::Symbol(*reference)) {
                    Value::Ref(RefValue::Input(object)) => model.class(terms, object),
                    _ => terms.symbol_info(symbol).classes[0].0,
                };
                Value::Bool(*low <= class && class <= *high)
            }
            Tree::Own(reference) => {
                let symbol = terms.as_symbol(*reference).unwrap();
                Value::Bool(eval(&Tree::Symbol(*reference)) == Value::Ref(RefValue::Input(symbol)))
            }
        }
    }
}
