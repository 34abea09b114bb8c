//! Tokens to syntax: recursive descent.
//!
//! ```text
//! file   := { "import" QNAME ";" | let | ghost | scope | stmt }
//! let    := "let" ID "=" (path | INT | "true" | "false") ";"
//! ghost  := "ghost" TYPE "{" { PRIM ID ["=" (INT | BOOL | "fresh" | "-inf" | "+inf")] ";" } "}"
//! scope  := "for any" TYPE ["but" TYPE] ID "{" { let | stmt } "}"
//! stmt   := path [clause { "and" clause }] { event } ";" | formula ";"
//! formula := any [ "=>" formula ], any := all { "or" all }, all := one { "and" one }
//! one    := "not" "(" formula ")" | "(" formula ")" | path clause { "and" clause }
//! clause := "not null" | "null" | "expands to" ("nothing" | ["exactly"] TYPE { "|" ["exactly"] TYPE })
//!         | "aliases" ("nothing" | target { "|" target }) | "never aliases" target
//! target := "some" TYPE | ["max"] path | object
//! event  := "on" ("null" | "expand" | "alias") "do" ("{" { action } "}" | CLASS "." METHOD "(" object ")")
//!         | "on" "object" "do" "{" { demand } "}"
//! path   := ("root." VAR | ID | "any") { "." FIELD | "[*]" | "[" INT "]" | "(" alts ")" ["*" | "+" | "?"] }
//! object := ID | "it" | "here" { "^" }
//! action := "assume" expr ";" | object "." GHOST ["[" expr "]"] ("=" | "+=" | "-=") expr [".."] ";"
//! expr   := expr "?" expr ":" expr  <  "||"  <  "&&"  <  "==" "!=" "<" "<=" ">" ">="  <  "+" "-"  <  "!" "-"
//! ```

mod demand;
mod expr;
mod path;

use super::ast::*;
use super::lexer::{TOO_LARGE, Token};
use super::{GhostValue, SetOp, When};
use lazuli_program::source::{LoadError, Place, Source};

/// Groups and expressions nested deeper than this are refused.
const MAX_DEPTH: u32 = 200;

/// Expressions with more operators than this are refused: a sum leans to one side, and is as deep as it is long.
const MAX_OPERATORS: u32 = 1_000;

const KEYWORDS: [&str; 24] = [
    "import", "let", "ghost", "for", "any", "root", "not", "null", "expands", "aliases", "never", "on", "do", "it",
    "here", "and", "or", "some", "max", "exactly", "assume", "initial", "as", "index",
];

pub fn parse(sources: &[Source], tokens: Vec<(Token, Place)>) -> Result<File, LoadError> {
    let mut parser = Parser { sources, tokens, at: 0, depth: 0, operators: 0 };
    let mut file = File::default();
    while *parser.peek() != Token::End {
        if parser.takes_word("import") {
            file.imports.push(parser.qualified("a class")?);
            parser.expect(";")?;
        } else if parser.is_word("let") {
            file.items.push(Item::Let(parser.definition()?));
        } else if parser.is_word("ghost") {
            file.items.push(Item::Ghost(parser.ghost()?));
        } else if parser.is_word("for") {
            file.items.push(Item::Scope(parser.scope()?));
        } else {
            file.items.extend(parser.stated()?.into_iter().map(Item::Stated));
        }
    }
    Ok(file)
}

type Parse<T> = Result<T, LoadError>;

struct Parser<'a> {
    sources: &'a [Source],
    tokens: Vec<(Token, Place)>,
    at: usize,
    depth: u32,
    /// Those of the action that is being read.
    operators: u32,
}

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn peek_after(&self, n: usize) -> &Token {
        &self.tokens[(self.at + n).min(self.tokens.len() - 1)].0
    }

    fn place(&self) -> Place {
        self.tokens[self.at].1
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(w) if w == word)
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(s) if *s == sign)
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        self.at += is as usize;
        is
    }

    fn takes(&mut self, sign: &str) -> bool {
        let is = self.is_sign(sign);
        self.at += is as usize;
        is
    }

    /// A number, if there is one; the minus in front of it was taken before.
    fn takes_int(&mut self, negative: bool) -> Parse<Option<i64>> {
        let Token::Int(digits) = *self.peek() else { return Ok(None) };
        let value = if negative { -(digits as i128) } else { digits as i128 };
        let value = i64::try_from(value).map_err(|_| self.error(self.place(), format!("{digits} {TOO_LARGE}")))?;
        self.at += 1;
        Ok(Some(value))
    }

    /// Takes the minus of a negative number.
    fn takes_minus(&mut self) -> bool {
        matches!(self.peek_after(1), Token::Int(_)) && self.takes("-")
    }

    fn takes_bool(&mut self) -> Option<bool> {
        let value = self.is_word("true");
        (self.takes_word("true") || self.takes_word("false")).then_some(value)
    }

    fn expect(&mut self, sign: &str) -> Parse<()> {
        if self.takes(sign) { Ok(()) } else { Err(self.unexpected(&format!("{sign:?}"))) }
    }

    fn expect_word(&mut self, word: &str) -> Parse<()> {
        if self.takes_word(word) { Ok(()) } else { Err(self.unexpected(&format!("{word:?}"))) }
    }

    fn error(&self, place: Place, message: impl Into<String>) -> LoadError {
        LoadError::at(self.sources, place, message)
    }

    fn unexpected(&self, wanted: &str) -> LoadError {
        let found = match self.peek() {
            Token::Word(word) => format!("{word:?}"),
            Token::Int(value) => value.to_string(),
            Token::Sign(sign) => format!("{sign:?}"),
            Token::End => "the end of the file".into(),
        };
        self.error(self.place(), format!("{wanted} is expected here, not {found}"))
    }

    /// A name that is no keyword.
    fn name(&mut self, what: &str) -> Parse<Name> {
        match self.peek() {
            Token::Word(word) if !KEYWORDS.contains(&word.as_str()) => self.any_name(what),
            _ => Err(self.unexpected(what)),
        }
    }

    /// A name in a place where no keyword is possible.
    fn any_name(&mut self, what: &str) -> Parse<Name> {
        match self.peek() {
            Token::Word(word) => {
                let name = Name { text: word.clone(), place: self.place() };
                self.at += 1;
                Ok(name)
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// `A` or `a.b.C`.
    fn qualified(&mut self, what: &str) -> Parse<Name> {
        let mut name = self.name(what)?;
        while self.is_sign(".") && matches!(self.peek_after(1), Token::Word(_)) {
            self.at += 1;
            name.text = format!("{}.{}", name.text, self.any_name(what)?.text);
        }
        Ok(name)
    }

    /// Goes one level deeper into something nested.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error(self.place(), format!("this is nested more than {MAX_DEPTH} deep")));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    fn definition(&mut self) -> Parse<Let> {
        self.expect_word("let")?;
        let name = self.name("a name")?;
        self.expect("=")?;
        let negative = self.takes_minus();
        let value = if let Some(value) = self.takes_int(negative)? {
            LetValue::Int(value)
        } else if let Some(value) = self.takes_bool() {
            LetValue::Bool(value)
        } else {
            LetValue::Path(self.path()?)
        };
        self.expect(";")?;
        Ok(Let { name, value })
    }

    fn ghost(&mut self) -> Parse<GhostDecl> {
        self.expect_word("ghost")?;
        let class = self.qualified("a class")?;
        self.expect("{")?;
        let mut fields = Vec::new();
        while !self.takes("}") {
            let ty = self.name("a type")?;
            let name = self.name("a name")?;
            let initial = if self.takes("=") { Some(self.ghost_value()?) } else { None };
            self.expect(";")?;
            fields.push((ty, name, initial));
        }
        Ok(GhostDecl { class, fields })
    }

    fn ghost_value(&mut self) -> Parse<GhostValue> {
        let negative = self.takes("-");
        let positive = !negative && self.takes("+");
        if let Some(value) = self.takes_int(negative)? {
            return Ok(GhostValue::Int(value));
        }
        if negative || positive {
            self.expect_word("inf")?;
            return Ok(if negative { GhostValue::MinusInfinity } else { GhostValue::PlusInfinity });
        }
        if self.takes_word("fresh") {
            return Ok(GhostValue::Fresh);
        }
        match self.takes_bool() {
            Some(value) => Ok(GhostValue::Bool(value)),
            None => Err(self.unexpected("a number, fresh, -inf or +inf")),
        }
    }

    fn scope(&mut self) -> Parse<ScopeDecl> {
        let place = self.place();
        self.expect_word("for")?;
        self.expect_word("any")?;
        let class = self.qualified("a class")?;
        let leaves_out = self.is_word("but") && matches!(self.peek_after(1), Token::Word(_));
        let but = if leaves_out && self.takes_word("but") { Some(self.qualified("a class")?) } else { None };
        let variable = self.name("a name for the object")?;
        self.expect("{")?;
        let mut scope = ScopeDecl { class, but, variable, lets: Vec::new(), stated: Vec::new() };
        while !self.takes("}") {
            if *self.peek() == Token::End {
                return Err(self.error(place, "this scope is not closed"));
            }
            if ["for", "ghost", "import"].iter().any(|word| self.is_word(word)) {
                let message = "a scope has statements and let only: it must be closed before this";
                return Err(self.error(self.place(), message));
            }
            match self.is_word("let") {
                true => scope.lets.push(self.definition()?),
                false => scope.stated.extend(self.stated()?),
            }
        }
        Ok(scope)
    }

    /// A statement, or a formula. Conjuncts of a formula that are about one path only are statements by themselves.
    fn stated(&mut self) -> Parse<Vec<Stated>> {
        let place = self.place();
        if !self.is_sign("(") && !self.is_word("not") {
            let path = self.path()?;
            if self.is_word("on") || self.is_sign(";") || *self.peek() == Token::End {
                return Ok(vec![Stated::Statement(self.statement(path, Vec::new())?)]);
            }
            let atom = self.atom(path)?;
            if self.is_word("on") || self.is_sign(";") {
                return Ok(vec![Stated::Statement(self.statement(atom.path, atom.clauses)?)]);
            }
            let body = self.implication(Some(PropExpr::Atom(atom)))?;
            return self.formula_end(place, body);
        }
        let body = self.implication(None)?;
        self.formula_end(place, body)
    }

    /// The rest of a statement: its events.
    fn statement(&mut self, path: PathExpr, clauses: Vec<ClauseExpr>) -> Parse<StatementDecl> {
        let (mut events, mut demands) = (Vec::new(), Vec::new());
        while self.is_word("on") {
            match self.asks_object() {
                true => demands.extend(self.demands()?),
                false => events.push(self.event()?),
            }
        }
        let end = self.place();
        let says_nothing = clauses.is_empty() && events.is_empty() && demands.is_empty();
        if !self.is_sign(";") && says_nothing {
            return Err(self.unexpected("what holds for this path"));
        }
        self.expect(";")?;
        if says_nothing {
            return Err(self.error(path.place, "this statement says nothing about its path"));
        }
        Ok(StatementDecl { path, clauses, events, demands, end })
    }

    fn formula_end(&mut self, place: Place, body: PropExpr) -> Parse<Vec<Stated>> {
        if self.is_word("on") {
            let error = self.error(self.place(), "a formula over several paths has no events");
            return Err(error.help("write a statement of its own about the path: path on … do …;"));
        }
        let end = self.place();
        if !self.is_sign(";") {
            return Err(self.unexpected("\"and\", \"or\", \"=>\" or \";\""));
        }
        self.expect(";")?;
        let conjuncts = match body {
            PropExpr::And(list) => list,
            other => vec![other],
        };
        let stated = |conjunct| match conjunct {
            PropExpr::Atom(AtomExpr { path, clauses, end }) => {
                Stated::Statement(StatementDecl { path, clauses, events: Vec::new(), demands: Vec::new(), end })
            }
            body => Stated::Formula(FormulaDecl { place, body, end }),
        };
        Ok(conjuncts.into_iter().map(stated).collect())
    }

    fn atom(&mut self, path: PathExpr) -> Parse<AtomExpr> {
        let mut clauses = vec![self.clause()?];
        while self.is_word("and") && self.clause_follows() {
            self.at += 1;
            clauses.push(self.clause()?);
        }
        Ok(AtomExpr { path, clauses, end: self.place() })
    }

    /// Whether the word after this one goes on about the same path.
    fn clause_follows(&self) -> bool {
        match (self.peek_after(1), self.peek_after(2)) {
            (Token::Word(word), Token::Sign("(")) if word == "not" => false,
            (Token::Word(word), _) => ["not", "null", "expands", "aliases", "never"].contains(&word.as_str()),
            _ => false,
        }
    }

    /// `=>` binds weakest and to the right. What was read already is the first atom.
    fn implication(&mut self, first: Option<PropExpr>) -> Parse<PropExpr> {
        self.nested(|parser| {
            let left = parser.disjunction(first)?;
            if !parser.takes("=>") {
                return Ok(left);
            }
            let right = parser.implication(None)?;
            Ok(join(PropExpr::Or, negation(left), right))
        })
    }

    fn disjunction(&mut self, first: Option<PropExpr>) -> Parse<PropExpr> {
        let mut left = self.conjunction(first)?;
        while self.takes_word("or") {
            let right = self.conjunction(None)?;
            left = join(PropExpr::Or, left, right);
        }
        Ok(left)
    }

    fn conjunction(&mut self, first: Option<PropExpr>) -> Parse<PropExpr> {
        let mut left = match first {
            Some(atom) => atom,
            None => self.proposition()?,
        };
        while self.takes_word("and") {
            let right = self.proposition()?;
            left = join(PropExpr::And, left, right);
        }
        Ok(left)
    }

    fn proposition(&mut self) -> Parse<PropExpr> {
        let negated = self.takes_word("not");
        if negated && !self.is_sign("(") {
            let error = self.unexpected("\"(\"");
            return Err(
                error.help("not ( path … ) negates what is said of a path; path not null says that it is not null")
            );
        }
        if self.takes("(") {
            let inner = self.implication(None)?;
            self.expect(")")?;
            return Ok(if negated { negation(inner) } else { inner });
        }
        let path = self.path()?;
        Ok(PropExpr::Atom(self.atom(path)?))
    }

    fn clause(&mut self) -> Parse<ClauseExpr> {
        if self.takes_word("not") {
            self.expect_word("null")?;
            return Ok(ClauseExpr::NotNull);
        }
        if self.takes_word("null") {
            return Ok(ClauseExpr::Null);
        }
        if self.takes_word("expands") {
            self.expect_word("to")?;
            if self.takes_word("nothing") {
                return Ok(ClauseExpr::ExpandsToNothing);
            }
            let mut types = Vec::new();
            loop {
                let exact = self.takes_word("exactly");
                types.push((self.qualified("a class")?, exact));
                if !self.takes("|") {
                    return Ok(ClauseExpr::ExpandsTo(types));
                }
            }
        }
        if self.takes_word("never") {
            self.expect_word("aliases")?;
            return Ok(ClauseExpr::NeverAliases(self.target()?));
        }
        if self.takes_word("aliases") {
            if self.takes_word("nothing") {
                return Ok(ClauseExpr::AliasesNothing);
            }
            let mut targets = vec![self.target()?];
            while self.takes("|") {
                targets.push(self.target()?);
            }
            return Ok(ClauseExpr::Aliases(targets));
        }
        Err(self.unexpected("not null, null, expands to, aliases or never aliases"))
    }

    fn target(&mut self) -> Parse<TargetExpr> {
        if self.takes_word("some") {
            return Ok(TargetExpr::Some(self.qualified("a class")?));
        }
        if self.is_word("it") || self.is_word("here") {
            return Ok(TargetExpr::Object(self.object()?));
        }
        let max = self.takes_word("max");
        Ok(TargetExpr::Path { path: self.path()?, max })
    }

    fn object(&mut self) -> Parse<ObjectExpr> {
        let place = self.place();
        if self.takes_word("it") {
            return Ok(ObjectExpr::It(place));
        }
        if self.takes_word("here") {
            let mut up = 0;
            while self.takes("^") {
                up += 1;
            }
            return Ok(ObjectExpr::Here { up, place });
        }
        Ok(ObjectExpr::Name(self.name("an object: a variable, it or here^")?))
    }

    fn event(&mut self) -> Parse<EventExpr> {
        self.expect_word("on")?;
        let when = if self.takes_word("null") {
            When::Null
        } else if self.takes_word("expand") {
            When::Expand
        } else if self.takes_word("alias") {
            When::Alias
        } else {
            return Err(self.unexpected("null, expand, alias or object"));
        };
        self.expect_word("do")?;
        if !self.takes("{") {
            let (class, method) = self.method()?;
            self.expect("(")?;
            let object = self.object()?;
            self.expect(")")?;
            return Ok(EventExpr { when, companion: CompanionExpr::Method { class, method, object } });
        }
        let mut actions = Vec::new();
        while !self.takes("}") {
            actions.push(self.action()?);
            self.expect(";")?;
        }
        Ok(EventExpr { when, companion: CompanionExpr::Actions(actions) })
    }

    /// `Class.method`.
    fn method(&mut self) -> Parse<(Name, Name)> {
        let mut class = self.qualified("a class and its method")?;
        let Some(dot) = class.text.rfind('.') else { return Err(self.unexpected("\".\" and a method")) };
        let method = Name { text: class.text.split_off(dot)[1..].into(), place: class.place };
        Ok((class, method))
    }

    fn action(&mut self) -> Parse<ActionExpr> {
        self.operators = 0;
        if self.takes_word("assume") {
            return Ok(ActionExpr::Assume(self.expr()?));
        }
        let object = self.object()?;
        self.expect(".")?;
        let ghost = self.any_name("a ghost field")?;
        let number = match self.takes("[") {
            true => Some(self.expr()?),
            false => None,
        };
        if number.is_some() {
            self.expect("]")?;
        }
        let op = if self.takes("=") {
            SetOp::Assign
        } else if self.takes("+=") {
            SetOp::Add
        } else if self.takes("-=") {
            SetOp::Subtract
        } else {
            return Err(self.unexpected("=, += or -="));
        };
        let value = self.expr()?;
        let and_above = self.takes("..");
        Ok(ActionExpr::Set { object, ghost, number, op, value, and_above })
    }
}

/// The negation, with `not` only before atoms.
fn negation(prop: PropExpr) -> PropExpr {
    match prop {
        PropExpr::Atom(_) => PropExpr::Not(Box::new(prop)),
        PropExpr::Not(inner) => *inner,
        PropExpr::And(list) => PropExpr::Or(list.into_iter().map(negation).collect()),
        PropExpr::Or(list) => PropExpr::And(list.into_iter().map(negation).collect()),
    }
}

/// Two formulas under one connective; those of the same one are taken apart.
fn join(connective: fn(Vec<PropExpr>) -> PropExpr, left: PropExpr, right: PropExpr) -> PropExpr {
    let is_and = matches!(connective(Vec::new()), PropExpr::And(_));
    let mut all = Vec::new();
    for part in [left, right] {
        match part {
            PropExpr::And(list) if is_and => all.extend(list),
            PropExpr::Or(list) if !is_and => all.extend(list),
            other => all.push(other),
        }
    }
    connective(all)
}
