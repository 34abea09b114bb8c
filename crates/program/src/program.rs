//! A program: its tables, and what all languages answer alike although Java has its tables in a library.

mod tables;

use crate::ir::*;
use crate::library::{ClosedWorld, LENGTH, Library, access, intervals};
use crate::source::{Source, Warning};

/// What a method call may run, with the intervals of class numbers whose objects run it; `None` where they have no such
/// method.
pub type Implementation = (Option<MethodId>, Vec<(u32, u32)>);

#[derive(Debug)]
pub struct Program {
    /// The name of the file it was read from.
    pub name: String,
    pub classes: Vec<Class>,
    pub fields: Vec<Field>,
    pub methods: Vec<Method>,
    /// Name and number of parameters (without the receiver).
    pub selectors: Vec<(String, usize)>,
    pub inputs: Vec<Input>,
    /// The main expression, or the method that the program itself names as its entry.
    pub main: Option<MethodId>,
    /// In Java, the class of the object that the entry is called on: the one that declares it, or one below.
    pub receiver: Option<ClassId>,
    pub sources: Vec<Source>,
    pub warnings: Vec<Warning>,
    /// What its language makes of the instructions.
    pub semantics: Semantics,
    /// Java's classes, fields and methods, which are loaded when they are needed; then the tables above are empty.
    pub library: Option<Box<Library>>,
}

impl Program {
    #[inline]
    pub fn class(&self, id: ClassId) -> &Class {
        match &self.library {
            None => &self.classes[id.index()],
            Some(library) => library.class(id),
        }
    }

    #[inline]
    pub fn field(&self, id: FieldId) -> &Field {
        match &self.library {
            None => &self.fields[id.index()],
            Some(library) => library.field(id),
        }
    }

    #[inline]
    pub fn method(&self, id: MethodId) -> &Method {
        match &self.library {
            None => &self.methods[id.index()],
            Some(library) => library.body(id),
        }
    }

    /// The class of a name; in Java the only one that the name may mean.
    pub fn class_named(&self, name: &str) -> Option<ClassId> {
        match self.library.as_ref().map(|library| library.classes_named(name)).as_deref() {
            None => self.classes.iter().position(|c| c.name == name).map(|i| ClassId(i as u32)),
            Some([one]) => Some(*one),
            Some(_) => None,
        }
    }

    /// A copy that can be changed; there is none of a program in Java.
    pub fn copy(&self) -> Option<Program> {
        if self.library.is_some() {
            return None;
        }
        Some(Program {
            name: self.name.clone(),
            classes: self.classes.clone(),
            fields: self.fields.clone(),
            methods: self.methods.clone(),
            selectors: self.selectors.clone(),
            inputs: self.inputs.clone(),
            main: self.main,
            receiver: self.receiver,
            sources: self.sources.clone(),
            warnings: self.warnings.clone(),
            semantics: self.semantics,
            library: None,
        })
    }

    /// Whether an object of class `sub` is one of `of`.
    #[inline]
    pub fn is_subclass(&self, sub: ClassId, of: ClassId) -> bool {
        match &self.library {
            None => of <= sub && sub <= self.class(of).last,
            Some(library) => library.is_subclass(sub, of),
        }
    }

    /// The classes that an input of a declared class may have, as sorted intervals of class numbers.
    pub fn input_classes(&self, declared: ClassId) -> Vec<(u32, u32)> {
        match &self.library {
            None => vec![(declared.0, self.class(declared).last.0)],
            Some(library) => library.input_classes(declared),
        }
    }

    /// The classes that an input may have where a field stands, if the user has said so for this field.
    pub fn chosen_for_field(&self, field: FieldId) -> Option<Vec<(u32, u32)>> {
        self.library.as_ref()?.chosen_for_field(field)
    }

    /// What the reader must know of the classes of inputs of a declared class: `None` if there is no other that they could have.
    pub fn closed_world(&self, declared: ClassId) -> Option<ClosedWorld> {
        self.library.as_ref()?.closed_world(declared)
    }

    /// Whether a class is one of arrays that may be arrays of a subclass's objects, and the user has not said which they are.
    pub fn has_subarrays(&self, array: ClassId) -> bool {
        self.library.as_ref().is_some_and(|library| library.has_subarrays(array))
    }

    /// Of the classes that an object may have, those that are a class or below it, as intervals of class numbers.
    pub fn below(&self, possible: &[(u32, u32)], class: ClassId) -> Vec<(u32, u32)> {
        match &self.library {
            None => vec![(class.0, self.class(class).last.0)],
            Some(library) => {
                let classes = possible.iter().flat_map(|&(low, high)| low..=high);
                classes.filter(|number| library.is_subclass(ClassId(*number), class)).map(|n| (n, n)).collect()
            }
        }
    }

    /// Whether there can be an object of exactly this class.
    pub fn is_instantiable(&self, class: ClassId) -> bool {
        self.library.as_ref().is_none_or(|library| library.java(class).is_instantiable())
    }

    /// Whether a field is the length of arrays.
    #[inline]
    pub fn is_length(&self, field: FieldId) -> bool {
        self.library.is_some() && field == LENGTH
    }

    /// The class that has to be initialised before a method of it runs.
    #[inline]
    pub fn initialises(&self, method: MethodId) -> Option<ClassId> {
        let library = self.library.as_ref()?;
        let class = library.declared(method).class;
        library.java(class).needs_initializing.then_some(class)
    }

    /// The static fields of the user's classes that are inputs.
    pub fn input_statics(&self) -> Vec<FieldId> {
        self.library.as_ref().map_or_else(Vec::new, |library| library.input_statics())
    }

    /// Whether the first parameter of a method is the object it is called on.
    pub fn has_receiver(&self, method: MethodId) -> bool {
        match &self.library {
            None => self.method(method).class.is_some(),
            Some(library) => !library.declared(method).is(access::STATIC),
        }
    }

    /// The file and line of an instruction, and its column if the sources are there.
    pub fn place(&self, method: MethodId, pc: usize) -> (String, usize, Option<usize>) {
        let body = self.method(method);
        match body.places.get(pc) {
            Some(place) => {
                let (line, column) = place.line_column(&self.sources);
                (self.sources[place.source as usize].path.display().to_string(), line, Some(column))
            }
            None => {
                let java = self.library.as_ref().zip(body.class).map(|(library, class)| library.java(class));
                let file = java.map_or("?", |java| java.source_file.as_str());
                (file.to_string(), body.lines.get(pc).map_or(0, |line| *line as usize), None)
            }
        }
    }

    /// Whether an object may be of both classes: one of them is above the other, or they are interfaces.
    pub fn related(&self, a: ClassId, b: ClassId) -> bool {
        let one_above = self.is_subclass(a, b) || self.is_subclass(b, a);
        one_above || self.library.as_ref().is_some_and(|library| library.may_meet(a, b))
    }

    /// The closest class above both.
    pub fn common_superclass(&self, a: ClassId, b: ClassId) -> ClassId {
        let mut class = a;
        while !self.is_subclass(b, class) {
            class = self.class(class).superclass.expect("the root is above every class");
        }
        class
    }

    /// The field that objects of a class have under a name, their own or an inherited one.
    pub fn field_named(&self, class: ClassId, name: &str) -> Option<FieldId> {
        self.class(class).layout.iter().copied().find(|f| self.field(*f).name == name)
    }

    /// A constant string, as far as it is Unicode.
    pub fn constant_text(&self, id: StrId) -> String {
        self.library.as_ref().map_or_else(String::new, |library| String::from_utf16_lossy(library.string(id)))
    }

    /// A method's name, without its class.
    pub fn selector_text(&self, selector: Selector) -> &str {
        match &self.library {
            None => &self.selectors[selector.index()].0,
            // What follows a semicolon is the package that a method is for.
            Some(library) => library.selector_name(selector).0.split(';').next().unwrap_or_default(),
        }
    }

    /// `Class.method`, or `main`.
    pub fn method_name(&self, id: MethodId) -> String {
        if let Some(library) = &self.library {
            return library.method_name(id);
        }
        let method = self.method(id);
        match method.class {
            Some(class) => format!("{}.{}", self.class(class).name, method.name),
            None => method.name.clone(),
        }
    }

    pub fn show_type(&self, ty: Type) -> &str {
        match ty {
            Type::Bool => "bool",
            Type::Byte => "byte",
            Type::Short => "short",
            Type::Char => "char",
            Type::Int => "int",
            Type::Long => "long",
            Type::Float => "float",
            Type::Double => "double",
            Type::Void => "void",
            Type::Ref(class) => &self.class(class).name,
        }
    }

    pub fn show_field(&self, field: FieldId) -> String {
        let field = self.field(field);
        format!("{}.{}", self.class(field.class).name, field.name)
    }

    /// The methods an entry can be chosen from, as they are written on the command line.
    pub fn entries(&self) -> Vec<String> {
        let mut names: Vec<String> = (0..self.methods.len()).map(|i| self.method_name(MethodId(i as u32))).collect();
        names.sort();
        names
    }

    /// The method that `Class.method` or `main` names; in Java, whose entry is found when it is read, one that the engine has made.
    pub fn entry(&self, name: &str) -> Option<MethodId> {
        if let Some(library) = &self.library {
            return library.defined(name);
        }
        (0..self.methods.len()).map(|i| MethodId(i as u32)).find(|id| self.method_name(*id) == name)
    }

    /// Classes in an order that does not depend on what was loaded first: those that are loaded on demand are taken by name, others as they come.
    pub fn in_order(&self, classes: impl Iterator<Item = ClassId>) -> Vec<ClassId> {
        match &self.library {
            None => classes.collect(),
            Some(library) => library.by_name(classes),
        }
    }

    /// The method that an object of a class runs if it is called as one of a static type.
    #[inline]
    pub fn selected(&self, class: ClassId, of: ClassId, selector: Selector) -> Option<MethodId> {
        let method = self.class(class).methods.get(&selector).copied();
        match &self.library {
            Some(library) if library.java(of).is(access::INTERFACE) => Some(library.through(of, class, method)),
            _ => method,
        }
    }

    /// The implementations a receiver of one of the classes may run that is called as one of a static type, each with the intervals of
    /// class numbers that run it; in the order of the first class.
    pub fn implementations(
        &self,
        classes: impl Iterator<Item = ClassId>,
        of: ClassId,
        selector: Selector,
    ) -> Vec<Implementation> {
        let classes = self.in_order(classes);
        let mut found: Vec<(Option<MethodId>, Vec<ClassId>)> = Vec::new();
        for class in classes {
            let method = self.selected(class, of, selector);
            match found.iter_mut().find(|(known, _)| *known == method) {
                Some((_, of)) => of.push(class),
                None => found.push((method, vec![class])),
            }
        }
        found.into_iter().map(|(method, of)| (method, intervals(of))).collect()
    }
}
