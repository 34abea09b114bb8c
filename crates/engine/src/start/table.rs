//! What the start of a virtual machine does and Lazuli does not: the one list of initialisers that are skipped or replaced, and of statics that
//! nobody sets here. Whoever reads such a static stops the path, by name; it is never null or zero.

/// What takes the place of an initialiser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Instead {
    /// The start of the machine: the phases of the JDK's own start, its own initialiser first.
    Start,
    Nothing,
}

/// The initialisers that are not executed as they are written, what takes their place, and what they would do.
const REPLACED: [(&str, Instead, &str); 6] = [
    ("java/lang/System", Instead::Start, "nothing: the virtual machine sets the streams and properties afterwards"),
    ("java/lang/ref/Reference", Instead::Nothing, "start the thread that clears references; nothing is collected here"),
    ("java/lang/ref/Finalizer", Instead::Nothing, "start the thread that finalizes objects; none is finalized here"),
    ("java/lang/invoke/VarHandle", Instead::Nothing, "prepare the code of handles, which the engine provides"),
    ("lazuli/Lazuli", Instead::Nothing, "whatever it does on a plain virtual machine: its methods make inputs here"),
    ("org/sosy_lab/sv_benchmarks/Verifier", Instead::Nothing, "likewise"),
];

/// What takes the place of the initialiser of a class.
pub(crate) fn instead(class: &str) -> Option<Instead> {
    REPLACED.iter().find(|(replaced, ..)| *replaced == class).map(|(_, instead, _)| *instead)
}

/// Statics that the virtual machine sets, or an initialiser that is skipped: class, field (`*`: all that nobody has written) and what
/// they stand for.
const LEFT_OUT: [(&str, &str, &str); 14] = [
    ("java/lang/System", "bootLayer", "the layer of the JDK's modules"),
    ("java/lang/System", "initialIn", "standard input"),
    ("java/lang/System", "initialErrStream", "where warnings go"),
    ("java/lang/Terminator", "handler", "what is done at the signals of the operating system"),
    ("java/lang/ref/Reference", "*", "the thread that clears references"),
    ("java/lang/ref/Finalizer", "*", "the thread that finalizes objects"),
    ("java/lang/invoke/SimpleMethodHandle", "BMH_SPECIES", "the code of handles"),
    ("java/lang/invoke/BoundMethodHandle$Species_L", "BMH_SPECIES", "the code of handles"),
    ("java/lang/invoke/VarHandle", "*", "the code of handles"),
    ("jdk/internal/access/SharedSecrets", "javaLangAccess", "the JDK's way into java.lang"),
    ("jdk/internal/access/SharedSecrets", "javaLangRefAccess", "the JDK's way into java.lang.ref"),
    ("java/lang/ClassLoader", "scl", "the class loader of the program"),
    ("jdk/internal/loader/ClassLoaders", "*", "the class loaders of the JDK"),
    ("jdk/internal/module/ModuleBootstrap", "*", "the layer of the JDK's modules"),
];

/// What a static stands for that the virtual machine would have set and nobody has.
pub(crate) fn left_out(class: &str, field: &str) -> Option<&'static str> {
    let is = |entry: &&(&str, &str, &str)| entry.0 == class && (entry.1 == "*" || entry.1 == field);
    LEFT_OUT.iter().find(is).map(|(_, _, what)| *what)
}

/// What such a static stands for that its own initialiser has set to null.
pub(crate) fn left_null(class: &str, field: &str) -> Option<&'static str> {
    let is = |entry: &&(&str, &str, &str)| entry.0 == class && entry.1 == field;
    LEFT_OUT.iter().find(is).map(|(_, _, what)| *what)
}

/// Classes that need each other, where the virtual machine initialises another one first: the class, and which comes before it.
const BEFORE: [(&str, &str); 1] = [("jdk/internal/reflect/ReflectionFactory", "java/lang/reflect/AccessibleObject")];

/// The class that the virtual machine has initialised before this one.
pub(crate) fn before(class: &str) -> Option<&'static str> {
    BEFORE.iter().find(|(later, _)| *later == class).map(|(_, before)| *before)
}

/// Packages of the JDK that go through sets in an order which nobody sees afterwards: what they make of them are tables again.
const UNSEEN_ORDER: [&str; 4] =
    ["sun/util/locale/provider/", "sun/util/calendar/ZoneInfoFile", "sun/util/cldr/", "sun/util/resources/"];

/// Whether a class goes through sets in an order which nobody sees afterwards.
pub(crate) fn hides_order(class: &str) -> bool {
    UNSEEN_ORDER.iter().any(|package| class.starts_with(package))
}

/// Statics that differ from run to run, whatever their initialisers have put there.
const VARYING: [(&str, &str, &str); 2] = [
    ("java/util/ImmutableCollections", "SALT32L", "the salt of Set.of and Map.of"),
    ("java/util/ImmutableCollections", "REVERSE", "the salt of Set.of and Map.of"),
];

/// What a static stands for that differs from run to run.
pub(crate) fn varying(class: &str, field: &str) -> Option<&'static str> {
    VARYING.iter().find(|entry| entry.0 == class && entry.1 == field).map(|(_, _, what)| *what)
}
