//! A term as a plain tree, chosen from a tape.

use lazuli_logic::{BitOp, Conversion, FloatFn, FloatOp, Sort, Term};

use super::{Tape, Universe};

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
