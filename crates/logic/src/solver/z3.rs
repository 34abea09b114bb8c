//! Z3 through its API, incrementally: the clauses asserted last time stay as far as the new query begins with them.
//!
//! No logic is set and references are integers (null is 0, input objects are positive, those that symbols name from
//! [`NAMED`] on): of the encodings measured that was the fastest by a factor of two to five. A location never reaches the solver, because the constructors decide every
//! equality with one.

mod float;
mod watcher;

use ::z3::ast::{Ast, BV, Bool, Dynamic, Int};
use ::z3::{FuncDecl, Params, SatResult, Solver, Sort as Z3Sort};
use rustc_hash::FxHashMap;

use crate::eval::{Model, RefValue, Value};
use crate::solver::Stage;
use crate::solver::backend::{Answer, Backend};
use crate::solver::question::{Question, Reply};
use crate::term::{BitOp, ClassSet, Node, Sort, Symbol, Term, Terms};

/// How much of what Z3 counts (its `rlimit`) is one unit of effort.
///
/// Hard conditions over words, floating-point numbers and choices between integers count a half to three millions a second. Systems
/// of equations with large coefficients count a few thousands: there the effort bounds the work, but hardly the time.
const COUNTED: u64 = 200;

/// The number of the object that the first symbol names.
const NAMED: i64 = 1 << 40;

/// The stage: whatever no other has answered.
pub(crate) fn answer(solver: &mut crate::Solver, terms: &mut Terms, question: &mut Question) -> Option<Reply> {
    Some(solver.ask_backend(terms, &question.constraints(), Stage::Z3))
}

pub struct Z3 {
    effort: u64,
    solver: Solver,
    params: Params,
    /// One scope a clause.
    asserted: Vec<Term>,
    /// Whether the asserted clauses come with the declarations of their references: see [`classes_matter`].
    declared: bool,
    translated: FxHashMap<Term, Dynamic>,
    class_of: FuncDecl,
}

/// Does some work with a context of its own. Z3 keeps its context in the thread, and what it answers depends on what it was asked there
/// before.
pub fn in_fresh_context<R: Send + Sync>(work: impl FnOnce() -> R + Send + Sync) -> R {
    ::z3::with_z3_config(&::z3::Config::new(), work)
}

impl Z3 {
    /// With so much effort for every question.
    pub fn new(effort: u64) -> Z3 {
        let solver = Solver::new();
        let mut params = Params::new();
        // For Z3, 0 is no limit at all.
        let most = effort.saturating_mul(COUNTED).clamp(1, u32::MAX as u64);
        params.set_u32("rlimit", most as u32);
        solver.set_params(&params);
        Z3 {
            effort,
            solver,
            params,
            asserted: Vec::new(),
            declared: false,
            translated: FxHashMap::default(),
            class_of: FuncDecl::new("class", &[&Z3Sort::int()], &Z3Sort::int()),
        }
    }

    /// `None`: it is interrupted, and the clause is not asserted.
    fn assert(&mut self, terms: &Terms, clause: Term) -> Option<()> {
        let clause_ast = self.bool(terms, clause)?;
        self.solver.push();
        self.asserted.push(clause);
        self.solver.assert(&clause_ast);
        for symbol in terms.symbols_of(clause) {
            if self.declared && terms.symbol_info(symbol).sort == Sort::Ref {
                let axiom = self.declaration(terms, symbol);
                self.solver.assert(&axiom);
            }
        }
        for name in named_objects(terms, &[clause]) {
            if self.declared && terms.is_constant_object(name) {
                let class = self.class(&Int::from_i64(NAMED + name.0 as i64));
                self.solver.assert(class.eq(Int::from_i64(terms.symbol_info(name).classes[0].0 as i64)));
            }
        }
        Some(())
    }

    /// A reference is null or an object whose class belongs to the declared type.
    fn declaration(&self, terms: &Terms, symbol: Symbol) -> Bool {
        let reference = self.int(terms, terms.symbol_info(symbol).term);
        let class = self.class(&reference);
        let zero = Int::from_i64(0);
        let classes: Vec<Bool> =
            terms.symbol_info(symbol).classes.iter().map(|&(low, high)| in_range(&class, low, high)).collect();
        let typed = Bool::and(&[reference.gt(&zero), Bool::or(&classes)]);
        Bool::or(&[reference.eq(&zero), typed])
    }

    fn class(&self, reference: &Int) -> Int {
        self.class_of.apply(&[reference as &dyn Ast]).as_int().expect("classes are numbered")
    }

    fn dynamic(&self, term: Term) -> Dynamic {
        if let Some(value) = term.as_bool() {
            return Bool::from_bool(value).into();
        }
        if let Some(value) = term.as_small_int() {
            return Int::from_i64(value).into();
        }
        if let Some((width, value)) = term.as_small_bits() {
            return BV::from_u64(value, width as u32).into();
        }
        if let Some((width, bits)) = term.as_small_float() {
            return float::constant(width, bits).into();
        }
        if term.is_null() {
            return Int::from_i64(0).into();
        }
        if let Some(location) = term.as_location() {
            return Int::from_i64(-1 - location as i64).into();
        }
        if let Some(symbol) = term.as_object() {
            return Int::from_i64(NAMED + symbol.0 as i64).into();
        }
        self.translated[&term].clone()
    }

    /// `None`: it is interrupted.
    fn bool(&mut self, terms: &Terms, term: Term) -> Option<Bool> {
        for node in terms.postorder(&[term]) {
            if terms.interrupt().is_raised() {
                return None;
            }
            if !self.translated.contains_key(&node) {
                let ast = self.translate(terms, node);
                self.translated.insert(node, ast);
            }
        }
        Some(self.dynamic(term).as_bool().expect("clauses are boolean"))
    }

    fn int(&self, terms: &Terms, term: Term) -> Int {
        debug_assert!(matches!(terms.sort(term), Sort::Int | Sort::Ref));
        self.dynamic(term).as_int().expect("an integer or a reference")
    }

    fn translate(&self, terms: &Terms, term: Term) -> Dynamic {
        let int = |t: &Term| self.int(terms, *t);
        let bits = |t: &Term| self.dynamic(*t).as_bv().expect("a bit-vector");
        let number = |t: &Term| self.dynamic(*t).as_float().expect("a floating-point number");
        let bool = |t: &Term| self.dynamic(*t).as_bool().expect("a boolean");
        match terms.node(term).expect("only pooled terms are walked") {
            Node::Int(value) => Int::from_i64(*value).into(),
            Node::Bits { width, value } => BV::from_u64(*value, *width as u32).into(),
            Node::FloatConstant { width, bits } => float::constant(*width, *bits).into(),
            Node::Symbol(symbol) => {
                let name = symbol.0;
                match terms.sort(term) {
                    Sort::Bool => Bool::new_const(name).into(),
                    Sort::Int | Sort::Ref => Int::new_const(name).into(),
                    Sort::Bits(width) => BV::new_const(name, width as u32).into(),
                    Sort::Float(width) => float::symbol(name, width).into(),
                }
            }
            Node::Not(a) => bool(a).not().into(),
            Node::And(list) => Bool::and(&list.iter().map(bool).collect::<Vec<_>>()).into(),
            Node::Or(list) => Bool::or(&list.iter().map(bool).collect::<Vec<_>>()).into(),
            Node::Ite(c, a, b) => bool(c).ite(&self.dynamic(*a), &self.dynamic(*b)),
            Node::Eq(a, b) => self.dynamic(*a).eq(self.dynamic(*b)).into(),
            Node::Lt(a, b) => int(a).lt(int(b)).into(),
            Node::Sum(list, constant) => {
                let mut parts: Vec<Int> = list
                    .iter()
                    .map(|(part, coefficient)| match coefficient {
                        1 => int(part),
                        c => Int::mul(&[Int::from_i64(*c), int(part)]),
                    })
                    .collect();
                parts.push(Int::from_i64(*constant));
                Int::add(&parts).into()
            }
            Node::WideAdd(a, factor, b) => Int::add(&[int(a), Int::mul(&[Int::from_i64(*factor), int(b)])]).into(),
            Node::Bit(op, a, b) => translate_bit_op(*op, &bits(a), &bits(b)),
            Node::Extend { signed, width, term: inner } => {
                let Sort::Bits(from) = terms.sort(*inner) else { unreachable!("an extension is of a bit-vector") };
                let by = (*width - from) as u32;
                if *signed { bits(inner).sign_ext(by).into() } else { bits(inner).zero_ext(by).into() }
            }
            Node::Extract { high, low, term: inner } => bits(inner).extract(*high as u32, *low as u32).into(),
            Node::Float(op, a, b) => float::op(*op, &number(a), &number(b)),
            Node::FloatFn(function, a) => float::function(*function, &number(a)),
            Node::Convert(conversion, width, a) => float::convert(*conversion, *width, &self.dynamic(*a)),
            Node::Class { reference, low, high } => {
                let symbol = terms.as_symbol(*reference).expect("a class test is about a symbol");
                let first = terms.symbol_info(symbol).classes[0].0;
                let reference = int(reference);
                let when_null = Bool::from_bool(*low <= first && first <= *high);
                let in_classes = in_range(&self.class(&reference), *low, *high);
                reference.eq(Int::from_i64(0)).ite(&when_null, &in_classes).into()
            }
        }
    }

    /// Floating-point numbers alone are decided from scratch: as a circuit, after simplification by all clauses together, which
    /// the incremental solver does not do. It takes milliseconds where that takes seconds.
    fn check_floats(&mut self, terms: &Terms, clauses: &[Term]) -> Answer {
        let solver = Solver::new_for_logic("QF_FPBV").expect("Z3 knows this logic");
        solver.set_params(&self.params);
        for &clause in clauses {
            let Some(clause) = self.bool(terms, clause) else { return Answer::interrupted(terms.interrupt()) };
            solver.assert(&clause);
        }
        self.answer(terms, clauses, &solver)
    }

    fn answer(&self, terms: &Terms, clauses: &[Term], solver: &Solver) -> Answer {
        let checked = watcher::watched(solver.get_context(), terms.interrupt(), || solver.check());
        let Some(result) = checked else { return Answer::interrupted(terms.interrupt()) };
        match result {
            SatResult::Unsat => Answer::Unsat,
            SatResult::Sat => match self.model(terms, clauses, solver) {
                Answer::Sat(model) if float::has_open(terms, clauses) => tried(terms, clauses, model),
                answer => answer,
            },
            SatResult::Unknown => match solver.get_reason_unknown().as_deref() {
                // What Z3 says when it has counted to its limit, depending on where in it that happens.
                Some("canceled" | "max. resource limit exceeded" | "(resource limits reached)") => {
                    Answer::exhausted("Z3", self.effort)
                }
                Some(reason) if !reason.is_empty() => Answer::Unknown(reason.into()),
                _ => Answer::Unknown("Z3 gave up".into()),
            },
        }
    }

    fn model(&self, terms: &Terms, clauses: &[Term], solver: &Solver) -> Answer {
        let Some(found) = solver.get_model() else {
            return Answer::Unknown("Z3 gave no model".into());
        };
        let mut symbols: Vec<Symbol> = clauses.iter().flat_map(|c| terms.symbols_of(*c)).collect();
        symbols.sort_unstable();
        symbols.dedup();
        let mut model = Model::default();
        let mut objects: FxHashMap<i128, Symbol> = FxHashMap::default();
        let names = named_objects(terms, clauses);
        let named = !names.is_empty();
        if named {
            // A constant object has its name whoever denotes it.
            let constants = names.into_iter().filter(|name| terms.is_constant_object(*name));
            objects.extend(constants.map(|name| (NAMED as i128 + name.0 as i128, name)));
            // An object has the name of a symbol only if the symbol denotes it.
            for &symbol in symbols.iter().filter(|symbol| terms.symbol_info(**symbol).sort == Sort::Ref) {
                let value = found.eval(&self.dynamic(terms.symbol_info(symbol).term), true);
                let number = value.and_then(|value| value.as_int()?.as_i128());
                if number == Some(NAMED as i128 + symbol.0 as i128) {
                    objects.insert(NAMED as i128 + symbol.0 as i128, symbol);
                }
            }
        }
        for symbol in symbols {
            let info = terms.symbol_info(symbol);
            let ast = self.dynamic(info.term);
            let value = found.eval(&ast, true).and_then(|value| match info.sort {
                Sort::Bool => Some(Value::Bool(value.as_bool()?.as_bool()?)),
                Sort::Int => Some(Value::Int(value.as_int()?.as_i128()?)),
                Sort::Bits(_) => Some(Value::Bits(value.as_bv()?.as_u64()?)),
                Sort::Float(width) => Some(Value::Float(float::value(&found, width, &value.as_float()?)?)),
                Sort::Ref => Some(match value.as_int()?.as_i128()? {
                    0 => Value::Ref(RefValue::Null),
                    number => {
                        let object = *objects.entry(number).or_insert(if named { symbol.other() } else { symbol });
                        if self.declared {
                            let class = found.eval(&self.class(&value.as_int()?), true)?.as_i64()?;
                            model.set_class(object, class as u32);
                        }
                        Value::Ref(RefValue::Input(object))
                    }
                }),
            });
            match value {
                Some(value) => model.set(symbol, value),
                None => {
                    let name = terms.symbol_name(symbol);
                    return Answer::Unknown(format!("Z3's value of {name} does not fit into 128 bits"));
                }
            }
        }
        Answer::Sat(model)
    }
}

impl Backend for Z3 {
    fn check(&mut self, terms: &Terms, clauses: &[Term]) -> Answer {
        if float::too_many(terms, clauses) {
            return Answer::Unknown("there are too many floating-point operations on unknown numbers".into());
        }
        if float::stand_alone(terms, clauses) {
            return self.check_floats(terms, clauses);
        }
        let declared = classes_matter(terms, clauses);
        let mut shared = self.asserted.iter().zip(clauses).take_while(|(a, b)| a == b).count();
        if declared != self.declared {
            (self.declared, shared) = (declared, 0);
        }
        let surplus = self.asserted.len() - shared;
        self.solver.pop(surplus as u32);
        self.asserted.truncate(shared);
        for &clause in &clauses[shared..] {
            if self.assert(terms, clause).is_none() {
                return Answer::interrupted(terms.interrupt());
            }
        }
        self.answer(terms, clauses, &self.solver)
    }
}

/// A model found without the meaning of a remainder is one if it is one by evaluation.
fn tried(terms: &Terms, clauses: &[Term], model: Model) -> Answer {
    if clauses.iter().all(|clause| terms.holds(*clause, &model)) {
        Answer::Sat(model)
    } else {
        Answer::Unknown("a remainder or function of an unknown floating-point number is not decided".into())
    }
}

/// Whether the classes of references can make a difference: if the clauses test one, or if references of different types
/// occur together. Otherwise the solver is spared a function that it would have to keep congruent.
fn classes_matter(terms: &Terms, clauses: &[Term]) -> bool {
    let mut first: Option<&ClassSet> = None;
    terms.postorder(clauses).into_iter().any(|node| match terms.node(node) {
        Some(Node::Class { .. }) => true,
        Some(Node::Symbol(symbol)) if terms.sort(node) == Sort::Ref => {
            let classes = &terms.symbol_info(*symbol).classes;
            first.get_or_insert(classes) != &classes
        }
        _ => false,
    })
}

/// The names of the objects that the clauses speak of by name.
fn named_objects(terms: &Terms, clauses: &[Term]) -> Vec<Symbol> {
    let mut names = Vec::new();
    for node in terms.postorder(clauses) {
        terms.children(node, |child| names.extend(child.as_object()));
    }
    names
}

fn in_range(class: &Int, low: u32, high: u32) -> Bool {
    Bool::and(&[class.ge(Int::from_i64(low as i64)), class.le(Int::from_i64(high as i64))])
}

fn translate_bit_op(op: BitOp, a: &BV, b: &BV) -> Dynamic {
    match op {
        BitOp::Add => a.bvadd(b).into(),
        BitOp::Sub => a.bvsub(b).into(),
        BitOp::Mul => a.bvmul(b).into(),
        BitOp::SDiv => a.bvsdiv(b).into(),
        BitOp::SRem => a.bvsrem(b).into(),
        BitOp::UDiv => a.bvudiv(b).into(),
        BitOp::URem => a.bvurem(b).into(),
        BitOp::Shl => a.bvshl(b).into(),
        BitOp::AShr => a.bvashr(b).into(),
        BitOp::LShr => a.bvlshr(b).into(),
        BitOp::And => a.bvand(b).into(),
        BitOp::Or => a.bvor(b).into(),
        BitOp::Xor => a.bvxor(b).into(),
        BitOp::SLt => a.bvslt(b).into(),
        BitOp::ULt => a.bvult(b).into(),
    }
}
