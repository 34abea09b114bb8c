//! A program with a configuration that fits it.

use lazuli_engine::config::Config;
use lazuli_engine::executor::entry_of;
use lazuli_invariant::{Instrumented, instrumented};
use lazuli_program::Program;
use lazuli_program::ir::MethodId;

use crate::error::Error;
use crate::judge::Client;
use crate::run::Subject;

/// A program with a configuration that fits it.
pub(crate) struct Setting<'p> {
    pub original: &'p Program,
    pub config: &'p Config,
    /// The entry of the program as it was read.
    pub method: MethodId,
    /// The JVM, if it is asked.
    pub jvm: Option<Client>,
    /// What the technique of the invariants has added.
    copy: Option<Instrumented>,
}

impl<'p> Setting<'p> {
    pub fn new(program: &'p Program, config: &'p Config, jvm: Option<Client>) -> Result<Setting<'p>, Error> {
        let method = entry_of(program, config)?;
        let copy = instrumented(program, config, method)?;
        Ok(Setting { original: program, config, method, jvm, copy })
    }

    pub fn program(&self) -> &Program {
        self.copy.as_ref().map_or(self.original, |copy| copy.program(self.original))
    }

    pub fn entry(&self) -> MethodId {
        self.copy.as_ref().map_or(self.method, |copy| copy.entry)
    }

    pub fn subject(&self) -> Subject {
        let (program, entry) = (self.program(), self.entry());
        Subject { program: program.name.clone(), entry: program.method_name(entry), heap: self.config.heap }
    }
}
