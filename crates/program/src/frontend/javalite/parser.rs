//! S-expressions to syntax tree. The accepted grammar, where `…` means "any number of":
//!
//! ```text
//! P  ::= ((CL …) (C m))  |  (CL …) (C m)  |  CL … (C m)     the entry (C m) may be missing
//! CL ::= (class C ([T f] …) (M …))  |  (class C extends C ([T f] …) (M …))
//! M  ::= (R m e)  |  (R m [T x] … e)  |  (R m ([T x] …) e)
//! T  ::= bool | int | C
//! R  ::= T | unit
//! e  ::= x | null | true | false | unit | error | INTEGER
//!      | (new C) | (e $ f) | (x $ f := e) | (x := e)
//!      | (e @ m e …)  |  (e @ m (e …))
//!      | (e = e) | (e == e) | (e instanceof C) | (C e)
//!      | (e + e) | (e - e) | (e < e) | (e and e) | (e or e) | (not e) | (assert e)
//!      | (if e e else e) | (var T x := e in e) | (begin e …)
//! x  ::= this | id
//! ```
//!
//! The documents have one parameter and one argument, the Redex model a list; both are accepted. `extends`, `==`,
//! `instanceof`, the cast `(C e)`, `unit` and `error` are the model's. Integers, the connectives and `assert` are ours. A
//! number is an integer here; in the documents it is a reference, but no program before its run has one to write.
//!
//! One list after `(e @ m` could be an argument list or the only argument: it is the argument if it has the form of an
//! expression, where `(C e)` has the form of a cast only if there is a class `C`.
//!
//! `(a and b)` stands for `(if a b else false)`, `(a or b)` for `(if a true else b)`.

use rustc_hash::FxHashSet;

use super::ast::{Expr, ExprKind, Name, Parsed};
use super::sexpr::{Datum, Kind};
use crate::frontend::hierarchy::{ClassDecl, MethodDecl, ROOT, TypeName, Variable};
use crate::ir::BinaryOp;
use crate::source::{LoadError, Place, Source};

/// What no name can be.
const KEYWORDS: [&str; 21] = [
    "class",
    "extends",
    "bool",
    "unit",
    "new",
    "$",
    "@",
    ":=",
    "=",
    "==",
    "instanceof",
    "if",
    "else",
    "var",
    "in",
    "begin",
    "null",
    "true",
    "false",
    "error",
    "this",
];

/// Our own words: no class or variable has their names, but a field or method of a program of the model may.
const OWN_KEYWORDS: [&str; 8] = ["int", "+", "-", "<", "and", "or", "not", "assert"];

/// The words that begin an expression and say which.
const LEADING: [&str; 6] = ["new", "if", "var", "begin", "not", "assert"];

/// The words in the second place of an expression that say which.
const INFIX: [&str; 11] = ["$", ":=", "@", "=", "==", "instanceof", "+", "-", "<", "and", "or"];

pub fn parse(sources: &[Source], data: &[Datum]) -> Result<Parsed, LoadError> {
    // `((CL …) (C m))` and `(CL … (C m))`: one list around everything.
    let data = match data {
        [Datum { kind: Kind::List(inner), .. }] if inner.first().is_some_and(|d| d.list().is_some()) => inner,
        _ => data,
    };
    // `(CL …)`: a list around the classes.
    let (classes, rest) = match data {
        [Datum { kind: Kind::List(inner), .. }, rest @ ..] if inner.first().is_none_or(|d| d.list().is_some()) => {
            (inner.as_slice(), rest)
        }
        _ => data.split_at(data.iter().position(|d| !is_class(d)).unwrap_or(data.len())),
    };
    let names = classes.iter().filter_map(|c| c.list()?.get(1)?.word()).chain([ROOT]).collect();
    let parser = Parser { sources, classes: names };
    let mut parsed = Parsed { classes: Vec::new(), bodies: Vec::new(), entry: None };
    for class in classes {
        let (declaration, bodies) = parser.class(class)?;
        parsed.classes.push(declaration);
        parsed.bodies.push(bodies);
    }
    if let [entry, after @ ..] = rest {
        parsed.entry = Some(parser.entry(entry)?);
        if let Some(extra) = after.first() {
            return Err(parser.unexpected(extra, "the end of the program"));
        }
    }
    Ok(parsed)
}

fn is_class(datum: &Datum) -> bool {
    datum.list().and_then(|items| items.first()).is_some_and(|first| first.is("class"))
}

/// Whether a list has the form of an expression.
fn is_expression(items: &[Datum], classes: &FxHashSet<&str>) -> bool {
    let word = |at: usize| items.get(at).and_then(|d: &Datum| d.word());
    let cast = items.len() == 2 && word(0).is_some_and(|w| classes.contains(w));
    cast || word(0).is_some_and(|w| LEADING.contains(&w)) || word(1).is_some_and(|w| INFIX.contains(&w))
}

struct Parser<'a> {
    sources: &'a [Source],
    /// The names of all classes.
    classes: FxHashSet<&'a str>,
}

type Result1<T> = Result<T, LoadError>;

impl Parser<'_> {
    fn error(&self, place: Place, message: impl Into<String>) -> LoadError {
        LoadError::at(self.sources, place, message)
    }

    fn unexpected(&self, found: &Datum, wanted: &str) -> LoadError {
        self.error(found.place, format!("expected {wanted}, found {}", found.show()))
    }

    fn list<'d, 't>(&self, datum: &'d Datum<'t>, wanted: &str) -> Result1<&'d [Datum<'t>]> {
        datum.list().ok_or_else(|| self.unexpected(datum, wanted))
    }

    /// The name of a field or method.
    fn member(&self, datum: &Datum, what: &str) -> Result1<Name> {
        match datum.word() {
            Some(word) if !KEYWORDS.contains(&word) => Ok(Name { text: word.into(), place: datum.place }),
            _ => Err(self.unexpected(datum, what)),
        }
    }

    /// The name of a class or a variable.
    fn name(&self, datum: &Datum, what: &str) -> Result1<Name> {
        match datum.word() {
            Some(word) if OWN_KEYWORDS.contains(&word) => Err(self.unexpected(datum, what)),
            _ => self.member(datum, what),
        }
    }

    /// A variable, declared or used: `this` is one.
    fn variable(&self, datum: &Datum, what: &str) -> Result1<Name> {
        match datum.word() {
            Some("this") => Ok(Name { text: "this".into(), place: datum.place }),
            _ => self.name(datum, what),
        }
    }

    /// The type of something that holds a value.
    fn type_name(&self, datum: &Datum) -> Result1<TypeName> {
        match datum.word() {
            Some("unit") => {
                let error = self.unexpected(datum, "a type of values");
                Err(error.help("only a method can have the type unit: it returns nothing"))
            }
            _ => self.result_type(datum),
        }
    }

    fn result_type(&self, datum: &Datum) -> Result1<TypeName> {
        match datum.word() {
            Some(word @ ("bool" | "int" | "unit")) => Ok(TypeName { name: word.into(), place: datum.place }),
            _ => self.name(datum, "a type").map(|name| TypeName { name: name.text, place: name.place }),
        }
    }

    // ---- declarations ----

    fn class(&self, datum: &Datum) -> Result1<(ClassDecl, Vec<Expr>)> {
        let (head, superclass, fields, methods) = match datum.list() {
            Some([class, head, extends, above, fields, methods]) if class.is("class") && extends.is("extends") => {
                let above = self.name(above, "the superclass's name")?;
                (head, Some((above.text, above.place)), fields, methods)
            }
            Some([class, head, fields, methods]) if class.is("class") => (head, None, fields, methods),
            _ if is_class(datum) => {
                let forms = "write (class C ([T f] …) (M …)) or (class C extends C ([T f] …) (M …))";
                return Err(self.error(datum.place, "this is not the form of a class").help(forms));
            }
            _ => return Err(self.unexpected(datum, "a class")),
        };
        let name = self.name(head, "the class's name")?;
        let fields = self.list(fields, "the list of fields")?;
        let fields = fields.iter().map(|f| self.declared(f, "a field [T f]", |d| self.member(d, "the field's name")));
        let mut declaration = ClassDecl {
            name: name.text,
            place: name.place,
            superclass,
            fields: fields.collect::<Result1<_>>()?,
            methods: Vec::new(),
        };
        let mut bodies = Vec::new();
        for method in self.list(methods, "the list of methods")? {
            let (method, body) = self.method(method)?;
            declaration.methods.push(method);
            bodies.push(body);
        }
        Ok((declaration, bodies))
    }

    /// `[T f]` or `[T x]`.
    fn declared(&self, datum: &Datum, form: &str, read: impl Fn(&Datum) -> Result1<Name>) -> Result1<Variable> {
        let [ty, name] = self.list(datum, form)? else { return Err(self.unexpected(datum, form)) };
        let (ty, name) = (self.type_name(ty)?, read(name)?);
        Ok(Variable { name: name.text, place: name.place, ty })
    }

    fn method(&self, datum: &Datum) -> Result1<(MethodDecl, Expr)> {
        let form = "a method (T m ([T x] …) e)";
        let [result, name, parameters @ .., body] = self.list(datum, form)? else {
            return Err(self.unexpected(datum, form));
        };
        let result = self.result_type(result)?;
        let name = self.member(name, "the method's name")?;
        let parameters = match parameters {
            [Datum { kind: Kind::List(inner), .. }] if inner.iter().all(|d| d.list().is_some()) => inner,
            _ => parameters,
        };
        let named = |datum: &Datum| self.variable(datum, "the parameter's name");
        let parameters = parameters.iter().map(|p| self.declared(p, "a parameter [T x]", named));
        let parameters = parameters.collect::<Result1<_>>()?;
        let body = self.expr(body)?;
        Ok((MethodDecl { name: name.text, place: name.place, result, parameters }, body))
    }

    fn entry(&self, datum: &Datum) -> Result1<(Name, Name)> {
        match datum.list() {
            Some([class, method]) => {
                Ok((self.name(class, "the entry's class")?, self.member(method, "the entry's method")?))
            }
            _ => Err(self.unexpected(datum, "a class or the entry (C m)")),
        }
    }

    // ---- expressions ----

    fn expr(&self, datum: &Datum) -> Result1<Expr> {
        let kind = match &datum.kind {
            Kind::Int(value) => ExprKind::Int(*value),
            Kind::Word("null") => ExprKind::Null,
            Kind::Word("unit") => ExprKind::Unit,
            Kind::Word("error") => ExprKind::Error,
            Kind::Word(word @ ("true" | "false")) => ExprKind::Bool(*word == "true"),
            Kind::Word("this") => ExprKind::Variable("this".into()),
            Kind::Word(_) => ExprKind::Variable(self.name(datum, "an expression")?.text),
            Kind::List(items) => self.form(datum, items)?,
        };
        Ok(Expr::new(kind, datum.place))
    }

    fn boxed(&self, datum: &Datum) -> Result1<Box<Expr>> {
        self.expr(datum).map(Box::new)
    }

    fn form(&self, datum: &Datum, items: &[Datum]) -> Result1<ExprKind> {
        let word = |at: usize| items.get(at).and_then(|d| d.word()).unwrap_or("");
        match word(0) {
            leading if LEADING.contains(&leading) => self.leading(datum, items, leading),
            _ if INFIX.contains(&word(1)) => self.infix(datum, items, word(1)),
            _ => match items {
                [class, value] if class.word().is_some() => {
                    Ok(ExprKind::Cast(self.name(class, "an expression")?, self.boxed(value)?))
                }
                _ => Err(self.unexpected(datum, "an expression")),
            },
        }
    }

    /// The error that an expression begins well and goes on badly.
    fn malformed(&self, datum: &Datum, form: &str) -> LoadError {
        self.error(datum.place, format!("this does not have the form {form}"))
    }

    fn leading(&self, datum: &Datum, items: &[Datum], word: &str) -> Result1<ExprKind> {
        Ok(match (word, &items[1..]) {
            ("new", [class]) => ExprKind::New(self.name(class, "a class")?),
            ("new", _) => return Err(self.malformed(datum, "(new C)")),
            ("if", [condition, then, e, otherwise]) if e.is("else") => {
                ExprKind::If(self.boxed(condition)?, self.boxed(then)?, self.boxed(otherwise)?)
            }
            ("if", _) => return Err(self.malformed(datum, "(if e e else e)")),
            ("var", [ty, name, becomes, value, within, body]) if becomes.is(":=") && within.is("in") => {
                let (ty, name) = (self.type_name(ty)?, self.variable(name, "the variable's name")?);
                ExprKind::Var(ty, name, self.boxed(value)?, self.boxed(body)?)
            }
            ("var", _) => return Err(self.malformed(datum, "(var T x := e in e)")),
            ("not", [value]) => ExprKind::Not(self.boxed(value)?),
            ("not", _) => return Err(self.malformed(datum, "(not e)")),
            ("assert", [condition]) => ExprKind::Assert(self.boxed(condition)?),
            ("assert", _) => return Err(self.malformed(datum, "(assert e)")),
            (_, []) => ExprKind::Unit,
            (_, parts) => ExprKind::Begin(parts.iter().map(|p| self.expr(p)).collect::<Result1<_>>()?),
        })
    }

    fn infix(&self, datum: &Datum, items: &[Datum], sign: &str) -> Result1<ExprKind> {
        Ok(match (sign, items) {
            ("$", [object, _, field]) => ExprKind::Get(self.boxed(object)?, self.member(field, "a field")?),
            ("$", [object, _, field, becomes, value]) if becomes.is(":=") => {
                let (object, field) = (self.variable(object, "a variable")?, self.member(field, "a field")?);
                ExprKind::Put(object, field, self.boxed(value)?)
            }
            ("$", _) => return Err(self.malformed(datum, "(e $ f) or (x $ f := e)")),
            (":=", [name, _, value]) => ExprKind::Assign(self.variable(name, "a variable")?, self.boxed(value)?),
            ("@", [receiver, _, method, args @ ..]) => {
                let (receiver, method) = (self.boxed(receiver)?, self.member(method, "a method")?);
                ExprKind::Invoke(receiver, method, self.arguments(args)?)
            }
            ("@", _) => return Err(self.malformed(datum, "(e @ m e …)")),
            ("instanceof", [value, _, class]) => ExprKind::InstanceOf(self.boxed(value)?, self.name(class, "a class")?),
            ("instanceof", _) => return Err(self.malformed(datum, "(e instanceof C)")),
            (_, [a, _, b]) => {
                let (a, b) = (self.boxed(a)?, self.boxed(b)?);
                let constant = |value| Box::new(Expr::new(ExprKind::Bool(value), datum.place));
                match sign {
                    "+" => ExprKind::Arithmetic(BinaryOp::Add, a, b),
                    "-" => ExprKind::Arithmetic(BinaryOp::Sub, a, b),
                    "<" => ExprKind::Arithmetic(BinaryOp::Lt, a, b),
                    "and" => ExprKind::If(a, b, constant(false)),
                    "or" => ExprKind::If(a, constant(true), b),
                    _ => ExprKind::Equal(a, b),
                }
            }
            (":=", _) => return Err(self.malformed(datum, "(x := e)")),
            _ => return Err(self.malformed(datum, &format!("(e {sign} e)"))),
        })
    }

    fn arguments(&self, data: &[Datum]) -> Result1<Vec<Expr>> {
        let data = match data {
            [Datum { kind: Kind::List(inner), .. }] if !is_expression(inner, &self.classes) => inner,
            _ => data,
        };
        data.iter().map(|d| self.expr(d)).collect()
    }
}
