//! Another input for a trace of a program in Java that was found: what the judge says of it, and what it executes.

use lazuli_engine::config::{Config, Judge};
use lazuli_engine::confirm::{Confirmed, Replayer};
use lazuli_engine::executor::entry_of;
use lazuli_engine::limits::Watch;
use lazuli_engine::witness::Witness;
use lazuli_invariant::instrumented;
use lazuli_program::Program;
use lazuli_program::ir::MethodId;

use crate::error::Error;
use crate::executed::Executed;
use crate::judge::{End, Jvm, with_jvm};
use crate::judgement::{Judgement, Verdict};
use crate::run::Trace;

/// Runs the program again, on inputs that somebody has chosen.
pub struct Again<'p> {
    program: &'p Program,
    config: &'p Config,
    entry: MethodId,
    replayer: Replayer<'p>,
}

impl<'p> Again<'p> {
    /// An error if the configuration does not fit the program.
    pub fn new(program: &'p Program, config: &'p Config) -> Result<Again<'p>, Error> {
        let entry = entry_of(program, config)?;
        // In Java what a contract adds is part of the program itself.
        let copy = instrumented(program, config, entry)?;
        let begins = copy.map_or(entry, |copy| copy.entry);
        Ok(Again { program, config, entry, replayer: Replayer::new(program, config, begins) })
    }

    /// Runs it on a witness, which must do what a trace does.
    pub fn confirm(&mut self, witness: &Witness, trace: &Trace, watch: &Watch) -> Confirmed {
        self.replayer.confirm(witness, &trace.outcome, trace.flow, watch)
    }

    /// What the judge says of a trace whose witness somebody has replaced: the engine, and then the JVM, if it is asked.
    pub fn judged(&mut self, jvm: Option<&Jvm>, trace: &Trace, watch: &Watch) -> Judgement {
        let judge = self.config.judge;
        let witness = trace.detail.as_ref().and_then(|facts| facts.witness.as_ref());
        let Some(witness) = witness.filter(|_| judge != Judge::None) else {
            return Judgement { judge, verdict: Verdict::NotTried("nobody was asked".into()) };
        };
        let replayed = self.confirm(witness, trace, watch);
        let verdict = match (replayed.verdict, replayed.refuted) {
            (Ok(()), _) => Verdict::Agrees,
            (Err(what), true) => return Judgement { judge: Judge::Engine, verdict: Verdict::Differs(vec![what]) },
            (Err(why), false) => Verdict::NotTried(why),
        };
        let observed = replayed.observed.filter(|_| verdict == Verdict::Agrees);
        let verdict = with_jvm(self.program, self.config, self.entry, jvm, |client| match (client, observed) {
            (Some(client), Some(observed)) => match client.submit(self.program, witness, &trace.outcome, observed) {
                Ok(ticket) => ticket.wait(&mut End::of(watch)),
                Err(verdict) => verdict,
            },
            _ => verdict,
        });
        Judgement { judge, verdict }
    }

    /// What a trace executes on its witness, if the configuration has it kept.
    pub fn executed(&mut self, trace: &Trace) -> Executed {
        let Some(witness) = trace.detail.as_ref().and_then(|facts| facts.witness.as_ref()) else {
            return Executed::default();
        };
        self.confirm(witness, trace, &Watch::default());
        Executed::of(self.program, &self.replayer.visited())
    }
}
