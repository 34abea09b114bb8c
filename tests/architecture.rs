//! The architecture, read off the `use` lines: which crates may use which, and that no modules of one crate use each other in a circle. What it
//! means is in docs/architecture.md.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use lazuli_logic::solver::Stage;

/// Every crate of the project with those that it may use.
const ARROWS: [(&str, &[&str]); 7] = [
    ("logic", &[]),
    ("program", &[]),
    ("engine", &["program", "logic"]),
    ("invariant", &["engine", "program", "logic"]),
    ("explore", &["invariant", "engine", "program", "logic"]),
    ("lab", &["explore", "invariant", "engine", "program", "logic"]),
    ("cli", &["lab", "explore", "invariant", "engine", "program", "logic"]),
];

/// The name by which other crates use one.
fn library(name: &str) -> String {
    match name {
        "explore" => "lazuli".into(),
        other => format!("lazuli_{other}"),
    }
}

/// The sources below a folder, without those that are only tests.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.map(|entry| entry.expect("a readable folder").path()) {
        match path.is_dir() {
            true => all.extend(sources(&path)),
            false if ["tests.rs", "testing.rs"].iter().any(|name| path.ends_with(name)) => {}
            false if path.extension().is_some_and(|extension| extension == "rs") => all.push(path),
            false => {}
        }
    }
    all.sort();
    all
}

fn root(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates").join(name).join("src")
}

/// The code of a file, without its comments and its own tests.
fn code(path: &Path) -> String {
    let text = std::fs::read_to_string(path).expect("a readable source");
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The names that follow a prefix such as `crate::`, also in braces.
fn named_after(text: &str, prefix: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut names = BTreeSet::new();
    for (at, _) in text.match_indices(prefix) {
        if text[..at].chars().next_back().is_some_and(is_part) {
            continue;
        }
        let rest = &text[at + prefix.len()..];
        let group = match rest.strip_prefix('{') {
            Some(group) => &group[..group.find('}').unwrap_or(group.len())],
            None => &rest[..rest.find(|c: char| !is_part(c)).unwrap_or(rest.len())],
        };
        let firsts = group.split(',').map(|part| part.trim().split("::").next().unwrap_or_default().to_string());
        names.extend(firsts);
    }
    names
}

/// The modules of a crate's root, each with those that it uses.
fn modules(name: &str) -> BTreeMap<String, BTreeSet<String>> {
    let root = root(name);
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in sources(&root) {
        let first = path.strip_prefix(&root).expect("below the root").components().next().expect("a file");
        let module = first.as_os_str().to_string_lossy().trim_end_matches(".rs").to_string();
        if !["lib", "main"].contains(&module.as_str()) {
            uses.entry(module).or_default().extend(named_after(&code(&path), "crate::"));
        }
    }
    let all: BTreeSet<String> = uses.keys().cloned().collect();
    for (module, used) in &mut uses {
        used.retain(|other| other != module && all.contains(other));
    }
    uses
}

/// A way from a module back to itself, if there is one.
fn circle(uses: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    fn search(uses: &BTreeMap<String, BTreeSet<String>>, way: &mut Vec<String>, done: &mut BTreeSet<String>) -> bool {
        let module = way.last().expect("a way has a module").clone();
        for next in &uses[&module] {
            if let Some(at) = way.iter().position(|before| before == next) {
                way.drain(..at);
                way.push(next.clone());
                return true;
            }
            if !done.contains(next) {
                way.push(next.clone());
                if search(uses, way, done) {
                    return true;
                }
                way.pop();
            }
        }
        done.insert(module);
        false
    }
    let mut done = BTreeSet::new();
    for module in uses.keys() {
        let mut way = vec![module.clone()];
        if !done.contains(module) && search(uses, &mut way, &mut done) {
            return Some(way);
        }
    }
    None
}

#[test]
fn arrows_between_crates_point_one_way() {
    let listed: BTreeSet<&str> = ARROWS.iter().map(|(name, _)| *name).collect();
    let crates = std::fs::read_dir(root("logic").join("../..")).expect("the crates");
    for folder in crates.map(|entry| entry.expect("a readable folder").file_name()) {
        assert!(listed.contains(&*folder.to_string_lossy()), "{folder:?} has no arrows");
    }
    for (name, allowed) in ARROWS {
        for path in sources(&root(name)) {
            let code = code(&path);
            for (other, _) in ARROWS.iter().filter(|(other, _)| *other != name && !allowed.contains(other)) {
                let used = !named_after(&code, &format!("{}::", library(other))).is_empty();
                assert!(!used, "{name} must not use {other}: {}", path.display());
            }
        }
    }
}

#[test]
fn modules_of_one_crate_use_each_other_in_no_circle() {
    for (name, _) in ARROWS {
        if let Some(way) = circle(&modules(name)) {
            panic!("the modules of {name} use each other in a circle: {}", way.join(" -> "));
        }
    }
}

/// Terms and solving serve every language. (That programs know nothing of terms is an arrow.)
#[test]
fn logic_mentions_no_java() {
    for path in sources(&root("logic")) {
        let code = code(&path).to_lowercase();
        assert!(!code.contains("java"), "{} mentions Java", path.display());
    }
}

/// Who listens to a heap model, and what for, is not its matter.
#[test]
fn heap_models_mention_no_invariants() {
    let engine = root("engine");
    let models = sources(&engine.join("heap")).into_iter().chain([engine.join("heap.rs")]);
    for path in models {
        let text = std::fs::read_to_string(&path).expect("a readable source").to_lowercase();
        for word in ["invariant", "backbone", "hex"] {
            assert!(!text.contains(word), "{} mentions {word}", path.display());
        }
    }
}

/// The table of the solver's stages is the chain itself, each stage in the file that the table names.
#[test]
fn the_documentation_of_the_chain_is_true() {
    let text = std::fs::read_to_string("../docs/architecture.md").expect("the documentation is there");
    let table = text.split("| stage | file | answers |").nth(1).expect("a table of stages");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let rows: Vec<Vec<&str>> =
        rows.map(|row| row.split('|').map(|cell| cell.trim().trim_matches('`')).collect()).collect();
    let names: Vec<&str> = rows.iter().map(|row| row[1]).collect();
    assert_eq!(names, Stage::ALL.iter().map(|stage| stage.name()).collect::<Vec<_>>());
    for row in rows {
        assert!(root("logic").join("solver").join(row[2]).is_file(), "{} is not there", row[2]);
    }
}

/// The tests of a crate are one binary, and every file of them is a part of it: one that nobody names would never be run.
#[test]
fn every_file_of_tests_is_in_its_binary() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf();
    let folders = ARROWS.iter().map(|(name, _)| root(name).join("../tests")).filter(|folder| folder.is_dir());
    for folder in folders.chain([own]) {
        let files = std::fs::read_dir(&folder).expect("a readable folder");
        let files = files.map(|entry| entry.expect("a readable folder").path());
        let files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|end| end == "rs")).collect();
        let binary = folder.join("all.rs");
        if let [_] = files[..] {
            continue;
        }
        let listed = std::fs::read_to_string(&binary).unwrap_or_else(|_| panic!("{} is missing", binary.display()));
        let manifest = ["Cargo.toml", "../Cargo.toml"].map(|name| std::fs::read_to_string(folder.join(name)));
        let manifest = manifest.into_iter().find_map(Result::ok).expect("a manifest");
        assert!(manifest.contains("autotests = false"), "{} has several binaries", folder.display());
        for path in files.iter().filter(|path| **path != binary) {
            let name = path.file_stem().expect("a file has a name").to_string_lossy();
            let is_listed = listed.lines().any(|line| line == format!("mod {name};"));
            let is_binary = manifest.contains(&format!("name = \"{name}\""));
            assert!(is_listed || is_binary, "{} is in no binary: a line in all.rs is missing", path.display());
        }
    }
}

/// The readers of lines and circles work: they find what they should.
#[test]
fn circles_are_found() {
    let names = named_after("use crate::{a::B, c};\nlet x = crate::d::e; my_crate::f", "crate::");
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["a", "c", "d"]);
    let set = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<BTreeSet<_>>();
    let mut uses = BTreeMap::from([("a".to_string(), set(&["b"])), ("b".into(), set(&["c"])), ("c".into(), set(&[]))]);
    assert_eq!(circle(&uses), None);
    uses.insert("c".into(), set(&["b"]));
    assert_eq!(circle(&uses), Some(vec!["b".into(), "c".into(), "b".into()]));
}
