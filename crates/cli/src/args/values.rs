//! How the values of options are written: times, sizes, numbers of objects, ranges, widths.

use std::time::Duration;

use lazuli::{Ints, Most};

/// A limit, or `none`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit<T>(pub Option<T>);

pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("{text} is not a time: write 500ms, 30s, 5m or 2h");
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..digits].parse().map_err(|_| wrong())?;
    let millis = match &text[digits..] {
        "ms" => 1,
        "s" | "" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return Err(wrong()),
    };
    number.checked_mul(millis).map(Duration::from_millis).ok_or_else(wrong)
}

pub fn parse_most(text: &str) -> Result<Most, String> {
    let (class, number) = match text.rsplit_once('=') {
        Some((class, number)) => (Some(class.to_string()), number),
        None => (None, text),
    };
    let number = number.parse().map_err(|_| format!("{text} is not a number of objects: write 3 or List.Node=3"))?;
    Ok(Most { class: class.filter(|class| !class.is_empty()), number })
}

pub fn parse_range(text: &str) -> Result<(i64, i64), String> {
    let numbers = text.split_once("..").and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    numbers.filter(|(low, high)| low <= high).ok_or_else(|| format!("{text} is not a range: write 0..3 or -1..5"))
}

pub fn parse_timeout(text: &str) -> Result<Limit<Duration>, String> {
    limit(text, parse_duration)
}

pub fn parse_memory(text: &str) -> Result<Limit<u64>, String> {
    limit(text, parse_size)
}

fn limit<T>(text: &str, parse: fn(&str) -> Result<T, String>) -> Result<Limit<T>, String> {
    match text {
        "none" => Ok(Limit(None)),
        _ => parse(text).map(|limit| Limit(Some(limit))),
    }
}

pub fn parse_size(text: &str) -> Result<u64, String> {
    let wrong = || format!("{text} is not a size: write 300M or 2G");
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..digits].parse().map_err(|_| wrong())?;
    let unit: u64 = match &text[digits..] {
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        "" => 1,
        _ => return Err(wrong()),
    };
    number.checked_mul(unit).ok_or_else(wrong)
}

pub fn parse_ints(text: &str) -> Result<Ints, String> {
    match text {
        "unbounded" => Ok(Ints::Unbounded),
        "8" | "16" | "32" | "64" => Ok(Ints::Bits(text.parse().expect("one of four numbers"))),
        _ => Err(format!("{text} is not one of unbounded, 8, 16, 32, 64")),
    }
}
