//! The run as the documents' machine shows it: control, environment, continuation and heap, one configuration a step.

use std::fmt::Write;

use lazuli_logic::Term;

use crate::executor::Executor;
use crate::heap::HeapModel;
use crate::state::State;
use crate::state::show_decisions;

/// Configurations beyond this many are not written.
const MAX_STEPS: usize = 10_000;

impl<M: HeapModel> Executor<'_, M> {
    /// Writes the configuration before the next step of a state.
    pub(crate) fn trace_step(&mut self, state: &State<M::Heap>) {
        let Some(mut trace) = self.steps_trace.take() else { return };
        trace.steps += 1;
        match trace.steps.cmp(&(MAX_STEPS + 1)) {
            std::cmp::Ordering::Less => {
                self.write_configuration(state, &mut trace.text).expect("writing to a string");
            }
            std::cmp::Ordering::Equal => trace.text.push_str("… (further steps are not shown)\n"),
            std::cmp::Ordering::Greater => {}
        }
        self.steps_trace = Some(trace);
    }

    fn write_configuration(&mut self, state: &State<M::Heap>, out: &mut String) -> std::fmt::Result {
        let program = self.cx.program;
        let frame = *state.frames.last().expect("a running state has a frame");
        let method = program.method(frame.method);
        // Class files know lines only.
        let (_, line, column) = program.place(frame.method, frame.pc as usize);
        let place = column.map_or_else(|| line.to_string(), |column| format!("{line}:{column}"));
        writeln!(out, "path {}, step {}", show_decisions(&state.decisions.to_vec()), state.steps + 1)?;
        let instr = lazuli_program::text::show_instr(program, method, &method.code[frame.pc as usize]);
        writeln!(out, "  control       {place}  {instr}")?;
        let mut bindings = Vec::new();
        for (i, register) in method.registers.iter().enumerate().filter(|(_, r)| !r.name.is_empty()) {
            let value = state.registers[frame.base as usize + i];
            bindings.push(format!("{} -> {}", register.name, self.model.show(&mut self.cx, &state.heap, value)));
        }
        writeln!(out, "  environment   {}", bindings.join(", "))?;
        let callers: Vec<String> = state.frames[..state.frames.len() - 1]
            .iter()
            .rev()
            .map(|caller| {
                let (_, line, _) = program.place(caller.method, caller.pc as usize);
                format!("{}:{line}", program.method_name(caller.method))
            })
            .collect();
        writeln!(out, "  continuation  {}", if callers.is_empty() { "end".into() } else { callers.join(", ") })?;
        let clause = |c: &Term| match self.cx.show(*c) {
            text if text.contains(" || ") => format!("({text})"),
            text => text,
        };
        let clauses: Vec<String> = state.path.clauses().iter().map(clause).collect();
        writeln!(out, "  path          {}", if clauses.is_empty() { "true".into() } else { clauses.join(" && ") })?;
        for (i, line) in self.model.draw(&mut self.cx, &state.heap).iter().enumerate() {
            writeln!(out, "  {:12}  {line}", if i == 0 { "heap" } else { "" })?;
        }
        Ok(())
    }
}
