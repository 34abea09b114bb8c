//! Random small programs that are compared under all heap models, and shrunk where they differ.

pub mod generate;
pub mod seeds;
pub mod shrink;

use std::panic::{AssertUnwindSafe, catch_unwind};

use lazuli::Control;
use lazuli_engine::config::{Bounds, Config, HeapKind};
use lazuli_lab::exact::{self, Comparison, Extent};

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

pub fn config(k: Option<u32>) -> Config {
    let bounds = Bounds { calls: 12, depth: 400, traces: Some(MOST_TRACES), k, ..Bounds::default() };
    Config { bounds, ..Config::default() }
}

/// Compares all heap models on a program.
pub fn compare(source: &str, k: Option<u32>, extent: Extent) -> Verdict {
    let program = lazuli_program::load_text("random.pose", source.into())
        .unwrap_or_else(|error| panic!("the generator made a program that does not load: {error}\n{source}"));
    let config = config(k);
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
