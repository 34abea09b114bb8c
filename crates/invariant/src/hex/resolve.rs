//! Syntax to invariants: classes, fields, variables and methods by number, path expressions as automata.

mod path;

use super::ast::*;
use super::names::{Names, canonical};
use super::types::{Classes, Ends, Typing};
use super::*;
use lazuli_program::frontend::suggest;
use lazuli_program::source::Place;

/// Adds what a file says to what others have said.
pub fn resolve(names: &Names, hex: Hex, sources: &[Source], file: &File) -> Result<Hex, LoadError> {
    let typing = Typing { program: names.program, names, sources };
    let mut resolver = Resolver { typing, hex, imports: Vec::new(), lets: Vec::new(), scope: None };
    for import in &file.imports {
        resolver.import(import)?;
    }
    // Ghosts first: they may be used above their declaration.
    for item in &file.items {
        if let Item::Ghost(ghost) = item {
            resolver.ghost(ghost)?;
        }
    }
    for item in &file.items {
        match item {
            Item::Let(definition) => resolver.define(definition)?,
            Item::Stated(stated) => resolver.stated(stated)?,
            Item::Scope(scope) => resolver.scope(scope)?,
            Item::Ghost(_) => {}
        }
    }
    Ok(resolver.hex)
}

pub struct Resolver<'a> {
    pub typing: Typing<'a>,
    pub hex: Hex,
    /// Simple names and the classes they stand for.
    imports: Vec<(String, ClassId)>,
    lets: Vec<Let>,
    /// The scope that statements are in.
    pub scope: Option<ScopeId>,
}

/// What a statement's expressions need to know of its references.
pub struct Around {
    pub ends: Ends,
    pub when: Option<When>,
}

impl Resolver<'_> {
    pub fn error(&self, place: Place, message: impl Into<String>) -> LoadError {
        LoadError::at(self.typing.sources, place, message)
    }

    fn import(&mut self, name: &Name) -> Result<(), LoadError> {
        let class = self.class(name)?;
        let simple = name.text.rsplit(['.', '$']).next().expect("a name has a last part");
        self.imports.push((simple.to_string(), class));
        Ok(())
    }

    /// The class of a name: as it is written, or the end of a qualified name if only one class ends so.
    pub fn class(&self, name: &Name) -> Result<ClassId, LoadError> {
        let found = self.classes(&name.text);
        match found.as_slice() {
            [one] => Ok(*one),
            [] => {
                let known = self.typing.names.known_classes();
                let mut error = self.error(name.place, format!("there is no class {}", name.text));
                if let Some(library) = &self.typing.program.library {
                    let importable = library.importable(&name.text);
                    if !importable.is_empty() && importable.len() <= 4 {
                        return Err(error.help(format!("import it: {}", importable.join(", or "))));
                    }
                    error = self.error(name.place, format!("there is no class {} on the class path", name.text));
                }
                Err(suggest(error, &name.text, known.iter().map(|k| k.as_str())))
            }
            several => {
                let program = self.typing.program;
                let names: Vec<String> = several.iter().map(|class| canonical(&program.class(*class).name)).collect();
                let message = format!("{} may be any of {}", name.text, names.join(", "));
                Err(self.error(name.place, message).help("import the one that is meant"))
            }
        }
    }

    /// The classes that a name may mean.
    fn classes(&self, name: &str) -> Vec<ClassId> {
        if let Some((_, class)) = self.imports.iter().find(|(known, _)| known == name) {
            return vec![*class];
        }
        let first = name.split(['.', '$']).next().expect("a name has a first part");
        match self.imports.iter().find(|(known, _)| known == first) {
            Some((_, class)) => {
                let outer = canonical(&self.typing.program.class(*class).name);
                self.typing.names.classes(&format!("{outer}{}", name[first.len()..].replace('$', ".")))
            }
            None => self.typing.names.classes(name),
        }
    }

    fn ghost(&mut self, declared: &GhostDecl) -> Result<(), LoadError> {
        let class = self.class(&declared.class)?;
        for (ty, name, initial) in &declared.fields {
            let (ty, default) = match ty.text.as_str() {
                "int" | "short" | "byte" | "char" => (Type::Int, GhostValue::Int(0)),
                // Where Java's numbers have a width, only one that the invariants choose freely.
                "long" => (Type::Long, GhostValue::Int(0)),
                "boolean" | "bool" => (Type::Bool, GhostValue::Bool(false)),
                "set" => (Type::Int, GhostValue::Empty),
                "sets" => (Type::Int, GhostValue::EmptySets),
                "heap" => (Type::Int, GhostValue::EmptyHeap),
                "objects" => (Type::Int, GhostValue::EmptyObjects),
                "sorted" => (Type::Int, GhostValue::EmptySorted),
                "queue" => (Type::Int, GhostValue::EmptyQueue),
                _ => {
                    let kinds = "an int, a boolean, a set, sets, a heap, objects, sorted or a queue";
                    return Err(self.error(ty.place, format!("a ghost field is {kinds}")));
                }
            };
            let initial = initial.unwrap_or(default);
            let fits = match initial {
                GhostValue::Fresh => !default.is_collection(),
                GhostValue::Bool(_) => ty == Type::Bool,
                _ if default.is_collection() => initial == default,
                _ => ty != Type::Bool,
            };
            if !fits {
                return Err(self.error(name.place, format!("the initial value of {} is of another type", name.text)));
            }
            let related = |g: &Ghost| g.name == name.text && self.typing.program.related(g.class, class);
            if self.hex.ghosts.iter().any(related) {
                return Err(self.error(name.place, format!("there is a ghost field {} already", name.text)));
            }
            self.hex.ghosts.push(Ghost { class, name: name.text.clone(), ty, initial });
        }
        Ok(())
    }

    fn define(&mut self, definition: &Let) -> Result<(), LoadError> {
        let name = &definition.name;
        let is_variable = self.scope.is_some_and(|s| self.hex.scopes[s.index()].variable == name.text);
        if is_variable || self.lets.iter().any(|l| l.name.text == name.text) {
            return Err(self.error(name.place, format!("{} is defined already", name.text)));
        }
        if let LetValue::Path(path) = &definition.value {
            self.path(path)?;
        }
        self.lets.push(definition.clone());
        Ok(())
    }

    /// The value of a named constant.
    pub fn constant(&self, name: &str) -> Option<&LetValue> {
        self.lets.iter().find(|l| l.name.text == name).map(|l| &l.value)
    }

    fn scope(&mut self, scope: &ScopeDecl) -> Result<(), LoadError> {
        let class = self.class(&scope.class)?;
        if self.lets.iter().any(|l| l.name.text == scope.variable.text) {
            let message = format!("{} is defined already", scope.variable.text);
            return Err(self.error(scope.variable.place, message));
        }
        self.scope = Some(ScopeId(self.hex.scopes.len() as u32));
        let but = scope.but.as_ref().map(|but| self.below(but, class)).transpose()?;
        self.hex.scopes.push(Scope { class, but, variable: scope.variable.text.clone() });
        let outer = self.lets.len();
        for definition in &scope.lets {
            self.define(definition)?;
        }
        for stated in &scope.stated {
            self.stated(stated)?;
        }
        self.lets.truncate(outer);
        self.scope = None;
        Ok(())
    }

    /// The class of a name, which must be below another.
    fn below(&self, name: &Name, above: ClassId) -> Result<ClassId, LoadError> {
        let class = self.class(name)?;
        if class != above && self.typing.program.is_subclass(class, above) {
            return Ok(class);
        }
        let above = &self.typing.program.class(above).name;
        Err(self.error(name.place, format!("{} is no subclass of {above}", name.text)))
    }

    fn stated(&mut self, stated: &Stated) -> Result<(), LoadError> {
        match stated {
            Stated::Statement(statement) => self.statement(statement),
            Stated::Formula(formula) => self.formula(formula),
        }
    }

    fn statement(&mut self, declared: &StatementDecl) -> Result<(), LoadError> {
        let (pattern, ends) = self.path(&declared.path)?;
        let mut clauses = Vec::new();
        let mut around = Around { ends, when: None };
        for clause in &declared.clauses {
            self.clause(clause, &around, &mut clauses)?;
        }
        let mut events = Vec::new();
        for event in &declared.events {
            around.when = Some(event.when);
            let companion = match &event.companion {
                CompanionExpr::Actions(actions) => {
                    let resolved: Result<Vec<Action>, LoadError> =
                        actions.iter().map(|action| self.action(action, &around)).collect();
                    Companion::Actions(resolved?)
                }
                CompanionExpr::Method { class, method, object } => self.companion(class, method, object, &around)?,
            };
            events.push(Event { when: event.when, companion, given: None });
        }
        around.when = None;
        let demands = declared.demands.iter().map(|demand| self.demand(demand, &around));
        let demands = demands.collect::<Result<Vec<_>, LoadError>>()?;
        let text = self.written(declared.path.place, declared.end);
        self.hex.statements.push(Statement { pattern, clauses, events, demands, text, of_type: None, formula: None });
        Ok(())
    }

    /// The text between two places, on one line.
    fn written(&self, from: Place, to: Place) -> String {
        let text = &self.typing.sources[0].text[from.offset as usize..to.offset as usize];
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn formula(&mut self, declared: &FormulaDecl) -> Result<(), LoadError> {
        let mut atoms = Vec::new();
        let body = self.prop(&declared.body, &mut atoms)?;
        let mixed = formula::mixed(&body);
        if mixed.len() > formula::MAX_MIXED {
            let message =
                format!("more than {} atoms of this formula occur both as they are and negated", formula::MAX_MIXED);
            return Err(self.error(declared.place, message));
        }
        let possible = formula::possible(&body, &mixed);
        if possible.is_false() {
            return Err(self.error(declared.place, "this formula contradicts itself: it can never hold"));
        }
        let text = self.written(declared.place, declared.end);
        let negated = formula::negated(&possible).into_iter().map(|atom| atoms[atom as usize]).collect();
        self.hex.formulas.push(Formula { scope: self.scope, atoms, body, possible, negated, text });
        Ok(())
    }

    fn prop(&mut self, prop: &PropExpr, atoms: &mut Vec<u32>) -> Result<Prop, LoadError> {
        Ok(match prop {
            PropExpr::Atom(atom) => Prop::Literal(Literal::MayHold(self.atom(atom, atoms)?)),
            PropExpr::Not(inner) => match inner.as_ref() {
                PropExpr::Atom(atom) => Prop::Literal(Literal::MayFail(self.atom(atom, atoms)?)),
                _ => unreachable!("only atoms are negated"),
            },
            PropExpr::And(list) => {
                let each: Result<Vec<Prop>, LoadError> = list.iter().map(|prop| self.prop(prop, atoms)).collect();
                formula::all(each?)
            }
            PropExpr::Or(list) => {
                let each: Result<Vec<Prop>, LoadError> = list.iter().map(|prop| self.prop(prop, atoms)).collect();
                formula::any(each?)
            }
        })
    }

    /// The number of an atom in its formula; one that is written twice is one.
    fn atom(&mut self, atom: &AtomExpr, atoms: &mut Vec<u32>) -> Result<u32, LoadError> {
        let (pattern, ends) = self.path(&atom.path)?;
        if let Some(scope) = self.scope {
            let variable = &self.hex.scopes[scope.index()].variable;
            if self.hex.patterns[pattern.index()].start != Start::Scope(scope) {
                let message = format!("a formula of a scope is about its object: this path must begin with {variable}");
                return Err(self
                    .error(atom.path.place, message)
                    .help("a formula about inputs belongs outside of the scope"));
            }
            if atom.path.steps.is_empty()
                && atom.clauses.iter().any(|c| matches!(c, ClauseExpr::NotNull | ClauseExpr::Null))
            {
                let message = format!("in a formula {variable} is the object itself, which is not null");
                return Err(self.error(atom.path.place, message));
            }
        }
        let around = Around { ends, when: None };
        let mut clauses = Vec::new();
        for clause in &atom.clauses {
            self.clause(clause, &around, &mut clauses)?;
        }
        let same = |statement: &u32| {
            let known = &self.hex.statements[*statement as usize];
            known.pattern == pattern && known.clauses == clauses
        };
        if let Some(known) = atoms.iter().position(same) {
            return Ok(known as u32);
        }
        atoms.push(self.hex.statements.len() as u32);
        let text = self.written(atom.path.place, atom.end);
        let formula = Some(self.hex.formulas.len() as u32);
        let (events, demands) = (Vec::new(), Vec::new());
        self.hex.statements.push(Statement { pattern, clauses, events, demands, text, of_type: None, formula });
        Ok(atoms.len() as u32 - 1)
    }

    fn clause(&mut self, clause: &ClauseExpr, around: &Around, into: &mut Vec<Clause>) -> Result<(), LoadError> {
        let resolved = match clause {
            ClauseExpr::NotNull => Clause::NotNull,
            ClauseExpr::Null => {
                into.push(Clause::ExpandsToNothing);
                Clause::AliasesNothing
            }
            ClauseExpr::ExpandsToNothing => Clause::ExpandsToNothing,
            ClauseExpr::AliasesNothing => Clause::AliasesNothing,
            ClauseExpr::ExpandsTo(types) => {
                let mut tests = Vec::new();
                for (name, exact) in types {
                    let class = self.class(name)?;
                    self.check_possible(name, class, &around.ends)?;
                    tests.push(ClassTest { class, exact: *exact });
                }
                Clause::ExpandsTo(tests)
            }
            ClauseExpr::Aliases(targets) => {
                let resolved: Result<Vec<Target>, LoadError> =
                    targets.iter().map(|target| self.target(target, around)).collect();
                Clause::Aliases(resolved?)
            }
            ClauseExpr::NeverAliases(TargetExpr::Path { path, max: true }) => {
                let message = "never aliases max: what is the longest path now may not be the longest later";
                return Err(self.error(path.place, message));
            }
            ClauseExpr::NeverAliases(target) => Clause::NeverAliases(self.target(target, around)?),
        };
        into.push(resolved);
        Ok(())
    }

    /// A reference of the path must be able to denote an object of the class.
    fn check_possible(&self, name: &Name, class: ClassId, ends: &Ends) -> Result<(), LoadError> {
        let program = self.typing.program;
        if ends.classes.iter().any(|declared| program.related(*declared, class)) {
            return Ok(());
        }
        let message = format!("no reference of this path can denote an object of class {}", name.text);
        Err(self.error(name.place, message))
    }

    fn target(&mut self, target: &TargetExpr, around: &Around) -> Result<Target, LoadError> {
        Ok(match target {
            TargetExpr::Some(name) => {
                let class = self.class(name)?;
                self.check_possible(name, class, &around.ends)?;
                Target::Some(ClassTest { class, exact: false })
            }
            TargetExpr::Object(object) => {
                let object = self.named_object(object, around)?;
                if object == Object::It {
                    let place = match target {
                        TargetExpr::Object(object) => object.place(),
                        _ => unreachable!("this target is an object"),
                    };
                    return Err(self.error(place, "the target of an alias cannot be described by itself"));
                }
                Target::Object(object)
            }
            TargetExpr::Path { path, max } => {
                if let (StartExpr::Name(name), [], false) = (&path.start, path.steps.as_slice(), max)
                    && let Some(scope) = self.variable(&name.text)
                {
                    return Ok(Target::Object(Object::Scope(scope)));
                }
                let (pattern, ends) = self.path(path)?;
                let program = self.typing.program;
                let possible = |a: &ClassId| ends.classes.iter().any(|b| program.related(*a, *b));
                if !around.ends.classes.iter().any(possible) {
                    let message = "no reference of the statement's path can denote an object at this path";
                    return Err(self.error(path.place, message));
                }
                Target::Path { pattern, max: *max }
            }
        })
    }

    fn variable(&self, name: &str) -> Option<ScopeId> {
        self.scope.filter(|scope| self.hex.scopes[scope.index()].variable == name)
    }

    /// The classes of the objects that a scope's variable denotes.
    fn scope_classes(&self, scope: ScopeId) -> Classes {
        self.typing.names.objects_of(self.hex.scopes[scope.index()].class)
    }

    /// An object and the classes it may be declared with.
    pub fn object(&self, object: &ObjectExpr, around: &Around) -> Result<(Object, Classes), LoadError> {
        let object = self.named_object(object, around)?;
        let classes = match object {
            Object::Scope(scope) => self.scope_classes(scope),
            Object::It => around.ends.classes.clone(),
            Object::Up(1) => around.ends.holders.clone(),
            Object::Up(_) | Object::Prefix(_) | Object::AboveIt(_) => self.typing.anything().classes,
        };
        Ok((object, classes))
    }

    fn named_object(&self, object: &ObjectExpr, around: &Around) -> Result<Object, LoadError> {
        match object {
            ObjectExpr::Name(name) => match self.variable(&name.text) {
                Some(scope) => Ok(Object::Scope(scope)),
                None => {
                    let error = self.error(name.place, format!("there is no object {}", name.text));
                    let known = self.scope.map(|s| self.hex.scopes[s.index()].variable.as_str());
                    Err(suggest(error, &name.text, known.into_iter().chain(["it", "here"])))
                }
            },
            ObjectExpr::It(place) | ObjectExpr::Here { up: 0, place } => {
                if around.when == Some(When::Null) {
                    return Err(self.error(*place, "on null there is no object that the reference denotes"));
                }
                Ok(Object::It)
            }
            ObjectExpr::Here { up, place } => {
                if around.ends.holders.is_empty() {
                    return Err(self.error(*place, "this path is an input: no object holds it"));
                }
                Ok(Object::Up(*up))
            }
        }
    }

    fn companion(
        &self,
        class: &Name,
        method: &Name,
        object: &ObjectExpr,
        around: &Around,
    ) -> Result<Companion, LoadError> {
        let program = self.typing.program;
        let owner = self.class(class)?;
        let (object, classes) = self.object(object, around)?;
        let names = &self.typing.names;
        let mut found = names.methods(owner, &method.text);
        if found.is_empty() {
            let error = self.error(method.place, format!("class {} has no method {}", class.text, method.text));
            return Err(suggest(error, &method.text, names.method_names(owner).iter().map(|name| name.as_str())));
        }
        // Java has overloads: the one that takes an object.
        found.retain(|id| matches!(names.parameters(*id).as_slice(), [Type::Ref(_)]) && names.is_executable(*id));
        let Some(&id) = found.first() else {
            let message = format!("{}.{} does not have one argument, the object", class.text, method.text);
            return Err(self.error(method.place, message));
        };
        let fits = |id: &&MethodId| match names.parameters(**id)[0] {
            Type::Ref(wanted) => classes.iter().any(|c| program.related(*c, wanted)),
            _ => false,
        };
        let Some(&id) = found.iter().find(fits) else {
            let Type::Ref(wanted) = names.parameters(id)[0] else { unreachable!("just retained") };
            let message = format!("{} takes objects of class {}", method.text, program.class(wanted).name);
            return Err(self.error(method.place, message));
        };
        if let Some(why) = names.wrong_result(id) {
            return Err(self.error(method.place, format!("{}.{} {why}", class.text, method.text)));
        }
        Ok(Companion::Method { method: id, object: Some(object), waits: false })
    }
}
