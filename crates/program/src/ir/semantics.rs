//! What differs between the languages once their programs are instructions. A front end decides it once, the program carries it,
//! and whoever executes instructions asks it instead of asking for a language.

/// What the instructions of a program mean, where that is not the same in all languages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Semantics {
    pub integers: Integers,
    pub truth: Truth,
    pub failures: Failures,
    pub loading: Loading,
    pub registers: Registers,
    pub conditions: Conditions,
}

/// How large the integers are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Integers {
    /// The language does not say: a run chooses them unbounded, or of a width.
    Chosen,
    /// Words of 32 and 64 bits.
    Words,
}

/// What a truth value is that a program passes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    Values,
    /// In parameters, results and variables it is one of the numbers 0 and 1, as every narrow type is an int there; fields, elements
    /// and the instructions that test hold it itself. Values go from one to the other by [`super::UnaryOp::Narrow`] and
    /// [`super::UnaryOp::Widen`].
    Numbers,
}

/// What happens where an instruction fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failures {
    /// The path ends with the name of the exception.
    Final,
    /// A new exception object is thrown, and a handler may catch it.
    Objects,
}

/// When the classes of a program are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loading {
    /// All of them beforehand: they are numbered in pre-order, and nothing has to be initialised.
    Beforehand,
    /// When they are first needed, with an initialiser that runs then. Their numbers say nothing.
    OnDemand,
}

/// What a register may hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Registers {
    /// Values of its type.
    Typed,
    /// Now this and now that: only parameters have a type, and only until they are written.
    Reused,
}

/// In whose words the condition of a path is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conditions {
    /// In the program's own: integers and references are what they are there.
    OfTheProgram,
    /// In those of the machine (words of bits, layouts of a library's objects): the branches of the code say it better.
    OfTheMachine,
}

impl Semantics {
    /// The tiny languages.
    pub const TINY: Semantics = Semantics {
        integers: Integers::Chosen,
        truth: Truth::Values,
        failures: Failures::Final,
        loading: Loading::Beforehand,
        registers: Registers::Typed,
        conditions: Conditions::OfTheProgram,
    };

    pub const JAVA: Semantics = Semantics {
        integers: Integers::Words,
        truth: Truth::Numbers,
        failures: Failures::Objects,
        loading: Loading::OnDemand,
        registers: Registers::Reused,
        conditions: Conditions::OfTheMachine,
    };

    /// Whether classes are loaded when they are first needed, so that not all of them are known.
    pub fn loads_classes(self) -> bool {
        self.loading == Loading::OnDemand
    }

    /// Whether a path is told by the branches of the program's own code, and not by its condition.
    pub fn tells_branches(self) -> bool {
        self.conditions == Conditions::OfTheMachine
    }

    /// Whether a path may go on after an instruction has failed.
    pub fn catches_failures(self) -> bool {
        self.failures == Failures::Objects
    }
}
