//! The syntax of a HEX file, before its names are looked up.

use super::{GhostValue, SetOp, When};
use lazuli_program::source::Place;

#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub place: Place,
}

#[derive(Clone, Debug, Default)]
pub struct File {
    pub imports: Vec<Name>,
    pub items: Vec<Item>,
}

#[derive(Clone, Debug)]
pub enum Item {
    Let(Let),
    Ghost(GhostDecl),
    Scope(ScopeDecl),
    Stated(Stated),
}

/// What holds: a statement about one path, or a formula over several.
#[derive(Clone, Debug)]
pub enum Stated {
    Statement(StatementDecl),
    Formula(FormulaDecl),
}

#[derive(Clone, Debug)]
pub struct FormulaDecl {
    pub place: Place,
    pub body: PropExpr,
    /// Where its text ends.
    pub end: Place,
}

#[derive(Clone, Debug)]
pub enum PropExpr {
    Atom(AtomExpr),
    Not(Box<PropExpr>),
    And(Vec<PropExpr>),
    Or(Vec<PropExpr>),
}

/// A path and what it says of it, without events.
#[derive(Clone, Debug)]
pub struct AtomExpr {
    pub path: PathExpr,
    pub clauses: Vec<ClauseExpr>,
    /// Where its text ends.
    pub end: Place,
}

#[derive(Clone, Debug)]
pub struct Let {
    pub name: Name,
    pub value: LetValue,
}

#[derive(Clone, Debug)]
pub enum LetValue {
    Path(PathExpr),
    Int(i64),
    Bool(bool),
}

#[derive(Clone, Debug)]
pub struct GhostDecl {
    pub class: Name,
    /// Type, name, initial value.
    pub fields: Vec<(Name, Name, Option<GhostValue>)>,
}

#[derive(Clone, Debug)]
pub struct ScopeDecl {
    pub class: Name,
    /// The class below it that is left out.
    pub but: Option<Name>,
    pub variable: Name,
    pub lets: Vec<Let>,
    pub stated: Vec<Stated>,
}

#[derive(Clone, Debug)]
pub struct StatementDecl {
    pub path: PathExpr,
    pub clauses: Vec<ClauseExpr>,
    pub events: Vec<EventExpr>,
    pub demands: Vec<DemandExpr>,
    /// Where its text ends.
    pub end: Place,
}

#[derive(Clone, Debug)]
pub struct PathExpr {
    pub place: Place,
    pub start: StartExpr,
    pub steps: Vec<Step>,
}

#[derive(Clone, Debug)]
pub enum StartExpr {
    Root(Name),
    Any,
    /// A scope's variable, the name of a path, or the beginning of `Class.STATIC`.
    Name(Name),
}

#[derive(Clone, Debug)]
pub enum Step {
    Field(Name),
    AnyIndex(Place),
    Index(u32, Place),
    Group { alternatives: Vec<Vec<Step>>, repeat: Repeat },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repeat {
    Once,
    ZeroOrMore,
    OneOrMore,
    ZeroOrOne,
}

#[derive(Clone, Debug)]
pub enum ClauseExpr {
    NotNull,
    Null,
    ExpandsToNothing,
    /// The types, and whether each is exact.
    ExpandsTo(Vec<(Name, bool)>),
    AliasesNothing,
    Aliases(Vec<TargetExpr>),
    NeverAliases(TargetExpr),
}

#[derive(Clone, Debug)]
pub enum TargetExpr {
    Some(Name),
    Path { path: PathExpr, max: bool },
    Object(ObjectExpr),
}

#[derive(Clone, Debug)]
pub enum ObjectExpr {
    Name(Name),
    It(Place),
    Here { up: u32, place: Place },
}

impl ObjectExpr {
    pub fn place(&self) -> Place {
        match self {
            ObjectExpr::Name(name) => name.place,
            ObjectExpr::It(place) | ObjectExpr::Here { place, .. } => *place,
        }
    }
}

#[derive(Clone, Debug)]
pub struct EventExpr {
    pub when: When,
    pub companion: CompanionExpr,
}

/// What is asked of the object of a reference: `on object do { … }`.
#[derive(Clone, Debug)]
pub struct DemandExpr {
    /// Classes whose objects are not asked.
    pub but: Vec<Name>,
    pub what: DemandedExpr,
}

#[derive(Clone, Debug)]
pub enum DemandedExpr {
    /// `assume Class.method(it) == value`.
    Number { class: Name, method: Name, value: ExprNode },
    /// `object.ghost[place] += it`.
    Member { object: ObjectExpr, ghost: Name, place: Option<ExprNode> },
}

#[derive(Clone, Debug)]
pub enum CompanionExpr {
    Actions(Vec<ActionExpr>),
    Method { class: Name, method: Name, object: ObjectExpr },
}

#[derive(Clone, Debug)]
pub enum ActionExpr {
    Assume(ExprNode),
    Set {
        object: ObjectExpr,
        ghost: Name,
        /// The number of one of several sets.
        number: Option<ExprNode>,
        op: SetOp,
        value: ExprNode,
        /// Where the value is written with two dots: it and all that is greater.
        and_above: bool,
    },
}

#[derive(Clone, Debug)]
pub struct ExprNode {
    pub place: Place,
    pub kind: ExprKind,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Int(i64),
    Bool(bool),
    Infinity {
        positive: bool,
    },
    Constant(String),
    Initial {
        object: ObjectExpr,
        /// If it is an object of this class.
        class: Option<Name>,
        field: Name,
        /// Whether it may be that there is no such field.
        optional: bool,
    },
    /// Of an element of an array.
    Index,
    Ghost {
        object: ObjectExpr,
        ghost: Name,
    },
    Not(Box<ExprNode>),
    Negate(Box<ExprNode>),
    /// The sign of the operator, as it is written.
    Binary(&'static str, Box<ExprNode>, Box<ExprNode>),
    If(Box<ExprNode>, Box<ExprNode>, Box<ExprNode>),
}
