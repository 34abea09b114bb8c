//! Reading HEX and the rules of JBSE: what is refused, where and why; automata; and no text makes the reader panic.

use lazuli_invariant::hex::automaton::{Automaton, Letters, Regex, Selector, TooLarge};
use lazuli_invariant::hex::{self, Clause, Literal, Object, Prop, Semantics, Target};
use lazuli_program::ir::FieldId;
use lazuli_program::{Program, load_text};

const CLASSES: &str = "\
class Entry { Object element; Entry next; Entry previous; int key; bool color; bool check() := true; }
class LinkedList { Entry header; int size; }
class Walker { int walk(LinkedList list) := 0; }
let l : LinkedList := Y0 in 0";

fn program() -> Program {
    load_text("classes.pose", CLASSES.into()).unwrap_or_else(|e| panic!("{e}"))
}

fn refused(text: &str, words: &[&str]) {
    let error = hex::load_text(&program(), "test.hex", text.into()).expect_err(text).to_string();
    for word in words {
        assert!(error.contains(word), "no {word:?} in:\n{error}");
    }
}

#[test]
fn errors_point_into_the_text() {
    refused("root.list\n  not nul;", &["\"null\" is expected", "test.hex:2:7", "^"]);
    refused("root.list;", &["says nothing", ":1:1"]);
    refused("root.list aliases", &["the end of the file"]);
    refused("for any LinkedList l { l.header not null;", &["this scope is not closed", ":1:1"]);
    refused("root.list # 1", &["unexpected character '#'", ":1:11"]);
    refused("root.list(.header not null;", &[":1:19"]);
    refused("/* never closed", &["comment is not closed"]);
    refused("root.list[99999999999999999999] null;", &["too large"]);
    // The least number has no positive one.
    refused("let most = 9223372036854775808;", &["9223372036854775808 is too large", ":1:12"]);
    refused("let least = -9223372036854775809;", &["9223372036854775809 is too large", ":1:14"]);
}

#[test]
fn names_are_checked_and_suggested() {
    refused("root.list.haeder not null;", &["class LinkedList has no field haeder", "did you mean header?", ":1:11"]);
    refused("for any LinkdList l { }", &["no class LinkdList", "did you mean LinkedList?"]);
    refused("root.lsit not null;", &["no input and no parameter lsit", "did you mean list?"]);
    refused("for any LinkedList l { x.header null; }", &["no variable and no path x"]);
    refused("root.list.size not null;", &["size is no reference", "assume"]);
    refused("root.list expands to Entry;", &["no reference of this path can denote"]);
    refused(
        "for any LinkedList l { l.header on expand do Entry.chekc(it); }",
        &["no method chekc", "did you mean check?"],
    );
    refused("for any LinkedList l { l on expand do { assume initial(l.sise) >= 0; }; }", &["no field sise", "size"]);
    refused("for any LinkedList l { l on expand do { assume l.size >= 0; }; }", &["no ghost field size", "initial("]);
    refused("for any LinkedList l { l on expand do { assume initial(l.header); }; }", &["header is a reference"]);
    refused("for any LinkedList l { l on expand do { assume initial(l.size); }; }", &["a number, not a condition"]);
    refused(
        "for any LinkedList l { l.header on null do { assume initial(it.key) == 0; }; }",
        &["on null there is no object"],
    );
    refused(
        "for any Entry e { e.next on expand do { assume initial(e.color) == BLACK; }; }",
        &["no constant BLACK", "let"],
    );
    refused("root.list aliases here^;", &["no object holds it"]);
    refused("ghost Entry { int a; int a; }", &["a ghost field a already"]);
    refused("ghost Entry { Entry a; }", &["an int, a boolean, a set, sets, a heap, objects, sorted or a queue"]);
    refused("ghost Entry { bool a = -inf; }", &["of another type"]);
    refused("for any Entry but LinkedList e { e.next null; }", &["LinkedList is no subclass of Entry", ":1:19"]);
}

#[test]
fn collections_are_added_to() {
    let action = |ghost: &str, action: &str| {
        format!("ghost Entry {{ {ghost} a; }} for any Entry e {{ e.next on expand do {{ {action}; }}; }}")
    };
    for (ghost, add) in
        [("set", "e.a += 1"), ("set", "e.a += 1 .."), ("sets", "e.a[2] += 1"), ("sets", "e.a[2] += 1 ..")]
    {
        let text = action(ghost, add);
        hex::load_text(&program(), "test.hex", text).unwrap_or_else(|error| panic!("{error}"));
    }
    refused(&action("set", "e.a = 1"), &["only += adds to it"]);
    refused(&action("set", "e.a[2] += 1"), &["a is one collection, not several"]);
    refused(&action("sets", "e.a += 1"), &["a is several sets: a[number] is one"]);
    refused(&action("int", "e.a += 1 .."), &["a is no collection"]);
    refused(&action("heap", "e.a += 1 .."), &["a is a heap"]);
    refused(&action("objects", "e.a += 1"), &["a is a collection of objects: on object do"]);
}

#[test]
fn objects_are_asked() {
    let demand = |ghost: &str, demand: &str| {
        format!("ghost Entry {{ {ghost} a; }} for any Entry e {{ e.next on object do {{ {demand}; }}; }}")
    };
    refused(&demand("set", "e.a += it"), &["a is no collection of objects"]);
    refused(&demand("sorted", "e.a += it"), &["a is sorted: a[number] says where"]);
    refused(&demand("objects", "e.a[1] += it"), &["a is one collection, not several"]);
    refused(&demand("objects", "e.a += it but Nobody"), &["Nobody"]);
    refused(&demand("objects", "e.a += it"), &["for programs in Java"]);
    refused(&demand("int", "e.a = 1"), &["+="]);
    refused(&demand("int", "assume Entry.key(it) == 1"), &["class Entry has no method key"]);
    refused(&demand("int", "assume Entry.key(it) == initial(it.key)"), &["is said of others"]);
}

#[test]
fn exponential_expressions_are_refused() {
    let mut text = "root.list.header(.next|.previous)*.next".to_string();
    text.push_str(&"(.next|.previous)".repeat(16));
    refused(&format!("{text} not null;"), &["exponential size", "1000 states"]);
    let long = format!("root.list.header{} not null;", ".next".repeat(2_000));
    refused(&long, &["more than 1000 steps"]);
    let deep = format!("root.list.header{}.next{} null;", "(".repeat(10_000), ")".repeat(10_000));
    refused(&deep, &["nested"]);
    // Repetitions within repetitions are small, however they are nested.
    for repeat in [")+", ")*", ")?"] {
        let nested = format!("root.list.header{}.next|.previous{} not null;", "(".repeat(150), repeat.repeat(150));
        assert!(hex::load_text(&program(), "test.hex", nested).is_ok(), "{repeat}");
    }
}

#[test]
fn long_expressions_are_refused() {
    let action = |expr: &str| format!("for any Entry e {{ e on expand do {{ assume {expr}; }}; }}");
    let sum = |terms: usize| format!("{} == 1", vec!["1"; terms].join(" + "));
    assert!(hex::load_text(&program(), "test.hex", action(&sum(1_000))).is_ok());
    refused(&action(&sum(1_001)), &["more than 1000 operators", ":1:"]);
    refused(&action(&vec!["true"; 100_000].join(" && ")), &["more than 1000 operators"]);
    // Every group by itself is short.
    let groups = format!("{}1{} == 1", "(".repeat(150), " + 1 + 1 + 1 + 1 + 1 + 1 + 1)".repeat(150));
    refused(&action(&groups), &["more than 1000 operators"]);
    // The count begins anew with every action.
    let many = format!("assume {0}; assume {0}", sum(900));
    assert!(hex::load_text(&program(), "test.hex", action(&many).replacen("assume ", "", 1)).is_ok());
}

#[test]
fn a_mark_of_the_encoding_is_no_text() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("marked.hex");
    std::fs::write(&path, "\u{feff}root.list not null;\r\n").expect("a file");
    assert!(hex::load(&program(), &path).is_ok());
}

#[test]
fn automata_accept_what_the_expression_says() {
    let step = |field: u32| Regex::Step(Letters::Fields(vec![FieldId(field)]));
    // a (b | c)* a
    let regex = Regex::Sequence(vec![step(0), Regex::Star(Box::new(Regex::Choice(vec![step(1), step(2)]))), step(0)]);
    let automaton = Automaton::new(&regex).expect("small");
    let path = |fields: &[u32]| fields.iter().map(|f| Selector::Field(FieldId(*f))).collect::<Vec<_>>();
    for (fields, accepted) in [
        (&[0, 0][..], true),
        (&[0, 1, 2, 1, 0], true),
        (&[0], false),
        (&[], false),
        (&[0, 3, 0], false),
        (&[1, 0], false),
    ] {
        assert_eq!(automaton.matches(&path(fields)), accepted, "{fields:?}");
    }
    assert_eq!(automaton.last_fields(), Some(vec![FieldId(0)]));
    let open = Regex::Sequence(vec![step(0), Regex::Star(Box::new(Regex::Choice(vec![step(1), step(2)])))]);
    let fields = Automaton::new(&open).expect("small").last_fields().map(|mut fields| {
        fields.sort_unstable();
        fields
    });
    assert_eq!(fields, Some(vec![FieldId(0), FieldId(1), FieldId(2)]));
    let anything = Regex::Star(Box::new(Regex::Step(Letters::Anything)));
    let mut list = vec![anything.clone(), step(0)];
    list.extend(std::iter::repeat_n(Regex::Step(Letters::Anything), 20));
    assert_eq!(Automaton::new(&Regex::Sequence(list)), Err(TooLarge::States));
    assert_eq!(Automaton::new(&anything).expect("small").last_fields(), None);
    assert!(Automaton::new(&anything).expect("small").matches(&[Selector::Index(7), Selector::Field(FieldId(9))]));
}

#[test]
fn statements_are_read() {
    let text =
        "let NEXT = root.list.header(.next)*; NEXT.previous not null and aliases max NEXT | here^^ | some Entry;";
    let hex = hex::load_text(&program(), "test.hex", text.into()).unwrap_or_else(|e| panic!("{e}"));
    let [statement] = hex.statements.as_slice() else { panic!("one statement") };
    let [Clause::NotNull, Clause::Aliases(targets)] = statement.clauses.as_slice() else { panic!("two clauses") };
    assert!(matches!(targets[0], Target::Path { max: true, .. }));
    assert_eq!(targets[1], Target::Object(Object::Up(2)));
    assert!(statement.text.starts_with("NEXT.previous not null"));
}

#[test]
fn formulas_are_read() {
    let read = |text: &str| hex::load_text(&program(), "test.hex", text.into()).unwrap_or_else(|e| panic!("{e}"));
    let (holds, fails) = (|atom| Prop::Literal(Literal::MayHold(atom)), |atom| Prop::Literal(Literal::MayFail(atom)));
    // `and` between clauses goes on about the same path, between paths it makes statements of their own.
    let conjunction = read("root.list not null and aliases nothing and root.list.header not null;");
    assert_eq!((conjunction.formulas.len(), conjunction.statements.len()), (0, 2));
    assert_eq!(conjunction.statements[0].clauses, [Clause::NotNull, Clause::AliasesNothing]);
    let choice = read("root.list null or root.list.header not null and not (root.list aliases nothing);");
    assert_eq!(choice.formulas[0].body, Prop::Or(vec![holds(0), Prop::And(vec![holds(1), fails(2)])]));
    assert_eq!(choice.formulas[0].negated, [2]);
    // `=>` binds weakest and to the right; an atom that is written twice is one.
    let implied = read("root.list null => root.list.header null => root.list null;");
    assert_eq!(implied.statements.len(), 2);
    assert_eq!(implied.formulas[0].body, Prop::Or(vec![fails(0), fails(1), holds(0)]));
    let taken_apart = read("not (root.list null or not (root.list.header null));");
    assert_eq!(
        (taken_apart.formulas.len(), taken_apart.statements.len()),
        (1, 2),
        "one is negated, one is a statement"
    );
    let in_scope = read("for any Entry e { (e.next null and e.previous null) or e.next not null; }");
    assert!(in_scope.formulas[0].scope.is_some() && in_scope.statements.iter().all(|s| s.formula == Some(0)));
}

#[test]
fn errors_of_formulas_point_into_the_text() {
    refused("root.list null or", &["a path: root.x", "the end of the file"]);
    refused("root.list null or root.list;", &["not null, null, expands to", ":1:28"]);
    refused("(root.list null or root.list not null;", &["\")\" is expected here", ":1:38"]);
    refused("root.list null or not root.list null;", &["\"(\" is expected here", ":1:23", "negates"]);
    refused("root.list null => on null do { };", &["a path: root.x", ":1:19"]);
    refused(
        "root.list null or root.list not null on null do { };",
        &["has no events", ":1:38", "a statement of its own"],
    );
    refused("root.list null root.list null;", &["\"and\", \"or\", \"=>\"", ":1:16"]);
    refused("root.list null and (root.list not null => not (root.list not null)) => ;", &[":1:72"]);
    refused(
        "root.list null and (root.list null and not (root.list null) or not (root.list null => root.list null));",
        &["contradicts itself", ":1:1"],
    );
    refused(
        "for any Entry e { e.next null or root.list null; }",
        &["must begin with e", ":1:34", "outside of the scope"],
    );
    refused("for any Entry e { e not null or e.next null; }", &["e is the object itself", ":1:19"]);
    refused("root.list.header.next never aliases max root.list.header(.next)*;", &["longest", ":1:41"]);
    let deep = format!("{}root.list null{};", "(".repeat(10_000), ")".repeat(10_000));
    refused(&deep, &["nested"]);
    let atom = |n: usize| format!("root.list.header{} null", ".next".repeat(n));
    let equivalent = |n: usize| format!("(({0} => root.list null) and (root.list null => {0}))", atom(n));
    let many = (1..8).map(equivalent).collect::<Vec<_>>().join(" or ");
    refused(&format!("{many};"), &["both as they are and negated", ":1:1"]);
}

#[test]
fn rules_of_jbse_are_read() {
    let text = "resolve begin\n{ROOT}:list.header(.next)* instanceof Entry aliases target {MAX}{R_ANY}.header(.previous)*;\n\
                {R_ANY}.next instanceof Entry expands to instanceof Entry triggers Entry:()Z:check:{$REF}\nresolve end\n";
    let hex = hex::load_jbse_text(&program(), "test.jbse", text.into()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((hex.semantics, hex.statements.len()), (Semantics::Jbse, 2));
    for (rule, words) in [
        ("{ROOT}:list instanceof Lst not null", &["no class Lst"][..]),
        ("{ROOT}:lst.header instanceof Entry not null", &["no input and no parameter lst", "list", ":2:8"]),
        ("{ROOT}:list.haeder instanceof Entry not null", &["no class has a field haeder", "header"]),
        ("{ROOT}:list instanceof Entry expands", &["is expected here"]),
        ("{LIST} instanceof Entry not null", &["begins with {ROOT}"]),
        ("{ROOT}:list(.header instanceof Entry not null", &["not closed", ":2:12"]),
        ("{ROOT}:list.header(.next|.previous)*) instanceof Entry not null", &["not opened", ":2:37"]),
        ("{ROOT}:list.header.next* instanceof Entry not null", &["a repetition follows a group", ":2:24"]),
        ("{ROOT}:list.h{°}* instanceof Entry not null", &["{°}", "not supported", ":2:14"]),
        ("{ROOT}:list\\.x instanceof Entry not null", &["\\", "not supported", ":2:12"]),
        ("{ROOT}:list.LinkedList:next instanceof Entry not null", &["no field next of its own", ":2:13"]),
        ("[LinkedList].first instanceof Entry not null", &["no static field first", ":2:14"]),
        ("<f@{R_ANY}> instanceof Entry not null", &["results of functions", ":2:1"]),
        ("{R_ANY}.next instanceof [I not null", &["arrays"]),
        ("{R_ANY}.next instanceof Entry aliases target {$REF}.next", &["nothing yet below", ":2:52"]),
        ("{R_ANY}.next instanceof Entry aliases target {$R_ANY}.nxet", &["no class has a field nxet", ":2:55"]),
        ("{R_ANY}.next instanceof Entry not null triggers Entry:()Z:check:{$REF}", &["has no trigger"]),
        ("{R_ANY}.next instanceof Entry null triggers", &["a trigger is"]),
        ("{R_ANY}.next instanceof Entry null triggers Entry:()Z:check:{$REF}.{UP}.next", &["fields after {$REF}"]),
        ("{R_ANY}.next instanceof Entry not null {R_ANY}.next", &["not expected here", "semicolon"]),
        ("{R_ANY}.next instanceof Entry null triggers Entry:()Z:check:{$REF}", &["{$REF} is null here"]),
    ] {
        let text = format!("resolve begin\n{rule}\nresolve end\n");
        let error = hex::load_jbse_text(&program(), "test.jbse", text).expect_err(rule).to_string();
        for word in words {
            assert!(error.contains(word) && error.contains("test.jbse:2:"), "{rule}: no {word:?} in:\n{error}");
        }
    }
    let all = "-- a comment\ninit begin\n  a/b/C;\ninit end\nresolve begin\n\
               {R_ANY}.header(.Entry:next)+ instanceof Entry aliases\n target {MAX}{$R_ANY}.header(.previous)*;\n\
               {R_ANY}.next instanceof Entry never aliases target {$REF}.{UP}.{UP}.next; -- another\n\
               resolve end\ntrigger begin\n\
               instanceof Entry aliases instanceof Entry triggers Entry:(LEntry;)V:check:{$REF}.{UP};\ntrigger end\n";
    let hex = hex::load_jbse_text(&program(), "test.jbse", all.into()).unwrap_or_else(|e| panic!("{e}"));
    let [longest, never, trigger] = hex.statements.as_slice() else { panic!("three rules") };
    assert!(matches!(&longest.clauses[..], [Clause::Aliases(t)]
        if matches!(t[..], [Target::Below { object: Object::Prefix(_), max: true, .. }])));
    assert!(matches!(
        &never.clauses[..],
        [Clause::NeverAliases(Target::Below { object: Object::Up(2), max: false, .. })]
    ));
    assert!(trigger.clauses.is_empty() && matches!(trigger.events[0].given, Some(Clause::Aliases(_))));
    for (text, word) in [("rules begin\n", "resolve begin"), ("resolve start\n", "begin is expected")] {
        let error = hex::load_jbse_text(&program(), "test.jbse", text.into()).expect_err(text).to_string();
        assert!(error.contains(word) && error.contains(":1:1"), "{error}");
    }
    let open = hex::load_jbse_text(&program(), "test.jbse", "resolve begin\n".into()).expect_err("open").to_string();
    assert!(open.contains("without resolve end"));
}

/// Whatever the text is, the reader answers.
#[test]
fn no_text_makes_the_reader_panic() {
    const PIECES: [&str; 53] = [
        "or",
        "=>",
        "and",
        "not (",
        "never aliases target",
        "{$R_ANY}",
        "{$REF}",
        ".{UP}",
        "trigger",
        "root",
        ".",
        "list",
        "header",
        "next",
        "(",
        ")",
        "*",
        "+",
        "?",
        "|",
        "[*]",
        "[3]",
        "any",
        "l",
        "it",
        "here",
        "^",
        "not",
        "null",
        "expands",
        "to",
        "nothing",
        "aliases",
        "max",
        "some",
        "Entry",
        "never",
        "on",
        "expand",
        "alias",
        "do",
        "{",
        "}",
        "assume",
        "initial",
        ";",
        "==",
        "1",
        "for",
        "LinkedList",
        "ghost",
        "let",
        "{ROOT}:",
    ];
    let program = program();
    let mut seed = 7u64;
    let mut random = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n
    };
    let valid = [
        include_str!("../../../programs/hex/dll.hex"),
        "for any Entry e { (e.next null and e.previous null) or not (e.next not null => e.previous aliases nothing); }",
        include_str!("../../../programs/hex/dll.jbse"),
    ];
    for round in 0..20_000 {
        let text = if round % 2 == 0 {
            (0..random(30)).map(|_| PIECES[random(PIECES.len())]).collect::<Vec<_>>().join(" ")
        } else {
            // A valid file with a hole, or with a piece too much.
            let mut chars: Vec<char> = valid[random(valid.len())].chars().collect();
            let at = random(chars.len());
            let end = (at + random(12)).min(chars.len());
            chars.splice(at..end, PIECES[random(PIECES.len())].chars());
            chars.into_iter().collect()
        };
        let _ = hex::load_text(&program, "fuzz.hex", text.clone());
        let _ = hex::load_jbse_text(&program, "fuzz.jbse", text.clone());
        let _ = hex::load_jbse_text(&program, "fuzz.jbse", format!("resolve begin\n{text}\nresolve end"));
    }
}
