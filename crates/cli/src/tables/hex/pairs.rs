//! Two calls, one after the other, on the same object: each pair is a method that is added to the subject, as a driver in its class would be.

use lazuli_program::Program;
use lazuli_program::assembler::Assembler;
use lazuli_program::ir::{Callee, Instr, Method, MethodId, Reg, Register, Selector};
use lazuli_program::verify::verify_body;

use super::Subject;

impl Subject {
    /// The targets of which the document has 274: all single methods and, if they are wanted, all ordered pairs of them, a method with itself
    /// included. A subject with one method has no pairs.
    pub fn targets(&self, with_pairs: bool) -> Vec<String> {
        let single = self.entries.iter().map(|entry| entry.to_string());
        let second = |entry: &&str| entry.rsplit('.').next().unwrap_or(entry).to_string();
        let pairs =
            self.entries.iter().flat_map(|a| self.entries.iter().map(move |b| format!("{a}{THEN}{}", second(b))));
        let pairs = pairs.filter(|_| with_pairs && self.entries.len() > 1);
        single.chain(pairs).collect()
    }
}

/// Between the methods of a pair: no method of a source has such a name.
const THEN: &str = " then ";

pub fn is_pair(target: &str) -> bool {
    target.contains(THEN)
}

/// Adds the method of a pair, if the target is one. What the first call gives is forgotten; where it throws, there is no second.
pub fn add(program: &mut Program, target: &str) -> Result<(), String> {
    let Some((first, second)) = target.split_once(THEN) else { return Ok(()) };
    let unknown = || format!("there is no such pair of calls as {target}");
    let (class_name, _) = first.split_once('.').ok_or_else(unknown)?;
    let calls = [program.entry(first), program.entry(&format!("{class_name}.{second}"))];
    let [Some(first), Some(second)] = calls else { return Err(unknown()) };
    let class = program.method(first).class.ok_or_else(unknown)?;
    let name = target[class_name.len() + 1..].to_string();
    let place = program.method(first).places[0];
    let mut out = Assembler::new(parameters(program, [first, second]));
    let (count, mut next, mut result) = (out.registers().len(), 1, Reg(0));
    for call in [first, second] {
        let method = program.method(call);
        let own = (next..next + method.parameters as u32 - 1).map(Reg);
        next += method.parameters as u32 - 1;
        result = out.fresh("", method.result);
        let callee = Callee::Virtual(class, selector(program, method));
        out.emit(place, Instr::Call { dst: result, callee, args: [Reg(0)].into_iter().chain(own).collect() });
    }
    out.emit(place, Instr::Return { value: Some(result) });
    let (result, body) = (program.method(second).result, out.finish());
    let method = Method {
        name: name.clone(),
        class: Some(class),
        parameters: count,
        result,
        registers: body.registers,
        code: body.code,
        places: body.marks,
        lines: Vec::new(),
        ops: Vec::new(),
        handlers: body.handlers,
    };
    verify_body(program, &method).map_err(|fault| format!("{target}: {fault}"))?;
    let id = MethodId(program.methods.len() as u32);
    program.methods.push(method);
    let selector = Selector(program.selectors.len() as u32);
    program.selectors.push((name, count - 1));
    program.classes[class.index()].methods.insert(selector, id);
    Ok(())
}

/// The receiver, and the parameters of both, whose names end in the number of the call.
fn parameters(program: &Program, calls: [MethodId; 2]) -> Vec<Register> {
    let mut all = vec![program.method(calls[0]).registers[0].clone()];
    for (number, call) in (1..).zip(calls) {
        let method = program.method(call);
        let own = method.registers[1..method.parameters].iter();
        all.extend(own.map(|register| Register { name: format!("{}{number}", register.name), ty: register.ty }));
    }
    all
}

fn selector(program: &Program, method: &Method) -> Selector {
    let wanted = |(name, count): &(String, usize)| *name == method.name && *count == method.parameters - 1;
    Selector(program.selectors.iter().position(wanted).expect("a method has a selector") as u32)
}
