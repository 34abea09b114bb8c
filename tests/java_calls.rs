//! The library against the JVM: public methods of the JDK on constants, chosen by a seed (`LAZULI_RANDOM_SEED=N` for another one).

use std::path::Path;

use lazuli_lab::library::{Extent, compare};

use crate::random::seeds::seeds;

#[test]
fn calls_of_the_library_are_those_of_the_jvm() {
    let extent = Extent { seed: seeds(1).start, calls: 3_300, only: None, jar: None };
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("library-calls");
    let comparison = compare(&extent, &directory).unwrap_or_else(|error| panic!("{error}"));
    let text = lazuli_cli::audit::show(&comparison);
    println!("{text}");
    assert!(comparison.methods >= 1_000 && comparison.calls >= 3_000, "{text}");
    assert!(comparison.different.is_empty(), "{text}");
    assert!(comparison.executed * 100 >= comparison.calls * 95, "{text}");
}
