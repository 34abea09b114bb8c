//! What a method must not do: let an assertion fail, throw what is neither declared nor thrown on purpose, run for ever, or leave behind what its
//! postcondition is not true of.

use lazuli::{Line, Outcome, Program, Trace, TraceFacts};
use lazuli_program::bytecode::ClassPath;
use lazuli_program::frontend::java::EntryPoint;
use lazuli_program::ir::ClassId;
use serde::{Deserialize, Serialize};

/// Where one of these, or of a class below them, is thrown by the target's own code, it tells a caller what he did wrong.
const ON_PURPOSE: [&str; 2] = ["java/lang/IllegalArgumentException", "java/lang/IllegalStateException"];

/// So does a `throw new` of a class below this one.
const UNCHECKED: &str = "java/lang/RuntimeException";

/// What is not supported says so on purpose, wherever it is thrown: a collection that cannot be changed, for instance.
const UNSUPPORTED: &str = "java/lang/UnsupportedOperationException";

/// Methods that are called to check an argument: what they throw is on purpose.
const CHECKS: [&str; 7] = [
    "java.util.Objects.requireNonNull",
    "java.util.Objects.checkIndex",
    "java.util.Objects.checkFromToIndex",
    "java.util.Objects.checkFromIndexSize",
    "com.google.common.base.Preconditions.",
    "org.apache.commons.lang3.Validate.",
    "jdk.internal.util.Preconditions.",
];

/// How a method fails.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Failure {
    Assertion,
    /// The class as Java writes it.
    Exception(String),
    /// It goes around in this method.
    Endless(String),
    /// This method is not true of what it leaves behind.
    Postcondition(String),
}

/// What is asked of a method.
pub struct Property<'a> {
    program: &'a Program,
    classes: &'a ClassPath,
    /// The class of the method.
    entry: &'a str,
    /// The classes that it is declared to throw.
    declared: Vec<ClassId>,
    strict: bool,
    /// The name of its postcondition.
    post: Option<&'a str>,
}

impl<'a> Property<'a> {
    pub fn new(
        program: &'a Program,
        classes: &'a ClassPath,
        entry: &'a EntryPoint,
        strict: bool,
        post: Option<&'a str>,
    ) -> Property<'a> {
        let library = program.library.as_deref();
        let exceptions = entry.method().exceptions.iter();
        let declared = exceptions.filter_map(|name| Some(library?.class_id(name))).collect();
        Property { program, classes, entry: &entry.class.name, declared, strict, post }
    }

    /// How a trace violates it, if it does.
    pub fn violated(&self, trace: &Trace) -> Option<Failure> {
        match &trace.outcome {
            Outcome::AssertFailed => Some(Failure::Assertion),
            Outcome::PostFailed => Some(Failure::Postcondition(self.post.unwrap_or_default().into())),
            Outcome::Endless { method } => Some(Failure::Endless(method.clone())),
            Outcome::Threw(class) => {
                let is_meant = trace.detail.as_ref().is_some_and(|facts| self.is_on_purpose(class, facts));
                let is_violation = !self.is_declared(class) && (self.strict || !is_meant);
                is_violation.then(|| Failure::Exception(class.replace('/', ".")))
            }
            Outcome::Returned | Outcome::Stopped(_) => None,
        }
    }

    fn is_below(&self, class: &str, above: ClassId) -> bool {
        let library = self.program.library.as_deref();
        library.is_some_and(|library| library.is_subclass(library.class_id(&class.replace('.', "/")), above))
    }

    fn is_declared(&self, class: &str) -> bool {
        self.declared.iter().any(|declared| self.is_below(class, *declared))
    }

    fn is_on_purpose(&self, class: &str, facts: &TraceFacts) -> bool {
        if facts.through.as_ref().is_some_and(|method| CHECKS.iter().any(|check| method.starts_with(check))) {
            return true;
        }
        let internal = class.replace('.', "/");
        let library = self.program.library.as_deref().expect("only Java is checked");
        let is_below = |above: &str| self.is_below(class, library.class_id(above));
        if is_below(UNSUPPORTED) {
            return true;
        }
        let is_told = ON_PURPOSE.iter().any(|above| is_below(above));
        let is_new = facts.is_new && is_below(UNCHECKED) && internal != UNCHECKED;
        self.is_own(&facts.place) && (is_told || is_new || self.classes.is_user_class(&internal))
    }

    /// Whether a line stands in the target's own code.
    fn is_own(&self, place: &Line) -> bool {
        let internal = place.class.replace('.', "/");
        let outermost = |class: &str| class.split('$').next().unwrap_or_default().to_string();
        self.classes.classes_beside().contains(&internal) || outermost(&internal) == outermost(self.entry)
    }
}

impl Failure {
    pub fn is_endless(&self) -> bool {
        matches!(self, Failure::Endless(_))
    }

    /// In a few words.
    pub fn text(&self) -> String {
        match self {
            Failure::Assertion => "an assertion fails".into(),
            Failure::Exception(class) => class.rsplit('.').next().unwrap_or(class).replace('$', "."),
            Failure::Endless(_) => "does not end".into(),
            Failure::Postcondition(name) => {
                let simple = name.rsplit('.').next().unwrap_or(name);
                format!("its postcondition {simple} does not hold")
            }
        }
    }

    /// The word for it in JSON, and the rule of SARIF.
    pub fn kind(&self) -> &'static str {
        match self {
            Failure::Assertion => "assertion",
            Failure::Exception(_) => "exception",
            Failure::Endless(_) => "endless",
            Failure::Postcondition(_) => "postcondition",
        }
    }
}
