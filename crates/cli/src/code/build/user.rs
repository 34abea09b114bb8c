//! Objects of the program's own classes: by a sequence of calls that was found, by a constructor that keeps what it is given, with setters
//! and fields that others may assign; and by reflection, where that is allowed.

use std::sync::Arc;

use lazuli::Concrete;
use lazuli_program::bytecode::classfile::{ClassFile, Method};
use lazuli_program::bytecode::descriptor;
use lazuli_program::bytecode::signature::Written;
use lazuli_program::frontend::java::callable::kept_fields;
use lazuli_program::ir::Type;

use super::{Builder, Draft, HELPER, Place, Tier, Why, parameters};
use crate::code::literal::scalar;
use crate::code::members::{self, Reach, is_inner, reach, reach_of_class, set};
use crate::code::names::{self, of_descriptor};
use crate::code::sequence::Recipe;

impl Builder<'_> {
    pub(super) fn user_object(
        &mut self,
        index: usize,
        file: &Arc<ClassFile>,
        expected: &Written,
        hint: &str,
    ) -> Result<String, Why> {
        if let Some(recipe) = self.recipes.get(&index) {
            return Ok(self.followed(index, file, recipe, expected, hint));
        }
        let mut why = format!("no call is known that makes this {}", names::simple(&file.name));
        let reach = reach_of_class(self.classes, &file.name);
        if self.may_use(&file.name, reach) && !file.access.is_abstract() && !is_inner(file) {
            let before = self.draft.clone();
            self.uses(reach);
            let mut constructors: Vec<&Method> =
                file.methods.iter().filter(|method| &*method.name == "<init>").collect();
            constructors.sort_by_key(|method| (members::reach(method.access), method.descriptor.len()));
            for constructor in constructors {
                match self.constructed(index, file, constructor, expected, hint) {
                    Ok(made) => return Ok(made),
                    Err(reason) => why = reason,
                }
                self.draft = Draft { used: before.used, ..before.clone() };
                self.draft.places[index] = Place::UnderWay;
                self.uses(reach);
            }
            self.draft = before;
        }
        match self.most {
            Tier::Reflection if file.record.is_none() => self.reflected(index, file, expected, hint),
            _ => Err(why),
        }
    }

    /// By several calls, one after the other.
    fn followed(
        &mut self,
        index: usize,
        file: &Arc<ClassFile>,
        recipe: &Recipe,
        expected: &Written,
        hint: &str,
    ) -> String {
        self.uses(recipe.reach);
        let class = self.draft.names.class(&file.name);
        let Some((first, rest)) = recipe.steps.split_first() else { return "null".into() };
        let arguments = first.arguments.join(", ");
        let made = match first.is_static {
            true => format!("{class}.{}({arguments})", first.name),
            false => format!("new {class}{}({arguments})", self.draft.names.diamond(&file.name)),
        };
        if rest.is_empty() {
            return made;
        }
        let local = self.declare(index, expected, hint, &made);
        for step in rest {
            self.draft.statements.push(format!("{local}.{}({});", step.name, step.arguments.join(", ")));
        }
        local
    }

    /// By a constructor that keeps its parameters, or by any where nothing matters; then by what sets the other fields.
    fn constructed(
        &mut self,
        index: usize,
        file: &Arc<ClassFile>,
        constructor: &Method,
        expected: &Written,
        hint: &str,
    ) -> Result<String, Why> {
        let simple = names::simple(&file.name);
        let reach = reach(constructor.access);
        if !self.may_use(&file.name, reach) {
            return Err(format!("no constructor of {simple} can be called"));
        }
        self.uses(reach);
        let kept = kept_fields(file, constructor);
        if kept.is_none() && !self.objects[index].fields.is_empty() {
            return Err(format!("no constructor of {simple} is known to give its fields these values"));
        }
        let kept = kept.unwrap_or_default();
        let mut given: Vec<Option<Concrete>> = vec![None; parameters(file, constructor).len()];
        for (name, parameter) in &kept {
            let value = self.field_of(index, &file.name, name);
            match (given[*parameter], value) {
                (Some(known), Some(value)) if known != value => {
                    return Err(format!("two fields of {simple} are always the same"));
                }
                (None, Some(value)) => given[*parameter] = Some(value),
                _ => {}
            }
        }
        let mut arguments = Vec::new();
        for (number, ty) in parameters(file, constructor).iter().enumerate() {
            let name = kept.iter().find(|(_, parameter)| *parameter == number).map(|(name, _)| name.to_string());
            let hint = name.unwrap_or_else(|| format!("{hint}{number}"));
            let argument = match given[number] {
                Some(value) => self.value(value, ty, &hint)?,
                None => self.default(ty),
            };
            arguments.push(argument);
        }
        let class = self.draft.names.class(&file.name);
        let diamond = self.draft.names.diamond(&file.name);
        let made = format!("new {class}{diamond}({})", arguments.join(", "));
        let others = self.others(index, file, &kept.iter().map(|(name, _)| name.to_string()).collect::<Vec<_>>());
        if others.is_empty() {
            return Ok(made);
        }
        let local = self.declare(index, expected, hint, &made);
        for (declaring, field, value) in others {
            self.assign(&local, &declaring, &field, value)?;
        }
        Ok(local)
    }

    /// The fields that a constructor does not set, and that have not their first values: who declares each, its name, its value.
    fn others(&self, index: usize, file: &ClassFile, kept: &[String]) -> Vec<(String, String, Concrete)> {
        let mut others = Vec::new();
        for (field, value) in &self.objects[index].fields {
            let declared = self.library.field(*field);
            let declaring = self.library.internal_name(declared.class).to_string();
            let is_kept = declaring == *file.name && kept.contains(&declared.name);
            if !is_kept && *value != Concrete::default_of(declared.ty) && !declared.name.starts_with('<') {
                others.push((declaring, declared.name.clone(), *value));
            }
        }
        others
    }

    fn field_of(&self, index: usize, declaring: &str, name: &str) -> Option<Concrete> {
        let fields = self.objects[index].fields.iter();
        let mut own = fields.filter(|(field, _)| {
            let declared = self.library.field(*field);
            declared.name == name && self.library.internal_name(declared.class) == declaring
        });
        own.next().map(|(_, value)| *value)
    }

    /// Sets a field by its name, or by a method that does nothing else.
    fn assign(&mut self, local: &str, declaring: &str, name: &str, value: Concrete) -> Result<(), Why> {
        let file = self.classes.find(declaring).ok().flatten().ok_or("there is no such class")?;
        let field = file.fields.iter().find(|field| *field.name == *name).ok_or("there is no such field")?;
        let ty = file.field_signature(field).unwrap_or_else(|| of_descriptor(&field.descriptor));
        let setter = file.methods.iter().filter(|method| set(&file, method).as_deref() == Some(name));
        let setter = setter.map(|method| (reach(method.access), method.name.to_string())).min();
        let open = (reach(field.access), field.access.is_final());
        let hint = name.to_string();
        match setter.filter(|(reach, _)| self.may_use(declaring, *reach)) {
            Some((reach, setter)) if reach <= open.0 || open.1 => {
                self.uses(reach);
                let value = self.value(value, &ty, &hint)?;
                self.draft.statements.push(format!("{local}.{setter}({value});"));
                Ok(())
            }
            _ if !open.1 && self.may_use(declaring, open.0) => {
                self.uses(open.0);
                let value = self.value(value, &ty, &hint)?;
                self.draft.statements.push(format!("{local}.{name} = {value};"));
                Ok(())
            }
            _ => Err(format!("nothing outside of {} sets its field {name}", names::simple(declaring))),
        }
    }

    /// An argument that does not matter.
    fn default(&mut self, ty: &Written) -> String {
        match ty {
            Written::Primitive(primitive) => {
                let ty = descriptor::primitive(&primitive.to_string()).unwrap_or(Type::Int);
                scalar(Concrete::default_of(ty), ty)
            }
            _ => "null".into(),
        }
    }

    /// By reflection: an object that no constructor has seen, whose fields are set one by one.
    fn reflected(
        &mut self,
        index: usize,
        file: &Arc<ClassFile>,
        expected: &Written,
        hint: &str,
    ) -> Result<String, Why> {
        if file.access.is_abstract() || file.name.contains("$$Lambda") {
            return Err(format!("there is no class for this {}", names::simple(&file.name)));
        }
        self.draft.used = Tier::Reflection;
        let reach = reach_of_class(self.classes, &file.name);
        let is_named = reach == Reach::Everywhere || reach == Reach::Package && self.is_same_package(&file.name);
        let made = match is_named {
            true => format!("{HELPER}.make({}.class)", self.draft.names.class(&file.name)),
            false => format!("{HELPER}.make(\"{}\")", file.name.replace('/', ".")),
        };
        let local = match is_named {
            true => self.declare(index, expected, hint, &made),
            false => {
                let name = self.fresh(hint);
                self.draft.statements.push(format!("Object {name} = {made};"));
                self.draft.places[index] = Place::Local(name.clone());
                name
            }
        };
        for (declaring, name, value) in self.others(index, file, &[]) {
            let declared = self.classes.find(&declaring).ok().flatten().ok_or("there is no such class")?;
            let field = declared.fields.iter().find(|field| *field.name == *name).ok_or("there is no such field")?;
            let ty = declared.field_signature(field).unwrap_or_else(|| of_descriptor(&field.descriptor));
            let value = self.value(value, &ty, &name)?;
            self.draft.statements.push(format!("{HELPER}.set({local}, \"{name}\", {value});"));
        }
        Ok(local)
    }
}
