//! The generator: a seed to a program of a handful of statements.
//!
//! It is biased towards what heap models get wrong: conditional writes to fields nobody has looked at, writes through a
//! reference that came from a read, reading back through an alias, objects of the program stored into one input and read
//! through another. Everything computed is observed by a branch, so that a wrong heap takes a wrong path.

use super::seeds::Random;

/// A statement as text, with the variables it uses, so that statements can be left out.
#[derive(Clone, PartialEq, Debug)]
pub enum Statement {
    Let { variable: String, value: String, uses: Vec<String> },
    Do { text: String, uses: Vec<String> },
    If { condition: String, uses: Vec<String>, then: Vec<Statement>, otherwise: Vec<Statement> },
}

#[derive(Clone, PartialEq, Debug)]
pub struct Sketch {
    hierarchy: &'static Hierarchy,
    /// Whether inputs are used as they are, not through variables: then it is their use that loads them.
    bare: bool,
    /// Reference inputs and their classes.
    inputs: Vec<(String, &'static str)>,
    pub statements: Vec<Statement>,
}

/// The classes of a program, and what can be said with them.
#[derive(PartialEq, Debug)]
struct Hierarchy {
    text: &'static str,
    /// Reference fields that any reference may be asked for; the language casts. The more often named, the more often used.
    fields: &'static [&'static str],
    /// Classes of inputs.
    inputs: &'static [&'static str],
    /// New objects, as references to the class above all: a static type that is too special would not load.
    created: &'static [&'static str],
    /// Conditions about one reference, after its name.
    tests: &'static [&'static str],
    /// How many reads more or less than usual `lazy` can afford.
    reads: isize,
}

/// One class: all aliasing, no types.
const PLAIN: Hierarchy = Hierarchy {
    text: "\
class A {
  A f;
  A g;
  int v;
  A walk(int n) := if n = 0 then this else if this.f = null then this else this.f.walk[n - 1];
  A touch(A o) := { this.g := o; o };
  int count() := this.v;
}
",
    fields: &["f", "f", "g"],
    inputs: &["A"],
    created: &["new A"],
    tests: &[" = null", " != null"],
    reads: 1,
};

/// A subclass with a field and implementations of its own.
const INHERITING: Hierarchy = Hierarchy {
    text: "\
class A {
  A f;
  A g;
  int v;
  A walk(int n) := if n = 0 then this else if this.f = null then this else this.f.walk[n - 1];
  A touch(A o) := { this.g := o; o };
  int count() := this.v;
}
class B extends A {
  A h;
  A touch(A o) := { this.h := o; this.f };
  int count() := if this.h = this then 1 else this.v + 1;
}
",
    fields: &["f", "f", "g", "g", "h"],
    inputs: &["A", "A", "A", "B"],
    created: &["new A", "new A", "new B"],
    tests: &[" = null", " instanceof B", " instanceof B"],
    reads: 0,
};

/// Fields of the subclass's type, and a boolean.
const TYPED: Hierarchy = Hierarchy {
    text: "\
class A {
  A f;
  B g;
  bool t;
  int v;
  A walk(int n) := if n = 0 then this else if this.g = null then this else this.g.walk[n - 1];
  A touch(A o) := { this.f := o; this.g };
  int count() := if this.t then 1 else this.v;
}
class B extends A {
  B h;
  A touch(A o) := { o.t := true; o.g := this; this.h };
}
class C extends A { }
class New {
  A b() := new B;
  A c() := new C;
}
",
    fields: &["f", "f", "g", "g", "h"],
    inputs: &["A", "A", "A", "B"],
    created: &["new A", "new New.b[]", "new New.c[]"],
    tests: &[" = null", ".t", " instanceof B", " instanceof C"],
    reads: 0,
};

/// Classes that have nothing in common, behind references to anything: every access is a cast.
const UNRELATED: Hierarchy = Hierarchy {
    text: "\
class A {
  Object f;
  int v;
  Object walk(int n) :=
    if n = 0 then this else if this.f instanceof A then this.f.walk[n - 1] else this.f;
  int count() := this.v;
}
class D {
  Object g;
  Object touch(Object o) := { this.g := o; o };
}
class E extends D {
  Object h;
  Object touch(Object o) := { this.h := this.g; this.g := this; o };
}
class New {
  Object a() := new A;
  Object d() := new D;
  Object e() := new E;
}
",
    fields: &["f", "f", "g", "g", "h"],
    inputs: &["Object"],
    created: &["new New.a[]", "new New.d[]", "new New.e[]"],
    tests: &[" = null", " instanceof A", " instanceof E"],
    reads: 0,
};

impl Sketch {
    #[allow(dead_code)]
    pub fn is_bare(&self) -> bool {
        self.bare
    }

    /// The program's text.
    pub fn source(&self) -> String {
        let mut body = String::new();
        sequence(&self.statements, 0, &mut body);
        let mut text = format!("{}\n", self.hierarchy.text);
        for (input, class) in &self.inputs {
            let typed = format!("({} : {class})", input.replace('i', "Y"));
            if self.bare {
                body = body.replace(input.as_str(), &typed);
            } else if used(&self.statements, input) {
                text.push_str(&format!("let {input} := {typed} in\n"));
            }
        }
        text + &body + "\n"
    }
}

fn used(statements: &[Statement], variable: &str) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Let { uses, .. } | Statement::Do { uses, .. } => uses.iter().any(|u| u == variable),
        Statement::If { uses, then, otherwise, .. } => {
            uses.iter().any(|u| u == variable) || used(then, variable) || used(otherwise, variable)
        }
    })
}

/// Statements one after the other; the value is 0.
fn sequence(statements: &[Statement], depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    let Some((first, rest)) = statements.split_first() else {
        return text.push_str(&format!("{indent}0"));
    };
    match first {
        Statement::Let { variable, value, .. } => {
            text.push_str(&format!("{indent}let {variable} := {value} in\n"));
            sequence(rest, depth, text);
        }
        Statement::Do { text: what, .. } => {
            text.push_str(&format!("{indent}{{ {what};\n"));
            sequence(rest, depth, text);
            text.push_str(" }");
        }
        Statement::If { condition, then, otherwise, .. } => {
            text.push_str(&format!("{indent}{{ if {condition} then\n"));
            sequence(then, depth + 2, text);
            text.push_str(&format!("\n{indent}  else\n"));
            sequence(otherwise, depth + 2, text);
            text.push_str(";\n");
            sequence(rest, depth, text);
            text.push_str(" }");
        }
    }
}

struct Generator {
    random: Random,
    hierarchy: &'static Hierarchy,
    /// References in scope; their static class does not matter, because the language casts.
    references: Vec<String>,
    integers: Vec<String>,
    inputs: Vec<String>,
    names: usize,
    /// How many more reads `lazy` can afford.
    reads: usize,
}

/// The program of a seed.
pub fn generate(seed: u64) -> Sketch {
    sketch(seed, false)
}

/// Likewise; most of its inputs are put away before anybody looks at them, and are looked at in another order.
/// That makes a difference to invariants only.
#[allow(dead_code)]
pub fn generate_put_away(seed: u64) -> Sketch {
    sketch(seed, true)
}

fn sketch(seed: u64, put_away: bool) -> Sketch {
    let mut random = Random(seed);
    let hierarchy = random.pick(&[&PLAIN, &PLAIN, &PLAIN, &INHERITING, &INHERITING, &TYPED, &UNRELATED]);
    let number = if put_away { random.pick(&[3, 4]) } else { random.pick(&[2, 2, 2, 3, 3, 1]) };
    let inputs: Vec<(String, &'static str)> =
        (0..number).map(|i| (format!("i{i}"), random.pick(hierarchy.inputs))).collect();
    let names: Vec<String> = inputs.iter().map(|(name, _)| name.clone()).collect();
    let bare = random.one_in(8);
    let mut generator = Generator {
        random,
        hierarchy,
        references: names.clone(),
        integers: vec!["X0".into()],
        inputs: names,
        names: 0,
        reads: (6 + hierarchy.reads - number as isize) as usize,
    };
    let mut statements = Vec::new();
    if put_away {
        generator.put_away(&mut statements);
    }
    let length = 2 + generator.random.below(if put_away { 3 } else { 5 });
    for _ in 0..length {
        generator.pattern(&mut statements);
    }
    for _ in 0..1 + generator.random.below(3) {
        let observed = generator.observe();
        statements.push(observed);
    }
    Sketch { hierarchy, bare, inputs, statements }
}

impl Generator {
    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// A reference in scope; the latest are the most interesting ones.
    fn reference(&mut self) -> String {
        let recent = self.references.len().saturating_sub(2);
        match self.random.below(3) {
            0 => self.random.pick(&self.references[recent..]),
            1 => self.random.pick(&self.inputs),
            _ => self.random.pick(&self.references),
        }
    }

    fn field(&mut self) -> &'static str {
        self.random.pick(self.hierarchy.fields)
    }

    fn read(&mut self, object: &str, field: &str, out: &mut Vec<Statement>) -> String {
        if self.reads == 0 {
            return self.reference();
        }
        self.reads -= 1;
        let variable = self.name("p");
        let value = format!("{object}.{field}");
        out.push(Statement::Let { variable: variable.clone(), value, uses: vec![object.into()] });
        self.references.push(variable.clone());
        variable
    }

    fn write(&mut self, object: &str, field: &str, value: &str, out: &mut Vec<Statement>) {
        let uses = vec![object.to_string(), value.to_string()];
        out.push(Statement::Do { text: format!("{object}.{field} := {value}"), uses });
    }

    fn fresh(&mut self, out: &mut Vec<Statement>) -> String {
        let variable = self.name("n");
        let value = self.random.pick(self.hierarchy.created).to_string();
        out.push(Statement::Let { variable: variable.clone(), value, uses: Vec::new() });
        self.references.push(variable.clone());
        variable
    }

    /// A condition, and the variables in it.
    fn condition(&mut self) -> (String, Vec<String>) {
        let (a, b) = (self.reference(), self.reference());
        match self.random.below(9) {
            0..=3 if a != b => (format!("{a} = {b}"), vec![a, b]),
            5 => {
                let (i, j) = (self.random.pick(&self.integers), self.random.below(3));
                (format!("{i} = {j}"), vec![i])
            }
            6 => {
                let (i, j) = (self.random.pick(&self.integers), self.random.pick(&self.integers));
                (format!("{i} < {j} + 1"), vec![i, j])
            }
            7 if self.reads > 0 => {
                self.reads -= 1;
                let field = self.field();
                (format!("{a}.{field} = {b}"), vec![a, b])
            }
            _ => {
                let test = self.random.pick(self.hierarchy.tests);
                (format!("{a}{test}"), vec![a])
            }
        }
    }

    fn observe(&mut self) -> Statement {
        let (condition, uses) = self.condition();
        Statement::Do { text: format!("if {condition} then 0 else 1"), uses }
    }

    /// Inputs stored into new objects, with decisions about something else in between.
    fn put_away(&mut self, out: &mut Vec<Statement>) {
        for _ in 0..2 + self.random.below(3) {
            let n = self.fresh(out);
            let (input, field) = (self.random.pick(&self.inputs), self.field());
            self.write(&n, field, &input, out);
            match self.random.below(4) {
                0 => out.push(Statement::Do { text: "if X0 = 0 then 0 else 1".into(), uses: Vec::new() }),
                1 => {
                    self.read(&n, field, out);
                }
                _ => {}
            }
        }
    }

    /// A few statements that belong together.
    fn pattern(&mut self, out: &mut Vec<Statement>) {
        let (a, b, c) = (self.reference(), self.reference(), self.reference());
        let (f, g) = (self.field(), self.field());
        match self.random.below(13) {
            0 => {
                self.read(&a, f, out);
            }
            1 => self.write(&a, f, &b, out),
            // A conditional write to a field nobody has looked at, seen through an alias.
            2 | 3 => {
                self.write(&a, f, &b, out);
                let p = self.read(&c, f, out);
                if self.random.one_in(2) {
                    self.write(&p, g, &a, out);
                }
            }
            // A write through a reference that came from a read, seen through an alias.
            4 | 5 => {
                let p = self.read(&a, f, out);
                let stored = if self.random.one_in(3) { p.clone() } else { b };
                self.write(&p, g, &stored, out);
                self.read(&c, g, out);
            }
            // An object of the program stored into one input and read through another.
            6 | 7 => {
                let n = self.fresh(out);
                self.write(&a, f, &n, out);
                let r = self.read(&b, f, out);
                self.write(&r, g, &c, out);
                let text = format!("if {n}.{g} = {c} then 0 else 1");
                out.push(Statement::Do { text, uses: vec![n, c] });
            }
            8 => self.integer(&a, &b, out),
            9 => {
                let observed = self.observe();
                out.push(observed);
            }
            10 => self.branch(out),
            11 => self.call(&a, &b, out),
            _ => {
                let variable = self.name("p");
                let (condition, mut uses) = self.condition();
                uses.extend([a.clone(), b.clone()]);
                let value = format!("if {condition} then {a} else {b}");
                out.push(Statement::Let { variable: variable.clone(), value, uses });
                self.references.push(variable);
            }
        }
    }

    /// An integer field written through one reference and read through another.
    fn integer(&mut self, a: &str, b: &str, out: &mut Vec<Statement>) {
        let stored = match self.random.below(3) {
            0 => self.random.pick(&self.integers),
            1 => format!("{} + 1", self.random.pick(&self.integers)),
            _ => "2".into(),
        };
        let mut uses = vec![a.to_string()];
        uses.extend(self.integers.iter().filter(|i| stored.contains(i.as_str())).cloned());
        out.push(Statement::Do { text: format!("{a}.v := {stored}"), uses });
        let variable = self.name("k");
        let value = format!("{b}.v");
        out.push(Statement::Let { variable: variable.clone(), value, uses: vec![b.into()] });
        self.integers.push(variable);
    }

    /// A conditional write (or two): what follows does not know which way it went.
    fn branch(&mut self, out: &mut Vec<Statement>) {
        let (condition, uses) = self.condition();
        let (mut then, mut otherwise) = (Vec::new(), Vec::new());
        for side in [&mut then, &mut otherwise] {
            let (a, b, f) = (self.reference(), self.reference(), self.field());
            if !self.random.one_in(4) {
                self.write(&a, f, &b, side);
            }
        }
        out.push(Statement::If { condition, uses, then, otherwise });
    }

    /// Recursion of a bounded depth, or dispatch.
    fn call(&mut self, a: &str, b: &str, out: &mut Vec<Statement>) {
        if self.reads < 2 {
            return self.write(a, "f", b, out);
        }
        self.reads -= 2;
        let (prefix, value, uses) = match self.random.below(4) {
            0 => ("p", format!("{a}.walk[{}]", 1 + self.random.below(2)), vec![a.to_string()]),
            1 => ("k", format!("{a}.count[]"), vec![a.to_string()]),
            _ => ("p", format!("{a}.touch[{b}]"), vec![a.to_string(), b.to_string()]),
        };
        let variable = self.name(prefix);
        out.push(Statement::Let { variable: variable.clone(), value, uses });
        if prefix == "k" { self.integers.push(variable) } else { self.references.push(variable) }
    }
}
