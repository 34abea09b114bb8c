//! The names that invariants may use: the classes, fields, methods and inputs of a program.
//!
//! The tiny languages have tables of all of them. Java's classes are loaded when they are asked for; where a path may lead
//! anywhere, that is to the classes which the inputs of the entry can reach.

use std::cell::OnceCell;

use rustc_hash::FxHashSet;

use super::types::{Classes, insert};
use lazuli_program::bytecode::pool::Constant;
use lazuli_program::ir::{ClassId, FieldId, MethodId, Type};
use lazuli_program::library::{Library, access};
use lazuli_program::program::Program;

pub struct Names<'a> {
    pub program: &'a Program,
    everything: OnceCell<Classes>,
}

impl<'a> Names<'a> {
    pub fn new(program: &'a Program) -> Names<'a> {
        Names { program, everything: OnceCell::new() }
    }

    fn library(&self) -> Option<&'a Library> {
        self.program.library.as_deref()
    }

    /// The classes that a name may mean: as it is written, or the end of a qualified name.
    pub fn classes(&self, name: &str) -> Vec<ClassId> {
        if let Some(library) = self.library() {
            return library.classes_named(name);
        }
        if let Some(class) = self.program.class_named(name) {
            return vec![class];
        }
        let fits = |class: &str| {
            let class = canonical(class);
            class == name || class.strip_suffix(name).is_some_and(|rest| rest.ends_with('.'))
        };
        let all = &self.program.classes;
        (0..all.len()).filter(|i| fits(&all[*i].name)).map(|i| ClassId(i as u32)).collect()
    }

    /// The classes that somebody may have meant.
    pub fn known_classes(&self) -> Vec<String> {
        match self.library() {
            None => self.program.classes.iter().map(|c| canonical(&c.name)).collect(),
            Some(library) => {
                let own = library.path.user_classes().iter().map(|class| canonical(class));
                let reached = self.everything().iter().map(|class| canonical(&self.program.class(*class).name));
                // In full, and every shorter name that ends so.
                let ends = |class: String| {
                    let dots = class.match_indices('.').map(|(at, _)| class[at + 1..].to_string());
                    dots.chain([class.clone()]).collect::<Vec<_>>()
                };
                own.chain(reached).flat_map(ends).collect()
            }
        }
    }

    /// All fields of a name that objects of these classes may have.
    pub fn fields(&self, classes: &Classes, name: &str) -> Vec<FieldId> {
        let mut found = Vec::new();
        match self.library() {
            None => {
                for (number, field) in (0..).map(FieldId).zip(&self.program.fields) {
                    let possible = |class: &ClassId| self.program.related(*class, field.class);
                    if field.name == name && classes.iter().any(possible) {
                        found.push(number);
                    }
                }
            }
            Some(library) => {
                // Of those that hide one another, the one that the class itself sees.
                for class in classes {
                    let mut layout = library.class(*class).layout.iter().rev();
                    found.extend(layout.find(|field| library.field(**field).name == name));
                }
                found.sort_unstable();
                found.dedup();
            }
        }
        found
    }

    /// The names of the fields that objects of these classes may have.
    pub fn field_names(&self, classes: &Classes) -> Vec<&'a str> {
        let program = self.program;
        match self.library() {
            None => {
                let related = |c: ClassId| classes.iter().any(|class| program.related(*class, c));
                program.fields.iter().filter(|f| related(f.class)).map(|f| f.name.as_str()).collect()
            }
            Some(library) => {
                let layouts = classes.iter().flat_map(|class| &library.class(*class).layout);
                layouts.map(|field| library.field(*field).name.as_str()).collect()
            }
        }
    }

    /// A declared class, and in Java the classes that its inputs may have.
    pub fn objects_of(&self, declared: ClassId) -> Classes {
        let mut classes = vec![declared];
        if let Some(library) = self.library() {
            add_intervals(&mut classes, &library.input_classes(declared));
        }
        classes
    }

    /// The classes of the objects that a field may refer to; none if it is no reference.
    pub fn objects_in(&self, field: FieldId) -> Classes {
        let Type::Ref(declared) = self.program.field(field).ty else { return Classes::new() };
        match self.library().and_then(|library| library.chosen_for_field(field)) {
            None => {
                let mut classes = self.objects_of(declared);
                let linked = self.library().map(|library| library.held_below(field)).unwrap_or_default();
                linked.iter().for_each(|class| insert(&mut classes, *class));
                classes
            }
            Some(chosen) => {
                let mut classes = vec![declared];
                add_intervals(&mut classes, &chosen);
                classes
            }
        }
    }

    /// The classes of the elements of arrays of these classes; none if there are no arrays of references among them.
    pub fn elements_of(&self, classes: &Classes) -> Classes {
        let mut elements = Classes::new();
        let Some(library) = self.library() else { return elements };
        for class in classes {
            if let Some(Type::Ref(element)) = library.java(*class).element {
                self.objects_of(element).into_iter().for_each(|class| insert(&mut elements, class));
            }
        }
        elements
    }

    /// All classes of objects that a path may lead to.
    pub fn everything(&self) -> &Classes {
        self.everything.get_or_init(|| match self.library() {
            None => (0..self.program.classes.len()).map(|i| ClassId(i as u32)).collect(),
            Some(library) => self.reachable(library),
        })
    }

    /// What the inputs reach: from the parameters, the symbolic statics, and the classes of the program, by their fields.
    fn reachable(&self, library: &Library) -> Classes {
        let mut found = FxHashSet::default();
        let mut open: Vec<ClassId> = library.path.classes_beside().iter().map(|name| library.class_id(name)).collect();
        open.extend(self.made_classes());
        let statics = open.clone().into_iter().filter(|class| library.has_symbolic_statics(*class));
        let statics: Vec<FieldId> =
            statics.flat_map(|class| library.java(class).statics.iter().map(|(field, _)| *field)).collect();
        open.extend(statics.into_iter().flat_map(|field| self.objects_in(field)));
        open.extend(self.inputs().into_iter().flat_map(|(_, classes)| classes));
        while let Some(class) = open.pop() {
            if !found.insert(class) {
                continue;
            }
            open.extend(library.class(class).layout.iter().flat_map(|field| self.objects_in(*field)));
            open.extend(self.elements_of(&vec![class]));
        }
        let mut all: Classes = found.into_iter().collect();
        all.sort_unstable();
        all
    }

    /// The classes of inputs that the program may make by itself.
    pub fn made_classes(&self) -> Vec<ClassId> {
        let Some(library) = self.library() else { return Vec::new() };
        let classes = self.drivers(library).filter_map(|literal| match literal {
            Constant::Class(name) => Some(library.class_id(&name)),
            _ => None,
        });
        classes.collect()
    }

    /// The literals in the code of the program, if it makes inputs by itself.
    fn drivers(&self, library: &'a Library) -> impl Iterator<Item = Constant> {
        let has_driver = library.path.user_classes().iter().any(|class| class == "lazuli/Lazuli");
        let classes = library.path.classes_beside().iter().filter(move |_| has_driver);
        let files = classes.filter_map(|class| library.path.find(class).ok().flatten());
        files.flat_map(|file| file.literals().collect::<Vec<_>>())
    }

    /// The inputs and parameters by name, with their classes: none if they are no references.
    pub fn inputs(&self) -> Vec<(String, Classes)> {
        let of_type = |ty: Type| match ty {
            Type::Ref(class) => self.objects_of(class),
            _ => Classes::new(),
        };
        let program = self.program;
        if !program.semantics.loads_classes() {
            let parameters = program.methods.iter().flat_map(|m| &m.registers[..m.parameters]);
            let parameters = parameters.map(|r| (r.name.clone(), of_type(r.ty)));
            return parameters.chain(program.inputs.iter().map(|i| (i.name.clone(), of_type(i.ty)))).collect();
        }
        let Some(entry) = program.main else { return Vec::new() };
        let method = program.method(entry);
        let mut inputs = Vec::new();
        for (number, register) in method.registers[..method.parameters].iter().enumerate() {
            let receiver = number == 0 && program.has_receiver(entry);
            // The object of a constructor is new.
            if receiver && method.name == "<init>" {
                continue;
            }
            let ty = program.receiver.filter(|_| receiver).map_or(register.ty, Type::Ref);
            inputs.push((register.name.clone(), of_type(ty)));
        }
        inputs
    }

    /// The classes of the parameters of a name that other methods have which stand beside the entry, in its package: a file may be about all of
    /// them. `None` if there is no such parameter.
    pub fn parameter_beside_entry(&self, name: &str) -> Option<Classes> {
        let (library, entry) = (self.library()?, self.program.main?);
        let package = |class: &str| class.rsplit_once('/').map(|(package, _)| package.to_string());
        let of_entry = package(library.internal_name(library.declared(entry).class));
        let beside = library.path.classes_beside().iter().filter(|class| package(class) == of_entry);
        let mut found: Option<Classes> = None;
        for class in beside {
            for method in library.java(library.class_id(class)).declared_methods.values() {
                let method = self.program.method(*method);
                for register in method.registers[..method.parameters].iter().filter(|register| register.name == name) {
                    let classes = found.get_or_insert_default();
                    if let Type::Ref(class) = register.ty {
                        self.objects_of(class).into_iter().for_each(|class| insert(classes, class));
                    }
                }
            }
        }
        found
    }

    /// The classes of an input that the program makes by itself, if it may make one of that name: `symbolicObject` takes them
    /// from literals.
    pub fn made_input(&self, name: &str) -> Option<Classes> {
        let library = self.library()?;
        let units: Vec<u16> = name.encode_utf16().collect();
        let literals: Vec<Constant> = self.drivers(library).collect();
        literals.iter().any(|literal| matches!(literal, Constant::String(text) if **text == *units)).then_some(())?;
        let mut classes = Classes::new();
        for literal in literals {
            if let Constant::Class(name) = literal {
                self.objects_of(library.class_id(&name)).into_iter().for_each(|class| insert(&mut classes, class));
            }
        }
        Some(classes)
    }

    /// The methods of a name that a class declares or, in Java, inherits from a class.
    pub fn methods(&self, owner: ClassId, name: &str) -> Vec<MethodId> {
        match self.library() {
            None => {
                let of_owner = |m: &MethodId| {
                    let method = self.program.method(*m);
                    method.class == Some(owner) && method.name == name
                };
                (0..self.program.methods.len() as u32).map(MethodId).filter(of_owner).collect()
            }
            Some(library) => {
                let mut found: Vec<MethodId> = Vec::new();
                for class in library.superclasses(owner) {
                    let mut own: Vec<MethodId> = library.java(class).declared_methods.values().copied().collect();
                    own.sort_unstable();
                    own.retain(|m| &*library.declared(*m).name == name);
                    own.retain(|m| {
                        let same = |k: &MethodId| library.declared(*k).descriptor == library.declared(*m).descriptor;
                        !found.iter().any(same)
                    });
                    found.extend(own);
                }
                found
            }
        }
    }

    pub fn method_names(&self, owner: ClassId) -> Vec<String> {
        match self.library() {
            None => {
                let own = self.program.methods.iter().filter(|m| m.class == Some(owner));
                own.map(|m| m.name.clone()).collect()
            }
            Some(library) => {
                let own = |class: ClassId| library.java(class).declared_methods.keys();
                library.superclasses(owner).flat_map(own).map(|(name, _)| name.to_string()).collect()
            }
        }
    }

    /// The types of the parameters of a method, the receiver's first.
    pub fn parameters(&self, method: MethodId) -> Vec<Type> {
        match self.library() {
            None => {
                let method = self.program.method(method);
                method.registers[..method.parameters].iter().map(|r| r.ty).collect()
            }
            Some(library) => library.declared(method).parameters.clone(),
        }
    }

    /// Why a method is no companion, if its result is neither a truth value, which must be true, nor nothing.
    pub fn wrong_result(&self, method: MethodId) -> Option<String> {
        let result = match self.library() {
            None => self.program.method(method).result,
            Some(library) => library.declared(method).result,
        };
        let result = match result {
            Type::Void | Type::Bool => return None,
            Type::Ref(class) => format!("an object of class {}", self.program.class(class).name),
            _ => "a number".into(),
        };
        Some(format!("gives {result}: a companion gives a truth value, which must be true, or nothing"))
    }

    /// Whether a method is static, takes an object of any class, and gives an int.
    pub fn gives_number_of_object(&self, method: MethodId) -> bool {
        let Some(library) = self.library() else { return false };
        let declared = library.declared(method);
        let object = Type::Ref(library.class_id("java/lang/Object"));
        declared.is(access::STATIC) && declared.result == Type::Int && declared.parameters == [object]
    }

    /// Whether a method has code, or the engine provides it.
    pub fn is_executable(&self, method: MethodId) -> bool {
        self.library().is_none_or(|library| !library.declared(method).is(access::ABSTRACT))
    }

    /// A static field of a class of Java.
    pub fn static_field(&self, class: ClassId, name: &str) -> Option<FieldId> {
        let library = self.library()?;
        let statics = &library.java(class).statics;
        statics.iter().map(|(field, _)| *field).find(|field| library.field(*field).name == name)
    }
}

fn add_intervals(classes: &mut Classes, intervals: &[(u32, u32)]) {
    for number in intervals.iter().flat_map(|&(low, high)| low..=high) {
        insert(classes, ClassId(number));
    }
}

/// A class's name as it is written in Java.
pub fn canonical(name: &str) -> String {
    name.replace(['/', '$'], ".")
}
