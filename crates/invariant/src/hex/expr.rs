//! Actions and their expressions: types are checked, fields and ghosts looked up.

use super::ast::{ActionExpr, ExprKind, ExprNode, LetValue, Name, ObjectExpr};
use super::resolve::{Around, Resolver};
use super::*;
use lazuli_program::frontend::suggest;
use lazuli_program::source::Place;

impl Resolver<'_> {
    pub fn action(&self, action: &ActionExpr, around: &Around) -> Result<Action, LoadError> {
        match action {
            ActionExpr::Assume(condition) => Ok(Action::Assume(self.typed(condition, Type::Bool, around)?)),
            ActionExpr::Set { object, ghost, number, op, value, and_above } => {
                let (object, ghosts, ty) = self.ghost_of(object, ghost, around)?;
                if *op != SetOp::Assign && ty != Type::Int {
                    return Err(self.error(ghost.place, format!("{} is no number", ghost.text)));
                }
                let value = self.typed(value, ty, around)?;
                let has_number = number.is_some();
                let number = number.as_ref().map(|number| self.typed(number, Type::Int, around)).transpose()?;
                match self.collection(&ghosts) {
                    None if has_number || *and_above => {
                        Err(self.error(ghost.place, format!("{} is no collection", ghost.text)))
                    }
                    None => Ok(Action::Set { object, ghosts, op: *op, value }),
                    Some(_) if *op != SetOp::Add => {
                        Err(self.error(ghost.place, format!("{} is a collection: only += adds to it", ghost.text)))
                    }
                    Some(kind) if kind.has_objects() => {
                        let message = format!("{} is a collection of objects: on object do …", ghost.text);
                        Err(self.error(ghost.place, message))
                    }
                    Some(GhostValue::EmptySets) if !has_number => {
                        Err(self.error(ghost.place, format!("{0} is several sets: {0}[number] is one", ghost.text)))
                    }
                    Some(kind) if has_number && kind != GhostValue::EmptySets => {
                        Err(self.error(ghost.place, format!("{} is one collection, not several", ghost.text)))
                    }
                    Some(GhostValue::EmptyHeap) if *and_above => {
                        Err(self.error(ghost.place, format!("{} is a heap: one number is added to it", ghost.text)))
                    }
                    Some(_) => Ok(Action::Insert { object, ghosts, number, value, and_above: *and_above }),
                }
            }
        }
    }

    pub(super) fn typed(&self, node: &ExprNode, wanted: Type, around: &Around) -> Result<Expr, LoadError> {
        let (expr, ty) = self.expr(node, around)?;
        if ty == wanted {
            return Ok(expr);
        }
        let word = |ty: Type| if ty == Type::Bool { "a condition" } else { "a number" };
        Err(self.error(node.place, format!("this is {}, not {}", word(ty), word(wanted))))
    }

    fn expr(&self, node: &ExprNode, around: &Around) -> Result<(Expr, Type), LoadError> {
        Ok(match &node.kind {
            ExprKind::Int(value) => (Expr::Int(*value), Type::Int),
            ExprKind::Bool(value) => (Expr::Bool(*value), Type::Bool),
            ExprKind::Infinity { positive } => (Expr::Infinity { positive: *positive }, Type::Int),
            ExprKind::Constant(name) => match self.constant(name) {
                Some(LetValue::Int(value)) => (Expr::Int(*value), Type::Int),
                Some(LetValue::Bool(value)) => (Expr::Bool(*value), Type::Bool),
                Some(LetValue::Path(_)) => return Err(self.error(node.place, format!("{name} is a path, not a value"))),
                None => {
                    let error = self.error(node.place, format!("there is no constant {name}"));
                    return Err(error.help(format!("define it: let {name} = …;")));
                }
            },
            ExprKind::Initial { object, class, field, optional } => {
                self.initial(object, class.as_ref(), field, *optional, around)?
            }
            ExprKind::Index => (Expr::Index, Type::Int),
            ExprKind::Ghost { object, ghost } => {
                let (object, ghosts, ty) = self.ghost_of(object, ghost, around)?;
                if self.collection(&ghosts).is_some() {
                    return Err(self.error(ghost.place, format!("{} is a collection: only += adds to it", ghost.text)));
                }
                (Expr::Ghost { object, ghosts }, ty)
            }
            ExprKind::Not(inner) => (Expr::Not(Box::new(self.typed(inner, Type::Bool, around)?)), Type::Bool),
            ExprKind::Negate(inner) => {
                let inner = self.typed(inner, Type::Int, around)?;
                (Expr::Binary(Op::Subtract, Box::new(Expr::Int(0)), Box::new(inner)), Type::Int)
            }
            ExprKind::Binary(sign, left, right) => self.binary(node.place, sign, left, right, around)?,
            ExprKind::If(condition, then, otherwise) => {
                let condition = self.typed(condition, Type::Bool, around)?;
                let (then, ty) = self.expr(then, around)?;
                let otherwise = self.typed(otherwise, ty, around)?;
                (Expr::If(Box::new(condition), Box::new(then), Box::new(otherwise)), ty)
            }
        })
    }

    fn binary(
        &self,
        place: Place,
        sign: &str,
        left: &ExprNode,
        right: &ExprNode,
        around: &Around,
    ) -> Result<(Expr, Type), LoadError> {
        let operands = match sign {
            "&&" | "||" => Type::Bool,
            "==" | "!=" => self.expr(left, around)?.1,
            _ => Type::Int,
        };
        let a = Box::new(self.typed(left, operands, around)?);
        let b = Box::new(self.typed(right, operands, around)?);
        let equal = if operands == Type::Bool { Op::EqualBool } else { Op::EqualInt };
        Ok(match sign {
            "+" => (Expr::Binary(Op::Add, a, b), Type::Int),
            "-" => (Expr::Binary(Op::Subtract, a, b), Type::Int),
            "<" => (Expr::Binary(Op::Less, a, b), Type::Bool),
            "<=" => (Expr::Binary(Op::LessEqual, a, b), Type::Bool),
            ">" => (Expr::Binary(Op::Less, b, a), Type::Bool),
            ">=" => (Expr::Binary(Op::LessEqual, b, a), Type::Bool),
            "&&" => (Expr::Binary(Op::And, a, b), Type::Bool),
            "||" => (Expr::Binary(Op::Or, a, b), Type::Bool),
            "==" => (Expr::Binary(equal, a, b), Type::Bool),
            "!=" => (Expr::Not(Box::new(Expr::Binary(equal, a, b))), Type::Bool),
            "%" | "&" | "^" | ">>>" => {
                if !self.typing.program.semantics.loads_classes() {
                    return Err(self.error(place, format!("{sign} is about the bits of numbers, which only Java has")));
                }
                let op = match sign {
                    "%" => Op::Remainder,
                    "&" => Op::BitAnd,
                    "^" => Op::BitXor,
                    _ => Op::ShiftRight,
                };
                (Expr::Binary(op, a, b), Type::Int)
            }
            other => return Err(self.error(place, format!("there is no operator {other}"))),
        })
    }

    fn initial(
        &self,
        object: &ObjectExpr,
        class: Option<&Name>,
        field: &Name,
        optional: bool,
        around: &Around,
    ) -> Result<(Expr, Type), LoadError> {
        let (object, mut classes) = self.object(object, around)?;
        if let Some(class) = class {
            classes = vec![self.class(class)?];
        }
        // Nobody has the field: the action does nothing.
        if optional && self.typing.fields(&classes, &field.text).is_empty() {
            return Ok((Expr::Initial { object, fields: Vec::new() }, Type::Int));
        }
        let fields = self.typing.value_fields(&classes, &field.text, field.place)?;
        let ty = self.typing.program.field(fields[0]).ty;
        if ty.is_ref() {
            let message = format!("{} is a reference; statements say what it may be", field.text);
            return Err(self.error(field.place, message));
        }
        if matches!(ty, Type::Float | Type::Double) {
            let message = format!("{} is a floating-point number, of which invariants cannot speak", field.text);
            return Err(self.error(field.place, message));
        }
        let ty = number(ty);
        if fields.iter().any(|f| number(self.typing.program.field(*f).ty) != ty) {
            return Err(self.error(field.place, format!("the fields {} of several classes differ in type", field.text)));
        }
        Ok((Expr::Initial { object, fields }, ty))
    }

    /// Which kind of collection ghost fields are, if they are one.
    pub(super) fn collection(&self, ghosts: &[GhostId]) -> Option<GhostValue> {
        ghosts.iter().map(|ghost| self.hex.ghosts[ghost.index()].initial).find(|initial| initial.is_collection())
    }

    /// The ghost fields of a name that an object may have.
    pub(super) fn ghost_of(
        &self,
        object: &ObjectExpr,
        ghost: &Name,
        around: &Around,
    ) -> Result<(Object, Vec<GhostId>, Type), LoadError> {
        let program = self.typing.program;
        let (object, classes) = self.object(object, around)?;
        let possible = |g: &Ghost| classes.iter().any(|c| program.related(*c, g.class));
        let found: Vec<GhostId> = (0..)
            .map(GhostId)
            .zip(&self.hex.ghosts)
            .filter(|(_, g)| g.name == ghost.text && possible(g))
            .map(|(id, _)| id)
            .collect();
        let Some(first) = found.first() else {
            let error = self.error(ghost.place, format!("there is no ghost field {} here", ghost.text));
            if !self.typing.fields(&classes, &ghost.text).is_empty() {
                return Err(error.help(format!("the field's initial value is initial(….{})", ghost.text)));
            }
            let known = self.hex.ghosts.iter().filter(|g| possible(g)).map(|g| g.name.as_str());
            return Err(suggest(error, &ghost.text, known));
        };
        let ty = number(self.hex.ghosts[first.index()].ty);
        if found.iter().any(|g| number(self.hex.ghosts[g.index()].ty) != ty) {
            return Err(self.error(ghost.place, format!("the ghost fields {} differ in type", ghost.text)));
        }
        Ok((object, found, ty))
    }
}

/// The type of an expression: integers are numbers, whatever their width.
fn number(ty: Type) -> Type {
    if matches!(ty, Type::Byte | Type::Short | Type::Char | Type::Long) { Type::Int } else { ty }
}
