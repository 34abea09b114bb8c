//! What every part of one worker's execution needs: the program, the terms, and how the one speaks about the other.

use std::rc::Rc;

use lazuli_logic::{ClassSet, Label, Origin, Sort, Symbol, Term, Terms};
use lazuli_program::ir::{ClassId, FieldId, Program, Type};

use crate::config::{Config, Ints};

pub struct Context<'p> {
    pub program: &'p Program,
    pub terms: Terms,
    /// For every field, its name in symbols.
    labels: Vec<Label>,
    /// For every class, its subclasses as class numbers.
    classes: Vec<ClassSet>,
    pub int_sort: Sort,
    pub k: Option<u32>,
    pub n: Option<u32>,
}

impl<'p> Context<'p> {
    pub fn new(program: &'p Program, config: &Config) -> Context<'p> {
        let mut terms = Terms::new();
        let labels = program
            .fields
            .iter()
            .map(|field| {
                // Two fields of one name and different types must not become one symbol.
                let ambiguous = program.fields.iter().any(|other| other.name == field.name && other.ty != field.ty);
                match ambiguous {
                    true => terms.label(&format!("{}${}", program.class(field.class).name, field.name)),
                    false => terms.label(&field.name),
                }
            })
            .collect();
        let exact = config.bounds.exact_types && config.heap.resolves_inputs();
        let classes = (0..)
            .zip(&program.classes)
            .map(|(id, class)| Rc::from([(id, if exact { id } else { class.last.0 })]))
            .collect();
        let int_sort = match config.ints {
            Ints::Unbounded => Sort::Int,
            Ints::Bits(width) => Sort::Bits(width),
        };
        Context { program, terms, labels, classes, int_sort, k: config.bounds.k, n: config.bounds.n }
    }

    pub fn sort(&self, ty: Type) -> Sort {
        match ty {
            Type::Bool => Sort::Bool,
            Type::Int => self.int_sort,
            Type::Ref(_) => Sort::Ref,
        }
    }

    /// The value a field has in a new object.
    pub fn default_value(&mut self, ty: Type) -> Term {
        match ty {
            Type::Bool => Term::FALSE,
            Type::Int => self.int(0),
            Type::Ref(_) => Term::NULL,
        }
    }

    pub fn int(&mut self, value: i64) -> Term {
        match self.int_sort {
            Sort::Bits(width) => self.terms.bits(width, value as u64),
            _ => self.terms.int(value),
        }
    }

    fn class_set(&self, ty: Type) -> ClassSet {
        match ty {
            Type::Ref(class) => self.classes[class.index()].clone(),
            _ => Rc::from([]),
        }
    }

    /// The symbol for an input of the program.
    pub fn root_symbol(&mut self, name: &str, ty: Type) -> Term {
        let (sort, classes) = (self.sort(ty), self.class_set(ty));
        self.terms.symbol(Origin::Root(name.into()), sort, &classes)
    }

    /// The symbol for the initial value of a field of the object that `holder` denotes.
    pub fn field_symbol(&mut self, holder: Symbol, field: FieldId) -> Term {
        let ty = self.program.field(field).ty;
        let (sort, classes) = (self.sort(ty), self.class_set(ty));
        self.terms.symbol(Origin::Field { holder, label: self.labels[field.index()] }, sort, &classes)
    }

    /// The field that a symbol's label means in objects of a class, if they have it.
    pub fn field_labelled(&self, class: ClassId, label: Label) -> Option<FieldId> {
        self.program.class(class).layout.iter().copied().find(|field| self.labels[field.index()] == label)
    }

    /// Likewise, where one field of one holder needs several names.
    pub fn numbered_field_symbol(&mut self, holder: Symbol, field: FieldId, number: u32) -> Term {
        if number == 0 {
            return self.field_symbol(holder, field);
        }
        let ty = self.program.field(field).ty;
        let (sort, classes) = (self.sort(ty), self.class_set(ty));
        let text = format!("{}'{number}", self.terms.label_text(self.labels[field.index()]));
        let label = self.terms.label(&text);
        self.terms.symbol(Origin::Field { holder, label }, sort, &classes)
    }

    /// The condition that the object a symbol denotes is of a class or its subclasses.
    pub fn is_class(&mut self, symbol: Term, class: ClassId) -> Term {
        let last = self.program.class(class).last;
        self.terms.class_in(symbol, class.0, last.0)
    }

    /// Likewise for a list of intervals of class numbers.
    pub fn in_classes(&mut self, symbol: Term, intervals: &[(u32, u32)]) -> Term {
        let parts: Vec<Term> = intervals.iter().map(|&(low, high)| self.terms.class_in(symbol, low, high)).collect();
        self.terms.any(parts)
    }

    /// The text of a term, with classes by name.
    pub fn show(&self, term: Term) -> String {
        self.terms.show_with(term, &|low, high| match self.program.classes.get(low as usize) {
            Some(class) if class.last.0 == high => class.name.clone(),
            _ => {
                let names: Vec<&str> =
                    self.program.classes[low as usize..=high as usize].iter().map(|c| c.name.as_str()).collect();
                names.join("|")
            }
        })
    }
}
