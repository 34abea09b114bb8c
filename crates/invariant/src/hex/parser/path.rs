//! Path expressions: where they start, and their steps.

use super::super::ast::*;
use super::super::lexer::Token;
use super::{Parse, Parser};

impl Parser<'_> {
    pub(super) fn path(&mut self) -> Parse<PathExpr> {
        let place = self.place();
        let start = if self.takes_word("root") {
            self.expect(".")?;
            StartExpr::Root(self.any_name("an input")?)
        } else if self.takes_word("any") {
            StartExpr::Any
        } else {
            StartExpr::Name(self.name("a path: root.x, any, or a name")?)
        };
        Ok(PathExpr { place, start, steps: self.steps()? })
    }

    fn steps(&mut self) -> Parse<Vec<Step>> {
        let mut steps = Vec::new();
        loop {
            let place = self.place();
            if self.takes(".") {
                steps.push(Step::Field(self.any_name("a field")?));
            } else if self.takes("[") {
                let step = match *self.peek() {
                    Token::Int(index) => {
                        // Arrays are indexed by 32 bits with a sign.
                        let index = i32::try_from(index).map_err(|_| self.error(place, "this index is too large"))?;
                        let index = index as u32;
                        self.at += 1;
                        Step::Index(index, place)
                    }
                    _ => {
                        self.expect("*")?;
                        Step::AnyIndex(place)
                    }
                };
                self.expect("]")?;
                steps.push(step);
            } else if self.takes("(") {
                let alternatives = self.nested(Self::alternatives)?;
                let repeat = if self.takes("*") {
                    Repeat::ZeroOrMore
                } else if self.takes("+") {
                    Repeat::OneOrMore
                } else if self.takes("?") {
                    Repeat::ZeroOrOne
                } else {
                    Repeat::Once
                };
                steps.push(Step::Group { alternatives, repeat });
            } else {
                return Ok(steps);
            }
        }
    }

    fn alternatives(&mut self) -> Parse<Vec<Vec<Step>>> {
        let mut all = Vec::new();
        loop {
            let steps = self.steps()?;
            if steps.is_empty() {
                return Err(self.unexpected("a field, such as .next"));
            }
            all.push(steps);
            if self.takes(")") {
                return Ok(all);
            }
            self.expect("|")?;
        }
    }
}
