//! The services of the JDK: which of its modules provides which implementations, as their `module-info` says.

use super::jimage::Image;
use super::module_info::ModuleInfo;

/// The classes of the JDK that provide a service, by internal names.
pub fn providers(image: &Image, service: &str) -> Vec<String> {
    // A module that cannot be read provides nothing.
    let modules = image.module_infos().into_iter().filter_map(ModuleInfo::read);
    let provided = modules.flat_map(|module| module.provides).filter(|(provided, _)| provided == service);
    let mut found: Vec<String> = provided.flat_map(|(_, classes)| classes).collect();
    found.sort();
    found
}
