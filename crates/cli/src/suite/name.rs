//! Names of tests: the method, what decides, and what comes of it, `withdraw_whenAmountGreaterThanBalance_throwsIllegalArgumentException`.

use std::collections::BTreeSet;

/// Longer conditions are not put into a name.
const MAX_CONDITION: usize = 60;
/// So many conditions are put into a name at most.
const MAX_CONDITIONS: usize = 3;

/// What a name is made of.
#[derive(Clone)]
pub struct Parts {
    pub method: String,
    /// What was decided, in order, in the words of the source.
    pub conditions: Vec<String>,
    /// What comes of it, as a verb and more: `returnsTrue`.
    pub effect: String,
}

/// Names for the tests of one method, no two alike: as few conditions as make a difference, the last ones first.
pub fn names(parts: &[Parts], taken: &mut BTreeSet<String>) -> Vec<String> {
    let candidates: Vec<Vec<String>> = parts.iter().map(candidates).collect();
    let mut names = Vec::new();
    for (number, own) in candidates.iter().enumerate() {
        let is_anothers = |name: &&String| {
            let others = candidates.iter().enumerate().filter(|(other, _)| *other != number);
            !others.into_iter().any(|(_, candidates)| candidates.contains(name)) && !taken.contains(*name)
        };
        let name = own.iter().find(is_anothers).or_else(|| own.iter().find(|name| !taken.contains(*name)));
        let base = name.or(own.last()).cloned().unwrap_or_default();
        let numbered = (2..).map(|number| format!("{base}_{number}"));
        let free = std::iter::once(base.clone()).chain(numbered).find(|name| !taken.contains(name));
        let name = free.unwrap_or(base);
        taken.insert(name.clone());
        names.push(name);
    }
    names
}

/// What a test may be called, the shortest first.
fn candidates(parts: &Parts) -> Vec<String> {
    let conditions: Vec<String> = parts
        .conditions
        .iter()
        .map(|text| phrase(text))
        .filter(|text| !text.is_empty() && text.len() <= MAX_CONDITION)
        .collect();
    let Parts { method, effect, .. } = parts;
    let mut candidates = Vec::new();
    if parts.conditions.is_empty() {
        candidates.push(format!("{method}_{effect}"));
    }
    // The last condition is the one that decides; then each of the others, then several of them.
    candidates.extend(conditions.iter().rev().map(|condition| format!("{method}_when{condition}_{effect}")));
    for number in 2..=MAX_CONDITIONS.min(conditions.len()) {
        let last = &conditions[conditions.len() - number..];
        candidates.push(format!("{method}_when{}_{effect}", last.join("And")));
    }
    if candidates.is_empty() {
        candidates.push(format!("{method}_{effect}"));
    }
    candidates
}

/// Operators of the source, in words. Longer ones come first.
const WORDS: [(&str, &str); 19] = [
    ("==", " Is "),
    ("!=", " IsNot "),
    ("<=", " AtMost "),
    (">=", " AtLeast "),
    ("&&", " And "),
    ("||", " Or "),
    ("<", " LessThan "),
    (">", " GreaterThan "),
    ("!", " Not "),
    ("+", " Plus "),
    ("-", " Minus "),
    ("*", " Times "),
    ("/", " By "),
    ("%", " Mod "),
    ("&", " And "),
    ("|", " Or "),
    ("^", " Xor "),
    ("[", " At "),
    ("()", " "),
];

/// A condition as a part of a name, in letters and digits only: `AmountGreaterThanBalance`.
pub fn phrase(condition: &str) -> String {
    // Of a switch the case is said, and of a lambda nothing.
    let case = condition.strip_prefix("switch ").and_then(|switch| switch.split_once(": ")).map(|(_, case)| case);
    let mut text = case.unwrap_or(condition).replace("this.", "").replace("switch ", "").replace("-> …", "");
    // Negative numbers are no differences.
    for (before, after) in
        [("== -", "== Minus "), ("< -", "< Minus "), ("> -", "> Minus "), ("= -", "= Minus "), ("\"\"", " Empty ")]
    {
        text = text.replace(before, after);
    }
    for (symbol, word) in WORDS {
        text = text.replace(symbol, word);
    }
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(capitalised).collect()
}

/// With a capital.
pub fn capitalised(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + characters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_words() {
        assert_eq!(phrase("amount > this.balance"), "AmountGreaterThanBalance");
        assert_eq!(phrase("this.head == null"), "HeadIsNull");
        assert_eq!(phrase("!name.isEmpty()"), "NotNameIsEmpty");
        assert_eq!(phrase("x == -1"), "XIsMinus1");
        assert_eq!(phrase("switch c: c == Color.RED"), "CIsColorRED");
        assert_eq!(phrase("s.filter(… -> …).findFirst() throws"), "SFilterFindFirstThrows");
        assert_eq!(phrase("at is not an index of digits"), "AtIsNotAnIndexOfDigits");
    }

    #[test]
    fn names_are_short_and_no_two_are_alike() {
        let parts = |conditions: &[&str], effect: &str| Parts {
            method: "put".into(),
            conditions: conditions.iter().map(|text| text.to_string()).collect(),
            effect: effect.into(),
        };
        let all = [
            parts(&["a > 0", "b > 0"], "returnsTrue"),
            parts(&["a > 0", "b <= 0"], "returnsTrue"),
            parts(&["a <= 0"], "throwsError"),
            parts(&["a > 0", "b > 0"], "returnsTrue"),
        ];
        let found = names(&all, &mut BTreeSet::new());
        assert_eq!(found[1], "put_whenBAtMost0_returnsTrue");
        assert_eq!(found[2], "put_whenAAtMost0_throwsError");
        assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), 4, "{found:?}");
    }
}
