//! Which methods a method may lead to, as far as the bytecode shows: more than it does, never less. A limit of a run is no reason for what that
//! run could not have come to.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lazuli_program::bytecode::ClassPath;
use lazuli_program::bytecode::classfile::{ClassFile, Method};
use lazuli_program::bytecode::code::Op;

use crate::executed::MethodName;

/// The methods of the program's own classes, by what calls name.
pub struct Calls {
    classes: BTreeMap<String, Arc<ClassFile>>,
    /// By name and descriptor, whatever the class: who implements what is not looked at.
    by_name: BTreeMap<(String, String), Vec<MethodName>>,
    /// What the JDK may call of objects that it is given.
    called_back: Vec<MethodName>,
}

impl Calls {
    pub fn of(path: &ClassPath) -> Calls {
        let named = path.classes_beside().iter().filter_map(|name| Some((name.clone(), path.find(name).ok()??)));
        let classes: BTreeMap<String, Arc<ClassFile>> = named.collect();
        let mut by_name: BTreeMap<(String, String), Vec<MethodName>> = BTreeMap::new();
        let mut called_back = Vec::new();
        for (class, method) in
            classes.values().flat_map(|class| class.methods.iter().map(move |method| (class, method)))
        {
            let name = named_as(class, method);
            by_name.entry((name.name.clone(), name.descriptor.clone())).or_default().push(name.clone());
            let is_virtual = !method.access.is_static() && !method.access.is_private() && !method.is_initialiser();
            if is_virtual && (method.access.is_public() || method.access.is_protected()) {
                called_back.push(name);
            }
        }
        Calls { classes, by_name, called_back }
    }

    /// The methods that a run beginning with one may come to.
    pub fn from(&self, entry: &MethodName) -> BTreeSet<MethodName> {
        let mut reached = BTreeSet::new();
        let mut open = self.initialiser(&entry.class);
        open.push(entry.clone());
        let mut is_library_called = false;
        while let Some(name) = open.pop() {
            if !reached.insert(name.clone()) {
                continue;
            }
            let Some(class) = self.classes.get(&name.class) else { continue };
            let Some(Ok(Some(code))) = class.method(&name.name, &name.descriptor).map(Method::code) else { continue };
            for op in &code.ops {
                match op {
                    Op::Invoke(_, member) => {
                        let named = (member.name.to_string(), member.descriptor.to_string());
                        let all = self.by_name.get(&named).into_iter().flatten();
                        let is_made = &*member.name == "<init>";
                        open.extend(all.filter(|method| !is_made || *method.class == *member.class).cloned());
                        open.extend(self.initialiser(&member.class));
                        is_library_called |= !self.classes.contains_key(&*member.class) && !is_made;
                    }
                    Op::GetStatic(member) | Op::PutStatic(member) => open.extend(self.initialiser(&member.class)),
                    Op::New(made) => open.extend(self.initialiser(made)),
                    Op::InvokeDynamic(_) => {
                        is_library_called = true;
                        let lambdas = class.methods.iter().filter(|method| method.name.starts_with("lambda$"));
                        open.extend(lambdas.map(|method| named_as(class, method)));
                    }
                    _ => {}
                }
            }
            if std::mem::take(&mut is_library_called) {
                open.extend(self.called_back.iter().filter(|method| !reached.contains(method)).cloned());
            }
        }
        reached
    }

    fn initialiser(&self, class: &str) -> Vec<MethodName> {
        let class = self.classes.get(class);
        let found =
            class.and_then(|class| class.methods.iter().find(|method| &*method.name == "<clinit>").zip(Some(class)));
        found.map(|(method, class)| named_as(class, method)).into_iter().collect()
    }
}

fn named_as(class: &ClassFile, method: &Method) -> MethodName {
    MethodName {
        class: class.name.to_string(),
        name: method.name.to_string(),
        descriptor: method.descriptor.to_string(),
    }
}
