//! The generator: a seed to classes with a random `repOk`, the same as `repOkConservative`, and a method to be explored.
//!
//! An invariant is a tree of decisions about the object: reads, comparisons, and calls of itself on what was read, up to a depth. In the
//! conservative version every read asks first whether the field is resolved; what is not is taken for valid.

use crate::random::seeds::Random;

/// Types and names.
type Fields = &'static [(&'static str, &'static str)];

/// The classes of a program: few fields, so that all small heaps can be enumerated.
struct Classes {
    /// Names, superclasses, and fields.
    list: &'static [(&'static str, Option<&'static str>, Fields)],
    /// The objects of an enumerated heap.
    objects: usize,
}

const CLASSES: [Classes; 6] = [
    Classes { list: &[("A", None, &[("A", "f")])], objects: 3 },
    Classes { list: &[("A", None, &[("A", "f"), ("int", "v")])], objects: 2 },
    Classes { list: &[("A", None, &[("A", "f"), ("A", "g")])], objects: 2 },
    Classes { list: &[("A", None, &[("A", "f"), ("bool", "t")])], objects: 3 },
    Classes { list: &[("A", None, &[("A", "f")]), ("B", Some("A"), &[("A", "h")])], objects: 2 },
    Classes { list: &[("A", None, &[("B", "f"), ("int", "v")]), ("B", None, &[("A", "h")])], objects: 3 },
];

/// A program with its invariants.
pub struct Sketch {
    pub source: String,
    pub entry: &'static str,
    /// The objects of an enumerated heap.
    pub objects: usize,
}

enum Tree {
    Leaf(String),
    /// The same decisions about another object, one level deeper.
    Deeper(String),
    If(String, Box<Tree>, Box<Tree>),
    Let {
        variable: String,
        object: String,
        field: &'static str,
        then: Box<Tree>,
    },
    /// A statement before the rest.
    Do(String, Box<Tree>),
}

impl Tree {
    fn show(&self, conservative: bool) -> String {
        match self {
            Tree::Leaf(text) => text.clone(),
            Tree::Deeper(object) => format!("{object}.{}[n - 1]", if conservative { "okPart" } else { "ok" }),
            Tree::If(condition, then, otherwise) => {
                let (then, otherwise) = (then.show(conservative), otherwise.show(conservative));
                format!("if {condition} then ({then}) else ({otherwise})")
            }
            Tree::Let { variable, object, field, then } => {
                let read = format!("let {variable} := {object}.{field} in {}", then.show(conservative));
                match conservative {
                    true => format!("if ~isResolved({object}, {field}) then true else ({read})"),
                    false => read,
                }
            }
            Tree::Do(text, rest) => format!("{{ {text}; {} }}", rest.show(conservative)),
        }
    }
}

struct Generator {
    random: Random,
    classes: &'static Classes,
    names: usize,
    /// Reads that are left.
    reads: usize,
}

/// Whose decisions are made.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    Invariant,
    Program,
}

pub fn generate(seed: u64) -> Sketch {
    let mut random = Random(seed);
    let classes = &CLASSES[random.below(CLASSES.len())];
    let mut generator = Generator { random, classes, names: 0, reads: 0 };
    // An input of the receiver's class, perhaps another one; the receiver may have no invariant itself.
    let second = generator.random.pick(&["", "", "A q"]);
    let number = if classes.objects == 2 && generator.random.one_in(3) { "int m" } else { "" };
    let in_class = generator.random.one_in(2) || second.is_empty() && generator.random.one_in(2);
    let mut parameters: Vec<&str> = vec!["A p"];
    parameters.extend([second, number].into_iter().filter(|text| !text.is_empty()));
    let mut scope = vec!["p".to_string()];
    if !second.is_empty() {
        scope.push("q".into());
    }
    if in_class {
        scope.push("this".into());
    }
    generator.reads = 3;
    let body = generator.tree(Of::Program, &scope, 4).show(false);
    let run = format!("  int run({}) := {body};\n", parameters.join(", "));
    let mut source = String::new();
    for (number, (name, above, fields)) in classes.list.iter().enumerate() {
        let extends = above.map_or(String::new(), |above| format!(" extends {above}"));
        source.push_str(&format!("class {name}{extends} {{\n"));
        for (ty, field) in *fields {
            source.push_str(&format!("  {ty} {field};\n"));
        }
        // A subclass overrides the invariant; a class that has nothing to do with the first one has it for its sake.
        let overrides = above.is_none() || generator.random.one_in(2);
        if overrides {
            source.push_str(&generator.invariant(number == 0));
        }
        if number == 0 && in_class {
            source.push_str(&run);
        }
        source.push_str("}\n");
    }
    if !in_class {
        source.push_str(&format!("class Main {{\n{run}}}\n"));
    }
    let entry = if in_class { "A.run" } else { "Main.run" };
    Sketch { source, entry, objects: classes.objects }
}

impl Generator {
    fn invariant(&mut self, first: bool) -> String {
        let scope = ["this".into()];
        self.reads = 2;
        let tree = match self.random.below(4) {
            0 => self.tree(Of::Invariant, &scope, 4),
            _ => self.read(Of::Invariant, &scope, 4),
        };
        let levels = 1 + self.random.below(3);
        let deepest = self.random.pick(&["true", "true", "false"]);
        let mut text = String::new();
        if first {
            text.push_str(&format!("  bool repOk() := this.ok[{levels}];\n"));
            text.push_str(&format!("  bool repOkConservative() := this.okPart[{levels}];\n"));
        }
        for (name, conservative) in [("ok", false), ("okPart", true)] {
            let tree = tree.show(conservative);
            text.push_str(&format!("  bool {name}(int n) := if n = 0 then {deepest} else ({tree});\n"));
        }
        text
    }

    fn fields(&self, of_number: bool) -> Vec<(&'static str, &'static str)> {
        let all = self.classes.list.iter().flat_map(|(_, _, fields)| *fields);
        all.copied().filter(|(ty, _)| ["int", "bool"].contains(ty) == of_number).collect()
    }

    fn variable(&mut self, scope: &[String]) -> String {
        // The latest are the most interesting ones.
        let recent = if self.random.one_in(2) { scope.len() - 1 } else { 0 };
        scope[recent + self.random.below(scope.len() - recent)].clone()
    }

    fn condition(&mut self, scope: &[String]) -> String {
        let (x, y) = (self.variable(scope), self.variable(scope));
        let numbers = self.fields(true);
        let several = self.classes.list.len() > 1;
        match self.random.below(8) {
            0 | 1 if x != y => format!("{x} = {y}"),
            2 if several => format!("{x} instanceof B"),
            3..=5 if !numbers.is_empty() => match self.random.pick(&numbers) {
                ("int", field) => match self.random.below(3) {
                    0 if x != y => format!("{x}.{field} < {y}.{field}"),
                    // With enough numbers on both sides for those of all objects.
                    1 => format!("{x}.{field} < 2"),
                    _ => format!("{x}.{field} = {}", 1 + self.random.below(2)),
                },
                (_, field) => format!("{x}.{field}"),
            },
            _ => format!("{x} = null"),
        }
    }

    fn tree(&mut self, of: Of, scope: &[String], depth: usize) -> Tree {
        let more = depth > 0;
        match self.random.below(10) {
            0..=3 if more && self.reads > 0 => self.read(of, scope, depth),
            4..=6 if more => {
                let condition = self.condition(scope);
                Tree::If(condition, self.boxed(of, scope, depth - 1), self.boxed(of, scope, depth - 1))
            }
            // An invariant that writes is bad style, and executed all the same.
            7 if more && (of == Of::Program || self.random.one_in(4)) => self.write(of, scope, depth),
            _ => self.leaf(of, scope),
        }
    }

    fn boxed(&mut self, of: Of, scope: &[String], depth: usize) -> Box<Tree> {
        Box::new(self.tree(of, scope, depth))
    }

    /// Most reads ask before whether there is an object, and after whether the value is one.
    fn read(&mut self, of: Of, scope: &[String], depth: usize) -> Tree {
        self.reads -= 1;
        self.names += 1;
        let variable = format!("r{}", self.names);
        let object = self.variable(scope);
        let references = self.fields(false);
        let (_, field) = self.random.pick(&references);
        let mut inner = scope.to_vec();
        inner.push(variable.clone());
        let mut then = self.boxed(of, &inner, depth - 1);
        if self.random.one_in(2) {
            then = Box::new(Tree::If(format!("{variable} = null"), self.boxed(of, scope, 0), then));
        }
        let read = Tree::Let { variable, object: object.clone(), field, then };
        match object != "this" && !self.random.one_in(3) {
            true => Tree::If(format!("{object} = null"), self.boxed(of, scope, 0), Box::new(read)),
            false => read,
        }
    }

    fn write(&mut self, of: Of, scope: &[String], depth: usize) -> Tree {
        let (object, references) = (self.variable(scope), self.fields(false));
        let (ty, field) = self.random.pick(&references);
        let value = match self.random.below(4) {
            0 => "null".to_string(),
            1 => format!("new {ty}"),
            _ => self.variable(scope),
        };
        Tree::Do(format!("{object}.{field} := {value}"), self.boxed(of, scope, depth - 1))
    }

    fn leaf(&mut self, of: Of, scope: &[String]) -> Tree {
        let condition = self.condition(scope);
        let last = self.variable(scope);
        match (of, self.random.below(8)) {
            (Of::Program, 0) => Tree::Leaf("throw Odd".into()),
            (Of::Program, 1) => Tree::Leaf(format!("{{ assert {condition}; 3 }}")),
            (Of::Program, 2 | 3) => Tree::Leaf(format!("if {condition} then 1 else 2")),
            (Of::Program, _) => Tree::Leaf("0".into()),
            (Of::Invariant, 0) => Tree::Leaf("false".into()),
            (Of::Invariant, 1) => Tree::Leaf("throw Odd".into()),
            (Of::Invariant, 2 | 3) if last != "this" => {
                let deeper = Box::new(Tree::Deeper(last.clone()));
                Tree::If(format!("{last} = null"), Box::new(Tree::Leaf(condition)), deeper)
            }
            (Of::Invariant, 4) => Tree::Leaf("true".into()),
            (Of::Invariant, _) => Tree::Leaf(condition),
        }
    }
}
