//! The invariants of the examples once more, as plain code over concrete heaps: what the HEX files must say.

use lazuli_engine::witness::{Concrete, Witness};
use lazuli_program::Program;

pub fn is_valid(name: &str, program: &Program, heap: &Witness) -> bool {
    let view = View { program, heap };
    let root = view.heap.roots.iter().find(|(_, value)| matches!(value, Concrete::Object(o) if view.is_structure(*o)));
    let Some((_, Concrete::Object(root))) = root else { return true };
    match name {
        "circular" => view.is_circular(*root),
        "dll" => view.is_list(*root),
        "ends" => view.is_circular(*root) || view.is_chain(*root),
        "tree" => view.is_tree(*root, false),
        "full" => view.is_tree(*root, false) && view.is_full(view.object(*root, "root")),
        "parents" => view.is_tree(*root, true),
        "treemap" => view.is_red_black(*root),
        other => panic!("there is no example {other}"),
    }
}

struct View<'a> {
    program: &'a Program,
    heap: &'a Witness,
}

impl View<'_> {
    fn is_structure(&self, object: usize) -> bool {
        let class = self.program.class(self.heap.objects[object].class).name.as_str();
        ["List", "LinkedList", "Tree", "TreeMap"].contains(&class)
    }

    fn field(&self, object: usize, name: &str) -> Concrete {
        let fields = &self.heap.objects[object].fields;
        let found = fields.iter().find(|(field, _)| self.program.field(*field).name == name);
        found.map_or_else(
            || {
                let class = self.heap.objects[object].class;
                let field = self.program.field_named(class, name).expect("the class has the field");
                Concrete::default_of(self.program.field(field).ty)
            },
            |(_, value)| *value,
        )
    }

    fn object(&self, object: usize, name: &str) -> Option<usize> {
        match self.field(object, name) {
            Concrete::Object(other) => Some(other),
            _ => None,
        }
    }

    fn int(&self, object: usize, name: &str) -> i128 {
        match self.field(object, name) {
            Concrete::Int(value) => value,
            other => panic!("{name} is {other:?}"),
        }
    }

    fn is_circular(&self, first: usize) -> bool {
        let mut node = first;
        for _ in 0..=self.heap.objects.len() {
            match self.object(node, "next") {
                None => return false,
                Some(next) if next == first => return true,
                Some(next) => node = next,
            }
        }
        false
    }

    fn is_chain(&self, first: usize) -> bool {
        let mut met = vec![first];
        while let Some(next) = self.object(met[met.len() - 1], "next") {
            if met.contains(&next) {
                return false;
            }
            met.push(next);
        }
        true
    }

    /// Whether every node of a tree has two children or none.
    fn is_full(&self, node: Option<usize>) -> bool {
        let Some(node) = node else { return true };
        let (left, right) = (self.object(node, "left"), self.object(node, "right"));
        left.is_some() == right.is_some() && self.is_full(left) && self.is_full(right)
    }

    fn is_list(&self, list: usize) -> bool {
        let Some(header) = self.object(list, "header") else { return false };
        if self.object(header, "element").is_some() {
            return false;
        }
        let (mut entry, mut entries) = (header, 0);
        loop {
            let Some(next) = self.object(entry, "next") else { return false };
            if self.object(next, "previous") != Some(entry) {
                return false;
            }
            if next == header {
                return self.int(list, "size") == entries;
            }
            entries += 1;
            entry = next;
        }
    }

    /// The nodes in order, if no node is met twice.
    fn nodes(&self, node: Option<usize>, parent: Option<Option<usize>>, met: &mut Vec<usize>) -> bool {
        let Some(node) = node else { return true };
        if met.contains(&node) || parent.is_some_and(|parent| self.object(node, "parent") != parent) {
            return false;
        }
        met.push(node);
        ["left", "right"].iter().all(|side| self.nodes(self.object(node, side), parent.map(|_| Some(node)), met))
    }

    fn is_tree(&self, tree: usize, parents: bool) -> bool {
        self.nodes(self.object(tree, "root"), parents.then_some(None), &mut Vec::new())
    }

    fn is_red_black(&self, map: usize) -> bool {
        let mut met = Vec::new();
        let root = self.object(map, "root");
        let black = |node: usize| self.field(node, "color") == Concrete::Bool(true);
        self.nodes(root, Some(None), &mut met)
            && self.int(map, "size") == met.len() as i128
            && root.is_none_or(black)
            && self.black_height(root).is_some()
            && self.is_sorted(root, i128::MIN, i128::MAX)
    }

    /// The number of black entries on every way down, if there is no red one below a red one.
    fn black_height(&self, node: Option<usize>) -> Option<u32> {
        let Some(node) = node else { return Some(0) };
        let is_black = |node: usize| self.field(node, "color") == Concrete::Bool(true);
        let (left, right) = (self.object(node, "left"), self.object(node, "right"));
        let black = is_black(node);
        if !black && [left, right].into_iter().flatten().any(|child| !is_black(child)) {
            return None;
        }
        let (l, r) = (self.black_height(left)?, self.black_height(right)?);
        (l == r).then_some(l + black as u32)
    }

    fn is_sorted(&self, node: Option<usize>, low: i128, high: i128) -> bool {
        let Some(node) = node else { return true };
        let key = self.int(node, "key");
        low < key
            && key < high
            && self.is_sorted(self.object(node, "left"), low, key)
            && self.is_sorted(self.object(node, "right"), key, high)
    }
}
