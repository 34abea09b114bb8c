//! What a judge says of a witness.

use std::fmt;

use lazuli_engine::config::Judge;
use serde::{Deserialize, Serialize};

/// What a judge says of a witness: text says "confirmed" only of the JVM, and "replayed" of the engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    /// Who was asked, and gave the verdict.
    pub judge: Judge,
    pub verdict: Verdict,
}

/// Whether the program does on a witness what the trace says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// In everything that was compared.
    Agrees,
    /// What differed: each is one sentence.
    Differs(Vec<String>),
    /// The trace says something that differs from run to run, or that the judge cannot be given; why.
    NotComparable(String),
    /// Why not.
    NotTried(String),
}

impl Judgement {
    pub fn agrees(&self) -> bool {
        self.verdict == Verdict::Agrees
    }

    /// Whether the witness does something else than the trace says.
    pub fn is_refuted(&self) -> bool {
        matches!(self.verdict, Verdict::Differs(_))
    }
}

impl Verdict {
    /// The word for it in JSON.
    pub fn kind(&self) -> &'static str {
        match self {
            Verdict::Agrees => "agrees",
            Verdict::Differs(_) => "differs",
            Verdict::NotComparable(_) => "not_comparable",
            Verdict::NotTried(_) => "not_tried",
        }
    }

    /// What differed, or why there is no answer.
    pub fn reasons(&self) -> &[String] {
        match self {
            Verdict::Agrees => &[],
            Verdict::Differs(what) => what,
            Verdict::NotComparable(why) | Verdict::NotTried(why) => std::slice::from_ref(why),
        }
    }
}

/// The word for it in JSON, and on the command line.
pub fn judge_name(judge: Judge) -> &'static str {
    match judge {
        Judge::Jvm => "jvm",
        Judge::Engine => "engine",
        Judge::None => "none",
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.verdict, self.judge) {
            (Verdict::Agrees, Judge::Jvm) => f.write_str("confirmed by the JVM"),
            (Verdict::Agrees, _) => f.write_str("replayed"),
            (Verdict::Differs(what), Judge::Jvm) => write!(f, "REFUTED by the JVM: {}", what.join("; ")),
            (Verdict::Differs(what), _) => write!(f, "REFUTED: {}", what.join("; ")),
            (Verdict::NotComparable(why), _) => write!(f, "not comparable: {why}"),
            (Verdict::NotTried(why), _) => write!(f, "not tried: {why}"),
        }
    }
}
