//! Objects that take several calls: sequences of constructors and methods are tried in the engine, breadth first, with arguments from the input that
//! is wanted, until one makes what the input has. What is nearly the input is a candidate too: whoever asked runs the method on it, and sees
//! whether it goes the same way.

use std::collections::{BTreeMap, HashSet, VecDeque};

use lazuli::{Concrete, Config, Existing, Program, Witness, WitnessObject};
use lazuli_engine::sequence::{Calls, Reached};
use lazuli_program::bytecode::ClassPath;
use lazuli_program::bytecode::classfile::{ClassFile, Method};
use lazuli_program::bytecode::descriptor;
use lazuli_program::ir::{ClassId, Type};
use lazuli_program::library::Library;

use super::literal::{scalar, text};
use super::members::{Reach, is_inner, reach, reach_of_class};
use crate::report::values::Heap;

/// The calls that are tried for one object, and the objects that more calls are tried on.
const MAX_TRIED: usize = 1_500;
const MAX_STATES: usize = 150;
/// The calls after the first.
const MAX_CALLS: usize = 4;
/// Values of one parameter, and combinations of several.
const MAX_VALUES: usize = 6;
const MAX_COMBINATIONS: usize = 40;
/// So many candidates are handed out.
const MAX_CANDIDATES: usize = 12;

/// A call with its arguments, as code.
#[derive(Clone, Debug)]
pub struct Step {
    /// The method; `<init>` for a constructor.
    pub name: String,
    pub arguments: Vec<String>,
    pub is_static: bool,
}

/// How an object is made: the call that gives it, and those that are made on it.
#[derive(Clone, Debug)]
pub struct Recipe {
    pub steps: Vec<Step>,
    pub reach: Reach,
}

/// Recipes by the number of the object.
pub type Recipes = BTreeMap<usize, Recipe>;

/// No object takes several calls.
pub static NONE: Recipes = Recipes::new();

/// A way to make an object, and the input with that object in it.
pub struct Candidate {
    pub recipe: Recipe,
    pub witness: Witness,
}

/// An argument, as code and as the engine reads it.
#[derive(Clone)]
struct Argument {
    code: String,
    text: String,
}

pub struct Sequences<'a> {
    program: &'a Program,
    library: &'a Library,
    classes: &'a ClassPath,
    calls: Calls<'a>,
    /// Of the tests, with slashes.
    package: String,
}

impl<'a> Sequences<'a> {
    pub fn new(
        program: &'a Program,
        classes: &'a ClassPath,
        config: &'a Config,
        package: &str,
    ) -> Option<Sequences<'a>> {
        let library = program.library.as_deref()?;
        let calls = Calls::new(program, config, program.main?);
        Some(Sequences { program, library, classes, calls, package: package.into() })
    }

    /// Ways to make an object of an input, the most similar first.
    pub fn find(&mut self, witness: &Witness, index: usize) -> Vec<Candidate> {
        let class = witness.objects[index].class;
        let internal = self.library.internal_name(class).to_string();
        let Ok(Some(file)) = self.classes.find(&internal) else { return Vec::new() };
        let own = reach_of_class(self.classes, &internal);
        if !self.may_use(&internal, own) || file.access.is_abstract() || is_inner(&file) {
            return Vec::new();
        }
        let pool = Pool::of(self.program, self.library, self.classes, witness);
        let mut found: Vec<(usize, Candidate)> = Vec::new();
        let (mut open, mut seen, mut tried) = (VecDeque::new(), HashSet::new(), 0);
        for (step, reach, reached) in self.first(class, &file, &pool, &mut tried) {
            open.push_back((Recipe { steps: vec![step], reach: reach.max(own) }, reached));
        }
        while let Some((recipe, reached)) = open.pop_front() {
            let objects = self.calls.look(&reached);
            if seen.len() >= MAX_STATES || !seen.insert(objects.clone()) {
                continue;
            }
            if let Some((distance, witness)) = self.matched(witness, index, &objects) {
                found.push((distance, Candidate { recipe: recipe.clone(), witness }));
                if distance == 0 {
                    break;
                }
            }
            if recipe.steps.len() <= MAX_CALLS && tried < MAX_TRIED {
                let next = self.next(class, &reached, &pool, &mut tried);
                open.extend(next.into_iter().map(|(step, reach, reached)| {
                    let steps = recipe.steps.iter().cloned().chain([step]).collect();
                    (Recipe { steps, reach: recipe.reach.max(reach) }, reached)
                }));
            }
        }
        found.sort_by_key(|(distance, candidate)| (*distance, candidate.recipe.steps.len()));
        found.into_iter().take(MAX_CANDIDATES).map(|(_, candidate)| candidate).collect()
    }

    fn may_use(&self, class: &str, reach: Reach) -> bool {
        let package = class.rsplit_once('/').map_or("", |(package, _)| package);
        reach == Reach::Everywhere || reach == Reach::Package && package == self.package
    }

    /// What constructors make and static methods give.
    fn first(
        &mut self,
        class: ClassId,
        file: &ClassFile,
        pool: &Pool,
        tried: &mut usize,
    ) -> Vec<(Step, Reach, Reached)> {
        let gives = format!(")L{};", file.name);
        let is_first = |method: &&Method| {
            let makes = &*method.name == "<init>" || method.access.is_static() && method.descriptor.ends_with(&gives);
            makes && !method.access.is_synthetic()
        };
        let mut makers: Vec<&Method> = file.methods.iter().filter(is_first).collect();
        makers.sort_by_key(|method| (reach(method.access), method.access.is_static(), method.descriptor.len()));
        let mut made = Vec::new();
        makers.retain(|method| self.may_use(&file.name, reach(method.access)));
        for method in makers {
            for arguments in pool.combinations(method) {
                *tried += 1;
                let texts: Vec<String> = arguments.iter().map(|argument| argument.text.clone()).collect();
                let reached = match method.access.is_static() {
                    true => self.calls.give(class, &method.name, &method.descriptor, &texts),
                    false => self.calls.construct(class, &method.descriptor, &texts),
                };
                let code = arguments.into_iter().map(|argument| argument.code).collect();
                let step =
                    Step { name: method.name.to_string(), arguments: code, is_static: method.access.is_static() };
                made.extend(reached.map(|reached| (step, reach(method.access), reached)));
            }
        }
        made
    }

    /// What its methods make of an object, those of the classes above it included.
    fn next(
        &mut self,
        class: ClassId,
        before: &Reached,
        pool: &Pool,
        tried: &mut usize,
    ) -> Vec<(Step, Reach, Reached)> {
        let mut made = Vec::new();
        let above: Vec<ClassId> = self.library.superclasses(class).collect();
        for declaring in std::iter::once(class).chain(above) {
            let internal = self.library.internal_name(declaring).to_string();
            let Some(file) =
                self.classes.find(&internal).ok().flatten().filter(|_| self.classes.is_user_class(&internal))
            else {
                continue;
            };
            let is_called = |method: &&Method| {
                let is_plain = !method.access.is_static() && !method.access.is_synthetic() && method.has_code();
                is_plain && !method.is_initialiser() && !matches!(&*method.name, "toString" | "hashCode" | "equals")
            };
            for method in file.methods.iter().filter(is_called) {
                let reach = reach(method.access);
                if !self.may_use(&internal, reach) || !method.exceptions.is_empty() {
                    continue;
                }
                for arguments in pool.combinations(method) {
                    if *tried >= MAX_TRIED {
                        return made;
                    }
                    *tried += 1;
                    let texts: Vec<String> = arguments.iter().map(|argument| argument.text.clone()).collect();
                    let reached = self.calls.call(before, declaring, &method.name, &method.descriptor, &texts);
                    let code = arguments.into_iter().map(|argument| argument.code).collect();
                    let step = Step { name: method.name.to_string(), arguments: code, is_static: false };
                    made.extend(reached.map(|reached| (step, reach, reached)));
                }
            }
        }
        made
    }

    /// How far an object that was made is from the one that is wanted, and the input with the former in the place of the latter; nothing if
    /// they have not the same shape, as far as the input has one.
    fn matched(&self, witness: &Witness, index: usize, made: &[WitnessObject]) -> Option<(usize, Witness)> {
        let mut pairs = BTreeMap::from([(index, 0)]);
        let (mut open, mut distance) = (vec![(index, 0)], 0);
        let (wanted_heap, made_heap) = (Heap::new(self.program, &witness.objects), Heap::new(self.program, made));
        while let Some((wanted, at)) = open.pop() {
            let (object, other) = (&witness.objects[wanted], &made[at]);
            if object.class != other.class {
                return None;
            }
            let texts = (wanted_heap.text_of(wanted), made_heap.text_of(at));
            if texts.0.is_some() {
                distance += usize::from(texts.0 != texts.1);
                continue;
            }
            let fields = object.fields.iter().filter_map(|(field, value)| {
                let other = other.fields.iter().find(|(known, _)| known == field);
                Some((*value, other?.1))
            });
            let elements = object.elements.iter().filter_map(|(at, value)| {
                let other = other.elements.iter().find(|(known, _)| known == at);
                Some((*value, other?.1))
            });
            for (value, other) in fields.chain(elements) {
                match (value, other) {
                    (Concrete::Object(wanted), Concrete::Object(at)) => match pairs.get(&wanted) {
                        Some(known) if *known == at => {}
                        Some(_) => return None,
                        None if pairs.values().any(|known| *known == at) => return None,
                        None => {
                            pairs.insert(wanted, at);
                            open.push((wanted, at));
                        }
                    },
                    (Concrete::Object(_), _) | (_, Concrete::Object(_)) => return None,
                    (value, other) => distance += usize::from(value != other),
                }
            }
        }
        Some((distance, self.replaced(witness, &pairs, made)?))
    }

    /// The input with objects that were made in the place of some of its own, and what these refer to.
    fn replaced(&self, witness: &Witness, pairs: &BTreeMap<usize, usize>, made: &[WitnessObject]) -> Option<Witness> {
        let mut replaced = witness.clone();
        let mut numbers: Vec<Option<usize>> = vec![None; made.len()];
        pairs.iter().for_each(|(wanted, at)| numbers[*at] = Some(*wanted));
        for number in numbers.iter_mut().filter(|number| number.is_none()) {
            *number = Some(replaced.objects.len());
            replaced.objects.push(made[0].clone());
        }
        let translated = |value: &Concrete| match value {
            Concrete::Object(at) => numbers[*at].map(Concrete::Object),
            other => Some(*other),
        };
        for (object, number) in made.iter().zip(&numbers) {
            let number = (*number)?;
            if witness.objects.get(number).is_some_and(|known| known.existing.is_some()) {
                continue;
            }
            let fields = object.fields.iter().map(|(field, value)| Some((*field, translated(value)?)));
            let elements = object.elements.iter().map(|(at, value)| Some((*at, translated(value)?)));
            let name = witness.objects.get(number).map_or_else(String::new, |known| known.name.clone());
            replaced.objects[number] = WitnessObject {
                class: object.class,
                name,
                existing: self.existing(object),
                fields: fields.collect::<Option<_>>()?,
                elements: elements.collect::<Option<_>>()?,
            };
        }
        Some(replaced)
    }

    /// A constant of an enum exists before the call.
    fn existing(&self, object: &WitnessObject) -> Option<Existing> {
        let (_, field) = object.name.rsplit_once('.').filter(|(_, field)| *field != "class")?;
        let internal = self.library.internal_name(object.class);
        let of_enum = self.library.class_id("java/lang/Enum");
        let is_body = self.library.class(object.class).superclass.is_some_and(|above| above != of_enum);
        let declaring = match self.library.class(object.class).superclass {
            Some(above) if is_body => self.library.internal_name(above),
            _ => internal,
        };
        Some(Existing::Static { class: declaring.replace('/', "."), field: field.into(), path: Vec::new() })
    }
}

/// The values that arguments are taken from: those of the input, and a few small ones.
struct Pool<'a> {
    classes: &'a ClassPath,
    numbers: Vec<i128>,
    fractions: Vec<Concrete>,
    texts: Vec<Vec<u16>>,
    boxed: Vec<i128>,
}

impl<'a> Pool<'a> {
    fn of(program: &Program, library: &Library, classes: &'a ClassPath, witness: &Witness) -> Pool<'a> {
        let heap = Heap::new(program, &witness.objects);
        let (mut numbers, mut fractions, mut texts, mut boxed) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (index, object) in witness.objects.iter().enumerate() {
            if let Some(units) = heap.text_of(index) {
                texts.push(units);
            } else if let Some((_, _, Concrete::Int(value))) = heap.boxed(index) {
                boxed.push(value);
            } else if !heap.is_text(index) && library.java(object.class).element.is_none() {
                let values = object.fields.iter().map(|(_, value)| *value);
                values.for_each(|value| add(value, &mut numbers, &mut fractions));
            }
            object
                .elements
                .iter()
                .filter(|_| !heap.is_text(index))
                .for_each(|(_, value)| add(*value, &mut numbers, &mut fractions));
        }
        witness.roots.iter().for_each(|(_, value)| add(*value, &mut numbers, &mut fractions));
        numbers.extend([0, 1, 2, -1]);
        boxed.extend([0, 1, 2]);
        fractions.extend([Concrete::Double(0), Concrete::Double(1f64.to_bits()), Concrete::Float(0)]);
        texts.extend([vec![u16::from(b'a')], Vec::new()]);
        let mut pool = Pool { classes, numbers, fractions, texts, boxed };
        dedup(&mut pool.numbers);
        dedup(&mut pool.boxed);
        dedup(&mut pool.texts);
        pool
    }

    /// The arguments that a method is tried with.
    fn combinations(&self, method: &Method) -> Vec<Vec<Argument>> {
        let Some(types) = descriptor::method(&method.descriptor) else { return Vec::new() };
        let mut all: Vec<Vec<Argument>> = vec![Vec::new()];
        for ty in types.parameters {
            let values = self.values(ty);
            let longer = all.iter().flat_map(|before| {
                values.iter().map(move |value| before.iter().cloned().chain([value.clone()]).collect::<Vec<_>>())
            });
            all = longer.take(MAX_COMBINATIONS).collect();
        }
        all
    }

    fn values(&self, ty: &str) -> Vec<Argument> {
        let plain = |code: String, text: String| Argument { code, text };
        let within = |least: i128, most: i128| self.numbers.iter().copied().filter(move |n| (least..=most).contains(n));
        let whole = |least: i128, most: i128, ty: Type| -> Vec<Argument> {
            within(least, most).map(|n| plain(scalar(Concrete::Int(n), ty), n.to_string())).take(MAX_VALUES).collect()
        };
        let fraction = |is_double: bool| -> Vec<Argument> {
            let fits = |value: &&Concrete| matches!(value, Concrete::Double(_)) == is_double;
            let fitting = self.fractions.iter().filter(fits).take(MAX_VALUES);
            fitting
                .map(|value| match value {
                    Concrete::Double(bits) => plain(scalar(*value, Type::Double), format!("d:{bits:016x}")),
                    Concrete::Float(bits) => plain(scalar(*value, Type::Float), format!("f:{bits:08x}")),
                    _ => plain("0".into(), "0".into()),
                })
                .collect()
        };
        let integers = || self.boxed.iter().chain(&self.numbers).filter(|n| i32::try_from(**n).is_ok());
        let boxed =
            || integers().map(|n| plain(scalar(Concrete::Int(*n), Type::Int), format!("java.lang.Integer({n})")));
        let texts = || self.texts.iter().map(|units| plain(text(units), text(units)));
        let null = || plain("null".into(), "null".into());
        match ty {
            "Z" => [true, false].map(|value| plain(value.to_string(), value.to_string())).to_vec(),
            "I" => whole(i32::MIN.into(), i32::MAX.into(), Type::Int),
            "S" => whole(i16::MIN.into(), i16::MAX.into(), Type::Short),
            "B" => whole(i8::MIN.into(), i8::MAX.into(), Type::Byte),
            "C" => whole(0, u16::MAX.into(), Type::Char),
            "J" => {
                let longs = within(i64::MIN.into(), i64::MAX.into()).take(MAX_VALUES);
                longs.map(|n| plain(scalar(Concrete::Int(n), Type::Long), format!("{n}L"))).collect()
            }
            "D" => fraction(true),
            "F" => fraction(false),
            "Ljava/lang/String;" => texts().take(MAX_VALUES).collect(),
            "Ljava/lang/Integer;" | "Ljava/lang/Comparable;" | "Ljava/lang/Number;" => {
                boxed().take(MAX_VALUES).collect()
            }
            "Ljava/lang/Object;" => boxed().take(MAX_VALUES - 1).chain([null()]).collect(),
            _ => self.constants(ty).unwrap_or_else(|| vec![null()]),
        }
    }

    /// The constants of an enum.
    fn constants(&self, ty: &str) -> Option<Vec<Argument>> {
        let internal = ty.strip_prefix('L')?.strip_suffix(';')?;
        let file = self.classes.find(internal).ok()??;
        if !file.access.is_enum() {
            return None;
        }
        let class = internal.replace('/', ".");
        let constants = file.fields.iter().filter(|field| *field.descriptor == *ty && field.access.is_static());
        let argument = |name: &str| Argument {
            code: format!("{}.{name}", class.replace('$', ".")),
            text: format!("@{class}.{name}"),
        };
        Some(constants.take(MAX_VALUES).map(|field| argument(&field.name)).collect())
    }
}

fn add(value: Concrete, numbers: &mut Vec<i128>, fractions: &mut Vec<Concrete>) {
    match value {
        Concrete::Int(number) => numbers.push(number),
        Concrete::Float(_) | Concrete::Double(_) => fractions.push(value),
        _ => {}
    }
}

/// Only the first of equal values stays.
fn dedup<T: PartialEq + Clone>(values: &mut Vec<T>) {
    let mut kept: Vec<T> = Vec::new();
    for value in values.drain(..) {
        if !kept.contains(&value) {
            kept.push(value);
        }
    }
    *values = kept;
}
