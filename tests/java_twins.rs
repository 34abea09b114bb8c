//! Random programs of the tiny language and their twins in Java, under random invariants and bounds: the same traces, each with the
//! same inputs.
//!
//! What the invariants mean is compared with its definition in the tiny language (`hex_agree.rs`); this carries it over to Java.

use crate::hex_agree::{companions, generate};
use crate::java;
use crate::random;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use java::twin;
use lazuli::Control;
use lazuli_engine::Outcome;
use lazuli_engine::config::{Config, HeapKind, Ints};
use lazuli_engine::witness::{Witness, WitnessObject};
use lazuli_invariant::Invariants;
use lazuli_invariant::hex;
use lazuli_lab::exact::collect::{Explored, collect};
use lazuli_lab::exact::picture;
use lazuli_program::Program;
use lazuli_program::ir::Semantics;
use lazuli_program::library::World;

/// Why programs are not compared.
const UNFINISHED: &str = "a trace has no end";

/// What the inputs of a program must be.
#[derive(Clone, Copy, PartialEq)]
enum With {
    Nothing,
    Hex,
    Companions,
    Scopes,
    Rules,
}

/// A program of the tiny language, and what it is explored with.
struct Pair {
    seed: u64,
    source: String,
    tiny: Program,
    /// The text, in the tiny language and in Java.
    invariants: Option<(String, String)>,
    with: With,
    k: Option<u32>,
}

impl Pair {
    /// `None` if its invariants do not fit its classes, or the program has no twin.
    fn new(seed: u64) -> Option<Pair> {
        let with = [With::Nothing, With::Hex, With::Companions, With::Scopes, With::Rules][seed as usize % 5];
        let put_away = seed % 3 == 2;
        let sketch =
            if put_away { random::generate::generate_put_away(seed) } else { random::generate::generate(seed) };
        // What uses an input directly does not load it, and in Java everything does.
        if sketch.is_bare() {
            return None;
        }
        let load =
            |source: &str| lazuli_program::load_text("random.pose", source.into()).expect("a program that loads");
        let mut source = sketch.source();
        let mut tiny = load(&source);
        if with == With::Companions {
            source = companions::add(&tiny, &source, seed);
            tiny = load(&source);
        }
        let k = (seed % 4 == 3).then_some(1 + (seed / 4 % 3) as u32);
        let mut pair = Pair { seed, source, tiny, invariants: None, with, k };
        if with == With::Nothing {
            return Some(pair);
        }
        let mut generator = generate::Generator::new(&pair.tiny, seed, with == With::Companions);
        let mut texts = std::iter::repeat_with(|| match with {
            With::Scopes => generator.rich_file(),
            With::Rules => generator.rules(),
            _ => generator.file(),
        });
        let text = texts.by_ref().take(20).find(|text| pair.read(&pair.tiny, text).is_ok())?;
        let renamed = twin::rename(&pair.tiny, seed, &text);
        pair.invariants = Some((text, renamed));
        Some(pair)
    }

    fn read(&self, program: &Program, text: &str) -> Result<hex::Hex, String> {
        let read = match self.with {
            With::Rules => hex::load_jbse_text(program, "random.jbse", text.into()),
            _ => hex::load_text(program, "random.hex", text.into()),
        };
        read.map_err(|error| error.to_string())
    }

    fn config(&self, program: &Program, text: Option<&String>, heap: HeapKind) -> Result<Config, String> {
        let hex = text.map(|text| self.read(program, text)).transpose()?;
        let invariants = hex.map(|hex| Invariants::of_hex(hex).shared());
        Ok(Config { heap, invariants, ints: Ints::Bits(32), ..random::config(&self.tiny, random::Bound::of_k(self.k)) })
    }

    /// Explores both under one model, and says where they differ; otherwise, how many traces they have.
    fn compare(&self, java: &Program, heap: HeapKind) -> Result<usize, String> {
        let texts = self.invariants.as_ref();
        let configs = [
            self.config(&self.tiny, texts.map(|(tiny, _)| tiny), heap)?,
            self.config(java, texts.map(|(_, java)| java), heap)?,
        ];
        let programs = [&self.tiny, java];
        let mut sides: Vec<Box<dyn Explored + '_>> = Vec::new();
        for (program, config) in programs.into_iter().zip(&configs) {
            sides.push(collect(program, config, program.main.expect("an entry"), &Control::default())?);
        }
        // Where a limit is met first is no part of what they mean.
        let mut ends = sides.iter().flat_map(|side| side.ends());
        if let Some(end) = ends.find(|end| matches!(end.outcome, Outcome::Stopped(_))) {
            return Err(format!("{UNFINISHED}: {}", end.outcome));
        }
        let mut flows = [HashMap::new(), HashMap::new()];
        for (from, to) in [(0, 1), (1, 0)] {
            for (trace, witness) in sides[from].witnesses() {
                let (from_end, language) = (&sides[from].ends()[trace], ["the tiny language", "Java"][from]);
                let (flow, outcome) = (from_end.flow, from_end.outcome.to_string().replace("java.lang.", ""));
                let heap = translate(programs[from], programs[to], self.seed, &witness)?;
                let found = sides[to].representing(&heap)?;
                let ends: Vec<_> = found.iter().map(|trace| &sides[to].ends()[*trace]).collect();
                let picture = || picture::draw(programs[from], &witness).join("\n  ");
                let [end] = ends[..] else {
                    let n = ends.len();
                    return Err(format!("{outcome} in {language}; {n} traces of the other cover\n  {}", picture()));
                };
                let other = end.outcome.to_string().replace("java.lang.", "");
                if other != outcome || *flows[from].entry(flow).or_insert(end.flow) != end.flow {
                    return Err(format!("{outcome} in {language}; the other has {other} for\n  {}", picture()));
                }
            }
        }
        // Where a companion gives a truth value, Java branches.
        match sides.iter().map(|side| side.ends().len()).collect::<Vec<_>>()[..] {
            [tiny, java] if tiny != java && self.with != With::Companions => {
                Err(format!("{tiny} traces, and {java} in Java"))
            }
            _ => Ok(sides[0].ends().len()),
        }
    }
}

/// A heap of one program as one of the other: the same names, but for the number of the twin.
fn translate(from: &Program, to: &Program, seed: u64, heap: &Witness) -> Result<Witness, String> {
    let is_java = to.semantics == Semantics::JAVA;
    let object = |object: &WitnessObject| {
        let name = &from.class(object.class).name;
        let name = if is_java { twin::class_name(seed, name) } else { name.replace(&twin::class_name(seed, ""), "") };
        let class = to.class_named(&name).ok_or(format!("an object of class {name}"))?;
        let fields = object.fields.iter().map(|(field, content)| {
            let field = to.field_named(class, &from.field(*field).name).ok_or(format!("a field of {name}"))?;
            Ok((field, *content))
        });
        let fields = fields.collect::<Result<Vec<_>, String>>()?;
        Ok(WitnessObject { class, name: object.name.clone(), existing: None, fields, elements: Vec::new() })
    };
    let objects = heap.objects.iter().map(object).collect::<Result<Vec<_>, String>>()?;
    Ok(Witness { roots: heap.roots.clone(), objects })
}

/// Compiles the twins of all pairs at once, each to a folder of its own: its classes are the whole world.
fn compile(pairs: &[Pair]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("java-twins");
    let _ = std::fs::remove_dir_all(&folder);
    let all = folder.join("all");
    std::fs::create_dir_all(&all).expect("a folder for the sources");
    let source = folder.join("Twins.java");
    let text: String = pairs.iter().map(|pair| twin::print(&pair.tiny, pair.seed)).collect();
    std::fs::write(&source, text).expect("the sources");
    let javac = std::env::var_os("JAVA_HOME").map_or("javac".into(), |home| Path::new(&home).join("bin/javac"));
    let status = Command::new(javac).args(["-g", "-nowarn", "-d"]).arg(&all).arg(&source).status().expect("javac runs");
    assert!(status.success(), "the twins do not compile");
    for pair in pairs {
        let own = folder.join(pair.seed.to_string());
        std::fs::create_dir(&own).expect("a folder for a twin");
        let names = pair.tiny.classes.iter().map(|class| twin::class_name(pair.seed, &class.name));
        for name in names.chain([twin::class_name(pair.seed, "Main")]) {
            let file = format!("{name}.class");
            std::fs::rename(all.join(&file), own.join(&file)).expect("a class of the twin");
        }
    }
    folder
}

#[test]
fn twins_have_the_same_traces() {
    let seeds = random::seeds::seeds(300);
    let programs = seeds.end - seeds.start;
    let pairs: Vec<Pair> = seeds.filter_map(Pair::new).collect();
    let folder = compile(&pairs);
    let (mut traces, mut compared, mut differences) = (0, 0, Vec::new());
    for pair in &pairs {
        let entry = format!("{}.run", twin::class_name(pair.seed, "Main"));
        let options = java::options(Some(&entry), World::default());
        let twin = lazuli_program::frontend::java::load(&folder.join(pair.seed.to_string()), &options);
        let twin = twin.unwrap_or_else(|error| panic!("{error}"));
        for heap in [HeapKind::Lazy, HeapKind::UberLazy, HeapKind::Summary, HeapKind::Pose, HeapKind::PoseIte] {
            match pair.compare(&twin, heap) {
                Ok(found) => (compared, traces) = (compared + 1, traces + found as u64),
                Err(reason) if reason.contains(UNFINISHED) || reason.contains("the bound on traces") => {}
                Err(reason) => {
                    let text = pair.invariants.as_ref().map_or("", |(text, _)| text);
                    let (seed, k, source) = (pair.seed, pair.k, &pair.source);
                    differences.push(format!("seed {seed} under {heap}, k {k:?}: {reason}\n{source}\n{text}"));
                }
            }
        }
    }
    println!("{} twins, {compared} comparisons, {traces} traces", pairs.len());
    assert!(differences.is_empty(), "{} differ:\n\n{}", differences.len(), differences.join("\n\n"));
    assert!(compared > 2 * programs && traces > 10 * compared, "too little was compared");
}
