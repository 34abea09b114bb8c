//! The program as a technique executes it.

use lazuli_engine::config::Config;
use lazuli_engine::error::SetupError;
use lazuli_program::Program;
use lazuli_program::ir::MethodId;

use crate::invariants::Invariants;
use crate::mso::mona;
use crate::rep_ok::{self, Instrumented};
use crate::technique::Technique;

/// The program as the technique of a configuration executes it; `None` if that is the program itself. Errors are about what the
/// technique needs and does not find.
pub fn instrumented(program: &Program, config: &Config, entry: MethodId) -> Result<Option<Instrumented>, SetupError> {
    let Some(technique) = Invariants::of(config).map(|invariants| invariants.technique) else { return Ok(None) };
    let enumerates = config.heap.resolves_inputs();
    match technique {
        Technique::Hex => Ok(None),
        Technique::Consp | Technique::Bounded | Technique::Mso if !enumerates => {
            Err(SetupError::NoPartialHeaps { technique: technique.name(), heap: config.heap })
        }
        Technique::Mso => mona::is_installed().map(|()| None).map_err(SetupError::Technique),
        Technique::Prep | Technique::Consp | Technique::Bounded => {
            rep_ok::instrument(program, entry, technique).map(Some).map_err(SetupError::Technique)
        }
    }
}
