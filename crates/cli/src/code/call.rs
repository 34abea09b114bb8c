//! A call as code: its receiver and its arguments made, and the method called with them.

use lazuli::{Again, Concrete, Program, Trace, Witness, WitnessObject};
use lazuli_engine::limits::Watch;
use lazuli_program::bytecode::ClassPath;
use lazuli_program::bytecode::descriptor;
use lazuli_program::bytecode::signature::Written;
use lazuli_program::frontend::java::EntryPoint;
use lazuli_program::ir::Type;

use super::build::{Builder, Tier, parameters};
use super::names::{Names, of_descriptor};
use super::sequence::{Recipes, Sequences};

/// A method that is called, from a source in the package of its class.
#[derive(Clone, Copy)]
pub struct Calling<'a> {
    pub program: &'a Program,
    pub classes: &'a ClassPath,
    pub entry: &'a EntryPoint,
}

impl<'a> Calling<'a> {
    /// The package, with slashes.
    pub fn package(&self) -> &'a str {
        self.entry.receiver.name.rsplit_once('/').map_or("", |(package, _)| package)
    }

    /// Code for objects, by nothing beyond a tier.
    pub fn builder(&self, objects: &'a [WitnessObject], most: Tier, recipes: &'a Recipes) -> Option<Builder<'a>> {
        Builder::new(self.program, self.classes, objects, Names::new(self.classes, self.package()), most, recipes)
    }

    /// The statements that make an input and call the method, by nothing beyond a tier; or why there are none.
    pub fn statements(&self, witness: &'a Witness, most: Tier, recipes: &'a Recipes) -> Result<Vec<String>, String> {
        let mut builder = self.builder(&witness.objects, most, recipes).ok_or("the program is not in Java")?;
        witness.roots.iter().for_each(|(_, value)| builder.refer(*value, 1));
        let call = self.call(&mut builder, witness)?;
        Ok(builder.statements().iter().cloned().chain([format!("{call};")]).collect())
    }

    /// A trace that goes the same way, with inputs that calls can make; and these calls.
    pub fn with_calls(
        &self,
        sequences: &mut Sequences,
        again: &mut Again,
        trace: &Trace,
        watch: &Watch,
    ) -> Option<(Trace, Recipes)> {
        let mut trace = trace.clone();
        let mut recipes = Recipes::new();
        loop {
            let facts = trace.detail.as_deref()?;
            let witness = facts.witness.as_ref()?;
            let Some(index) = self.unmade(witness, &recipes) else { return Some((trace, recipes)) };
            let candidates = sequences.find(witness, index);
            let followed = candidates.into_iter().find_map(|candidate| {
                let replayed = again.confirm(&candidate.witness, &trace, watch);
                Some((candidate, replayed.ending.filter(|_| replayed.verdict.is_ok())?))
            });
            let (candidate, ending) = followed?;
            recipes.insert(index, candidate.recipe);
            let facts = trace.detail.as_deref_mut()?;
            (facts.witness, facts.ending) = (Some(candidate.witness), Some(ending));
        }
    }

    /// The first input for which no code is known.
    fn unmade(&self, witness: &Witness, recipes: &Recipes) -> Option<usize> {
        let object = of_descriptor("Ljava/lang/Object;");
        let is_unmade = |index: &usize| {
            let builder = self.builder(&witness.objects, Tier::Package, recipes);
            builder.is_none_or(|mut builder| builder.value(Concrete::Object(*index), &object, "input").is_err())
        };
        let objects = witness.roots.iter().filter_map(|(_, value)| match value {
            Concrete::Object(index) if !recipes.contains_key(index) => Some(*index),
            _ => None,
        });
        objects.into_iter().find(is_unmade)
    }

    pub fn is_static(&self) -> bool {
        self.entry.method().access.is_static()
    }

    pub fn is_constructor(&self) -> bool {
        &*self.entry.method().name == "<init>"
    }

    /// The type of what it gives, as its source has it.
    pub fn result(&self) -> Written {
        let method = self.entry.method();
        let signature = self.entry.class.method_signature(method).and_then(|signature| signature.result);
        let plain = descriptor::method(&method.descriptor).map_or("V", |method| method.result);
        match signature {
            Some(Written::Variable(_)) | None => of_descriptor(plain),
            Some(written) => written,
        }
    }

    /// The call with its arguments; what makes them is among the statements.
    pub fn call(&self, builder: &mut Builder, witness: &Witness) -> Result<String, String> {
        let (class, method) = (&self.entry.receiver.name, self.entry.method());
        let main = self.program.main.ok_or("there is no entry")?;
        let body = self.program.method(main);
        let types = parameters(&self.entry.class, method);
        let names: Vec<String> =
            body.registers.iter().take(body.parameters).map(|register| register.name.clone()).collect();
        let own = names.len() - types.len().min(names.len());
        let root = |name: &str| witness.roots.iter().find(|(root, _)| root == name).map(|(_, value)| *value);
        let others = witness.roots.iter().find(|(name, _)| !names.contains(name));
        if let Some((name, _)) = others {
            return Err(format!("it depends on {name}, which no caller gives"));
        }
        let receiver = match own {
            0 => builder.names().class(class),
            _ if self.is_constructor() => {
                let diamond = builder.names().diamond(class);
                format!("new {}{diamond}", builder.names().class(class))
            }
            _ => {
                let value = root(&names[0]).ok_or("its receiver is not known")?;
                let ty = Written::Class { name: class.to_string(), arguments: Vec::new() };
                let mut hint = simple_name(class);
                hint[..1].make_ascii_lowercase();
                builder.value(value, &ty, &hint)?
            }
        };
        let mut arguments = Vec::new();
        let is_overloaded = self.entry.class.methods.iter().filter(|other| other.name == method.name).count() > 1;
        for (name, ty) in names[own..].iter().zip(&types) {
            let plain = match ty {
                Written::Primitive(ty) => descriptor::primitive(&ty.to_string()).unwrap_or(Type::Int),
                _ => Type::Void,
            };
            let value = root(name).unwrap_or(Concrete::default_of(plain));
            let code = builder.value(value, ty, name)?;
            // Null alone does not say which of several methods is meant.
            arguments.push(match value {
                Concrete::Null if is_overloaded => format!("({}) null", builder.names().written(ty)),
                _ => code,
            });
        }
        let arguments = arguments.join(", ");
        Ok(match (self.is_constructor(), self.is_static()) {
            (true, _) => format!("{receiver}({arguments})"),
            _ => format!("{receiver}.{}({arguments})", method.name),
        })
    }
}

/// The name of a class as a part of other names.
pub fn simple_name(internal: &str) -> String {
    let name = internal.rsplit(['/', '$']).next().unwrap_or(internal);
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    if internal.starts_with('[') { "Array".into() } else { plain }
}
