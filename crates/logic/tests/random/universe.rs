//! The symbols that the trees of one test mention, and models of them.

use std::rc::Rc;

use lazuli_logic::{BitOp, FloatOp, Model, Origin, RefValue, Sort, Symbol, Term, Terms, Value};

use super::Tape;

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
