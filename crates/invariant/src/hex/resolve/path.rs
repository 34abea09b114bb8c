//! Path expressions to patterns: where they start, and what is at their ends.

use super::super::ast::*;
use super::super::automaton::{Automaton, Letters, MAX_POSITIONS, MAX_STATES, Regex, TooLarge};
use super::super::types::{Classes, Ends, insert};
use super::super::*;
use super::Resolver;
use lazuli_program::Lacking;
use lazuli_program::frontend::suggest;

impl Resolver<'_> {
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
        let mut steps = path.steps.as_slice();
        let (start, before, from) = match &path.start {
            StartExpr::Root(name) => {
                let classes = self.root_classes(name)?;
                (Start::Root(name.text.clone()), Regex::Empty, Ends { classes, holders: Vec::new() })
            }
            StartExpr::Any => {
                let anything = Regex::Star(Box::new(Regex::Step(Letters::Anything)));
                (Start::AnyRoot, anything, self.typing.anything())
            }
            StartExpr::Name(name) => match self.static_start(name, steps)? {
                Some((start, ends, taken)) => {
                    steps = &steps[taken..];
                    (start, Regex::Empty, ends)
                }
                None => self.named_start(name, steps)?,
            },
        };
        let (regex, ends) = self.typing.steps(&from, steps)?;
        Ok((start, Regex::Sequence(vec![before, regex]), ends))
    }

    /// `Class.STATIC`, and how many steps that takes: an input, if the user has said that the statics of the class are.
    fn static_start(&self, name: &Name, steps: &[Step]) -> Result<Option<(Start, Ends, usize)>, LoadError> {
        let Some(library) = self.typing.program.library.as_deref() else { return Ok(None) };
        if self.variable(&name.text).is_some() || self.constant(&name.text).is_some() {
            return Ok(None);
        }
        let mut written = name.text.clone();
        let mut class = None;
        for (taken, step) in (1..).zip(steps) {
            let Step::Field(member) = step else { break };
            if let [found] = self.classes(&written)[..] {
                class = Some(found);
                if let Some(field) = self.typing.names.static_field(found, &member.text) {
                    let place = name.place;
                    let (owner, field_name) = (&library.class(found).name, &library.field(field).name);
                    let classes = self.typing.names.objects_in(field);
                    if classes.is_empty() {
                        return Err(self.error(place, format!("{owner}.{field_name} is no reference")));
                    }
                    if library.is_final(field) {
                        let message = format!("{owner}.{field_name} is final: it holds what its initialiser left");
                        return Err(self.error(place, message));
                    }
                    if !library.has_symbolic_statics(found) {
                        let message = format!("the static fields of {owner} are no inputs");
                        return Err(self.error(place, message).help(Lacking::StaticsOf(owner.to_string())));
                    }
                    let start = Start::Root(format!("{owner}.{field_name}"));
                    return Ok(Some((start, Ends { classes, holders: Vec::new() }, taken)));
                }
            }
            written = format!("{written}.{}", member.text);
        }
        match class {
            None => Ok(None),
            Some(class) => {
                let statics = library.java(class).statics.iter().map(|(f, _)| library.field(*f).name.as_str());
                let member = steps.iter().find_map(|step| match step {
                    Step::Field(member) => Some(member.text.as_str()),
                    _ => None,
                });
                let message = format!("class {} has no such static field", library.class(class).name);
                Err(suggest(self.error(name.place, message), member.unwrap_or(""), statics))
            }
        }
    }

    fn named_start(&self, name: &Name, steps: &[Step]) -> Result<(Start, Regex, Ends), LoadError> {
        if let Some(scope) = self.variable(&name.text) {
            let classes = self.scope_classes(scope);
            let optional =
                |step: &Step| matches!(step, Step::Group { repeat: Repeat::ZeroOrMore | Repeat::ZeroOrOne, .. });
            // What holds the object of the variable is not known; after a step nobody asks.
            let holders = if steps.iter().all(optional) { self.typing.anything().holders } else { Classes::new() };
            return Ok((Start::Scope(scope), Regex::Empty, Ends { classes, holders }));
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
        let inputs = self.typing.names.inputs();
        let mut classes = Vec::new();
        for (_, of) in inputs.iter().filter(|(input, _)| *input == name.text) {
            of.iter().for_each(|class| insert(&mut classes, *class));
        }
        if !classes.is_empty() {
            return Ok(classes);
        }
        let found = inputs.iter().any(|(input, _)| *input == name.text);
        let names = &self.typing.names;
        let elsewhere = || names.made_input(&name.text).or_else(|| names.parameter_beside_entry(&name.text));
        if !found && let Some(classes) = elsewhere() {
            return Ok(classes);
        }
        let message = match found {
            true => format!("the input {} is no reference", name.text),
            false => format!("there is no input and no parameter {}", name.text),
        };
        if self.typing.program.semantics.loads_classes() && self.typing.program.main.is_none() {
            return Err(self.error(name.place, message).help(Lacking::Entry("Class.method")));
        }
        let known = inputs.iter().filter(|(_, classes)| !classes.is_empty()).map(|(input, _)| input.as_str());
        Err(suggest(self.error(name.place, message), &name.text, known))
    }
}
