//! `valueOf` of unknown numbers makes one box, which is the cache's where the number is one that the cache has, and a new one elsewhere. Boxes never change, so
//! this shows in their identity alone: [`Executor::same_boxes`] is where it is decided.

use std::rc::Rc;

use lazuli_logic::{BitOp, Term};
use lazuli_program::ir::{ClassId, Type};

use crate::arith;
use crate::executor::{Executor, Native};
use crate::heap::{HeapModel, Memory};
use crate::state::State;
use crate::suspend::{Step, unsupported};
use crate::vm::Boxed;

type Heap<M> = <M as Memory>::Heap;

type Cached = (&'static str, Type, &'static str, Option<(i64, i64)>);

/// The classes of boxes: what they hold, where their cache is, and the numbers from and to which it goes. The cache of truth values are two constants.
const BOXES: [Cached; 6] = [
    ("java/lang/Boolean", Type::Bool, "java/lang/Boolean", None),
    ("java/lang/Byte", Type::Byte, "java/lang/Byte$ByteCache", None),
    ("java/lang/Character", Type::Char, "java/lang/Character$CharacterCache", Some((0, 127))),
    ("java/lang/Short", Type::Short, "java/lang/Short$ShortCache", Some((-128, 127))),
    ("java/lang/Integer", Type::Int, "java/lang/Integer$IntegerCache", Some((-128, 127))),
    ("java/lang/Long", Type::Long, "java/lang/Long$LongCache", Some((-128, 127))),
];

/// The class that has the cache of a class of boxes.
pub(crate) fn cache_of(internal: &str) -> Option<&'static str> {
    BOXES.iter().find(|(name, ..)| *name == internal).map(|(_, _, holder, _)| *holder)
}

pub(super) fn find<M: HeapModel>(key: &str) -> Option<Native<M>> {
    let native: Native<M> = match key {
        "java/lang/Boolean.valueOf(Z)Ljava/lang/Boolean;" => |e, s, a| value_of(e, s, a, 0),
        "java/lang/Byte.valueOf(B)Ljava/lang/Byte;" => |e, s, a| value_of(e, s, a, 1),
        "java/lang/Character.valueOf(C)Ljava/lang/Character;" => |e, s, a| value_of(e, s, a, 2),
        "java/lang/Short.valueOf(S)Ljava/lang/Short;" => |e, s, a| value_of(e, s, a, 3),
        "java/lang/Integer.valueOf(I)Ljava/lang/Integer;" => |e, s, a| value_of(e, s, a, 4),
        "java/lang/Long.valueOf(J)Ljava/lang/Long;" => |e, s, a| value_of(e, s, a, 5),
        _ => return None,
    };
    Some(native)
}

fn value_of<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term], kind: usize) -> Step<Term> {
    if e.cx.terms.is_constant(args[0]) {
        // How the cache finds it is no part of the path: for an unknown number nothing is looked for.
        state.be_quiet(state.frames.len() - 1);
        return e.run_original(state);
    }
    let (name, ty, ..) = BOXES[kind];
    let class = e.cx.library().expect("only Java has natives").class_id(name);
    let Some(field) = e.cx.program.field_named(class, "value") else { return unsupported("boxes of this JDK") };
    let value = arith::narrow(&mut e.cx.terms, ty, args[0]);
    let object = e.model.alloc(&mut e.cx, &mut state.heap, class);
    e.model.preset(&mut e.cx, &mut state.heap, object, field, value);
    Rc::make_mut(&mut state.vm).boxes.insert(object, Boxed { kind, value: args[0] });
    Ok(object)
}

impl<M: HeapModel> Executor<'_, M> {
    /// Whether two references are equal, where `equal` says whether they are as far as boxes of unknown numbers are new objects. Where references are constants,
    /// that is decided here.
    pub(crate) fn same_boxes(&mut self, state: &mut State<M::Heap>, a: Term, b: Term, equal: Term) -> Step<Term> {
        let (left, right) = (self.cx.terms.leaves(a).to_vec(), self.cx.terms.leaves(b).to_vec());
        let mut either = vec![equal];
        for &(x, x_guard) in &left {
            for &(y, y_guard) in right.iter().filter(|(y, _)| *y != x) {
                let [of_x, of_y] = [x, y].map(|leaf| state.vm.boxes.get(&leaf).copied());
                let same = match (of_x, of_y) {
                    (Some(one), Some(other)) if one.kind == other.kind => {
                        let cached = self.is_in_cache(one);
                        let equal = self.cx.terms.eq(one.value, other.value);
                        self.cx.terms.and(cached, equal)
                    }
                    (Some(one), None) => self.is_of_cache(state, one, y)?,
                    (None, Some(other)) => self.is_of_cache(state, other, x)?,
                    _ => continue,
                };
                let same = self.cx.terms.all([x_guard, y_guard, same]);
                either.push(same);
            }
        }
        let equal = self.cx.terms.any(either);
        match self.model.enumerates() && equal.as_bool().is_none() {
            true => Ok(Term::bool(self.check(state, equal)?)),
            false => Ok(equal),
        }
    }

    /// Whether the cache has a box of the number.
    fn is_in_cache(&mut self, boxed: Boxed) -> Term {
        let (_, ty, _, range) = BOXES[boxed.kind];
        let Some((low, high)) = range else { return Term::TRUE };
        let width = if ty == Type::Long { 64 } else { 32 };
        let terms = &mut self.cx.terms;
        let [low, high] = [low, high].map(|bound| terms.bits(width, bound as u64));
        let (below, above) = (terms.bit_op(BitOp::SLt, boxed.value, low), terms.bit_op(BitOp::SLt, high, boxed.value));
        let outside = terms.or(below, above);
        terms.not(outside)
    }

    /// Whether a box is this object of the cache.
    fn is_of_cache(&mut self, state: &mut State<M::Heap>, boxed: Boxed, object: Term) -> Step<Term> {
        let Some(class) = self.model.classes(&mut self.cx, &state.heap, object).first().map(|(class, _)| *class) else {
            return Ok(Term::FALSE);
        };
        let (name, ty, ..) = BOXES[boxed.kind];
        let library = self.cx.library().expect("only Java has boxes");
        if object.as_location().is_none() || library.internal_name(class) != name || !self.caches(state, boxed, object)
        {
            return Ok(Term::FALSE);
        }
        let field = self.cx.program.field_named(class, "value").expect("a box has a value");
        let value = self.read(state, object, field)?;
        let value = arith::widen(&mut self.cx.terms, ty, value);
        Ok(self.cx.terms.eq(boxed.value, value))
    }

    /// Whether an object is one of the cache. While that is not initialised, none is.
    fn caches(&mut self, state: &mut State<M::Heap>, boxed: Boxed, object: Term) -> bool {
        let (_, ty, holder, _) = BOXES[boxed.kind];
        let library = self.cx.library().expect("only Java has boxes");
        let statics = |class: ClassId, names: &[&str]| -> Vec<Term> {
            let all = library.java(class).statics.iter().map(|(field, _)| *field);
            let named = all.filter(|field| names.contains(&library.field(*field).name.as_str()));
            named.filter_map(|field| self.static_so_far(state, field)).collect()
        };
        let holder = library.class_id(holder);
        if ty == Type::Bool {
            return statics(holder, &["TRUE", "FALSE"]).contains(&object);
        }
        let cache = statics(holder, &["cache"]);
        cache.iter().any(|cache| {
            self.model.arrays(&mut state.heap).dense(&self.cx, *cache).is_some_and(|all| all.contains(&object))
        })
    }

    /// Whether a reference may be a box of an unknown number.
    pub(super) fn may_be_box(&mut self, state: &State<M::Heap>, object: Term) -> bool {
        !state.vm.boxes.is_empty()
            && self.cx.terms.leaves(object).iter().any(|(leaf, _)| state.vm.boxes.contains_key(leaf))
    }
}
