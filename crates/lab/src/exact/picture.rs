//! A concrete heap as a picture in text: inputs, then one line an object, with arrows to the objects by number.

use lazuli_program::Program;

use lazuli_engine::witness::{Concrete, Witness};

/// The picture's lines.
pub fn draw(program: &Program, heap: &Witness) -> Vec<String> {
    let roots: Vec<String> = heap.roots.iter().map(|(name, value)| arrow(name, *value)).collect();
    let mut lines = vec![roots.join("   ")];
    let boxes: Vec<String> = (1..)
        .zip(&heap.objects)
        .map(|(number, object)| format!("[{number}] {}", program.class(object.class).name))
        .collect();
    let width = boxes.iter().map(|text| text.chars().count()).max().unwrap_or(0);
    for (text, object) in boxes.iter().zip(&heap.objects) {
        let fields: Vec<String> = object.parts(program).iter().map(|(name, value)| arrow(name, *value)).collect();
        lines.push(format!("{text:width$}   {}", fields.join("   ")).trim_end().to_string());
    }
    lines
}

fn arrow(name: &str, value: Concrete) -> String {
    match value {
        Concrete::Bool(value) => format!("{name} = {value}"),
        Concrete::Int(value) => format!("{name} = {value}"),
        Concrete::Float(bits) => format!("{name} = {:?}", f32::from_bits(bits)),
        Concrete::Double(bits) => format!("{name} = {:?}", f64::from_bits(bits)),
        Concrete::Null => format!("{name} ──► null"),
        Concrete::Object(index) => format!("{name} ──► [{}]", index + 1),
    }
}
