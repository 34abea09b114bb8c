//! What the enumerated heaps of a program are made of: its inputs, the fields that it reads, and the numbers and texts that it can tell apart.

use super::collect::Explored;
use lazuli_engine::existing::Existing;
use lazuli_invariant::hex::Hex;
use lazuli_program::Program;
use lazuli_program::ir::{ClassId, Condition, Const, FieldId, Instr, Method, MethodId, Operand, StrId, Type};
use lazuli_program::library::{IDENTITY_HASH, Library};

/// An input: a parameter of the entry, an input of a tiny language, or a static field.
pub struct Root {
    pub name: String,
    pub ty: Type,
    /// It is an object of its own.
    pub is_receiver: bool,
}

pub struct Ingredients {
    pub roots: Vec<Root>,
    /// The fields that the program reads, sorted. Nothing can depend on others.
    pub read: Vec<FieldId>,
    pub integers: Vec<i128>,
    pub fractions: Vec<f64>,
    /// What strings say, as UTF-16 units of Latin-1.
    pub texts: Vec<Vec<u16>>,
    /// What exists before the entry and may be an input, with its class.
    pub existing: Vec<(ClassId, Existing)>,
}

/// Integers beside the program's constants are tried only while there are this many.
const MOST_INTEGERS: usize = 7;

/// So many of the program's constant strings are tried.
const MOST_TEXTS: usize = 4;

impl Ingredients {
    /// Those of a program that was explored: Java's methods are read when they are called, and the fields that the engine's own methods read, and what
    /// exists before the entry, are known from there.
    pub fn of(
        program: &Program,
        entry: MethodId,
        invariants: Option<&Hex>,
        models: &[Box<dyn Explored + '_>],
    ) -> Ingredients {
        let mut code = Code::default();
        match program.library.as_deref() {
            None => program.methods.iter().for_each(|method| code.read(method, true)),
            Some(library) => {
                for method in library.bodies() {
                    code.read(method, method.class.is_some_and(|class| library.is_users(class)));
                }
            }
        }
        code.fields.extend(invariants.map(|hex| hex.initial_fields()).unwrap_or_default());
        let mut existing = Vec::new();
        if program.semantics.loads_classes() {
            code.fields.extend(models.iter().flat_map(|model| model.named_fields()));
            existing = models.first().map(|model| model.existing()).unwrap_or_default();
        }
        code.fields.sort_unstable();
        code.fields.dedup();
        code.fields.retain(|field| !program.semantics.loads_classes() || *field != IDENTITY_HASH);
        Ingredients {
            roots: roots(program, entry),
            read: code.fields,
            integers: interesting(code.integers),
            fractions: fractions(code.fractions),
            texts: program.library.as_deref().map_or_else(Vec::new, |library| texts(library, &code.texts)),
            existing,
        }
    }

    /// The integers that a type has.
    pub fn integers_of(&self, ty: Type) -> impl Iterator<Item = i128> {
        let (low, high): (i128, i128) = match ty {
            Type::Byte => (i8::MIN.into(), i8::MAX.into()),
            Type::Short => (i16::MIN.into(), i16::MAX.into()),
            Type::Char => (0, u16::MAX.into()),
            _ => (i128::MIN, i128::MAX),
        };
        self.integers.iter().copied().filter(move |value| low <= *value && *value <= high)
    }
}

fn roots(program: &Program, entry: MethodId) -> Vec<Root> {
    let method = program.method(entry);
    let has_receiver = program.has_receiver(entry);
    let is_made = method.name == "<init>" && program.semantics.loads_classes();
    let mut roots: Vec<Root> = Vec::new();
    for (i, parameter) in method.registers.iter().take(method.parameters).enumerate() {
        let is_receiver = i == 0 && has_receiver;
        // A constructor begins with a new object.
        if is_receiver && is_made {
            continue;
        }
        let ty = match program.receiver {
            Some(class) if is_receiver => Type::Ref(class),
            _ => parameter.ty,
        };
        roots.push(Root { name: parameter.name.clone(), ty, is_receiver });
    }
    let input = |name: String, ty| Root { name, ty, is_receiver: false };
    roots.extend(program.inputs.iter().map(|given| input(given.name.clone(), given.ty)));
    roots.extend(program.input_statics().into_iter().map(|f| input(program.show_field(f), program.field(f).ty)));
    roots
}

/// What stands in the code.
#[derive(Default)]
struct Code {
    fields: Vec<FieldId>,
    integers: Vec<i128>,
    fractions: Vec<f64>,
    texts: Vec<StrId>,
}

impl Code {
    /// The constants of Java's library are not what a program tells apart.
    fn read(&mut self, method: &Method, is_programs: bool) {
        for instr in &method.code {
            if let Instr::GetField { field, .. } = instr {
                self.fields.push(*field);
            }
            if is_programs {
                self.read_constants(instr);
            }
        }
    }

    fn read_constants(&mut self, instr: &Instr) {
        match instr {
            Instr::Const { value: Const::Int(value) | Const::Long(value), .. } => self.integers.push(*value as i128),
            Instr::Const { value: Const::Float(bits), .. } => self.fractions.push(f32::from_bits(*bits).into()),
            Instr::Const { value: Const::Double(bits), .. } => self.fractions.push(f64::from_bits(*bits)),
            Instr::Const { value: Const::Str(text), .. } => self.texts.push(*text),
            Instr::Branch { condition: Condition::Compare(_, _, Operand::Int(value)), .. }
            | Instr::Binary { rhs: Operand::Int(value), .. } => self.integers.push((*value).into()),
            Instr::Switch { table, .. } => self.integers.extend(table.iter().map(|(key, _)| i128::from(*key))),
            _ => {}
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

/// Both zeros, what is no number, and the program's constants.
fn fractions(constants: Vec<f64>) -> Vec<f64> {
    let mut all: Vec<f64> = Vec::new();
    for value in [0.0, -0.0, 1.5, f64::NAN].into_iter().chain(constants) {
        if all.iter().all(|known| known.to_bits() != value.to_bits()) {
            all.push(value);
        }
    }
    all
}

/// Nothing, a letter and another one, and the program's constants, as far as inputs may be that long.
fn texts(library: &Library, constants: &[StrId]) -> Vec<Vec<u16>> {
    let is_input = |text: &[u16]| {
        text.len() <= library.world.max_string as usize && text.iter().all(|unit| *unit <= u8::MAX.into())
    };
    let constants = constants.iter().map(|id| library.string(*id).to_vec());
    let mut all: Vec<Vec<u16>> = Vec::new();
    for text in [vec![], vec![u16::from(b'a')], vec![u16::from(b'b')]].into_iter().chain(constants) {
        if is_input(&text) && !all.contains(&text) && all.len() < 3 + MOST_TEXTS {
            all.push(text);
        }
    }
    all
}
