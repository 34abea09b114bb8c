//! Random invariants for a program: a seed to a HEX file over its inputs, classes and fields.

use std::fmt::Write;

use lazuli_program::Program;
use lazuli_program::ir::{Method, Type};

use super::companions::COMPANION;

pub struct Generator<'p> {
    program: &'p Program,
    seed: u64,
    /// The scope's variable, inside of one.
    variable: Option<&'static str>,
    /// Whether companion methods are called, of those that [`super::companions`] adds.
    companions: bool,
}

impl<'p> Generator<'p> {
    pub fn new(program: &'p Program, seed: u64, companions: bool) -> Generator<'p> {
        Generator { program, seed: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, variable: None, companions }
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed >> 33) as usize % n.max(1)
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }

    fn fields(&self, wanted: fn(Type) -> bool) -> Vec<String> {
        let mut names: Vec<String> =
            self.program.fields.iter().filter(|f| wanted(f.ty)).map(|f| f.name.clone()).collect();
        names.sort();
        names.dedup();
        names
    }

    fn class(&mut self) -> String {
        self.program.classes[self.below(self.program.classes.len())].name.clone()
    }

    /// A file with two scopes, whose ghost fields refer to each other's objects, and statements of several clauses and events. Many are
    /// refused: what is read of an object must be there in its class.
    pub fn rich_file(&mut self) -> String {
        let classes = [self.class(), self.class()];
        let chosen = self.pick(&["0", "fresh"]);
        let mut text = String::new();
        for (class, variable) in classes.iter().zip(["s", "u"]) {
            if variable == "s" || classes[0] != classes[1] {
                let pick = if variable == "s" { chosen } else { "0" };
                let ghosts = format!("int count = 0; int top = +inf; int low = -inf; int pick = {pick};");
                writeln!(text, "ghost {class} {{ {ghosts} int depth = 0; boolean seen = false; }}")
                    .expect("writing to a string");
            }
        }
        for (class, variable) in classes.iter().zip(["s", "u"]) {
            self.variable = Some(variable);
            writeln!(text, "for any {class} {variable} {{").expect("writing to a string");
            for _ in 0..1 + self.below(3) {
                let statement = if self.below(3) == 0 { self.stated() } else { self.rich_statement(variable) };
                writeln!(text, "  {statement}").expect("writing to a string");
            }
            text.push_str("}\n");
        }
        self.variable = None;
        text
    }

    fn rich_statement(&mut self, variable: &str) -> String {
        let (path, other) = (self.path(2), self.path(2));
        let (class, another) = (self.class(), self.class());
        let clauses = match self.below(12) {
            0 => "not null".into(),
            1 => format!("aliases {variable} | {other}"),
            2 => format!("never aliases {variable}"),
            3 => format!("aliases some {class}"),
            4 => format!("expands to exactly {class} | {another}"),
            5 => format!("not null and expands to {class} and aliases {variable}"),
            6 => format!("expands to nothing and aliases max {other} | here^"),
            _ => String::new(),
        };
        let events: String = (0..self.below(3)).map(|_| self.rich_event(variable)).collect();
        match clauses.is_empty() && events.is_empty() {
            true => format!("{path} aliases nothing;"),
            false => format!("{path} {clauses}{events};"),
        }
    }

    fn rich_event(&mut self, variable: &str) -> String {
        let ints = self.fields(|ty| ty == Type::Int);
        if ints.is_empty() {
            return String::new();
        }
        let value = self.pick(&ints);
        let object = self.pick(&[variable, variable, "it", "here^"]);
        let (when, actions) = match self.below(12) {
            0 => ("expand", "it.depth = here^.depth + 1; assume it.depth <= 2;".into()),
            1 => ("alias", "it.count += 1; assume it.count <= 1;".into()),
            2 => ("null", format!("{variable}.seen = true;")),
            3 => ("expand", format!("assume !{object}.seen;")),
            4 => ("expand", format!("it.low = initial(here^.{value});")),
            5 => ("alias", format!("assume initial(it.{value}) >= it.low;")),
            6 => ("null", format!("{variable}.count -= 1; assume {variable}.count >= -1 || {variable}.seen;")),
            7 => ("expand", format!("{object}.top = initial(it.{value}) < 1 ? 0 : {object}.top;")),
            8 => ("alias", format!("assume initial({object}.{value}) < {object}.top || {object}.count == 0;")),
            9 => (
                "expand",
                format!(
                    "assume 0 <= {variable}.pick && {variable}.pick == initial(it.{value}) + 1 && {variable}.pick <= 3;"
                ),
            ),
            10 => (
                "null",
                format!("{variable}.count += 1; assume {variable}.count <= {variable}.pick && {variable}.pick <= 2;"),
            ),
            _ => ("expand", format!("{object}.count += 1; assume {object}.count != 2;")),
        };
        format!(" on {when} do {{ {actions} }}")
    }

    /// What every input must be, so that little else is possible.
    pub fn demands(&mut self) -> String {
        let inputs: Vec<String> =
            self.program.inputs.iter().filter(|i| i.ty.is_ref()).map(|i| format!("root.{}", i.name)).collect();
        let mut text = String::new();
        for input in inputs {
            let kinds = ["not null", "null", "not null and aliases nothing", "not null and expands to nothing"];
            let (what, field) = (self.pick(&kinds), self.pick(&self.fields(|ty| ty.is_ref())));
            let below = self.pick(&["null", "not null and expands to nothing", "not null and aliases nothing"]);
            writeln!(text, "{input} {what};\n{input}.{field} {below};").expect("writing to a string");
        }
        text
    }

    /// Rules of JBSE.
    pub fn rules(&mut self) -> String {
        let mut text = String::from("resolve begin\n");
        for _ in 0..1 + self.below(4) {
            let prefix = self.origin();
            let path = format!("{prefix}{}", self.steps(2));
            let class = self.declared(&path);
            let what = match self.below(10) {
                0 | 1 => "not null".into(),
                2 => "expands to nothing".into(),
                3 => format!("expands to instanceof {}", self.class()),
                4 => "aliases nothing".into(),
                5 => format!("aliases instanceof {}", self.class()),
                6 => format!("never aliases target {}", self.target(&prefix)),
                _ => format!("aliases target {}", self.target(&prefix)),
            };
            writeln!(text, "{path} instanceof {class} {what};").expect("writing to a string");
        }
        text.push_str("resolve end\n");
        text
    }

    /// The class that the references at a path are declared with: rules are about no others.
    fn declared(&self, path: &str) -> &'p str {
        let last = path.rsplit(['.', ':']).next().map_or("", |last| last.trim_end_matches([')', '*', '+']));
        let program = self.program;
        let fields = program.fields.iter().map(|field| (&field.name, field.ty));
        let inputs = program.inputs.iter().map(|input| (&input.name, input.ty));
        let mut declared = fields.chain(inputs).filter_map(|(name, ty)| match ty {
            Type::Ref(class) if name == last => Some(&program.class(class).name),
            _ => None,
        });
        declared.next().expect("a path ends with a name")
    }

    fn origin(&mut self) -> String {
        let inputs = self.program.inputs.iter().filter(|i| i.ty.is_ref()).map(|i| format!("{{ROOT}}:{}", i.name));
        let mut starts: Vec<String> = inputs.collect();
        let names = self.fields(|ty| ty.is_ref());
        starts.extend([format!("{{R_ANY}}.{}", self.pick(&names)), format!("{{R_ANY}}.{}", self.pick(&names))]);
        self.pick(&starts)
    }

    fn steps(&mut self, most: usize) -> String {
        let names = self.fields(|ty| ty.is_ref());
        let step = |a: String, b: String, kind: usize| match kind {
            0 | 1 => format!(".{a}"),
            2 => format!("(.{a})*"),
            3 => format!("(.{a})+"),
            _ => format!("(.{a}|.{b})*"),
        };
        (0..self.below(most + 1)).map(|_| step(self.pick(&names), self.pick(&names), self.below(5))).collect()
    }

    /// What a rule whose path begins with a prefix may name.
    fn target(&mut self, prefix: &str) -> String {
        let max = self.pick(&["", "{MAX}"]);
        match (self.below(4), prefix.starts_with("{R_ANY}")) {
            (0, _) => "{$REF}.{UP}".into(),
            (1, _) => format!("{{$REF}}.{{UP}}{}", self.pick(&[".{UP}", ".{UP}.{UP}"])),
            (_, true) => format!("{max}{{$R_ANY}}{}{}", &prefix["{R_ANY}".len()..], self.steps(2)),
            (_, false) => format!("{max}{prefix}{}", self.steps(2)),
        }
    }

    pub fn file(&mut self) -> String {
        let class = self.class();
        let mut text = format!("ghost {class} {{ int count = 0; int top = +inf; }}\n");
        for _ in 0..self.below(3) {
            let statement = self.stated();
            writeln!(text, "{statement}").expect("writing to a string");
        }
        self.variable = Some("s");
        writeln!(text, "for any {class} s {{").expect("writing to a string");
        for _ in 0..1 + self.below(3) {
            let statement = self.stated();
            writeln!(text, "  {statement}").expect("writing to a string");
        }
        text.push_str("}\n");
        self.variable = None;
        text
    }

    fn path(&mut self, most: usize) -> String {
        let inputs: Vec<String> =
            self.program.inputs.iter().filter(|i| i.ty.is_ref()).map(|i| format!("root.{}", i.name)).collect();
        let mut starts = inputs;
        starts.push("any".into());
        if let Some(variable) = self.variable {
            starts.extend([variable.to_string(), variable.to_string(), variable.to_string()]);
        }
        let mut path = self.pick(&starts);
        let names = self.fields(|ty| ty.is_ref());
        for _ in 0..self.below(most + 1) {
            let (a, b) = (self.pick(&names), self.pick(&names));
            let step = match self.below(6) {
                0 | 1 => format!(".{a}"),
                2 => format!("(.{a})*"),
                3 => format!("(.{a}|.{b})+"),
                4 => format!("(.{a})+"),
                _ => format!("(.{a})?"),
            };
            path.push_str(&step);
        }
        path
    }

    /// A statement, or sometimes a formula.
    fn stated(&mut self) -> String {
        if self.below(4) > 0 {
            return self.statement();
        }
        let formula = self.formula(2);
        format!("{formula};")
    }

    fn formula(&mut self, depth: usize) -> String {
        if depth == 0 || self.below(4) == 0 {
            return self.atom();
        }
        let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
        match self.below(5) {
            0 => format!("not ({a})"),
            1 => format!("({a}) => ({b})"),
            2 => format!("({a}) and ({b})"),
            _ => format!("({a}) or ({b})"),
        }
    }

    /// What a formula is made of: in a scope, about its object.
    fn atom(&mut self) -> String {
        let mut path = self.path(2);
        if let Some(variable) = self.variable {
            let rest = path.find(['.', '(']).filter(|_| path.starts_with(variable)).map(|at| path.split_off(at));
            let field = self.fields(|ty| ty.is_ref());
            let field = self.pick(&field);
            path = format!("{variable}{}", rest.unwrap_or(format!(".{field}")));
        }
        let what = match self.below(8) {
            0 | 1 => "not null".into(),
            2 | 3 => "null".into(),
            4 => "aliases nothing".into(),
            5 => format!("aliases max {}", self.path(2)),
            6 => "expands to nothing".into(),
            _ => format!("aliases {}", self.path(2)),
        };
        format!("{path} {what}")
    }

    fn statement(&mut self) -> String {
        let path = self.path(2);
        if self.companions && self.below(4) == 0 {
            let companion = self.companion();
            return format!("{path} {companion};");
        }
        let what = match self.below(13) {
            0 => "not null".into(),
            1 => "expands to nothing".into(),
            2 => "aliases nothing".into(),
            3 => format!("aliases {}", self.path(2)),
            4 => format!("aliases max {}", self.path(2)),
            5 => format!("never aliases {}", self.path(1)),
            6 => self.pick(&["aliases here^".to_string(), "aliases here^^".into(), "never aliases here^".into()]),
            7 => format!("aliases {} | max {}", self.path(1), self.path(2)),
            8 => format!("aliases max {} | max {}", self.path(2), self.path(2)),
            9 => format!("expands to {}", self.class()),
            _ => self.event(),
        };
        format!("{path} {what};")
    }

    /// A call of a companion method, by name. If it does not take the object, the file is refused.
    fn companion(&mut self) -> String {
        let has = |method: &&Method| method.class.is_some() && method.name.starts_with(COMPANION);
        let methods: Vec<&Method> = self.program.methods.iter().filter(has).collect();
        let method = self.pick(&methods);
        let class = &self.program.class(method.class.expect("just asked")).name;
        let scope = self.variable.unwrap_or("here^");
        let (when, object) = self.pick(&[
            ("expand", "it"),
            ("expand", "it"),
            ("expand", "here^"),
            ("expand", scope),
            ("alias", "it"),
            ("alias", "here^"),
            ("alias", scope),
            ("null", "here^"),
            ("null", scope),
        ]);
        format!("on {when} do {class}.{}({object})", method.name)
    }

    fn event(&mut self) -> String {
        if self.companions && self.below(4) > 0 {
            return self.companion();
        }
        let ints = self.fields(|ty| ty == Type::Int);
        let (Some(variable), false) = (self.variable, ints.is_empty()) else { return "not null".into() };
        let value = self.pick(&ints);
        match self.below(7) {
            0 => format!("on expand do {{ {variable}.count += 1; assume {variable}.count <= 2; }}"),
            1 => format!("on expand do {{ assume initial(it.{value}) >= 0; }}"),
            2 => format!("on alias do {{ assume initial(it.{value}) == 0; }}"),
            3 => format!("on alias do {{ {variable}.count += 1; assume {variable}.count < 2; }}"),
            4 => format!("on null do {{ assume {variable}.count > 0 || initial({variable}.{value}) == 1; }}"),
            5 => format!(
                "on expand do {{ assume initial(it.{value}) < {variable}.top; {variable}.top = initial(it.{value}); }}"
            ),
            _ => format!("on expand do {{ assume initial(here^.{value}) <= initial(it.{value}); }}"),
        }
    }
}
