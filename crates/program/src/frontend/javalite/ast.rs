//! The syntax tree of Javalite.

pub use crate::frontend::hierarchy::Name;
use crate::frontend::hierarchy::{ClassDecl, TypeName};
use crate::ir::BinaryOp;
use crate::source::Place;

pub struct Parsed {
    pub classes: Vec<ClassDecl>,
    /// For every class the bodies of its methods, in the order of declaration.
    pub bodies: Vec<Vec<Expr>>,
    /// `(C m)`.
    pub entry: Option<(Name, Name)>,
}

pub struct Expr {
    pub kind: ExprKind,
    pub place: Place,
    /// Whether a variable is assigned in it: a variable that was read before it then has to be remembered.
    pub assigns: bool,
}

pub enum ExprKind {
    Int(i64),
    Bool(bool),
    Null,
    Unit,
    Error,
    Variable(String),
    New(Name),
    Get(Box<Expr>, Name),
    /// `(x $ f := e)`.
    Put(Name, Name, Box<Expr>),
    Invoke(Box<Expr>, Name, Vec<Expr>),
    Equal(Box<Expr>, Box<Expr>),
    /// Integers only: `and` and `or` are conditionals.
    Arithmetic(BinaryOp, Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    InstanceOf(Box<Expr>, Name),
    Cast(Name, Box<Expr>),
    Assign(Name, Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    Var(TypeName, Name, Box<Expr>, Box<Expr>),
    Begin(Vec<Expr>),
    Assert(Box<Expr>),
}

impl Expr {
    pub fn new(kind: ExprKind, place: Place) -> Expr {
        let assigns = match &kind {
            ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::Null
            | ExprKind::Unit
            | ExprKind::Error
            | ExprKind::Variable(_)
            | ExprKind::New(_) => false,
            ExprKind::Assign(..) => true,
            ExprKind::Get(e, _)
            | ExprKind::Put(_, _, e)
            | ExprKind::Not(e)
            | ExprKind::InstanceOf(e, _)
            | ExprKind::Cast(_, e)
            | ExprKind::Assert(e) => e.assigns,
            ExprKind::Equal(a, b) | ExprKind::Arithmetic(_, a, b) | ExprKind::Var(_, _, a, b) => a.assigns || b.assigns,
            ExprKind::If(a, b, c) => a.assigns || b.assigns || c.assigns,
            ExprKind::Invoke(e, _, args) => e.assigns || args.iter().any(|a| a.assigns),
            ExprKind::Begin(parts) => parts.iter().any(|p| p.assigns),
        };
        Expr { kind, place, assigns }
    }
}
