//! What the public prototype forgives. It checks nothing before it gets there, so that its examples have variables and classes
//! that do not exist, results of another type than is declared, and calls that no method fits. In files with its ending
//! these are warnings; a path that comes to such a place is stuck.

use super::ParsedClass;
use crate::frontend::hierarchy::{ROOT, TypeName, unknown_class};
use crate::source::{LoadError, Place, Source};

/// What a path throws that comes to something wrong: the prototype's word for a state that has no successor.
pub const STUCK: &str = "StuckException";

/// Whether a place is in a file of the prototype, by its ending.
pub fn forgives(sources: &[Source], place: Place) -> bool {
    sources[place.source as usize].path.extension().is_some_and(|ending| ending == "txt")
}

/// Methods whose result is of a class that does not exist return objects.
pub fn mend_results(
    sources: &[Source],
    classes: &mut [ParsedClass],
    is_primitive: impl Fn(&str) -> bool,
) -> Vec<LoadError> {
    let names: Vec<String> = classes.iter().map(|class| class.declaration.name.clone()).collect();
    let is_known = |ty: &TypeName| is_primitive(&ty.name) || ty.name == ROOT || names.contains(&ty.name);
    let mut warnings = Vec::new();
    for method in classes.iter_mut().flat_map(|class| &mut class.declaration.methods) {
        let result = &mut method.result;
        if forgives(sources, result.place) && !is_known(result) {
            let error = unknown_class(sources, result.place, &result.name, std::iter::empty());
            warnings.push(error.help(format!("the result of {} is taken to be of class {ROOT}", method.name)));
            result.name = ROOT.into();
        }
    }
    warnings
}
