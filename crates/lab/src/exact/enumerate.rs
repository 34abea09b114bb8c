//! All concrete input heaps with at most so many objects, each once up to isomorphism.
//!
//! A heap is built from the inputs on, then field by field in breadth-first order. Every reference is null, an object that is
//! there already, or a new one; so isomorphic heaps are built by the same choices. Fields that the program never reads
//! keep their defaults: nothing can depend on them. Arrays have at most as many elements as a heap has objects. In Java a
//! reference may also be an object that exists before the entry, and a string counts as one object with its characters.

use lazuli_program::Program;
use lazuli_program::ir::{ClassId, FieldId, Type};
use lazuli_program::library::{LENGTH, Library};
use rustc_hash::FxHashSet;

use super::ingredients::Ingredients;
use lazuli_engine::witness::{Concrete, Witness, WitnessObject};

/// The heaps of a program.
pub struct Universe<'p> {
    program: &'p Program,
    ingredients: Ingredients,
    objects: usize,
}

/// The heaps, and whether they are all or a sample.
pub struct Heaps {
    pub list: Vec<Witness>,
    pub complete: bool,
}

/// Decides between so many alternatives.
type Choose<'c> = dyn FnMut(usize) -> usize + 'c;

impl<'p> Universe<'p> {
    pub fn new(program: &'p Program, ingredients: Ingredients, objects: usize) -> Universe<'p> {
        Universe { program, ingredients, objects }
    }

    /// All heaps, or, where there are more than `most`, as many of them by chance, which is the same at every run. Errors name what is not enumerated.
    pub fn heaps(&self, most: usize) -> Result<Heaps, String> {
        let mut list = Vec::new();
        let mut odometer = Odometer::default();
        loop {
            list.push(self.build(&mut |n| odometer.choose(n))?);
            if !odometer.advance() {
                return Ok(Heaps { list, complete: true });
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
            })?;
            if list.len() < most && known.insert(choices) {
                list.push(heap);
            }
        }
        Ok(Heaps { list, complete: false })
    }

    /// Builds one heap.
    fn build(&self, choose: &mut Choose) -> Result<Witness, String> {
        let mut heap = Witness::default();
        for root in &self.ingredients.roots {
            let value = match (root.ty, root.is_receiver) {
                (Type::Ref(class), true) => {
                    let classes = self.input_classes(class)?;
                    let class = classes[choose(classes.len())];
                    Concrete::Object(self.make(&mut heap, class, root.name.clone(), choose))
                }
                _ => self.value(&mut heap, root.ty, None, root.name.clone(), choose)?,
            };
            heap.roots.push((root.name.clone(), value));
        }
        let mut next = 0;
        while next < heap.objects.len() {
            let object = &heap.objects[next];
            match self.program.library.as_deref().map(|library| (library, library.java(object.class).element)) {
                _ if is_settled(object) => {}
                Some((library, Some(element))) => self.fill(library, &mut heap, next, element, choose)?,
                _ => self.fields(&mut heap, next, choose)?,
            }
            next += 1;
        }
        Ok(heap)
    }

    fn fields(&self, heap: &mut Witness, object: usize, choose: &mut Choose) -> Result<(), String> {
        for &field in &self.program.class(heap.objects[object].class).layout {
            if self.is_read(field) {
                let info = self.program.field(field);
                let name = format!("{}.{}", heap.objects[object].name, info.name);
                let value = self.value(heap, info.ty, Some(field), name, choose)?;
                heap.objects[object].fields.push((field, value));
            }
        }
        Ok(())
    }

    fn is_read(&self, field: FieldId) -> bool {
        self.ingredients.read.binary_search(&field).is_ok()
    }

    /// The length and the elements of an array.
    fn fill(
        &self,
        library: &Library,
        heap: &mut Witness,
        array: usize,
        element: Type,
        choose: &mut Choose,
    ) -> Result<(), String> {
        let most = self.objects.min(library.world.max_array as usize);
        let length = choose(most + 1);
        heap.objects[array].fields.push((LENGTH, Concrete::Int(length as i128)));
        for at in 0..length {
            let name = format!("{}[{at}]", heap.objects[array].name);
            let value = self.value(heap, element, None, name, choose)?;
            heap.objects[array].elements.push((at as u32, value));
        }
        Ok(())
    }

    /// A new object; a string with its characters, in an array that nobody else has.
    fn make(&self, heap: &mut Witness, class: ClassId, name: String, choose: &mut Choose) -> usize {
        let library = self.program.library.as_deref().filter(|_| self.is_string(class));
        let Some(library) = library else { return push(heap, class, name) };
        let texts = &self.ingredients.texts;
        let text = &texts[choose(texts.len())];
        let (string, array) =
            (push(heap, class, name.clone()), push(heap, library.class_id("[B"), format!("{name}.value")));
        let value = self.program.field_named(class, "value").expect("strings have characters");
        heap.objects[string].fields.push((value, Concrete::Object(array)));
        heap.objects[array].fields.push((LENGTH, Concrete::Int(text.len() as i128)));
        heap.objects[array].elements = (0..).zip(text.iter().map(|unit| Concrete::Int((*unit as i8).into()))).collect();
        string
    }

    fn is_string(&self, class: ClassId) -> bool {
        self.program.library.as_deref().is_some_and(|library| library.internal_name(class) == "java/lang/String")
    }

    /// The classes of which there may be new objects where a class is declared.
    fn input_classes(&self, declared: ClassId) -> Result<Vec<ClassId>, String> {
        self.makeable(self.program.input_classes(declared))
    }

    fn makeable(&self, classes: Vec<(u32, u32)>) -> Result<Vec<ClassId>, String> {
        let classes = classes.into_iter().flat_map(|(low, high)| low..=high).map(ClassId);
        let Some(library) = self.program.library.as_deref() else { return Ok(classes.collect()) };
        let [constants, class] = ["java/lang/Enum", "java/lang/Class"].map(|name| library.class_id(name));
        let classes: Vec<ClassId> = classes.filter(|of| !library.is_subclass(*of, constants) && *of != class).collect();
        match classes.iter().find(|class| library.is_uninterpreted(**class)) {
            Some(class) => Err(format!("objects of {} are not enumerated", library.class(*class).name)),
            None => Ok(classes),
        }
    }

    fn value(
        &self,
        heap: &mut Witness,
        ty: Type,
        field: Option<FieldId>,
        name: String,
        choose: &mut Choose,
    ) -> Result<Concrete, String> {
        let class = match ty {
            Type::Bool => return Ok(Concrete::Bool(choose(2) == 1)),
            Type::Ref(class) => class,
            Type::Float | Type::Double => {
                let fraction = self.ingredients.fractions[choose(self.ingredients.fractions.len())];
                return Ok(match ty {
                    Type::Float => Concrete::Float((fraction as f32).to_bits()),
                    _ => Concrete::Double(fraction.to_bits()),
                });
            }
            _ => {
                let integers: Vec<i128> = self.ingredients.integers_of(ty).collect();
                return Ok(Concrete::Int(integers[choose(integers.len())]));
            }
        };
        let chosen = field.and_then(|field| self.program.chosen_for_field(field));
        let classes = self.makeable(chosen.unwrap_or_else(|| self.program.input_classes(class)))?;
        let mut possible: Vec<Concrete> = vec![Concrete::Null];
        let fits = |object: &WitnessObject| self.program.is_subclass(object.class, class);
        possible.extend((0..heap.objects.len()).filter(|i| fits(&heap.objects[*i])).map(Concrete::Object));
        let is_there = |name| heap.objects.iter().any(|object| object.existing.as_ref() == Some(name));
        let existing = self.ingredients.existing.iter();
        let existing: Vec<_> =
            existing.filter(|(of, name)| self.program.is_subclass(*of, class) && !is_there(name)).collect();
        let new = if self.counted(heap) < self.objects { classes.len() } else { 0 };
        let choice = choose(possible.len() + existing.len() + new);
        if let Some(value) = possible.get(choice) {
            return Ok(*value);
        }
        let choice = choice - possible.len();
        Ok(Concrete::Object(match existing.get(choice) {
            Some((class, existing)) => {
                let object = push(heap, *class, name);
                heap.objects[object].existing = Some(existing.clone());
                object
            }
            None => self.make(heap, classes[choice - existing.len()], name, choose),
        }))
    }

    /// How many objects of a heap are new ones; a string and its characters are one.
    fn counted(&self, heap: &Witness) -> usize {
        let new = heap.objects.iter().filter(|object| object.existing.is_none());
        new.map(|object| if self.is_string(object.class) { 0 } else { 1 }).sum()
    }
}

/// Whether it is said of an object what it holds: of strings, and of what exists before the entry.
fn is_settled(object: &WitnessObject) -> bool {
    object.existing.is_some() || !object.fields.is_empty()
}

fn new_object(class: ClassId, name: String) -> WitnessObject {
    WitnessObject { class, name, existing: None, fields: Vec::new(), elements: Vec::new() }
}

fn push(heap: &mut Witness, class: ClassId, name: String) -> usize {
    heap.objects.push(new_object(class, name));
    heap.objects.len() - 1
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
        for root in &self.ingredients.roots {
            let given = heap.roots.iter().find(|(name, _)| *name == root.name).map(|(_, value)| *value);
            let value = copy.enter(given.unwrap_or_else(|| Concrete::default_of(root.ty)), &root.name);
            copy.made.roots.push((root.name.clone(), value));
        }
        let mut next = 0;
        while next < copy.order.len() {
            if let Some(original) = copy.order[next].map(|index| &heap.objects[index])
                && original.existing.is_none()
            {
                self.copy_parts(&mut copy, original, next);
            }
            next += 1;
        }
        copy.made
    }

    fn copy_parts(&self, copy: &mut Copy, original: &WitnessObject, to: usize) {
        let name = |copy: &Copy, part: &str| format!("{}{part}", copy.made.objects[to].name);
        for &field in &self.program.class(original.class).layout {
            let given = original.fields.iter().find(|(f, _)| *f == field).map(|(_, value)| *value);
            // The engine's own methods of Java read what no code does.
            if !self.is_read(field) && (given.is_none() || !self.program.semantics.loads_classes()) {
                continue;
            }
            let info = self.program.field(field);
            let name = name(copy, &format!(".{}", info.name));
            let value = match given {
                Some(value) => copy.enter(value, &name),
                // No path depends on what a string says: nothing.
                None if info.ty.is_ref() && self.is_string(original.class) => copy.make(info.ty, name),
                None => Concrete::default_of(info.ty),
            };
            copy.made.objects[to].fields.push((field, value));
        }
        for (at, value) in &original.elements {
            let value = copy.enter(*value, &name(copy, &format!("[{at}]")));
            copy.made.objects[to].elements.push((*at, value));
        }
    }
}

/// A heap that is copied object by object, as they are met.
struct Copy<'a> {
    heap: &'a Witness,
    /// The objects of the original, in the order of the copy; nothing for those that it does not have.
    order: Vec<Option<usize>>,
    made: Witness,
}

impl Copy<'_> {
    fn enter(&mut self, value: Concrete, name: &str) -> Concrete {
        let Concrete::Object(index) = value else { return value };
        let known = self.order.iter().position(|o| *o == Some(index));
        Concrete::Object(known.unwrap_or_else(|| {
            let WitnessObject { class, existing, .. } = &self.heap.objects[index];
            let existing = existing.clone();
            self.made.objects.push(WitnessObject { existing, ..new_object(*class, name.into()) });
            self.order.push(Some(index));
            self.order.len() - 1
        }))
    }
    /// A new object, with the defaults of its fields.
    fn make(&mut self, ty: Type, name: String) -> Concrete {
        let Type::Ref(class) = ty else { return Concrete::default_of(ty) };
        self.order.push(None);
        Concrete::Object(push(&mut self.made, class, name))
    }
}
