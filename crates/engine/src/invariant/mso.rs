//! Monadic second-order logic over trees: the shape of a partial heap as a formula of WS2S, decided by `mona`. This is what the
//! document asks PALE, and it has the same limits: trees only, and nothing about numbers.
//!
//! The nodes of a tree are a finite, prefix-closed set of positions; every object of the partial heap is one of them. A reference that
//! was assumed says where; one that was not says nothing. Only a formula that is surely unsatisfiable rejects.

pub(crate) mod mona;

use std::fmt::Write;
use std::rc::Rc;

use lazuli_program::ir::FieldId;

use crate::executor::Executor;
use crate::heap::{Assumed, HeapModel};
use crate::outcome::{Bound, Stop};
use crate::state::State;
use crate::suspend::{Pruned, Step, Suspend};
use crate::technique::trees::Tree;

impl<M: HeapModel> Executor<'_, M> {
    pub(crate) fn admit_by_shape(&mut self, state: &State<M::Heap>) -> Step {
        let Some(invariants) = self.config.invariants.as_ref() else { return Ok(()) };
        let heap = self.model.assumed(&self.cx, &state.heap);
        for tree in &invariants.trees {
            let holders = heap.iter().filter(|r| r.field == tree.root);
            for formula in holders.map(|root| formula(tree, root, &heap)) {
                let satisfiable = match self.trials.decided.get(formula.as_str()).copied() {
                    Some(known) => known,
                    None if self.is_late() => return Err(Suspend::stop(Stop::Bound(Bound::Timeout))),
                    None => match mona::is_satisfiable(&formula) {
                        Ok(answer) => {
                            self.trials.decided.insert(Rc::from(formula), answer);
                            answer
                        }
                        // Ctrl-C on a terminal ends mona too.
                        Err(_) if self.is_late() => return Err(Suspend::stop(Stop::Bound(Bound::Timeout))),
                        Err(reason) => return Err(Suspend::stop(Stop::Invariant(reason))),
                    },
                };
                if !satisfiable {
                    return Err(Suspend::Prune(Pruned::Invariant));
                }
            }
        }
        Ok(())
    }
}

/// The nodes that the assumed references connect with a root, each with its number in the formula.
struct Nodes<'a> {
    tree: &'a Tree,
    heap: &'a [Assumed],
    objects: Vec<u32>,
}

impl Nodes<'_> {
    fn references(&self, fields: &[FieldId]) -> Vec<Assumed> {
        let of_node = |r: &&Assumed| fields.contains(&r.field) && self.objects.contains(&r.holder);
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
fn formula(tree: &Tree, root: &Assumed, heap: &[Assumed]) -> String {
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
