//! HEX, the heap exploration logic (seed document 002): which partially initialised inputs are still completable to a valid data
//! structure. This is the language; `lexer` → `parser` → `ast` → `resolve` → [`Hex`], which knows the program's classes and
//! fields by number and has a finite automaton for every path expression. The engine evaluates it.

mod ast;
pub mod automaton;
pub mod bundle;
mod demand;
mod expr;
mod formula;
mod jbse;
mod lexer;
mod names;
mod parser;
mod records;
mod resolve;
mod types;

use std::path::{Path, PathBuf};

use automaton::Automaton;
use bundle::Bundled;
pub use formula::{Formula, Literal, Prop};
use lazuli_program::ir::{ClassId, FieldId, MethodId, Type};
use lazuli_program::program::Program;
use lazuli_program::source::{LoadError, Source};
use names::Names;

/// The invariants of a program's inputs.
#[derive(Clone, Debug, Default)]
pub struct Hex {
    /// The name of the file.
    pub name: String,
    pub scopes: Vec<Scope>,
    pub patterns: Vec<Pattern>,
    pub statements: Vec<Statement>,
    /// What is said beyond conjunction.
    pub formulas: Vec<Formula>,
    pub ghosts: Vec<Ghost>,
    /// Whether the rules are JBSE's: see [`Semantics`].
    pub semantics: Semantics,
    /// The classes whose files came with the program.
    pub bundled: Vec<&'static str>,
    /// How many scopes there were before those.
    pub own_scopes: usize,
}

/// How the statements that match one reference combine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Semantics {
    /// All must hold.
    #[default]
    Hex,
    /// Those of one kind (expands, aliases) combine by OR; classes are compared by name, exactly.
    Jbse,
}

/// A `for any` scope: its variable is the innermost object of the class above the reference.
#[derive(Clone, Debug)]
pub struct Scope {
    pub class: ClassId,
    /// A class below it whose objects are not meant.
    pub but: Option<ClassId>,
    pub variable: String,
}

impl Scope {
    /// Whether all objects of a declared class are meant.
    pub fn has(&self, program: &Program, declared: ClassId) -> bool {
        let is_other = |but: ClassId| program.related(declared, but);
        program.is_subclass(declared, self.class) && !self.but.is_some_and(is_other)
    }

    /// Whether some of them may be.
    pub fn may_have(&self, program: &Program, declared: ClassId) -> bool {
        let is_other = |but: ClassId| program.is_subclass(declared, but);
        program.related(declared, self.class) && !self.but.is_some_and(is_other)
    }
}

macro_rules! index {
    ($name:ident) => {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);

        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}
index!(ScopeId);
index!(PatternId);
index!(GhostId);

/// A set of access paths: where they start, and the fields from there on.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    pub start: Start,
    pub automaton: Automaton,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// An input by name.
    Root(String),
    /// Every input.
    AnyRoot,
    /// The object that a scope's variable denotes.
    Scope(ScopeId),
}

/// What holds for every reference at a path of the pattern.
#[derive(Clone, Debug)]
pub struct Statement {
    pub pattern: PatternId,
    pub clauses: Vec<Clause>,
    pub events: Vec<Event>,
    /// What is asked of the object that a reference denotes, by executing methods of its class.
    pub demands: Vec<Demand>,
    /// As it is written, for messages.
    pub text: String,
    /// Of a rule of JBSE: the erased static type of the references it is about.
    pub of_type: Option<ClassId>,
    /// Of an atom: the number of its formula. It need not hold by itself, and has no events.
    pub formula: Option<u32>,
}

impl Statement {
    /// The patterns of its `max` targets.
    pub fn maxima(&self) -> impl Iterator<Item = PatternId> + '_ {
        let targets = self.clauses.iter().filter_map(|clause| match clause {
            Clause::Aliases(targets) => Some(targets.as_slice()),
            Clause::NeverAliases(target) => Some(std::slice::from_ref(target)),
            _ => None,
        });
        targets.flatten().filter_map(|target| match target {
            Target::Path { pattern, max: true } => Some(*pattern),
            _ => None,
        })
    }
}

/// The atoms of Definition 3.2; alternatives in one atom are a disjunction.
#[derive(Clone, Debug, PartialEq)]
pub enum Clause {
    NotNull,
    ExpandsToNothing,
    ExpandsTo(Vec<ClassTest>),
    AliasesNothing,
    Aliases(Vec<Target>),
    NeverAliases(Target),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassTest {
    pub class: ClassId,
    /// Not its subclasses.
    pub exact: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Target {
    /// Any object of a class.
    Some(ClassTest),
    /// An object whose origin is in the pattern; with `max`, in no other path of the pattern that goes on from there.
    Path {
        pattern: PatternId,
        max: bool,
    },
    Object(Object),
    /// Of JBSE: an object whose origin is that of another one and then a path of the pattern; with `max`, the longest such.
    Below {
        object: Object,
        pattern: PatternId,
        max: bool,
    },
}

/// An object by its place relative to a reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Object {
    /// The variable of a scope.
    Scope(ScopeId),
    /// The object the reference was assumed to denote.
    It,
    /// 1: the holder of the reference, 2: the holder's parent in the backbone, and so on.
    Up(u32),
    /// The closest object above the reference from which its path is one of the pattern (`{$R_ANY}` of JBSE).
    Prefix(PatternId),
    /// So many objects above the one that the reference denotes (in an alias's trigger of JBSE).
    AboveIt(u32),
}

/// The kinds of assumptions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    Null,
    Expand,
    Alias,
}

#[derive(Clone, Debug)]
pub struct Event {
    pub when: When,
    pub companion: Companion,
    /// Of a rule of JBSE: what else must be true of the assumption.
    pub given: Option<Clause>,
}

/// What is done after an assumption.
#[derive(Clone, Debug)]
pub enum Companion {
    Actions(Vec<Action>),
    /// A method that is executed symbolically; if its result is a boolean, it must be true.
    Method {
        method: MethodId,
        object: Option<Object>,
        /// Whether it waits until the class of the object is known: where a reference may be of many classes, most of them need not be
        /// tried.
        waits: bool,
    },
}

/// What is asked of an object whose class is not known beforehand, by a method that is executed once it is.
#[derive(Clone, Debug)]
pub struct Demand {
    /// Static, of one object or of two.
    pub method: MethodId,
    /// Objects of these classes are not asked.
    pub but: Vec<ClassId>,
    pub what: Demanded,
}

#[derive(Clone, Debug)]
pub enum Demanded {
    /// The method gives this number for it.
    Number(Expr),
    /// It is put into a collection of objects, which the method compares with each other.
    Member {
        object: Object,
        ghosts: Vec<GhostId>,
        /// Of a sorted collection: a number that says where it stands.
        place: Option<Expr>,
    },
}

#[derive(Clone, Debug)]
pub enum Action {
    Assume(Expr),
    Set {
        object: Object,
        ghosts: Vec<GhostId>,
        op: SetOp,
        value: Expr,
    },
    /// Adds a number to a set that does not have it yet, or to a heap, at the index of the reference.
    Insert {
        object: Object,
        ghosts: Vec<GhostId>,
        /// To which of several sets.
        number: Option<Expr>,
        value: Expr,
        /// Whether all greater numbers are added, too.
        and_above: bool,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetOp {
    Assign,
    Add,
    Subtract,
}

/// A field of an object that only the invariants see.
#[derive(Clone, Debug)]
pub struct Ghost {
    pub class: ClassId,
    pub name: String,
    pub ty: Type,
    pub initial: GhostValue,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GhostValue {
    Int(i64),
    Bool(bool),
    /// Unknown: the invariant may choose it.
    Fresh,
    MinusInfinity,
    PlusInfinity,
    /// A set of numbers, without any.
    Empty,
    /// A set of numbers for every number, without any.
    EmptySets,
    /// A heap of numbers in an array, without any.
    EmptyHeap,
    /// Objects of which no two are equal, none yet.
    EmptyObjects,
    /// Objects in their natural order, none yet.
    EmptySorted,
    /// A heap of objects in an array, by their natural order, without any.
    EmptyQueue,
}

/// An expression over ghosts and the primitive fields of the initial heap. The type is that of its value.
#[derive(Clone, Debug)]
pub enum Expr {
    Int(i64),
    Bool(bool),
    Infinity {
        positive: bool,
    },
    /// The index of the reference, if it is an element of an array.
    Index,
    /// The value a field had before the program ran. Several fields of one name, of unrelated classes, are possible.
    Initial {
        object: Object,
        fields: Vec<FieldId>,
    },
    Ghost {
        object: Object,
        ghosts: Vec<GhostId>,
    },
    Not(Box<Expr>),
    Binary(Op, Box<Expr>, Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Add,
    Subtract,
    Less,
    LessEqual,
    EqualInt,
    EqualBool,
    And,
    Or,
    Remainder,
    BitAnd,
    BitXor,
    ShiftRight,
}

impl GhostValue {
    /// Whether numbers are added to it.
    pub fn is_collection(self) -> bool {
        matches!(self, GhostValue::Empty | GhostValue::EmptySets | GhostValue::EmptyHeap) || self.has_objects()
    }

    /// Whether objects are.
    pub fn has_objects(self) -> bool {
        matches!(self, GhostValue::EmptyObjects | GhostValue::EmptySorted | GhostValue::EmptyQueue)
    }
}

impl Hex {
    /// The fields whose initial values the actions ask for, each once.
    pub fn initial_fields(&self) -> Vec<FieldId> {
        let mut fields = Vec::new();
        for event in self.statements.iter().flat_map(|s| &s.events) {
            let Companion::Actions(actions) = &event.companion else { continue };
            for action in actions {
                match action {
                    Action::Assume(expr) | Action::Set { value: expr, .. } => expr.initial_fields(&mut fields),
                    Action::Insert { number, value, .. } => {
                        number.iter().chain([value]).for_each(|expr| expr.initial_fields(&mut fields));
                    }
                }
            }
        }
        for demand in self.statements.iter().flat_map(|s| &s.demands) {
            match &demand.what {
                Demanded::Number(expr) | Demanded::Member { place: Some(expr), .. } => expr.initial_fields(&mut fields),
                Demanded::Member { place: None, .. } => {}
            }
        }
        fields.sort_unstable();
        fields.dedup();
        fields
    }
}

impl Expr {
    /// Whether it speaks of the object that the reference denotes.
    pub fn mentions_it(&self) -> bool {
        match self {
            Expr::Int(_) | Expr::Bool(_) | Expr::Infinity { .. } | Expr::Index => false,
            Expr::Initial { object, .. } | Expr::Ghost { object, .. } => *object == Object::It,
            Expr::Not(inner) => inner.mentions_it(),
            Expr::Binary(_, a, b) => a.mentions_it() || b.mentions_it(),
            Expr::If(a, b, c) => a.mentions_it() || b.mentions_it() || c.mentions_it(),
        }
    }

    fn initial_fields(&self, into: &mut Vec<FieldId>) {
        match self {
            Expr::Int(_) | Expr::Bool(_) | Expr::Infinity { .. } | Expr::Ghost { .. } | Expr::Index => {}
            Expr::Initial { fields, .. } => into.extend(fields),
            Expr::Not(inner) => inner.initial_fields(into),
            Expr::Binary(_, a, b) => [a, b].into_iter().for_each(|e| e.initial_fields(into)),
            Expr::If(a, b, c) => [a, b, c].into_iter().for_each(|e| e.initial_fields(into)),
        }
    }
}

/// Reads invariants: HEX, or, if the file ends in `.jbse`, the rules of JBSE. All files of a directory hold together; they are in one of the two
/// languages.
pub fn load(program: &Program, path: &Path) -> Result<Hex, LoadError> {
    if path.is_dir() {
        return load_directory(program, path);
    }
    let source = lazuli_program::frontend::read(path)?;
    let name = path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned());
    let is_jbse = path.extension().is_some_and(|e| e == "jbse");
    load_source(program, name, source, is_jbse)
}

fn load_directory(program: &Program, path: &Path) -> Result<Hex, LoadError> {
    let unreadable = |error: std::io::Error| LoadError::new(format!("cannot read {}: {error}", path.display()));
    let entries = std::fs::read_dir(path).map_err(unreadable)?;
    let mut files =
        entries.map(|entry| Ok(entry.map_err(unreadable)?.path())).collect::<Result<Vec<_>, LoadError>>()?;
    files.sort();
    let ends = |file: &&PathBuf, ending: &str| file.extension().is_some_and(|extension| extension == ending);
    let rules: Vec<&PathBuf> = files.iter().filter(|file| ends(file, "jbse")).collect();
    let files: Vec<&PathBuf> = files.iter().filter(|file| ends(file, "hex")).collect();
    let name = path.display().to_string();
    match (files.is_empty(), rules.is_empty()) {
        (true, true) => return Err(LoadError::new(format!("{name} has no files of invariants (.hex or .jbse)"))),
        (false, false) => {
            let message = format!("{name} has files in HEX and rules of JBSE, which combine in different ways");
            return Err(LoadError::new(message));
        }
        (true, false) => {
            let sources = rules.into_iter().map(|file| lazuli_program::frontend::read(file));
            return jbse::load(program, name, &sources.collect::<Result<Vec<_>, _>>()?);
        }
        (false, true) => {}
    }
    let (names, mut hex) = (Names::new(program), Hex { name, ..Hex::default() });
    for file in files {
        let sources = [lazuli_program::frontend::read(file)?];
        let file = parser::parse(&sources, lexer::tokenize(&sources)?)?;
        hex = resolve::resolve(&names, hex, &sources, &file)?;
    }
    hex.own_scopes = hex.scopes.len();
    Ok(hex)
}

/// Reads invariants from a text in HEX.
pub fn load_text(program: &Program, name: &str, text: String) -> Result<Hex, LoadError> {
    load_source(program, name.into(), Source { path: name.into(), text }, false)
}

/// Reads the rules of JBSE from a text.
pub fn load_jbse_text(program: &Program, name: &str, text: String) -> Result<Hex, LoadError> {
    load_source(program, name.into(), Source { path: name.into(), text }, true)
}

fn load_source(program: &Program, name: String, source: Source, is_jbse: bool) -> Result<Hex, LoadError> {
    let sources = [source];
    let mut hex = match is_jbse {
        true => jbse::load(program, name, &sources)?,
        false => {
            let file = parser::parse(&sources, lexer::tokenize(&sources)?)?;
            resolve::resolve(&Names::new(program), Hex { name, ..Hex::default() }, &sources, &file)?
        }
    };
    hex.own_scopes = hex.scopes.len();
    Ok(hex)
}

/// Adds the files that come with the program about classes that inputs may have, unless something is said of these already.
pub fn add_bundled(program: &Program, hex: Hex) -> Result<Hex, LoadError> {
    // The rules of JBSE combine in another way.
    let is_own = |class: ClassId| hex.scopes[..hex.own_scopes].iter().any(|scope| scope.class == class);
    let reached = bundle::of_inputs(program, &is_own).filter(|_| hex.semantics == Semantics::Hex);
    let (Some(library), Some(reached)) = (&program.library, reached) else { return Ok(hex) };
    let own = hex.statements.len();
    let mut hex = add_files(program, hex, reached.files())?;
    let (patterns, added) = (&hex.patterns, &mut hex.statements[own..]);
    for statement in added {
        let pattern = &patterns[statement.pattern.index()];
        statement.demands.retain(|demand| reached.is_asked(pattern, demand));
    }
    Ok(records::add(library, hex, reached.records()))
}

/// The file about a class that comes with the program, and those about the classes that its objects lead to.
pub fn load_bundled(program: &Program, bundled: &Bundled) -> Result<Hex, LoadError> {
    let mut hex = load_text(program, &bundled.file(), bundled.text.into())?;
    hex.scopes.iter_mut().for_each(|scope| scope.but = None);
    match hex.scopes.first().map(|scope| scope.class) {
        Some(class) => add_files(program, hex, bundle::for_class(program, class)),
        None => Ok(hex),
    }
}

fn add_files(program: &Program, mut hex: Hex, files: Vec<&'static Bundled>) -> Result<Hex, LoadError> {
    let is_input = |class: ClassId| files.iter().any(|file| program.class_named(file.class) == Some(class));
    let names = Names::new(program);
    for bundled in &files {
        let sources = [Source { path: bundled.file().into(), text: bundled.text.into() }];
        let file = parser::parse(&sources, lexer::tokenize(&sources)?)?;
        let is_own = |class: ClassId| hex.scopes[..hex.own_scopes].iter().any(|scope| scope.class == class);
        if program.class_named(bundled.class).is_some_and(|class| !is_own(class)) {
            hex = resolve::resolve(&names, hex, &sources, &file)?;
            hex.bundled.push(bundled.class);
        }
    }
    // Where no input is of a class that a scope leaves out, its objects are known by their declared class.
    for scope in &mut hex.scopes[hex.own_scopes..] {
        scope.but = scope.but.filter(|but| is_input(*but));
    }
    Ok(hex)
}
