//! The program as a technique executes it.

use lazuli_engine::config::Config;
use lazuli_engine::error::SetupError;
use lazuli_engine::executor::check_classes;
use lazuli_program::Program;
use lazuli_program::ir::MethodId;

use crate::invariants::Invariants;
use crate::mso::mona;
use crate::rep_ok::{self, Asked, Instrumented};
use crate::technique::Technique;

/// The program as the technique of a configuration executes it; `None` if that is the program itself. Errors are about what the
/// technique needs and does not find.
pub fn instrumented(program: &Program, config: &Config, entry: MethodId) -> Result<Option<Instrumented>, SetupError> {
    let Some(invariants) = Invariants::of(config) else { return Ok(None) };
    let (technique, enumerates) = (invariants.technique, config.heap.resolves_inputs());
    let asks_partial = matches!(technique, Technique::Consp | Technique::Bounded | Technique::Mso);
    if asks_partial && !enumerates {
        return Err(SetupError::NoPartialHeaps { technique: technique.name(), heap: config.heap });
    }
    check_classes(program, &invariants.completion)?;
    if technique == Technique::Mso {
        mona::is_installed().map_err(SetupError::Technique)?;
    }
    let has_contract = invariants.pre.is_some() || invariants.post.is_some();
    if matches!(technique, Technique::Hex | Technique::Mso) && !has_contract {
        return Ok(None);
    }
    let asked = Asked {
        technique,
        rep_ok: invariants.rep_ok.as_deref(),
        pre: invariants.pre.as_deref(),
        post: invariants.post.as_deref(),
    };
    rep_ok::instrument(program, entry, &asked).map(Some).map_err(SetupError::Technique)
}
