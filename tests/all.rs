//! All end-to-end tests in one binary: they share their helpers, and are linked once.

mod java;
mod random;

mod agree;
mod architecture;
mod decisions;
mod hex;
mod hex_agree;
mod java_before;
mod java_bounds;
mod java_calls;
mod java_differential;
mod java_drivers;
mod java_elements;
mod java_exact;
mod java_formulas;
mod java_hex;
mod java_invalid;
mod java_invariants;
mod java_library;
mod java_linkage;
mod java_machine;
mod java_math;
mod java_messages;
mod java_papers;
mod java_random;
mod java_replay;
mod java_rules;
mod java_strings;
mod java_twins;
mod java_two_inputs;
mod papers;
mod summaries;
mod techniques;
mod techniques_agree;
