//! The bodies that are made of Java's methods are well formed, and a wrong one is refused with its place.

use std::path::Path;

use lazuli_program::Program;
use lazuli_program::frontend::java::{JavaOptions, load_classes};
use lazuli_program::ir::*;
use lazuli_program::library::{Library, World};
use lazuli_program::verify::verify_body;

/// The JDK, of which the engine provides nothing.
fn jdk() -> Program {
    let world = World { max_string: 5, max_array: 5, ..World::default() };
    let options = JavaOptions { class_path: Vec::new(), entry: None, world, provided: |_, _, _| false };
    load_classes(Path::new("jdk"), &options).unwrap_or_else(|e| panic!("{e}"))
}

fn library(program: &Program) -> &Library {
    program.library.as_deref().expect("a program in Java")
}

/// All methods of four packages are lowered, which verifies them. What is not executed is said in the body.
#[test]
fn the_bodies_of_the_jdk_are_well_formed() {
    let program = jdk();
    let library = library(&program);
    let packages = ["java/lang", "java/util", "java/util/stream", "java/math"];
    let of_package = |name: &String| packages.contains(&name.rsplit_once('/').map_or("", |(package, _)| package));
    let (mut bodies, mut instructions, mut wrong) = (0, 0, Vec::new());
    for name in library.path.jdk_classes().into_iter().filter(of_package) {
        let class = library.class_id(&name);
        for method in library.java(class).declared_methods.values() {
            let body = library.body(*method);
            verify_body(library, body).unwrap_or_else(|fault| panic!("{} {fault}", program.method_name(*method)));
            let is_code = !matches!(body.code[0], Instr::Unsupported { .. } | Instr::Native { .. });
            bodies += is_code as usize;
            instructions += body.code.len();
            if let [Instr::Unsupported { what }] = &body.code[..]
                && !what.starts_with("the abstract method")
            {
                wrong.push(what.to_string());
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(bodies > 10_000 && instructions > 200_000, "{bodies} bodies of {instructions} instructions");
    println!("{bodies} bodies of {instructions} instructions");
}

const INT: Const = Const::Int(1);

/// A static method with an int and an object as parameters, and so many registers for intermediate values.
fn method(result: Type, registers: usize, code: Vec<Instr>) -> Method {
    let object = Type::Ref(lazuli_program::library::OBJECT);
    let mut all = vec![Register { name: "n".into(), ty: Type::Int }, Register { name: "o".into(), ty: object }];
    all.resize(2 + registers, Register { name: String::new(), ty: Type::Void });
    Method {
        name: "made".into(),
        class: Some(lazuli_program::library::OBJECT),
        parameters: 2,
        result,
        registers: all,
        lines: vec![0; code.len()],
        ops: Vec::new(),
        code,
        places: Vec::new(),
        handlers: Vec::new(),
    }
}

#[track_caller]
fn refused(library: &Library, method: &Method, at: usize, what: &str) {
    let fault = verify_body(library, method).expect_err("this should have been refused");
    assert_eq!((fault.at, fault.what.as_str()), (at, what));
}

#[test]
fn registers_and_jumps_must_be_there() {
    let program = jdk();
    let library = library(&program);
    let give = Instr::Return { value: Some(Reg(0)) };
    let add = |dst, lhs| Instr::Binary { dst, kind: Kind::Int, op: BinaryOp::Add, lhs, rhs: Operand::Int(1) };
    assert_eq!(verify_body(library, &method(Type::Int, 0, vec![add(Reg(0), Reg(0)), give.clone()])), Ok(()));
    refused(library, &method(Type::Int, 0, vec![add(Reg(2), Reg(0)), give.clone()]), 0, "there is no register 2");
    refused(library, &method(Type::Int, 0, vec![add(Reg(0), Reg(9)), give.clone()]), 0, "there is no register 9");
    let jump = |target| vec![add(Reg(0), Reg(0)), Instr::Jump { target }, give.clone()];
    assert_eq!(verify_body(library, &method(Type::Int, 0, jump(2))), Ok(()));
    refused(library, &method(Type::Int, 0, jump(3)), 1, "there is no instruction 3");
    let switch = |keys: [i32; 2]| {
        let table = keys.map(|key| (key, 1)).into();
        method(Type::Int, 0, vec![Instr::Switch { value: Reg(0), table, default: 1 }, give.clone()])
    };
    assert_eq!(verify_body(library, &switch([1, 2])), Ok(()));
    refused(library, &switch([2, 1]), 0, "the keys of a switch are not sorted");
    refused(library, &method(Type::Int, 0, vec![add(Reg(0), Reg(0))]), 0, "control runs off the end");
    refused(library, &method(Type::Int, 0, Vec::new()), 0, "no code, or instructions without places");
    let unplaced = Method { lines: Vec::new(), ..method(Type::Int, 0, vec![give]) };
    refused(library, &unplaced, 0, "no code, or instructions without places");
}

#[test]
fn operands_must_have_the_kind_that_is_wanted() {
    let program = jdk();
    let library = library(&program);
    let length = lazuli_program::library::LENGTH;
    let (n, object, temporary) = (Reg(0), Reg(1), Reg(2));
    let wrong = [
        (
            Instr::Binary { dst: n, kind: Kind::Long, op: BinaryOp::Add, lhs: n, rhs: Operand::Int(1) },
            "holds Int, not Long",
        ),
        (
            Instr::Binary { dst: n, kind: Kind::Int, op: BinaryOp::Add, lhs: n, rhs: Operand::Reg(object) },
            "holds Ref, not Int",
        ),
        (Instr::Unary { dst: n, op: UnaryOp::Widen(Type::Byte), src: n }, "holds Int, not Byte"),
        (Instr::GetField { dst: n, object: n, field: length }, "holds Int, not Ref"),
        (Instr::RefEq { dst: temporary, lhs: object, rhs: n }, "holds Int, not Ref"),
        (Instr::Throw { exception: Exception::Object(n) }, "holds Int, not Ref"),
        (Instr::Branch { condition: Condition::Holds(n), then: 2, otherwise: 2 }, "holds Int, not Bool"),
        (
            Instr::Branch { condition: Condition::Compare(Test::Lt, object, Operand::Int(0)), then: 2, otherwise: 2 },
            "holds Ref, not Int",
        ),
        (
            Instr::Binary { dst: n, kind: Kind::Float, op: BinaryOp::Xor, lhs: n, rhs: Operand::Reg(n) },
            "there is no Xor of Float",
        ),
        (Instr::Assert { condition: n }, "holds Int, not Bool"),
        (Instr::Move { dst: n, src: temporary }, "is read before it is written"),
        (Instr::GetStatic { dst: n, field: length }, "there is no static field"),
        (Instr::New { dst: temporary, class: ClassId(u32::MAX) }, "there is no class"),
        (Instr::Return { value: Some(object) }, "holds Ref, not Int"),
        (Instr::Return { value: None }, "it returns nothing"),
    ];
    for (instr, what) in wrong {
        let code = vec![Instr::Const { dst: n, value: INT }, instr.clone(), Instr::Return { value: Some(n) }];
        let fault = verify_body(library, &method(Type::Int, 1, code)).expect_err("this should have been refused");
        assert!(fault.at == 1 && fault.what.contains(what), "{instr:?}: {fault}");
    }
}

#[test]
fn arguments_must_fit_what_is_called() {
    let program = jdk();
    let library = library(&program);
    let math = library.class_id("java/lang/Math");
    let abs = library.declared_method(math, "abs", "(I)I").expect("Math.abs");
    let call = |args: &[Reg]| {
        let invoke = Instr::Call { dst: Reg(2), callee: Callee::Exactly(abs), args: args.into() };
        method(Type::Int, 1, vec![invoke, Instr::Return { value: Some(Reg(2)) }])
    };
    assert_eq!(verify_body(library, &call(&[Reg(0)])), Ok(()));
    refused(library, &call(&[Reg(1)]), 0, "register 1 holds Ref, not Int");
    refused(library, &call(&[]), 0, "a call with 0 arguments of a method that has 1");
    let equals = library.selector(&"equals".into(), &"(Ljava/lang/Object;)Z".into());
    let callee = Callee::Virtual(lazuli_program::library::OBJECT, equals);
    let equal = |receiver, result| {
        let invoke = Instr::Call { dst: Reg(2), callee, args: [receiver, Reg(1)].into() };
        method(result, 1, vec![invoke, Instr::Return { value: Some(Reg(2)) }])
    };
    // What a method of a narrow type gives back is an int.
    assert_eq!(verify_body(library, &equal(Reg(1), Type::Bool)), Ok(()));
    refused(library, &equal(Reg(0), Type::Bool), 0, "register 0 holds Int, not Ref");
    refused(library, &equal(Reg(1), Type::Long), 1, "register 2 holds Int, not Long");
    let gone = Instr::Call { dst: Reg(2), callee: Callee::Exactly(MethodId(u32::MAX)), args: [].into() };
    refused(
        library,
        &method(Type::Void, 1, vec![gone, Instr::Return { value: None }]),
        0,
        "a call of a method that is not there",
    );
}

/// Where paths meet, a register holds what it holds on all of them.
#[test]
fn what_paths_disagree_on_cannot_be_used() {
    let program = jdk();
    let library = library(&program);
    let branch =
        Instr::Branch { condition: Condition::Compare(Test::Eq, Reg(0), Operand::Int(0)), then: 3, otherwise: 1 };
    let body = |first: Const, second: Const| {
        let code = vec![
            branch.clone(),
            Instr::Const { dst: Reg(2), value: first },
            Instr::Jump { target: 4 },
            Instr::Const { dst: Reg(2), value: second },
            Instr::Return { value: Some(Reg(2)) },
        ];
        method(Type::Int, 1, code)
    };
    assert_eq!(verify_body(library, &body(INT, INT)), Ok(()));
    refused(library, &body(INT, Const::Null), 4, "register 2 is read before it is written");
    // A loop that changes what its own start relies on.
    let code = vec![
        Instr::Const { dst: Reg(2), value: INT },
        Instr::Binary { dst: Reg(0), kind: Kind::Int, op: BinaryOp::Add, lhs: Reg(0), rhs: Operand::Reg(Reg(2)) },
        Instr::Const { dst: Reg(2), value: Const::Long(1) },
        Instr::Jump { target: 1 },
    ];
    refused(library, &method(Type::Int, 1, code), 1, "register 2 is read before it is written");
}

#[test]
fn handlers_are_reached_from_all_that_they_cover() {
    let program = jdk();
    let library = library(&program);
    let code = vec![
        Instr::CheckNull { object: Reg(1) },
        Instr::Const { dst: Reg(2), value: INT },
        Instr::CheckNull { object: Reg(1) },
        Instr::Return { value: Some(Reg(2)) },
        Instr::Return { value: Some(Reg(2)) },
    ];
    let body = |start, end, target, register| Method {
        handlers: vec![Handler { start, end, target, class: None, register }],
        ..method(Type::Int, 2, code.clone())
    };
    assert_eq!(verify_body(library, &body(2, 3, 4, Reg(3))), Ok(()));
    refused(library, &body(0, 3, 4, Reg(3)), 4, "register 2 is read before it is written");
    refused(library, &body(2, 3, 4, Reg(2)), 4, "register 2 holds Ref, not Int");
    refused(library, &body(2, 3, 4, Reg(4)), 2, "a handler has no register");
    for (start, end, target) in [(2, 2, 4), (2, 6, 4), (2, 3, 5)] {
        refused(library, &body(start, end, target, Reg(3)), 2, "a handler covers nothing, or leads nowhere");
    }
    let known = body(2, 3, 4, Reg(3)).handlers.remove(0);
    let unknown = Handler { class: Some(ClassId(u32::MAX)), ..known };
    let unknown = Method { handlers: vec![unknown], ..method(Type::Int, 2, code.clone()) };
    refused(library, &unknown, 2, "a handler is for a class that is not there");
}

/// Whatever is done to a body, it is accepted or refused.
#[test]
fn nothing_in_a_body_makes_the_verifier_panic() {
    let program = jdk();
    let library = library(&program);
    let class = library.class_id("java/util/TreeMap");
    let mut refused = 0;
    for id in library.java(class).declared_methods.values() {
        let body = library.body(*id);
        for at in 0..body.code.len() {
            let without = |code: &mut Vec<Instr>| drop(code.remove(at));
            let twice = |code: &mut Vec<Instr>| code.insert(at, body.code[(at * 7 + 3) % body.code.len()].clone());
            for change in [&without as &dyn Fn(&mut Vec<Instr>), &twice] {
                let mut changed = body.clone();
                change(&mut changed.code);
                changed.lines.resize(changed.code.len(), 0);
                refused += verify_body(library, &changed).is_err() as usize;
            }
        }
    }
    assert!(refused > 1000, "only {refused} bodies were refused");
}
