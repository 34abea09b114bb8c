//! Monadic second-order logic over trees: the shape of a partial heap as a formula of WS2S, decided by `mona`. This is what the
//! document asks PALE, and it has the same limits: trees only, and nothing about numbers.
//!
//! The nodes of a tree are a finite, prefix-closed set of positions; every object of the partial heap is one of them. A reference that
//! was assumed says where; one that was not says nothing. Only a formula that is surely unsatisfiable rejects.

pub(crate) mod mona;
pub(crate) mod trees;

use std::fmt::Write;
use std::rc::Rc;

use lazuli_engine::heap::Resolved;
use lazuli_engine::invariant::Path;
use lazuli_engine::outcome::{Bound, Stop};
use lazuli_engine::suspend::{Pruned, Step, Suspend};
use lazuli_program::ir::FieldId;
use rustc_hash::FxHashMap;

use trees::Tree;

/// What `mona` said of formulas.
type Decided = FxHashMap<Rc<str>, bool>;

pub(crate) fn admit(path: &mut dyn Path, trees: &[Tree]) -> Step {
    let heap = path.resolved();
    for tree in trees {
        let holders = heap.iter().filter(|r| r.field == tree.root);
        for formula in holders.map(|root| formula(tree, root, &heap)) {
            if !is_satisfiable(path, formula)? {
                return Err(Suspend::Prune(Pruned::Invariant));
            }
        }
    }
    Ok(())
}

fn is_satisfiable(path: &mut dyn Path, formula: String) -> Step<bool> {
    if let Some(known) = decided(path).get(formula.as_str()) {
        return Ok(*known);
    }
    let late = || Err(Suspend::stop(Stop::Bound(Bound::Timeout)));
    if path.is_late() {
        return late();
    }
    match mona::is_satisfiable(&formula) {
        Ok(answer) => {
            decided(path).insert(Rc::from(formula), answer);
            Ok(answer)
        }
        // Ctrl-C on a terminal ends mona too.
        Err(_) if path.is_late() => late(),
        Err(reason) => Err(Suspend::stop(Stop::Invariant(reason))),
    }
}

fn decided(path: &mut dyn Path) -> &mut Decided {
    let kept = path.kept().get_or_insert_with(|| Box::new(Decided::default()));
    kept.downcast_mut().expect("nobody else keeps anything")
}

/// The nodes that the assumed references connect with a root, each with its number in the formula.
struct Nodes<'a> {
    tree: &'a Tree,
    heap: &'a [Resolved],
    objects: Vec<u32>,
}

impl Nodes<'_> {
    fn references(&self, fields: &[FieldId]) -> Vec<Resolved> {
        let of_node = |r: &&Resolved| fields.contains(&r.field) && self.objects.contains(&r.holder);
        self.heap.iter().filter(of_node).copied().collect()
    }

    fn number(&self, object: u32) -> usize {
        self.objects.iter().position(|o| *o == object).expect("the nodes are closed under references")
    }

    fn close(&mut self) {
        let fields: Vec<FieldId> = self.tree.children.into_iter().chain(self.tree.up).collect();
        loop {
            let reached = self.references(&fields).into_iter().filter_map(|r| r.target);
            let Some(new) = reached.into_iter().find(|o| !self.objects.contains(o)) else { return };
            self.objects.push(new);
        }
    }
}

/// The shape of one tree: satisfiable if some tree has it.
fn formula(tree: &Tree, root: &Resolved, heap: &[Resolved]) -> String {
    let mut nodes = Nodes { tree, heap, objects: root.target.into_iter().collect() };
    nodes.close();
    let mut text = String::from("ws2s;\nvar2 Nodes;\nall1 p: (p.0 in Nodes | p.1 in Nodes) => p in Nodes;\n");
    let mut clause = |text_of: std::fmt::Arguments| writeln!(text, "{text_of};").expect("writing to a string");
    match root.target {
        None => clause(format_args!("root notin Nodes")),
        Some(_) => {
            let names: Vec<String> = (0..nodes.objects.len()).map(|i| format!("p{i}")).collect();
            clause(format_args!("var1 {}", names.join(", ")));
            clause(format_args!("p0 = root"));
        }
    }
    for i in 0..nodes.objects.len() {
        clause(format_args!("p{i} in Nodes"));
        for j in 0..i {
            clause(format_args!("p{i} ~= p{j}"));
        }
    }
    for (side, field) in tree.children.into_iter().enumerate() {
        for reference in nodes.references(&[field]) {
            let holder = nodes.number(reference.holder);
            match reference.target {
                None => clause(format_args!("p{holder}.{side} notin Nodes")),
                Some(target) => clause(format_args!("p{} = p{holder}.{side}", nodes.number(target))),
            }
        }
    }
    for reference in nodes.references(tree.up.as_slice()) {
        let child = nodes.number(reference.holder);
        match reference.target.map(|target| nodes.number(target)) {
            None => clause(format_args!("p{child} = root")),
            Some(parent) => clause(format_args!("p{child} = p{parent}.0 | p{child} = p{parent}.1")),
        }
    }
    text
}
