//! All concrete input heaps with at most so many objects, each once up to isomorphism.
//!
//! A heap is built from the inputs on, then field by field in breadth-first order. Every reference is null, an object that is
//! there already, or a new one; so isomorphic heaps are built by the same choices. Fields that the program never reads
//! keep their defaults: nothing can depend on them.

use lazuli_invariant::hex::Hex;
use lazuli_program::Program;
use lazuli_program::ir::{ClassId, Const, FieldId, Instr, MethodId, Type};
use rustc_hash::FxHashSet;

use lazuli_engine::witness::{Concrete, Witness, WitnessObject};

/// What the heaps of a program are made of.
pub struct Universe<'p> {
    program: &'p Program,
    roots: Vec<(String, Type, bool)>,
    read: Vec<FieldId>,
    integers: Vec<i128>,
    objects: usize,
}

/// The heaps, and whether they are all or a sample.
pub struct Heaps {
    pub list: Vec<Witness>,
    pub complete: bool,
}

/// Integers beside the program's constants are tried only while there are this many.
const MOST_INTEGERS: usize = 7;

impl<'p> Universe<'p> {
    pub fn new(program: &'p Program, entry: MethodId, objects: usize, invariants: Option<&Hex>) -> Universe<'p> {
        let method = program.method(entry);
        let mut roots: Vec<(String, Type, bool)> = Vec::new();
        for (i, parameter) in method.registers.iter().take(method.parameters).enumerate() {
            roots.push((parameter.name.clone(), parameter.ty, i == 0 && method.class.is_some()));
        }
        roots.extend(program.inputs.iter().map(|input| (input.name.clone(), input.ty, false)));
        let code = || program.methods.iter().flat_map(|m| &m.code);
        let mut read: Vec<FieldId> = code()
            .filter_map(|instr| match instr {
                Instr::GetField { field, .. } => Some(*field),
                _ => None,
            })
            .collect();
        read.extend(invariants.map(|hex| hex.initial_fields()).unwrap_or_default());
        read.sort_unstable();
        read.dedup();
        let constants = code().filter_map(|instr| match instr {
            Instr::Const { value: Const::Int(value), .. } => Some(*value as i128),
            _ => None,
        });
        Universe { program, roots, read, integers: interesting(constants.collect()), objects }
    }

    /// All heaps, or, where there are more than `most`, as many of them by chance, which is the same at every run.
    pub fn heaps(&self, most: usize) -> Heaps {
        let mut list = Vec::new();
        let mut odometer = Odometer::default();
        loop {
            list.push(self.build(&mut |n| odometer.choose(n)));
            if !odometer.advance() {
                return Heaps { list, complete: true };
            }
            if list.len() >= most {
                break;
            }
        }
        let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
        let mut known = FxHashSet::default();
        list.clear();
        for _ in 0..most.saturating_mul(4) {
            let mut choices: Vec<usize> = Vec::new();
            let heap = self.build(&mut |n| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let choice = (seed >> 33) as usize % n;
                choices.push(choice);
                choice
            });
            if list.len() < most && known.insert(choices) {
                list.push(heap);
            }
        }
        Heaps { list, complete: false }
    }

    /// Builds one heap; `choose(n)` decides between `n` alternatives.
    fn build(&self, choose: &mut dyn FnMut(usize) -> usize) -> Witness {
        let mut heap = Witness::default();
        for (name, ty, receiver) in &self.roots {
            let value = self.value(&mut heap, *ty, *receiver, name.clone(), choose);
            heap.roots.push((name.clone(), value));
        }
        let mut next = 0;
        while next < heap.objects.len() {
            let class = heap.objects[next].class;
            for &field in &self.program.class(class).layout {
                if self.read.binary_search(&field).is_err() {
                    continue;
                }
                let field_info = self.program.field(field);
                let name = format!("{}.{}", heap.objects[next].name, field_info.name);
                let value = self.value(&mut heap, field_info.ty, false, name, choose);
                heap.objects[next].fields.push((field, value));
            }
            next += 1;
        }
        heap
    }

    fn value(
        &self,
        heap: &mut Witness,
        ty: Type,
        receiver: bool,
        name: String,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Concrete {
        let class = match ty {
            Type::Bool => return Concrete::Bool(choose(2) == 1),
            Type::Int => return Concrete::Int(self.integers[choose(self.integers.len())]),
            Type::Ref(class) => class,
            other => unreachable!("heaps of Java are not enumerated: {other:?}"),
        };
        let mut possible: Vec<Concrete> = Vec::new();
        if !receiver {
            possible.push(Concrete::Null);
        }
        let fits = |object: &WitnessObject| self.program.is_subclass(object.class, class);
        possible.extend((0..heap.objects.len()).filter(|i| fits(&heap.objects[*i])).map(Concrete::Object));
        let room = heap.objects.len() < self.objects || receiver;
        let classes = if room { class.0..self.program.class(class).last.0 + 1 } else { 0..0 };
        let choice = choose(possible.len() + classes.len());
        match possible.get(choice) {
            Some(value) => *value,
            None => {
                let class = ClassId(class.0 + (choice - possible.len()) as u32);
                let (fields, elements) = (Vec::new(), Vec::new());
                heap.objects.push(WitnessObject { class, name, existing: None, fields, elements });
                Concrete::Object(heap.objects.len() - 1)
            }
        }
    }
}

/// Zero, the program's constants, and their neighbours: what its comparisons can tell apart.
fn interesting(mut constants: Vec<i128>) -> Vec<i128> {
    constants.push(0);
    constants.sort_unstable();
    constants.dedup();
    let mut all = constants.clone();
    for neighbour in constants.iter().flat_map(|c| [c + 1, c - 1]) {
        if !all.contains(&neighbour) && all.len() < MOST_INTEGERS {
            all.push(neighbour);
        }
    }
    all
}

/// Runs through all sequences of choices, the last one fastest.
#[derive(Default)]
struct Odometer {
    /// The choice, and of how many.
    wheels: Vec<(usize, usize)>,
    at: usize,
}

impl Odometer {
    fn choose(&mut self, n: usize) -> usize {
        if self.at == self.wheels.len() {
            self.wheels.push((0, n));
        }
        self.at += 1;
        self.wheels[self.at - 1].0
    }

    /// Goes to the next sequence, if there is one.
    fn advance(&mut self) -> bool {
        self.at = 0;
        while let Some((choice, n)) = self.wheels.pop() {
            if choice + 1 < n {
                self.wheels.push((choice + 1, n));
                return true;
            }
        }
        false
    }
}

impl Universe<'_> {
    /// The same heap as [`Universe::heaps`] builds it: without objects that no input leads to, in breadth-first order.
    pub fn canonical(&self, heap: &Witness) -> Witness {
        let mut copy = Copy { heap, order: Vec::new(), made: Witness::default() };
        for (name, ty, _) in &self.roots {
            let given = heap.roots.iter().find(|(root, _)| root == name).map(|(_, value)| *value);
            let value = copy.enter(given.unwrap_or_else(|| Concrete::default_of(*ty)), name);
            copy.made.roots.push((name.clone(), value));
        }
        let mut next = 0;
        while next < copy.order.len() {
            let original = &heap.objects[copy.order[next]];
            for &field in &self.program.class(original.class).layout {
                if self.read.binary_search(&field).is_err() {
                    continue;
                }
                let field_info = self.program.field(field);
                let name = format!("{}.{}", copy.made.objects[next].name, field_info.name);
                let given = original.fields.iter().find(|(f, _)| *f == field).map(|(_, value)| *value);
                let value = copy.enter(given.unwrap_or_else(|| Concrete::default_of(field_info.ty)), &name);
                copy.made.objects[next].fields.push((field, value));
            }
            next += 1;
        }
        copy.made
    }
}

/// A heap that is copied object by object, as they are met.
struct Copy<'a> {
    heap: &'a Witness,
    /// The objects of the original, in the order of the copy.
    order: Vec<usize>,
    made: Witness,
}

impl Copy<'_> {
    fn enter(&mut self, value: Concrete, name: &str) -> Concrete {
        let Concrete::Object(index) = value else { return value };
        let known = self.order.iter().position(|o| *o == index);
        Concrete::Object(known.unwrap_or_else(|| {
            let class = self.heap.objects[index].class;
            self.made.objects.push(WitnessObject {
                class,
                name: name.into(),
                existing: None,
                fields: Vec::new(),
                elements: Vec::new(),
            });
            self.order.push(index);
            self.order.len() - 1
        }))
    }
}
