//! Generic signatures (JVMS 4.7.9.1): what a class, method or field says of its types beyond its descriptor.
//!
//! Only what bounds a type from above is kept: of `? extends T` the `T`, of `?` and `? super T` nothing. A signature that
//! is malformed says nothing, as in the JVM, which does not look at them.

use super::descriptor::is_class_name;

/// Types are not nested deeper.
const MAX_NESTING: usize = 32;

/// A type as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Written {
    /// A primitive type, by its descriptor.
    Primitive(char),
    /// A class by its internal name, with the arguments of the classes around it first; none if it is raw.
    Class {
        name: String,
        arguments: Vec<Option<Written>>,
    },
    Array(Box<Written>),
    Variable(String),
}

/// A type variable, with its first bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeParameter {
    pub name: String,
    pub bound: Option<Written>,
}

/// What a class says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassSignature {
    pub parameters: Vec<TypeParameter>,
    /// The superclass, then the interfaces.
    pub supertypes: Vec<Written>,
}

/// What a method says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MethodSignature {
    pub type_parameters: Vec<TypeParameter>,
    pub parameters: Vec<Written>,
    /// `None` for `void`.
    pub result: Option<Written>,
}

impl Written {
    /// Whether a variable occurs in it.
    pub fn mentions(&self, variable: &str) -> bool {
        match self {
            Written::Primitive(_) => false,
            Written::Class { arguments, .. } => arguments.iter().flatten().any(|argument| argument.mentions(variable)),
            Written::Array(element) => element.mentions(variable),
            Written::Variable(name) => name == variable,
        }
    }

    /// Itself with other types in the place of variables; nothing where nothing is known of one.
    pub fn substitute(&self, known: &impl Fn(&str) -> Option<Written>) -> Option<Written> {
        Some(match self {
            Written::Primitive(_) => self.clone(),
            Written::Class { name, arguments } => {
                let argument = |argument: &Option<Written>| argument.as_ref().and_then(|a| a.substitute(known));
                Written::Class { name: name.clone(), arguments: arguments.iter().map(argument).collect() }
            }
            Written::Array(element) => Written::Array(Box::new(element.substitute(known)?)),
            Written::Variable(name) => known(name)?,
        })
    }
}

/// Reads the signature of a field.
pub fn field(text: &str) -> Option<Written> {
    let mut reader = Reader { rest: text, depth: 0 };
    let written = reader.reference()?;
    reader.rest.is_empty().then_some(written)
}

/// Reads the signature of a class.
pub fn class(text: &str) -> Option<ClassSignature> {
    let mut reader = Reader { rest: text, depth: 0 };
    let parameters = reader.type_parameters()?;
    let mut supertypes = Vec::new();
    while !reader.rest.is_empty() {
        supertypes.push(reader.class()?);
    }
    Some(ClassSignature { parameters, supertypes })
}

/// Reads the signature of a method.
pub fn method(text: &str) -> Option<MethodSignature> {
    let mut reader = Reader { rest: text, depth: 0 };
    let type_parameters = reader.type_parameters()?;
    reader.expect('(')?;
    let mut parameters = Vec::new();
    while !reader.eat(')') {
        parameters.push(reader.any()?);
    }
    let result = if reader.eat('V') { None } else { Some(reader.any()?) };
    Some(MethodSignature { type_parameters, parameters, result })
}

struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn eat(&mut self, character: char) -> bool {
        match self.rest.strip_prefix(character) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, character: char) -> Option<()> {
        self.eat(character).then_some(())
    }

    /// What stands before one of the characters.
    fn until(&mut self, ends: &[char]) -> Option<&'a str> {
        let at = self.rest.find(ends)?;
        let (text, rest) = self.rest.split_at(at);
        self.rest = rest;
        (!text.is_empty()).then_some(text)
    }

    fn type_parameters(&mut self) -> Option<Vec<TypeParameter>> {
        let mut parameters = Vec::new();
        if self.eat('<') {
            while !self.eat('>') {
                let name = self.until(&[':'])?.to_string();
                self.expect(':')?;
                // The class may be missing before bounds that are interfaces.
                let mut bound = if self.rest.starts_with([':', '>']) { None } else { self.reference() };
                while self.eat(':') {
                    let interface = self.reference()?;
                    bound = bound.or(Some(interface));
                }
                parameters.push(TypeParameter { name, bound });
            }
        }
        Some(parameters)
    }

    fn any(&mut self) -> Option<Written> {
        let first = self.rest.chars().next()?;
        if "BCDFIJSZ".contains(first) {
            self.rest = &self.rest[1..];
            return Some(Written::Primitive(first));
        }
        self.reference()
    }

    fn reference(&mut self) -> Option<Written> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return None;
        }
        let written = if self.eat('[') {
            Some(Written::Array(Box::new(self.any()?)))
        } else if self.eat('T') {
            let name = self.until(&[';'])?.to_string();
            self.expect(';')?;
            Some(Written::Variable(name))
        } else {
            self.class()
        };
        self.depth -= 1;
        written
    }

    fn class(&mut self) -> Option<Written> {
        self.expect('L')?;
        let mut name = self.until(&['<', '.', ';'])?.to_string();
        let mut arguments = Vec::new();
        loop {
            if self.eat('<') {
                while !self.eat('>') {
                    arguments.push(self.argument()?);
                }
            }
            if self.eat(';') {
                return is_class_name(&name).then_some(Written::Class { name, arguments });
            }
            self.expect('.')?;
            name = format!("{name}${}", self.until(&['<', '.', ';'])?);
        }
    }

    fn argument(&mut self) -> Option<Option<Written>> {
        if self.eat('*') {
            return Some(None);
        }
        if self.eat('-') {
            self.reference()?;
            return Some(None);
        }
        self.eat('+');
        self.reference().map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class_of(name: &str, arguments: Vec<Option<Written>>) -> Written {
        Written::Class { name: name.into(), arguments }
    }

    fn variable(name: &str) -> Written {
        Written::Variable(name.into())
    }

    #[test]
    fn fields() {
        let string = class_of("java/lang/String", vec![]);
        let list = class_of("java/util/List", vec![Some(variable("T"))]);
        let map = "Ljava/util/Map<Ljava/lang/String;+Ljava/util/List<TT;>;>;";
        assert_eq!(field(map), Some(class_of("java/util/Map", vec![Some(string), Some(list)])));
        assert_eq!(field("[TE;"), Some(Written::Array(Box::new(variable("E")))));
        let inner = class_of("Outer$Inner", vec![Some(variable("T")), None, None]);
        assert_eq!(field("LOuter<TT;>.Inner<*-TU;>;"), Some(inner));
        for malformed in ["", "T", "TT", "Lx", "L;", "Lx<", "TT;x", "I", "L/x;", "La[;"] {
            assert_eq!(field(malformed), None, "{malformed}");
        }
        assert_eq!(field(&format!("{}TT;", "[".repeat(40))), None);
    }

    #[test]
    fn classes_and_methods() {
        let text = "<K::Ljava/lang/Comparable<TK;>;V:Ljava/lang/Object;>LBase<TV;>;LFace;";
        let read = class(text).expect("a signature");
        let names: Vec<&str> = read.parameters.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(names, ["K", "V"]);
        assert!(read.parameters[0].bound.as_ref().expect("a bound").mentions("K"));
        assert_eq!(read.supertypes, [class_of("Base", vec![Some(variable("V"))]), class_of("Face", vec![])]);
        let read = method("<T:Ljava/lang/Object;>(ILjava/util/List<TT;>;[TT;)TT;^TX;").expect("a signature");
        assert_eq!((read.parameters.len(), read.result), (3, Some(variable("T"))));
    }
}
