//! A program's own tables are well formed, and bodies are held to what is in them.

use super::Program;
use crate::ir::*;
use crate::source::LoadError;
use crate::verify::{Tables, verify_body};

impl Program {
    /// Accepts the program or says where it is wrong.
    pub fn verify(&self) -> Result<(), LoadError> {
        for (number, class) in self.classes.iter().enumerate() {
            if class.superclass.is_some_and(|s| s.index() >= number || self.class(s).last < class.last) {
                return Err(LoadError::new(format!("class {} is not numbered after its superclass", class.name)));
            }
            for (slot, field) in class.layout.iter().enumerate() {
                if self.fields.get(field.index()).is_none_or(|f| f.slot as usize != slot) {
                    return Err(LoadError::new(format!("class {} has a field out of place", class.name)));
                }
            }
        }
        for id in (0..self.methods.len() as u32).map(MethodId) {
            verify_body(self, self.method(id))
                .map_err(|fault| LoadError::new(format!("{} {fault}", self.method_name(id))))?;
        }
        Ok(())
    }
}

/// The tables of a program that has no library.
impl Tables for Program {
    fn semantics(&self) -> Semantics {
        self.semantics
    }

    fn has_class(&self, class: ClassId) -> bool {
        class.index() < self.classes.len()
    }

    fn has_string(&self, _: StrId) -> bool {
        false
    }

    fn find_field(&self, field: FieldId) -> Option<&Field> {
        self.fields.get(field.index())
    }

    fn input(&self, input: InputId) -> Option<Type> {
        self.inputs.get(input.index()).map(|input| input.ty)
    }

    fn is_below(&self, class: ClassId, above: ClassId) -> bool {
        self.is_subclass(class, above)
    }

    fn signature(&self, callee: Callee, parameter: &mut dyn FnMut(Type)) -> Option<Type> {
        let id = match callee {
            Callee::Exactly(method) | Callee::Message(method) => method,
            Callee::Virtual(class, selector) => *self.classes.get(class.index())?.methods.get(&selector)?,
        };
        let method = self.methods.get(id.index())?;
        method.registers.iter().take(method.parameters).for_each(|register| parameter(register.ty));
        Some(method.result)
    }

    fn type_name(&self, ty: Type) -> &str {
        self.show_type(ty)
    }
}
