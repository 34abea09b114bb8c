//! What the modules of the JDK show to each other and to the program, as they say themselves. The program is in no module, and everything in it is
//! open.

use lazuli_logic::Term;
use lazuli_program::bytecode::module_info::ModuleInfo;

use crate::executor::{Executor, Native};
use crate::heap::{HeapModel, Memory};
use crate::state::State;
use crate::suspend::Step;

type Heap<M> = <M as Memory>::Heap;

pub(super) fn find<M: HeapModel>(key: &str) -> Option<Native<M>> {
    let native: Native<M> = match key {
        "java/lang/Module.implIsExportedOrOpen(Ljava/lang/String;Ljava/lang/Module;Z)Z" => is_shown,
        _ => return None,
    };
    Some(native)
}

fn is_shown<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    let &[module, package, other, open] = args else { unreachable!("it has a receiver and three parameters") };
    let open = e.cx.terms.as_bits(open).map(|(_, open)| open != 0);
    let (Some(name), Some(to), Some(open)) = (name_of(e, module), name_of(e, other), open) else {
        return e.run_original(state);
    };
    // Nothing of what is in no module is hidden, and a module hides nothing from itself.
    if name.is_empty() || module == other {
        return Ok(e.cx.int(1));
    }
    let Some(package) = e.text_of(state, package)? else { return e.run_original(state) };
    let library = e.cx.library().expect("only Java has modules");
    let info = library.path.jdk().image.resource(&name, "module-info.class").ok().flatten();
    match info.and_then(ModuleInfo::read) {
        Some(info) => {
            let to = (!to.is_empty()).then_some(to);
            Ok(e.cx.int(info.shows(&package.replace('.', "/"), to.as_deref(), open) as i64))
        }
        None => e.run_original(state),
    }
}

/// The name of a module that the machine has made; that without a name has none.
fn name_of<M: HeapModel>(e: &Executor<M>, module: Term) -> Option<String> {
    e.start.modules.iter().find(|(_, known)| **known == module).map(|(name, _)| name.clone())
}
