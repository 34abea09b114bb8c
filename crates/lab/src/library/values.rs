//! Expressions of Java that give values of a type: constants, and objects that public members make of constants.

use lazuli_program::bytecode::descriptor;

use super::excluded;
use super::members::{Maker, Member, Members};
use crate::random::Random;

/// Objects are made of objects, but not forever.
const DEPTH: u32 = 3;

const INTS: &[&str] = &[
    "0", "1", "2", "3", "5", "7", "10", "12", "16", "-1", "-3", "31", "64", "127", "128", "255", "1000", "2024",
    "65536",
];
const EXTREME_INTS: &[&str] = &["Integer.MAX_VALUE", "Integer.MIN_VALUE", "-2147483647", "0x5DEECE66", "-129"];
const LONGS: &[&str] = &["0L", "1L", "2L", "-1L", "10L", "-100L", "123456789L", "86400L"];
const EXTREME_LONGS: &[&str] =
    &["Long.MAX_VALUE", "Long.MIN_VALUE", "0x123456789ABCDEFL", "4294967296L", "-62135596800L"];
const DOUBLES: &[&str] =
    &["0.0", "1.0", "-1.0", "0.5", "2.5", "-3.75", "3.141592653589793", "100.0", "1e-3", "12345.678"];
const EXTREME_DOUBLES: &[&str] = &[
    "-0.0",
    "Double.NaN",
    "Double.POSITIVE_INFINITY",
    "Double.NEGATIVE_INFINITY",
    "Double.MAX_VALUE",
    "Double.MIN_VALUE",
    "1e300",
    "-2.2250738585072014E-308",
];
const FLOATS: &[&str] = &["0.0f", "1.0f", "-1.5f", "0.25f", "3.4f", "100.0f"];
const EXTREME_FLOATS: &[&str] =
    &["-0.0f", "Float.NaN", "Float.POSITIVE_INFINITY", "Float.MAX_VALUE", "Float.MIN_VALUE", "1e30f"];
const CHARS: &[&str] =
    &["'a'", "'Z'", "'0'", "' '", "'x'", "','", "'\\n'", "(char) 233", "(char) 0x20AC", "(char) 0xD83D"];
const BYTES: &[&str] = &["(byte) 0", "(byte) 1", "(byte) 65", "(byte) -1", "(byte) -128", "(byte) 127"];
const SHORTS: &[&str] = &["(short) 0", "(short) 1", "(short) 300", "(short) -1", "Short.MIN_VALUE", "Short.MAX_VALUE"];
const STRINGS: &[&str] = &[
    "\"\"",
    "\"a\"",
    "\"abc\"",
    "\"Hello, World\"",
    "\"12\"",
    "\"-7\"",
    "\"3.14\"",
    "\"1e5\"",
    "\"true\"",
    "\" x \"",
    "\"a,b,c\"",
    "\"abcabc\"",
    "\"[a-c]+\"",
    "\"(b)(c)?\"",
    "\"%d %s\"",
    "\"one\\ntwo\\n\"",
    "\"2024-02-29\"",
    "\"10:15:30\"",
    "\"2024-02-29T10:15:30\"",
    "\"P1Y2M\"",
    "\"PT2H\"",
    "\"yyyy-MM-dd\"",
    "\"#,##0.00\"",
    "\"UTC\"",
    "\"UTF-8\"",
    "\"en\"",
    "\"US\"",
    "\"\\u00e9\\u20ac\"",
    "\"\\ud83d\\ude00x\"",
    "\"MONDAY\"",
];

/// Types whose values are better chosen than found: what is in collections, what functions do.
const CHOSEN: &[(&str, &[&str])] = &[
    (
        "java/lang/Object",
        &["\"abc\"", "Integer.valueOf(7)", "Double.valueOf(2.5)", "Long.valueOf(-1L)", "Character.valueOf('c')"],
    ),
    ("java/lang/CharSequence", &["\"abc\"", "\"a1b22\"", "\"\"", "new StringBuilder(\"abcab\")"]),
    ("java/lang/Comparable", &["\"abc\"", "Integer.valueOf(7)"]),
    ("java/lang/Number", &["Integer.valueOf(7)", "Double.valueOf(2.5)", "new java.math.BigInteger(\"12345678901\")"]),
    ("java/lang/Integer", &["7", "-1", "1000", "Integer.MIN_VALUE"]),
    ("java/lang/Long", &["7L", "-1L", "1000L", "Long.MIN_VALUE"]),
    ("java/lang/Short", &["(short) 7", "(short) -1"]),
    ("java/lang/Byte", &["(byte) 7", "(byte) -1"]),
    ("java/lang/Character", &["'x'", "'9'"]),
    ("java/lang/Boolean", &["true", "false"]),
    ("java/lang/Float", &["1.5f", "-0.0f", "Float.NaN"]),
    ("java/lang/Double", &["1.5", "-0.0", "Double.NaN", "1e10"]),
    ("java/lang/Class", &["String.class", "Integer.class", "int.class", "int[].class", "java.util.List.class"]),
    ("java/lang/Iterable", LISTS),
    ("java/util/Collection", LISTS),
    ("java/util/List", LISTS),
    ("java/util/SequencedCollection", LISTS),
    ("java/util/AbstractList", &["new java.util.ArrayList(java.util.Arrays.asList(3, 1, 2))"]),
    (
        "java/util/ArrayList",
        &["new java.util.ArrayList(java.util.Arrays.asList(3, 1, 2))", "new java.util.ArrayList()"],
    ),
    (
        "java/util/LinkedList",
        &["new java.util.LinkedList(java.util.Arrays.asList(\"b\", \"a\"))", "new java.util.LinkedList()"],
    ),
    (
        "java/util/ArrayDeque",
        &["new java.util.ArrayDeque(java.util.Arrays.asList(\"b\", \"a\"))", "new java.util.ArrayDeque()"],
    ),
    ("java/util/Deque", &["new java.util.ArrayDeque(java.util.Arrays.asList(1, 2, 3))"]),
    ("java/util/Queue", &["new java.util.PriorityQueue(java.util.Arrays.asList(3, 1, 2))"]),
    ("java/util/PriorityQueue", &["new java.util.PriorityQueue(java.util.Arrays.asList(3, 1, 2))"]),
    ("java/util/Vector", &["new java.util.Vector(java.util.Arrays.asList(3, 1, 2))"]),
    (
        "java/util/Set",
        &[
            "new java.util.TreeSet(java.util.Arrays.asList(\"b\", \"a\"))",
            "new java.util.LinkedHashSet(java.util.Arrays.asList(3, 1, 2))",
            "new java.util.HashSet(java.util.Arrays.asList(\"x\", \"y\"))",
            "java.util.Collections.emptySet()",
        ],
    ),
    ("java/util/HashSet", &["new java.util.HashSet(java.util.Arrays.asList(\"x\", \"y\"))"]),
    ("java/util/LinkedHashSet", &["new java.util.LinkedHashSet(java.util.Arrays.asList(3, 1, 2))"]),
    ("java/util/TreeSet", &["new java.util.TreeSet(java.util.Arrays.asList(3, 1, 2))"]),
    ("java/util/SortedSet", &["new java.util.TreeSet(java.util.Arrays.asList(3, 1, 2))"]),
    ("java/util/NavigableSet", &["new java.util.TreeSet(java.util.Arrays.asList(3, 1, 2))"]),
    (
        "java/util/Map",
        &[
            "new java.util.TreeMap(java.util.Collections.singletonMap(\"a\", 1))",
            "new java.util.HashMap(java.util.Collections.singletonMap(\"abc\", 2))",
            "java.util.Collections.singletonMap(\"k\", 1)",
            "java.util.Collections.emptyMap()",
        ],
    ),
    ("java/util/HashMap", &["new java.util.HashMap(java.util.Collections.singletonMap(\"abc\", 2))"]),
    ("java/util/LinkedHashMap", &["new java.util.LinkedHashMap(java.util.Collections.singletonMap(7, 2))"]),
    (
        "java/util/TreeMap",
        &["new java.util.TreeMap(java.util.Collections.singletonMap(\"a\", 1))", "new java.util.TreeMap()"],
    ),
    ("java/util/SortedMap", &["new java.util.TreeMap(java.util.Collections.singletonMap(\"a\", 1))"]),
    ("java/util/NavigableMap", &["new java.util.TreeMap(java.util.Collections.singletonMap(\"a\", 1))"]),
    ("java/util/Iterator", &["java.util.Arrays.asList(3, 1, 2).iterator()"]),
    ("java/util/ListIterator", &["java.util.Arrays.asList(3, 1, 2).listIterator(1)"]),
    ("java/util/Enumeration", &["java.util.Collections.enumeration(java.util.Arrays.asList(3, 1, 2))"]),
    ("java/util/Spliterator", &["java.util.Arrays.asList(3, 1, 2).spliterator()"]),
    ("java/util/Comparator", &["java.util.Comparator.naturalOrder()", "java.util.Collections.reverseOrder()"]),
    ("java/util/Locale", &["java.util.Locale.US", "java.util.Locale.ROOT", "java.util.Locale.ENGLISH"]),
    (
        "java/util/stream/Stream",
        &["java.util.stream.Stream.of(3, 1, 2)", "java.util.Arrays.asList(\"b\", \"a\").stream()"],
    ),
    (
        "java/util/stream/IntStream",
        &["java.util.stream.IntStream.of(3, 1, 2)", "java.util.stream.IntStream.range(0, 5)"],
    ),
    (
        "java/util/stream/LongStream",
        &["java.util.stream.LongStream.of(3, 1, 2)", "java.util.stream.LongStream.range(0, 5)"],
    ),
    ("java/util/stream/DoubleStream", &["java.util.stream.DoubleStream.of(3.5, 1, 2)"]),
    (
        "java/util/stream/Collector",
        &[
            "java.util.stream.Collectors.toList()",
            "java.util.stream.Collectors.counting()",
            "java.util.stream.Collectors.mapping(x -> 1, java.util.stream.Collectors.toList())",
        ],
    ),
    (
        "java/nio/charset/Charset",
        &["java.nio.charset.StandardCharsets.UTF_8", "java.nio.charset.StandardCharsets.ISO_8859_1"],
    ),
    ("java/nio/ByteBuffer", &["java.nio.ByteBuffer.wrap(new byte[] {65, 66, 67})", "java.nio.ByteBuffer.allocate(8)"]),
    ("java/nio/CharBuffer", &["java.nio.CharBuffer.wrap(\"ab\")", "java.nio.CharBuffer.allocate(8)"]),
    ("java/lang/Runnable", &["() -> {}"]),
    ("java/util/function/Function", &["x -> x", "x -> \"f\" + x"]),
    ("java/util/function/BiFunction", &["(x, y) -> y", "(x, y) -> x"]),
    ("java/util/function/UnaryOperator", &["x -> x"]),
    ("java/util/function/BinaryOperator", &["(x, y) -> x", "(x, y) -> y"]),
    ("java/util/function/Predicate", &["x -> true", "x -> x == null", "x -> \"abc\".equals(x)"]),
    ("java/util/function/BiPredicate", &["(x, y) -> x == y"]),
    ("java/util/function/Supplier", &["() -> \"s\"", "() -> new java.util.ArrayList()"]),
    ("java/util/function/Consumer", &["x -> {}"]),
    ("java/util/function/BiConsumer", &["(x, y) -> {}"]),
    ("java/util/function/BooleanSupplier", &["() -> true"]),
    ("java/util/function/IntSupplier", &["() -> 4"]),
    ("java/util/function/LongSupplier", &["() -> 4L"]),
    ("java/util/function/DoubleSupplier", &["() -> 4.5"]),
    ("java/util/function/IntConsumer", &["x -> {}"]),
    ("java/util/function/LongConsumer", &["x -> {}"]),
    ("java/util/function/DoubleConsumer", &["x -> {}"]),
    ("java/util/function/IntPredicate", &["x -> x > 2"]),
    ("java/util/function/LongPredicate", &["x -> x > 2"]),
    ("java/util/function/DoublePredicate", &["x -> x > 2"]),
    ("java/util/function/IntFunction", &["x -> new Object[x]", "x -> new Integer[x]"]),
    ("java/util/function/LongFunction", &["x -> \"l\" + x"]),
    ("java/util/function/DoubleFunction", &["x -> \"d\""]),
    ("java/util/function/IntUnaryOperator", &["x -> x + 1"]),
    ("java/util/function/LongUnaryOperator", &["x -> x * 3"]),
    ("java/util/function/DoubleUnaryOperator", &["x -> x / 3"]),
    ("java/util/function/IntBinaryOperator", &["(x, y) -> x + y"]),
    ("java/util/function/LongBinaryOperator", &["(x, y) -> x * y"]),
    ("java/util/function/DoubleBinaryOperator", &["(x, y) -> x - y"]),
    ("java/util/function/ToIntFunction", &["x -> 3"]),
    ("java/util/function/ToLongFunction", &["x -> 3L"]),
    ("java/util/function/ToDoubleFunction", &["x -> 3.5"]),
    ("java/util/function/ToIntBiFunction", &["(x, y) -> 3"]),
    ("java/util/function/ToLongBiFunction", &["(x, y) -> 3L"]),
    ("java/util/function/ToDoubleBiFunction", &["(x, y) -> 3.5"]),
    ("java/util/function/IntToLongFunction", &["x -> x + 1L"]),
    ("java/util/function/IntToDoubleFunction", &["x -> x / 2.0"]),
    ("java/util/function/LongToIntFunction", &["x -> (int) x"]),
    ("java/util/function/LongToDoubleFunction", &["x -> x / 2.0"]),
    ("java/util/function/DoubleToIntFunction", &["x -> (int) x"]),
    ("java/util/function/DoubleToLongFunction", &["x -> (long) x"]),
    ("java/util/function/ObjIntConsumer", &["(x, y) -> {}"]),
    ("java/util/function/ObjLongConsumer", &["(x, y) -> {}"]),
    ("java/util/function/ObjDoubleConsumer", &["(x, y) -> {}"]),
];

const LISTS: &[&str] = &[
    "new java.util.ArrayList(java.util.Arrays.asList(3, 1, 2))",
    "java.util.Arrays.asList(\"b\", \"a\", \"c\")",
    "java.util.List.of(1, 2)",
    "new java.util.LinkedList(java.util.Arrays.asList(\"x\", \"y\"))",
    "java.util.Collections.emptyList()",
];

/// Writes expressions.
pub struct Values<'m> {
    pub members: &'m Members,
    pub random: Random,
}

impl Values<'_> {
    /// An expression that can be assigned to a variable of the type. `None` if none was found.
    pub fn of(&mut self, ty: &str) -> Option<String> {
        self.value(ty, 0)
    }

    fn value(&mut self, ty: &str, depth: u32) -> Option<String> {
        let (usual, extreme) = match ty {
            "I" => (INTS, EXTREME_INTS),
            "J" => (LONGS, EXTREME_LONGS),
            "D" => (DOUBLES, EXTREME_DOUBLES),
            "F" => (FLOATS, EXTREME_FLOATS),
            "C" => (CHARS, CHARS),
            "B" => (BYTES, BYTES),
            "S" => (SHORTS, SHORTS),
            "Z" => (&["true", "false"][..], &["true", "false"][..]),
            _ => return self.object(ty, depth),
        };
        let rarely = self.random.one_in(5);
        Some(self.random.pick(if rarely { extreme } else { usual }).to_string())
    }

    fn object(&mut self, ty: &str, depth: u32) -> Option<String> {
        if depth > 0 && self.random.one_in(40) {
            return Some("null".into());
        }
        if let Some(element) = ty.strip_prefix('[') {
            return self.array(element, depth);
        }
        let class = ty.strip_prefix('L')?.strip_suffix(';')?;
        if class == "java/lang/String" {
            return Some(self.random.pick(STRINGS).to_string());
        }
        if let Some((_, chosen)) = CHOSEN.iter().find(|(name, _)| *name == class) {
            return Some(self.random.pick(chosen).to_string());
        }
        if depth >= DEPTH {
            return None;
        }
        self.made(class, depth + 1).or_else(|| {
            let mut below = self.members.below(class);
            self.random.shuffle(&mut below);
            below.iter().take(8).find_map(|class| self.object(&format!("L{class};"), depth + 1))
        })
    }

    fn array(&mut self, element: &str, depth: u32) -> Option<String> {
        let length = self.random.below(4);
        let elements: Option<Vec<String>> = (0..length).map(|_| self.value(element, depth + 1)).collect();
        // The dimensions stand behind the innermost type.
        let dimensions = element.bytes().take_while(|b| *b == b'[').count() + 1;
        let innermost = java_type(element.trim_start_matches('['));
        Some(format!("new {innermost}{} {{{}}}", "[]".repeat(dimensions), elements?.join(", ")))
    }

    /// By a constructor, a factory or a constant of the class itself.
    fn made(&mut self, class: &str, depth: u32) -> Option<String> {
        if excluded::why(class, "", "").is_some() {
            return None;
        }
        let mut makers = self.members.makers(class);
        self.random.shuffle(&mut makers);
        let name = java_name(class);
        makers.iter().take(6).find_map(|maker| {
            Some(match maker {
                Maker::Constant(constant) => format!("{name}.{constant}"),
                Maker::Constructor(descriptor) => format!("new {name}({})", self.arguments(descriptor, depth)?),
                Maker::Factory(Member { name: method, descriptor, .. }) => {
                    format!("{name}.{method}({})", self.arguments(descriptor, depth)?)
                }
            })
        })
    }

    /// With casts, so that the overload is the one that is meant.
    fn arguments(&mut self, descriptor: &str, depth: u32) -> Option<String> {
        let types = descriptor::method(descriptor)?.parameters;
        let values: Option<Vec<String>> =
            types.iter().map(|ty| Some(format!("({}) ({})", java_type(ty), self.value(ty, depth)?))).collect();
        Some(values?.join(", "))
    }
}

/// A class as a source names it.
pub fn java_name(class: &str) -> String {
    class.replace(['/', '$'], ".")
}

/// A type as a source names it.
pub fn java_type(ty: &str) -> String {
    if let Some(element) = ty.strip_prefix('[') {
        return java_type(element) + "[]";
    }
    match ty.strip_prefix('L').and_then(|class| class.strip_suffix(';')) {
        Some(class) => java_name(class),
        None => descriptor::readable_type(ty),
    }
}
