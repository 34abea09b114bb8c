//! The rules of JBSE, for JBSE's own semantics: see [`super::Semantics`]. A file has up to three parts, `init`, `resolve` and `trigger`,
//! each between `begin` and `end`; the classes of `init` are not about the heap. Comments are `-- …`.
//!
//! ```text
//! rule    := [path] "instanceof" TYPE what ["triggers" trigger] ";"          -- in `trigger`, only the trigger counts
//! what    := "not null" | "null" | "expands to" ("nothing" | "instanceof" TYPE)
//!          | "aliases" ("nothing" | "instanceof" TYPE | "target" target) | "never aliases target" target
//! target  := ["{MAX}"] (path | relative)
//! path    := ("{ROOT}:" VAR | "{R_ANY}") steps
//! relative := "{$REF}" { ".{UP}" } steps | "{$R_ANY}" steps
//! steps   := { "." [CLASS ":"] FIELD | "(" steps { "|" steps } ")" ["*" | "+" | "?"] }
//! trigger := CLASS ":" DESCRIPTOR ":" METHOD [":" relative]
//! ```
//!
//! There, paths are regular expressions over the characters of an origin; here, over its fields. What is about single characters is
//! refused, and so are static fields and the results of functions.

use super::automaton::{Automaton, Letters, Regex};
use super::names::Names;
use super::*;
use lazuli_program::Lacking;
use lazuli_program::frontend::suggest;
use lazuli_program::source::Place;

pub fn load(program: &Program, name: String, sources: &[Source]) -> Result<Hex, LoadError> {
    let hex = Hex { name, semantics: Semantics::Jbse, ..Hex::default() };
    let mut reader = Reader { names: Names::new(program), sources, hex, part: Part::Resolve };
    let words = words(&sources[0].text);
    let mut rest = words.as_slice();
    while let Some(&((word, place), _)) = rest.first() {
        reader.part = match word {
            "init" => Part::Init,
            "resolve" => Part::Resolve,
            "trigger" => Part::Trigger,
            _ => return Err(reader.error(place, "init begin, resolve begin or trigger begin is expected here")),
        };
        match rest.get(1) {
            Some((("begin", _), _)) => rest = &rest[2..],
            _ => return Err(reader.error(place, format!("begin is expected after {word}"))),
        }
        rest = reader.part(word, place, rest)?;
    }
    Ok(reader.hex)
}

/// The words of a file, and whether a semicolon ends each. Those within a method's descriptor are followed by more.
fn words(text: &str) -> Vec<(Word<'_>, bool)> {
    let mut words = Vec::new();
    for line in text.lines() {
        for word in line.split("--").next().unwrap_or("").split_whitespace() {
            let offset = word.as_ptr() as usize - text.as_ptr() as usize;
            let code = word.strip_suffix(';');
            words.push(((code.unwrap_or(word), Place { source: 0, offset: offset as u32 }), code.is_some()));
        }
    }
    words
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Init,
    Resolve,
    Trigger,
}

struct Reader<'a> {
    names: Names<'a>,
    sources: &'a [Source],
    hex: Hex,
    part: Part,
}

type Word<'a> = (&'a str, Place);

impl Reader<'_> {
    fn error(&self, place: Place, message: impl Into<String>) -> LoadError {
        LoadError::at(self.sources, place, message)
    }

    /// Reads a part to its end, and gives what follows.
    fn part<'w>(
        &mut self,
        name: &str,
        place: Place,
        mut rest: &'w [(Word<'w>, bool)],
    ) -> Result<&'w [(Word<'w>, bool)], LoadError> {
        loop {
            if let [((first, _), _), (("end", _), _), after @ ..] = rest
                && *first == name
            {
                return Ok(after);
            }
            if rest.is_empty() {
                return Err(self.error(place, format!("{name} begin without {name} end")));
            }
            let is_end = |at: usize| rest[at].0.0 == name && rest.get(at + 1).is_some_and(|w| w.0.0 == "end");
            let mut length = 0;
            while length < rest.len() && !is_end(length) && (length == 0 || !rest[length - 1].1) {
                length += 1;
            }
            let (rule, after) = rest.split_at(length);
            let rule: Vec<Word> = rule.iter().map(|(word, _)| *word).filter(|(word, _)| !word.is_empty()).collect();
            if self.part != Part::Init && !rule.is_empty() {
                self.rule(&rule)?;
            }
            rest = after;
        }
    }

    fn rule(&mut self, rule: &[Word]) -> Result<(), LoadError> {
        let mut words = rule;
        let first = words[0];
        let (start, before, suffix) = match first.0 {
            "instanceof" => (Start::AnyRoot, anything(), Regex::Empty),
            _ => {
                words = &words[1..];
                self.path(first)?
            }
        };
        let of_type = self.instance_of(&mut words, first.1)?;
        let pattern = self.pattern(start, Regex::Sequence(vec![before, suffix.clone()]), first.1)?;
        let (clause, when) = self.what(&mut words, &suffix, first.1)?;
        let mut events = Vec::new();
        if let [("triggers", place), trigger @ ..] = words {
            let [trigger, rest @ ..] = trigger else {
                return Err(self.error(*place, "a trigger is Class:descriptor:method, and perhaps :object"));
            };
            if matches!(
                clause,
                Some(Clause::NotNull | Clause::ExpandsToNothing | Clause::AliasesNothing | Clause::NeverAliases(_))
            ) {
                return Err(self.error(*place, "a rule that only forbids has no trigger"));
            }
            let companion = self.trigger(*trigger, when, &suffix)?;
            events.push(Event { when, companion, given: clause.clone() });
            words = rest;
        } else if self.part == Part::Trigger {
            return Err(self.error(words.first().map_or(first.1, |w| w.1), "triggers is expected here"));
        }
        if let Some((word, place)) = words.first() {
            let error = self.error(*place, format!("{word:?} is not expected here"));
            return Err(error.help("a rule ends with a semicolon"));
        }
        let clauses = if self.part == Part::Trigger { Vec::new() } else { clause.into_iter().collect() };
        let text = rule.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(" ");
        let (of_type, demands) = (Some(of_type), Vec::new());
        self.hex.statements.push(Statement { pattern, clauses, events, demands, text, of_type, formula: None });
        Ok(())
    }

    fn instance_of(&self, words: &mut &[Word], place: Place) -> Result<ClassId, LoadError> {
        match *words {
            [("instanceof", _), ty, rest @ ..] => {
                *words = rest;
                self.class(*ty)
            }
            _ => Err(self.error(words.first().map_or(place, |w| w.1), "instanceof and a class are expected here")),
        }
    }

    fn class(&self, (name, place): Word) -> Result<ClassId, LoadError> {
        if name.starts_with('[') {
            return Err(self.error(place, format!("{name} is a class of arrays: rules about arrays are not supported")));
        }
        match self.names.classes(&name.replace('/', ".")).as_slice() {
            [one] => Ok(*one),
            [] => {
                let error = self.error(place, format!("there is no class {name}"));
                Err(suggest(error, name, self.names.known_classes().iter().map(|c| c.as_str())))
            }
            _ => Err(self.error(place, format!("there are several classes {name}"))),
        }
    }

    fn what(&mut self, words: &mut &[Word], suffix: &Regex, place: Place) -> Result<(Option<Clause>, When), LoadError> {
        let exactly = |class| ClassTest { class, exact: true };
        let (clause, when, rest) = match *words {
            [("not", _), ("null", _), rest @ ..] => (Some(Clause::NotNull), When::Null, rest),
            [("null", _), rest @ ..] => (None, When::Null, rest),
            [("expands", _), ("to", _), ("nothing", _), rest @ ..] => {
                (Some(Clause::ExpandsToNothing), When::Expand, rest)
            }
            [("expands", _), ("to", _), ("instanceof", _), ty, rest @ ..] => {
                (Some(Clause::ExpandsTo(vec![exactly(self.class(*ty)?)])), When::Expand, rest)
            }
            [("aliases", _), ("nothing", _), rest @ ..] => (Some(Clause::AliasesNothing), When::Alias, rest),
            [("aliases", _), ("instanceof", _), ty, rest @ ..] => {
                let target = Target::Some(exactly(self.class(*ty)?));
                (Some(Clause::Aliases(vec![target])), When::Alias, rest)
            }
            [("aliases", _), ("target", _), target, rest @ ..] => {
                (Some(Clause::Aliases(vec![self.target(*target, suffix, true)?])), When::Alias, rest)
            }
            // What is forbidden is forbidden whether it is the longest or not.
            [("never", _), ("aliases", _), ("target", _), target, rest @ ..] => {
                (Some(Clause::NeverAliases(self.target(*target, suffix, false)?)), When::Alias, rest)
            }
            _ => {
                let place = words.first().map_or(place, |w| w.1);
                return Err(self.error(place, "not null, null, expands to, aliases or never aliases is expected here"));
            }
        };
        *words = rest;
        Ok((clause, when))
    }

    fn target(&mut self, word: Word, suffix: &Regex, heeds_max: bool) -> Result<Target, LoadError> {
        let max = word.0.starts_with("{MAX}");
        let path = if max { after(word, "{MAX}".len()) } else { word };
        let max = max && heeds_max;
        if let Some((object, steps)) = self.relative(path, suffix)? {
            return match steps {
                None => Ok(Target::Object(object)),
                Some(regex) => {
                    let pattern = self.pattern(Start::AnyRoot, regex, path.1)?;
                    Ok(Target::Below { object, pattern, max })
                }
            };
        }
        let (start, before, suffix) = self.path(path)?;
        let pattern = self.pattern(start, Regex::Sequence(vec![before, suffix]), word.1)?;
        Ok(Target::Path { pattern, max })
    }

    /// `{$REF}` and the objects above it, or the longest prefix that `{R_ANY}` has matched; and the steps from there, if any.
    fn relative(&mut self, word: Word, suffix: &Regex) -> Result<Option<(Object, Option<Regex>)>, LoadError> {
        let (text, place) = word;
        let steps = |reader: &Self, at: usize| match text.len() {
            end if at == end => Ok(None),
            _ => reader.steps(after(word, at)).map(Some),
        };
        if text.starts_with("{$R_ANY}") {
            let pattern = self.pattern(Start::AnyRoot, suffix.clone(), place)?;
            return Ok(Some((Object::Prefix(pattern), steps(self, "{$R_ANY}".len())?)));
        }
        if !text.starts_with("{$REF}") {
            return Ok(None);
        }
        let (mut at, mut up) = ("{$REF}".len(), 0);
        while text[at..].starts_with(".{UP}") {
            (at, up) = (at + ".{UP}".len(), up + 1);
        }
        let steps = steps(self, at)?;
        match (up, &steps) {
            (0, Some(_)) => {
                Err(self.error(after(word, at).1, "there is nothing yet below the reference that is resolved"))
            }
            (0, None) => Ok(Some((Object::It, None))),
            _ => Ok(Some((Object::Up(up), steps))),
        }
    }

    fn trigger(&mut self, (text, place): Word, when: When, suffix: &Regex) -> Result<Companion, LoadError> {
        let parts: Vec<&str> = text.split(':').collect();
        let [class, descriptor, method, argument @ ..] = parts.as_slice() else {
            return Err(self.error(place, "a trigger is Class:descriptor:method, and perhaps :object"));
        };
        let owner = self.class((class, place))?;
        let mut named = self.names.methods(owner, method);
        if let Some(library) = &self.names.program.library {
            named.retain(|id| *library.declared(*id).descriptor == **descriptor);
        }
        let Some(&id) = named.first() else {
            return Err(self.error(place, format!("class {class} has no method {method}")));
        };
        let object = match argument {
            [] => None,
            [object] => self.parameter((object, place), when, suffix)?,
            _ => return Err(self.error(place, "a trigger has at most one argument")),
        };
        if when == When::Null && object == Some(Object::It) {
            return Err(self.error(place, "{$REF} is null here: {$REF}.{UP} is the object that holds it"));
        }
        if self.names.parameters(id).len() != object.is_some() as usize {
            return Err(self.error(place, format!("{method} has another number of arguments")));
        }
        if let Some(why) = self.names.wrong_result(id) {
            return Err(self.error(place, format!("{class}.{method} {why}")));
        }
        Ok(Companion::Method { method: id, object, waits: false })
    }

    /// The object that a trigger gets. After an alias, `{$REF}` is the target.
    fn parameter(&mut self, word: Word, when: When, suffix: &Regex) -> Result<Option<Object>, LoadError> {
        match self.relative(word, suffix)? {
            None => Err(self.error(
                word.1,
                format!("the argument of a trigger begins with {{$REF}} or {{$R_ANY}}, not {:?}", word.0),
            )),
            Some((_, Some(_))) => {
                Err(self.error(word.1, "fields after {$REF} or {$R_ANY} are not supported in a trigger"))
            }
            Some((Object::Prefix(_), _)) if when == When::Alias => {
                Err(self.error(word.1, "{$R_ANY} is not supported in the trigger of an alias"))
            }
            Some((Object::Up(steps), None)) if when == When::Alias => Ok(Some(Object::AboveIt(steps))),
            Some((object, None)) => Ok(Some(object)),
        }
    }

    fn pattern(&mut self, start: Start, regex: Regex, place: Place) -> Result<PatternId, LoadError> {
        let automaton = Automaton::new(&regex).map_err(|_| self.error(place, "this path expression is too large"))?;
        let pattern = Pattern { start, automaton };
        let known = self.hex.patterns.iter().position(|p| *p == pattern);
        Ok(PatternId(known.unwrap_or_else(|| {
            self.hex.patterns.push(pattern);
            self.hex.patterns.len() - 1
        }) as u32))
    }

    /// Where a path starts, and its expression: what `{R_ANY}` matches, and the rest.
    fn path(&self, word: Word) -> Result<(Start, Regex, Regex), LoadError> {
        let (text, place) = word;
        if let Some(rest) = text.strip_prefix("{ROOT}:") {
            let end = rest.find(['.', '(']).unwrap_or(rest.len());
            let name = (&rest[..end], after(word, "{ROOT}:".len()).1);
            self.only_a_name(name.0, name.1)?;
            self.is_input(name)?;
            let start = Start::Root(rest[..end].to_string());
            return Ok((start, Regex::Empty, self.steps(after(word, "{ROOT}:".len() + end))?));
        }
        if text.starts_with("{R_ANY}") {
            return Ok((Start::AnyRoot, anything(), self.steps(after(word, "{R_ANY}".len()))?));
        }
        Err(self.error(
            place,
            match text.chars().next() {
                Some('<') => "rules about the results of functions, <…>, are not supported",
                Some('[') => "rules about static fields, [Class].…, are not supported",
                _ => "a path begins with {ROOT}: or {R_ANY}",
            },
        ))
    }

    /// A rule about an input that there is not would never match, and nobody would know.
    fn is_input(&self, (name, place): Word) -> Result<(), LoadError> {
        let inputs = self.names.inputs();
        if inputs.iter().any(|(input, _)| input == name) || self.names.made_input(name).is_some() {
            return Ok(());
        }
        let error = self.error(place, format!("there is no input and no parameter {name}"));
        if self.names.program.semantics.loads_classes() && self.names.program.main.is_none() {
            return Err(error.help(Lacking::Entry("Class.method")));
        }
        Err(suggest(error, name, inputs.iter().map(|(input, _)| input.as_str())))
    }

    fn steps(&self, word: Word) -> Result<Regex, LoadError> {
        let mut at = 0;
        let regex = self.alternatives(word, &mut at, 0)?;
        match word.0[at..].chars().next() {
            None => Ok(regex),
            Some(')') => Err(self.error(after(word, at).1, "this parenthesis is not opened")),
            Some('*' | '+' | '?') => {
                Err(self.error(after(word, at).1, "a repetition follows a group in parentheses: (.field)*"))
            }
            Some(_) => Err(self.character(word, at)),
        }
    }

    /// What is about the characters of an origin, not its fields.
    fn character(&self, word: Word, at: usize) -> LoadError {
        let rest = &word.0[at..];
        let known = ["{°}", "{EOL}", "{UP}", "{MAX}", "{ROOT}", "{R_ANY}", "{$REF}", "{$R_ANY}"];
        let what = known
            .iter()
            .find(|k| rest.starts_with(**k))
            .map_or_else(|| rest.chars().take(1).collect(), |k| k.to_string());
        self.error(
            after(word, at).1,
            format!("{what:?} is not supported here: a path is made of .field and groups of them"),
        )
    }

    fn only_a_name(&self, name: &str, place: Place) -> Result<(), LoadError> {
        let strange = name.find(|c: char| !(c.is_alphanumeric() || "_$/:".contains(c)));
        match strange {
            Some(at) => Err(self.character((name, place), at)),
            None if name.is_empty() => Err(self.error(place, "a name is expected here")),
            None => Ok(()),
        }
    }

    fn alternatives(&self, word: Word, at: &mut usize, depth: u32) -> Result<Regex, LoadError> {
        let text = word.0;
        if depth > 100 {
            return Err(self.error(word.1, "this path is nested too deep"));
        }
        let mut all = vec![Vec::new()];
        loop {
            let rest = &text[*at..];
            if rest.starts_with('|') {
                *at += 1;
                all.push(Vec::new());
            } else if let Some(name) = rest.strip_prefix('.') {
                let end = name.find(['.', '(', ')', '|', '*', '+', '?']).unwrap_or(name.len());
                let place = after(word, *at + 1).1;
                *at += 1 + end;
                all.last_mut().expect("there is one").push(self.field(&name[..end], place)?);
            } else if rest.starts_with('(') {
                let opened = after(word, *at).1;
                *at += 1;
                let inner = self.alternatives(word, at, depth + 1)?;
                match text[*at..].chars().next() {
                    Some(')') => *at += 1,
                    None => return Err(self.error(opened, "this parenthesis is not closed")),
                    Some('*' | '+' | '?') => {
                        let message = "a repetition follows a group in parentheses: (.field)*";
                        return Err(self.error(after(word, *at).1, message));
                    }
                    Some(_) => return Err(self.character(word, *at)),
                }
                let repeated = match text[*at..].chars().next() {
                    Some('*') => Regex::Star(Box::new(inner)),
                    Some('+') => Regex::Plus(Box::new(inner)),
                    Some('?') => Regex::Choice(vec![Regex::Empty, inner]),
                    _ => {
                        all.last_mut().expect("there is one").push(inner);
                        continue;
                    }
                };
                *at += 1;
                all.last_mut().expect("there is one").push(repeated);
            } else {
                let mut list: Vec<Regex> = all.into_iter().map(Regex::Sequence).collect();
                return Ok(if list.len() == 1 { list.remove(0) } else { Regex::Choice(list) });
            }
        }
    }

    /// A field by name, or as `Class:name`.
    fn field(&self, text: &str, place: Place) -> Result<Regex, LoadError> {
        self.only_a_name(text, place)?;
        let (class, name) = match text.rsplit_once(':') {
            Some((class, name)) => (Some(self.class((class, place))?), name),
            None => (None, text),
        };
        let classes = class.map_or_else(|| self.names.everything().clone(), |class| self.names.objects_of(class));
        let mut fields = self.names.fields(&classes, name);
        fields.retain(|field| class.is_none_or(|class| self.names.program.field(*field).class == class));
        if fields.is_empty() {
            let message = match class {
                Some(class) => format!("class {} has no field {name} of its own", self.names.program.class(class).name),
                None => format!("no class has a field {name}"),
            };
            return Err(suggest(self.error(place, message), name, self.names.field_names(&classes).into_iter()));
        }
        Ok(Regex::Step(Letters::Fields(fields)))
    }
}

/// The rest of a word.
fn after<'a>((text, place): Word<'a>, at: usize) -> Word<'a> {
    (&text[at..], Place { source: place.source, offset: place.offset + at as u32 })
}

fn anything() -> Regex {
    Regex::Star(Box::new(Regex::Step(Letters::Anything)))
}
