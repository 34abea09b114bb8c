//! What the invariants keep in a state: the input objects in the order in which they were met, with the places they may have in the
//! backbone, their ghost fields, and the `max` targets that were taken. Shared between states until one changes it.

use std::ops::Deref;
use std::rc::Rc;

use crate::hex::{GhostId, GhostValue, PatternId};
use lazuli_logic::{Model, Origin as SymbolOrigin, RefValue, Sort, Symbol, Term, Terms, Value};
use lazuli_program::ir::{ClassId, Type};

use super::Evaluator;
use super::formula::{Atoms, Instance};
use super::number::Num;
use super::origin::OriginId;
use lazuli_engine::context::{Call, Context, InputObject, Told};

/// What the labels of ghost symbols begin with: no field's name does.
const GHOST: &str = "ghost ";

/// Whether a symbol is a ghost field that the invariants may choose.
pub fn is_ghost(terms: &Terms, symbol: Symbol) -> bool {
    matches!(&terms.symbol_info(symbol).origin, SymbolOrigin::Field { label, .. } if terms.label_text(*label).starts_with(GHOST))
}

/// An input object: one that the expansion of a reference created, under the guard of its places.
#[derive(Clone, Debug)]
pub struct Node {
    /// The reference.
    pub symbol: Term,
    /// Its declared class.
    pub class: ClassId,
    /// Where the reference denotes an object of its own.
    pub exists: Term,
    /// Whether its symbol names it: see [`Term::object`].
    pub named: bool,
    /// Where it may be in the backbone; the guards exclude each other.
    pub places: Rc<[Place]>,
    /// What the heap calls it, if that matters.
    pub handle: Option<u32>,
    /// Where its ghost fields begin.
    ghosts: u32,
}

#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Where the object exists and has this origin.
    pub guard: Term,
    pub origin: OriginId,
    /// The node and the place of the object that holds the reference.
    pub parent: Option<(u32, u32)>,
}

/// An alias was taken by `max`: from now on the target may be extended only as long as one of the patterns is left in which nothing
/// extends it.
#[derive(Clone, Debug)]
pub struct Frozen {
    pub guard: Term,
    /// The patterns, and where nothing of each extends the target.
    pub maxima: Vec<(PatternId, Term)>,
    /// The node and place that the scope's variable denotes.
    pub scope: Option<(u32, u32)>,
    pub target: (u32, u32),
    /// Of a formula: the atom that is violated otherwise, and the object it is about.
    pub(super) atom: Option<(u32, Instance)>,
}

/// A reference that was loaded, under a guard: what it may be. Only the models that do not enumerate need to look it up.
#[derive(Clone, Debug)]
pub(super) struct Loaded {
    pub symbol: Term,
    pub real: Term,
    /// The objects it may denote, its own included.
    pub objects: Denoted,
    /// Whether there is no case left in which the symbol was not loaded, here or before.
    pub complete: bool,
}

/// Objects with guards. Almost always it is one or none, and the list of loaded references is copied often.
#[derive(Clone, Debug)]
pub(super) enum Denoted {
    None,
    One([(Term, u32); 1]),
    Several(Rc<[(Term, u32)]>),
}

impl FromIterator<(Term, u32)> for Denoted {
    fn from_iter<I: IntoIterator<Item = (Term, u32)>>(objects: I) -> Denoted {
        let mut objects = objects.into_iter();
        match (objects.next(), objects.next()) {
            (None, _) => Denoted::None,
            (Some(only), None) => Denoted::One([only]),
            (Some(first), Some(second)) => Denoted::Several([first, second].into_iter().chain(objects).collect()),
        }
    }
}

impl Deref for Denoted {
    type Target = [(Term, u32)];

    fn deref(&self) -> &[(Term, u32)] {
        match self {
            Denoted::None => &[],
            Denoted::One(object) => object,
            Denoted::Several(objects) => objects,
        }
    }
}

/// A number of a ghost field that is a set or a heap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    /// Where the ghost field is.
    pub set: usize,
    pub guard: Term,
    /// In which of several sets.
    pub number: Option<Num>,
    pub value: Num,
    /// Whether it stands for all greater numbers, too.
    pub and_above: bool,
    /// Where it stands in a heap.
    pub index: Option<Term>,
}

/// An object of a ghost field that is a collection of objects.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entered {
    /// Where the ghost field is.
    pub set: usize,
    pub guard: Term,
    /// What the path decides before it is asked anything.
    pub until: Term,
    /// As a value of the program.
    pub object: Term,
    /// A number that says where it stands in an order.
    pub place: Option<Num>,
    /// Where it stands in a heap.
    pub index: Option<Term>,
}

#[derive(Clone, Default, Debug)]
pub(super) struct Inner {
    pub nodes: Vec<Node>,
    pub ghosts: Vec<Num>,
    pub members: Vec<Member>,
    pub entered: Vec<Entered>,
    pub frozen: Vec<Frozen>,
    pub calls: Vec<Call>,
    pub atoms: Atoms,
}

/// What the invariants keep of a path. Cloning copies a few pointers.
#[derive(Clone, Default, Debug)]
pub struct Backbone {
    pub(super) shared: Rc<Inner>,
    /// By itself, because the statements do not look at it: what is known of the rest is known whatever was loaded.
    pub(super) loaded: Rc<Vec<Loaded>>,
    /// Likewise: references to what exists before the entry, and where they were loaded.
    pub(super) existing: Rc<Vec<(Term, Term)>>,
    /// Likewise: the objects of the heap that are nodes, with their nodes, in the order of their numbers. POSE has none.
    objects: Rc<Vec<(u32, u32)>>,
    /// References that were loaded and that nobody has looked at: the statements are asked about them when somebody does.
    pub(super) waiting: Vec<Symbol>,
}

impl Backbone {
    /// The number of objects that are not in it: see [`super::bystander`].
    pub const BYSTANDER: u32 = u32::MAX;

    pub(super) fn inner(&mut self) -> &mut Inner {
        Rc::make_mut(&mut self.shared)
    }

    /// The node of an object of the heap.
    pub(super) fn node_of(&self, object: u32) -> u32 {
        match self.objects.binary_search_by_key(&object, |(object, _)| *object) {
            Ok(at) => self.objects[at].1,
            Err(_) => Backbone::BYSTANDER,
        }
    }

    /// The object of the heap that is a node.
    pub fn object_of(&self, node: u32) -> u32 {
        self.objects.iter().find(|(_, of)| *of == node).expect("a node is an object").0
    }

    /// The last node is this object of the heap.
    pub(super) fn name_last(&mut self, object: u32) {
        let node = self.len() - 1;
        Rc::make_mut(&mut self.objects).push((object, node));
    }

    pub fn node(&self, node: u32) -> &Node {
        &self.shared.nodes[node as usize]
    }

    pub fn len(&self) -> u32 {
        self.shared.nodes.len() as u32
    }

    pub fn is_empty(&self) -> bool {
        self.shared.nodes.is_empty()
    }

    /// A reference was loaded on this path and is known to be null, or a node.
    pub(super) fn loaded_as(&mut self, symbol: Term, node: Option<u32>) {
        let objects = node.map(|node| (Term::TRUE, node)).into_iter().collect();
        Rc::make_mut(&mut self.loaded).push(Loaded { symbol, real: Term::TRUE, objects, complete: true });
    }

    /// Takes the companion methods that are to be executed.
    pub fn take_calls(&mut self) -> Vec<Call> {
        if self.shared.calls.is_empty() { Vec::new() } else { std::mem::take(&mut self.inner().calls) }
    }

    pub(super) fn place(&self, (node, place): (u32, u32)) -> &Place {
        &self.shared.nodes[node as usize].places[place as usize]
    }

    /// The object that is `steps` above a place in the backbone.
    pub(super) fn ancestor(&self, from: (u32, u32), steps: u32) -> Option<(u32, u32)> {
        (0..steps).try_fold(from, |at, _| self.place(at).parent)
    }

    /// Whether `above` is `at` or an object that it hangs from.
    pub(super) fn is_below(&self, at: (u32, u32), above: (u32, u32)) -> bool {
        // A parent has a smaller number than its children.
        let mut place = at;
        while place.0 > above.0 {
            match self.place(place).parent {
                Some(parent) => place = parent,
                None => return false,
            }
        }
        place == above
    }

    /// Enters an object with its ghost fields.
    pub(super) fn push(&mut self, cx: &mut Context, mut node: Node) {
        let hex = cx.known_origins().hex.clone();
        let holder = cx.terms.as_symbol(node.symbol).expect("a reference is a symbol");
        let mut values = Vec::new();
        for ghost in hex.ghosts.iter().filter(|g| cx.program.related(g.class, node.class)) {
            let value = match ghost.initial {
                GhostValue::Int(value) => Num::int(cx, value),
                // Its members are in a list of their own.
                GhostValue::Empty
                | GhostValue::EmptySets
                | GhostValue::EmptyHeap
                | GhostValue::EmptyObjects
                | GhostValue::EmptySorted
                | GhostValue::EmptyQueue => Num::int(cx, 0),
                GhostValue::Bool(value) => Num::truth(Term::bool(value)),
                GhostValue::MinusInfinity => Num::infinite(cx, false),
                GhostValue::PlusInfinity => Num::infinite(cx, true),
                GhostValue::Fresh => {
                    let sort = match (ghost.ty, cx.int_sort) {
                        (Type::Bool, _) => Sort::Bool,
                        (Type::Long, Sort::Bits(_)) => Sort::Bits(64),
                        (_, sort) => sort,
                    };
                    let label = cx.terms.label(&format!("{GHOST}{}", ghost.name));
                    let value = cx.terms.symbol(SymbolOrigin::Field { holder, label }, sort, &Rc::from([]));
                    if sort == Sort::Bool { Num::truth(value) } else { Num::finite(cx, value) }
                }
            };
            values.push(value);
        }
        let inner = self.inner();
        node.ghosts = inner.ghosts.len() as u32;
        inner.ghosts.extend(values);
        inner.nodes.push(node);
    }

    /// Where a ghost field of a node is, of those of one name that it may have.
    pub(super) fn ghost(&self, cx: &Context, node: u32, candidates: &[GhostId]) -> Option<usize> {
        let hex = &cx.known_origins().hex;
        let node = self.node(node);
        let has = |ghost: &GhostId| cx.program.related(hex.ghosts[ghost.index()].class, node.class);
        let wanted = candidates.iter().find(|ghost| has(ghost))?;
        let before = (0..wanted.0).filter(|ghost| has(&GhostId(*ghost))).count();
        Some(node.ghosts as usize + before)
    }

    /// The objects that a reference may denote, with the guards under which it does: for its fields. A single one needs no guard.
    /// Where the symbol itself was not loaded, one that denotes the same object was.
    pub fn denoted(&self, cx: &mut Context, symbol: Term, guard: Term) -> Vec<(Term, u32)> {
        let mut objects: Vec<(Term, u32)> = Vec::new();
        let mut add = |cx: &mut Context, guard: Term, node: u32| match objects.iter_mut().find(|o| o.1 == node) {
            _ if guard == Term::FALSE => {}
            Some(known) => known.0 = cx.terms.or(known.0, guard),
            None => objects.push((guard, node)),
        };
        for loaded in self.loaded.iter().filter(|l| l.symbol == symbol) {
            for &(denotes, node) in loaded.objects.iter() {
                let guard = cx.terms.all([loaded.real, denotes, guard]);
                add(cx, guard, node);
            }
        }
        let elsewhere = self.first_loaded(cx, symbol, guard);
        if elsewhere != Term::FALSE {
            let class = cx.terms.as_symbol(symbol).map(|symbol| cx.declared_class(symbol));
            let fits = |node: &Node| class.is_none_or(|class| cx.program.related(class, node.class));
            let nodes: Vec<bool> = self.shared.nodes.iter().map(fits).collect();
            for ((number, node), _) in (0..).zip(&self.shared.nodes).zip(nodes).filter(|(_, fits)| *fits) {
                let same = cx.terms.eq(symbol, node.symbol);
                let guard = cx.terms.all([elsewhere, same, node.exists]);
                add(cx, guard, number);
            }
        }
        if let [only] = objects.as_mut_slice() {
            only.0 = Term::TRUE;
        }
        objects
    }

    /// Whether the invariants exclude that two references, not null, denote one object.
    pub fn are_apart(&self, a: Term, b: Term) -> bool {
        let objects = |symbol: Term| {
            let mut loaded = self.loaded.iter().filter(|l| l.symbol == symbol);
            // Where it was not loaded it may be anything.
            loaded.next().filter(|l| l.real == Term::TRUE).map(|l| &l.objects)
        };
        match (objects(a), objects(b)) {
            (Some(a), Some(b)) => !a.iter().any(|(_, node)| b.iter().any(|(_, other)| node == other)),
            _ => false,
        }
    }

    /// What a reference is known to be on this path.
    pub fn told(&self, reference: Term) -> Told {
        let is_sure = |loaded: &&Loaded| loaded.symbol == reference && loaded.real == Term::TRUE;
        match self.loaded.iter().find(is_sure).map(|loaded| &*loaded.objects) {
            Some([]) => Told::Null,
            Some(&[(Term::TRUE, node)]) => Told::Object(self.node(node).symbol),
            _ => Told::Open,
        }
    }

    /// Whether a symbol was loaded and cannot but denote a certain object.
    pub fn is_object(&self, symbol: Term) -> bool {
        matches!(self.told(symbol), Told::Object(_))
    }

    /// The path has decided that a symbol is not null: if there is just one object that it can denote, that is it from now on.
    pub fn found(&mut self, symbol: Term) {
        let is_open = |loaded: &Loaded| {
            loaded.symbol == symbol
                && loaded.real == Term::TRUE
                && matches!(*loaded.objects, [(guard, _)] if guard != Term::TRUE)
        };
        if let Some(at) = self.loaded.iter().position(is_open) {
            let loaded = &mut Rc::make_mut(&mut self.loaded)[at];
            loaded.objects = Denoted::One([(Term::TRUE, loaded.objects[0].1)]);
        }
    }

    /// The object that a symbol cannot but denote, if it was the first to do so.
    pub fn named_by(&self, symbol: Term) -> Option<u32> {
        let node = self.shared.nodes.iter().position(|node| node.symbol == symbol)?;
        self.is_object(symbol).then_some(node as u32)
    }

    /// The only object that a symbol can denote on this path, if it is known to be not null.
    pub fn sole_object(&self, cx: &Context, symbol: Term) -> Option<u32> {
        let loaded = self.loaded.iter().find(|loaded| loaded.symbol == symbol && loaded.real == Term::TRUE)?;
        match *loaded.objects {
            [(guard, node)] if guard == Term::TRUE || cx.path.entails(&cx.terms, guard) => Some(node),
            _ => None,
        }
    }

    /// Whether a symbol was loaded before, in any case.
    pub fn is_loaded(&self, symbol: Term) -> bool {
        self.loaded.iter().any(|loaded| loaded.symbol == symbol && loaded.complete)
            || self.existing.contains(&(symbol, Term::TRUE))
    }

    /// Whether a symbol was loaded before, in some case.
    pub fn was_loaded(&self, symbol: Term) -> bool {
        self.loaded.iter().any(|loaded| loaded.symbol == symbol)
    }

    /// Gives every object of a model that stands for a concrete input the name of the symbol that was the first to denote it.
    pub fn name_objects(&self, cx: &Context, model: &mut Rc<Model>) {
        let mut named = Vec::new();
        for loaded in self.loaded.iter() {
            let symbol = cx.terms.as_symbol(loaded.symbol).expect("a reference is a symbol");
            if let Value::Ref(RefValue::Input(object)) = model.value(&cx.terms, symbol)
                && !named.contains(&object)
                && cx.terms.holds(loaded.real, model)
            {
                let class = model.class(&cx.terms, object);
                let model = Rc::make_mut(model);
                model.rename(object, symbol);
                model.set_class(symbol, class);
                named.push(symbol);
            }
        }
    }

    /// Where a symbol was loaded before.
    fn loaded_before(&self, cx: &mut Context, symbol: Term) -> Term {
        let loaded = self.loaded.iter().map(|loaded| (loaded.symbol, loaded.real));
        let all = loaded.chain(self.existing.iter().copied());
        let guards: Vec<Term> = all.filter(|(of, _)| *of == symbol).map(|(_, real)| real).collect();
        cx.terms.any(guards)
    }

    /// Where a symbol that is loaded under `guard` is loaded for the first time.
    pub fn first_loaded(&self, cx: &mut Context, symbol: Term, guard: Term) -> Term {
        let before = self.loaded_before(cx, symbol);
        let not_before = cx.terms.not(before);
        cx.terms.and(guard, not_before)
    }
}

impl Node {
    pub(super) fn new(
        symbol: Term,
        class: ClassId,
        (exists, named): (Term, bool),
        places: Rc<[Place]>,
        handle: Option<u32>,
    ) -> Node {
        Node { symbol, class, exists, named, places, handle, ghosts: 0 }
    }

    /// For the heap.
    pub fn object(&self) -> InputObject {
        InputObject { symbol: self.symbol, class: self.class, number: self.handle.unwrap_or_default() }
    }
}
