//! The class table that all source languages need: inheritance checked, classes numbered in pre-order, fields laid out,
//! methods and selectors entered. Method bodies are filled in later.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::*;
use crate::program::Program;
use crate::source::{LoadError, Place, Source};

/// A class as a language declares it. A type name is resolved by the language: see [`build`].
pub struct ClassDecl {
    pub name: String,
    pub place: Place,
    pub superclass: Option<(String, Place)>,
    pub fields: Vec<Variable>,
    pub methods: Vec<MethodDecl>,
}

pub struct MethodDecl {
    pub name: String,
    pub place: Place,
    pub result: TypeName,
    pub parameters: Vec<Variable>,
}

#[derive(Clone)]
pub struct Variable {
    pub name: String,
    pub place: Place,
    pub ty: TypeName,
}

/// A name and where it stands.
#[derive(Clone)]
pub struct Name {
    pub text: String,
    pub place: Place,
}

#[derive(Clone)]
pub struct TypeName {
    pub name: String,
    pub place: Place,
}

/// The root of the hierarchy, declared or not.
pub const ROOT: &str = "Object";

/// The program without code.
pub struct Skeleton {
    pub program: Program,
    /// For every declared class the ids of its methods, in the order of declaration.
    pub methods: Vec<Vec<MethodId>>,
    /// Every method that overrides another, with the closest one that it overrides, superclasses first.
    pub overrides: Vec<(MethodId, MethodId)>,
    pub selectors: Selectors,
}

/// Selectors by name and number of parameters.
pub type Selectors = FxHashMap<(String, usize), Selector>;

/// Enters the classes. `primitive` says which type names are not classes.
pub fn build(
    name: String,
    sources: Vec<Source>,
    classes: &[ClassDecl],
    primitive: fn(&str) -> Option<Type>,
) -> Result<Skeleton, LoadError> {
    let order = number(&sources, classes)?;
    let program = Program {
        name,
        classes: Vec::new(),
        fields: Vec::new(),
        methods: Vec::new(),
        selectors: Vec::new(),
        inputs: Vec::new(),
        main: None,
        receiver: None,
        sources,
        warnings: Vec::new(),
        semantics: Semantics::TINY,
        library: None,
    };
    let mut builder = Builder { program, primitive, overrides: Vec::new(), selectors: Selectors::default() };
    builder.enter_classes(classes, &order);
    builder.enter_members(classes, &order)
}

/// The classes in pre-order, each with its superclass's place in that order and the last place below it.
/// `declared` is `None` for a root that the program does not declare.
struct Numbered {
    declared: Option<usize>,
    superclass: Option<usize>,
    last: usize,
}

fn number(sources: &[Source], classes: &[ClassDecl]) -> Result<Vec<Numbered>, LoadError> {
    let mut by_name: FxHashMap<&str, usize> = FxHashMap::default();
    for (i, class) in classes.iter().enumerate() {
        if let Some(first) = by_name.insert(&class.name, i) {
            let (line, _) = classes[first].place.line_column(sources);
            return Err(LoadError::at(sources, class.place, format!("class {} is declared twice", class.name))
                .help(format!("the first declaration is in line {line}")));
        }
    }
    let root = by_name.get(ROOT).copied();
    let mut children: FxHashMap<Option<usize>, Vec<usize>> = FxHashMap::default();
    for (i, class) in classes.iter().enumerate() {
        if Some(i) == root {
            if let Some((_, place)) = &class.superclass {
                return Err(LoadError::at(sources, *place, format!("{ROOT} is the root and extends nothing")));
            }
            continue;
        }
        let parent = match &class.superclass {
            None => root,
            Some((name, _)) if name == ROOT => root,
            Some((name, place)) => match by_name.get(name.as_str()) {
                Some(&parent) => Some(parent),
                None => return Err(unknown_class(sources, *place, name, by_name.keys().copied())),
            },
        };
        children.entry(parent).or_default().push(i);
    }
    let mut order = vec![Numbered { declared: root, superclass: None, last: 0 }];
    // Depth-first with an explicit stack, so that a chain of a million classes is no problem.
    let mut stack: Vec<(usize, usize)> = Vec::new();
    let push_children = |of: Option<usize>, at: usize, stack: &mut Vec<(usize, usize)>| {
        for &child in children.get(&of).into_iter().flatten().rev() {
            stack.push((child, at));
        }
    };
    push_children(root, 0, &mut stack);
    while let Some((class, superclass)) = stack.pop() {
        let at = order.len();
        order.push(Numbered { declared: Some(class), superclass: Some(superclass), last: at });
        push_children(Some(class), at, &mut stack);
    }
    if order.len() != classes.len() + root.is_none() as usize {
        // What cannot be reached from the root is on a cycle, or below one.
        let mut reached = vec![false; classes.len()];
        order.iter().filter_map(|n| n.declared).for_each(|i| reached[i] = true);
        let class = reached.iter().position(|r| !r).expect("one class is missing");
        let place = classes[class].superclass.as_ref().map_or(classes[class].place, |s| s.1);
        let message = format!("class {} inherits from itself", classes[class].name);
        return Err(LoadError::at(sources, place, message));
    }
    for at in (1..order.len()).rev() {
        let (last, superclass) = (order[at].last, order[at].superclass.expect("only the root has none"));
        order[superclass].last = order[superclass].last.max(last);
    }
    Ok(order)
}

pub fn unknown_class<'a>(
    sources: &[Source],
    place: Place,
    name: &str,
    known: impl Iterator<Item = &'a str>,
) -> LoadError {
    let error = LoadError::at(sources, place, format!("there is no class {name}"));
    suggest(error, name, known)
}

/// Adds "did you mean" if one of the known names is close.
pub fn suggest<'a>(error: LoadError, name: &str, known: impl Iterator<Item = &'a str>) -> LoadError {
    match closest(name, known) {
        Some(k) => error.help(format!("did you mean {k}?")),
        None => error,
    }
}

/// The known name that is closest, if one is close.
pub fn closest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let (distance, closest) = known.map(|k| (distance(name, k), k)).min()?;
    (distance <= 2 && distance < name.chars().count()).then_some(closest)
}

/// Levenshtein distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + (x != *y) as usize;
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

struct Builder {
    program: Program,
    primitive: fn(&str) -> Option<Type>,
    overrides: Vec<(MethodId, MethodId)>,
    selectors: Selectors,
}

impl Builder {
    fn enter_classes(&mut self, classes: &[ClassDecl], order: &[Numbered]) {
        for class in order {
            self.program.classes.push(Class {
                name: class.declared.map_or(ROOT.to_string(), |i| classes[i].name.clone()),
                superclass: class.superclass.map(|s| ClassId(s as u32)),
                last: ClassId(class.last as u32),
                layout: Vec::new(),
                methods: FxHashMap::default(),
            });
        }
    }

    fn enter_members(mut self, classes: &[ClassDecl], order: &[Numbered]) -> Result<Skeleton, LoadError> {
        let mut methods: Vec<Vec<MethodId>> = classes.iter().map(|_| Vec::new()).collect();
        for (at, numbered) in order.iter().enumerate() {
            if let Some(superclass) = numbered.superclass {
                let inherited = &self.program.classes[superclass];
                let (layout, table) = (inherited.layout.clone(), inherited.methods.clone());
                self.program.classes[at].layout = layout;
                self.program.classes[at].methods = table;
            }
            let Some(declared) = numbered.declared else { continue };
            let class = ClassId(at as u32);
            for field in &classes[declared].fields {
                self.enter_field(class, field)?;
            }
            for method in &classes[declared].methods {
                methods[declared].push(self.enter_method(class, method)?);
            }
        }
        Ok(Skeleton { program: self.program, methods, overrides: self.overrides, selectors: self.selectors })
    }

    fn enter_field(&mut self, class: ClassId, field: &Variable) -> Result<(), LoadError> {
        let clash = self.program.class(class).layout.iter().find(|f| self.program.field(**f).name == field.name);
        if let Some(&clash) = clash {
            let owner = &self.program.class(self.program.field(clash).class).name;
            let message = format!("field {} is already declared in {owner}", field.name);
            return Err(LoadError::at(&self.program.sources, field.place, message));
        }
        let ty = self.resolve(&field.ty)?;
        let id = FieldId(self.program.fields.len() as u32);
        let slot = self.program.class(class).layout.len() as u32;
        self.program.fields.push(Field { name: field.name.clone(), class, ty, slot, is_static: false });
        self.program.classes[class.index()].layout.push(id);
        Ok(())
    }

    fn enter_method(&mut self, class: ClassId, method: &MethodDecl) -> Result<MethodId, LoadError> {
        let key = (method.name.clone(), method.parameters.len());
        let fresh = Selector(self.program.selectors.len() as u32);
        let selector = *self.selectors.entry(key.clone()).or_insert(fresh);
        if selector == fresh {
            self.program.selectors.push(key);
        }
        if let Some(&known) = self.program.class(class).methods.get(&selector) {
            let sources = &self.program.sources;
            if self.program.method(known).class == Some(class) {
                let message = format!("method {} is declared twice in this class", method.name);
                return Err(LoadError::at(sources, method.place, message));
            }
        }
        let mut registers = vec![Register { name: "this".into(), ty: Type::Ref(class) }];
        let mut names = FxHashSet::from_iter(["this"]);
        for parameter in &method.parameters {
            if !names.insert(parameter.name.as_str()) {
                let message = format!("there already is a parameter {}", parameter.name);
                return Err(LoadError::at(&self.program.sources, parameter.place, message));
            }
            registers.push(Register { name: parameter.name.clone(), ty: self.resolve(&parameter.ty)? });
        }
        let id = MethodId(self.program.methods.len() as u32);
        let result = self.resolve(&method.result)?;
        if let Some(&overridden) = self.program.class(class).methods.get(&selector) {
            self.check_override(overridden, method, &registers, result)?;
            self.overrides.push((id, overridden));
        }
        self.program.methods.push(Method {
            name: method.name.clone(),
            class: Some(class),
            parameters: registers.len(),
            result,
            registers,
            code: Vec::new(),
            places: Vec::new(),
            lines: Vec::new(),
            ops: Vec::new(),
            handlers: Vec::new(),
        });
        self.program.classes[class.index()].methods.insert(selector, id);
        Ok(id)
    }

    /// An overriding method takes what the overridden one takes: primitive types are the same, references stay
    /// references. What is asked of their classes is the language's business.
    fn check_override(
        &self,
        overridden: MethodId,
        method: &MethodDecl,
        registers: &[Register],
        result: Type,
    ) -> Result<(), LoadError> {
        let overridden = self.program.method(overridden);
        let fits = |a: Type, b: Type| a == b || (a.is_ref() && b.is_ref());
        let parameters = registers.iter().zip(&overridden.registers).all(|(a, b)| fits(a.ty, b.ty));
        if parameters && fits(result, overridden.result) {
            return Ok(());
        }
        let owner = &self.program.class(overridden.class.expect("a method of a class")).name;
        let message = format!("{} does not fit the method of {owner} that it overrides", method.name);
        Err(LoadError::at(&self.program.sources, method.place, message))
    }

    fn resolve(&self, ty: &TypeName) -> Result<Type, LoadError> {
        resolve_type(&self.program, self.primitive, ty)
    }
}

/// The type that a name means.
pub fn resolve_type(program: &Program, primitive: fn(&str) -> Option<Type>, ty: &TypeName) -> Result<Type, LoadError> {
    if let Some(ty) = primitive(&ty.name) {
        return Ok(ty);
    }
    match program.class_named(&ty.name) {
        Some(class) => Ok(Type::Ref(class)),
        None => {
            let known = program.classes.iter().map(|c| c.name.as_str());
            Err(unknown_class(&program.sources, ty.place, &ty.name, known))
        }
    }
}
