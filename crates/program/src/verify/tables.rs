//! What bodies name: the tables of a program, or Java's library.

use crate::ir::*;

/// Where the names in a body are looked up.
pub trait Tables {
    fn semantics(&self) -> Semantics;
    fn has_class(&self, class: ClassId) -> bool;
    fn has_string(&self, text: StrId) -> bool;
    fn find_field(&self, field: FieldId) -> Option<&Field>;
    fn input(&self, input: InputId) -> Option<Type>;
    /// Whether objects of a class are of another one; asked only where registers have types.
    fn is_below(&self, class: ClassId, above: ClassId) -> bool;
    /// The type of the result; those of the parameters, the receiver's first, are told one by one.
    fn signature(&self, callee: Callee, parameter: &mut dyn FnMut(Type)) -> Option<Type>;
    fn type_name(&self, ty: Type) -> &str;
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
