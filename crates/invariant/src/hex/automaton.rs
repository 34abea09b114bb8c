//! Path expressions as finite automata: a regular expression over fields, and the deterministic automaton that the engine runs, one
//! transition a reference.

use rustc_hash::FxHashMap;

use lazuli_program::ir::FieldId;

/// One step of an access path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Selector {
    Field(FieldId),
    /// An element of an array.
    Index(u32),
}

/// What a position of a regular expression accepts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Letters {
    /// Fields of one name.
    Fields(Vec<FieldId>),
    Index(u32),
    AnyIndex,
    Anything,
}

impl Letters {
    fn accepts(&self, letter: Letter) -> bool {
        match (self, letter) {
            (Letters::Anything, _) => true,
            (Letters::Fields(fields), Letter::Field(field)) => fields.contains(&field),
            (Letters::Index(a), Letter::Index(b)) => *a == b,
            (Letters::AnyIndex, Letter::Index(_) | Letter::OtherIndex) => true,
            _ => false,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Regex {
    Empty,
    Step(Letters),
    Sequence(Vec<Regex>),
    Choice(Vec<Regex>),
    Star(Box<Regex>),
    /// Once or more often: not a sequence, which would write the expression twice.
    Plus(Box<Regex>),
}

/// A letter of the automaton's alphabet; those that the expression does not mention are one letter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Letter {
    Field(FieldId),
    OtherField,
    Index(u32),
    OtherIndex,
}

/// A state; [`DEAD`] leads nowhere.
pub type StateId = u16;
pub const DEAD: StateId = StateId::MAX;
pub const START: StateId = 0;

/// Larger automata are refused.
pub const MAX_STATES: usize = 1_000;
/// Longer expressions too.
pub const MAX_POSITIONS: usize = 1_000;

/// A deterministic automaton whose states all lead to acceptance, [`DEAD`] apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    letters: Vec<(Selector, u16)>,
    width: usize,
    next: Vec<StateId>,
    accepting: Vec<bool>,
}

impl Automaton {
    /// `Err`: the automaton would have more than [`MAX_STATES`] states.
    pub fn new(regex: &Regex) -> Result<Automaton, TooLarge> {
        let mut glushkov = Glushkov::default();
        let whole = glushkov.add(regex)?;
        let alphabet = glushkov.alphabet();
        let mut builder =
            Subsets { glushkov: &glushkov, whole: &whole, numbers: FxHashMap::default(), sets: Vec::new() };
        builder.number(vec![Glushkov::INITIAL])?;
        let mut next: Vec<StateId> = Vec::new();
        let mut done = 0;
        while done < builder.sets.len() {
            for &letter in &alphabet {
                let target = builder.step(done, letter);
                next.push(if target.is_empty() { DEAD } else { builder.number(target)? });
            }
            done += 1;
        }
        let accepting: Vec<bool> = builder.sets.iter().map(|set| builder.accepts(set)).collect();
        let letters = (0u16..)
            .zip(&alphabet)
            .filter_map(|(number, letter)| match *letter {
                Letter::Field(field) => Some((Selector::Field(field), number)),
                Letter::Index(index) => Some((Selector::Index(index), number)),
                Letter::OtherField | Letter::OtherIndex => None,
            })
            .collect();
        let mut automaton = Automaton { letters, width: alphabet.len(), next, accepting };
        automaton.cut_dead_ends();
        Ok(automaton)
    }

    pub fn states(&self) -> usize {
        self.accepting.len()
    }

    pub fn accepts(&self, state: StateId) -> bool {
        state != DEAD && self.accepting[state as usize]
    }

    pub fn step(&self, state: StateId, selector: Selector) -> StateId {
        if state == DEAD {
            return DEAD;
        }
        let known = self.letters.iter().find(|(s, _)| *s == selector).map(|(_, number)| *number as usize);
        let letter = known.unwrap_or(match selector {
            Selector::Field(_) => OTHER_FIELD,
            Selector::Index(_) => OTHER_INDEX,
        });
        self.next[state as usize * self.width + letter]
    }

    /// The indices that the expression names.
    pub fn indices(&self) -> impl Iterator<Item = u32> {
        self.letters.iter().filter_map(|(selector, _)| match selector {
            Selector::Index(index) => Some(*index),
            Selector::Field(_) => None,
        })
    }

    /// The fields that an accepted path ends with, if it is not empty; `None` if one may end with something else.
    pub fn last_fields(&self) -> Option<Vec<FieldId>> {
        let ends_with = |letter: usize| (0..self.states()).any(|s| self.accepts(self.next[s * self.width + letter]));
        if ends_with(OTHER_FIELD) || ends_with(OTHER_INDEX) {
            return None;
        }
        let last = self.letters.iter().filter(|(_, letter)| ends_with(*letter as usize));
        last.map(|(selector, _)| match selector {
            Selector::Field(field) => Some(*field),
            Selector::Index(_) => None,
        })
        .collect()
    }

    /// Whether a path of selectors is accepted.
    pub fn matches(&self, path: &[Selector]) -> bool {
        self.accepts(path.iter().fold(START, |state, selector| self.step(state, *selector)))
    }

    /// The automaton that accepts what this one does not.
    pub fn complement(&self) -> Automaton {
        let everything = self.states() as StateId;
        let alive = |target: &StateId| if *target == DEAD { everything } else { *target };
        let mut next: Vec<StateId> = self.next.iter().map(alive).collect();
        next.extend(vec![everything; self.width]);
        let accepting = self.accepting.iter().map(|accepting| !accepting).chain([true]).collect();
        let mut other = Automaton { letters: self.letters.clone(), width: self.width, next, accepting };
        other.cut_dead_ends();
        other
    }

    /// States from which nothing is accepted any more become [`DEAD`].
    fn cut_dead_ends(&mut self) {
        let mut alive = self.accepting.clone();
        loop {
            let reaches = |state: usize| {
                let row = &self.next[state * self.width..(state + 1) * self.width];
                row.iter().any(|target| *target != DEAD && alive[*target as usize])
            };
            let more: Vec<usize> = (0..alive.len()).filter(|s| !alive[*s] && reaches(*s)).collect();
            if more.is_empty() {
                break;
            }
            for state in more {
                alive[state] = true;
            }
        }
        for target in &mut self.next {
            if *target != DEAD && !alive[*target as usize] {
                *target = DEAD;
            }
        }
    }
}

/// Why a path expression was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TooLarge {
    Positions,
    States,
}

/// The first two letters of every alphabet.
const OTHER_FIELD: usize = 0;
const OTHER_INDEX: usize = 1;

/// The positions of an expression, and which may follow which.
#[derive(Default)]
struct Glushkov {
    positions: Vec<Letters>,
    follow: Vec<Vec<u16>>,
}

struct Part {
    nullable: bool,
    first: Vec<u16>,
    last: Vec<u16>,
}

impl Glushkov {
    /// The position before the first step.
    const INITIAL: u16 = u16::MAX;

    fn add(&mut self, regex: &Regex) -> Result<Part, TooLarge> {
        Ok(match regex {
            Regex::Empty => Part { nullable: true, first: Vec::new(), last: Vec::new() },
            Regex::Step(letters) => {
                let at = self.positions.len() as u16;
                if self.positions.len() >= MAX_POSITIONS {
                    return Err(TooLarge::Positions);
                }
                self.positions.push(letters.clone());
                self.follow.push(Vec::new());
                Part { nullable: false, first: vec![at], last: vec![at] }
            }
            Regex::Sequence(list) => {
                let mut whole = Part { nullable: true, first: Vec::new(), last: Vec::new() };
                for regex in list {
                    let part = self.add(regex)?;
                    self.connect(&whole.last, &part.first);
                    if whole.nullable {
                        whole.first.extend(&part.first);
                    }
                    match part.nullable {
                        true => whole.last.extend(&part.last),
                        false => whole.last = part.last,
                    }
                    whole.nullable &= part.nullable;
                }
                whole
            }
            Regex::Choice(list) => {
                let mut whole = Part { nullable: false, first: Vec::new(), last: Vec::new() };
                for regex in list {
                    let part = self.add(regex)?;
                    whole.nullable |= part.nullable;
                    whole.first.extend(part.first);
                    whole.last.extend(part.last);
                }
                whole
            }
            Regex::Star(regex) => Part { nullable: true, ..self.repeated(regex)? },
            Regex::Plus(regex) => self.repeated(regex)?,
        })
    }

    fn repeated(&mut self, regex: &Regex) -> Result<Part, TooLarge> {
        let part = self.add(regex)?;
        self.connect(&part.last, &part.first);
        Ok(part)
    }

    fn connect(&mut self, from: &[u16], to: &[u16]) {
        for &position in from {
            let follow = &mut self.follow[position as usize];
            for &next in to {
                if !follow.contains(&next) {
                    follow.push(next);
                }
            }
        }
    }

    fn alphabet(&self) -> Vec<Letter> {
        let mut letters = vec![Letter::OtherField, Letter::OtherIndex];
        for position in &self.positions {
            let new: Vec<Letter> = match position {
                Letters::Fields(fields) => fields.iter().map(|f| Letter::Field(*f)).collect(),
                Letters::Index(index) => vec![Letter::Index(*index)],
                Letters::AnyIndex | Letters::Anything => Vec::new(),
            };
            for letter in new {
                if !letters.contains(&letter) {
                    letters.push(letter);
                }
            }
        }
        letters
    }
}

/// The subset construction.
struct Subsets<'a> {
    glushkov: &'a Glushkov,
    whole: &'a Part,
    numbers: FxHashMap<Vec<u16>, StateId>,
    sets: Vec<Vec<u16>>,
}

impl Subsets<'_> {
    fn number(&mut self, set: Vec<u16>) -> Result<StateId, TooLarge> {
        if let Some(known) = self.numbers.get(&set) {
            return Ok(*known);
        }
        if self.sets.len() >= MAX_STATES {
            return Err(TooLarge::States);
        }
        let number = self.sets.len() as StateId;
        self.numbers.insert(set.clone(), number);
        self.sets.push(set);
        Ok(number)
    }

    fn step(&self, state: usize, letter: Letter) -> Vec<u16> {
        let mut target: Vec<u16> = Vec::new();
        for &position in &self.sets[state] {
            let follow = match position {
                Glushkov::INITIAL => &self.whole.first,
                position => &self.glushkov.follow[position as usize],
            };
            target.extend(follow.iter().filter(|p| self.glushkov.positions[**p as usize].accepts(letter)));
        }
        target.sort_unstable();
        target.dedup();
        target
    }

    fn accepts(&self, set: &[u16]) -> bool {
        set.iter().any(|position| match *position {
            Glushkov::INITIAL => self.whole.nullable,
            position => self.whole.last.contains(&position),
        })
    }
}
