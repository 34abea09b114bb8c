//! `invokedynamic`: the uses that Java's compiler makes of it, each as a method or class that is written here.
//!
//! Lambdas and method references become a class with the captured values as fields; string concatenation, the methods of
//! records and pattern switches become static methods. The JDK's bootstrap methods would make the same at run time.

use std::sync::Arc;

use super::calls::kind_of;
use super::{Lowered, Lowering, Synthetic};
use crate::bytecode::classfile::BootstrapMethod;
use crate::bytecode::descriptor;
use crate::bytecode::pool::{Constant, Dynamic, HandleKind, MethodHandle, Name};
use crate::ir::*;
use crate::library::{Library, OBJECT, Refusal, access};

impl Lowering<'_> {
    pub(super) fn invoke_dynamic(&mut self, site: &Arc<Dynamic>) -> Lowered<()> {
        let library = self.library;
        let signature = descriptor::method(&site.descriptor).ok_or("it has a call site without a descriptor")?;
        let parameters: Vec<Type> = signature.parameters.iter().map(|p| library.type_of(p)).collect();
        let result = library.type_of(signature.result);
        let kinds: Vec<_> = parameters.iter().map(|ty| kind_of(*ty)).collect();
        let args = self.pop_arguments(&kinds)?;
        let (file, _) = library.method_in_file(self.declared).ok_or("it has no class file")?;
        let bootstrap = file.bootstrap(site.bootstrap).map_err(|error| error.to_string())?;
        let factory = format!("{}.{}", bootstrap.method.member.class, bootstrap.method.member.name);
        let written = match factory.as_str() {
            "java/lang/invoke/LambdaMetafactory.metafactory" | "java/lang/invoke/LambdaMetafactory.altMetafactory" => {
                return self.lambda(site, bootstrap, &parameters, result, &args);
            }
            "java/lang/invoke/StringConcatFactory.makeConcatWithConstants" => {
                concatenation(library, bootstrap, &parameters)
            }
            "java/lang/invoke/StringConcatFactory.makeConcat" => {
                let recipe: Vec<u16> = vec![1; parameters.len()];
                Some(concatenate(library, &recipe, &[], &parameters))
            }
            "java/lang/runtime/ObjectMethods.bootstrap" => record_method(library, &site.name, bootstrap, &parameters),
            "java/lang/runtime/SwitchBootstraps.typeSwitch" | "java/lang/runtime/SwitchBootstraps.enumSwitch" => {
                type_switch(library, bootstrap, &parameters)
            }
            _ => None,
        };
        let dst = match result {
            Type::Void => self.scratch(0),
            _ => self.push(kind_of(result))?,
        };
        match written {
            Some(body) => {
                let class = self.declared.class;
                let method = library.add_synthetic(&site.name, &site.descriptor, class, parameters, result, body);
                let is_text = factory.starts_with("java/lang/invoke/StringConcatFactory");
                let callee = match is_text && self.makes_message() {
                    true => Callee::Message(method),
                    false => Callee::Exactly(method),
                };
                self.emit(Instr::Call { dst, callee, args });
            }
            None => self.unsupported(&format!("invokedynamic by {}", factory.replace('/', "."))),
        }
        Ok(())
    }

    /// A new object of a class that calls the lambda's body.
    fn lambda(
        &mut self,
        site: &Dynamic,
        bootstrap: &BootstrapMethod,
        captured: &[Type],
        interface: Type,
        args: &[Reg],
    ) -> Lowered<()> {
        let library = self.library;
        // The same name in every process: by where the lambda stands in the class file.
        let of = library.internal_name(self.declared.class);
        let name = format!("{of}$$Lambda${}${}", self.declared.number_in_file(), self.at);
        let (
            Type::Ref(interface),
            [Constant::MethodType(erased), Constant::MethodHandle(body), Constant::MethodType(exact), ..],
        ) = (interface, bootstrap.arguments.as_slice())
        else {
            self.unsupported("a lambda with unusual arguments");
            self.push(super::code::Kind::Ref)?;
            return Ok(());
        };
        let callee = resolve_handle(library, self.declared.class, body);
        let Some(callee) = self.linked(callee) else {
            self.push(super::code::Kind::Ref)?;
            return Ok(());
        };
        let (markers, bridges) = more_of_lambda(library, &bootstrap.arguments[3..]);
        let interfaces: Vec<ClassId> = std::iter::once(interface).chain(markers).collect();
        let (class, fields) = library.define_lambda(&name, &interfaces, captured, |class, fields| {
            let descriptors = std::iter::once(erased).chain(&bridges);
            let method = |erased: &Name| {
                let call = lambda_body(library, (class, fields, captured), (body, callee), erased, exact);
                (site.name.clone(), erased.clone(), call)
            };
            descriptors.map(method).collect()
        });
        let object = self.scratch(5);
        match library.sole_object(class) {
            Some(field) => self.sole_object(object, class, field),
            None => self.emit(Instr::New { dst: object, class }),
        }
        for ((field, ty), value) in fields.iter().zip(captured).zip(args) {
            let value = self.narrowed(*value, *ty);
            self.emit(Instr::PutField { object, field: *field, value });
        }
        let dst = self.push(super::code::Kind::Ref)?;
        self.emit(Instr::Move { dst, src: object });
        Ok(())
    }

    /// A lambda that captures nothing is one object: made when its place is first reached.
    fn sole_object(&mut self, dst: Reg, class: ClassId, field: FieldId) {
        let (null, is_null, made) = (self.scratch(1), self.scratch(0), self.out.label());
        self.emit(Instr::GetStatic { dst, field });
        self.emit(Instr::Const { dst: null, value: Const::Null });
        self.emit(Instr::RefEq { dst: is_null, lhs: dst, rhs: null });
        self.out.unless(self.at as u32, Condition::Holds(is_null), made);
        self.emit(Instr::New { dst, class });
        self.emit(Instr::PutStatic { field, value: dst });
        self.out.bind(made);
    }
}

/// The method that a lambda's class calls.
fn resolve_handle(library: &Library, from: ClassId, handle: &MethodHandle) -> Result<MethodId, Refusal> {
    let is_static = handle.kind == HandleKind::InvokeStatic;
    if handle.kind == HandleKind::NewInvokeSpecial {
        library.resolve_new(from, library.class_id(&handle.member.class))?;
    }
    if library.is_polymorphic(&handle.member) {
        return Err(Refusal::Missing("a reference to a method of a method handle".into()));
    }
    library.resolve_method(from, &handle.member, is_static)
}

/// Further interfaces and further descriptors of a lambda: what `altMetafactory` takes after its flags.
fn more_of_lambda(library: &Library, arguments: &[Constant]) -> (Vec<ClassId>, Vec<Name>) {
    const SERIALIZABLE: i32 = 1;
    const MARKERS: i32 = 2;
    const BRIDGES: i32 = 4;
    let mut rest = arguments.iter();
    let mut number = || match rest.next() {
        Some(Constant::Int(value)) => *value,
        _ => 0,
    };
    let flags = number();
    let (mut interfaces, mut bridges) = (Vec::new(), Vec::new());
    if flags & SERIALIZABLE != 0 {
        interfaces.push(library.class_id("java/io/Serializable"));
    }
    let marked = if flags & MARKERS != 0 { number() } else { 0 };
    for argument in rest.by_ref().take(marked as usize) {
        if let Constant::Class(name) = argument {
            interfaces.push(library.class_id(name));
        }
    }
    if flags & BRIDGES != 0 {
        bridges.extend(rest.filter_map(|argument| match argument {
            Constant::MethodType(descriptor) => Some(descriptor.clone()),
            _ => None,
        }));
    }
    (interfaces, bridges)
}

/// The method of a lambda's class: captured values, then the arguments, to the method that has the lambda's code.
fn lambda_body(
    library: &Library,
    (class, fields, captured): (ClassId, &[FieldId], &[Type]),
    (handle, callee): (&MethodHandle, MethodId),
    erased: &str,
    exact: &str,
) -> Method {
    let types = |text: &str| {
        let signature = descriptor::method(text).expect("checked when it was read");
        let parameters: Vec<Type> = signature.parameters.iter().map(|p| library.type_of(p)).collect();
        (parameters, library.type_of(signature.result))
    };
    let (erased, erased_result) = types(erased);
    let (exact, exact_result) = types(exact);
    let member = &handle.member;
    let owner = library.class_id(&member.class);
    let (mut wanted, mut result) = types(&member.descriptor);
    match handle.kind {
        HandleKind::InvokeStatic => {}
        HandleKind::NewInvokeSpecial => result = Type::Ref(owner),
        _ => wanted.insert(0, Type::Ref(owner)),
    }
    let mut parameters = vec![Type::Ref(class)];
    parameters.extend(&erased);
    let mut assembler = Synthetic::new(library, &parameters, erased_result);
    let mut args = Vec::new();
    for (field, (ty, wanted)) in fields.iter().zip(captured.iter().zip(&wanted)) {
        let value = assembler.get_field(Reg(0), *field);
        args.push(adapt(&mut assembler, value, *ty, *wanted));
    }
    for (number, (ty, wanted)) in exact.iter().zip(wanted.iter().skip(captured.len())).enumerate() {
        let value = adapt(&mut assembler, Reg(1 + number as u32), erased[number], *ty);
        args.push(adapt(&mut assembler, value, *ty, *wanted));
    }
    let value = match handle.kind {
        HandleKind::NewInvokeSpecial => assembler.new_object(owner, &member.descriptor, &args),
        HandleKind::InvokeStatic => {
            assembler.init_class(library.declared(callee).class);
            assembler.call_method(Callee::Exactly(callee), args)
        }
        HandleKind::InvokeSpecial => assembler.call_exactly(callee, args),
        _ if library.declared(callee).is(access::PRIVATE) => assembler.call_exactly(callee, args),
        _ => assembler.call_method(Callee::Virtual(owner, library.selector_of(callee)), args),
    };
    if erased_result == Type::Void {
        assembler.emit(Instr::Return { value: None });
    } else {
        let value = adapt(&mut assembler, value, result, exact_result);
        let value = adapt(&mut assembler, value, exact_result, erased_result);
        assembler.give_back(value);
    }
    assembler.finish("lambda", class)
}

/// A primitive's box: its class, its descriptor and the name of the method that opens it.
fn wrapper(ty: Type) -> Option<(&'static str, &'static str, &'static str)> {
    Some(match ty {
        Type::Bool => ("java/lang/Boolean", "Z", "booleanValue"),
        Type::Byte => ("java/lang/Byte", "B", "byteValue"),
        Type::Short => ("java/lang/Short", "S", "shortValue"),
        Type::Char => ("java/lang/Character", "C", "charValue"),
        Type::Int => ("java/lang/Integer", "I", "intValue"),
        Type::Long => ("java/lang/Long", "J", "longValue"),
        Type::Float => ("java/lang/Float", "F", "floatValue"),
        Type::Double => ("java/lang/Double", "D", "doubleValue"),
        _ => return None,
    })
}

/// Casts, boxes, unboxes and widens, as a lambda's arguments and result are.
fn adapt(assembler: &mut Synthetic, value: Reg, from: Type, to: Type) -> Reg {
    let library = assembler.library;
    match (from, to) {
        (Type::Void, _) | (_, Type::Void) => value,
        (Type::Ref(from), Type::Ref(to)) => {
            if to == OBJECT || library.is_subclass(from, to) {
                return value;
            }
            let dst = assembler.register();
            assembler.emit(Instr::Cast { dst, src: value, class: to });
            dst
        }
        (from, Type::Ref(_)) => {
            let (class, primitive, _) = wrapper(from).expect("a primitive has a box");
            assembler.call(class, "valueOf", &format!("({primitive})L{class};"), vec![value])
        }
        (Type::Ref(from), to) => {
            let boxed =
                [Type::Bool, Type::Byte, Type::Short, Type::Char, Type::Int, Type::Long, Type::Float, Type::Double]
                    .into_iter()
                    .find(|ty| wrapper(*ty).is_some_and(|(class, ..)| library.internal_name(from) == class))
                    .unwrap_or(to);
            let (class, primitive, open) = wrapper(boxed).expect("a primitive has a box");
            let src = adapt(assembler, value, Type::Ref(from), Type::Ref(library.class_id(class)));
            let opened = assembler.call(class, open, &format!("(){primitive}"), vec![src]);
            adapt(assembler, opened, boxed, to)
        }
        (from, to) => match (number(from), number(to)) {
            (a, b) if a == b => value,
            (from, to) => {
                let dst = assembler.register();
                assembler.emit(Instr::Unary { dst, op: UnaryOp::Convert { from, to }, src: value });
                dst
            }
        },
    }
}

fn number(ty: Type) -> Kind {
    match ty {
        Type::Long => Kind::Long,
        Type::Float => Kind::Float,
        Type::Double => Kind::Double,
        _ => Kind::Int,
    }
}

fn concatenation(library: &Library, bootstrap: &BootstrapMethod, parameters: &[Type]) -> Option<Method> {
    let (Constant::String(recipe), constants) = bootstrap.arguments.split_first()? else { return None };
    if constants.iter().any(|constant| !matches!(constant, Constant::String(_) | Constant::Int(_))) {
        return None;
    }
    Some(concatenate(library, recipe, constants, parameters))
}

/// In a recipe, 1 stands for the next argument and 2 for the next constant.
fn concatenate(library: &Library, recipe: &[u16], constants: &[Constant], parameters: &[Type]) -> Method {
    let string = library.class_id("java/lang/String");
    let mut builder = Text::new(library, parameters);
    let mut argument = 0;
    let mut constants = constants.iter();
    let mut literal: Vec<u16> = Vec::new();
    for &unit in recipe {
        match unit {
            1 => {
                builder.literal(&mut literal);
                builder.append(Reg(argument), parameters[argument as usize]);
                argument += 1;
            }
            2 => match constants.next() {
                Some(Constant::String(text)) => literal.extend(text.iter()),
                Some(Constant::Int(value)) => literal.extend(value.to_string().encode_utf16()),
                _ => {}
            },
            unit => literal.push(unit),
        }
    }
    builder.literal(&mut literal);
    builder.finish(string)
}

/// A method that puts a text together: its parts are made strings, one after the other, and joined. Joining takes no decisions about how long they are.
struct Text<'a> {
    assembler: Synthetic<'a>,
    /// What was put together so far, and whether that is a new string.
    so_far: Option<(Reg, bool)>,
}

impl<'a> Text<'a> {
    const STRING: &'static str = "java/lang/String";

    fn new(library: &'a Library, parameters: &[Type]) -> Text<'a> {
        let string = Type::Ref(library.class_id(Self::STRING));
        Text { assembler: Synthetic::new(library, parameters, string), so_far: None }
    }

    fn literal(&mut self, units: &mut Vec<u16>) {
        if !units.is_empty() {
            let text = self.assembler.library.string_id(&std::mem::take(units).into());
            let value = self.assembler.constant(Const::Str(text));
            self.join(value, false);
        }
    }

    fn append(&mut self, value: Reg, ty: Type) {
        let library = self.assembler.library;
        let parameter = match ty {
            Type::Byte | Type::Short => "I".into(),
            Type::Ref(_) => "Ljava/lang/Object;".into(),
            other => library.descriptor_of(other),
        };
        let descriptor = format!("({parameter})Ljava/lang/String;");
        let mut text = self.assembler.call(Self::STRING, "valueOf", &descriptor, vec![value]);
        if matches!(ty, Type::Ref(class) if library.internal_name(class) != Self::STRING) {
            // What an object says of itself may be null.
            text = self.assembler.call(Self::STRING, "valueOf", "(Ljava/lang/Object;)Ljava/lang/String;", vec![text]);
        }
        // Integers and characters are written into new strings; of floating-point numbers some have constants.
        self.join(text, matches!(ty, Type::Byte | Type::Short | Type::Char | Type::Int | Type::Long));
    }

    /// Joins by what the JDK has for it, which always makes a new string.
    fn join(&mut self, part: Reg, is_new: bool) {
        const JOINING: [(&str, &str); 2] = [
            ("simpleConcat", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;"),
            ("doConcat", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;"),
        ];
        let Some((before, _)) = self.so_far else {
            self.so_far = Some((part, is_new));
            return;
        };
        let library = self.assembler.library;
        let holder = library.class_id("java/lang/StringConcatHelper");
        let mut known =
            JOINING.iter().filter_map(|(name, descriptor)| library.declared_method(holder, name, descriptor));
        let joined = match known.next() {
            Some(method) => self.assembler.call_method(Callee::Exactly(method), vec![before, part]),
            None => {
                let descriptor = "(Ljava/lang/String;)Ljava/lang/String;";
                self.assembler.call(Self::STRING, "concat", descriptor, vec![before, part])
            }
        };
        self.so_far = Some((joined, true));
    }

    /// The result is a new object, also of one part, or of none.
    fn finish(mut self, class: ClassId) -> Method {
        let string = self.assembler.library.class_id(Self::STRING);
        let text = match self.so_far {
            Some((text, true)) => text,
            Some((text, _)) => self.assembler.new_object(string, "(Ljava/lang/String;)V", &[text]),
            None => self.assembler.new_object(string, "()V", &[]),
        };
        self.assembler.give_back(text);
        self.assembler.finish("text", class)
    }
}

/// `toString`, `hashCode` and `equals` of a record.
fn record_method(library: &Library, name: &str, bootstrap: &BootstrapMethod, parameters: &[Type]) -> Option<Method> {
    let (Constant::Class(record), rest) = bootstrap.arguments.split_first()? else { return None };
    let (_names, getters) = rest.split_first()?;
    let class = library.class_id(record);
    let mut fields = Vec::new();
    for getter in getters {
        let Constant::MethodHandle(handle) = getter else { return None };
        fields.push(library.find_field(class, &handle.member.name, &handle.member.descriptor)?);
    }
    Some(match name {
        "toString" => {
            let mut text = Text::new(library, parameters);
            // A local class has a number before its name.
            let simple =
                record.rsplit(['/', '$']).next().unwrap_or(record).trim_start_matches(|c: char| c.is_ascii_digit());
            let mut literal: Vec<u16> = format!("{simple}[").encode_utf16().collect();
            for (number, field) in fields.iter().enumerate() {
                let comma = if number == 0 { "" } else { ", " };
                literal.extend(format!("{comma}{}=", library.field(*field).name).encode_utf16());
                text.literal(&mut literal);
                let value = text.assembler.get_field(Reg(0), *field);
                text.append(value, library.field(*field).ty);
            }
            literal.push(']' as u16);
            text.literal(&mut literal);
            text.finish(class)
        }
        "hashCode" => {
            let mut assembler = Synthetic::new(library, parameters, Type::Int);
            let mut hash = assembler.constant(Const::Int(0));
            for field in fields {
                let value = assembler.get_field(Reg(0), field);
                let own = match wrapper(library.field(field).ty) {
                    Some((class, primitive, _)) => {
                        assembler.call(class, "hashCode", &format!("({primitive})I"), vec![value])
                    }
                    None => {
                        let descriptor = "(Ljava/lang/Object;)I";
                        assembler.call("java/util/Objects", "hashCode", descriptor, vec![value])
                    }
                };
                let scaled = assembler.register();
                let (kind, rhs) = (Kind::Int, Operand::Int(31));
                assembler.emit(Instr::Binary { dst: scaled, kind, op: BinaryOp::Mul, lhs: hash, rhs });
                hash = assembler.register();
                let rhs = Operand::Reg(own);
                assembler.emit(Instr::Binary { dst: hash, kind, op: BinaryOp::Add, lhs: scaled, rhs });
            }
            assembler.give_back(hash);
            assembler.finish("hashCode", class)
        }
        "equals" => record_equals(library, class, &fields, parameters),
        _ => return None,
    })
}

fn record_equals(library: &Library, class: ClassId, fields: &[FieldId], parameters: &[Type]) -> Method {
    let mut assembler = Synthetic::new(library, parameters, Type::Bool);
    let (differs, equals) = (assembler.label(), assembler.label());
    let same = assembler.register();
    assembler.emit(Instr::RefEq { dst: same, lhs: Reg(0), rhs: Reg(1) });
    assembler.when(Condition::Holds(same), equals);
    let is = assembler.register();
    assembler.emit(Instr::InstanceOf { dst: is, src: Reg(1), class });
    assembler.unless(Condition::Holds(is), differs);
    // The JDK nests the tests, the first component innermost.
    for &field in fields.iter().rev() {
        let (a, b) = (assembler.get_field(Reg(0), field), assembler.get_field(Reg(1), field));
        let (lhs, differs_if) = match library.field(field).ty {
            Type::Ref(_) => {
                let descriptor = "(Ljava/lang/Object;Ljava/lang/Object;)Z";
                (assembler.call("java/util/Objects", "equals", descriptor, vec![a, b]), Test::Eq)
            }
            ty => {
                let (wrapper, primitive, _) = wrapper(ty).expect("a primitive has a box");
                let descriptor = format!("({primitive}{primitive})I");
                (assembler.call(wrapper, "compare", &descriptor, vec![a, b]), Test::Ne)
            }
        };
        assembler.when(Condition::Compare(differs_if, lhs, Operand::Int(0)), differs);
    }
    assembler.bind(equals);
    let yes = assembler.constant(Const::Int(1));
    assembler.give_back(yes);
    assembler.bind(differs);
    let no = assembler.constant(Const::Int(0));
    assembler.give_back(no);
    assembler.finish("equals", class)
}

/// The number of the first label from `restart` on that fits an object; -1 for null, and the number of labels if none does.
fn type_switch(library: &Library, bootstrap: &BootstrapMethod, parameters: &[Type]) -> Option<Method> {
    let labels = &bootstrap.arguments;
    let mut assembler = Synthetic::new(library, parameters, Type::Int);
    let (object, restart) = (Reg(0), Reg(1));
    let is_null = assembler.is_null(object);
    let labelled = assembler.label();
    assembler.unless(is_null, labelled);
    let minus_one = assembler.constant(Const::Int(-1));
    assembler.give_back(minus_one);
    assembler.bind(labelled);
    for (number, label) in labels.iter().enumerate() {
        let next = assembler.label();
        assembler.when(Condition::Compare(Test::Gt, restart, Operand::Int(number as i32)), next);
        let test_class = |assembler: &mut Synthetic, class: &str| {
            let is = assembler.register();
            assembler.emit(Instr::InstanceOf { dst: is, src: object, class: library.class_id(class) });
            assembler.unless(Condition::Holds(is), next);
        };
        match label {
            Constant::Class(class) => test_class(&mut assembler, class),
            Constant::Int(value) => {
                test_class(&mut assembler, "java/lang/Integer");
                let found = assembler.call("java/lang/Integer", "intValue", "()I", vec![object]);
                assembler.when(Condition::Compare(Test::Ne, found, Operand::Int(*value)), next);
            }
            Constant::String(text) => {
                // A string, or in a switch over an enum the name of a constant.
                let is_enum = matches!(parameters[0], Type::Ref(class) if library.is_subclass(class, library.class_id("java/lang/Enum")));
                let found = if is_enum {
                    assembler.call("java/lang/Enum", "name", "()Ljava/lang/String;", vec![object])
                } else {
                    object
                };
                let text = assembler.constant(Const::Str(library.string_id(text)));
                let equal = assembler.call("java/lang/String", "equals", "(Ljava/lang/Object;)Z", vec![text, found]);
                assembler.when(Condition::Compare(Test::Eq, equal, Operand::Int(0)), next);
            }
            _ => return None,
        }
        let answer = assembler.constant(Const::Int(number as i64));
        assembler.give_back(answer);
        assembler.bind(next);
    }
    let none = assembler.constant(Const::Int(labels.len() as i64));
    assembler.give_back(none);
    Some(assembler.finish("switch", OBJECT))
}
