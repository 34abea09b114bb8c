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
