//! Random small programs that are compared under all heap models, and shrunk where they differ.

pub mod generate;
pub mod seeds;
pub mod shrink;

use std::panic::{AssertUnwindSafe, catch_unwind};

use lazuli::Control;
use lazuli_engine::config::{Bounds, Config, HeapKind, Most};
use lazuli_lab::exact::{self, Comparison, Extent};
use lazuli_program::Program;

/// What came of comparing one program.
pub enum Verdict {
    Exact(Comparison),
    /// It has more traces than a small program should have: nothing was compared.
    TooLarge,
    /// The models differ, or the engine gave up on the program; with the reason.
    Different(String),
}

/// Programs with more traces under one model are not compared: under `lazy` a few reads too many make millions.
pub const MOST_TRACES: u64 = 1_500;

/// The bound on inputs under which the models are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    None,
    K(u32),
    N(u32),
    /// On the objects of the last class.
    NOfLast(u32),
}

impl Bound {
    pub fn of_k(k: Option<u32>) -> Bound {
        k.map_or(Bound::None, Bound::K)
    }

    pub fn within(self, bounds: Bounds, program: &Program) -> Bounds {
        match self {
            Bound::None => bounds,
            Bound::K(k) => Bounds { k: Some(k), ..bounds },
            Bound::N(n) => Bounds { n: vec![Most::of_all(n)], ..bounds },
            Bound::NOfLast(n) => {
                let last = &program.classes.last().expect("a program has a class").name;
                Bounds { n: vec![Most::of(last, n)], ..bounds }
            }
        }
    }
}

pub fn config(program: &Program, bound: Bound) -> Config {
    let bounds = Bounds { calls: 12, depth: 400, traces: Some(MOST_TRACES), ..Bounds::default() };
    Config { bounds: bound.within(bounds, program), ..Config::default() }
}

/// Compares all heap models on a program.
pub fn compare(source: &str, bound: Bound, extent: Extent) -> Verdict {
    let program = lazuli_program::load_text("random.pose", source.into())
        .unwrap_or_else(|error| panic!("the generator made a program that does not load: {error}\n{source}"));
    let config = config(&program, bound);
    let check = || exact::check(&program, &config, &HeapKind::ALL, extent, &Control::default());
    match catch_unwind(AssertUnwindSafe(check)) {
        Ok(Ok(comparison)) => match &comparison.difference {
            None => Verdict::Exact(comparison),
            Some(difference) => Verdict::Different(difference.show(&program)),
        },
        Ok(Err(reason)) if reason.contains("the bound on traces") => Verdict::TooLarge,
        Ok(Err(reason)) => Verdict::Different(reason),
        Err(_) => Verdict::Different("the engine panicked".into()),
    }
}
