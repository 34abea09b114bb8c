//! The files about the JDK's classes that come with the program, compared with the real JVM in both directions: the heaps that a file
//! accepts, up to a size, are the states that public calls lead to. What is compared of them is listed here, class by class: the
//! rest is what the files say they leave out.

use crate::common::{file, lazuli, stderr, stdout};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::process::Command;

/// What is compared of a class: see `States.java`, which shows the same of real objects.
struct Case {
    class: &'static str,
    size: u32,
    numbers: (i64, i64),
    shown: &'static str,
}

const CASES: [Case; 41] = [
    Case { class: "java.util.ArrayList", size: 3, numbers: (-1, 3), shown: "ArrayList size elementData#" },
    Case { class: "java.util.Vector", size: 3, numbers: (-1, 3), shown: "Vector elementCount elementData#" },
    Case {
        class: "java.util.LinkedList",
        size: 4,
        numbers: (-1, 5),
        shown: "LinkedList size first last;Node item! next prev",
    },
    Case { class: "java.util.ArrayDeque", size: 4, numbers: (-1, 5), shown: "ArrayDeque head tail elements[!]" },
    Case { class: "java.util.PriorityQueue", size: 3, numbers: (-1, 4), shown: "PriorityQueue size queue[!]" },
    Case {
        class: "java.util.HashMap",
        size: 2,
        numbers: (-1, 3),
        shown: "HashMap size threshold table[];Node hash key next;Integer value",
    },
    Case {
        class: "java.util.LinkedHashMap",
        size: 2,
        numbers: (-1, 3),
        shown: "LinkedHashMap size threshold table[] head tail;Entry hash key next before after;Integer value",
    },
    Case {
        class: "java.util.TreeMap",
        size: 3,
        numbers: (0, 4),
        shown: "TreeMap size root;Entry color key left right parent;Integer value",
    },
    Case {
        class: "java.util.HashSet",
        size: 2,
        numbers: (-1, 3),
        shown: "HashSet map;HashMap size threshold table[];Node hash key value! next;Integer value",
    },
    Case {
        class: "java.util.LinkedHashSet",
        size: 2,
        numbers: (-1, 3),
        shown: "LinkedHashSet map;LinkedHashMap size threshold table[] head tail;\
                Entry hash key value! next before after;Integer value",
    },
    Case {
        class: "java.util.TreeSet",
        size: 3,
        numbers: (0, 4),
        shown: "TreeSet m;TreeMap size root;Entry color key value! left right parent;Integer value",
    },
    Case { class: "java.util.BitSet", size: 3, numbers: (-1, 3), shown: "BitSet wordsInUse words#" },
    Case {
        class: "java.util.concurrent.CopyOnWriteArrayList",
        size: 4,
        numbers: (-1, 4),
        shown: "CopyOnWriteArrayList array# lock!",
    },
    Case { class: "java.math.BigDecimal", size: 1, numbers: (-2, 2), shown: "BigDecimal intCompact" },
    Case {
        class: "java.util.ImmutableCollections$ListN",
        size: 5,
        numbers: (-1, 5),
        shown: "ListN elements[!] allowNulls",
    },
    Case { class: "java.math.BigInteger", size: 4, numbers: (-2, 4), shown: "BigInteger signum mag#" },
    Case { class: "java.time.LocalTime", size: 1, numbers: (-1, 1), shown: "LocalTime hour minute second nano" },
    Case { class: "java.time.LocalTime", size: 1, numbers: (22, 24), shown: "LocalTime hour minute second nano" },
    Case { class: "java.time.LocalDate", size: 1, numbers: (-1, 2), shown: "LocalDate year month day" },
    Case { class: "java.time.Duration", size: 1, numbers: (-2, 4), shown: "Duration nanos" },
    Case { class: "java.time.Instant", size: 1, numbers: (-2, 2), shown: "Instant seconds nanos" },
    Case {
        class: "java.util.concurrent.ConcurrentHashMap",
        size: 2,
        numbers: (-1, 3),
        shown: "ConcurrentHashMap baseCount sizeCtl table[];Node hash key val! next;Integer value",
    },
    Case {
        class: "java.util.ImmutableCollections$Set12",
        size: 2,
        numbers: (0, 2),
        shown: "Set12 e0 e1;Integer value",
    },
    Case { class: "java.util.ImmutableCollections$List12", size: 2, numbers: (0, 2), shown: "List12 e0 e1;Integer" },
    Case { class: "java.util.ImmutableCollections$Map1", size: 2, numbers: (0, 2), shown: "Map1 k0 v0;Integer" },
    Case {
        class: "java.util.Collections$UnmodifiableList",
        size: 2,
        numbers: (0, 2),
        shown: "UnmodifiableList c list;LinkedList size first! last!",
    },
    Case {
        class: "java.util.Collections$UnmodifiableRandomAccessList",
        size: 2,
        numbers: (0, 2),
        shown: "UnmodifiableRandomAccessList c list;ArrayList size",
    },
    Case {
        class: "java.util.Collections$UnmodifiableCollection",
        size: 2,
        numbers: (0, 2),
        shown: "UnmodifiableCollection c;ArrayList size",
    },
    Case {
        class: "java.util.Collections$UnmodifiableSet",
        size: 2,
        numbers: (-1, 3),
        shown: "UnmodifiableSet c;HashSet map;HashMap size table#",
    },
    Case {
        class: "java.util.Collections$UnmodifiableMap",
        size: 2,
        numbers: (0, 2),
        shown: "UnmodifiableMap m keySet entrySet values;HashMap size threshold table#",
    },
    Case {
        class: "java.util.Collections$SynchronizedList",
        size: 2,
        numbers: (0, 2),
        shown: "SynchronizedList c list mutex!;LinkedList size first! last!",
    },
    Case {
        class: "java.util.Collections$SynchronizedRandomAccessList",
        size: 2,
        numbers: (0, 2),
        shown: "SynchronizedRandomAccessList c list mutex!;ArrayList size",
    },
    Case {
        class: "java.util.Collections$SynchronizedCollection",
        size: 2,
        numbers: (0, 2),
        shown: "SynchronizedCollection c mutex!;ArrayList size",
    },
    Case {
        class: "java.util.Collections$SynchronizedSet",
        size: 2,
        numbers: (-1, 3),
        shown: "SynchronizedSet c mutex!;HashSet map;HashMap size table#",
    },
    Case {
        class: "java.util.Collections$SynchronizedMap",
        size: 2,
        numbers: (0, 2),
        shown: "SynchronizedMap m mutex! keySet entrySet values;HashMap size threshold table#",
    },
    Case {
        class: "java.util.ArrayList$Itr",
        size: 3,
        numbers: (-1, 3),
        shown: "Itr cursor lastRet this$0;ArrayList size",
    },
    Case {
        class: "java.util.Vector$Itr",
        size: 3,
        numbers: (-1, 3),
        shown: "Itr cursor lastRet this$0;Vector elementCount",
    },
    Case {
        class: "java.util.concurrent.atomic.AtomicBoolean",
        size: 1,
        numbers: (-1, 2),
        shown: "AtomicBoolean value",
    },
    Case { class: "java.time.Year", size: 1, numbers: (-2, 2), shown: "Year year" },
    Case { class: "java.time.YearMonth", size: 1, numbers: (-1, 2), shown: "YearMonth year month" },
    Case { class: "java.time.MonthDay", size: 1, numbers: (-1, 2), shown: "MonthDay month day" },
];

/// Parts of the names of classes that have two or three states: pairs, a boolean, and what wraps a collection that is not told apart itself.
const SIMPLE: [&str; 5] = ["$List12", "$Map1", "$Unmodifiable", "$Synchronized", "AtomicBoolean"];

#[test]
fn files_accept_what_public_calls_build() {
    let classes = compiled();
    let mut faults = Vec::new();
    for case in &CASES {
        let (built, accepted) = (built(&classes, case), accepted(case));
        let missing = built.difference(&accepted).take(5);
        faults
            .extend(missing.map(|state| format!("{}: public calls build, and the file excludes: {state}", case.class)));
        let wrong = accepted.difference(&built).take(5);
        faults
            .extend(wrong.map(|state| format!("{}: the file accepts, and no public call builds: {state}", case.class)));
        let least = if SIMPLE.iter().any(|part| case.class.contains(part)) { 1 } else { 3 };
        assert!(accepted.len() > least, "{}: {accepted:?}", case.class);
    }
    assert_eq!(faults, [""; 0]);
}

/// `States.java`, compiled.
fn compiled() -> std::path::PathBuf {
    let source = file("States.java", include_str!("bundle/States.java"));
    let classes = source.parent().expect("a directory").join("states");
    let status = Command::new(tool("javac")).arg("-d").arg(&classes).arg("-nowarn").arg(&source).status();
    assert!(status.expect("javac runs").success());
    classes
}

fn tool(name: &str) -> std::path::PathBuf {
    std::env::var_os("JAVA_HOME").map_or_else(|| name.into(), |home| Path::new(&home).join("bin").join(name))
}

/// What the JVM builds.
fn built(classes: &Path, case: &Case) -> BTreeSet<String> {
    let (least, greatest) = case.numbers;
    let output = Command::new(tool("java"))
        .args(
            ["util", "util.concurrent", "util.concurrent.atomic", "lang", "math", "time"]
                .map(|name| format!("--add-opens=java.base/java.{name}=ALL-UNNAMED")),
        )
        .arg("-cp")
        .arg(classes)
        .args(["States", case.class, &case.size.to_string(), &least.to_string(), &greatest.to_string(), case.shown])
        .output()
        .expect("java runs");
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output).lines().map(str::to_string).collect()
}

/// What the file accepts.
fn accepted(case: &Case) -> BTreeSet<String> {
    let (size, numbers) = (case.size.to_string(), format!("{}..{}", case.numbers.0, case.numbers.1));
    let output = lazuli(&[
        "hex",
        case.class,
        "jdk",
        "--size",
        &size,
        "--numbers",
        &numbers,
        "--show",
        "1000000",
        "--types",
        // What is in a set is an Integer; beside it there is another object.
        match case.class {
            class if class.ends_with("Set") && !class.ends_with("BitSet") && !class.ends_with("TreeSet") => {
                "HashMap.Node.key=java.lang.Integer"
            }
            "java.util.TreeSet" => "TreeMap.Entry.key=java.lang.Integer",
            _ => "Object=java.lang.Integer",
        },
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    let heaps = text.split("\nheap ").skip(1);
    heaps.map(|heap| Dump { heap: Heap::read(heap), shown: shown(case), met: Vec::new() }.of("[1]", "")).collect()
}

fn shown(case: &Case) -> HashMap<&'static str, Vec<&'static str>> {
    let classes = case.shown.split(';').map(|class| {
        let mut words = class.split(' ');
        (words.next().expect("a class"), words.collect())
    });
    classes.collect()
}

/// A heap as the command draws it: of every object its class and its fields.
struct Heap<'t>(HashMap<&'t str, (&'t str, HashMap<&'t str, &'t str>)>);

impl<'t> Heap<'t> {
    fn read(text: &'t str) -> Heap<'t> {
        let mut objects = HashMap::new();
        for line in text.lines().filter_map(|line| line.strip_prefix("  [")) {
            let line = line.split("  ").map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>();
            let (number, class) = line[0].split_once("] ").expect("an object");
            let fields = line[1..].iter().map(|field| {
                field.split_once(" ──► ").or_else(|| field.split_once(" = ")).unwrap_or_else(|| panic!("{field}"))
            });
            objects.insert(number, (class, fields.collect()));
        }
        Heap(objects)
    }
}

/// One object after the other, as `States.java` does it.
struct Dump<'t> {
    heap: Heap<'t>,
    shown: HashMap<&'static str, Vec<&'static str>>,
    met: Vec<String>,
}

impl Dump<'_> {
    fn of(&mut self, value: &str, kind: &str) -> String {
        match (value, kind) {
            ("null", _) => return "-".into(),
            (_, "!") => return "x".into(),
            ("true", _) => return "1".into(),
            ("false", _) => return "0".into(),
            _ => {}
        }
        let Some(number) = value.strip_prefix('[').and_then(|number| number.strip_suffix(']')) else {
            return value.into();
        };
        let (class, fields) = self.heap.0[number].clone();
        if kind == "#" {
            return fields["length"].into();
        }
        if kind.starts_with('[') {
            let length: u32 = fields["length"].parse().expect("a length");
            let inner = if kind == "[!]" { "!" } else { "" };
            let elements = (0..length).map(|at| fields[format!("[{at}]").as_str()]);
            let elements: Vec<String> = elements.map(|element| self.of(element, inner)).collect();
            return format!("[{}]", elements.join(" "));
        }
        if let Some(known) = self.met.iter().position(|met| met == number) {
            return format!("#{known}");
        }
        self.met.push(number.into());
        let simple = class.rsplit(['.', '$']).next().expect("a name");
        let wanted = self.shown[simple].clone();
        let parts = wanted.into_iter().map(|field| {
            let name = field.trim_end_matches(['!', '#', '[', ']']);
            // What nobody says anything of may be anything.
            let value = fields.get(name).copied().unwrap_or("[free]");
            if value == "[free]" { "x".into() } else { self.of(value, &field[name.len()..]) }
        });
        let parts: Vec<String> = parts.collect();
        format!("{simple}({})", parts.join(" "))
    }
}
