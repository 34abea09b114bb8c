//! Walking terms: their children, all nodes below them, their symbols. Loops, so that no term is too deep.

use crate::term::{Node, Symbol, Term, Terms};

impl Terms {
    /// Calls `visit` for every child of a node.
    pub fn children(&self, term: Term, mut visit: impl FnMut(Term)) {
        let Some(node) = self.node(term) else { return };
        match node {
            Node::Int(_) | Node::Bits { .. } | Node::FloatConstant { .. } | Node::Symbol(_) => {}
            Node::Not(a)
            | Node::Extend { term: a, .. }
            | Node::Extract { term: a, .. }
            | Node::FloatFn(_, a)
            | Node::Convert(_, _, a)
            | Node::Class { reference: a, .. } => visit(*a),
            Node::And(list) | Node::Or(list) => list.iter().for_each(|t| visit(*t)),
            Node::Ite(a, b, c) => [*a, *b, *c].into_iter().for_each(visit),
            Node::Eq(a, b) | Node::Lt(a, b) | Node::WideAdd(a, _, b) | Node::Bit(_, a, b) | Node::Float(_, a, b) => {
                visit(*a);
                visit(*b);
            }
            Node::Sum(list, _) => list.iter().for_each(|(t, _)| visit(*t)),
        }
    }

    /// The parts of a conjunction: none of `true`, the term itself if it is no conjunction.
    pub fn conjuncts<'a>(&'a self, term: &'a Term) -> &'a [Term] {
        match self.node(*term) {
            Some(Node::And(list)) => list,
            _ if *term == Term::TRUE => &[],
            _ => std::slice::from_ref(term),
        }
    }

    /// Every pooled term below `roots`, each once, children before parents.
    pub fn postorder(&self, roots: &[Term]) -> Vec<Term> {
        let mut seen = self.seen.borrow_mut();
        let mut stack: Vec<Term> = Vec::with_capacity(32);
        let mut all = Vec::with_capacity(64);
        seen.start(self.len());
        for &root in roots {
            stack.extend(root.index().filter(|i| seen.enter(*i)).map(|_| root));
            while let Some(term) = stack.pop() {
                all.push(term);
                self.children(term, |child| {
                    if child.index().is_some_and(|i| seen.enter(i)) {
                        stack.push(child);
                    }
                });
            }
        }
        all.sort_unstable();
        all
    }

    /// One of the free symbols of a term, if it has any.
    pub(crate) fn some_symbol_of(&self, term: Term) -> Option<Symbol> {
        // Below almost every node there is one, whichever way is taken.
        let mut below = Some(term);
        while let Some(at) = below {
            if let Some(symbol) = self.as_symbol(at) {
                return Some(symbol);
            }
            below = self.first_node_below(at);
        }
        let mut seen = self.seen.borrow_mut();
        let mut stack: Vec<Term> = vec![term];
        seen.start(self.len());
        while let Some(term) = stack.pop() {
            if let Some(symbol) = self.as_symbol(term) {
                return Some(symbol);
            }
            self.children(term, |child| {
                if child.index().is_some_and(|index| seen.enter(index)) {
                    stack.push(child);
                }
            });
        }
        None
    }

    /// The first child of a node that is no constant in its word.
    fn first_node_below(&self, term: Term) -> Option<Term> {
        let is_node = |term: &&Term| term.index().is_some();
        match self.node(term)? {
            Node::Int(_) | Node::Bits { .. } | Node::FloatConstant { .. } | Node::Symbol(_) => None,
            Node::Not(a)
            | Node::Extend { term: a, .. }
            | Node::Extract { term: a, .. }
            | Node::FloatFn(_, a)
            | Node::Convert(_, _, a)
            | Node::Class { reference: a, .. } => Some(a).filter(is_node).copied(),
            Node::And(list) | Node::Or(list) => list.iter().find(is_node).copied(),
            Node::Ite(a, b, c) => [a, b, c].into_iter().find(is_node).copied(),
            Node::Eq(a, b) | Node::Lt(a, b) | Node::WideAdd(a, _, b) | Node::Bit(_, a, b) | Node::Float(_, a, b) => {
                [a, b].into_iter().find(is_node).copied()
            }
            Node::Sum(list, _) => list.iter().map(|(part, _)| part).find(is_node).copied(),
        }
    }

    /// The free symbols of a term, sorted.
    pub fn symbols_of(&self, term: Term) -> Vec<Symbol> {
        let mut symbols = Vec::with_capacity(16);
        let mut seen = self.seen.borrow_mut();
        let mut stack: Vec<Term> = Vec::with_capacity(32);
        seen.start(self.len());
        stack.push(term);
        while let Some(term) = stack.pop() {
            self.children(term, |child| match child.index() {
                Some(index) if seen.enter(index) => match self.node(child) {
                    Some(Node::Symbol(symbol)) => symbols.push(*symbol),
                    _ => stack.push(child),
                },
                _ => {}
            });
        }
        symbols.extend(self.as_symbol(term));
        symbols.sort_unstable();
        symbols
    }

    /// The symbols that the meaning of a term depends on, sorted: those that it mentions, and of applications the holders.
    pub fn involved(&self, term: Term) -> Vec<Symbol> {
        let mut symbols = self.symbols_of(term);
        if !self.has_applications() || crate::planted::forgets_holders() {
            return symbols;
        }
        let mut seen = self.seen.borrow_mut();
        seen.start(self.len());
        let mut enter = |symbol: Symbol| seen.enter(self.symbol_info(symbol).term.index().expect("a symbol is pooled"));
        for symbol in &symbols {
            enter(*symbol);
        }
        let mut next = 0;
        while let Some(&symbol) = symbols.get(next) {
            symbols.extend(self.application(symbol).map(|(holder, _)| holder).filter(|holder| enter(*holder)));
            next += 1;
        }
        symbols.sort_unstable();
        symbols
    }
}
