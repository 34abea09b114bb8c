//! Random programs in Java: a seed to a class with enums, records, sealed interfaces, inner classes, exceptions, boxes, strings, arrays, collections,
//! streams and lambdas, and a method of a handful of statements over them.
//!
//! Every loop ends after a few rounds. What is computed is returned, so that whoever compares results sees it.

use lazuli_lab::random::Random;

/// The types of expressions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Type {
    Int,
    Long,
    Boolean,
    Char,
    Text,
    Boxed,
    Node,
    Color,
    Pair,
    Shape,
    Ints,
    List,
    Map,
}

use Type::*;

impl Type {
    fn name(self) -> &'static str {
        match self {
            Int => "int",
            Long => "long",
            Boolean => "boolean",
            Char => "char",
            Text => "String",
            Boxed => "Integer",
            Node => "Node",
            Color => "Color",
            Pair => "Pair",
            Shape => "Shape",
            Ints => "int[]",
            List => "List<Integer>",
            Map => "Map<String, Integer>",
        }
    }
}

/// What inputs may be; numbers are the most frequent.
const INPUTS: [Type; 14] = [Int, Int, Int, Int, Long, Boolean, Char, Text, Boxed, Node, Node, Pair, Ints, Shape];
/// What variables may be.
const LOCALS: [Type; 15] = [Int, Int, Int, Long, Boolean, Char, Text, Text, Boxed, Node, Color, Pair, Shape, List, Map];

/// The classes that every program has beside its method.
const CLASSES: &str = r#"
  enum Color {
    RED, GREEN { @Override int weight(int by) { return by * 2; } }, BLUE;
    int weight(int by) { return ordinal() + by; }
  }
  record Pair(int left, String right) {
    Pair { if (left == 13) throw new Oops(left); }
    int twice() { return left * 2; }
  }
  sealed interface Shape permits Circle, Square {
    int area();
    default int more(int by) { return area() + by; }
  }
  record Circle(int r) implements Shape { public int area() { return 3 * r * r; } }
  record Square(int side, Color color) implements Shape {
    public int area() { return color == null ? side * side : color.weight(side); }
  }
  static class Oops extends RuntimeException {
    final int code;
    Oops(int code) { super("code " + code); this.code = code; }
  }
  static class Node {
    int value; Node next; Integer box; private String name;
    Node(int value, Node next) { this.value = value; this.next = next; }
    int sum(int most) { return most == 0 || next == null ? value : value + next.sum(most - 1); }
    Node set(String name) { this.name = name; return this; }
  }
  class Counter {
    int n = base;
    int bump(int by) { base += by; return n += by; }
  }
  int base = 1;
  static int count(int by) { return by < 0 ? -1 : by > 3 ? 3 : by; }
"#;

pub struct Program {
    pub class: String,
    pub source: String,
}

/// The program of a seed.
pub fn generate(seed: u64) -> Program {
    let class = format!("R{seed}");
    let mut generator =
        Generator { random: Random(seed), variables: Vec::new(), names: 0, text: String::new(), depth: 2 };
    let mut parameters = Vec::new();
    for _ in 0..1 + generator.random.below(3) {
        let ty = generator.random.pick(&INPUTS);
        let name = generator.name();
        parameters.push(format!("{} {name}", ty.name()));
        generator.variables.push((name, ty));
    }
    for _ in 0..3 + generator.random.below(4) {
        generator.statement(0);
    }
    let results: Vec<String> = generator.variables.iter().map(|(name, _)| name.clone()).collect();
    generator.line(&format!("return new Object[] {{{}}};", results.join(", ")));
    let parameters = parameters.join(", ");
    let source = format!(
        "class {class} {{\n{CLASSES}\n  static Object[] run({parameters}) {{\n{}  }}\n}}\n",
        generator.text.replace("OUTER", &class)
    );
    Program { class, source }
}

/// What stands above the classes.
pub const IMPORTS: &str = "import java.util.*;\nimport java.util.function.*;\nimport java.util.stream.*;\n";

struct Generator {
    random: Random,
    /// What can be used, with its type. Nothing is hidden, and what a block declares is gone after it.
    variables: Vec<(String, Type)>,
    names: usize,
    text: String,
    depth: usize,
}

impl Generator {
    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(&"  ".repeat(self.depth));
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn block(&mut self, head: &str, nested: usize) {
        self.line(head);
        self.depth += 1;
        let known = self.variables.len();
        for _ in 0..1 + self.random.below(2) {
            self.statement(nested + 1);
        }
        self.variables.truncate(known);
        self.depth -= 1;
    }

    fn variable(&mut self, ty: Type) -> Option<String> {
        let all: Vec<&String> = self.variables.iter().filter(|(_, of)| *of == ty).map(|(name, _)| name).collect();
        if all.is_empty() { None } else { Some(self.random.pick(&all).clone()) }
    }

    fn statement(&mut self, nested: usize) {
        let choice = self.random.below(if nested < 2 { 18 } else { 11 });
        match choice {
            0..=4 => self.declare(),
            5 | 6 => self.assign(),
            7 => self.change(),
            8 => self.compute(),
            9 => {
                let value = self.any();
                self.line(&format!("System.out.println({value});"));
            }
            10 => {
                let (condition, code) = (self.boolean(1), self.int(1));
                let thrown = self.random.pick(&[
                    format!("new Oops({code})"),
                    "new IllegalStateException(\"no\")".into(),
                    format!("new IndexOutOfBoundsException({code})"),
                ]);
                self.line(&format!("if ({condition}) throw {thrown};"));
            }
            11..=13 => {
                let condition = self.boolean(2);
                self.block(&format!("if ({condition}) {{"), nested);
                self.block("} else {", nested);
                self.line("}");
            }
            14 => {
                let (name, bound) = (self.name(), self.int(1));
                let head = format!("for (int {name} = 0; {name} < count({bound}); {name}++) {{");
                self.block(&head, nested);
                self.line("}");
            }
            15 => {
                self.block("try {", nested);
                let caught = self.random.pick(&[
                    "ArithmeticException",
                    "NullPointerException",
                    "Oops",
                    "IndexOutOfBoundsException",
                    "RuntimeException",
                ]);
                let name = self.name();
                self.block(&format!("}} catch ({caught} {name}) {{"), nested);
                if self.random.one_in(2) {
                    self.block("} finally {", nested);
                }
                self.line("}");
            }
            16 => self.switch(nested),
            _ => self.pattern(nested),
        }
    }

    fn declare(&mut self) {
        let ty = self.random.pick(&LOCALS);
        let (name, value) = (self.name(), self.expression(ty, 2));
        self.line(&format!("{} {name} = {value};", ty.name()));
        self.variables.push((name, ty));
    }

    fn assign(&mut self) {
        let Some((name, ty)) = (!self.variables.is_empty()).then(|| self.random.pick(&self.variables.clone())) else {
            return self.declare();
        };
        // What a lambda has captured is final: a new variable takes its place.
        let value = self.expression(ty, 2);
        let fresh = self.name();
        let value = if self.random.one_in(3) { name } else { value };
        self.line(&format!("{} {fresh} = {value};", ty.name()));
        self.variables.push((fresh, ty));
    }

    /// Something in the heap is written.
    fn change(&mut self) {
        let (number, text) = (self.int(2), self.expression(Text, 1));
        let kinds: Vec<Type> = [Node, Ints, List, Map].into_iter().filter(|ty| self.variable(*ty).is_some()).collect();
        if kinds.is_empty() {
            return self.declare();
        }
        let kind = self.random.pick(&kinds);
        let name = self.variable(kind).expect("there is one");
        let line = match (kind, self.random.below(4)) {
            (Node, 0) => format!("{name}.value = {number};"),
            (Node, 1) => format!("{name}.next = {};", self.expression(Node, 1)),
            (Node, 2) => format!("{name}.box = {};", self.expression(Boxed, 1)),
            (Node, _) => format!("{name}.set({text});"),
            (Ints, _) => format!("{name}[{}] = {number};", self.int(1)),
            (List, 0) => format!("{name}.remove(Integer.valueOf({number}));"),
            (List, 1) => format!("Collections.sort({name});"),
            (List, _) => format!("{name}.add({number});"),
            (_, 0) => format!("{name}.remove({text});"),
            (_, 1) => format!("{name}.merge({text}, {number}, Integer::sum);"),
            _ => format!("{name}.put({text}, {number});"),
        };
        self.line(&line);
    }

    /// Something with code in it: lambdas, streams, inner and local classes.
    fn compute(&mut self) {
        let (name, a, b) = (self.name(), self.int(1), self.int(1));
        let (x, y) = (self.name(), self.name());
        let line = match self.random.below(9) {
            0 => format!("int {name} = IntStream.range(0, 3).map({x} -> {x} * {a}).filter({x} -> {x} > {b}).sum();"),
            1 => {
                let list = self.expression(List, 1);
                format!("int {name} = {list}.stream().mapToInt({x} -> {x} + {a}).max().orElse({b});")
            }
            2 => format!("IntUnaryOperator {x} = {y} -> {y} * 2 + {a}; int {name} = {x}.applyAsInt({b});"),
            3 => format!("BiFunction<Integer, Integer, Integer> {x} = Math::max; int {name} = {x}.apply({a}, {b});"),
            4 => {
                let body = self.random.pick(&["", " { @Override int bump(int by) { return super.bump(by) + 1; } }"]);
                format!("var {y} = new OUTER(); int {name} = {y}.new Counter(){body}.bump({a}) + {y}.base;")
            }
            5 => format!(
                "Supplier<Integer> {x} = new Supplier<>() {{ public Integer get() {{ return {a} - {b}; }} }}; int {name} = {x}.get();"
            ),
            6 => {
                let map = self.expression(Map, 1);
                format!("int {name} = 0; for (int {x} : {map}.values()) {name} += {x} * {a};")
            }
            7 => {
                let list = self.expression(List, 1);
                format!(
                    "int {name} = {list}.stream().filter({x} -> {x} > {a}).map({x} -> \"\" + {x}).collect(Collectors.joining(\",\")).length();"
                )
            }
            _ => format!("int {name} = Stream.of({a}, {b}, 3).sorted().skip(1).reduce(0, Integer::sum);"),
        };
        self.line(&line);
        let fixed = self.name();
        self.line(&format!("int {fixed} = {name};"));
        self.variables.push((fixed, Int));
    }

    fn switch(&mut self, nested: usize) {
        match self.random.below(3) {
            0 => {
                let (name, on) = (self.name(), self.expression(Color, 1));
                let (a, b) = (self.int(1), self.int(1));
                self.line(&format!(
                    "int {name} = switch ({on}) {{ case RED -> {a}; case GREEN -> {{ yield {b}; }} case BLUE -> 7; }};"
                ));
                self.variables.push((name, Int));
            }
            1 => {
                let (name, on) = (self.name(), self.expression(Text, 1));
                let value = self.int(1);
                self.line(&format!(
                    "int {name} = switch ({on}) {{ case \"a\", \"bc\" -> {value}; case \"\" -> 2; default -> -1; }};"
                ));
                self.variables.push((name, Int));
            }
            _ => {
                let on = self.int(1);
                self.block(&format!("switch ({on}) {{ case 0: case 4: {{"), nested);
                self.line("}");
                self.block("case 1: {", nested);
                self.line("break; } default: {");
                let value = self.any();
                self.line(&format!("System.out.print({value}); }} }}"));
            }
        }
    }

    fn pattern(&mut self, nested: usize) {
        let (on, name, number) = (self.expression(Shape, 1), self.name(), self.int(1));
        let (record, part) = self.random.pick(&[("Circle", "r"), ("Square", "side")]);
        self.block(&format!("if ((Shape) {on} instanceof {record} {name} && {name}.{part}() > {number}) {{"), nested);
        self.line("}");
    }

    fn any(&mut self) -> String {
        let ty = self.random.pick(&[Int, Long, Boolean, Char, Text, Boxed, Color, Pair]);
        let value = self.expression(ty, 1);
        // What is null, or an array of characters, has several meanings.
        if matches!(ty, Int | Long | Boolean | Char) { value } else { format!("(Object) {value}") }
    }

    fn int(&mut self, depth: usize) -> String {
        self.expression(Int, depth)
    }

    fn boolean(&mut self, depth: usize) -> String {
        self.expression(Boolean, depth)
    }

    fn expression(&mut self, ty: Type, depth: usize) -> String {
        let variable = self.variable(ty);
        if let Some(name) = variable.filter(|_| depth == 0 || self.random.one_in(3)) {
            return name;
        }
        if depth == 0 {
            return self.leaf(ty);
        }
        let d = depth - 1;
        match ty {
            Int => self.number(d),
            Long => match self.random.below(4) {
                0 => format!("({} + {}L)", self.expression(Long, d), self.random.below(9)),
                1 => format!("(long) {} * {}", self.int(d), self.int(d)),
                2 => format!("({} << {})", self.expression(Long, d), self.int(d)),
                _ => format!("(long) {}", self.int(d)),
            },
            Boolean => self.condition(d),
            Char => match self.random.below(3) {
                0 => format!("{}.charAt({})", self.expression(Text, d), self.int(d)),
                1 => format!("(char) ({} + 1)", self.expression(Char, d)),
                _ => format!("Character.toUpperCase({})", self.expression(Char, d)),
            },
            Text => self.string(d),
            Boxed => match self.random.below(4) {
                0 => format!("Integer.valueOf({})", self.int(d)),
                1 => format!("{}.box", self.expression(Node, d)),
                2 => format!("{}.get({})", self.expression(Map, d), self.expression(Text, d)),
                _ => format!("({} ? (Integer) {} : {})", self.boolean(d), self.int(d), self.expression(Boxed, d)),
            },
            Node => match self.random.below(4) {
                0 => format!("{}.next", self.expression(Node, d)),
                1 => format!("({} ? {} : {})", self.boolean(d), self.expression(Node, d), self.expression(Node, d)),
                _ => format!("new Node({}, {})", self.int(d), self.expression(Node, d)),
            },
            Color => match self.random.below(3) {
                0 => format!("Color.values()[{} & 1]", self.int(d)),
                1 => format!("({} ? Color.RED : Color.GREEN)", self.boolean(d)),
                _ => self.leaf(Color),
            },
            Pair => format!("new Pair({}, {})", self.int(d), self.expression(Text, d)),
            Shape => match self.random.below(3) {
                0 => format!("new Circle({})", self.int(d)),
                1 => format!("new Square({}, {})", self.int(d), self.expression(Color, d)),
                _ => format!("({} ? (Shape) {} : {})", self.boolean(d), self.leaf(Shape), self.leaf(Shape)),
            },
            Ints => format!("new int[] {{{}, {}}}", self.int(d), self.int(d)),
            List => match self.random.below(3) {
                0 => format!("new ArrayList<>(List.of({}, {}))", self.int(d), self.int(d)),
                1 => format!("new LinkedList<>(Arrays.asList({}, 2))", self.int(d)),
                _ => "new ArrayList<Integer>()".into(),
            },
            Map => match self.random.below(3) {
                0 => format!("new TreeMap<>(Map.of({}, {}))", self.expression(Text, d), self.int(d)),
                1 => format!("new HashMap<>(Map.of(\"a\", {}))", self.int(d)),
                _ => "new LinkedHashMap<String, Integer>()".into(),
            },
        }
    }

    fn leaf(&mut self, ty: Type) -> String {
        let number = self.random.below(6);
        match ty {
            Int => number.to_string(),
            Long => format!("{number}L"),
            Boolean => (number < 3).to_string(),
            Char => self.random.pick(&["'a'", "'b'", "'z'"]).into(),
            Text => self.random.pick(&["\"a\"", "\"bc\"", "\"\"", "\"é\""]).into(),
            Boxed => format!("((Integer) {})", self.random.pick(&[1, 127, 128])),
            Node => self.random.pick(&["((Node) null)", "new Node(1, null)"]).into(),
            Color => self.random.pick(&["Color.RED", "Color.GREEN", "Color.BLUE"]).into(),
            Pair => "new Pair(1, \"p\")".into(),
            Shape => self.random.pick(&["new Circle(2)", "new Square(3, Color.GREEN)", "new Square(1, null)"]).into(),
            Ints => "new int[] {1, 2}".into(),
            List => "new ArrayList<>(List.of(2, 1))".into(),
            Map => "new HashMap<String, Integer>()".into(),
        }
    }

    fn number(&mut self, d: usize) -> String {
        match self.random.below(16) {
            0 => format!("({} + {})", self.int(d), self.int(d)),
            1 => format!("({} - {})", self.int(d), self.int(d)),
            2 => format!("({} * {})", self.int(d), self.random.below(5)),
            3 => format!("({} / {})", self.int(d), self.int(d)),
            4 => format!("({} % {})", self.int(d), self.random.pick(&[2, 3, 7])),
            5 => format!("({} ? {} : {})", self.boolean(d), self.int(d), self.int(d)),
            6 => format!("{}.value", self.expression(Node, d)),
            7 => format!("{}.sum(2)", self.expression(Node, d)),
            8 => format!("{}.length()", self.expression(Text, d)),
            9 => format!("(int) {}", self.expression(Boxed, d)),
            10 => format!("{}.weight({})", self.expression(Color, d), self.int(d)),
            11 => format!("{}.twice()", self.expression(Pair, d)),
            12 => format!("{}.more({})", self.expression(Shape, d), self.int(d)),
            13 => format!("{}.size()", self.expression(List, d)),
            14 => format!("{}.getOrDefault({}, {})", self.expression(Map, d), self.expression(Text, d), self.int(d)),
            _ => match self.random.below(4) {
                0 => format!("(int) {}", self.expression(Char, d)),
                1 => format!("{}[{}]", self.expression(Ints, d), self.int(d)),
                2 => format!("Math.abs({})", self.int(d)),
                _ => format!("({} >> {})", self.int(d), self.random.below(4)),
            },
        }
    }

    fn condition(&mut self, d: usize) -> String {
        match self.random.below(11) {
            0..=2 => format!("({} {} {})", self.int(d), self.random.pick(&["<", ">", "==", "!=", "<="]), self.int(d)),
            3 => format!("{}.equals({})", self.expression(Text, d), self.expression(Text, d)),
            4 => format!("({} == {})", self.expression(Node, d), self.expression(Node, d)),
            5 => format!("({} == {})", self.expression(Boxed, d), self.expression(Boxed, d)),
            6 => format!("({} == {})", self.expression(Color, d), self.expression(Color, d)),
            7 => format!("{}.equals({})", self.expression(Pair, d), self.expression(Pair, d)),
            8 => format!("({} < {})", self.expression(Long, d), self.expression(Long, d)),
            9 => format!("{}.contains({})", self.expression(List, d), self.int(d)),
            _ => format!("({} && !{})", self.boolean(d), self.boolean(d)),
        }
    }

    fn string(&mut self, d: usize) -> String {
        match self.random.below(10) {
            0 | 1 => format!("({} + {})", self.expression(Text, d), self.int(d)),
            2 => format!("({} + {})", self.expression(Text, d), self.expression(Char, d)),
            3 => format!("{}.substring({})", self.expression(Text, d), self.int(d)),
            4 => format!(
                "new StringBuilder({}).append({}).reverse().toString()",
                self.expression(Text, d),
                self.boolean(d)
            ),
            5 => format!("String.valueOf({})", self.expression(Boxed, d)),
            6 => format!("{}.name()", self.expression(Color, d)),
            7 => format!("{}.right()", self.expression(Pair, d)),
            8 => format!("{}.toUpperCase()", self.expression(Text, d)),
            _ => format!("({} ? {} : {})", self.boolean(d), self.expression(Text, d), self.expression(Text, d)),
        }
    }
}
