//! What the end of a run on constants looks like: its result, what it threw and printed, and the objects that can be reached from there, as data
//! that means the same outside of this process. A judge compares it with what a real machine has at the same point.

use std::collections::VecDeque;

use lazuli_logic::Term;
use lazuli_program::ir::{ClassId, FieldId, MethodId, Type};
use lazuli_program::library::{Library, OBJECT};
use rustc_hash::FxHashMap;

use crate::backtrace::stack;
use crate::config::Varying;
use crate::executor::Executor;
use crate::heap::lazy::{Heap, Lazy};
use crate::heap::{Classes, Elements, Memory};
use crate::known::BOXES;
use crate::scope::Taken;
use crate::shared::is_shared;
use crate::state::State;
use crate::vm::{By, Stream};
use crate::witness::signed;

/// A value at the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seen {
    /// A number, a truth value or a character, by its bits; those of fractions are those of IEEE 754.
    Number(i64),
    Null,
    /// An index into [`Observed::nodes`].
    Node(usize),
    /// Nobody knows, and why.
    Unknown(String),
}

/// An object at the end, by what can be said of it outside of the process. Classes have their internal names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Node {
    Text(Vec<u16>),
    Boxed {
        class: String,
        value: i64,
    },
    /// Of an enum.
    Constant {
        class: String,
        name: String,
    },
    /// An object that stands for a class.
    Class(String),
    Array {
        class: String,
        elements: Vec<Seen>,
    },
    /// Its fields: who declares each, its name, its value.
    Object {
        class: String,
        fields: Vec<(String, String, Seen)>,
    },
    /// What is not looked into: only its class is compared. Those of lambdas have no names.
    Opaque {
        class: Option<String>,
    },
}

/// The frame of a stack trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    pub class: String,
    pub method: String,
    pub line: Option<u32>,
}

/// What a run on constants came to.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// Of a method that returned something, or the object of a constructor.
    pub result: Option<Seen>,
    /// The exception that nobody caught, and its topmost frame in the user's classes.
    pub thrown: Option<Seen>,
    pub place: Option<Place>,
    pub printed: Vec<(Stream, String)>,
    /// What methods gave that nobody implements, in the order of the calls: their names, and input objects by their numbers in the
    /// witness.
    pub answers: Vec<(String, Given)>,
    /// The objects of the witness.
    pub inputs: Vec<Seen>,
    pub nodes: Vec<Node>,
    /// Whether it depends on the state of the user's classes, or changes it: then it needs classes that nobody has used.
    pub touches_statics: bool,
    /// Why a real machine may do something else, if so.
    pub varies: Option<String>,
}

/// What is given to the program in the middle of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Given {
    Number(i64),
    Null,
    Object(usize),
    /// Something else: it cannot be given from outside.
    Other,
}

/// More objects than these are not looked at.
pub const MOST_NODES: usize = 5_000;

/// The JDK's classes that are looked into: their own code keeps what is in them. Those of a package, or single ones.
pub const LOOKED_INTO: [&str; 8] = [
    "java/util/",
    "java/math/",
    "java/time/",
    "java/lang/Object",
    "java/lang/StringBuilder",
    "java/lang/StringBuffer",
    "java/lang/Record",
    "java/lang/Enum",
];

/// And those of them that are not: they hold what belongs to the machine.
pub const NOT_LOOKED_INTO: [&str; 12] = [
    "java/util/Locale",
    "java/util/TimeZone",
    "java/util/ResourceBundle",
    "java/util/ServiceLoader",
    "java/util/Random",
    "java/util/Timer",
    "java/util/WeakHashMap",
    "java/util/jar/",
    "java/util/zip/",
    "java/util/logging/",
    "java/util/concurrent/ThreadLocalRandom",
    "java/util/concurrent/Executor",
];

/// The fields of exceptions that are compared; the others are their stack traces.
pub const OF_THROWABLE: [&str; 2] = ["detailMessage", "cause"];

impl<'p> Executor<'p, Lazy> {
    /// What a run has come to: what it gave, or the object that a constructor made, and its inputs.
    pub(crate) fn observe(
        &mut self,
        state: &mut State<Heap>,
        value: Option<Term>,
        made: Option<Term>,
        inputs: &[Term],
    ) -> Observed {
        let library = self.cx.library().expect("only Java is judged from outside");
        let result = library.declared(self.entry).result;
        let mut look =
            Look { executor: self, state, numbers: FxHashMap::default(), nodes: Vec::new(), waiting: VecDeque::new() };
        let inputs_seen = inputs.iter().map(|object| look.reference(*object)).collect();
        let thrown = look.state.thrown.map(|thrown| thrown.value);
        let mut observed = Observed { inputs: inputs_seen, ..Observed::default() };
        match (thrown, value) {
            (Some(thrown), _) => {
                observed.thrown = Some(look.reference(thrown));
                observed.place = look.place(thrown);
            }
            (None, _) => {
                let made = made.map(|made| look.reference(made));
                observed.result = made.or_else(|| value.map(|value| look.value(value, result)));
            }
        }
        look.follow();
        observed.nodes = look.nodes;
        observed.printed = state.vm.output();
        observed.answers = self.answers(state, inputs);
        observed.touches_statics = self.touches_statics(state);
        observed.varies = self.varies(state);
        observed
    }

    /// What methods gave that nobody implements.
    fn answers(&self, state: &State<Heap>, inputs: &[Term]) -> Vec<(String, Given)> {
        let library = self.cx.library().expect("only Java is judged from outside");
        let given = |value: Term| match (self.cx.terms.as_bits(value), self.cx.terms.as_float(value)) {
            (Some((width, bits)), _) => Given::Number(signed(width, bits) as i64),
            (_, Some((_, bits))) => Given::Number(bits as i64),
            _ if value.is_null() => Given::Null,
            _ => inputs.iter().position(|input| *input == value).map_or(Given::Other, Given::Object),
        };
        let name = |method: MethodId| library.declared(method).name.to_string();
        state.vm.calls.iter().map(|(method, _, value)| (name(*method), given(*value))).collect()
    }

    /// Whether the user's classes were initialised on this run alone, or their statics were written, or objects that they hold.
    fn touches_statics(&mut self, state: &mut State<Heap>) -> bool {
        let library = self.cx.library().expect("only Java is judged from outside");
        let is_users = |class: ClassId| is_users(library, class);
        let vm = &state.vm;
        // The entry's class is always the first; of several others the order may matter, and others may have had another one.
        if vm.initialised.iter().filter(|(class, _)| is_users(**class)).count() > 2 {
            return true;
        }
        if !vm.failed.is_empty()
            || vm.initialised.iter().any(|(class, by)| *by == By::Path && is_users(*class))
            || vm.statics.keys().any(|field| is_users(self.cx.program.field(*field).class))
        {
            return true;
        }
        let makers = &self.start.makers;
        let shared = &self.cx.shared;
        let is_held = |location: u32| shared.maker_of(location).is_some_and(|maker| is_users(makers[maker as usize]));
        self.model.shared(&mut state.heap).written().iter().any(|(cell, _)| is_held(shared.holder_of(*cell)))
            || self.model.arrays(&mut state.heap).written_shared().iter().any(|(array, _)| is_held(*array))
    }

    /// Why a real machine may do something else than what was executed here.
    fn varies(&self, state: &State<Heap>) -> Option<String> {
        if !state.vm.hashes.is_empty() || state.vm.hashed || self.cx.scope.taken.contains(&Taken::IdentityHashes) {
            return Some("it depends on identity hash codes".into());
        }
        if state.vm.asked_loaders {
            return Some("it asks for class loaders, and the judge has its own".into());
        }
        if self.config.environment.varying == Varying::Unknown && !state.vm.inputs.is_empty() {
            return Some("what differs from run to run is an input here".into());
        }
        (state.vm.varying > 0).then(|| "it depends on what differs from run to run".into())
    }
}

/// Whether a class is one of the user's.
pub(crate) fn is_users(library: &Library, class: ClassId) -> bool {
    let name = library.internal_name(class).trim_start_matches('[');
    let name = name.strip_prefix('L').and_then(|name| name.strip_suffix(';')).unwrap_or(name);
    library.path.user_classes().binary_search_by(|user| user.as_str().cmp(name)).is_ok()
}

/// Whether objects of a class are looked into.
fn is_looked_into(library: &Library, class: ClassId) -> bool {
    let name = library.internal_name(class);
    let begins = |prefix: &&str| name.starts_with(*prefix);
    is_users(library, class) || LOOKED_INTO.iter().any(begins) && !NOT_LOOKED_INTO.iter().any(begins)
}

/// A walk from the ends of a run to all objects behind them.
struct Look<'a, 'p> {
    executor: &'a mut Executor<'p, Lazy>,
    state: &'a mut State<Heap>,
    numbers: FxHashMap<Term, usize>,
    nodes: Vec<Node>,
    /// Objects that were met, and are not described yet.
    waiting: VecDeque<Term>,
}

impl Look<'_, '_> {
    fn library(&self) -> &Library {
        self.executor.cx.program.library.as_deref().expect("only Java is judged from outside")
    }

    /// A value of the stack or of a field.
    fn value(&mut self, value: Term, ty: Type) -> Seen {
        if let Type::Ref(_) = ty {
            return self.reference(value);
        }
        let terms = &self.executor.cx.terms;
        let number = match ty {
            Type::Void => return Seen::Null,
            Type::Float | Type::Double => terms.as_float(value).map(|(_, bits)| bits as i64),
            Type::Bool => value.as_bool().or_else(|| Some(terms.as_bits(value)?.1 != 0)).map(i64::from),
            Type::Char => terms.as_bits(value).map(|(_, bits)| (bits & 0xffff) as i64),
            Type::Byte | Type::Short | Type::Int | Type::Long => {
                terms.as_bits(value).map(|(width, bits)| signed(width, bits) as i64)
            }
            Type::Ref(_) => unreachable!("references are looked at as objects"),
        };
        number.map_or_else(|| Seen::Unknown("a value that is not constant".into()), Seen::Number)
    }

    fn reference(&mut self, value: Term) -> Seen {
        if value.is_null() {
            return Seen::Null;
        }
        if value.as_location().is_none() {
            return Seen::Unknown("a reference that is not constant".into());
        }
        if let Some(number) = self.numbers.get(&value) {
            return Seen::Node(*number);
        }
        if self.state.vm.untold.contains(&value) {
            return Seen::Unknown("a text that is not put together".into());
        }
        if self.numbers.len() >= MOST_NODES {
            return Seen::Unknown("there are too many objects".into());
        }
        let number = self.numbers.len();
        self.numbers.insert(value, number);
        self.waiting.push_back(value);
        Seen::Node(number)
    }

    /// Describes objects until all are.
    fn follow(&mut self) {
        while let Some(object) = self.waiting.pop_front() {
            let node = self.describe(object);
            self.nodes.push(node);
        }
    }

    fn class_of(&mut self, object: Term) -> ClassId {
        let classes = self.executor.model.classes(&mut self.executor.cx, &self.state.heap, object);
        classes.first().map_or(OBJECT, |(class, _)| *class)
    }

    fn describe(&mut self, object: Term) -> Node {
        if let Some(class) = self.executor.mirrored(object) {
            return Node::Class(self.library().internal_name(class).into());
        }
        let class = self.class_of(object);
        let internal = self.library().internal_name(class).to_string();
        if internal == "java/lang/String" {
            return match self.executor.units_of(self.state, object) {
                Ok(Some(units)) => Node::Text(units),
                _ => Node::Opaque { class: Some(internal) },
            };
        }
        if let Some((_, ty)) = BOXES.iter().find(|(name, _)| *name == internal) {
            let field = self.executor.cx.program.field_named(class, "value").expect("a box holds a value");
            return match self.field(object, field, *ty) {
                Seen::Number(value) => Node::Boxed { class: internal, value },
                _ => Node::Opaque { class: Some(internal) },
            };
        }
        if let Some(element) = self.executor.cx.element_of(class) {
            return self.describe_array(object, internal, element);
        }
        if internal.contains("$$Lambda") {
            return Node::Opaque { class: None };
        }
        let library = self.library();
        let [of_enum, throwable] = ["java/lang/Enum", "java/lang/Throwable"].map(|name| library.class_id(name));
        let is_throwable = library.is_subclass(class, throwable);
        if library.is_subclass(class, of_enum) {
            return self.describe_constant(object, class, of_enum);
        }
        if !is_throwable && !is_looked_into(library, class) {
            return Node::Opaque { class: Some(internal) };
        }
        self.describe_fields(object, class, internal, throwable)
    }

    fn describe_array(&mut self, array: Term, class: String, element: Type) -> Node {
        let executor = &mut *self.executor;
        let Some(elements) = executor.model.arrays(&mut self.state.heap).dense(&executor.cx, array).cloned() else {
            return Node::Opaque { class: Some(class) };
        };
        let elements = elements.iter().map(|value| self.value(*value, element)).collect();
        Node::Array { class, elements }
    }

    fn describe_constant(&mut self, object: Term, class: ClassId, of_enum: ClassId) -> Node {
        // A constant with a body has a class of its own.
        let library = self.library();
        let superclass = library.class(class).superclass.unwrap_or(class);
        let class = library.internal_name(if superclass == of_enum { class } else { superclass }).to_string();
        let field = self.executor.cx.program.field_named(of_enum, "name").expect("constants have names");
        let name = self.executor.read(self.state, object, field).ok();
        let name = name.and_then(|name| self.executor.text_of(self.state, name).ok().flatten());
        match name {
            Some(name) => Node::Constant { class, name },
            None => Node::Opaque { class: Some(class) },
        }
    }

    fn describe_fields(&mut self, object: Term, class: ClassId, internal: String, throwable: ClassId) -> Node {
        let layout: Vec<FieldId> = self.library().class(class).layout.to_vec();
        let mut fields = Vec::new();
        for field in layout {
            let library = self.library();
            let (declaring, ty, name) = {
                let declared = library.field(field);
                (declared.class, declared.ty, declared.name.clone())
            };
            let is_kept = declaring != throwable || OF_THROWABLE.contains(&name.as_str());
            // The identity hash code is no field.
            if declaring == OBJECT || !is_kept {
                continue;
            }
            let declaring = library.internal_name(declaring).to_string();
            let seen = self.field(object, field, ty);
            fields.push((declaring, name, seen));
        }
        Node::Object { class: internal, fields }
    }

    fn field(&mut self, object: Term, field: FieldId, ty: Type) -> Seen {
        match self.executor.read(self.state, object, field) {
            Ok(value) => self.value(value, ty),
            Err(_) => Seen::Unknown("a field that is not known".into()),
        }
    }

    /// The topmost frame of an exception in the user's classes.
    fn place(&mut self, thrown: Term) -> Option<Place> {
        let stack = stack(self.executor, self.state, thrown)?;
        let executor = &*self.executor;
        let library = executor.cx.program.library.as_deref()?;
        let is_users = |(method, _): &&(MethodId, u32)| is_users(library, library.declared(*method).class);
        let (method, pc) = stack.iter().find(is_users)?;
        let declared = library.declared(*method);
        let line = executor.cx.program.method(*method).lines.get(*pc as usize).copied().filter(|line| *line > 0);
        let class = library.internal_name(declared.class).to_string();
        Some(Place { class, method: declared.name.to_string(), line })
    }
}

/// Whether an object that all paths share is of the user's classes, or stands for one of them: then its identity hash code is a matter of
/// the run.
pub(crate) fn is_users_shared<M: crate::heap::HeapModel>(executor: &Executor<'_, M>, location: u32) -> bool {
    debug_assert!(is_shared(location));
    let Some(library) = executor.cx.library() else { return false };
    let mirrored = executor.mirrored(Term::location(location));
    is_users(library, mirrored.unwrap_or_else(|| executor.cx.shared.class(location)))
}
