//! Expressions of actions: C-like, over numbers and truth values.

use super::super::ast::*;
use super::super::lexer::Token;
use super::{MAX_OPERATORS, Parse, Parser};

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Parse<ExprNode> {
        self.nested(|parser| {
            let condition = parser.binary(0)?;
            let place = condition.place;
            if !parser.takes("?") {
                return Ok(condition);
            }
            let then = parser.expr()?;
            parser.expect(":")?;
            let otherwise = parser.expr()?;
            let kind = ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise));
            Ok(ExprNode { place, kind })
        })
    }

    fn binary(&mut self, level: usize) -> Parse<ExprNode> {
        const LEVELS: [&[&str]; 5] =
            [&["||"], &["&&"], &["==", "!=", "<=", ">=", "<", ">"], &["+", "-"], &["%", "&", "^", ">>>"]];
        let Some(signs) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        loop {
            let place = self.place();
            let Some(sign) = signs.iter().copied().find(|sign| self.is_sign(sign)) else { return Ok(left) };
            self.at += 1;
            self.operators += 1;
            if self.operators > MAX_OPERATORS {
                return Err(self.error(place, format!("this expression has more than {MAX_OPERATORS} operators")));
            }
            let right = self.binary(level + 1)?;
            left = ExprNode { place, kind: ExprKind::Binary(sign, Box::new(left), Box::new(right)) };
            // Comparisons do not associate.
            if level == 2 {
                return Ok(left);
            }
        }
    }

    fn unary(&mut self) -> Parse<ExprNode> {
        let place = self.place();
        let node = |kind| ExprNode { place, kind };
        if self.takes("!") {
            let inner = self.nested(Self::unary)?;
            return Ok(node(ExprKind::Not(Box::new(inner))));
        }
        for (sign, positive) in [("-", false), ("+", true)] {
            if self.is_sign(sign) && matches!(self.peek_after(1), Token::Word(w) if w == "inf") {
                self.at += 2;
                return Ok(node(ExprKind::Infinity { positive }));
            }
        }
        let negative = self.takes_minus();
        if let Some(value) = self.takes_int(negative)? {
            return Ok(node(ExprKind::Int(value)));
        }
        if self.takes("-") {
            let inner = self.nested(Self::unary)?;
            return Ok(node(ExprKind::Negate(Box::new(inner))));
        }
        if self.takes("(") {
            let inner = self.expr()?;
            self.expect(")")?;
            return Ok(inner);
        }
        if let Some(value) = self.takes_bool() {
            return Ok(node(ExprKind::Bool(value)));
        }
        if self.takes_word("initial") {
            self.expect("(")?;
            let object = self.object()?;
            let (class, field) = match self.takes_word("as") {
                true => self.field_of_class()?,
                false => {
                    self.expect(".")?;
                    (None, self.any_name("a field")?)
                }
            };
            let optional = self.takes("?");
            self.expect(")")?;
            return Ok(node(ExprKind::Initial { object, class, field, optional }));
        }
        if self.takes_word("index") {
            return Ok(node(ExprKind::Index));
        }
        let object = match self.peek() {
            Token::Word(_) => self.object()?,
            _ => return Err(self.unexpected("an expression")),
        };
        match object {
            ObjectExpr::Name(name) if !self.is_sign(".") => Ok(node(ExprKind::Constant(name.text))),
            object => {
                self.expect(".")?;
                let ghost = self.any_name("a ghost field")?;
                Ok(node(ExprKind::Ghost { object, ghost }))
            }
        }
    }

    /// `Class.field`.
    fn field_of_class(&mut self) -> Parse<(Option<Name>, Name)> {
        let mut class = self.name("a class")?;
        self.expect(".")?;
        let mut field = self.any_name("a field")?;
        while self.takes(".") {
            class.text = format!("{}.{}", class.text, field.text);
            field = self.any_name("a field")?;
        }
        Ok((Some(class), field))
    }
}
