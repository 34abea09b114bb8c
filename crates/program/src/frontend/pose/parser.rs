//! Tokens to syntax tree: recursive descent, with the usual precedence where the prototype's syntax wants parentheses.
//!
//! ```text
//! program := { include } { class } [ expr ]
//! class   := "class" ID [ "extends" ID ] "{" { type ID ";" | method ";" } "}"
//! method  := type ID "(" [ type ID { "," type ID } ] ")" ":=" expr
//! expr    := { "let" ID [ ":" type ] ":=" expr "in" } …  |  "if" expr "then" expr "else" expr
//!          | "assert" expr | "throw" ID | binary [ ":=" expr ] | binary ":" type
//! binary  := "||"  <  "&&"  <  "=" "!=" "<" "<=" ">" ">=" "instanceof"  <  "+" "-"
//! unary   := ( "~" | "!" | "-" ) unary | primary { "." ID [ "[" [ expr { "," expr } ] "]" ] }
//! primary := INT | "true" | "false" | "null" | ID | X0… | Y0… | "new" ID | "@" ID | "(" expr ")" | "{" expr { ";" expr } "}"
//! ```
//!
//! That is the prototype's notation. In the one of the paper's Figure 6 a superclass stands behind a colon, arguments in
//! parentheses, and nothing between the parts of an `if`; no semicolon follows a method. A file has one of them: the
//! first sign that only one of them has decides which.

use super::ast::{Binding, Expr, ExprKind, Name, Op};
use super::lexer::Token;
use super::{Notation, ParsedClass};
use crate::frontend::hierarchy::{ClassDecl, MethodDecl, TypeName, Variable};
use crate::source::{LoadError, Place, Source};

/// Expressions nested deeper than this are refused.
const MAX_DEPTH: u32 = 10_000;

const KEYWORDS: [&str; 14] = [
    "class",
    "extends",
    "let",
    "in",
    "if",
    "then",
    "else",
    "new",
    "null",
    "true",
    "false",
    "instanceof",
    "assert",
    "throw",
];

pub struct Parsed {
    pub includes: Vec<TypeName>,
    pub classes: Vec<ParsedClass>,
    pub main: Option<Expr>,
}

pub fn parse(sources: &[Source], tokens: Vec<(Token, Place)>, notation: Option<Notation>) -> Result<Parsed, LoadError> {
    let mut parser = Parser { sources, tokens, at: 0, depth: 0, notation };
    let mut parsed = Parsed { includes: Vec::new(), classes: Vec::new(), main: None };
    while let Token::Include(name) = parser.peek() {
        let include = TypeName { name: name.clone(), place: parser.place() };
        if include.name.is_empty() {
            return Err(parser.error("include what? A file's name is wanted"));
        }
        parsed.includes.push(include);
        parser.at += 1;
    }
    while parser.is_word("class") {
        parsed.classes.push(parser.class()?);
    }
    if *parser.peek() != Token::End {
        parsed.main = Some(parser.expr()?);
    }
    match parser.peek() {
        Token::End => Ok(parsed),
        _ => Err(parser.unexpected("the end of the program")),
    }
}

struct Parser<'a> {
    sources: &'a [Source],
    tokens: Vec<(Token, Place)>,
    at: usize,
    depth: u32,
    /// In which notation the file is, once that is known.
    notation: Option<Notation>,
}

type Result1<T> = Result<T, LoadError>;

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn place(&self) -> Place {
        self.tokens[self.at].1
    }

    fn error(&self, message: impl Into<String>) -> LoadError {
        LoadError::at(self.sources, self.place(), message)
    }

    fn unexpected(&self, wanted: &str) -> LoadError {
        let found = match self.peek() {
            Token::Word(word) => format!("`{word}`"),
            Token::Int(value) => format!("`{value}`"),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::Include(_) => "`include`, which belongs at the beginning of a file".into(),
            Token::End => "the end of the file".into(),
        };
        self.error(format!("expected {wanted}, found {found}"))
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(w) if w == word)
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(s) if *s == sign)
    }

    /// Whether the word here is followed by arguments in parentheses.
    fn calls(&self) -> bool {
        matches!(self.tokens.get(self.at + 1), Some((Token::Sign("("), _)))
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += found as usize;
        found
    }

    fn take_sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        self.at += found as usize;
        found
    }

    fn want_word(&mut self, word: &str) -> Result1<()> {
        if self.take_word(word) { Ok(()) } else { Err(self.unexpected(&format!("`{word}`"))) }
    }

    fn want_sign(&mut self, sign: &str) -> Result1<()> {
        if self.take_sign(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    /// An identifier that is no keyword.
    fn name(&mut self, what: &str) -> Result1<Name> {
        match self.peek() {
            Token::Word(word) if !KEYWORDS.contains(&word.as_str()) => {
                let name = Name { text: word.clone(), place: self.place() };
                self.at += 1;
                Ok(name)
            }
            _ => Err(self.unexpected(what)),
        }
    }

    fn type_name(&mut self) -> Result1<TypeName> {
        let name = self.name("a type")?;
        Ok(TypeName { name: name.text, place: name.place })
    }

    /// What stands here belongs to one notation: from here on, the file is in it.
    fn is_in(&mut self, notation: Notation) -> Result1<()> {
        match self.notation {
            Some(other) if other != notation => {
                Err(self.error(format!("this belongs to {notation}, and the rest is in {other}")))
            }
            _ => {
                self.notation = Some(notation);
                Ok(())
            }
        }
    }

    /// The notation of an `if` whose condition was read: what follows a condition is `then`, or the first part itself.
    fn notation_of_if(&mut self) -> Result1<Notation> {
        let notation = match self.notation {
            Some(notation) => notation,
            None if self.is_word("then") => Notation::Prototype,
            None => Notation::Figure6,
        };
        if self.is_word("then") {
            self.is_in(Notation::Prototype)?;
        }
        self.notation = Some(notation);
        Ok(notation)
    }

    fn class(&mut self) -> Result1<ParsedClass> {
        self.want_word("class")?;
        let name = self.name("the class's name")?;
        let notation = match self.peek() {
            Token::Word(word) if word == "extends" => Some(Notation::Prototype),
            Token::Sign(":") => Some(Notation::Figure6),
            _ => None,
        };
        let superclass = match notation {
            Some(notation) => {
                self.is_in(notation)?;
                self.at += 1;
                let name = self.name("the superclass's name")?;
                Some((name.text, name.place))
            }
            None => None,
        };
        let mut declaration =
            ClassDecl { name: name.text, place: name.place, superclass, fields: Vec::new(), methods: Vec::new() };
        let mut bodies = Vec::new();
        self.want_sign("{")?;
        while !self.take_sign("}") {
            let ty = self.type_name()?;
            let name = self.name("the name of a field or method")?;
            if self.is_sign("(") {
                let parameters = self.parameters()?;
                self.want_sign(":=")?;
                bodies.push(self.expr()?);
                declaration.methods.push(MethodDecl { name: name.text, place: name.place, result: ty, parameters });
                if self.notation == Some(Notation::Figure6) {
                    self.take_sign(";");
                    continue;
                }
            } else {
                declaration.fields.push(Variable { name: name.text, place: name.place, ty });
            }
            self.want_sign(";")?;
        }
        Ok(ParsedClass { declaration, bodies })
    }

    fn parameters(&mut self) -> Result1<Vec<Variable>> {
        self.want_sign("(")?;
        let mut parameters: Vec<Variable> = Vec::new();
        while !self.is_sign(")") {
            if !parameters.is_empty() {
                self.want_sign(",")?;
            }
            let ty = self.type_name()?;
            let name = self.name("the parameter's name")?;
            parameters.push(Variable { name: name.text, place: name.place, ty });
        }
        self.want_sign(")")?;
        Ok(parameters)
    }

    /// Counts a level of the tree, so that no input can exhaust the stack.
    fn deepen(&mut self) -> Result1<()> {
        self.depth += 1;
        if self.depth <= MAX_DEPTH {
            return Ok(());
        }
        Err(self.error(format!("expressions are nested deeper than {MAX_DEPTH} levels here")))
    }

    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result1<T>) -> Result1<T> {
        self.deepen()?;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    fn expr(&mut self) -> Result1<Expr> {
        self.nested(|p| p.expr_inside())
    }

    fn expr_inside(&mut self) -> Result1<Expr> {
        let place = self.place();
        let make = |kind| Expr { kind, place };
        if self.is_word("let") {
            let mut bindings = Vec::new();
            while self.take_word("let") {
                let name = self.name("the variable's name")?;
                let ty = if self.take_sign(":") { Some(self.type_name()?) } else { None };
                self.want_sign(":=")?;
                let value = self.expr()?;
                self.want_word("in")?;
                bindings.push(Binding { name, ty, value });
            }
            let body = self.expr()?;
            return Ok(make(ExprKind::Let(bindings, Box::new(body))));
        }
        if self.take_word("if") {
            let condition = self.expr()?;
            let notation = self.notation_of_if()?;
            if notation == Notation::Prototype {
                self.want_word("then")?;
            }
            let first = self.at;
            let then = self.expr()?;
            match notation {
                Notation::Prototype => self.want_word("else")?,
                Notation::Figure6 if self.is_word("else") => {
                    self.at = first;
                    return Err(self.unexpected("`then`"));
                }
                Notation::Figure6 => {}
            }
            let otherwise = self.expr()?;
            return Ok(make(ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise))));
        }
        if self.take_word("assert") {
            let condition = self.expr()?;
            return Ok(make(ExprKind::Assert(Box::new(condition))));
        }
        if self.take_word("throw") {
            return Ok(make(ExprKind::Throw(self.name("the exception's name")?)));
        }
        let left = self.binary(0)?;
        if self.is_sign(":=") {
            let ExprKind::Get(object, field) = left.kind else {
                return Err(self.error("only a field can be assigned"));
            };
            self.at += 1;
            let value = self.expr()?;
            return Ok(make(ExprKind::Put(object, field, Box::new(value))));
        }
        if self.take_sign(":") {
            let ty = self.type_name()?;
            return Ok(make(ExprKind::Typed(Box::new(left), ty)));
        }
        Ok(left)
    }

    /// The operator at this point and how tightly it binds.
    fn operator(&self) -> Option<(Op, u8)> {
        let Token::Sign(sign) = self.peek() else { return None };
        Some(match *sign {
            "||" => (Op::Or, 1),
            "&&" => (Op::And, 2),
            "=" => (Op::Eq, 3),
            "!=" => (Op::Ne, 3),
            "<" => (Op::Lt, 3),
            "<=" => (Op::Le, 3),
            ">" => (Op::Gt, 3),
            ">=" => (Op::Ge, 3),
            "+" => (Op::Add, 4),
            "-" => (Op::Sub, 4),
            _ => return None,
        })
    }

    fn binary(&mut self, least: u8) -> Result1<Expr> {
        let mut left = self.unary()?;
        // A loop to the left adds a level to the tree at every turn.
        let depth = self.depth;
        loop {
            let place = self.place();
            if least <= 3 && self.take_word("instanceof") {
                self.deepen()?;
                let class = self.name("a class")?;
                left = Expr { kind: ExprKind::InstanceOf(Box::new(left), class), place };
                continue;
            }
            let Some((op, strength)) = self.operator().filter(|(_, strength)| *strength > least) else { break };
            self.at += 1;
            let right = self.nested(|p| p.binary(strength))?;
            self.deepen()?;
            left = Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), place };
        }
        self.depth = depth;
        Ok(left)
    }

    fn unary(&mut self) -> Result1<Expr> {
        let place = self.place();
        if self.take_sign("~") || self.take_sign("!") {
            let inner = self.nested(|p| p.unary())?;
            return Ok(Expr { kind: ExprKind::Not(Box::new(inner)), place });
        }
        if self.take_sign("-") {
            let inner = self.nested(|p| p.unary())?;
            let zero = Expr { kind: ExprKind::Int(0), place };
            return Ok(Expr { kind: ExprKind::Binary(Op::Sub, Box::new(zero), Box::new(inner)), place });
        }
        let mut value = self.primary()?;
        let depth = self.depth;
        while self.is_sign(".") {
            self.at += 1;
            self.deepen()?;
            let name = self.name("a field or method")?;
            let place = name.place;
            let kind = match self.peek() {
                Token::Sign("[") => {
                    self.is_in(Notation::Prototype)?;
                    ExprKind::Invoke(Box::new(value), name, self.arguments("]")?)
                }
                Token::Sign("(") if self.notation != Some(Notation::Prototype) => {
                    self.is_in(Notation::Figure6)?;
                    ExprKind::Invoke(Box::new(value), name, self.arguments(")")?)
                }
                _ => ExprKind::Get(Box::new(value), name),
            };
            value = Expr { kind, place };
        }
        self.depth = depth;
        Ok(value)
    }

    /// The arguments of a call, from the bracket that opens them.
    fn arguments(&mut self, closing: &'static str) -> Result1<Vec<Expr>> {
        self.at += 1;
        let mut args = Vec::new();
        while !self.is_sign(closing) {
            if !args.is_empty() {
                self.want_sign(",")?;
            }
            args.push(self.expr()?);
        }
        self.want_sign(closing)?;
        Ok(args)
    }

    fn primary(&mut self) -> Result1<Expr> {
        let place = self.place();
        let kind = match self.peek().clone() {
            Token::Int(value) => {
                self.at += 1;
                ExprKind::Int(value)
            }
            Token::Sign("(") => {
                self.at += 1;
                let inner = self.expr()?;
                self.want_sign(")")?;
                return Ok(inner);
            }
            Token::Sign("@") => {
                self.at += 1;
                ExprKind::Reach(self.name("the name of a place")?)
            }
            Token::Sign("{") => {
                self.at += 1;
                let mut parts = vec![self.expr()?];
                while self.take_sign(";") {
                    if self.is_sign("}") {
                        break;
                    }
                    parts.push(self.expr()?);
                }
                self.want_sign("}")?;
                ExprKind::Block(parts)
            }
            Token::Word(word) => match word.as_str() {
                "true" | "false" | "null" | "new" => {
                    self.at += 1;
                    match word.as_str() {
                        "null" => ExprKind::Null,
                        "new" => ExprKind::New(self.name("a class")?),
                        _ => ExprKind::Bool(word == "true"),
                    }
                }
                // A let, if, assert or throw as an operand: it extends as far as it can.
                "let" | "if" | "assert" | "throw" => return self.expr(),
                _ if is_input(&word) => {
                    self.at += 1;
                    ExprKind::Input(word)
                }
                "isResolved" if self.calls() => {
                    self.at += 2;
                    let object = self.expr()?;
                    self.want_sign(",")?;
                    let field = self.name("a field")?;
                    self.want_sign(")")?;
                    ExprKind::IsResolved(Box::new(object), field)
                }
                _ => ExprKind::Variable(self.name("an expression")?.text),
            },
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(Expr { kind, place })
    }
}

/// `X0`, `Y12`: an input symbol.
fn is_input(word: &str) -> bool {
    let digits = word.strip_prefix(['X', 'Y']).unwrap_or("");
    !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
}
