//! Demands: what is asked of an object by methods of its class. The methods are looked up.

use super::ast::{DemandExpr, DemandedExpr, Name};
use super::resolve::{Around, Resolver};
use super::*;
use lazuli_program::frontend::java::keys;
use lazuli_program::frontend::suggest;

impl Resolver<'_> {
    pub fn demand(&self, demand: &DemandExpr, around: &Around) -> Result<Demand, LoadError> {
        let but = demand.but.iter().map(|name| self.class(name)).collect::<Result<Vec<_>, LoadError>>()?;
        let (method, what) = match &demand.what {
            DemandedExpr::Number { class, method, value } => {
                let expr = self.typed(value, Type::Int, around)?;
                if expr.mentions_it() {
                    return Err(self.error(value.place, "what is asked of the object is said of others"));
                }
                (self.asking(class, method)?, Demanded::Number(expr))
            }
            DemandedExpr::Member { object, ghost, place } => {
                let (object, ghosts, _) = self.ghost_of(object, ghost, around)?;
                let kind = self.collection(&ghosts).filter(|kind| kind.has_objects());
                let has_place = place.is_some();
                let place = place.as_ref().map(|place| self.typed(place, Type::Int, around)).transpose()?;
                let library = self.typing.program.library.as_deref();
                let method = match (kind, has_place) {
                    (Some(GhostValue::EmptyObjects), false) => library.and_then(keys::equality),
                    (Some(GhostValue::EmptyQueue), false) | (Some(GhostValue::EmptySorted), true) => {
                        library.and_then(keys::comparison)
                    }
                    (Some(GhostValue::EmptySorted), false) => {
                        let message = format!("{0} is sorted: {0}[number] says where", ghost.text);
                        return Err(self.error(ghost.place, message));
                    }
                    (Some(GhostValue::EmptyObjects | GhostValue::EmptyQueue), true) => {
                        return Err(self.error(ghost.place, format!("{} is one collection, not several", ghost.text)));
                    }
                    _ => {
                        return Err(self.error(ghost.place, format!("{} is no collection of objects", ghost.text)));
                    }
                };
                let only_java = || self.error(ghost.place, "collections of objects are for programs in Java");
                (method.ok_or_else(only_java)?, Demanded::Member { object, ghosts, place })
            }
        };
        Ok(Demand { method, but, what })
    }

    /// A static method that gives a number for an object.
    fn asking(&self, class: &Name, method: &Name) -> Result<MethodId, LoadError> {
        let owner = self.class(class)?;
        let names = &self.typing.names;
        let found = names.methods(owner, &method.text);
        if found.is_empty() {
            let error = self.error(method.place, format!("class {} has no method {}", class.text, method.text));
            return Err(suggest(error, &method.text, names.method_names(owner).iter().map(|name| name.as_str())));
        }
        found.into_iter().find(|id| names.gives_number_of_object(*id)).ok_or_else(|| {
            let message = format!("{}.{} is no static method that gives an int for an object", class.text, method.text);
            self.error(method.place, message)
        })
    }
}
