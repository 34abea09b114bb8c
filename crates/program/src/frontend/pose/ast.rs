//! The syntax tree of the tiny object language.

pub use crate::frontend::hierarchy::Name;
use crate::frontend::hierarchy::TypeName;
use crate::source::Place;

#[derive(Clone)]
pub struct Expr {
    pub kind: ExprKind,
    pub place: Place,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Add,
    Sub,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    And,
    Or,
}

#[derive(Clone)]
pub struct Binding {
    pub name: Name,
    pub ty: Option<TypeName>,
    pub value: Expr,
}

#[derive(Clone)]
pub enum ExprKind {
    Int(i64),
    Bool(bool),
    Null,
    Variable(String),
    /// An input symbol: `X0` (an integer) or `Y0` (a reference).
    Input(String),
    New(Name),
    /// `let a := … in let b := … in …`, flat.
    Let(Vec<Binding>, Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    Binary(Op, Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    InstanceOf(Box<Expr>, Name),
    /// `isResolved(e, f)`.
    IsResolved(Box<Expr>, Name),
    Get(Box<Expr>, Name),
    Put(Box<Expr>, Name, Box<Expr>),
    Invoke(Box<Expr>, Name, Vec<Expr>),
    /// `{ a; b; c }`: the value is the last one's.
    Block(Vec<Expr>),
    /// `e : T`, which gives an input symbol its type.
    Typed(Box<Expr>, TypeName),
    Assert(Box<Expr>),
    Throw(Name),
    /// `@ p`: the path has come to the place that is called `p`.
    Reach(Name),
}
