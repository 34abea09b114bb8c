//! The rules of JBSE (`resolve begin … resolve end`), for JBSE's own semantics: see [`super::Semantics`].
//!
//! ```text
//! rule   := [path] "instanceof" TYPE what [ "triggers" CLASS ":" DESCRIPTOR ":" METHOD [ ":" object ] ] [";"]
//! what   := "not" "null" | "null" | "expands" "to" ("nothing" | "instanceof" TYPE)
//!         | "aliases" ("nothing" | "instanceof" TYPE | "target" target)
//! target := ["{MAX}"] path | object
//! path   := ("{ROOT}:" VAR | "{R_ANY}") { "." FIELD | "(" alternatives ")" ["*" | "+" | "?"] }
//! object := "{$REF}" { ".{UP}" } | "{$R_ANY}"
//! ```

use super::automaton::{Automaton, Letters, Regex};
use super::*;
use crate::frontend::suggest;
use crate::source::Place;

pub fn load(program: &Program, name: String, sources: &[Source]) -> Result<Hex, LoadError> {
    let hex = Hex { name, semantics: Semantics::Jbse, ..Hex::default() };
    let mut reader = Reader { program, sources, hex };
    let mut inside = None;
    for rule in rules(&sources[0].text) {
        match rule.words.iter().map(|(word, _)| *word).collect::<Vec<_>>().as_slice() {
            ["resolve", "begin"] => inside = Some(rule.words[0].1),
            ["resolve", "end"] if inside.is_some() => inside = None,
            _ if inside.is_some() => reader.rule(&rule)?,
            // The other parts of a settings file are not about the heap.
            _ => {}
        }
    }
    match inside {
        Some(place) => Err(LoadError::at(sources, place, "resolve begin without resolve end")),
        None => Ok(reader.hex),
    }
}

/// A rule: its words, each with its place.
struct Rule<'a> {
    words: Vec<(&'a str, Place)>,
}

/// Rules end with a line or with a semicolon.
fn rules(text: &str) -> Vec<Rule<'_>> {
    let mut rules = Vec::new();
    for line in text.lines() {
        let code = line.split("//").next().unwrap_or("");
        let code = code.split('%').next().unwrap_or("");
        for part in code.split_inclusive(';') {
            let mut words = Vec::new();
            for word in part.trim_end_matches(';').split_whitespace() {
                let start = word.as_ptr() as usize - text.as_ptr() as usize;
                words.push((word.trim_end_matches(';'), Place { source: 0, offset: start as u32 }));
            }
            if !words.is_empty() {
                rules.push(Rule { words });
            }
        }
    }
    rules
}

struct Reader<'a> {
    program: &'a Program,
    sources: &'a [Source],
    hex: Hex,
}

type Word<'a> = (&'a str, Place);

impl Reader<'_> {
    fn error(&self, place: Place, message: impl Into<String>) -> LoadError {
        LoadError::at(self.sources, place, message)
    }

    fn rule(&mut self, rule: &Rule) -> Result<(), LoadError> {
        let mut words = rule.words.as_slice();
        let first = words[0];
        let (start, suffix) = match first.0 {
            "instanceof" => (Start::AnyRoot, None),
            _ => {
                words = &words[1..];
                self.path(first)?
            }
        };
        let (start, suffix) = (start, suffix.unwrap_or_else(|| (anything(), Regex::Empty)));
        let of_type = self.instance_of(&mut words, first.1)?;
        let pattern = self.pattern(start, Regex::Sequence(vec![suffix.0, suffix.1.clone()]), first.1)?;
        let (clauses, when) = self.what(&mut words, &suffix.1, first.1)?;
        let mut events = Vec::new();
        if let [("triggers", _), trigger, rest @ ..] = words {
            events.push(Event { when, companion: self.trigger(*trigger, when, &suffix.1)? });
            words = rest;
        }
        if let Some((word, place)) = words.first() {
            return Err(self.error(*place, format!("{word:?} is not expected here")));
        }
        let text = rule.words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(" ");
        self.hex.statements.push(Statement { pattern, clauses, events, text, of_type: Some(of_type) });
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
        let fits = |class: &str| class == name || class.replace('.', "/") == name;
        let found = self.program.classes.iter().position(|c| fits(&c.name));
        found.map(|i| ClassId(i as u32)).ok_or_else(|| {
            let error = self.error(place, format!("there is no class {name}"));
            suggest(error, name, self.program.classes.iter().map(|c| c.name.as_str()))
        })
    }

    fn what(&mut self, words: &mut &[Word], suffix: &Regex, place: Place) -> Result<(Vec<Clause>, When), LoadError> {
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
                (Some(Clause::Aliases(vec![self.target(*target, suffix)?])), When::Alias, rest)
            }
            _ => {
                let place = words.first().map_or(place, |w| w.1);
                return Err(self.error(place, "not null, null, expands to or aliases is expected here"));
            }
        };
        *words = rest;
        Ok((clause.into_iter().collect(), when))
    }

    fn target(&mut self, word: Word, suffix: &Regex) -> Result<Target, LoadError> {
        if let Some(object) = self.object(word, suffix)? {
            return Ok(Target::Object(object));
        }
        let max = word.0.starts_with("{MAX}");
        let rest = if max { (&word.0["{MAX}".len()..], word.1) } else { word };
        let (start, regex) = self.path(rest)?;
        let (before, after) = regex.unwrap_or((anything(), Regex::Empty));
        let pattern = self.pattern(start, Regex::Sequence(vec![before, after]), word.1)?;
        Ok(Target::Path { pattern, max })
    }

    /// `{$REF}`, an object above it, or the longest prefix that `{R_ANY}` has matched.
    fn object(&mut self, (text, place): Word, suffix: &Regex) -> Result<Option<Object>, LoadError> {
        if text == "{$R_ANY}" {
            let pattern = self.pattern(Start::AnyRoot, suffix.clone(), place)?;
            return Ok(Some(Object::Prefix(pattern)));
        }
        let Some(rest) = text.strip_prefix("{$REF}") else {
            return match text.contains("{$") {
                true => Err(self.error(place, "only {$REF}, {$REF}.{UP} and {$R_ANY} are understood here")),
                false => Ok(None),
            };
        };
        let up = rest.matches(".{UP}").count();
        if rest != ".{UP}".repeat(up) {
            return Err(self.error(place, "after {$REF} only .{UP} is understood"));
        }
        Ok(Some(if up == 0 { Object::It } else { Object::Up(up as u32) }))
    }

    fn trigger(&mut self, (text, place): Word, when: When, suffix: &Regex) -> Result<Companion, LoadError> {
        let parts: Vec<&str> = text.split(':').collect();
        let [class, _, method, argument @ ..] = parts.as_slice() else {
            return Err(self.error(place, "a trigger is Class:descriptor:method, and perhaps :object"));
        };
        let owner = self.class((class, place))?;
        let named = |m: &crate::ir::Method| m.class == Some(owner) && m.name == *method;
        let Some(index) = self.program.methods.iter().position(named) else {
            return Err(self.error(place, format!("class {class} has no method {method}")));
        };
        let object = match argument {
            [] => None,
            [object] => self.object((object, place), suffix)?,
            _ => return Err(self.error(place, "a trigger has at most one argument")),
        };
        if when == When::Null && object == Some(Object::It) {
            return Err(self.error(place, "{$REF} is null here: {$REF}.{UP} is the object that holds it"));
        }
        if self.program.methods[index].parameters != object.is_some() as usize {
            return Err(self.error(place, format!("{method} has another number of arguments")));
        }
        Ok(Companion::Method { method: MethodId(index as u32), object })
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
    #[allow(clippy::type_complexity)]
    fn path(&self, (text, place): Word) -> Result<(Start, Option<(Regex, Regex)>), LoadError> {
        if let Some(rest) = text.strip_prefix("{ROOT}:") {
            let end = rest.find(['.', '(']).unwrap_or(rest.len());
            let start = Start::Root(rest[..end].to_string());
            return Ok((start, Some((Regex::Empty, self.steps(&rest[end..], place)?))));
        }
        let rest = text.strip_prefix("{R_ANY}").or_else(|| text.strip_prefix("{ANY}"));
        match rest {
            Some(rest) => Ok((Start::AnyRoot, Some((anything(), self.steps(rest, place)?)))),
            None => Err(self.error(place, "a path begins with {ROOT}: or {R_ANY}")),
        }
    }

    fn steps(&self, text: &str, place: Place) -> Result<Regex, LoadError> {
        let mut at = 0;
        let regex = self.alternatives(text, &mut at, place, 0)?;
        if at < text.len() {
            return Err(self.error(place, format!("{:?} is not understood in this path", &text[at..])));
        }
        Ok(regex)
    }

    fn alternatives(&self, text: &str, at: &mut usize, place: Place, depth: u32) -> Result<Regex, LoadError> {
        if depth > 100 {
            return Err(self.error(place, "this path is nested too deep"));
        }
        let mut all = vec![Vec::new()];
        loop {
            let rest = &text[*at..];
            if rest.starts_with('|') {
                *at += 1;
                all.push(Vec::new());
            } else if let Some(name) = rest.strip_prefix('.') {
                let end = name.find(['.', '(', ')', '|', '*', '+', '?']).unwrap_or(name.len());
                *at += 1 + end;
                all.last_mut().expect("there is one").push(self.field(&name[..end], place)?);
            } else if rest.starts_with('(') {
                *at += 1;
                let inner = self.alternatives(text, at, place, depth + 1)?;
                if !text[*at..].starts_with(')') {
                    return Err(self.error(place, "a parenthesis of this path is not closed"));
                }
                *at += 1;
                let repeated = match text[*at..].chars().next() {
                    Some('*') => Regex::Star(Box::new(inner)),
                    Some('+') => Regex::Sequence(vec![inner.clone(), Regex::Star(Box::new(inner))]),
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
        let name = text.rsplit(':').next().expect("a last part");
        let named = (0..).map(FieldId).zip(&self.program.fields).filter(|(_, f)| f.name == name);
        let fields: Vec<FieldId> = named.map(|(id, _)| id).collect();
        if fields.is_empty() {
            let error = self.error(place, format!("no class has a field {name}"));
            return Err(suggest(error, name, self.program.fields.iter().map(|f| f.name.as_str())));
        }
        Ok(Regex::Step(Letters::Fields(fields)))
    }
}

fn anything() -> Regex {
    Regex::Star(Box::new(Regex::Step(Letters::Anything)))
}
