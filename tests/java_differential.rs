//! Every method of `programs/java/instructions` and `programs/java/features`, and some of the JDK, on concrete inputs: by the engine, on constants, and
//! on the real JVM. The outcome, the value, and the class of an exception must be the same.
//!
//! Messages of exceptions are compared where both have one: exceptions that an instruction raises by itself are made without a
//! message here.
//!
//! `LAZULI_ONLY=TEXT` looks only at the methods whose names contain the text.

use crate::java;

use std::collections::BTreeMap;
use std::time::Instant;

use java::inputs::Inputs;
use lazuli_engine::concrete::{self, Answer};
use lazuli_engine::config::Config;

/// Methods that may differ, and why. One that does not differ any more must be taken off the list.
const EXCEPTIONS: &[(&str, &str)] = &[];

/// Methods of the JDK itself: its code is executed as it is, so it is one large program for the instructions.
const JDK: &[&str] = &[
    "java.lang.Integer.bitCount(I)I",
    "java.lang.Integer.reverse(I)I",
    "java.lang.Integer.reverseBytes(I)I",
    "java.lang.Integer.highestOneBit(I)I",
    "java.lang.Integer.numberOfLeadingZeros(I)I",
    "java.lang.Integer.numberOfTrailingZeros(I)I",
    "java.lang.Integer.rotateLeft(II)I",
    "java.lang.Integer.compareUnsigned(II)I",
    "java.lang.Integer.divideUnsigned(II)I",
    "java.lang.Integer.toString(I)Ljava/lang/String;",
    "java.lang.Integer.toString(II)Ljava/lang/String;",
    "java.lang.Integer.toHexString(I)Ljava/lang/String;",
    "java.lang.Integer.toBinaryString(I)Ljava/lang/String;",
    "java.lang.Integer.parseInt(Ljava/lang/String;)I",
    "java.lang.Integer.parseInt(Ljava/lang/String;I)I",
    "java.lang.Integer.valueOf(I)Ljava/lang/Integer;",
    "java.lang.Long.bitCount(J)I",
    "java.lang.Long.reverse(J)J",
    "java.lang.Long.toString(J)Ljava/lang/String;",
    "java.lang.Long.toHexString(J)Ljava/lang/String;",
    "java.lang.Long.divideUnsigned(JJ)J",
    "java.lang.Long.parseLong(Ljava/lang/String;)J",
    "java.lang.Math.floorDiv(II)I",
    "java.lang.Math.floorMod(JJ)J",
    "java.lang.Math.addExact(II)I",
    "java.lang.Math.multiplyExact(JJ)J",
    "java.lang.Math.multiplyHigh(JJ)J",
    "java.lang.Math.abs(D)D",
    "java.lang.Math.max(DD)D",
    "java.lang.Math.min(FF)F",
    "java.lang.Math.round(D)J",
    "java.lang.Math.round(F)I",
    "java.lang.Math.sqrt(D)D",
    "java.lang.Math.floor(D)D",
    "java.lang.Math.ceil(D)D",
    "java.lang.Math.rint(D)D",
    "java.lang.Math.signum(D)D",
    "java.lang.Math.ulp(D)D",
    "java.lang.Math.nextUp(F)F",
    "java.lang.Math.getExponent(D)I",
    "java.lang.Double.compare(DD)I",
    "java.lang.Double.hashCode(D)I",
    "java.lang.Double.toString(D)Ljava/lang/String;",
    "java.lang.Float.toString(F)Ljava/lang/String;",
    "java.lang.Double.parseDouble(Ljava/lang/String;)D",
    "java.lang.Character.isLetter(C)Z",
    "java.lang.Character.isDigit(C)Z",
    "java.lang.Character.toUpperCase(C)C",
    "java.lang.Character.getNumericValue(C)I",
    "java.lang.Boolean.parseBoolean(Ljava/lang/String;)Z",
    "java.util.Arrays.hashCode([I)I",
    "java.util.Arrays.toString([I)Ljava/lang/String;",
    "java.util.Arrays.equals([I[I)Z",
    "java.util.Arrays.compare([I[I)I",
    "java.util.Arrays.mismatch([I[I)I",
    "java.util.Arrays.binarySearch([II)I",
];

/// Requests for a method of several parameters, and random ones for each.
const COMBINATIONS: usize = 24;
const RANDOM: usize = 6;

#[test]
fn the_engine_and_the_jvm_agree() {
    let mut targets = java::methods(&["instructions", "features"]);
    targets.extend(JDK.iter().map(|target| target.to_string()));
    if let Ok(only) = std::env::var("LAZULI_ONLY") {
        targets.retain(|target| target.contains(&only));
    } else {
        assert!(targets.len() > 500, "there are only {} methods", targets.len());
    }
    let mut inputs = Inputs::read();
    let requests: Vec<String> =
        targets.iter().flat_map(|target| inputs.requests(target, COMBINATIONS, RANDOM)).collect();
    let on_jvm = {
        let requests = requests.clone();
        std::thread::spawn(move || java::run_on_jvm(&requests))
    };
    let program = java::program("instructions.IntArithmetic.add", 4, 4);
    let config = Config::default();
    let started = Instant::now();
    let ours: Vec<String> = requests.iter().map(|request| answer(&program, &config, request)).collect();
    println!("{} requests in {:?}", requests.len(), started.elapsed());
    let theirs = on_jvm.join().expect("no panic");

    let mut differing: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for ((request, ours), theirs) in requests.iter().zip(&ours).zip(&theirs) {
        if !agree(ours, theirs) {
            let target = request.split(' ').next().expect("a request names a method");
            let text = format!("{request}\n    engine: {ours}\n    JVM:    {theirs}");
            differing.entry(target).or_default().push(text);
        }
    }
    let excepted = |target: &str| EXCEPTIONS.iter().any(|(name, _)| target.starts_with(&format!("{name}(")));
    let unexpected: Vec<String> = differing
        .iter()
        .filter(|(target, _)| !excepted(target))
        .map(|(target, all)| format!("{target}: {} requests, such as\n  {}", all.len(), all[0]))
        .collect();
    assert!(unexpected.is_empty(), "{} methods differ:\n{}", unexpected.len(), unexpected.join("\n"));
    if std::env::var_os("LAZULI_ONLY").is_none() {
        for (name, why) in EXCEPTIONS {
            let differs = differing.keys().any(|target| target.starts_with(&format!("{name}(")));
            assert!(differs, "{name} does not differ any more: it is still excepted because {why}");
        }
    }
}

fn answer(program: &lazuli_program::Program, config: &Config, request: &str) -> String {
    match concrete::call(program, config, request) {
        Ok(Answer::Returned(value)) => format!("returned {value}"),
        Ok(Answer::Threw { class, message, .. }) => format!("threw {class} {}", message.as_deref().unwrap_or("-")),
        Ok(Answer::Stopped(why)) => format!("stopped {why}"),
        Err(error) => format!("error {error}"),
    }
}

fn agree(ours: &str, theirs: &str) -> bool {
    let without_message = |answer: &str| answer.splitn(3, ' ').take(2).collect::<Vec<_>>().join(" ");
    let silent = |answer: &str| answer.starts_with("threw ") && answer.ends_with(" -");
    match silent(ours) || silent(theirs) {
        true => without_message(ours) == without_message(theirs),
        false => ours == theirs,
    }
}
