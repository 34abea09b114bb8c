//! One partial heap is completed to a valid one, with as few objects as possible.

use lazuli_engine::context::Assumptions;
use lazuli_engine::executor::Executor;
use lazuli_engine::heap::Enumerating;
use lazuli_engine::heap::lazy::{Heap, Lazy, When};
use lazuli_engine::state::State;
use lazuli_logic::Term;
use lazuli_program::ir::Type;

use super::{Accepted, Extent, Input, Order, Partial, Search};
use crate::evaluate::{Backbone, Evaluator};

/// How many objects are added, one try after the other.
const ROOM: [u32; 14] = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 64];
/// So many partial heaps are looked at in one try.
const STEPS: u64 = 4_000;

/// The state with its input completed, before the program wrote anything; `None` if there is no such input of a size that
/// was tried, or if methods would have to be executed for it.
pub(crate) fn completed(executor: &mut Executor<'_, Lazy>, state: &State<Heap>) -> Option<Box<State<Heap>>> {
    let backbone = state.assumed.0.as_deref().and_then(as_backbone)?;
    let heap = executor.model.partial_input(&state.heap)?;
    let listens = std::mem::replace(&mut executor.cx.listens, false);
    let (names, inputs) = inputs(executor, &heap);
    let first = Partial {
        heap,
        backbone: backbone.clone(),
        path: state.path.clone(),
        inputs: Vec::new(),
        put_off: Vec::new(),
        is_doubtful: false,
        decided: 0,
        lengths: Vec::new(),
        elements: Vec::new(),
        classes: Vec::new(),
        calls: Vec::new(),
    };
    let most_elements = executor.cx.library().map_or(0, |library| library.world.max_array);
    let found = ROOM.iter().find_map(|room| {
        let mut search = Search {
            cx: &mut executor.cx,
            model: Lazy::new(When::Load),
            solver: &mut executor.solver,
            truths: Vec::new(),
            names: names.clone(),
            inputs: inputs.clone(),
            extent: Extent {
                size: most_elements,
                keep: 0,
                accept: 1,
                steps: STEPS,
                order: Order::Declared,
                numbers: None,
            },
            elsewhere: None,
            accepted: Accepted::default(),
            most_objects: Some(first.backbone.len() + room),
            last: None,
            asks_nobody: false,
        };
        search.complete_all(first.clone());
        let (last, accepted) = (search.last.take(), search.accepted);
        // Without a bound that was met, more room changes nothing.
        let is_over = last.is_some() || accepted.cut.is_none() || accepted.empty;
        is_over.then(|| last.filter(|_| !accepted.companions))
    });
    executor.cx.listens = listens;
    let Partial { heap, path, calls, .. } = found??;
    // Keys that nobody has looked at are such that they belong where they are.
    let (heap, path) = match calls.is_empty() {
        true => (heap, path),
        false => {
            let asked = executor.fulfilled(heap, path, &calls)?;
            (asked.heap, asked.path)
        }
    };
    Some(Box::new(State { heap, path, ..state.clone() }))
}

fn as_backbone(assumptions: &dyn Assumptions) -> Option<&Backbone> {
    let any: &dyn std::any::Any = assumptions;
    any.downcast_ref()
}

/// The names of all inputs, and those that are references which nobody has looked at.
fn inputs(executor: &mut Executor<'_, Lazy>, heap: &Heap) -> (Vec<String>, Vec<Input>) {
    let program = executor.cx.program;
    let method = program.method(executor.entry);
    let (mut names, mut open) = (Vec::new(), Vec::new());
    for register in &method.registers[..method.parameters] {
        names.push(register.name.clone());
        let Type::Ref(class) = register.ty else { continue };
        let symbol: Term = executor.cx.root_symbol(&register.name, register.ty);
        if executor.model.is_open(&executor.cx, heap, symbol) {
            let origin = executor.cx.origins().root(program, &register.name, class);
            open.push(Input { symbol, origin, elsewhere: false });
        }
    }
    (names, open)
}
