//! Traces as they are written and read: classes and fields by their names, because their numbers mean something in one process only.

use lazuli_engine::branches::{Branch, Line};
use lazuli_engine::existing::Existing;
use lazuli_engine::outcome::Outcome;
use lazuli_engine::snapshot::{Called, Ending};
use lazuli_engine::state::{Decisions, Flow};
use lazuli_engine::vm::Stream;
use lazuli_engine::witness::{Concrete, Witness, WitnessObject};
use lazuli_program::Program;
use lazuli_program::ir::{ClassId, FieldId};
use lazuli_program::library::LENGTH;
use serde::{Deserialize, Serialize};

use crate::judgement::Judgement;
use crate::run::{Trace, TraceFacts};

/// A [`Trace`] without numbers of classes, fields and methods.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceRecord {
    pub decisions: Decisions,
    pub outcome: Outcome,
    pub detail: Option<Box<FactsRecord>>,
}

/// [`TraceFacts`], likewise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactsRecord {
    pub value: Option<String>,
    pub said_value: Option<String>,
    pub is_fixed: bool,
    pub branches: Vec<Branch>,
    pub path_condition: Vec<String>,
    pub witness: Option<WitnessRecord>,
    pub ending: Option<EndingRecord>,
    pub judgement: Judgement,
    pub place: Line,
    #[serde(default)]
    pub is_new: bool,
    pub came: Option<Line>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub through: Option<String>,
    pub printed: Vec<(Stream, String)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reached: Vec<Box<str>>,
}

/// [`Ending`], likewise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndingRecord {
    pub value: Option<Concrete>,
    pub message: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<Called>,
    pub printed: Vec<(Stream, String)>,
    pub objects: Vec<ObjectRecord>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WitnessRecord {
    pub roots: Vec<(String, Concrete)>,
    pub objects: Vec<ObjectRecord>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectRecord {
    pub class: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub existing: Option<Existing>,
    /// The class that declares it, its name, its value. The length of an array is declared by no class.
    pub fields: Vec<(Option<String>, String, Concrete)>,
    pub elements: Vec<(u32, Concrete)>,
}

impl TraceRecord {
    pub fn of(program: &Program, trace: &Trace) -> TraceRecord {
        let facts = |facts: &TraceFacts| FactsRecord {
            value: facts.value.clone(),
            said_value: facts.said_value.clone(),
            is_fixed: facts.is_fixed,
            branches: facts.branches.clone(),
            path_condition: facts.path_condition.clone(),
            witness: facts.witness.as_ref().map(|witness| WitnessRecord::of(program, witness)),
            ending: facts.ending.as_ref().map(|ending| EndingRecord::of(program, ending)),
            judgement: facts.judgement.clone(),
            place: facts.place.clone(),
            is_new: facts.is_new,
            came: facts.came.clone(),
            through: facts.through.clone(),
            printed: facts.printed.clone(),
            reached: facts.reached.clone(),
        };
        TraceRecord {
            decisions: trace.decisions.clone(),
            outcome: trace.outcome.clone(),
            detail: trace.detail.as_deref().map(facts).map(Box::new),
        }
    }

    /// The trace in this process. An error if the program has no such class or field.
    pub fn trace(self, program: &Program) -> Result<Trace, String> {
        let facts = |facts: FactsRecord| {
            Ok::<TraceFacts, String>(TraceFacts {
                value: facts.value,
                said_value: facts.said_value,
                is_fixed: facts.is_fixed,
                branches: facts.branches,
                path_condition: facts.path_condition,
                witness: facts.witness.map(|witness| witness.witness(program)).transpose()?,
                ending: facts.ending.map(|ending| ending.ending(program)).transpose()?,
                judgement: facts.judgement,
                place: facts.place,
                is_new: facts.is_new,
                came: facts.came,
                through: facts.through,
                printed: facts.printed,
                reached: facts.reached,
            })
        };
        let detail = self.detail.map(|detail| facts(*detail).map(Box::new)).transpose()?;
        Ok(Trace { decisions: self.decisions, outcome: self.outcome, flow: Flow::default(), detail })
    }
}

impl EndingRecord {
    fn of(program: &Program, ending: &Ending) -> EndingRecord {
        EndingRecord {
            value: ending.value,
            message: ending.message.clone(),
            stack: ending.stack.clone(),
            printed: ending.printed.clone(),
            objects: ending.objects.iter().map(|object| ObjectRecord::of(program, object)).collect(),
        }
    }

    fn ending(self, program: &Program) -> Result<Ending, String> {
        let objects = self.objects.into_iter().map(|object| object.object(program)).collect::<Result<_, _>>()?;
        Ok(Ending { value: self.value, message: self.message, stack: self.stack, printed: self.printed, objects })
    }
}

impl WitnessRecord {
    fn of(program: &Program, witness: &Witness) -> WitnessRecord {
        let objects = witness.objects.iter().map(|object| ObjectRecord::of(program, object)).collect();
        WitnessRecord { roots: witness.roots.clone(), objects }
    }

    fn witness(self, program: &Program) -> Result<Witness, String> {
        let objects = self.objects.into_iter().map(|object| object.object(program)).collect::<Result<_, _>>()?;
        Ok(Witness { roots: self.roots, objects })
    }
}

impl ObjectRecord {
    fn of(program: &Program, object: &WitnessObject) -> ObjectRecord {
        ObjectRecord {
            class: class_name(program, object.class),
            name: object.name.clone(),
            existing: object.existing.clone(),
            fields: object.fields.iter().map(|(field, value)| field_name(program, *field, *value)).collect(),
            elements: object.elements.clone(),
        }
    }

    fn object(self, program: &Program) -> Result<WitnessObject, String> {
        let fields = self.fields.into_iter().map(|(class, name, value)| {
            let id = field_of(program, class.as_deref(), &name)?;
            Ok::<(FieldId, Concrete), String>((id, value))
        });
        Ok(WitnessObject {
            class: class_of(program, &self.class)?,
            name: self.name,
            existing: self.existing,
            fields: fields.collect::<Result<_, _>>()?,
            elements: self.elements,
        })
    }
}

fn class_name(program: &Program, class: ClassId) -> String {
    match &program.library {
        Some(library) => library.internal_name(class).to_string(),
        None => program.class(class).name.clone(),
    }
}

fn class_of(program: &Program, name: &str) -> Result<ClassId, String> {
    match &program.library {
        Some(library) => Ok(library.class_id(name)),
        None => program.class_named(name).ok_or_else(|| format!("there is no class {name}")),
    }
}

fn field_name(program: &Program, field: FieldId, value: Concrete) -> (Option<String>, String, Concrete) {
    let declared = program.field(field);
    ((!program.is_length(field)).then(|| class_name(program, declared.class)), declared.name.clone(), value)
}

fn field_of(program: &Program, class: Option<&str>, name: &str) -> Result<FieldId, String> {
    let Some(class) = class else { return Ok(LENGTH) };
    let id = class_of(program, class)?;
    let layout = program.class(id).layout.iter().rev().copied();
    let mut own = layout.filter(|field| program.field(*field).name == name && program.field(*field).class == id);
    own.next().ok_or_else(|| format!("there is no field {name} in {class}"))
}
