//! The symbols among the terms: where they come from, what they are called, and what is declared of them.

use std::rc::Rc;

use super::{Node, Term, Terms};
use crate::sort::{Sort, Symbol};

/// Where a symbol comes from; this names it, and equal origins are the same symbol.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// An input of the program: a parameter, or a symbol the program text mentions. The number tells inputs of one name apart
    /// that different paths make: of different types.
    Root(Rc<str>, u32),
    /// The initial value of a field of the object that `holder` denotes.
    Field { holder: Symbol, label: Label },
    /// A constant object that is called so: nothing but its [`Term::object`] is ever used.
    Constant(Rc<str>),
}

/// An interned piece of a symbol's name (a field's name, qualified only where a reader needs that).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Label(u32);

/// Class numbers a reference symbol may have when it is not null: sorted, disjoint, inclusive intervals.
pub type ClassSet = Rc<[(u32, u32)]>;

/// A symbol's declaration.
#[derive(Clone, Debug)]
pub struct SymbolInfo {
    pub origin: Origin,
    pub sort: Sort,
    /// For references: the classes of the declared type.
    pub classes: ClassSet,
    /// For references: it denotes an object of its own, which no other symbol denotes.
    pub unique: bool,
    /// It is what a function gives for its holder: see [`crate::congruence`].
    pub is_application: bool,
    pub term: Term,
}

impl Symbol {
    const OTHER: u32 = 1 << 31;

    /// The name, in models, of an object that the symbol denotes and does not name: see [`Term::object`].
    pub fn other(self) -> Symbol {
        Symbol(self.0 | Symbol::OTHER)
    }

    /// The symbol whose other name this is.
    pub(crate) fn named(self) -> Symbol {
        Symbol(self.0 & !Symbol::OTHER)
    }

    pub fn is_other(self) -> bool {
        self.0 & Symbol::OTHER != 0
    }
}

impl Terms {
    pub fn label(&mut self, text: &str) -> Label {
        self.label_of(text, 0)
    }

    /// A label that is none of those with the same text and another number.
    pub fn label_of(&mut self, text: &str, number: u64) -> Label {
        let known = self.by_label.entry(number).or_default();
        if let Some(&label) = known.get(text) {
            return label;
        }
        let label = Label(self.labels.len() as u32);
        let text: Rc<str> = text.into();
        self.labels.push(text.clone());
        known.insert(text, label);
        label
    }

    pub fn label_text(&self, label: Label) -> &str {
        &self.labels[label.0 as usize]
    }

    /// The symbol with this origin, declared on first use. `classes` matters for references only.
    pub fn symbol(&mut self, origin: Origin, sort: Sort, classes: &ClassSet) -> Term {
        if let Some(&symbol) = self.by_origin.get(&origin) {
            return self.symbols[symbol.0 as usize].term;
        }
        let symbol = Symbol(self.symbols.len() as u32);
        let term = self.intern(Node::Symbol(symbol), sort);
        self.by_origin.insert(origin.clone(), symbol);
        let (unique, is_application) = (false, false);
        self.symbols.push(SymbolInfo { origin, sort, classes: classes.clone(), unique, is_application, term });
        term
    }

    /// A root symbol without classes: the usual need of tests and of numeric inputs.
    pub fn root(&mut self, name: &str, sort: Sort) -> Term {
        self.symbol(Origin::Root(name.into(), 0), sort, &Rc::from([(0, u32::MAX)]))
    }

    /// Declares that a new reference symbol is not null and equals no other. Nothing may have been said of it before.
    pub fn make_unique(&mut self, term: Term) {
        let symbol = self.as_symbol(term).expect("only a symbol can be unique");
        self.symbols[symbol.0 as usize].unique = true;
    }

    /// Declares that symbols may denote the object at a location, which has this class: wherever such a symbol is compared with the location, that is
    /// open. Nothing may have been compared with it before.
    pub fn make_constant(&mut self, location: u32, name: &str, class: u32) -> Symbol {
        let term = self.symbol(Origin::Constant(name.into()), Sort::Ref, &Rc::from([(class, class)]));
        let symbol = self.as_symbol(term).expect("just made");
        self.constants.insert(location, symbol);
        symbol
    }

    /// Whether a symbol is but the name of a constant object.
    pub fn is_constant_object(&self, symbol: Symbol) -> bool {
        matches!(self.symbol_info(symbol).origin, Origin::Constant(_))
    }

    pub fn is_unique(&self, term: Term) -> bool {
        self.as_symbol(term).is_some_and(|symbol| self.symbol_info(symbol).unique)
    }

    /// Declares that the initial value of a field is a function of its holder: of one object there is one. What names an
    /// object of its own is none.
    pub fn make_application(&mut self, term: Term) {
        let symbol = self.as_symbol(term).expect("only a symbol can be an application");
        let info = &mut self.symbols[symbol.0 as usize];
        debug_assert!(!info.unique && matches!(info.origin, Origin::Field { .. }));
        info.is_application = true;
        self.has_applications = true;
    }

    /// Whether any symbol is an application.
    #[inline]
    pub fn has_applications(&self) -> bool {
        self.has_applications
    }

    /// The holder and the function, if a symbol is an application.
    #[inline]
    pub fn application(&self, symbol: Symbol) -> Option<(Symbol, Label)> {
        match self.symbol_info(symbol) {
            SymbolInfo { origin: Origin::Field { holder, label }, is_application: true, .. } => Some((*holder, *label)),
            _ => None,
        }
    }

    #[inline]
    pub fn symbol_info(&self, symbol: Symbol) -> &SymbolInfo {
        &self.symbols[(symbol.0 & !Symbol::OTHER) as usize]
    }

    /// All symbols, in the order of declaration: a holder before its fields.
    pub fn symbols(&self) -> impl Iterator<Item = (Symbol, &SymbolInfo)> {
        self.symbols.iter().enumerate().map(|(i, info)| (Symbol(i as u32), info))
    }

    /// The symbol's access path, such as `Y0.root.left`.
    pub fn symbol_name(&self, symbol: Symbol) -> String {
        let mut parts = Vec::new();
        let mut current = symbol;
        loop {
            match &self.symbol_info(current).origin {
                Origin::Root(name, _) | Origin::Constant(name) => {
                    parts.push(name.as_ref());
                    break;
                }
                Origin::Field { holder, label } => {
                    parts.push(self.label_text(*label));
                    current = *holder;
                }
            }
        }
        parts.reverse();
        // The elements of an array are labelled with brackets.
        parts.join(".").replace(".[", "[")
    }
}
