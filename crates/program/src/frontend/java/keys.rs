//! What is asked of the keys of input maps and the elements of input sets: methods that call those of a key's own class.

use super::Synthetic;
use crate::ir::*;
use crate::library::Library;

/// `a.equals(b)`.
pub fn equality(library: &Library) -> Option<MethodId> {
    made(library, "java/lang/Object", "equals", "(Ljava/lang/Object;)Z", Type::Bool)
}

/// `((Comparable) a).compareTo(b)`.
pub fn comparison(library: &Library) -> Option<MethodId> {
    made(library, "java/lang/Comparable", "compareTo", "(Ljava/lang/Object;)I", Type::Int)
}

/// A static method of two objects that casts the first and calls its method with the second.
fn made(library: &Library, class: &str, name: &str, descriptor: &str, result: Type) -> Option<MethodId> {
    let key = format!("key {name}");
    if let Some(known) = library.defined(&key) {
        return Some(known);
    }
    let objects = library.class_id("java/util/Objects");
    let like = library.declared_method(objects, "equals", "(Ljava/lang/Object;Ljava/lang/Object;)Z")?;
    let object = Type::Ref(library.class_id("java/lang/Object"));
    let mut body = Synthetic::new(library, &[object, object], result);
    let receiver = body.register();
    body.emit(Instr::Cast { dst: receiver, src: Reg(0), class: library.class_id(class) });
    let value = body.call(class, name, descriptor, vec![receiver, Reg(1)]);
    body.give_back(value);
    Some(library.define(&key, like, body.finish(name, objects)))
}
