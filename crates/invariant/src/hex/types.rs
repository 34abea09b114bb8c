//! The types along a path expression: every field must exist in a class that the path can be at.

use super::ast::{Repeat, Step};
use super::automaton::{Letters, Regex};
use super::names::Names;
use lazuli_program::frontend::suggest;
use lazuli_program::ir::{ClassId, FieldId};
use lazuli_program::program::Program;
use lazuli_program::source::{LoadError, Place, Source};

/// Declared classes, sorted: an object is of one of them or of a subclass.
pub type Classes = Vec<ClassId>;

/// What is known of the references at the end of a path.
#[derive(Clone, Debug, Default)]
pub struct Ends {
    /// Their declared classes.
    pub classes: Classes,
    /// The classes of the objects that hold them.
    pub holders: Classes,
}

pub struct Typing<'a> {
    pub program: &'a Program,
    pub names: &'a Names<'a>,
    pub sources: &'a [Source],
}

pub fn insert(classes: &mut Classes, class: ClassId) {
    if let Err(at) = classes.binary_search(&class) {
        classes.insert(at, class);
    }
}

impl Typing<'_> {
    /// All fields of a name that objects of these classes may have.
    pub fn fields(&self, classes: &Classes, name: &str) -> Vec<FieldId> {
        self.names.fields(classes, name)
    }

    /// The regular expression of some steps from objects of these classes on, and what is at its end.
    pub fn steps(&self, from: &Ends, steps: &[Step]) -> Result<(Regex, Ends), LoadError> {
        let mut list = Vec::with_capacity(steps.len());
        let mut ends = from.clone();
        for step in steps {
            let (regex, next) = self.step(&ends, step)?;
            list.push(regex);
            ends = next;
        }
        Ok((Regex::Sequence(list), ends))
    }

    fn step(&self, from: &Ends, step: &Step) -> Result<(Regex, Ends), LoadError> {
        match step {
            Step::Field(name) => {
                let fields = self.fields(&from.classes, &name.text);
                if fields.is_empty() {
                    return Err(self.no_field(&from.classes, &name.text, name.place));
                }
                let mut ends = Ends::default();
                for &field in &fields {
                    insert(&mut ends.holders, self.program.field(field).class);
                    for class in self.names.objects_in(field) {
                        insert(&mut ends.classes, class);
                    }
                }
                if ends.classes.is_empty() {
                    let message = format!("{} is no reference: a path leads along references", name.text);
                    let help = "conditions on values belong into an event: on expand do { assume …; }";
                    return Err(LoadError::at(self.sources, name.place, message).help(help));
                }
                Ok((Regex::Step(Letters::Fields(fields)), ends))
            }
            Step::AnyIndex(place) => Ok((Regex::Step(Letters::AnyIndex), self.elements(from, *place)?)),
            Step::Index(index, place) => Ok((Regex::Step(Letters::Index(*index)), self.elements(from, *place)?)),
            Step::Group { alternatives, repeat } => self.group(from, alternatives, *repeat),
        }
    }

    fn group(&self, from: &Ends, alternatives: &[Vec<Step>], repeat: Repeat) -> Result<(Regex, Ends), LoadError> {
        let repeats = matches!(repeat, Repeat::ZeroOrMore | Repeat::OneOrMore);
        // With repetition a step may start where another ended: the least set of classes that is closed under the group.
        let mut start = from.clone();
        let (choice, ends) = loop {
            let (choice, ends) = self.choice(&start, alternatives)?;
            let before = (start.classes.len(), start.holders.len());
            if repeats {
                join(&mut start, &ends);
            }
            if before == (start.classes.len(), start.holders.len()) {
                break (choice, ends);
            }
        };
        let mut or_nothing = ends.clone();
        join(&mut or_nothing, from);
        Ok(match repeat {
            Repeat::Once => (choice, ends),
            Repeat::ZeroOrOne => (Regex::Choice(vec![Regex::Empty, choice]), or_nothing),
            Repeat::ZeroOrMore => (Regex::Star(Box::new(choice)), or_nothing),
            Repeat::OneOrMore => (Regex::Plus(Box::new(choice)), ends),
        })
    }

    fn choice(&self, from: &Ends, alternatives: &[Vec<Step>]) -> Result<(Regex, Ends), LoadError> {
        let mut list = Vec::with_capacity(alternatives.len());
        let mut ends = Ends::default();
        for steps in alternatives {
            let (regex, end) = self.steps(from, steps)?;
            list.push(regex);
            join(&mut ends, &end);
        }
        Ok((Regex::Choice(list), ends))
    }

    /// The elements of arrays.
    fn elements(&self, from: &Ends, place: Place) -> Result<Ends, LoadError> {
        let classes = self.names.elements_of(&from.classes);
        if classes.is_empty() {
            let message = "there is no array of references here: only arrays of Java have elements";
            return Err(LoadError::at(self.sources, place, message));
        }
        let holders = from.classes.clone();
        Ok(Ends { classes, holders })
    }

    /// A reference of which nothing is known.
    pub fn anything(&self) -> Ends {
        let all = self.names.everything();
        Ends { classes: all.clone(), holders: all.clone() }
    }

    fn no_field(&self, classes: &Classes, name: &str, place: Place) -> LoadError {
        let names: Vec<&str> = classes.iter().map(|c| self.program.class(*c).name.as_str()).collect();
        let message = match names.as_slice() {
            [one] => format!("class {one} has no field {name}"),
            several if several.len() <= 4 => format!("none of the classes {} has a field {name}", several.join(", ")),
            _ => format!("no class has a field {name}"),
        };
        let known = self.names.field_names(classes);
        suggest(LoadError::at(self.sources, place, message), name, known.into_iter())
    }

    /// The fields of a name that the classes must have, for an expression.
    pub fn value_fields(&self, classes: &Classes, name: &str, place: Place) -> Result<Vec<FieldId>, LoadError> {
        let mut fields = self.fields(classes, name);
        let is_reference = |field: &FieldId| self.program.field(*field).ty.is_ref();
        // An expression is about values: references of that name in other classes are not meant.
        if !fields.iter().all(is_reference) {
            fields.retain(|field| !is_reference(field));
        }
        if fields.is_empty() { Err(self.no_field(classes, name, place)) } else { Ok(fields) }
    }
}

fn join(into: &mut Ends, more: &Ends) {
    for class in &more.classes {
        insert(&mut into.classes, *class);
    }
    for class in &more.holders {
        insert(&mut into.holders, *class);
    }
}
