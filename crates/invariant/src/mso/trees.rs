//! What the shapes are: a file of declarations in the manner of PALE's graph types, one line a tree.
//!
//! ```text
//! tree TreeMap.root of Entry by left, right up parent;
//! ```
//!
//! says that `TreeMap.root` is the root of a tree of `Entry` objects whose children are `left` and `right`, and that `parent`, if it is
//! named, leads from every node to the one above it and is null in the root. Comments begin with `//`.

use std::path::Path;

use lazuli_program::ir::{FieldId, Type};
use lazuli_program::{Program, files};

/// A tree with two kinds of children.
#[derive(Clone, Debug)]
pub struct Tree {
    pub root: FieldId,
    pub children: [FieldId; 2],
    pub up: Option<FieldId>,
}

/// Reads a file. Errors say where.
pub fn load(program: &Program, path: &Path) -> Result<Vec<Tree>, String> {
    let name = path.display();
    let bytes = files::read(path, files::MAX_TEXT).map_err(|e| format!("cannot read {name}: {e}"))?;
    let text = String::from_utf8(bytes).map_err(|_| format!("cannot read {name}: it is not text"))?;
    let trees = parse(program, &text).map_err(|(line, message)| format!("{message}\n  --> {name}:{line}"))?;
    match trees.is_empty() {
        true => Err(format!("{name} declares no tree")),
        false => Ok(trees),
    }
}

/// The line and what is wrong there.
type Fault = (usize, String);

fn parse(program: &Program, text: &str) -> Result<Vec<Tree>, Fault> {
    let mut trees = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split("//").next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        trees.push(declaration(program, line).map_err(|message| (number, message))?);
    }
    Ok(trees)
}

fn declaration(program: &Program, line: &str) -> Result<Tree, String> {
    const FORM: &str = "a declaration is written: tree CLASS.FIELD of CLASS by FIELD, FIELD [up FIELD];";
    let line = line.strip_suffix(';').ok_or(FORM)?.replace(',', " ");
    let words: Vec<&str> = line.split_whitespace().collect();
    let (root, class, children, up) = match words.as_slice() {
        ["tree", root, "of", class, "by", a, b] => (root, class, [a, b], None),
        ["tree", root, "of", class, "by", a, b, "up", up] => (root, class, [a, b], Some(up)),
        _ => return Err(FORM.into()),
    };
    // Classes of Java have dots in their names.
    let (holder, root) = root.rsplit_once('.').ok_or(FORM)?;
    let node = program.class_named(class).ok_or_else(|| format!("there is no class {class}"))?;
    let field = |class: &str, name: &str| {
        let id = program.class_named(class).ok_or_else(|| format!("there is no class {class}"))?;
        let field = program.field_named(id, name).ok_or_else(|| format!("{class} has no field {name}"))?;
        match program.field(field).ty == Type::Ref(node) {
            true => Ok(field),
            false => Err(format!("{class}.{name} is not of class {}", program.class(node).name)),
        }
    };
    if children[0] == children[1] {
        return Err(format!("{} is both children", children[0]));
    }
    Ok(Tree {
        root: field(holder, root)?,
        children: [field(class, children[0])?, field(class, children[1])?],
        up: up.map(|up| field(class, up)).transpose()?,
    })
}
