//! Methods of the machine under the program that the engine provides: properties, the standard streams' descriptors, the main thread, class
//! loaders, modules. What they give is made once, for all paths.

use std::rc::Rc;

use lazuli_logic::Term;
use lazuli_program::ir::{ClassId, Const, FieldId, Type};
use lazuli_program::library::{LENGTH, Library};

use super::files;
use super::modules;
use super::properties::{self, Beforehand, Value};
use super::resources;
use super::table::{self, Instead};
use crate::executor::{Executor, Native};
use crate::heap::{HeapModel, Memory};
use crate::scope::Taken;
use crate::state::State;
use crate::suspend::{Step, Suspend, unsupported};

type Heap<M> = <M as Memory>::Heap;

pub(crate) fn find<M: HeapModel>(key: &str) -> Option<Native<M>> {
    if let Some(class) = key.strip_suffix(".<clinit>()V") {
        return table::instead(class).map(|instead| -> Native<M> {
            match instead {
                Instead::Start => |e, s, _| e.start_machine(s),
                Instead::Nothing => |_, _, _| Ok(Term::NULL),
            }
        });
    }
    let native: Native<M> = match key {
        // Properties.
        "java/lang/System.getProperty(Ljava/lang/String;)Ljava/lang/String;"
        | "jdk/internal/misc/VM.getSavedProperty(Ljava/lang/String;)Ljava/lang/String;" => property,
        "java/lang/System.getProperty(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;" => property,
        "jdk/internal/misc/VM.getSavedProperties()Ljava/util/Map;" => |e, s, _| {
            e.boot(s)?;
            e.run_original(s)
        },
        "jdk/internal/util/SystemProps$Raw.vmProperties()[Ljava/lang/String;" => machine_properties,
        "jdk/internal/util/SystemProps$Raw.platformProperties()[Ljava/lang/String;" => platform_properties,
        "java/lang/System.getSecurityManager()Ljava/lang/SecurityManager;" => |_, _, _| Ok(Term::NULL),
        // Streams.
        "java/lang/System.setIn0(Ljava/io/InputStream;)V" => {
            |e, s, a| set_stream(e, s, "in", "Ljava/io/InputStream;", a[0])
        }
        "java/lang/System.setOut0(Ljava/io/PrintStream;)V" => {
            |e, s, a| set_stream(e, s, "out", "Ljava/io/PrintStream;", a[0])
        }
        "java/lang/System.setErr0(Ljava/io/PrintStream;)V" => {
            |e, s, a| set_stream(e, s, "err", "Ljava/io/PrintStream;", a[0])
        }
        "java/io/FileDescriptor.getHandle(I)J" => |e, _, _| Ok(e.cx.terms.bits(64, u64::MAX)),
        "java/io/FileDescriptor.getAppend(I)Z" => |e, _, _| Ok(e.cx.int(0)),
        // What is said to the operating system, and threads of the machine.
        "java/lang/Terminator.setup()V"
        | "jdk/internal/misc/VM.initializeOSEnvironment()V"
        | "jdk/internal/misc/VM.initLevel(I)V"
        | "jdk/internal/misc/VM.initialize()V"
        | "java/lang/ref/Reference.startReferenceHandlerThread(Ljava/lang/ThreadGroup;)V"
        | "java/lang/ref/Finalizer.startFinalizerThread(Ljava/lang/ThreadGroup;)V" => |_, _, _| Ok(Term::NULL),
        "jdk/internal/misc/VM.initLevel()I" => |e, s, _| {
            let level = if e.is_booting(s) { 0 } else { 4 };
            Ok(e.cx.int(level))
        },
        "jdk/internal/misc/VM.isBooted()Z" | "jdk/internal/misc/VM.isModuleSystemInited()Z" => |e, s, _| {
            let done = !e.is_booting(s);
            Ok(e.cx.int(done as i64))
        },
        "jdk/internal/access/SharedSecrets.getJavaLangAccess()Ljdk/internal/access/JavaLangAccess;" => {
            |e, _, _| e.secret("jdk/internal/access/JavaLangAccess", "java/lang/System")
        }
        "jdk/internal/access/SharedSecrets.getJavaLangRefAccess()Ljdk/internal/access/JavaLangRefAccess;" => {
            |e, _, _| e.secret("jdk/internal/access/JavaLangRefAccess", "java/lang/ref/Reference")
        }
        // The start of a virtual machine initialises the classes that set these.
        "jdk/internal/access/SharedSecrets.getJavaLangReflectAccess()Ljdk/internal/access/JavaLangReflectAccess;" => {
            |e, s, _| e.after_initialising(s, "java/lang/reflect/AccessibleObject")
        }
        "jdk/internal/access/SharedSecrets.getJavaLangModuleAccess()Ljdk/internal/access/JavaLangModuleAccess;" => {
            |e, s, _| e.after_initialising(s, "java/lang/Module")
        }
        // What differs from machine to machine.
        "java/lang/Runtime.maxMemory()J" | "java/lang/Runtime.totalMemory()J" | "java/lang/Runtime.freeMemory()J" => {
            |e, s, _| e.varying(s, "the memory of the machine", Type::Long)
        }
        "java/lang/Runtime.gc()V" => |_, _, _| Ok(Term::NULL),
        "java/lang/ProcessEnvironment.environ()[[B" => |_, _, _| unsupported("the environment of the process"),
        "java/security/AccessController.getProtectionDomain(Ljava/lang/Class;)Ljava/security/ProtectionDomain;"
        | "java/lang/Class.getProtectionDomain0()Ljava/security/ProtectionDomain;" => {
            |e, _, a| match e.mirrored(a[0]) {
                Some(class) if !e.is_program(class) => Ok(Term::NULL),
                _ => unsupported("where a class of the program was loaded from"),
            }
        }
        "java/security/AccessController.ensureMaterializedForStackWalk(Ljava/lang/Object;)V" => {
            |_, _, _| Ok(Term::NULL)
        }
        "java/lang/Thread$ThreadIdentifiers.next()J" => |e, s, _| e.varying(s, "the number of a thread", Type::Long),
        "java/lang/Thread.getNextThreadIdOffset()J" => |e, _, _| Ok(e.cx.terms.bits(64, 0)),
        "java/util/TimeZone.getSystemTimeZoneID(Ljava/lang/String;)Ljava/lang/String;" => {
            |e, _, _| Ok(e.literal_text("UTC"))
        }
        "jdk/internal/loader/BootLoader.setBootLoaderUnnamedModule0(Ljava/lang/Module;)V" => |_, _, _| Ok(Term::NULL),
        "java/util/TimeZone.setDefaultZone()Ljava/util/TimeZone;" => |e, s, _| {
            e.cx.take_for_granted(Taken::TimeZone);
            e.run_original(s)
        },
        // Its natives are provided, or stop by name; what the program would load is not there.
        "java/lang/System.loadLibrary(Ljava/lang/String;)V" => |e, s, _| {
            let caller = s.frames.len().checked_sub(2).and_then(|at| e.cx.program.method(s.frames[at].method).class);
            match caller.is_some_and(|class| e.is_program(class)) {
                true => unsupported("a library of native code"),
                false => Ok(Term::NULL),
            }
        },
        "java/util/zip/ZipUtils.loadLibrary()V"
        | "jdk/internal/loader/BootLoader.loadLibrary(Ljava/lang/String;)V"
        | "jdk/internal/loader/NativeLibraries.loadLibrary(Ljava/lang/String;)V" => |_, _, _| Ok(Term::NULL),
        // The thread.
        "java/lang/Thread.currentThread()Ljava/lang/Thread;"
        | "java/lang/Thread.currentCarrierThread()Ljava/lang/Thread;" => |e, _, _| e.main_thread(),
        "java/lang/Thread.isAlive()Z" => |e, _, a| {
            let main = e.main_thread()?;
            Ok(e.cx.int((a[0] == main) as i64))
        },
        "java/lang/Thread.setPriority0(I)V" | "java/lang/Thread.setNativeName(Ljava/lang/String;)V" => {
            |_, _, _| Ok(Term::NULL)
        }
        // Nobody restricts anything.
        "java/security/AccessController.getStackAccessControlContext()Ljava/security/AccessControlContext;"
        | "java/security/AccessController.getInheritedAccessControlContext()Ljava/security/AccessControlContext;" => {
            |_, _, _| Ok(Term::NULL)
        }
        // Nothing is collected, so that there is nothing for a thread to do that waits for it.
        "jdk/internal/ref/CleanerImpl.start(Ljava/lang/ref/Cleaner;Ljava/util/concurrent/ThreadFactory;)V" => {
            |e, s, a| {
                let classes = e.model.classes(&mut e.cx, &s.heap, a[2]);
                match classes.iter().any(|(class, _)| e.is_program(*class)) {
                    true => e.run_original(s),
                    false => Ok(Term::NULL),
                }
            }
        }
        // Class loaders and modules.
        "java/lang/Class.getClassLoader()Ljava/lang/ClassLoader;"
        | "java/lang/Class.getClassLoader0()Ljava/lang/ClassLoader;" => class_loader,
        "java/lang/ClassLoader.getSystemClassLoader()Ljava/lang/ClassLoader;"
        | "java/lang/ClassLoader.getBuiltinAppClassLoader()Ljava/lang/ClassLoader;" => {
            |e, _, _| e.loader(Loader::Program)
        }
        "java/lang/ClassLoader.getPlatformClassLoader()Ljava/lang/ClassLoader;"
        | "java/lang/ClassLoader.getBuiltinPlatformClassLoader()Ljava/lang/ClassLoader;" => {
            |e, _, _| e.loader(Loader::Platform)
        }
        "java/lang/Class.getModule()Ljava/lang/Module;" => module,
        "java/lang/Class.getPackage()Ljava/lang/Package;" => package,
        "java/lang/Class.forName(Ljava/lang/Module;Ljava/lang/String;)Ljava/lang/Class;" => class_in_module,
        "jdk/internal/access/SharedSecrets.ensureClassInitialized(Ljava/lang/Class;)V" => initialise,
        _ => return files::find(key).or_else(|| resources::find(key)).or_else(|| modules::find(key)),
    };
    Some(native)
}

/// The three class loaders that there are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Loader {
    Boot,
    Platform,
    Program,
}

/// Modules whose classes the boot loader defines, as far as programs meet them; those of others have the platform's loader.
const OF_BOOT_LOADER: [&str; 8] = [
    "java.base",
    "java.datatransfer",
    "java.desktop",
    "java.instrument",
    "java.logging",
    "java.management",
    "java.naming",
    "java.xml",
];

impl<M: HeapModel> Executor<'_, M> {
    /// Whether a class is one of the user's, not of the JDK.
    pub(crate) fn is_program(&self, class: ClassId) -> bool {
        let name = self.machine_library().internal_name(class);
        self.machine_library().path.user_classes().iter().any(|user| user == name)
    }

    fn machine_library(&self) -> &Library {
        self.cx.library().expect("only Java has a machine")
    }

    pub(super) fn literal_text(&mut self, text: &str) -> Term {
        let id = self.machine_library().text_id(text);
        self.literal(id)
    }

    /// A string that is not null, and whose text nobody is told.
    fn untold_property(&mut self, name: &str) -> Term {
        let string = self.shared_string(&[]);
        let location = string.as_location().expect("an object is a location");
        self.cx.shared.make_opaque(location, &format!("the text of the property {name}"));
        string
    }

    fn property_value(&mut self, name: &str, value: Value) -> Term {
        let home = self.machine_library().path.jdk().home.clone();
        match value {
            Value::Text(text) => self.literal_text(text),
            Value::Home(below) => self.literal_text(&format!("{}{below}", home.display())),
            Value::Release(key) => match release(&home, key) {
                Some(version) => self.literal_text(version.split('.').next().unwrap_or(&version)),
                None => self.untold_property(name),
            },
            Value::Untold => self.untold_property(name),
        }
    }

    /// An object of the machine of which there is one, made when it is first asked for.
    fn only_one(&mut self, name: &'static str, make: impl FnOnce(&mut Self) -> Step<Term>) -> Step<Term> {
        if let Some(object) = self.start.machine.get(name) {
            return Ok(*object);
        }
        let object = make(self)?;
        self.start.machine.insert(name, object);
        Ok(object)
    }

    /// A new object of the machine; of one that is opaque only the fields are known that are set.
    fn machine_object(&mut self, class: &str, opaque: Option<&str>, fields: &[(&str, Term)]) -> Step<Term> {
        let library = self.machine_library();
        let class = library.class_id(class);
        if library.java(class).missing.is_some() {
            return unsupported(format!("the class {} of this JDK", library.internal_name(class)));
        }
        let location = self.cx.enter_shared(class, None);
        if let Some(what) = opaque {
            self.cx.shared.make_opaque(location, what);
        }
        for (name, value) in fields {
            // JDKs differ in what they have.
            if let Some(field) = self.cx.program.field_named(class, name) {
                self.cx.preset_shared(location, field, *value);
            }
        }
        Ok(Term::location(location))
    }

    /// An array of objects that all paths share.
    pub(super) fn shared_array(&mut self, class: &str, elements: Vec<Term>) -> Term {
        let class = self.machine_library().class_id(class);
        let location = self.cx.enter_shared(class, None);
        let length = self.cx.int(elements.len() as i64);
        self.cx.preset_shared(location, LENGTH, length);
        self.cx.shared.set_elements(location, Rc::new(elements));
        Term::location(location)
    }

    /// The JDK's own way into a package: an object without fields, of the anonymous class that `of` has for it.
    fn secret(&mut self, access: &'static str, of: &str) -> Step<Term> {
        let library = self.cx.library().expect("only Java has a machine");
        let interface = library.class_id(access);
        let numbered = (1..10).map(|number| library.class_id(&format!("{of}${number}")));
        let found = numbered.into_iter().find(|class| library.is_subclass(*class, interface));
        let Some(class) = found else { return unsupported(format!("{access} of this JDK")) };
        self.only_one(access, |executor| Ok(Term::location(executor.cx.enter_shared(class, None))))
    }

    /// The method's own code is executed once a class has been initialised.
    fn after_initialising(&mut self, state: &mut State<M::Heap>, class: &str) -> Step<Term> {
        let class = self.machine_library().class_id(class);
        if state.vm.is_initialised(class) {
            return self.run_original(state);
        }
        self.init_class(state, class)?;
        Err(Suspend::Detour)
    }

    /// The thread that executes the program, as the machine makes it.
    pub(crate) fn main_thread(&mut self) -> Step<Term> {
        self.only_one("main thread", |e| {
            let (system, name) = (e.literal_text("system"), e.literal_text("main"));
            let (most, usual, running) = (e.cx.int(10), e.cx.int(5), e.cx.int(5));
            let top = e.machine_object("java/lang/ThreadGroup", None, &[("name", system), ("maxPriority", most)])?;
            let fields = [("name", name), ("maxPriority", most), ("parent", top)];
            let group = e.machine_object("java/lang/ThreadGroup", None, &fields)?;
            let lock = e.machine_object("java/lang/Object", None, &[])?;
            let one = e.cx.terms.bits(64, 1);
            let loader = e.loader(Loader::Program)?;
            let of_thread = e.machine_library().class_id("java/lang/Thread");
            let mut fields = vec![
                ("name", name),
                ("tid", one),
                ("eetop", one),
                ("contextClassLoader", loader),
                ("blockerLock", lock),
                ("interruptLock", lock),
                ("scopedValueBindings", e.mirror(of_thread)),
            ];
            let state = [("group", group), ("priority", usual), ("threadStatus", running)];
            // Newer JDKs have these in an object of their own.
            match e.cx.program.field_named(of_thread, "holder") {
                Some(_) => fields.push(("holder", e.machine_object("java/lang/Thread$FieldHolder", None, &state)?)),
                None => fields.extend(state),
            }
            e.machine_object("java/lang/Thread", None, &fields)
        })
    }

    fn loader(&mut self, loader: Loader) -> Step<Term> {
        match loader {
            Loader::Boot => Ok(Term::NULL),
            Loader::Platform => self.only_one("platform loader", |e| {
                let name = e.literal_text("platform");
                let fields = [("name", name), ("parent", Term::NULL)];
                let class = "jdk/internal/loader/ClassLoaders$PlatformClassLoader";
                e.machine_object(class, Some("what the platform's class loader knows"), &fields)
            }),
            Loader::Program => self.only_one("program loader", |e| {
                let (name, parent) = (e.literal_text("app"), e.loader(Loader::Platform)?);
                let fields = [("name", name), ("parent", parent)];
                let class = "jdk/internal/loader/ClassLoaders$AppClassLoader";
                e.machine_object(class, Some("what the program's class loader knows"), &fields)
            }),
        }
    }

    /// The loader of the program's classes.
    pub(super) fn program_loader(&mut self) -> Step<Term> {
        self.loader(Loader::Program)
    }

    /// The module of a class of the JDK; none for those of the program.
    fn module_name(&self, class: ClassId) -> Option<String> {
        let library = self.machine_library();
        let mut internal = library.internal_name(class);
        if let Some(element) = internal.strip_prefix('[') {
            internal = element.trim_start_matches('[').trim_start_matches('L');
        }
        let package = internal.rsplit_once('/').map(|(package, _)| package);
        match package {
            // Primitive types and their arrays.
            None if library.path.user_classes().iter().all(|user| user != internal.trim_end_matches(';')) => {
                Some("java.base".into())
            }
            _ if library.path.user_classes().iter().any(|user| user == internal.trim_end_matches(';')) => None,
            Some(package) => library.path.module(package).ok().flatten(),
            None => None,
        }
    }

    fn loader_of(&mut self, class: ClassId) -> Step<Term> {
        match self.module_name(class).as_deref() {
            None => self.loader(Loader::Program),
            Some(module) if OF_BOOT_LOADER.contains(&module) => self.loader(Loader::Boot),
            Some("jdk.compiler" | "jdk.jartool" | "jdk.javadoc" | "jdk.jdeps") => self.loader(Loader::Program),
            Some(_) => self.loader(Loader::Platform),
        }
    }
}

/// A line of the JDK's `release` file.
fn release(home: &std::path::Path, key: &str) -> Option<String> {
    let text = std::fs::read_to_string(home.join("release")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='))?;
    Some(line.trim().trim_matches('"').to_string())
}

/// A property by its name, the second argument where there is none. As long as the machine has not been started nobody has changed one, so that
/// most are known without starting it.
fn property<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    // What the JDK's own start asks for is no business of the program's.
    if !e.is_booting(state) {
        e.cx.take_for_granted(Taken::Properties);
    }
    let system = e.cx.known.as_ref().expect("only Java has a machine").system;
    if !state.vm.is_initialised(system) {
        let name = e.text_of(state, args[0])?.filter(|name| !name.is_empty());
        match name.as_deref().map(properties::beforehand) {
            Some(Beforehand::Value(value)) => return Ok(e.property_value(&name.expect("just looked up"), value)),
            Some(Beforehand::None) => return Ok(args.get(1).copied().unwrap_or(Term::NULL)),
            Some(Beforehand::Unknown) | None => e.boot(state)?,
        }
    }
    e.run_original(state)
}

fn machine_properties<M: HeapModel>(e: &mut Executor<M>, _: &mut State<Heap<M>>, _: &[Term]) -> Step<Term> {
    let mut elements = Vec::new();
    for (name, value) in properties::MACHINE {
        elements.extend([e.literal_text(name), e.property_value(name, value)]);
    }
    // The end is marked.
    elements.extend([Term::NULL, Term::NULL]);
    Ok(e.shared_array("[Ljava/lang/String;", elements))
}

/// The JDK's constants say where each value stands.
fn platform_properties<M: HeapModel>(e: &mut Executor<M>, _: &mut State<Heap<M>>, _: &[Term]) -> Step<Term> {
    let library = e.cx.library().expect("only Java has a machine");
    let raw = library.class_id("jdk/internal/util/SystemProps$Raw");
    let constant = |name: &str| {
        let is = |field: &FieldId| library.field(*field).name == name;
        let (_, constant) = library.java(raw).statics.iter().find(|(field, _)| is(field))?;
        match constant {
            Some(Const::Int(value)) => Some(*value as usize),
            _ => None,
        }
    };
    let Some(length) = constant("FIXED_LENGTH") else { return unsupported("the properties of this JDK") };
    let mut elements = vec![Term::NULL; length];
    for (place, name, value) in properties::PLATFORM {
        if let Some(at) = constant(place).filter(|_| value != Value::Text("")) {
            elements[at] = e.property_value(name, value);
        }
    }
    Ok(e.shared_array("[Ljava/lang/String;", elements))
}

fn set_stream<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    name: &'static str,
    descriptor: &str,
    stream: Term,
) -> Step<Term> {
    let system = e.cx.known.as_ref().expect("only Java has a machine").system;
    match e.machine_library().find_field(system, &name.into(), &descriptor.into()) {
        Some(field) => {
            // What the start of the machine sets are the standard streams themselves.
            match (e.is_booting(state), e.runs_for_all()) {
                (true, true) => _ = e.start.machine.insert(name, stream),
                (true, false) => _ = Rc::make_mut(&mut state.vm).streams.insert(name, stream),
                (false, _) => {}
            }
            e.put_static(state, field, stream).map(|()| Term::NULL)
        }
        None => unsupported(format!("System.{name} of this JDK")),
    }
}

/// The JDK initialises a class of its own.
fn initialise<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let Some(class) = e.mirrored(args[0]) else { return unsupported("initialising a class that is not known") };
    if state.vm.is_initialised(class) || e.cx.is_machine(class) {
        return Ok(Term::NULL);
    }
    e.init_class(state, class)?;
    Err(Suspend::Detour)
}

fn class_loader<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    Rc::make_mut(&mut state.vm).asked_loaders = true;
    let class = e.the_class(state, args[0], || "Class.getClassLoader of a class that is not known".into())?;
    e.loader_of(class)
}

fn module<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let class = e.the_class(state, args[0], || "Class.getModule of a class that is not known".into())?;
    let name = e.module_name(class);
    let key = name.clone().unwrap_or_default();
    if let Some(module) = e.start.modules.get(&key) {
        return Ok(*module);
    }
    let text = name.as_deref().map_or(Term::NULL, |name| e.literal_text(name));
    let loader = e.loader_of(class)?;
    let what =
        name.map_or("what the program's unnamed module knows".into(), |name| format!("what the module {name} knows"));
    let module = e.machine_object("java/lang/Module", Some(&what), &[("name", text), ("loader", loader)])?;
    e.start.modules.insert(key, module);
    Ok(module)
}

/// A class of a module by its name; it is not initialised.
fn class_in_module<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let module = e.start.modules.iter().find(|(_, module)| **module == args[0]).map(|(name, _)| name.clone());
    let (Some(module), Some(name)) = (module, e.text_of(state, args[1])?) else {
        return unsupported("Class.forName with a module or a name that is not known");
    };
    let class = e.machine_library().class_id(&name.replace('.', "/"));
    let is_there = e.machine_library().java(class).missing.is_none() && !name.contains('/');
    match is_there && e.module_name(class).unwrap_or_default() == module {
        true => Ok(e.mirror(class)),
        false => Ok(Term::NULL),
    }
}

fn package<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let class = e.the_class(state, args[0], || "Class.getPackage of a class that is not known".into())?;
    let internal = e.machine_library().internal_name(class).to_string();
    let is_plain = !internal.starts_with('[') && (internal.contains('/') || e.module_name(class).is_none());
    if !is_plain {
        return Ok(Term::NULL);
    }
    let name = internal.rsplit_once('/').map_or(String::new(), |(package, _)| package.replace('/', "."));
    let key = format!("package {name}");
    if let Some(package) = e.start.modules.get(&key) {
        return Ok(*package);
    }
    let (text, module) = (e.literal_text(&name), module(e, state, args)?);
    let what = format!("what the package {name} knows");
    let package = e.machine_object("java/lang/Package", Some(&what), &[("name", text), ("module", module)])?;
    e.start.modules.insert(key, package);
    Ok(package)
}
