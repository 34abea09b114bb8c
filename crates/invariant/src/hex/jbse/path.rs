//! The path expressions of JBSE's rules: regular expressions over the characters of an origin there, over its fields here. Of what is about
//! single characters, these are read: `.{°}*:f`, any path that ends in a field `f`; `a/(B|C):f`, classes of several names; and `{ROOT}:(?!…{EOL}){°}*`,
//! every origin but some.

use super::*;

impl Reader<'_> {
    /// Where a path starts, and its expression: what `{R_ANY}` matches, and the rest.
    pub(super) fn path(&self, word: Word) -> Result<(Start, Regex, Regex), LoadError> {
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
        if text.starts_with('[') {
            return self.static_start(word);
        }
        Err(self.error(
            place,
            match text.chars().next() {
                Some('<') => "rules about the results of functions, <…>, are not supported",
                _ => "a path begins with {ROOT}:, {R_ANY} or [Class]",
            },
        ))
    }

    /// `[Class].STATIC` and what follows. A static field is an input if somebody has said so; of others the rule says nothing, since they hold
    /// what the initialiser left.
    fn static_start(&self, word: Word) -> Result<(Start, Regex, Regex), LoadError> {
        let (text, place) = word;
        let Some(end) = text.find("].") else {
            return Err(self.error(place, "a static field is [Class].field"));
        };
        let class = self.class((&text[1..end], after(word, 1).1))?;
        let member = after(word, end + "].".len());
        let length = member.0.find(['.', '(']).unwrap_or(member.0.len());
        let name = member.0[..length].rsplit(':').next().unwrap_or_default();
        self.only_a_name(name, member.1)?;
        let owner = &self.names.program.class(class).name;
        if self.names.static_field(class, name).is_none() {
            return Err(self.error(member.1, format!("class {owner} has no static field {name}")));
        }
        let steps = self.steps(after(member, length))?;
        Ok((Start::Root(format!("{owner}.{name}")), Regex::Empty, steps))
    }

    /// Of `{ROOT}:(?!{°}*….{EOL}){°}*`, all origins but those: the ones that it excepts.
    pub(super) fn all_but(&self, word: Word) -> Result<Option<Regex>, LoadError> {
        let (before, behind) = ("{ROOT}:(?!", "{EOL}){°}*");
        let Some(rest) = word.0.strip_prefix(before) else { return Ok(None) };
        let excepted = after(word, before.len());
        let (Some(inner), true) = (rest.strip_suffix(behind), rest.starts_with("{°}*")) else {
            return Err(self.error(excepted.1, "what is excepted is written {ROOT}:(?!{°}*….{EOL}){°}*"));
        };
        let path = after((inner, excepted.1), "{°}*".len());
        let mut at = 0;
        let first = self.name(path, &mut at)?;
        let rest = self.steps(after(path, at))?;
        Ok(Some(Regex::Sequence(vec![anything(), first, rest])))
    }

    /// A rule about an input that there is not would never match, and nobody would know.
    fn is_input(&self, (name, place): Word) -> Result<(), LoadError> {
        let inputs = self.names.inputs();
        let known = inputs.iter().any(|(input, _)| input == name) || self.names.made_input(name).is_some();
        if known || self.names.parameter_beside_entry(name).is_some() {
            return Ok(());
        }
        let error = self.error(place, format!("there is no input and no parameter {name}"));
        if self.names.program.semantics.loads_classes() && self.names.program.main.is_none() {
            return Err(error.help(Lacking::Entry("Class.method")));
        }
        Err(suggest(error, name, inputs.iter().map(|(input, _)| input.as_str())))
    }

    pub(super) fn steps(&self, word: Word) -> Result<Regex, LoadError> {
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
            } else if rest.starts_with('.') {
                *at += 1;
                let step = self.name(word, at)?;
                all.last_mut().expect("there is one").push(step);
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

    /// A step behind its dot: a field; a field of one of several classes, `a/(B|C):name`; or any way to a field of a name, `{°}*:name`.
    fn name(&self, word: Word, at: &mut usize) -> Result<Regex, LoadError> {
        const ENDS: [char; 7] = ['.', '(', ')', '|', '*', '+', '?'];
        let (anywhere, start) = ("{°}*:", *at);
        let place = after(word, start).1;
        let text = &word.0[start..];
        if let Some(name) = text.strip_prefix(anywhere) {
            let length = name.find(ENDS).unwrap_or(name.len());
            *at += anywhere.len() + length;
            let field = self.field(&name[..length], after(word, start + anywhere.len()).1)?;
            return Ok(Regex::Sequence(vec![anything(), field]));
        }
        let end = text.find(ENDS).unwrap_or(text.len());
        let group = text[end..].strip_prefix('(').and_then(|group| Some((group, group.find(')')?)));
        let of_classes =
            group.filter(|(group, closed)| group[*closed + 1..].starts_with(':') && !group.starts_with('.'));
        let Some((group, closed)) = of_classes else {
            *at += end;
            return self.field(&text[..end], place);
        };
        let behind = &group[closed + 1..];
        let length = behind.find(ENDS).unwrap_or(behind.len());
        *at += end + "(".len() + closed + ")".len() + length;
        let fields = group[..closed].split('|').map(|class| {
            let name = [&text[..end], class, &behind[..length]].concat();
            self.field(&name, place)
        });
        Ok(Regex::Choice(fields.collect::<Result<_, _>>()?))
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
