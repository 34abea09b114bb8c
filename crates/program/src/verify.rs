//! Checks that bodies are well formed, so that the engine need not. What passes this cannot make the engine panic by a bad
//! register, jump, field or type.
//!
//! A body is looked at twice. First every instruction by itself: the registers, targets, classes, fields and methods that it names
//! are there. Then along all paths, with what every register holds: nothing is read that is not certain to be written, what is
//! read has the shape that the instruction wants, and no path runs off the end. Paths also lead from every instruction that a handler
//! covers to the handler. Java's registers have no types, so that there the shapes are all that is known; where registers
//! have types, they are held to them.

mod shape;
mod tables;

use std::collections::hash_map::Entry;
use std::fmt;

use rustc_hash::FxHashMap;

use crate::ir::*;

use shape::{Held, Shape};
pub use tables::Tables;

/// Accepts a body that stands in these tables, or says which instruction is wrong.
pub fn verify_body(tables: &dyn Tables, method: &Method) -> Result<(), Fault> {
    let checker = Checker { tables, semantics: tables.semantics(), method };
    checker.outline()?;
    for (at, instr) in method.code.iter().enumerate() {
        checker.names(instr).map_err(|what| Fault { at, what })?;
    }
    checker.handlers()?;
    checker.flow()
}

/// What is wrong, and with which instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub at: usize,
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at {}: {}", self.at, self.what)
    }
}

struct Checker<'a> {
    tables: &'a dyn Tables,
    semantics: Semantics,
    method: &'a Method,
}

type Checked<T = ()> = Result<T, String>;

impl Checker<'_> {
    // ---- every instruction by itself ----

    fn outline(&self) -> Result<(), Fault> {
        let Method { code, places, lines, registers, parameters, .. } = self.method;
        if code.is_empty() || places.len().max(lines.len()) != code.len() {
            return Err(Fault { at: 0, what: "no code, or instructions without places".into() });
        }
        match *parameters <= registers.len() {
            true => Ok(()),
            false => Err(Fault { at: 0, what: "there are fewer registers than parameters".into() }),
        }
    }

    /// Everything that an instruction names is there.
    fn names(&self, instr: &Instr) -> Checked {
        let mut missing = None;
        instr.each_read(|register| missing = missing.or(self.missing_register(register)));
        missing = missing.or(instr.written().and_then(|register| self.missing_register(register)));
        if let Some(register) = missing {
            return Err(format!("there is no register {}", register.0));
        }
        if let Some(target) = instr.targets().find(|target| *target as usize >= self.method.code.len()) {
            return Err(format!("there is no instruction {target}"));
        }
        match instr {
            Instr::NewArrays { lengths, .. } if lengths.is_empty() => Err("an array of no dimension".into()),
            Instr::InstanceOf { class, .. }
            | Instr::Cast { class, .. }
            | Instr::New { class, .. }
            | Instr::NewArray { class, .. }
            | Instr::NewArrays { class, .. }
            | Instr::InitClass { class }
            | Instr::Const { value: Const::Class(class), .. } => self.class(*class),
            Instr::Const { value: Const::Str(text), .. } if !self.tables.has_string(*text) => {
                Err(format!("there is no string {}", text.0))
            }
            Instr::Switch { table, .. } if !table.is_sorted_by(|(a, _), (b, _)| a < b) => {
                Err("the keys of a switch are not sorted".into())
            }
            _ => Ok(()),
        }
    }

    fn missing_register(&self, register: Reg) -> Option<Reg> {
        (register.index() >= self.method.registers.len()).then_some(register)
    }

    fn class(&self, class: ClassId) -> Checked {
        if self.tables.has_class(class) { Ok(()) } else { Err(format!("there is no class {}", class.0)) }
    }

    fn handlers(&self) -> Result<(), Fault> {
        let end = self.method.code.len() as u32;
        for handler in &self.method.handlers {
            let fault = |what: &str| Err(Fault { at: handler.start as usize, what: what.into() });
            if handler.start >= handler.end || handler.end > end || handler.target >= end {
                return fault("a handler covers nothing, or leads nowhere");
            }
            if self.missing_register(handler.register).is_some() {
                return fault("a handler has no register");
            }
            if handler.class.is_some_and(|class| !self.tables.has_class(class)) {
                return fault("a handler is for a class that is not there");
            }
        }
        Ok(())
    }

    // ---- along all paths ----

    /// What is known is kept only where paths can meet, not at every instruction: methods can have many of both.
    fn flow(&self) -> Result<(), Fault> {
        let code = &self.method.code;
        let mut meets = vec![false; code.len()];
        code.iter().flat_map(Instr::targets).for_each(|target| meets[target as usize] = true);
        self.method.handlers.iter().for_each(|handler| meets[handler.target as usize] = true);
        let mut paths = Paths::default();
        paths.open.push((0, self.at_entry()));
        while let Some((mut at, mut held)) = paths.open.pop() {
            loop {
                let Some(instr) = code.get(at) else {
                    return Err(Fault { at: code.len() - 1, what: "control runs off the end".into() });
                };
                if meets[at] && !paths.arrive(at, &mut held) {
                    break;
                }
                self.may_throw(at, &mut held, &mut paths);
                let written = self.shapes(instr, &held).map_err(|what| Fault { at, what })?;
                if let Some((register, shape)) = written {
                    self.fits_register(register, shape).map_err(|what| Fault { at, what })?;
                    held.set(register, shape);
                }
                instr.targets().for_each(|target| paths.lead(target as usize, &held));
                if !instr.falls_through() {
                    break;
                }
                at += 1;
            }
        }
        Ok(())
    }

    /// The parameters are there, nothing else is.
    fn at_entry(&self) -> Held {
        let mut held = Held::nothing(self.method.registers.len());
        for (register, parameter) in (0..).map(Reg).zip(&self.method.registers[..self.method.parameters]) {
            held.set(register, Shape::passed(self.semantics, parameter.ty));
        }
        held
    }

    /// Before an instruction is carried out, control can go to the handlers that cover it.
    fn may_throw(&self, at: usize, held: &mut Held, paths: &mut Paths) {
        for handler in &self.method.handlers {
            if (handler.start..handler.end).contains(&(at as u32)) {
                let before = held.set(handler.register, Some(Shape::Ref));
                paths.lead(handler.target as usize, held);
                held.set(handler.register, before);
            }
        }
    }

    /// Where registers have types, one holds only what has its own.
    fn fits_register(&self, register: Reg, shape: Option<Shape>) -> Checked {
        let ty = self.method.registers[register.index()].ty;
        let fits = self.semantics.registers == Registers::Reused || shape == Shape::of(ty);
        if fits { Ok(()) } else { Err(format!("register {} is written with what is not of its type", register.0)) }
    }
}

/// What is known where paths meet, and the ways that are still to be followed.
#[derive(Default)]
struct Paths {
    known: FxHashMap<usize, Held>,
    open: Vec<(usize, Held)>,
}

impl Paths {
    /// Where paths meet, only what all of them agree on is certain. Says whether this is news to what follows.
    fn arrive(&mut self, at: usize, held: &mut Held) -> bool {
        match self.known.entry(at) {
            Entry::Vacant(place) => {
                place.insert(held.clone());
                true
            }
            Entry::Occupied(mut place) => {
                let news = place.get_mut().meet(held);
                if news {
                    held.clone_from(place.get());
                }
                news
            }
        }
    }

    /// A way leads to a place where paths meet. It is followed if that is news there.
    fn lead(&mut self, to: usize, held: &Held) {
        if self.known.get(&to).is_none_or(|known| known.is_narrowed_by(held)) {
            self.open.push((to, held.clone()));
        }
    }
}
