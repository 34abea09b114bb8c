//! Text to S-expressions, as Racket reads them: `()`, `[]` and `{}` are interchangeable but must match; comments are
//! `; …` to the end of the line, `#| … |#`, which nest, and `#;`, which hides the datum after it.
//!
//! The reader keeps its own stack and refuses what is nested too deeply, so that everything after it may recurse.

use crate::source::{LoadError, Place, Source};

/// Lists nested deeper than this are refused.
pub const MAX_DEPTH: usize = 10_000;

pub struct Datum<'t> {
    pub kind: Kind<'t>,
    pub place: Place,
}

pub enum Kind<'t> {
    Word(&'t str),
    Int(i64),
    List(Vec<Datum<'t>>),
}

impl<'t> Datum<'t> {
    /// The word, if it is one.
    pub fn word(&self) -> Option<&'t str> {
        match self.kind {
            Kind::Word(word) => Some(word),
            _ => None,
        }
    }

    pub fn is(&self, word: &str) -> bool {
        self.word() == Some(word)
    }

    pub fn list(&self) -> Option<&[Datum<'t>]> {
        match &self.kind {
            Kind::List(items) => Some(items),
            _ => None,
        }
    }

    /// How an error message speaks of it.
    pub fn show(&self) -> String {
        match &self.kind {
            Kind::Word(word) => format!("`{word}`"),
            Kind::Int(value) => format!("`{value}`"),
            Kind::List(items) => match items.first() {
                None => "`()`".into(),
                Some(Datum { kind: Kind::Word(word), .. }) if items.len() > 1 => format!("`({word} …)`"),
                Some(Datum { kind: Kind::Word(word), .. }) => format!("`({word})`"),
                Some(_) => "a list".into(),
            },
        }
    }
}

/// The data of a source, in order.
pub fn read(sources: &[Source], source: u32) -> Result<Vec<Datum<'_>>, LoadError> {
    let text = &sources[source as usize].text;
    let mut reader = Reader { sources, source, text, at: 0, open: Vec::new(), inner: Level::default() };
    while reader.skip_blank()? {
        reader.next()?;
    }
    match reader.open.last() {
        Some(unclosed) => {
            let message = format!("this `{}` is not closed", unclosed.bracket);
            Err(LoadError::at(sources, unclosed.place, message))
        }
        None => reader.inner.finish(sources),
    }
}

/// The data of the innermost list so far.
#[derive(Default)]
struct Level<'t> {
    items: Vec<Datum<'t>>,
    /// The `#;` that still wait for the datum they hide.
    hiding: Vec<Place>,
}

impl<'t> Level<'t> {
    fn add(&mut self, datum: Datum<'t>) {
        if self.hiding.pop().is_none() {
            self.items.push(datum);
        }
    }

    fn finish(self, sources: &[Source]) -> Result<Vec<Datum<'t>>, LoadError> {
        match self.hiding.last() {
            Some(place) => Err(LoadError::at(sources, *place, "nothing follows this `#;`")),
            None => Ok(self.items),
        }
    }
}

/// A list whose end is not reached, with what was read of the one around it.
struct Open<'t> {
    bracket: char,
    place: Place,
    outer: Level<'t>,
}

struct Reader<'t> {
    sources: &'t [Source],
    source: u32,
    text: &'t str,
    at: usize,
    open: Vec<Open<'t>>,
    inner: Level<'t>,
}

impl<'t> Reader<'t> {
    fn place(&self) -> Place {
        Place { source: self.source, offset: self.at as u32 }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn error(&self, message: impl Into<String>) -> LoadError {
        LoadError::at(self.sources, self.place(), message)
    }

    /// Skips blanks and comments; false at the end of the text.
    fn skip_blank(&mut self) -> Result<bool, LoadError> {
        loop {
            let rest = self.rest();
            match rest.chars().next() {
                None => return Ok(false),
                Some(c) if c.is_whitespace() => self.at += c.len_utf8(),
                Some(';') => self.at += rest.find('\n').unwrap_or(rest.len()),
                Some('#') if rest.starts_with("#|") => self.skip_block()?,
                Some(_) => return Ok(true),
            }
        }
    }

    fn skip_block(&mut self) -> Result<(), LoadError> {
        let bytes = self.rest().as_bytes();
        let (mut depth, mut at) = (1, 2);
        while depth > 0 {
            match bytes.get(at..at + 2) {
                Some(b"#|") => (depth, at) = (depth + 1, at + 2),
                Some(b"|#") => (depth, at) = (depth - 1, at + 2),
                Some(_) => at += 1,
                None => return Err(self.error("this comment is not closed")),
            }
        }
        self.at += at;
        Ok(())
    }

    /// A bracket, a word or a number.
    fn next(&mut self) -> Result<(), LoadError> {
        let place = self.place();
        let c = self.rest().chars().next().expect("not at the end");
        match c {
            '(' | '[' | '{' => {
                if self.open.len() >= MAX_DEPTH {
                    return Err(self.error(format!("lists are nested deeper than {MAX_DEPTH} levels here")));
                }
                self.at += 1;
                let outer = std::mem::take(&mut self.inner);
                self.open.push(Open { bracket: c, place, outer });
            }
            ')' | ']' | '}' => self.close(c)?,
            '#' if self.rest().starts_with("#;") => {
                self.at += 2;
                self.inner.hiding.push(place);
            }
            _ => {
                let kind = self.atom(c)?;
                self.inner.add(Datum { kind, place });
            }
        }
        Ok(())
    }

    fn close(&mut self, bracket: char) -> Result<(), LoadError> {
        let Some(Open { bracket: opening, place, outer }) = self.open.pop() else {
            return Err(self.error(format!("this `{bracket}` closes nothing")));
        };
        let wanted = match opening {
            '(' => ')',
            '[' => ']',
            _ => '}',
        };
        if bracket != wanted {
            let (line, column) = place.line_column(self.sources);
            return Err(self
                .error(format!("expected `{wanted}`, found `{bracket}`"))
                .help(format!("it closes the `{opening}` in line {line}, column {column}")));
        }
        let items = std::mem::replace(&mut self.inner, outer).finish(self.sources)?;
        self.inner.add(Datum { kind: Kind::List(items), place });
        self.at += 1;
        Ok(())
    }

    fn atom(&mut self, first: char) -> Result<Kind<'t>, LoadError> {
        let rest = self.rest();
        let ends = |c: char| c.is_whitespace() || c.is_control() || "()[]{};\"'`,|\\#".contains(c);
        let end = rest.find(ends).unwrap_or(rest.len());
        if end == 0 {
            return Err(self.error(format!("unexpected character {first:?}")));
        }
        let word = &rest[..end];
        let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
        if !digits.starts_with(|c: char| c.is_ascii_digit()) {
            self.at += end;
            return Ok(Kind::Word(word));
        }
        let value = word.parse().map_err(|_| {
            let all = digits.chars().all(|c| c.is_ascii_digit());
            self.error(format!("{word} {}", if all { "is too large for a 64-bit literal" } else { "is not a number" }))
        })?;
        self.at += end;
        Ok(Kind::Int(value))
    }
}
