//! How questions are decided.

use clap::{Args as ClapArgs, ValueEnum};
use lazuli::Ints;
use lazuli_logic::solver::backend::EFFORT;
use lazuli_logic::{SolverConfig, SolverKind};
use lazuli_program::frontend::java::is_java;

use super::subject::Subject;
use super::values::parse_ints;

#[derive(ClapArgs)]
pub struct Solving {
    /// The back end for what the built-in stages do not decide
    #[arg(long, value_enum, default_value = "auto")]
    pub solver: Backend,
    /// Ask both back ends and stop if they disagree
    #[arg(long)]
    pub cross_check: bool,
    /// Give the back end every query that no known model answers
    #[arg(long)]
    pub backend_only: bool,
    /// How much effort the back end may spend on one query, in conflicts of CaDiCaL (or as much of what Z3 counts): about
    /// 10,000 a second, and the same answers on a busy machine
    #[arg(long, default_value_t = EFFORT, value_name = "N")]
    pub solver_effort: u64,
    /// With --heap pose-ite: count the ite-free sub-queries that POSE-unwind asks
    #[arg(long)]
    pub unwind: bool,
    /// The integers of the tiny languages: unbounded, or 8, 16, 32 or 64 bits with wrap-around
    #[arg(long, default_value = "unbounded", value_name = "BITS", value_parser = parse_ints)]
    pub ints: Ints,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Backend {
    /// The bits where the query has no unbounded integer, Z3 for the rest
    Auto,
    Z3,
    /// The bit-blaster over CaDiCaL; in the tiny languages it needs --ints 8, 16, 32 or 64
    Bits,
}

impl Default for Solving {
    fn default() -> Solving {
        Solving {
            solver: Backend::Auto,
            cross_check: false,
            backend_only: false,
            solver_effort: EFFORT,
            unwind: false,
            ints: Ints::Unbounded,
        }
    }
}

impl Solving {
    /// The integers of Java have a width, whatever `--ints` says of those of the tiny languages.
    pub fn config(&self, subject: &Subject) -> Result<SolverConfig, String> {
        let is_unbounded = self.ints == Ints::Unbounded && !is_java(&subject.program);
        let kind = match self.solver {
            Backend::Auto => SolverKind::Auto,
            Backend::Z3 => SolverKind::Z3,
            Backend::Bits if is_unbounded => {
                return Err("--solver bits decides fixed-width integers only: add --ints 32".into());
            }
            Backend::Bits => SolverKind::Bits,
        };
        if self.cross_check && is_unbounded {
            return Err("--cross-check compares two solvers, and only Z3 has unbounded integers: add --ints 32".into());
        }
        Ok(SolverConfig {
            kind,
            cross_check: self.cross_check,
            unwind: self.unwind,
            effort: self.solver_effort,
            backend_only: self.backend_only,
        })
    }
}
