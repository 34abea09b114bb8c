//! Verifying the bodies of Java's methods. Nothing is loaded for it: which classes have which numbers does not depend on whether
//! bodies are verified.

use super::{Library, OBJECT};
use crate::bytecode::descriptor;
use crate::ir::*;
use crate::verify::{Tables, verify_body};

impl Tables for Library {
    fn semantics(&self) -> Semantics {
        Semantics::JAVA
    }

    fn has_class(&self, class: ClassId) -> bool {
        self.classes.get(class.index()).is_some()
    }

    fn has_string(&self, text: StrId) -> bool {
        self.strings.get(text.index()).is_some()
    }

    fn find_field(&self, field: FieldId) -> Option<&Field> {
        self.fields.get(field.index())
    }

    fn input(&self, _: InputId) -> Option<Type> {
        None
    }

    fn is_below(&self, class: ClassId, above: ClassId) -> bool {
        self.is_subclass(class, above)
    }

    fn signature(&self, callee: Callee, parameter: &mut dyn FnMut(Type)) -> Option<Type> {
        match callee {
            Callee::Exactly(method) | Callee::Message(method) => {
                let declared = self.methods.get(method.index())?;
                declared.parameters.iter().for_each(|ty| parameter(*ty));
                Some(declared.result)
            }
            Callee::Virtual(class, selector) => {
                let (_, text) = self.selectors.get(selector.index()).filter(|_| self.has_class(class))?;
                let signature = descriptor::method(text)?;
                parameter(Type::Ref(class));
                signature.parameters.iter().for_each(|text| parameter(shaped(text)));
                Some(shaped(signature.result))
            }
        }
    }

    fn type_name(&self, ty: Type) -> &str {
        match ty {
            Type::Ref(class) => self.internal_name(class),
            _ => "a primitive type",
        }
    }
}

/// A type as a descriptor names it, but for the class: to look for that would number it.
fn shaped(text: &str) -> Type {
    descriptor::primitive(text).unwrap_or(Type::Ref(OBJECT))
}

impl Library {
    /// The body of a method that no class file has. If it is not well formed, that is a bug of whoever wrote it.
    pub(super) fn verified(&self, name: &str, body: Method) -> Method {
        if let Err(fault) = verify_body(self, &body) {
            panic!("the body that was written for {name} is wrong {fault}");
        }
        body
    }
}
