//! Class files made by hand, for what no compiler writes.

/// A class `C` with a static method `m()V` of that body.
pub fn class_with_body(major: u16, max_locals: u16, body: &[u8]) -> Vec<u8> {
    class_with_handlers(major, max_locals, body, &[])
}

/// The same with handlers: start, end, handler, each for any exception.
pub fn class_with_handlers(major: u16, max_locals: u16, body: &[u8], handlers: &[[u16; 3]]) -> Vec<u8> {
    let mut code = Vec::new();
    code.extend(8u16.to_be_bytes());
    code.extend(max_locals.to_be_bytes());
    code.extend((body.len() as u32).to_be_bytes());
    code.extend(body);
    code.extend((handlers.len() as u16).to_be_bytes());
    for handler in handlers {
        code.extend(handler.iter().flat_map(|n| n.to_be_bytes()));
        code.extend(0u16.to_be_bytes());
    }
    code.extend(0u16.to_be_bytes());

    let mut class = Vec::new();
    class.extend(0xCAFE_BABEu32.to_be_bytes());
    class.extend(0u16.to_be_bytes());
    class.extend(major.to_be_bytes());
    // The constants, with their numbers from 1.
    class.extend(9u16.to_be_bytes());
    text(&mut class, "C");
    class.extend([7, 0, 1]);
    text(&mut class, "java/lang/Object");
    class.extend([7, 0, 3]);
    text(&mut class, "m");
    text(&mut class, "()V");
    text(&mut class, "Code");
    class.extend([3, 0, 0, 0, 42]);
    // A public class C, an Object, without interfaces and fields, with one method.
    for number in [0x0021u16, 2, 4, 0, 0, 1, 0x0009, 5, 6, 1, 7] {
        class.extend(number.to_be_bytes());
    }
    class.extend((code.len() as u32).to_be_bytes());
    class.extend(code);
    class.extend(0u16.to_be_bytes());
    class
}

fn text(class: &mut Vec<u8>, text: &str) {
    class.push(1);
    class.extend((text.len() as u16).to_be_bytes());
    class.extend(text.as_bytes());
}
