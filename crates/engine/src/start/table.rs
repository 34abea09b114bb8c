//! What the start of a virtual machine does and Lazuli does not: the one list of initialisers that are skipped or replaced, and of statics that
//! nobody sets here. Whoever reads such a static stops the path, by name; it is never null or zero.

/// Statics that the virtual machine sets, or an initialiser that is skipped: class, field (`*`: all that nobody has written) and what
/// they stand for.
const LEFT_OUT: [(&str, &str, &str); 9] = [
    ("java/lang/System", "bootLayer", "the layer of the JDK's modules"),
    ("java/lang/System", "initialIn", "standard input"),
    ("java/lang/ref/Reference", "*", "the thread that clears references"),
    ("java/lang/ref/Finalizer", "*", "the thread that finalizes objects"),
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

/// Classes that need each other, where the virtual machine initialises another one first: the class, and which comes before it.
const BEFORE: [(&str, &str); 1] = [("jdk/internal/reflect/ReflectionFactory", "java/lang/reflect/AccessibleObject")];

/// The class that the virtual machine has initialised before this one.
pub(crate) fn before(class: &str) -> Option<&'static str> {
    BEFORE.iter().find(|(later, _)| *later == class).map(|(_, before)| *before)
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
