//! Syntax to invariants: classes, fields, variables and methods by number, path expressions as automata.

use super::ast::*;
use super::automaton::{Automaton, Letters, MAX_POSITIONS, MAX_STATES, Regex, TooLarge};
use super::types::{Classes, Ends, Typing, insert};
use super::*;
use crate::frontend::suggest;
use crate::ir::Method;
use crate::source::Place;

pub fn resolve(program: &Program, name: String, sources: &[Source], file: &File) -> Result<Hex, LoadError> {
    let hex = Hex { name, ..Hex::default() };
    let mut resolver =
        Resolver { typing: Typing { program, sources }, hex, imports: Vec::new(), lets: Vec::new(), scope: None };
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
            Item::Statement(statement) => resolver.statement(statement)?,
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
        let simple = name.text.rsplit('.').next().expect("a name has a last part");
        self.imports.push((simple.to_string(), class));
        Ok(())
    }

    /// The class of a name: as it is written, or the end of a qualified name if only one class ends so.
    pub fn class(&self, name: &Name) -> Result<ClassId, LoadError> {
        let program = self.typing.program;
        let simple = name.text.split('.').next().expect("a name has a first part");
        if let Some((_, class)) = self.imports.iter().find(|(known, _)| *known == name.text) {
            return Ok(*class);
        }
        if let Some(class) = program.class_named(&name.text) {
            return Ok(class);
        }
        let imported = self.imports.iter().find(|(known, _)| known == simple);
        let full = match imported {
            Some((_, class)) => {
                format!("{}{}", canonical(&program.class(*class).name), &name.text[simple.len()..])
            }
            None => name.text.clone(),
        };
        let fits = |class: &str| {
            let class = canonical(class);
            class == full || class.strip_suffix(&full).is_some_and(|rest| rest.ends_with('.'))
        };
        let found: Vec<usize> = (0..program.classes.len()).filter(|i| fits(&program.classes[*i].name)).collect();
        match found.as_slice() {
            [one] => Ok(ClassId(*one as u32)),
            [] => {
                let known: Vec<String> = program.classes.iter().map(|c| canonical(&c.name)).collect();
                let error = self.error(name.place, format!("there is no class {}", name.text));
                Err(suggest(error, &name.text, known.iter().map(|k| k.as_str())))
            }
            several => {
                let names: Vec<String> = several.iter().map(|i| canonical(&program.classes[*i].name)).collect();
                let message = format!("{} may be any of {}", name.text, names.join(", "));
                Err(self.error(name.place, message).help("import the one that is meant"))
            }
        }
    }

    fn ghost(&mut self, declared: &GhostDecl) -> Result<(), LoadError> {
        let class = self.class(&declared.class)?;
        for (ty, name, initial) in &declared.fields {
            let (ty, default) = match ty.text.as_str() {
                "int" | "long" | "short" | "byte" | "char" => (Type::Int, GhostValue::Int(0)),
                "boolean" | "bool" => (Type::Bool, GhostValue::Bool(false)),
                _ => return Err(self.error(ty.place, "a ghost field is an int or a boolean")),
            };
            let initial = initial.unwrap_or(default);
            let fits = match initial {
                GhostValue::Fresh => true,
                GhostValue::Bool(_) => ty == Type::Bool,
                _ => ty == Type::Int,
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
        self.hex.scopes.push(Scope { class, variable: scope.variable.text.clone() });
        let outer = self.lets.len();
        for definition in &scope.lets {
            self.define(definition)?;
        }
        for statement in &scope.statements {
            self.statement(statement)?;
        }
        self.lets.truncate(outer);
        self.scope = None;
        Ok(())
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
            events.push(Event { when: event.when, companion });
        }
        let text = &self.typing.sources[0].text;
        let written = &text[declared.path.place.offset as usize..declared.end.offset as usize];
        let text = written.split_whitespace().collect::<Vec<_>>().join(" ");
        self.hex.statements.push(Statement { pattern, clauses, events, text, of_type: None });
        Ok(())
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
                let (object, _) = self.object(object, around)?;
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

    /// An object and the classes it may be declared with.
    pub fn object(&self, object: &ObjectExpr, around: &Around) -> Result<(Object, Classes), LoadError> {
        match object {
            ObjectExpr::Name(name) => match self.variable(&name.text) {
                Some(scope) => Ok((Object::Scope(scope), vec![self.hex.scopes[scope.index()].class])),
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
                Ok((Object::It, around.ends.classes.clone()))
            }
            ObjectExpr::Here { up, place } => {
                if around.ends.holders.is_empty() {
                    return Err(self.error(*place, "this path is an input: no object holds it"));
                }
                let classes = if *up == 1 { around.ends.holders.clone() } else { self.typing.anything().classes };
                Ok((Object::Up(*up), classes))
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
        let of_class = |m: &&Method| m.class == Some(owner) && m.name == method.text;
        let id = program.methods.iter().position(|m| of_class(&m));
        let Some(id) = id.map(|i| MethodId(i as u32)) else {
            let error = self.error(method.place, format!("class {} has no method {}", class.text, method.text));
            let known = program.methods.iter().filter(|m| m.class == Some(owner)).map(|m| m.name.as_str());
            return Err(suggest(error, &method.text, known));
        };
        let parameters = &program.method(id).registers[..program.method(id).parameters];
        let [parameter] = parameters else {
            let message = format!("{}.{} does not have one argument, the object", class.text, method.text);
            return Err(self.error(method.place, message));
        };
        let Type::Ref(wanted) = parameter.ty else {
            return Err(self.error(method.place, format!("{} does not take an object", method.text)));
        };
        if !classes.iter().any(|c| program.related(*c, wanted)) {
            let message = format!("{} takes objects of class {}", method.text, program.class(wanted).name);
            return Err(self.error(method.place, message));
        }
        Ok(Companion::Method { method: id, object: Some(object) })
    }

    /// A path expression as a pattern, and what is at its ends.
    pub fn path(&mut self, path: &PathExpr) -> Result<(PatternId, Ends), LoadError> {
        let (start, regex, ends) = self.path_parts(path)?;
        let automaton = Automaton::new(&regex).map_err(|why| {
            let message = match why {
                TooLarge::Positions => format!("this path expression has more than {MAX_POSITIONS} steps"),
                TooLarge::States => {
                    format!(
                        "this path expression is of exponential size: its automaton has more than {MAX_STATES} states"
                    )
                }
            };
            self.error(path.place, message)
        })?;
        Ok((self.pattern(Pattern { start, automaton }), ends))
    }

    pub fn pattern(&mut self, pattern: Pattern) -> PatternId {
        let known = self.hex.patterns.iter().position(|p| *p == pattern);
        PatternId(known.unwrap_or_else(|| {
            self.hex.patterns.push(pattern);
            self.hex.patterns.len() - 1
        }) as u32)
    }

    fn path_parts(&self, path: &PathExpr) -> Result<(Start, Regex, Ends), LoadError> {
        let (start, before, from) = match &path.start {
            StartExpr::Root(name) => {
                let classes = self.root_classes(name)?;
                (Start::Root(name.text.clone()), Regex::Empty, Ends { classes, holders: Vec::new() })
            }
            StartExpr::Any => {
                let anything = Regex::Star(Box::new(Regex::Step(Letters::Anything)));
                (Start::AnyRoot, anything, self.typing.anything())
            }
            StartExpr::Name(name) => self.named_start(name)?,
        };
        let (regex, ends) = self.typing.steps(&from, &path.steps)?;
        Ok((start, Regex::Sequence(vec![before, regex]), ends))
    }

    fn named_start(&self, name: &Name) -> Result<(Start, Regex, Ends), LoadError> {
        if let Some(scope) = self.variable(&name.text) {
            let classes = vec![self.hex.scopes[scope.index()].class];
            // What holds the object of the variable is not known.
            return Ok((Start::Scope(scope), Regex::Empty, Ends { classes, holders: self.typing.anything().holders }));
        }
        match self.constant(&name.text) {
            Some(LetValue::Path(path)) => return self.path_parts(path),
            Some(_) => return Err(self.error(name.place, format!("{} is a value, not a path", name.text))),
            None => {}
        }
        let error = self.error(name.place, format!("there is no variable and no path {}", name.text));
        let variable = self.scope.map(|s| self.hex.scopes[s.index()].variable.as_str());
        let lets = self.lets.iter().map(|l| l.name.text.as_str());
        Err(suggest(error, &name.text, lets.chain(variable).chain(["root", "any"])))
    }

    /// The declared classes of the inputs and parameters of a name.
    fn root_classes(&self, name: &Name) -> Result<Classes, LoadError> {
        let program = self.typing.program;
        let parameters = program.methods.iter().flat_map(|m| &m.registers[..m.parameters]).map(|r| (&r.name, r.ty));
        let inputs = program.inputs.iter().map(|i| (&i.name, i.ty));
        let mut classes = Vec::new();
        let mut known = Vec::new();
        let mut found = false;
        for (root, ty) in parameters.chain(inputs) {
            found |= *root == name.text;
            match ty {
                Type::Ref(class) if *root == name.text => insert(&mut classes, class),
                Type::Ref(_) => known.push(root.as_str()),
                _ => {}
            }
        }
        if !classes.is_empty() {
            return Ok(classes);
        }
        let message = match found {
            true => format!("the input {} is no reference", name.text),
            false => format!("there is no input and no parameter {}", name.text),
        };
        Err(suggest(self.error(name.place, message), &name.text, known.into_iter()))
    }
}

/// A class's name as it is written in Java.
fn canonical(name: &str) -> String {
    name.replace(['/', '$'], ".")
}
