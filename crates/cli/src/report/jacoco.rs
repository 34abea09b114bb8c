//! What was executed, in the form of JaCoCo's XML (its DTD is `-//JACOCO//DTD Report 1.1//EN`), which editors, build servers and code hosts read.

use std::collections::BTreeMap;

use lazuli::coverage::{ClassCount, Count, Coverage, LineCount, MethodCount};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n\
    <!DOCTYPE report PUBLIC \"-//JACOCO//DTD Report 1.1//EN\" \"report.dtd\">\n";

pub fn report(name: &str, coverage: &Coverage) -> String {
    let mut packages: BTreeMap<&str, Vec<&ClassCount>> = BTreeMap::new();
    for class in &coverage.classes {
        packages.entry(class.package()).or_default().push(class);
    }
    let sources = coverage.sources();
    let mut text = format!("{HEAD}<report name=\"{}\">\n", escaped(name));
    let mut all = Counters::default();
    for (package, classes) in packages {
        text += &format!("<package name=\"{}\">\n", escaped(package));
        let mut counters = Counters::default();
        for class in classes {
            let (written, counted) = of_class(class);
            text += &written;
            counters.add(counted);
        }
        // Classes of one source may share lines.
        counters.lines = Count::default();
        for ((_, source), classes) in sources.iter().filter(|((of, _), _)| *of == package) {
            let lines = Coverage::lines_of(classes);
            text += &of_source(source, classes, &lines);
            counters.lines += line_count(&lines);
        }
        text += &format!("{}</package>\n", counters.write());
        all.add(counters);
    }
    text + &all.write() + "</report>\n"
}

/// The counters of an element, in the order in which JaCoCo writes them.
#[derive(Clone, Copy, Default)]
struct Counters {
    instructions: Count,
    branches: Count,
    lines: Count,
    complexity: Count,
    methods: Count,
    classes: Count,
}

impl Counters {
    fn of(method: &MethodCount) -> Counters {
        Counters {
            instructions: method.instructions,
            branches: method.branches,
            lines: method.line_count(),
            complexity: method.complexity,
            methods: Count::one(method.is_covered()),
            classes: Count::default(),
        }
    }

    fn add(&mut self, other: Counters) {
        self.instructions += other.instructions;
        self.branches += other.branches;
        self.lines += other.lines;
        self.complexity += other.complexity;
        self.methods += other.methods;
        self.classes += other.classes;
    }

    /// What there is none of is left out.
    fn write(&self) -> String {
        let all = [
            ("INSTRUCTION", self.instructions),
            ("BRANCH", self.branches),
            ("LINE", self.lines),
            ("COMPLEXITY", self.complexity),
            ("METHOD", self.methods),
            ("CLASS", self.classes),
        ];
        let one = |(name, count): &(&str, Count)| {
            format!("<counter type=\"{name}\" missed=\"{}\" covered=\"{}\"/>\n", count.missed, count.covered)
        };
        all.iter().filter(|(_, count)| count.total() > 0).map(one).collect()
    }
}

fn of_class(class: &ClassCount) -> (String, Counters) {
    let source = class.source.as_ref().map_or_else(String::new, |s| format!(" sourcefilename=\"{}\"", escaped(s)));
    let mut text = format!("<class name=\"{}\"{source}>\n", escaped(&class.name));
    let mut counters = Counters::default();
    for method in &class.methods {
        let counted = Counters::of(method);
        let line = method.line().map_or_else(String::new, |line| format!(" line=\"{line}\""));
        let (name, descriptor) = (escaped(&method.name), escaped(&method.descriptor));
        text += &format!("<method name=\"{name}\" desc=\"{descriptor}\"{line}>\n{}</method>\n", counted.write());
        counters.add(counted);
    }
    counters.lines = line_count(&class.lines());
    counters.classes = Count::one(counters.methods.covered > 0);
    (text + &counters.write() + "</class>\n", counters)
}

fn of_source(source: &str, classes: &[&ClassCount], lines: &BTreeMap<u32, LineCount>) -> String {
    let mut text = format!("<sourcefile name=\"{}\">\n", escaped(source));
    for (number, LineCount { instructions, branches }) in lines {
        let (mi, ci, mb, cb) = (instructions.missed, instructions.covered, branches.missed, branches.covered);
        text += &format!("<line nr=\"{number}\" mi=\"{mi}\" ci=\"{ci}\" mb=\"{mb}\" cb=\"{cb}\"/>\n");
    }
    let mut counters = Counters::default();
    classes.iter().for_each(|class| counters.add(of_class(class).1));
    counters.lines = line_count(lines);
    text + &counters.write() + "</sourcefile>\n"
}

fn line_count(lines: &BTreeMap<u32, LineCount>) -> Count {
    lines.values().map(|line| Count::one(line.is_covered())).sum()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
