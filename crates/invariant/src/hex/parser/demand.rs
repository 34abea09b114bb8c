//! What is asked of the object of a reference, whatever its class: `on object do { … }`.
//!
//! ```text
//! demand := ("assume" CLASS "." METHOD "(" asked ")" "==" expr | object "." GHOST ["[" expr "]"] "+=" asked) ";"
//! asked  := "it" ["but" TYPE { "|" TYPE }]
//! ```

use super::super::ast::*;
use super::{Parse, Parser};

impl Parser<'_> {
    /// Whether an event is about the object of a reference.
    pub(super) fn asks_object(&self) -> bool {
        self.is_word("on") && matches!(self.peek_after(1), super::Token::Word(word) if word == "object")
    }

    pub(super) fn demands(&mut self) -> Parse<Vec<DemandExpr>> {
        self.at += 2;
        self.expect_word("do")?;
        self.expect("{")?;
        let mut demands = Vec::new();
        while !self.takes("}") {
            demands.push(self.demand()?);
            self.expect(";")?;
        }
        Ok(demands)
    }

    fn demand(&mut self) -> Parse<DemandExpr> {
        self.operators = 0;
        if self.takes_word("assume") {
            let (class, method) = self.method()?;
            self.expect("(")?;
            let but = self.asked()?;
            self.expect(")")?;
            self.expect("==")?;
            let value = self.expr()?;
            return Ok(DemandExpr { but, what: DemandedExpr::Number { class, method, value } });
        }
        let object = self.object()?;
        self.expect(".")?;
        let ghost = self.any_name("a ghost field")?;
        let place = if self.takes("[") { Some(self.expr()?) } else { None };
        if place.is_some() {
            self.expect("]")?;
        }
        self.expect("+=")?;
        let but = self.asked()?;
        Ok(DemandExpr { but, what: DemandedExpr::Member { object, ghost, place } })
    }

    /// The object, and the classes of those that are not asked.
    fn asked(&mut self) -> Parse<Vec<Name>> {
        self.expect_word("it")?;
        let mut but = Vec::new();
        if self.takes_word("but") {
            but.push(self.qualified("a class")?);
            while self.takes("|") {
                but.push(self.qualified("a class")?);
            }
        }
        Ok(but)
    }
}
