//! What every part of one worker's execution needs: the program, the terms, and how the one speaks about the other.

mod assumptions;
mod class_objects;
mod classes;
mod offers;
mod shapes;
mod universes;

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

use lazuli_logic::{ClassSet, Facts, Label, Origin, PathCondition, Sort, Symbol, Term, Terms};
use lazuli_program::Program;
use lazuli_program::ir::{ClassId, FieldId, Integers, Type};
use lazuli_program::library::Library;
use rustc_hash::FxHashMap;

use crate::known::Known;
use crate::quota::{Most, Quota};
use crate::scope::{LeftOut, Scope, Taken};
use crate::shared::{Maker, Shared};
pub use assumptions::{
    Assumed, Assumptions, Call, Decided, Holder, InitialHeap, InputObject, Opinion, Reference, Resolution, Side, Told,
    Wanted,
};
pub(crate) use class_objects::{primitive, primitive_name};
pub use offers::Choice;
pub(crate) use offers::OfferedAs;
use shapes::Shapes;
pub(crate) use universes::Universe;

/// A set of classes, by where it is, and a class.
type Below = (*const (u32, u32), ClassId);

pub struct Context<'p> {
    pub program: &'p Program,
    pub terms: Terms,
    /// The objects that are the same on all paths.
    pub shared: Shared,
    /// The names of fields in symbols.
    labels: RefCell<Labels>,
    /// For every class, the classes that its inputs may have.
    classes: FxHashMap<ClassId, ClassSet>,
    /// For every field, likewise.
    field_classes: Vec<Option<ClassSet>>,
    /// Of sets of classes, those below a class: see [`Context::is_class`]. A set is known by where it is, and stays there.
    below: RefCell<FxHashMap<Below, (ClassSet, ClassSet)>>,
    /// The lazy models with `--exact-types`: an input is of its declared class.
    exact: bool,
    /// With it, for every class, the classes that inputs would have without.
    declared: FxHashMap<ClassId, ClassSet>,
    pub int_sort: Sort,
    /// Of Java's program, the members of the JDK that matter here.
    pub known: Option<Known>,
    pub k: Option<u32>,
    /// How many input objects there may be.
    pub quotas: Vec<Quota>,
    /// Whether somebody listens to what references are.
    pub listens: bool,
    /// Whether it matters to him which object a reference is that is not null.
    pub needs_objects: bool,
    /// What was assumed on the path in work, while an operation is carried out.
    pub assumed: Assumed,
    /// What he keeps for the worker: only he knows what that is.
    pub kept: Option<Box<dyn Any>>,
    /// Why he could not say what is possible, if so.
    pub given_up: Option<String>,
    /// The path of the state in work, and what it says by its form: only where what he says are clauses.
    pub path: PathCondition,
    pub facts: Facts,
    /// Values that differ from run to run, with their names: nothing may be decided by them.
    pub(crate) varying: FxHashMap<Symbol, Rc<str>>,
    /// What the answers are about.
    pub scope: Scope,
    /// Inputs that bounds are about to leave out of the path in work, and where: whether there are any is asked before it goes on.
    pub(crate) leaving_out: Vec<(LeftOut, Term)>,
    /// How often the path in work has loaded a reference of the input that it had resolved before, since it was decided last.
    pub(crate) settled: usize,
    /// Types of inputs that could have other classes, as long as nobody has looked into one.
    open_types: FxHashMap<ClassId, LeftOut>,
    /// In Java, the declared types of inputs, and the indices of initial elements of arrays: what their names do not say.
    root_types: FxHashMap<Symbol, Type>,
    indices: FxHashMap<Symbol, Term>,
    /// What exists before the entry and may be an input.
    pub(crate) offers: offers::Offers,
    /// What generic declarations say of inputs.
    shapes: Shapes,
    /// What the first path read, at a version of the log: only with a planted error.
    pub(crate) shared_reads: FxHashMap<(FieldId, Term, u32), Term>,
    /// Clauses as text: neighbouring traces have most of them in common.
    texts: FxHashMap<Term, Box<str>>,
}

/// What of a configuration a context depends on.
pub struct Setup<'a> {
    /// How wide integers are, where the program does not say; unbounded without.
    pub bits: Option<u8>,
    /// An input is of its declared class.
    pub exact_types: bool,
    pub k: Option<u32>,
    pub n: &'a [Most],
}

/// When this many texts are kept, all are forgotten: a bound on memory that needs no bookkeeping.
const MAX_TEXTS: usize = 1 << 12;

#[derive(Default)]
struct Labels {
    of: Vec<Option<Label>>,
    /// In Java, the field that a label means.
    fields: FxHashMap<Label, FieldId>,
}

/// What tells the labels of Java's fields apart.
fn field_number(field: FieldId) -> u64 {
    field.0 as u64 + 1
}

/// Where the reference stands that a symbol names.
pub enum Standing {
    Input(Rc<str>),
    Field(Symbol, FieldId),
    /// An element of the array that the symbol denotes, at this index.
    Element(Symbol, Term),
}

impl<'p> Context<'p> {
    pub fn new(program: &'p Program, setup: &Setup) -> Context<'p> {
        let int_sort = match (program.semantics.integers, setup.bits) {
            (Integers::Words, _) => Sort::Bits(32),
            (_, None) => Sort::Int,
            (_, Some(width)) => Sort::Bits(width),
        };
        let quotas = Quota::all(program, setup.n);
        let mut context = Context {
            program,
            terms: Terms::new(),
            shared: Shared::default(),
            labels: RefCell::default(),
            classes: FxHashMap::default(),
            field_classes: Vec::new(),
            below: RefCell::default(),
            exact: setup.exact_types,
            declared: FxHashMap::default(),
            int_sort,
            known: program.library.as_ref().and_then(|library| Known::find(library)),
            k: setup.k,
            quotas,
            listens: false,
            needs_objects: false,
            assumed: Assumed::default(),
            kept: None,
            given_up: None,
            path: PathCondition::default(),
            facts: Facts::default(),
            varying: FxHashMap::default(),
            scope: Scope::default(),
            leaving_out: Vec::new(),
            settled: 0,
            open_types: FxHashMap::default(),
            root_types: FxHashMap::default(),
            indices: FxHashMap::default(),
            offers: offers::Offers::default(),
            shapes: Shapes::of_entry(program),
            shared_reads: FxHashMap::default(),
            texts: FxHashMap::default(),
        };
        // The fields of the tiny languages are all known: their names do not depend on the order of execution.
        for field in 0..program.fields.len() {
            context.label(FieldId(field as u32));
        }
        context
    }

    /// Java's classes.
    pub fn library(&self) -> Option<&'p Library> {
        self.program.library.as_deref()
    }

    /// A field's name in symbols. Two fields are never one symbol; whether they are called alike must not depend on which is met first.
    fn label(&mut self, field: FieldId) -> Label {
        if let Some(Some(label)) = self.labels.get_mut().of.get(field.index()) {
            return *label;
        }
        let declared = self.program.field(field);
        let on_demand = self.program.semantics.loads_classes();
        let is_hidden = |other: &FieldId| *other != field && self.program.field(*other).name == declared.name;
        let qualified = match on_demand {
            true => self.program.class(declared.class).layout.iter().any(is_hidden),
            false => self.program.fields.iter().any(|other| other.name == declared.name && other.ty != declared.ty),
        };
        let text = match qualified {
            true => format!("{}${}", self.program.class(declared.class).name, declared.name),
            false => declared.name.to_string(),
        };
        // In the tiny languages, fields of one name and one type are one.
        let label = self.terms.label_of(&text, if on_demand { field_number(field) } else { 0 });
        let labels = self.labels.get_mut();
        if labels.of.len() <= field.index() {
            labels.of.resize(field.index() + 1, None);
        }
        labels.of[field.index()] = Some(label);
        if on_demand {
            labels.fields.insert(label, field);
        }
        label
    }

    /// Whether it matters where something is loaded: to the bounds, or to somebody who listens.
    #[inline]
    pub fn minds_loads(&self) -> bool {
        self.k.is_some() || !self.quotas.is_empty() || self.listens
    }

    pub fn sort(&self, ty: Type) -> Sort {
        match ty {
            Type::Bool => Sort::Bool,
            Type::Byte => Sort::Bits(8),
            Type::Short | Type::Char => Sort::Bits(16),
            Type::Int => self.int_sort,
            Type::Long => Sort::Bits(64),
            Type::Float => Sort::Float(32),
            Type::Double => Sort::Float(64),
            Type::Ref(_) | Type::Void => Sort::Ref,
        }
    }

    /// Something is taken for granted of the environment.
    pub fn take_for_granted(&mut self, what: Taken) {
        self.scope.taken.insert(what);
    }

    /// A bound leaves inputs out where a condition holds, if there are any: it is about to be a clause of the path.
    pub fn leave_out(&mut self, what: LeftOut, guard: Term) {
        if guard != Term::FALSE && !self.scope.left_out.contains(&what) {
            self.leaving_out.push((what, guard));
        }
    }

    /// The value a field has in a new object.
    pub fn default_value(&mut self, ty: Type) -> Term {
        match self.sort(ty) {
            Sort::Bool => Term::FALSE,
            Sort::Int => self.terms.int(0),
            Sort::Bits(width) => self.terms.bits(width, 0),
            Sort::Float(width) => self.terms.float(width, 0),
            Sort::Ref => Term::NULL,
        }
    }

    /// Whether a class is initialised by starting the machine.
    #[inline]
    pub(crate) fn is_machine(&self, class: ClassId) -> bool {
        self.known.as_ref().is_some_and(|known| known.system == class)
    }

    /// A new object with default fields, if an initialiser is being run for all paths.
    #[inline]
    pub fn alloc_shared(&mut self, class: ClassId) -> Option<Term> {
        self.shared.maker.map(|maker| Term::location(self.enter_shared(class, Some(maker))))
    }

    /// A new object that all paths share, with default fields.
    pub(crate) fn enter_shared(&mut self, class: ClassId, maker: Option<Maker>) -> u32 {
        let layout = &self.program.class(class).layout;
        let fields: Vec<Term> = layout.iter().map(|&field| self.default_value(self.program.field(field).ty)).collect();
        self.shared.enter(class, fields.into_iter(), maker)
    }

    /// Where a field of such an object is.
    pub(crate) fn shared_cell(&self, location: u32, field: FieldId) -> u32 {
        self.shared.first_cell(location) + self.program.field(field).slot
    }

    /// Sets a field of such an object, for all paths.
    pub(crate) fn preset_shared(&mut self, location: u32, field: FieldId, value: Term) {
        let cell = self.shared_cell(location, field);
        self.shared.set_cell(cell, value);
        self.shared.make_known(location, field);
    }

    pub fn int(&mut self, value: i64) -> Term {
        match self.int_sort {
            Sort::Bits(width) => self.terms.bits(width, value as u64),
            _ => self.terms.int(value),
        }
    }

    /// In Java, the declared type of an input.
    pub fn root_type(&self, symbol: Symbol) -> Option<Type> {
        self.root_types.get(&symbol).copied()
    }

    /// The symbol for an input of the program. In Java paths may make inputs of one name that have different types, and these are
    /// different inputs.
    pub fn root_symbol(&mut self, name: &str, ty: Type) -> Term {
        let (sort, root) = (self.sort(ty), self.root_shape(name, ty));
        let shape = root.map(|root| root.shape);
        let classes = self.shaped_class_set(ty, shape);
        if !self.program.semantics.loads_classes() {
            return self.terms.symbol(Origin::Root(name.into(), 0), sort, &classes);
        }
        let number = root.and_then(|root| root.number).unwrap_or_else(|| type_number(ty));
        let term = self.terms.symbol(Origin::Root(name.into(), number), sort, &classes);
        let symbol = self.terms.as_symbol(term).expect("an input is a symbol");
        self.root_types.insert(symbol, ty);
        self.enter_shape(term, shape);
        term
    }

    /// Whether a symbol stands for what differs from run to run: it is passed on, and nothing is decided by it.
    pub fn is_varying(&self, symbol: Symbol) -> bool {
        self.varying.contains_key(&symbol)
    }

    /// Where the reference stands that a symbol names.
    pub fn standing(&self, symbol: Symbol) -> Standing {
        self.standing_in_heap(symbol).expect("the holder has the field")
    }

    /// Where the value stands that a symbol names; `None` if that is a ghost field, which only invariants know.
    pub fn standing_in_heap(&self, symbol: Symbol) -> Option<Standing> {
        match self.terms.symbol_info(symbol).origin.clone() {
            Origin::Root(name, _) | Origin::Constant(name) => Some(Standing::Input(name)),
            Origin::Field { holder, label } => match self.indices.get(&symbol) {
                Some(index) => Some(Standing::Element(holder, *index)),
                None => {
                    let known = self.labels.borrow().fields.get(&label).copied();
                    let field = known.or_else(|| self.field_below(self.declared_class(holder), label));
                    field.map(|field| Standing::Field(holder, field))
                }
            },
        }
    }

    /// The index of the element that a symbol names, if it is one.
    pub(crate) fn index_of(&self, symbol: Symbol) -> Option<Term> {
        self.indices.get(&symbol).copied()
    }

    /// The declared class of the reference that a symbol names.
    pub fn declared_class(&self, symbol: Symbol) -> ClassId {
        let first = ClassId(self.terms.symbol_info(symbol).classes[0].0);
        if !self.program.semantics.loads_classes() {
            return first;
        }
        if let Some(class) = self.shape_class(symbol) {
            return class;
        }
        let ty = match self.standing(symbol) {
            Standing::Input(_) => self.root_type(symbol),
            Standing::Field(_, field) => Some(self.program.field(field).ty),
            Standing::Element(array, _) => {
                let classes = &self.terms.symbol_info(array).classes;
                let numbers = classes.iter().flat_map(|&(low, high)| low..=high);
                std::iter::once(self.declared_class(array))
                    .chain(numbers.map(ClassId))
                    .find_map(|class| self.element_of(class))
            }
        };
        match ty {
            Some(Type::Ref(class)) => class,
            _ => first,
        }
    }

    /// The symbol for the initial value of a field of the object that `holder` denotes.
    pub fn field_symbol(&mut self, holder: Symbol, field: FieldId) -> Term {
        let (label, (classes, shape)) = (self.label(field), self.field_classes_of(holder, field));
        let sort = self.sort(self.program.field(field).ty);
        let symbol = self.terms.symbol(Origin::Field { holder, label }, sort, &classes);
        self.enter_shape(symbol, shape);
        if self.is_owned(field) {
            self.terms.make_unique(symbol);
        }
        symbol
    }

    /// The field that a symbol's label means in objects of a class, if they have it.
    pub fn field_labelled(&self, class: ClassId, label: Label) -> Option<FieldId> {
        let labels = self.labels.borrow();
        self.program
            .class(class)
            .layout
            .iter()
            .copied()
            .find(|field| labels.of.get(field.index()) == Some(&Some(label)))
    }

    /// The field that a symbol's label means in objects of a class or its subclasses.
    pub fn field_below(&self, class: ClassId, label: Label) -> Option<FieldId> {
        let last = self.program.class(class).last;
        (class.0..=last.0).find_map(|class| self.field_labelled(ClassId(class), label))
    }

    /// A condition, as far as the path of the state in work has not decided it.
    pub fn under_path(&mut self, condition: Term) -> Term {
        self.facts.turn_to(&self.terms, &self.path);
        self.terms.under(&mut self.facts, condition)
    }

    /// The type of an array's elements; `None` if the class is no array.
    pub fn element_of(&self, class: ClassId) -> Option<Type> {
        self.library()?.java(class).element
    }

    /// Whether the object in a field belongs to its holder alone: nobody can tell whether two strings share their characters.
    fn is_owned(&self, field: FieldId) -> bool {
        self.known.as_ref().is_some_and(|known| known.string_value == field)
    }

    /// The symbol for the initial value of a field, where one field of one holder needs several names.
    pub fn numbered_field_symbol(&mut self, holder: Symbol, field: FieldId, number: u32) -> Term {
        if number == 0 {
            return self.field_symbol(holder, field);
        }
        let (label, (classes, shape)) = (self.label(field), self.field_classes_of(holder, field));
        let sort = self.sort(self.program.field(field).ty);
        let text = format!("{}'{number}", self.terms.label_text(label));
        let on_demand = self.program.semantics.loads_classes();
        let label = self.terms.label_of(&text, if on_demand { field_number(field) } else { 0 });
        if on_demand {
            self.labels.get_mut().fields.insert(label, field);
        }
        let symbol = self.terms.symbol(Origin::Field { holder, label }, sort, &classes);
        self.enter_shape(symbol, shape);
        symbol
    }

    /// The symbol for the initial value of an element of the array that `holder` denotes; it may need several, which are numbered.
    pub fn element_symbol(&mut self, holder: Symbol, index: Term, ty: Type, number: u32) -> Term {
        let mut label = format!("[{}]", self.terms.show(index));
        if number > 0 {
            label += &format!("'{number}");
        }
        let (sort, shape) = (self.sort(ty), self.element_shape(holder).filter(|_| ty.is_ref()));
        let classes = self.shaped_class_set(ty, shape);
        // An input of type Object may be an array of numbers on one path, and one of references on another.
        let arrays = self.terms.symbol_info(holder).classes.iter().flat_map(|&(low, high)| low..=high);
        let mut elements = arrays.filter_map(|class| self.element_of(ClassId(class)));
        if elements.any(|element| self.sort(element) != sort) {
            label += &format!(" of {}", self.program.show_type(ty));
        }
        let label = self.terms.label_of(&label, index.number());
        // The program sees a character of an input string.
        if self.terms.symbol_info(holder).unique {
            self.leave_out(LeftOut::WiderCharacters, Term::TRUE);
        }
        let symbol = self.terms.symbol(Origin::Field { holder, label }, sort, &classes);
        self.indices.insert(self.terms.as_symbol(symbol).expect("a name is a symbol"), index);
        self.enter_shape(symbol, shape);
        symbol
    }

    /// Whether an element of an input array has a name.
    pub(crate) fn has_elements(&self) -> bool {
        !self.indices.is_empty()
    }

    /// The text of a clause of a path condition, written once.
    pub fn show_clause(&mut self, clause: Term) -> String {
        if let Some(known) = self.texts.get(&clause) {
            return String::from(known.as_ref());
        }
        let text = self.show(clause);
        if self.texts.len() >= MAX_TEXTS {
            self.texts.clear();
        }
        self.texts.insert(clause, text.as_str().into());
        text
    }

    /// The text of a term, with classes by name.
    pub fn show(&self, term: Term) -> String {
        self.terms.show_with(term, &|low, high| self.class_names(low, high))
    }

    /// Sorts terms by what they say: the same in every process.
    pub(crate) fn sort_by_form(&self, list: &mut [Term]) {
        self.terms.sort_by_form(list, &|low, high| self.class_names(low, high));
    }

    fn class_names(&self, low: u32, high: u32) -> String {
        let class = self.program.class(ClassId(low));
        if class.last.0 == high {
            return class.name.clone();
        }
        let names: Vec<&str> = (low..=high).map(|n| self.program.class(ClassId(n)).name.as_str()).collect();
        names.join("|")
    }
}

/// A number for every type.
fn type_number(ty: Type) -> u32 {
    const PRIMITIVES: u32 = 9;
    match ty {
        Type::Void => 0,
        Type::Bool => 1,
        Type::Byte => 2,
        Type::Short => 3,
        Type::Char => 4,
        Type::Int => 5,
        Type::Long => 6,
        Type::Float => 7,
        Type::Double => 8,
        Type::Ref(ClassId(class)) => PRIMITIVES + class,
    }
}
