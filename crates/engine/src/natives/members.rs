//! The members of a class as objects, and calling them. Their order is that of the class file.

use lazuli_logic::Term;
use lazuli_program::bytecode::descriptor;
use lazuli_program::frontend::java::Synthetic;
use lazuli_program::ir::{Callee, ClassId, Const, Exception, Instr, Kind, MethodId, Reg, Type, UnaryOp};
use lazuli_program::library::{LENGTH, Library, OBJECT, access};

use super::classes::about;
use super::handles::descriptor_of;
use crate::arith;
use crate::executor::{Executor, Native};
use crate::heap::{HeapModel, Memory};
use crate::known::BOXES;
use crate::state::{Frame, State};
use crate::suspend::{Step, Suspend, unsupported};

type Heap<M> = <M as Memory>::Heap;

const ILLEGAL_ARGUMENT: &str = "java/lang/IllegalArgumentException";

pub(super) fn find<M: HeapModel>(key: &str) -> Option<Native<M>> {
    let native: Native<M> = match key {
        "java/lang/Class.getDeclaredConstructors0(Z)[Ljava/lang/reflect/Constructor;" => constructors,
        "java/lang/Class.getDeclaredMethods0(Z)[Ljava/lang/reflect/Method;" => methods,
        "java/lang/Class.getDeclaredFields0(Z)[Ljava/lang/reflect/Field;" => fields,
        "java/lang/Class.getGenericSignature0()Ljava/lang/String;" => signature,
        "java/lang/reflect/Executable.declaredAnnotations()Ljava/util/Map;"
        | "java/lang/reflect/Executable.getParameterAnnotations()[[Ljava/lang/annotation/Annotation;"
        | "java/lang/reflect/Field.declaredAnnotations()Ljava/util/Map;" => |_, _, _| unsupported("annotations"),
        // It would only choose another way to call it.
        "jdk/internal/reflect/Reflection.isCallerSensitive(Ljava/lang/reflect/Method;)Z" => |e, _, _| Ok(e.cx.int(0)),
        // Members are called as before the machine had its faster ways.
        "jdk/internal/misc/VM.isJavaLangInvokeInited()Z" => |e, _, _| Ok(e.cx.int(0)),
        "jdk/internal/reflect/NativeMethodAccessorImpl.invoke0(Ljava/lang/reflect/Method;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;"
        | "jdk/internal/reflect/DirectMethodHandleAccessor$NativeAccessor.invoke0(Ljava/lang/reflect/Method;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;" => {
            |e, state, args| invoke(e, state, args[0], args[1], args[2])
        }
        "jdk/internal/reflect/NativeConstructorAccessorImpl.newInstance0(Ljava/lang/reflect/Constructor;[Ljava/lang/Object;)Ljava/lang/Object;"
        | "jdk/internal/reflect/DirectConstructorHandleAccessor$NativeAccessor.newInstance0(Ljava/lang/reflect/Constructor;[Ljava/lang/Object;)Ljava/lang/Object;" => {
            |e, state, args| invoke(e, state, args[0], Term::NULL, args[1])
        }
        _ => return None,
    };
    Some(native)
}

impl<M: HeapModel> Executor<'_, M> {
    /// A new object of a class of the JDK; fields that this JDK does not have are left out.
    pub(crate) fn object_with(&mut self, state: &mut State<M::Heap>, class: &str, fields: &[(&str, Term)]) -> Term {
        let library = self.cx.library().expect("only Java has natives");
        let class = library.class_id(class);
        let object = self.model.alloc(&mut self.cx, &mut state.heap, class);
        for (name, value) in fields {
            if let Some(field) = self.cx.program.field_named(class, name) {
                let value = arith::narrow(&mut self.cx.terms, library.field(field).ty, *value);
                self.model.preset(&mut self.cx, &mut state.heap, object, field, value);
            }
        }
        object
    }

    /// A new array of a class of arrays.
    pub(crate) fn array_with(&mut self, state: &mut State<M::Heap>, class: &str, elements: Vec<Term>) -> Term {
        let class = self.cx.library().expect("only Java has natives").class_id(class);
        let length = self.cx.int(elements.len() as i64);
        let array = self.model.alloc(&mut self.cx, &mut state.heap, class);
        self.model.preset(&mut self.cx, &mut state.heap, array, LENGTH, length);
        let location = array.as_location().expect("a new object is a location");
        self.model.arrays(&mut state.heap).alloc(location, elements);
        array
    }

    fn text(&mut self, state: &mut State<M::Heap>, text: &str) -> Term {
        let id = self.cx.library().expect("only Java has natives").text_id(text);
        self.constant_string(state, id)
    }

    /// The object that stands for the type of a descriptor.
    fn mirror_of(&mut self, descriptor: &str) -> Term {
        let library = self.cx.library().expect("only Java has natives");
        let class = match library.type_of(descriptor) {
            Type::Ref(class) => class,
            _ => library.class_id(&descriptor::readable_type(descriptor)),
        };
        self.mirror(class)
    }

    /// The current method's frame becomes that of another, with these arguments.
    fn become_call(&mut self, state: &mut State<M::Heap>, method: MethodId, args: &[Term]) -> Suspend {
        let frame = state.frames.last_mut().expect("a running state has a frame");
        *frame = Frame { method, pc: 0, ..*frame };
        let base = frame.base as usize;
        state.registers.truncate(base);
        state.registers.extend_from_slice(args);
        state.registers.resize(base + self.cx.program.method(method).registers.len(), Term::NULL);
        Suspend::Detour
    }
}

/// Members have their superclass initialised, as a machine does before anything else of reflection: the classes need each other, and this is the order in which
/// they find each other.
fn opened<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>) -> Step {
    let opener = e.cx.library().expect("only Java has natives").class_id("java/lang/reflect/AccessibleObject");
    match state.vm.is_initialised(opener) {
        true => Ok(()),
        false => {
            e.init_class(state, opener)?;
            Err(Suspend::Detour)
        }
    }
}

pub(super) fn constructors<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    executables(e, state, args, "java/lang/reflect/Constructor", |name| name == "<init>")
}

fn methods<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    executables(e, state, args, "java/lang/reflect/Method", |name| !name.starts_with('<'))
}

/// What a class file says of type parameters and supertypes; null where it says nothing.
fn signature<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    about(e, state, args[0], "getGenericSignature", |e, state, class| {
        let library = e.cx.library().expect("only Java has natives");
        let text = library.java(class).file.as_ref().and_then(|file| file.signature_text());
        Ok(text.map_or(Term::NULL, |text| e.text(state, &text)))
    })
}

fn is_true<M: HeapModel>(e: &Executor<M>, value: Term) -> bool {
    e.cx.terms.as_bits(value).is_some_and(|(_, value)| value != 0)
}

fn executables<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    args: &[Term],
    kind: &str,
    is_meant: fn(&str) -> bool,
) -> Step<Term> {
    opened(e, state)?;
    let public_only = is_true(e, args[1]);
    about(e, state, args[0], "getDeclaredMethods", |e, state, class| {
        let library = e.cx.library().expect("only Java has natives");
        let mirror = e.mirror(class);
        let mut objects = Vec::new();
        let file = library.java(class).file.clone();
        for (slot, method) in file.iter().flat_map(|file| file.methods.iter().enumerate()) {
            if !is_meant(&method.name) || public_only && !method.access.is_public() {
                continue;
            }
            let Some(signature) = descriptor::method(&method.descriptor) else { continue };
            let types = signature.parameters.iter().map(|ty| e.mirror_of(ty)).collect();
            let exceptions = method.exceptions.iter().map(|name| e.mirror_of(&descriptor_of(name))).collect();
            let [types, exceptions] = [types, exceptions].map(|list| e.array_with(state, "[Ljava/lang/Class;", list));
            let (slot, modifiers) = (e.cx.int(slot as i64), e.cx.int(method.access.0 as i64));
            let name = e.text(state, &method.name);
            let result = e.mirror_of(signature.result);
            let generic = file.as_ref().and_then(|file| file.method_signature_text(method));
            let generic = generic.map_or(Term::NULL, |generic| e.text(state, &generic));
            let fields = [
                ("signature", generic),
                ("clazz", mirror),
                ("slot", slot),
                ("name", name),
                ("returnType", result),
                ("parameterTypes", types),
                ("exceptionTypes", exceptions),
                ("modifiers", modifiers),
            ];
            objects.push(e.object_with(state, kind, &fields));
        }
        Ok(e.array_with(state, &format!("[L{kind};"), objects))
    })
}

fn fields<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    opened(e, state)?;
    let public_only = is_true(e, args[1]);
    about(e, state, args[0], "getDeclaredFields", |e, state, class| {
        let library = e.cx.library().expect("only Java has natives");
        let mirror = e.mirror(class);
        let java = library.java(class);
        let file = java.file.clone();
        let is_record = file.as_ref().is_some_and(|file| file.record.is_some());
        let mut objects = Vec::new();
        for field in file.iter().flat_map(|file| &file.fields) {
            let id = java.declared_fields.get(&(field.name.clone(), field.descriptor.clone()));
            let Some(id) = id.filter(|_| !public_only || field.access.is_public()) else { continue };
            let (slot, modifiers) = (e.cx.int(id.0 as i64), e.cx.int(field.access.0 as i64));
            let trusted = e.cx.int((field.access.is_final() && (field.access.is_static() || is_record)) as i64);
            let name = e.text(state, &field.name);
            let ty = e.mirror_of(&field.descriptor);
            let generic = file.as_ref().and_then(|file| file.field_signature_text(field));
            let generic = generic.map_or(Term::NULL, |generic| e.text(state, &generic));
            let fields = [
                ("signature", generic),
                ("clazz", mirror),
                ("slot", slot),
                ("name", name),
                ("type", ty),
                ("modifiers", modifiers),
                ("trustedFinal", trusted),
            ];
            objects.push(e.object_with(state, "java/lang/reflect/Field", &fields));
        }
        Ok(e.array_with(state, "[Ljava/lang/reflect/Field;", objects))
    })
}

/// The class and the number of a member that an object stands for.
pub(super) fn member<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    object: Term,
) -> Step<Option<(ClassId, u32)>> {
    let classes = e.model.classes(&mut e.cx, &state.heap, object);
    let [(class, _)] = classes[..] else { return Ok(None) };
    let field = |name: &str| e.cx.program.field_named(class, name);
    let (Some(clazz), Some(slot)) = (field("clazz"), field("slot")) else { return Ok(None) };
    let mirror = e.read(state, object, clazz)?;
    let slot = e.read(state, object, slot)?;
    let class = e.mirrored(mirror);
    Ok(class.zip(e.cx.terms.as_bits(slot).map(|(_, slot)| slot as u32)))
}

/// Calls a method or a constructor as reflection does: arguments are unboxed, the result is boxed, exceptions are wrapped.
fn invoke<M: HeapModel>(
    e: &mut Executor<M>,
    state: &mut State<Heap<M>>,
    object: Term,
    receiver: Term,
    given: Term,
) -> Step<Term> {
    let library = e.cx.library().expect("only Java has natives");
    let target = member(e, state, object)?.and_then(|(class, slot)| {
        let method = library.java(class).file.as_ref()?.methods.get(slot as usize)?;
        library.declared_method(class, &method.name, &method.descriptor)
    });
    let Some(target) = target else { return unsupported("a call of an unknown member by reflection") };
    let declared = library.declared(target);
    let is_constructor = &*declared.name == "<init>";
    let has_receiver = !declared.is(access::STATIC);
    let mut args = Vec::new();
    if has_receiver && !is_constructor {
        e.check_null(state, receiver)?;
        let fits = e.instance_of(state, receiver, declared.class)?;
        e.require(state, fits, ILLEGAL_ARGUMENT)?;
        args.push(receiver);
    }
    let types = &declared.parameters[has_receiver as usize..];
    let values = arguments(e, state, given)?;
    if values.len() != types.len() {
        return Err(Suspend::Throw(ILLEGAL_ARGUMENT));
    }
    for (value, ty) in values.into_iter().zip(types) {
        args.push(argument(e, state, value, *ty)?);
    }
    let caller = caller(library, target);
    Err(e.become_call(state, caller, &args))
}

/// The elements of the array of arguments, which may be null.
fn arguments<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, given: Term) -> Step<Vec<Term>> {
    if e.is_null(state, given)? {
        return Ok(Vec::new());
    }
    let length = e.read(state, given, LENGTH)?;
    let Some((_, length)) = e.cx.terms.as_bits(length) else {
        return unsupported("a call by reflection with unknown arguments");
    };
    let object = Type::Ref(OBJECT);
    let numbers: Vec<Term> = (0..length).map(|number| e.cx.terms.bits(32, number)).collect();
    numbers.into_iter().map(|number| e.element(state, given, number, object)).collect()
}

/// Whether a number of one type goes to a place of another.
fn widens(from: Type, to: Type) -> bool {
    const ORDER: [Type; 6] = [Type::Byte, Type::Short, Type::Int, Type::Long, Type::Float, Type::Double];
    let place = |ty: Type| ORDER.iter().position(|known| *known == ty);
    match (from, to) {
        _ if from == to => true,
        (Type::Char, _) => place(to) >= place(Type::Int),
        _ => place(from).is_some() && place(to) >= place(from),
    }
}

fn argument<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, value: Term, ty: Type) -> Step<Term> {
    if let Type::Ref(class) = ty {
        let null = e.same(state, value, Term::NULL)?;
        let is = e.instance_of(state, value, class)?;
        let fits = e.cx.terms.or(null, is);
        e.require(state, fits, ILLEGAL_ARGUMENT)?;
        return Ok(value);
    }
    if e.is_null(state, value)? {
        return Err(Suspend::Throw(ILLEGAL_ARGUMENT));
    }
    let library = e.cx.library().expect("only Java has natives");
    let classes = e.model.classes(&mut e.cx, &state.heap, value);
    let [(class, _)] = classes[..] else {
        return unsupported("a call by reflection with an argument of unknown class");
    };
    let held = BOXES.iter().find(|(name, _)| *name == library.internal_name(class)).map(|(_, held)| *held);
    let field = e.cx.program.field_named(class, "value");
    let (Some(held), Some(field)) = (held.filter(|held| widens(*held, ty)), field) else {
        return Err(Suspend::Throw(ILLEGAL_ARGUMENT));
    };
    let number = e.read(state, value, field)?;
    let number = arith::widen(&mut e.cx.terms, held, number);
    let (from, to) = (kind_of(held), kind_of(ty));
    if from == to {
        return Ok(number);
    }
    Ok(arith::unary(&mut e.cx.terms, UnaryOp::Convert { from, to }, number))
}

fn kind_of(ty: Type) -> Kind {
    match ty {
        Type::Long => Kind::Long,
        Type::Float => Kind::Float,
        Type::Double => Kind::Double,
        _ => Kind::Int,
    }
}

/// A method with the parameters of another that calls it, boxes what it gives, and wraps what it throws.
fn caller(library: &Library, target: MethodId) -> MethodId {
    let declared = library.declared(target);
    let key = format!("reflective {}", target.0);
    if let Some(known) = library.defined(&key) {
        return known;
    }
    let is_constructor = &*declared.name == "<init>";
    let parameters = if is_constructor { &declared.parameters[1..] } else { &declared.parameters[..] };
    let mut body = Synthetic::new(library, parameters, Type::Ref(OBJECT));
    body.init_class(declared.class);
    let mut args: Vec<_> = (0..parameters.len() as u32).map(Reg).collect();
    let callee = match declared.is(access::STATIC | access::PRIVATE) || is_constructor {
        true => Callee::Exactly(target),
        false => Callee::Virtual(declared.class, library.selector(&declared.name, &declared.descriptor)),
    };
    let object = is_constructor.then(|| {
        let dst = body.register();
        body.emit(Instr::New { dst, class: declared.class });
        args.insert(0, dst);
        dst
    });
    let (value, thrown, handler) = body.call_guarded(callee, args);
    let value = match (object, declared.result) {
        (Some(object), _) => object,
        (None, Type::Void) => body.constant(Const::Null),
        (None, Type::Ref(_)) => value,
        (None, primitive) => {
            let (class, _) = BOXES.iter().find(|(_, ty)| *ty == primitive).expect("every primitive type has a box");
            let descriptor = format!("({})L{class};", library.descriptor_of(primitive));
            body.call(class, "valueOf", &descriptor, vec![value])
        }
    };
    body.give_back(value);
    body.bind(handler);
    let wrapper = library.class_id("java/lang/reflect/InvocationTargetException");
    let wrapped = body.new_object(wrapper, "(Ljava/lang/Throwable;)V", &[thrown]);
    body.emit(Instr::Throw { exception: Exception::Object(wrapped) });
    let body = body.finish("reflective call", declared.class);
    library.define(&key, target, body)
}
