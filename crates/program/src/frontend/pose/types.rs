//! The types that the language does not declare: of inputs, by what their uses demand, and of values that are used as those of a
//! subclass, by checked casts.

use super::ast::{Expr, Name};
use super::lower::Lowering;
use crate::frontend::body::{Lowered, Operand, Static};
use crate::ir::*;
use crate::source::Place;

/// What is known of an input symbol.
pub(super) struct InputType {
    pub name: String,
    pub integer: bool,
    pub annotated: Option<ClassId>,
    pub demanded: Option<ClassId>,
}

impl InputType {
    pub fn ty(&self) -> Type {
        if self.integer { Type::Int } else { Type::Ref(self.annotated.or(self.demanded).unwrap_or(ClassId(0))) }
    }
}

impl Lowering<'_> {
    pub(super) fn join(&mut self, a: Static, b: Static, place: Place) -> Lowered<Static> {
        Ok(match (a, b) {
            (Static::Never, other) | (other, Static::Never) => other,
            (Static::Null, other) | (other, Static::Null) if !matches!(other, Static::Is(Type::Int | Type::Bool)) => {
                other
            }
            (Static::Is(Type::Ref(a)), Static::Is(Type::Ref(b))) => {
                Static::Is(Type::Ref(self.program().common_superclass(a, b)))
            }
            (Static::Input(i), Static::Is(Type::Ref(class))) | (Static::Is(Type::Ref(class)), Static::Input(i)) => {
                self.demand(i, class, place)?;
                // An input whose type is written down does not take the other branch's.
                let Type::Ref(have) = self.inputs[i].ty() else { unreachable!("a reference input") };
                Static::Is(Type::Ref(self.program().common_superclass(have, class)))
            }
            (Static::Input(_), Static::Input(_)) => Static::Is(Type::Ref(ClassId(0))),
            (a, b) if a == b => a,
            (a, b) => {
                let message = format!("the branches have different types: {} and {}", self.show(a), self.show(b));
                return Err(self.error(place, message));
            }
        })
    }

    /// An expression that is a reference.
    pub(super) fn reference(&mut self, expr: &Expr) -> Lowered<Operand> {
        let value = self.expr(expr)?;
        match value.ty {
            Static::Is(Type::Int | Type::Bool) | Static::Never => {
                Err(self.error(expr.place, format!("an object is wanted here, not {}", self.show(value.ty))))
            }
            _ => Ok(value),
        }
    }

    /// The object of a field access, cast if necessary to the class that has the field.
    pub(super) fn object_with(&mut self, object: &Expr, name: &Name) -> Lowered<(Operand, FieldId)> {
        let value = self.reference(object)?;
        let program = self.program();
        let field_in = |class: ClassId| program.field_named(class, &name.text);
        let owner = self.owner(value.ty, name, "field", |class| field_in(class).is_some())?;
        let value = self.as_object(value, owner, object.place)?;
        Ok((value, field_in(owner).expect("the owner has the field")))
    }

    /// The class through which a member is used: the static type if it has the member, else the one class below it
    /// that has it.
    pub(super) fn owner(&self, ty: Static, name: &Name, kind: &str, has: impl Fn(ClassId) -> bool) -> Lowered<ClassId> {
        let (class, what) = match ty {
            Static::Is(Type::Ref(class)) => (class, self.show(ty)),
            Static::Input(i) => match self.inputs[i].ty() {
                Type::Ref(class) => (class, self.show(ty)),
                _ => unreachable!("reference inputs are references"),
            },
            _ => (ClassId(0), "null".into()),
        };
        if has(class) {
            return Ok(class);
        }
        let below = class.0..=self.program().class(class).last.0;
        let tops: Vec<ClassId> = below
            .map(ClassId)
            .filter(|c| has(*c) && self.program().class(*c).superclass.is_none_or(|s| !has(s)))
            .collect();
        match tops.as_slice() {
            [one] => Ok(*one),
            [] => {
                let members: Vec<&str> = match kind {
                    "field" => self.program().fields.iter().map(|f| f.name.as_str()).collect(),
                    _ => self.program().methods.iter().map(|m| m.name.as_str()).collect(),
                };
                let what = match ty {
                    Static::Input(_) => format!("{what}, used as {},", self.program().class(class).name),
                    _ => what,
                };
                Err(self.body.no_member(&what, kind, name, members.into_iter()))
            }
            several => {
                let classes: Vec<&str> = several.iter().map(|c| self.program().class(*c).name.as_str()).collect();
                let message = format!("which {kind} {} of {what}? {} have one", name.text, classes.join(", "));
                Err(self.error(name.place, message).help("write the type: (e : T), or let x : T := e in …"))
            }
        }
    }

    /// A use of an input that asks for a class.
    pub(super) fn demand(&mut self, input: usize, class: ClassId, place: Place) -> Lowered<()> {
        let known = &self.inputs[input];
        if known.annotated.is_some() {
            return Ok(());
        }
        match known.demanded {
            Some(have) if self.program().is_subclass(have, class) => {}
            Some(have) if !self.program().related(have, class) => {
                let (a, b) = (&self.program().class(have).name, &self.program().class(class).name);
                let message = format!("{} is used as {a} and as {b}", known.name);
                return Err(self.error(place, message).help(format!("write its type: ({} : Object)", known.name)));
            }
            _ => {
                self.inputs[input].demanded = Some(class);
                self.changed = true;
            }
        }
        Ok(())
    }

    /// `(e : T)`: for an input its type, for anything else a check.
    pub(super) fn annotate(&mut self, value: Operand, want: Type, place: Place) -> Lowered<Operand> {
        if let (Static::Input(i), Type::Ref(class)) = (value.ty, want) {
            let known = &mut self.inputs[i];
            if known.annotated.is_some_and(|have| have != class) {
                let message = format!("{} has two types", self.inputs[i].name);
                return Err(self.error(place, message));
            }
            if known.annotated.is_none() {
                known.annotated = Some(class);
                self.changed = true;
            }
            return Ok(value);
        }
        self.coerce(value, want, place)
    }

    /// Makes a value fit a type: by a checked cast where a subclass is wanted.
    pub(super) fn coerce(&mut self, value: Operand, want: Type, place: Place) -> Lowered<Operand> {
        match (value.ty, want) {
            (Static::Never, _) => Err(self.error(place, "a value is wanted here, and this has none")),
            (Static::Is(have), want) if have == want => Ok(value),
            (Static::Null, Type::Ref(_)) => Ok(Operand { ty: Static::Is(want), ..value }),
            (Static::Input(i), Type::Ref(class)) => {
                self.demand(i, class, place)?;
                let Type::Ref(have) = self.inputs[i].ty() else { unreachable!("a reference input") };
                Ok(self.body.cast(value, have, class, place))
            }
            (Static::Is(Type::Ref(have)), Type::Ref(class)) if self.program().related(have, class) => {
                Ok(self.body.cast(value, have, class, place))
            }
            (have, want) => {
                let message = format!("expected {}, found {}", self.program().show_type(want), self.show(have));
                Err(self.error(place, message))
            }
        }
    }

    /// Makes a value fit as the object of a member access.
    pub(super) fn as_object(&mut self, value: Operand, owner: ClassId, place: Place) -> Lowered<Operand> {
        let value = if value.ty == Static::Null { value } else { self.coerce(value, Type::Ref(owner), place)? };
        Ok(self.body.as_object(value, owner, place))
    }
}
