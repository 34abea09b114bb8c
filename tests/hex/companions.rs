//! Random companion methods: a seed to a few of them in every class of a program, straight-line and branching, without parameters.

use lazuli_program::Program;
use lazuli_program::ir::{ClassId, FieldId, Type};

/// Companion methods are called so, with a number.
pub const COMPANION: &str = "agrees";

/// The text of a program with companions in its classes.
pub fn add(program: &Program, source: &str, seed: u64) -> String {
    let mut random = Random { program, seed: seed.wrapping_mul(0xD6E8_FEB8_6659_FD93) | 1 };
    let mut text = String::new();
    for line in source.lines() {
        // A class is opened on a line of its own, or is empty.
        let class = line.strip_prefix("class ").and_then(|rest| rest.split([' ', '{']).next());
        let class =
            class.and_then(|name| (0..).map(ClassId).zip(&program.classes).find(|(_, class)| class.name == name));
        let Some((id, class)) = class else {
            text.push_str(&format!("{line}\n"));
            continue;
        };
        let (head, rest) = line.split_once('{').expect("a class has a body");
        text.push_str(&format!("{head}{{\n"));
        for number in 0..2 {
            let body = random.condition(id, "this", 2);
            // An implementation of the superclass of the same name would not be called: every class has its own names.
            text.push_str(&format!("  bool {COMPANION}{}{number}() := {body};\n", class.name));
        }
        text.push_str(&format!("{rest}\n"));
    }
    text
}

struct Random<'p> {
    program: &'p Program,
    seed: u64,
}

impl Random<'_> {
    fn below(&mut self, n: usize) -> usize {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed >> 33) as usize % n.max(1)
    }

    fn field(&mut self, class: ClassId, wanted: impl Fn(Type) -> bool) -> Option<(String, Type)> {
        let layout: Vec<FieldId> = self.program.class(class).layout.clone();
        let fields: Vec<_> = layout.iter().map(|f| self.program.field(*f)).filter(|f| wanted(f.ty)).collect();
        let at = self.below(fields.len());
        fields.get(at).map(|field| (field.name.clone(), field.ty))
    }

    /// A condition about an object that is not null. It never throws.
    fn condition(&mut self, class: ClassId, object: &str, depth: usize) -> String {
        let number = self.field(class, |ty| ty == Type::Int).map(|(name, _)| name);
        let reference = self.field(class, |ty| ty.is_ref());
        match (self.below(8), number, reference) {
            (0, _, _) => "true".into(),
            (1 | 2, Some(number), _) => format!("{object}.{number} < {}", 1 + self.below(2)),
            (3, Some(number), _) => format!("~({object}.{number} = {})", self.below(2)),
            (4, _, Some((name, _))) if depth > 0 => {
                let (then, otherwise) =
                    (self.condition(class, object, depth - 1), self.condition(class, object, depth - 1));
                format!("(if {object}.{name} = this then {then} else {otherwise})")
            }
            (_, _, Some((name, Type::Ref(below)))) if depth > 0 => {
                let (then, otherwise) = (
                    self.condition(class, object, depth - 1),
                    self.condition(below, &format!("{object}.{name}"), depth - 1),
                );
                format!("(if {object}.{name} = null then {then} else {otherwise})")
            }
            (_, _, Some((name, _))) => format!("{object}.{name} = null"),
            (_, Some(number), _) => format!("{object}.{number} < 1"),
            _ => "true".into(),
        }
    }
}
