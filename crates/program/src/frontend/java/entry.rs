//! Entry points: from what the user wrote (`Order.total`, `Order.total(int,String)`, nothing at all) to one method.
//!
//! Whatever the text leaves open must have exactly one answer; otherwise the error lists the possible ones.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::bytecode::classfile::{ClassFile, Method};
use crate::bytecode::classpath::ClassPath;
use crate::bytecode::descriptor::{self, readable_class, readable_method, readable_type};
use crate::frontend::hierarchy::{closest, suggest};
use crate::source::{Lacking, LoadError};

/// More candidates than this are not shown.
const SHOWN: usize = 20;

type Result<T> = std::result::Result<T, LoadError>;

/// A method to start with.
#[derive(Clone, Debug)]
pub struct EntryPoint {
    /// The class that was named; that of the receiver, if the method has one.
    pub receiver: Arc<ClassFile>,
    /// The class that declares the method: the same, or one that it inherits from.
    pub class: Arc<ClassFile>,
    /// Which of that class's methods.
    pub index: usize,
}

impl EntryPoint {
    pub fn method(&self) -> &Method {
        &self.class.methods[self.index]
    }

    /// `com.acme.Order.total(int)`.
    pub fn readable(&self) -> String {
        let method = self.method();
        readable_method(&self.receiver.name, &method.name, &method.descriptor)
    }
}

/// Finds the entry point that the text names, or without a text the only sensible one.
pub fn resolve(classes: &ClassPath, entry: Option<&str>) -> Result<EntryPoint> {
    match entry {
        Some(text) => named(classes, text.trim()),
        None => only_sensible(classes),
    }
}

/// An entry as written, in its parts.
pub(super) struct Request<'a> {
    pub text: &'a str,
    /// Empty, if only a method was named.
    pub class: &'a str,
    pub method: &'a str,
    /// With its parentheses, and what followed them.
    parameters: Option<&'a str>,
}

impl<'a> Request<'a> {
    pub fn parse(text: &'a str) -> Request<'a> {
        let (path, parameters) = match text.find('(') {
            Some(at) => (text[..at].trim_end(), Some(&text[at..])),
            None => (text, None),
        };
        let (class, method) = path.rsplit_once(['.', '#', ':']).unwrap_or(("", path));
        let method = if method == "new" { "<init>" } else { method };
        Request { text, class: class.trim_end_matches(':'), method, parameters }
    }
}

fn named(classes: &ClassPath, text: &str) -> Result<EntryPoint> {
    let request = Request::parse(text);
    let receivers = match request.class {
        "" => read_all(classes, classes.program_classes().iter())?,
        _ => receivers(classes, request.class)?,
    };
    let mut candidates = Vec::new();
    for receiver in &receivers {
        candidates.append(&mut methods(classes, receiver, request.method)?);
    }
    if candidates.is_empty() {
        return Err(no_such_method(classes, &request, &receivers)?);
    }
    let mut fitting: Vec<EntryPoint> = candidates.iter().filter(|c| fits(&request, c.method())).cloned().collect();
    if fitting.is_empty() {
        let message = format!("there is no {}; there is", request.text);
        return Err(LoadError::new(format!("{message}\n{}", list(&candidates))));
    }
    prefer(&mut fitting, |c| !c.method().access.is_synthetic());
    prefer(&mut fitting, |c| c.method().has_code());
    match &fitting[..] {
        [one] if one.method().has_code() => Ok(one.clone()),
        [one] if one.method().access.is_native() => {
            Err(LoadError::new(format!("{} is native: it has no code to execute", one.readable())))
        }
        [one] => Err(LoadError::new(format!("{} is abstract: it has no code to execute", one.readable()))
            .help("name a class that implements it")),
        several => Err(LoadError::new(format!("{} may be one of\n{}", request.text, list(several)))
            .help("name the class in full, and the types of the parameters, as listed")),
    }
}

/// Keeps only those with the property, if there are any.
fn prefer<T>(candidates: &mut Vec<T>, property: impl Fn(&T) -> bool) {
    if candidates.iter().any(&property) {
        candidates.retain(property);
    }
}

/// The candidates, one a line, with their descriptors.
fn list(candidates: &[EntryPoint]) -> String {
    let shown = candidates.iter().take(SHOWN);
    let mut lines: Vec<String> = shown.map(|c| format!("  {}  {}", c.readable(), c.method().descriptor)).collect();
    if candidates.len() > SHOWN {
        lines.push(format!("  and {} more", candidates.len() - SHOWN));
    }
    lines.join("\n")
}

pub(super) fn read_all<'a>(
    classes: &ClassPath,
    names: impl Iterator<Item = &'a String>,
) -> Result<Vec<Arc<ClassFile>>> {
    names.map(|name| classes.require(name)).collect()
}

/// The classes that a name may mean.
pub(super) fn receivers(classes: &ClassPath, name: &str) -> Result<Vec<Arc<ClassFile>>> {
    // In full: which of the dots separate packages, and which lead to inner classes, is tried from the left.
    let mut internal = name.replace('.', "/");
    loop {
        if let Some(class) = classes.find(&internal)? {
            return Ok(vec![class]);
        }
        match internal.rfind('/') {
            Some(at) => internal.replace_range(at..=at, "$"),
            None => break,
        }
    }
    let mut found: Vec<&String> = matching(name, classes.user_classes());
    let library;
    if found.is_empty() {
        library = classes.jdk_classes();
        found = matching(name, library.iter().filter(|class| is_public_api(class)));
    }
    if found.is_empty() {
        let mut message = format!("there is no class {name}");
        if !classes.user_classes().is_empty() {
            message.push_str(" in the program, nor in the JDK");
        }
        let known: Vec<String> = classes.user_classes().iter().map(|class| readable_class(class)).collect();
        let simple = known.iter().map(|class| class.rsplit('.').next().unwrap_or(class));
        let known = known.iter().map(String::as_str).chain(simple);
        let error = suggest(LoadError::new(message), name, known);
        return Err(match error.help {
            Some(_) => error,
            None => suggest_from_library(classes, error, name),
        });
    }
    read_all(classes, found.into_iter())
}

/// Suggests a class of the JDK that is called nearly so; or says where else classes may come from.
fn suggest_from_library(classes: &ClassPath, error: LoadError, name: &str) -> LoadError {
    let library: Vec<String> = classes.jdk_classes();
    let public: Vec<String> = library.iter().filter(|c| is_public_api(c)).map(|c| readable_class(c)).collect();
    let simple = |class: &str| class.rsplit('.').next().unwrap_or(class).to_string();
    let error = suggest(error, name, public.iter().map(String::as_str));
    if error.help.is_some() {
        return error;
    }
    let names: Vec<String> = public.iter().map(|class| simple(class)).collect();
    let near = closest(&simple(name), names.iter().map(String::as_str));
    match near.and_then(|near| names.iter().position(|name| name == near)) {
        Some(at) => error.help(format!("did you mean {}?", public[at])),
        None => error.help(Lacking::Classes),
    }
}

/// The classes whose name ends so; if it is the simple name of some, only those.
pub(super) fn matching<'a>(name: &str, known: impl IntoIterator<Item = &'a String>) -> Vec<&'a String> {
    let wanted = name.replace(['.', '$'], "/");
    let ends_so = |class: &&String| {
        let path = class.replace('$', "/");
        path.strip_suffix(wanted.as_str()).is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    let mut found: Vec<&String> = known.into_iter().filter(ends_so).collect();
    let simple = wanted.replace('/', "$");
    prefer(&mut found, |class| class.rsplit('/').next() == Some(&simple));
    found
}

fn is_public_api(class: &str) -> bool {
    class.starts_with("java/") || class.starts_with("javax/")
}

/// The parameters of a method, as they are written in its descriptor.
fn parameters(method: &Method) -> &str {
    method.descriptor.split(')').next().unwrap_or_default()
}

/// The methods of that name that a class has or inherits, each signature once.
pub(super) fn methods(classes: &ClassPath, receiver: &Arc<ClassFile>, name: &str) -> Result<Vec<EntryPoint>> {
    let mut found: Vec<EntryPoint> = Vec::new();
    let mut visited = FxHashSet::default();
    // Superclasses come before interfaces, as in the JVM's own lookup.
    let mut pending = vec![receiver.clone()];
    let mut interfaces = Vec::new();
    while let Some(class) = pending.pop().or_else(|| interfaces.pop()) {
        if !visited.insert(class.name.clone()) {
            continue;
        }
        let is_inherited = class.name != receiver.name;
        for (index, method) in class.methods.iter().enumerate().filter(|(_, m)| *m.name == *name) {
            let hidden = method.access.is_private() || class.access.is_interface() && method.access.is_static();
            // A static method hides those above with its parameters, whatever their results are.
            let hides = |f: &EntryPoint| f.class.name != class.name && parameters(f.method()) == parameters(method);
            let overridden = || found.iter().any(|f| f.method().descriptor == method.descriptor || hides(f));
            if !(is_inherited && (hidden || method.is_initialiser()) || overridden()) {
                found.push(EntryPoint { receiver: receiver.clone(), class: class.clone(), index });
            }
        }
        if let Some(superclass) = &class.superclass {
            pending.extend(classes.find(superclass)?);
        }
        for interface in class.interfaces.iter().rev() {
            interfaces.extend(classes.find(interface)?);
        }
    }
    Ok(found)
}

pub(super) fn no_such_method(
    classes: &ClassPath,
    request: &Request,
    receivers: &[Arc<ClassFile>],
) -> Result<LoadError> {
    let names = |class: &Arc<ClassFile>| class.methods.iter().map(|m| m.name.to_string()).collect::<Vec<_>>();
    let known: Vec<String> = receivers.iter().flat_map(names).collect();
    let own: Vec<EntryPoint> = receivers.iter().flat_map(candidates).collect();
    let place = match receivers {
        [class] => readable_class(&class.name),
        _ if request.class.is_empty() => "the program".into(),
        _ => request.class.to_string(),
    };
    let mut message = format!("there is no method {} in {place}", request.method);
    // A class alone may have been meant: then its methods are the candidates.
    if request.class.is_empty() && !matching(request.method, classes.user_classes()).is_empty() {
        message = format!("{} is a class: which of its methods?", request.text);
    }
    if !own.is_empty() {
        message = format!("{message}; there is\n{}", list(&own));
    }
    Ok(suggest(LoadError::new(message), request.method, known.iter().map(String::as_str)))
}

/// Does the method have the parameters that were asked for?
pub(super) fn fits(request: &Request, method: &Method) -> bool {
    let Some(wanted) = request.parameters else { return true };
    let wanted: String = wanted.chars().filter(|c| !c.is_whitespace()).collect();
    let descriptor = &*method.descriptor;
    if wanted == descriptor || wanted.ends_with(')') && descriptor.starts_with(&wanted) {
        return true;
    }
    let Some(types) = wanted.strip_prefix('(').and_then(|w| w.strip_suffix(')')) else { return false };
    let types = without_arguments(types);
    let types: Vec<&str> = types.split(',').filter(|t| !t.is_empty()).collect();
    let parameters = descriptor::method(descriptor).map_or_else(Vec::new, |m| m.parameters);
    types.len() == parameters.len() && types.iter().zip(parameters).all(|(t, p)| is_type(t, p))
}

/// A list of types without their type arguments: `Map<K,V>,int` is `Map,int`.
fn without_arguments(types: &str) -> String {
    let mut depth = 0usize;
    let mut kept = String::new();
    for c in types.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            c if depth == 0 => kept.push(c),
            _ => {}
        }
    }
    kept
}

/// Is this how someone may write the type of that descriptor?
fn is_type(written: &str, descriptor: &str) -> bool {
    let written = written.replace("...", "[]").replace(['$', '/'], ".");
    let full = readable_type(descriptor);
    full.strip_suffix(&written).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// The methods of a class that someone may want to start with.
fn candidates(class: &Arc<ClassFile>) -> Vec<EntryPoint> {
    let sensible = |m: &Method| m.has_code() && !m.access.is_synthetic() && &*m.name != "<clinit>";
    let entry = |index| EntryPoint { receiver: class.clone(), class: class.clone(), index };
    let all = class.methods.iter().enumerate().filter(|(_, m)| sensible(m));
    all.map(|(index, _)| entry(index)).collect()
}

pub(super) fn is_driver_interface(class: &str) -> bool {
    let whole = ["lazuli/Lazuli", "org/sosy_lab/sv_benchmarks/Verifier", "jbse/meta/Analysis"];
    whole.contains(&class) || class.starts_with("lazuli/Lazuli$")
}

/// A `main` method, else a public static one, else any: the first kind of which there is one, if there is only one.
fn only_sensible(classes: &ClassPath) -> Result<EntryPoint> {
    let names = classes.program_classes().iter().filter(|name| !is_driver_interface(name));
    let program = read_all(classes, names)?;
    if program.is_empty() {
        return Err(LoadError::new("which method of the JDK?").help(Lacking::Entry("java.util.TreeMap.put")));
    }
    let all: Vec<EntryPoint> = program.iter().filter(|c| !c.access.is_synthetic()).flat_map(candidates).collect();
    let is_main = |m: &Method| {
        let descriptor = matches!(&*m.descriptor, "([Ljava/lang/String;)V" | "()V");
        &*m.name == "main" && m.access.is_static() && descriptor
    };
    // Every enum has them.
    let is_generated = |c: &EntryPoint| c.class.access.is_enum() && matches!(&*c.method().name, "values" | "valueOf");
    let is_public_static = |m: &Method| m.access.is_public() && m.access.is_static();
    let kinds: [&dyn Fn(&EntryPoint) -> bool; 3] =
        [&|c| is_main(c.method()), &|c| is_public_static(c.method()) && !is_generated(c), &|c| {
            !c.method().is_initialiser() && !is_generated(c)
        }];
    for kind in kinds {
        let found: Vec<&EntryPoint> = all.iter().filter(|c| kind(c)).collect();
        match found[..] {
            [] => continue,
            [one] => return Ok(one.clone()),
            _ => break,
        }
    }
    if all.is_empty() {
        return Err(LoadError::new("there is no method with code in the program"));
    }
    Err(LoadError::new(format!("which method? There is\n{}", list(&all))).help(Lacking::Entry("Class.method")))
}
