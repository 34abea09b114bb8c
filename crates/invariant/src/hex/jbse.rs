//! The rules of JBSE, for JBSE's own semantics: see [`super::Semantics`]. A file has up to three parts, `init`, `resolve` and `trigger`,
//! each between `begin` and `end`; the classes of `init` are not about the heap. Comments are `-- …`.
//!
//! ```text
//! rule    := [path] "instanceof" TYPE what ["triggers" trigger] ";"          -- in `trigger`, only the trigger counts
//! what    := "not null" | "null" | "expands to" ("nothing" | "instanceof" TYPE)
//!          | "aliases" ("nothing" | "instanceof" TYPE | "target" target) | "never aliases target" target
//! target  := ["{MAX}"] (path | relative) | "{ROOT}:(?!{°}*" steps "{EOL}){°}*"
//! path    := ("{ROOT}:" VAR | "{R_ANY}" | "[" CLASS "]." STATIC) steps
//! relative := "{$REF}" { ".{UP}" } steps | "{$R_ANY}" steps
//! steps   := { "." [CLASS ":"] FIELD | "(" steps { "|" steps } ")" ["*" | "+" | "?"] }
//! trigger := CLASS ":" DESCRIPTOR ":" METHOD [":" relative]
//! ```
//!
//! There, paths are regular expressions over the characters of an origin; here, over its fields: `path` reads them. What is about single
//! characters is refused, with few exceptions, and so are the results of functions.

mod path;

use super::automaton::{Automaton, Letters, Regex};
use super::names::Names;
use super::*;
use lazuli_program::Lacking;
use lazuli_program::frontend::suggest;
use lazuli_program::source::Place;

/// Reads files whose rules hold together.
pub fn load(program: &Program, name: String, sources: &[Source]) -> Result<Hex, LoadError> {
    let hex = Hex { name, semantics: Semantics::Jbse, ..Hex::default() };
    let mut reader = Reader { names: Names::new(program), sources, hex, part: Part::Resolve };
    for (number, source) in (0..).zip(sources) {
        reader.file(&words(number, &source.text))?;
    }
    Ok(reader.hex)
}

/// The words of a file, and whether a semicolon ends each. Those within a method's descriptor are followed by more.
fn words(source: u32, text: &str) -> Vec<(Word<'_>, bool)> {
    let mut words = Vec::new();
    for line in text.lines() {
        for word in line.split("--").next().unwrap_or("").split_whitespace() {
            let offset = word.as_ptr() as usize - text.as_ptr() as usize;
            let code = word.strip_suffix(';');
            words.push(((code.unwrap_or(word), Place { source, offset: offset as u32 }), code.is_some()));
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

    fn file<'w>(&mut self, mut rest: &'w [(Word<'w>, bool)]) -> Result<(), LoadError> {
        while let Some(&((word, place), _)) = rest.first() {
            self.part = match word {
                "init" => Part::Init,
                "resolve" => Part::Resolve,
                "trigger" => Part::Trigger,
                _ => return Err(self.error(place, "init begin, resolve begin or trigger begin is expected here")),
            };
            match rest.get(1) {
                Some((("begin", _), _)) => rest = &rest[2..],
                _ => return Err(self.error(place, format!("begin is expected after {word}"))),
            }
            rest = self.part(word, place, rest)?;
        }
        Ok(())
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
            return self.array_class((name, place));
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

    /// `[C`, `[Ljava/lang/Object;`: as class files name the classes of arrays.
    fn array_class(&self, (name, place): Word) -> Result<ClassId, LoadError> {
        let element = name.trim_start_matches('[');
        // A semicolon at the end of a word has been taken for the end of the rule.
        let object = element.strip_prefix('L').map(|class| class.strip_suffix(';').unwrap_or(class));
        let known = match (&self.names.program.library, object) {
            (None, _) => return Err(self.error(place, format!("{name} is a class of arrays: only Java has them"))),
            (Some(_), Some(class)) => self.class((class, place)).is_ok(),
            (Some(_), None) => element.len() == 1 && "ZBCSIJFD".contains(element),
        };
        let Some(library) = self.names.program.library.as_deref().filter(|_| known) else {
            return Err(self.error(place, format!("there is no class {name}")));
        };
        let end = if object.is_some() && !name.ends_with(';') { ";" } else { "" };
        Ok(library.class_id(&format!("{name}{end}")))
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
        if let Some(excepted) = self.all_but(word)? {
            let too_large = |_| self.error(word.1, "this path expression is too large");
            let automaton = Automaton::new(&excepted).map_err(too_large)?.complement();
            return Ok(Target::Path { pattern: self.interned(Start::AnyRoot, automaton), max: false });
        }
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
        Ok(self.interned(start, automaton))
    }

    fn interned(&mut self, start: Start, automaton: Automaton) -> PatternId {
        let pattern = Pattern { start, automaton };
        let known = self.hex.patterns.iter().position(|p| *p == pattern);
        PatternId(known.unwrap_or_else(|| {
            self.hex.patterns.push(pattern);
            self.hex.patterns.len() - 1
        }) as u32)
    }
}

/// The rest of a word.
fn after<'a>((text, place): Word<'a>, at: usize) -> Word<'a> {
    (&text[at..], Place { source: place.source, offset: place.offset + at as u32 })
}

fn anything() -> Regex {
    Regex::Star(Box::new(Regex::Step(Letters::Anything)))
}
