//! Types as a source in a certain package writes them, and what it must import for that.

use std::collections::BTreeMap;

use lazuli_program::bytecode::ClassPath;
use lazuli_program::bytecode::descriptor;
use lazuli_program::bytecode::signature::Written;

/// The names of a source file.
#[derive(Clone)]
pub struct Names<'a> {
    classes: &'a ClassPath,
    /// With slashes; empty for the package without a name.
    pub package: String,
    /// What is imported, by its simple name.
    imports: BTreeMap<String, String>,
}

const OBJECT: &str = "java/lang/Object";

impl<'a> Names<'a> {
    pub fn new(classes: &'a ClassPath, package: &str) -> Names<'a> {
        Names { classes, package: package.into(), imports: BTreeMap::new() }
    }

    /// The lines that import what was named so far, without those of other names.
    pub fn imports(&self) -> impl Iterator<Item = &String> {
        self.imports.values()
    }

    /// A class as the source names it: `Map.Entry`, with `java.util.Map` imported.
    pub fn class(&mut self, internal: &str) -> String {
        let (outermost, nested) = self.parts(internal);
        let (package, simple) = outermost.rsplit_once('/').unwrap_or(("", &outermost));
        let qualified = outermost.replace('/', ".");
        // A class of the source's own package, or of java.lang, has its simple name, unless the other package has one too.
        let is_hidden = |package: &str| package != self.package && self.classes.has(&beside(&self.package, simple));
        let is_plain = package == self.package || package == "java/lang" && !is_hidden(package);
        let known = self.imports.get(simple);
        let head = match () {
            _ if is_plain && known.is_none() => simple.to_string(),
            _ if known.is_some_and(|known| *known == qualified) => simple.to_string(),
            _ if is_plain || package.is_empty() || known.is_some() || is_hidden(package) => qualified,
            _ if self.classes.has(&beside("java/lang", simple)) => qualified,
            _ => {
                self.imports.insert(simple.to_string(), qualified);
                simple.to_string()
            }
        };
        std::iter::once(head).chain(nested).collect::<Vec<_>>().join(".")
    }

    /// The outermost class, and the simple names of those within it that lead to a class.
    fn parts(&self, internal: &str) -> (String, Vec<String>) {
        let mut nested = Vec::new();
        let mut name = internal.to_string();
        while let Ok(Some(class)) = self.classes.find(&name) {
            let Some(inner) = class.inner_classes.iter().find(|inner| *inner.inner == *name) else { break };
            let (Some(outer), Some(simple)) = (&inner.outer, &inner.simple_name) else { break };
            nested.insert(0, simple.to_string());
            name = outer.to_string();
        }
        (name, nested)
    }

    /// The names of a class joined, for the name of another: `OuterInner`.
    pub fn joined(&self, internal: &str) -> String {
        let (outermost, nested) = self.parts(internal);
        let simple = outermost.rsplit('/').next().unwrap_or(&outermost).to_string();
        std::iter::once(simple).chain(nested).collect()
    }

    /// A type, where every variable is what bounds it.
    pub fn written(&mut self, ty: &Written) -> String {
        match ty {
            Written::Primitive(descriptor) => descriptor::readable_type(&descriptor.to_string()),
            Written::Array(element) => format!("{}[]", self.written(element)),
            Written::Variable(_) => "Object".into(),
            Written::Class { name, arguments } => {
                let class = self.class(name);
                let arguments = self.arguments(name, arguments);
                if arguments.is_empty() { class } else { format!("{class}<{}>", arguments.join(", ")) }
            }
        }
    }

    /// What stands between the angles; a class that has parameters and is used without is given the most that each may be.
    fn arguments(&mut self, class: &str, arguments: &[Option<Written>]) -> Vec<String> {
        if !arguments.is_empty() {
            let object = Written::Class { name: OBJECT.into(), arguments: Vec::new() };
            return arguments.iter().map(|argument| self.written(argument.as_ref().unwrap_or(&object))).collect();
        }
        let bounds = self.classes.find(class).ok().flatten().and_then(|class| class.signature());
        let bounds = bounds.map_or_else(Vec::new, |signature| signature.parameters.clone());
        // Of numbers, and of what is in an order, integers are as good as any.
        let bound = |bound: Option<Written>| match bound.map_or_else(|| OBJECT.to_string(), |bound| erased(&bound)) {
            above if matches!(above.as_str(), "java/lang/Comparable" | "java/lang/Number") => {
                "java/lang/Integer".into()
            }
            above => above,
        };
        bounds.into_iter().map(|parameter| self.class(&bound(parameter.bound))).collect()
    }

    /// Whether a class has parameters: then it is made with a diamond.
    pub fn diamond(&self, internal: &str) -> &'static str {
        let class = self.classes.find(internal).ok().flatten();
        let signature = class.and_then(|class| class.signature());
        if signature.is_some_and(|signature| !signature.parameters.is_empty()) { "<>" } else { "" }
    }
}

fn beside(package: &str, simple: &str) -> String {
    if package.is_empty() { simple.into() } else { format!("{package}/{simple}") }
}

/// The type that a descriptor names.
pub fn of_descriptor(text: &str) -> Written {
    match text.as_bytes().first() {
        Some(b'[') => Written::Array(Box::new(of_descriptor(&text[1..]))),
        Some(b'L') => Written::Class { name: text[1..].trim_end_matches(';').to_string(), arguments: Vec::new() },
        _ => Written::Primitive(text.chars().next().unwrap_or('V')),
    }
}

/// The class that a type is at run time; of an array the class of Object.
pub fn erased(ty: &Written) -> String {
    match ty {
        Written::Class { name, .. } => name.clone(),
        _ => OBJECT.into(),
    }
}

const WORDS: [&str; 54] = [
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "try",
    "void",
    "volatile",
    "while",
    "true",
    "false",
    "null",
    "_",
];

/// Whether a text is a name that a source may declare, in plain letters.
pub fn is_identifier(text: &str) -> bool {
    let is_start = |c: char| c.is_ascii_alphabetic() || c == '_';
    let is_part = |c: char| is_start(c) || c.is_ascii_digit();
    text.chars().next().is_some_and(is_start) && text.chars().all(is_part) && !WORDS.contains(&text)
}

/// The simple name of a class.
pub fn simple(internal: &str) -> String {
    lazuli_program::frontend::java::phrase::simple_name(internal)
}
