//! The branches of a path as its reader sees them: one for every decision of the program's own code, with its place, in the words of the source.
//!
//! While a path is executed only marks are left (`trail.rs`). Here they become text, when the path has ended and somebody wants to know. What
//! the library decided is folded into the call of it; checks that nobody wrote are told only where they failed.

use std::fmt;

use lazuli_logic::Term;
use lazuli_program::frontend::java::phrase::{Gives, Phrase, char_literal, simple_name};
use lazuli_program::ir::{ClassId, FieldId, Instr, MethodId, Type};
use serde::{Deserialize, Serialize};

use crate::context::{Holder, Resolution};
use crate::executor::Executor;
use crate::heap::{Case, Found, HeapModel};
use crate::known::BOXES;
use crate::outcome::NULL_POINTER;
use crate::shared::is_shared;
use crate::state::State;
use crate::trail::{Mark, Resolved, What};
use crate::wording::{is_null_test, say, say_null, say_switched, say_symbol, with_article};

/// A line of a source.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Line {
    /// The name of the file, as the class file has it.
    pub file: String,
    /// 0 where that is not known.
    pub line: u32,
    /// The class whose code stands there, with its package; empty in the tiny languages.
    pub class: String,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.file),
            line => write!(f, "{}:{line}", self.file),
        }
    }
}

/// Something that a path decided in the program's own code.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Branch {
    pub place: Line,
    /// What holds, about the inputs: `amount <= this.balance`.
    pub text: String,
    /// What holds in the words of the code, if these are others: `i < items.length`.
    pub code: Option<String>,
}

impl Branch {
    /// What it is in the program, whatever it says of the inputs.
    pub fn code(&self) -> &str {
        self.code.as_deref().unwrap_or(&self.text)
    }
}

/// What holds about the inputs, and in the words of the code if these are others.
type Told = (String, Option<String>);

/// What a call of the library has decided is told if it takes no more than this many conditions.
const MAX_DECIDED: usize = 3;

impl<M: HeapModel> Executor<'_, M> {
    /// A case is about to be taken: its mark.
    pub(crate) fn mark(&mut self, state: &mut State<M::Heap>, case: &Case<M::Change>) {
        if state.quiet.is_some() || !state.companions.is_empty() {
            return;
        }
        if state.trail.is_inside() {
            return self.mark_within(state, case.guard);
        }
        let Some(own) = state.frames.iter().rposition(|frame| self.is_own(frame.method)) else { return };
        let (method, pc) = (state.frames[own].method, state.frames[own].pc);
        let caller = own.checked_sub(1).map(|caller| (state.frames[caller].method, state.frames[caller].pc));
        let called = caller.filter(|(method, _)| self.is_own(*method));
        if own + 1 < state.frames.len() {
            state.trail.enter(Mark { method, pc, called, what: What::Inside }, own + 1);
            return self.mark_within(state, case.guard);
        }
        let resolution = case.change.as_ref().and_then(|change| self.model.resolution(change));
        let resolution = resolution.filter(|to| !matches!(to, Resolution::Existing(_)));
        let what = match (resolution, &case.change) {
            (Some(to), Some(change)) => {
                let reference = self.model.reference(&mut self.cx, &state.heap, change);
                let reference = match (reference.symbol.and_then(|s| self.cx.terms.as_symbol(s)), reference.holder) {
                    (Some(symbol), _) => Resolved::Symbol(symbol),
                    (None, Holder::Field(object, field)) => Resolved::Field(object, field),
                    (None, _) => Resolved::Other,
                };
                What::Resolved { reference, to }
            }
            _ => What::Case { guard: case.guard, found: case.found, is_branch: case.counted },
        };
        state.trail.push(Mark { method, pc, called, what });
    }

    /// What the library decides is kept where its code asks: checks that nobody wrote tell nothing.
    fn mark_within(&self, state: &mut State<M::Heap>, guard: Term) {
        let frame = state.frames.last().expect("a running state has a frame");
        let code = &self.cx.program.method(frame.method).code;
        if matches!(code.get(frame.pc as usize), Some(Instr::Branch { .. } | Instr::Switch { .. })) {
            state.trail.within(guard);
        }
    }

    /// Whether a method is the program's own code, and not a library's.
    pub(crate) fn is_own(&mut self, method: MethodId) -> bool {
        let Some(library) = self.cx.library() else { return true };
        let class = library.declared(method).class;
        let entry = library.declared(self.entry).class;
        *self.worded.own.entry(class).or_insert_with(|| {
            let outermost = |class: ClassId| library.internal_name(class).split('$').next().unwrap_or_default();
            library.is_programs(class) || outermost(class) == outermost(entry)
        })
    }

    /// The branches of an ended path, in order, none of them twice.
    pub fn branches(&mut self, state: &State<M::Heap>) -> Vec<Branch> {
        let marks = state.trail.marks();
        let mut branches: Vec<Branch> = Vec::new();
        let mut rest = marks.iter().peekable();
        while let Some(mark) = rest.next() {
            let told = match mark.what {
                What::Case { guard, found, is_branch } => {
                    self.case_in_words(mark, guard, found, is_branch).into_iter().collect()
                }
                What::Resolved { reference, to } => {
                    let text = self.resolved_in_words(state, reference, to);
                    text.map(|text| (text, None)).into_iter().collect()
                }
                What::Inside => {
                    let within = std::iter::from_fn(|| rest.next_if(|next| matches!(next.what, What::Within(_))));
                    let within: Vec<What> = within.map(|mark| mark.what).collect();
                    let back = rest.next_if(|next| matches!(next.what, What::Back(_) | What::Threw));
                    self.call_in_words(mark, &within, back.map(|mark| mark.what))
                }
                What::Within(_) | What::Back(_) | What::Threw => Vec::new(),
            };
            for (text, code) in told {
                let code = code.filter(|code| *code != text);
                let branch = Branch { place: self.line(mark.method, mark.pc), text, code };
                if !branches.contains(&branch) {
                    branches.push(branch);
                }
            }
        }
        branches
    }

    /// The line of an instruction.
    pub fn line(&self, method: MethodId, pc: u32) -> Line {
        let program = self.cx.program;
        let (path, line, _) = program.place(method, pc as usize);
        let name = std::path::Path::new(&path).file_name();
        let file = name.map_or_else(|| path.clone(), |name| name.to_string_lossy().into_owned());
        let class = match self.cx.library() {
            Some(library) => library.internal_name(library.declared(method).class).replace('/', "."),
            None => String::new(),
        };
        Line { file, line: line as u32, class }
    }

    fn phrase(&mut self, mark: &Mark) -> Phrase {
        self.worded.phrase(&self.cx, mark.method, mark.pc)
    }

    fn said(&mut self, condition: Term) -> Option<String> {
        self.worded.condition(&self.cx, condition)
    }

    /// What holds in a case, about the inputs and in the words of the code. Nothing of a check that nobody wrote and that was passed.
    fn case_in_words(&mut self, mark: &Mark, guard: Term, found: Option<Found>, is_branch: bool) -> Option<Told> {
        if let Some(Found::Around(comes)) = found {
            return self.said(guard).filter(|_| comes).map(|text| (text, None));
        }
        let failed = matches!(found, Some(Found::Throw(_)));
        let instr = &self.cx.program.method(mark.method).code[mark.pc as usize];
        let is_test = matches!(instr, Instr::Branch { .. } | Instr::Switch { .. } | Instr::Assert { .. });
        let alternative = match found {
            Some(Found::Alternative(number)) => Some(number),
            _ => None,
        };
        if is_test && is_branch {
            let code = match (self.phrase(mark), instr) {
                // The first alternative is that the condition of the instruction holds.
                (Phrase::Test { holds, fails }, _) => Some(if alternative == Some(0) { holds } else { fails }),
                (Phrase::Switch { value }, Instr::Switch { .. }) => self.switched(&value, guard),
                _ => None,
            };
            let said = match instr {
                Instr::Switch { .. } => say_switched(&self.cx, guard),
                _ => self.said(guard),
            };
            return match (said, code) {
                // The same, turned around: then as the code has it.
                (Some(said), Some(code)) if are_alike(&said, &code) => Some((code, None)),
                // What takes several conditions to say is said better by the code.
                (Some(said), Some(code)) if is_compound(&said) && !is_compound(&code) => {
                    Some((self.in_call(mark, code), None))
                }
                (Some(said), code) => Some((said, code)),
                (None, Some(code)) => Some((self.in_call(mark, code), None)),
                (None, None) => Some((shortened(&self.cx.show(guard)), None)),
            };
        }
        if matches!(found, Some(Found::Method(_))) {
            // Which method a call runs is told by the class of the receiver.
            let class = self
                .said(guard)
                .filter(|text| [" is a ", " is an "].iter().any(|is| text.contains(is)) && !text.contains("&&"));
            return class.map(|text| (text, None));
        }
        // What is possible may depend on whether a reference is null: then that is decided before the instruction looks.
        if found.is_none()
            && let Some(is_null) = is_null_test(&self.cx, guard)
        {
            return self.looked_at_in_words(mark, guard, is_null, is_test).map(|text| (text, None));
        }
        // The second alternative of a check is that it fails.
        if !failed && alternative != Some(1) {
            return None;
        }
        let text = match self.phrase(mark) {
            Phrase::Access { object } => format!("{object} == null"),
            Phrase::Call { receiver: Some(receiver), .. } => format!("{receiver} == null"),
            Phrase::Element { array, index } => match instr {
                Instr::CheckIndex { .. } => format!("{index} is not an index of {array}"),
                Instr::CheckStore { .. } => format!("{array} cannot hold the element"),
                _ => format!("{array} == null"),
            },
            Phrase::Length { length } => format!("{length} < 0"),
            Phrase::Divide { divisor } => format!("{divisor} == 0"),
            Phrase::Cast { value, class } => format!("{value} is not {}", with_article(&class)),
            Phrase::Test { .. } | Phrase::Switch { .. } | Phrase::Call { .. } | Phrase::Other => {
                return self.said(guard).map(|text| (text, None));
            }
        };
        let said = match found {
            Some(Found::Throw(NULL_POINTER)) => say_null(&self.cx, guard),
            _ => self.said(guard),
        };
        match said {
            Some(said) => Some((said, Some(text))),
            None => Some((self.in_call(mark, text), None)),
        }
    }

    /// A reference that was found to be null, or not: that it is not is told only where the code asks.
    fn looked_at_in_words(&mut self, mark: &Mark, guard: Term, is_null: bool, is_test: bool) -> Option<String> {
        if !is_null && !is_test {
            return None;
        }
        if let Some(said) = self.said(guard) {
            return Some(said);
        }
        match self.phrase(mark) {
            Phrase::Call { receiver: Some(receiver), .. } => Some(self.in_call(mark, format!("{receiver} == null"))),
            _ => None,
        }
    }

    /// A condition in the words of a method that the entry has called, where the names mean something else than in the entry: with the call.
    fn in_call(&mut self, mark: &Mark, code: String) -> String {
        let Some((method, pc)) = mark.called else { return code };
        match self.worded.phrase(&self.cx, method, pc) {
            Phrase::Call { text, .. } => format!("{code} in {text}"),
            _ => code,
        }
    }

    fn switched(&mut self, value: &str, guard: Term) -> Option<String> {
        let said = say_switched(&self.cx, guard);
        // Enums are switched on by a table that the compiler writes.
        let value = match value.split_once("$SwitchMap$") {
            Some((_, rest)) => rest.split_once('[').map_or(rest, |(_, value)| value.trim_end_matches(".ordinal()]")),
            None => value,
        };
        Some(match said {
            Some(said) => format!("switch ({value}): {said}"),
            None => format!("switch ({value})"),
        })
    }

    /// A reference that a model which enumerates has resolved.
    fn resolved_in_words(&mut self, state: &State<M::Heap>, reference: Resolved, to: Resolution) -> Option<String> {
        let name = match reference {
            Resolved::Symbol(symbol) => say_symbol(&self.cx, symbol)?,
            Resolved::Field(object, field) => {
                let holder = self.model.show(&mut self.cx, &state.heap, Term::location(object));
                format!("{holder}.{}", self.cx.program.field(field).name)
            }
            Resolved::Other => return None,
        };
        Some(match to {
            Resolution::Null => format!("{name} == null"),
            Resolution::NotNull => format!("{name} != null"),
            // Its guard says which one.
            Resolution::Existing(_) => return None,
            Resolution::New => format!("{name} is an object of its own"),
            Resolution::Object(object) => {
                let other = self.model.show(&mut self.cx, &state.heap, Term::location(object));
                format!("{name} is {other}")
            }
        })
    }

    /// What a call of the library came to: what it gave, where that is known, and otherwise what it decided about the inputs.
    fn call_in_words(&mut self, mark: &Mark, within: &[What], back: Option<What>) -> Vec<Told> {
        let Phrase::Call { text, receiver, gives } = self.phrase(mark) else { return Vec::new() };
        let given = match (back, gives) {
            (Some(What::Back(value)), Gives::Truth) => match say(&self.cx, value, Some(Type::Bool)).as_deref() {
                Some("true") => Some(text.clone()),
                Some("false") => Some(format!("!{text}")),
                _ => None,
            },
            (Some(What::Back(value)), Gives::Char) => {
                let unit = self.cx.terms.as_bits(value);
                unit.map(|(_, unit)| format!("{text} == {}", char_literal(unit as u16)))
            }
            (Some(What::Back(value)), Gives::Other) => self.given_in_words(&text, receiver.as_deref(), value),
            (Some(What::Threw), _) => Some(format!("{text} throws")),
            _ => Some(text.clone()),
        };
        if let Some(given) = given {
            return vec![(given, None)];
        }
        let mut decided: Vec<String> = Vec::new();
        for what in within {
            let What::Within(guard) = what else { continue };
            // Bits are the library's business.
            let is_told = |text: &String| text != "true" && !text.contains(" >>> ") && !is_compound(text);
            decided.extend(self.said(*guard).filter(is_told));
        }
        let is_one = decided.len() == 1;
        let decided = tightest(&decided);
        if decided.len() > MAX_DECIDED {
            return Vec::new();
        }
        // How often the library went round is no other behaviour of the program.
        let goes_round = |said: &str| !is_one && !is_plain(said);
        let code = |said: &str| goes_round(said).then(|| text.clone());
        decided.into_iter().map(|said| (said.clone(), code(&said))).collect()
    }

    /// What a call gave, if that says something of the inputs: an object without a name does not, nor does a value that is only computed from them.
    fn given_in_words(&mut self, text: &str, receiver: Option<&str>, value: Term) -> Option<String> {
        let shown = say(&self.cx, value, None)?;
        // A builder gives itself, and what is asked of a value under another name says nothing of it.
        let is_itself = receiver == Some(shown.as_str());
        let says_nothing = shown == text || is_itself || is_same_call(text, &shown);
        (self.cx.terms.is_constant(value) && !says_nothing).then(|| format!("{text} == {shown}"))
    }

    /// Whether a path gives the same for all its inputs: a number, or a text or constant that is known.
    pub fn is_fixed(&mut self, state: &State<M::Heap>, value: Term) -> bool {
        match value.as_location() {
            Some(location) => is_shared(location) || self.show_value(state, value).starts_with('"'),
            None => self.cx.terms.is_constant(value),
        }
    }

    /// The result of a path about the inputs, as the source would write it; nothing where it does not depend on them.
    pub fn said_value(&mut self, state: &State<M::Heap>, value: Term) -> Option<String> {
        if value.as_location().is_some() {
            return self.said_object(&mut state.clone(), value, 0);
        }
        if self.cx.terms.is_constant(value) {
            return None;
        }
        let result = self.cx.program.method(self.entry).result;
        say(&self.cx, value, Some(result))
    }

    /// A box, a record or an `Optional` that the path has made, by what it holds: `new Range(a.low, b.high)`.
    fn said_object(&mut self, state: &mut State<M::Heap>, object: Term, depth: u32) -> Option<String> {
        let location = object.as_location()?;
        let library = self.cx.library()?;
        if is_shared(location) || depth > MAX_SAID {
            return None;
        }
        let [(class, _)] = *self.model.classes(&mut self.cx, &state.heap, object).as_slice() else { return None };
        let internal = library.internal_name(class);
        let own: Vec<FieldId> =
            library.class(class).layout.iter().copied().filter(|f| library.field(*f).class == class).collect();
        if let Some((_, ty)) = BOXES.iter().find(|(name, _)| *name == internal) {
            let value = self.read(state, object, *own.first()?).ok()?;
            return say(&self.cx, value, Some(*ty));
        }
        let above = library.class(class).superclass?;
        let maker = match internal {
            "java/util/Optional" => "Optional.of".to_string(),
            _ if library.internal_name(above) == "java/lang/Record" => format!("new {}", simple_name(internal)),
            _ => return None,
        };
        let mut parts = Vec::new();
        for field in own {
            let part = self.read(state, object, field).ok()?;
            parts.push(match part.as_location() {
                Some(_) if self.is_fixed(state, part) => self.show_value(state, part),
                Some(_) => self.said_object(state, part, depth + 1)?,
                None => say(&self.cx, part, Some(library.field(field).ty))?,
            });
        }
        Some(format!("{maker}({})", parts.join(", ")))
    }
}

/// Records within records are said to this depth.
const MAX_SAID: u32 = 2;

/// Whether a condition is about one thing, wherever the library looks for it: it is null, or an object of a class.
fn is_plain(text: &str) -> bool {
    let subject = text.trim_start_matches('!').split(' ').next().unwrap_or_default();
    let is_asked = text.ends_with(".isPresent()") || text.ends_with(".isEmpty()");
    is_asked || !subject.contains(['(', '[']) && ["null", " is a ", " is an "].iter().any(|word| text.contains(word))
}

/// Conditions without those that follow from others: of the bounds of one thing the tightest, and its value where they meet.
fn tightest(conditions: &[String]) -> Vec<String> {
    let mut bounds: Vec<(&str, Option<i64>, Option<i64>)> = Vec::new();
    let mut order: Vec<Result<usize, &String>> = Vec::new();
    for text in conditions {
        let (subject, low, high) = match Comparison::of(text) {
            Some(Comparison::AtLeast(subject, low)) => (subject, Some(low), None),
            Some(Comparison::AtMost(subject, high)) => (subject, None, Some(high)),
            _ => {
                if !order.contains(&Err(text)) {
                    order.push(Err(text));
                }
                continue;
            }
        };
        let at = bounds.iter().position(|(known, ..)| *known == subject).unwrap_or_else(|| {
            bounds.push((subject, None, None));
            order.push(Ok(bounds.len() - 1));
            bounds.len() - 1
        });
        let bound = &mut bounds[at];
        bound.1 = bound.1.max(low);
        bound.2 = bound.2.into_iter().chain(high).min();
    }
    let written = |part: &Result<usize, &String>| match part {
        Err(text) => vec![text.to_string()],
        Ok(at) => match bounds[*at] {
            (subject, Some(low), Some(high)) if low == high => vec![format!("{subject} == {low}")],
            (subject, low, high) => {
                let low = low.map(|low| format!("{subject} >= {low}"));
                low.into_iter().chain(high.map(|high| format!("{subject} <= {high}"))).collect()
            }
        },
    };
    // What is not negative in any case is no condition.
    let is_told = |text: &String| !text.ends_with(".length >= 0") && !text.ends_with(".length() >= 0");
    order.iter().flat_map(written).filter(is_told).collect()
}

/// Whether two texts are calls of the same method with the same arguments, whatever they are called on.
fn is_same_call(a: &str, b: &str) -> bool {
    let call = |text: &str| text.split_once('.').map(|(_, call)| call.to_string()).filter(|call| call.ends_with(')'));
    call(a).is_some() && call(a) == call(b)
}

/// Whether a condition has several parts, or parts that nobody knows.
fn is_compound(text: &str) -> bool {
    ["&&", "||", "…", " ? "].iter().any(|sign| text.contains(sign))
}

/// Whether two comparisons say the same, whichever way they are turned: `1 <= n` and `n > 0`.
fn are_alike(a: &str, b: &str) -> bool {
    let (a, b) = (Comparison::of(a), Comparison::of(b));
    a.is_some() && a == b
}

/// A comparison in one form: smaller first, numbers on the right and part of it.
#[derive(PartialEq, Eq)]
enum Comparison<'a> {
    AtLeast(&'a str, i64),
    AtMost(&'a str, i64),
    Less(&'a str, &'a str),
    LessOrEqual(&'a str, &'a str),
    Equal([&'a str; 2]),
    Differs([&'a str; 2]),
}

impl<'a> Comparison<'a> {
    fn of(text: &'a str) -> Option<Comparison<'a>> {
        let mut words = text.split_whitespace().filter(|word| ["<", "<=", ">", ">=", "==", "!="].contains(word));
        let sign = words.next()?;
        if words.next().is_some() || text.contains("&&") || text.contains("||") {
            return None;
        }
        let (left, right) = text.split_once(&format!(" {sign} "))?;
        let (left, sign, right) = match sign {
            ">" => (right, "<", left),
            ">=" => (right, "<=", left),
            sign => (left, sign, right),
        };
        let numbers = (left.parse::<i64>().ok(), right.parse::<i64>().ok());
        Some(match (sign, numbers) {
            ("<", (Some(low), None)) => Comparison::AtLeast(right, low.checked_add(1)?),
            ("<=", (Some(low), None)) => Comparison::AtLeast(right, low),
            ("<", (None, Some(high))) => Comparison::AtMost(left, high.checked_sub(1)?),
            ("<=", (None, Some(high))) => Comparison::AtMost(left, high),
            ("<", _) => Comparison::Less(left, right),
            ("<=", _) => Comparison::LessOrEqual(left, right),
            ("==", _) => Comparison::Equal([left.min(right), left.max(right)]),
            _ => Comparison::Differs([left.min(right), left.max(right)]),
        })
    }
}

/// Formulas that have no form in the source are shown up to this length.
const MAX_FORMULA: usize = 120;

fn shortened(formula: &str) -> String {
    let line = formula.replace('\n', " ");
    match line.char_indices().nth(MAX_FORMULA) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_bounds_the_tightest_are_told() {
        let told = |conditions: &[&str]| tightest(&conditions.iter().map(|c| c.to_string()).collect::<Vec<_>>());
        assert_eq!(
            told(&["a.length > 0", "o == null", "a.length > 1", "a.length <= 2"]),
            ["a.length == 2", "o == null"]
        );
        assert_eq!(told(&["n > 3", "n < 9", "n > 5", "a is b", "a is b"]), ["n >= 6", "n <= 8", "a is b"]);
        assert!(told(&["a.length >= 0"]).is_empty());
    }

    #[test]
    fn comparisons_are_alike_whichever_way_they_are_turned() {
        for (a, b) in [("1 <= n", "n > 0"), ("n < 10", "n <= 9"), ("a < b", "b > a"), ("a == b", "b == a")] {
            assert!(are_alike(a, b), "{a} and {b}");
        }
        for (a, b) in
            [("a < b", "b < a"), ("a == null", "a != null"), ("n < 1", "n > 0"), ("a", "a"), ("1 <= n - 1", "n > 0")]
        {
            assert!(!are_alike(a, b), "{a} and {b}");
        }
    }
}
