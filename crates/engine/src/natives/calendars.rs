//! Calendars of a time that is not known, because it differs from run to run: what day it is differs as well. Its fields can be passed on and set
//! anew; who decides something by them stops by name.

use lazuli_logic::Term;
use lazuli_program::ir::{ClassId, FieldId, Type};
use lazuli_program::library::{IDENTITY_HASH, LENGTH};

use crate::arith;
use crate::config::Varying;
use crate::executor::{Executor, Native};
use crate::heap::{HeapModel, Memory};
use crate::state::State;
use crate::suspend::Step;

type Heap<M> = <M as Memory>::Heap;

const CALENDAR: &str = "java/util/Calendar";
const GREGORIAN: &str = "java/util/GregorianCalendar";
/// What differs.
const DATE: &str = "the time";
/// The mark of a field that the calendar has computed from the time.
const COMPUTED: i64 = 1;

pub(super) fn find<M: HeapModel>(key: &str) -> Option<Native<M>> {
    let native: Native<M> = match key {
        "java/util/Calendar.setTimeInMillis(J)V" => set_time,
        "java/time/Clock.currentInstant()Ljava/time/Instant;" => current_instant,
        "java/text/SimpleDateFormat.initializeDefaultCentury()V" => default_century,
        _ => return None,
    };
    Some(native)
}

impl<M: HeapModel> Executor<'_, M> {
    /// Whether a number is one that differs from run to run.
    fn is_varying(&self, number: Term) -> bool {
        self.cx.terms.symbols_of(number).into_iter().any(|symbol| self.cx.is_varying(symbol))
    }

    /// Whether an object is a calendar as the JDK has it.
    fn is_gregorian(&mut self, state: &State<M::Heap>, calendar: Term) -> bool {
        let classes = self.model.classes(&mut self.cx, &state.heap, calendar);
        let library = self.cx.library().expect("only Java has calendars");
        let is_it = matches!(classes[..], [(class, _)] if library.internal_name(class) == GREGORIAN);
        // Nothing is decided about an object of the path while it is changed.
        is_it && calendar.as_location().is_some()
    }

    fn field_of(&self, class: &str, name: &str) -> Option<(FieldId, Type)> {
        let library = self.cx.library()?;
        let field = self.cx.program.field_named(library.class_id(class), name)?;
        Some((field, library.field(field).ty))
    }

    fn set(&mut self, state: &mut State<M::Heap>, object: Term, class: &str, name: &str, value: Term) -> Step {
        if let Some((field, ty)) = self.field_of(class, name) {
            let value = arith::narrow(&mut self.cx.terms, ty, value);
            self.write(state, object, field, value)?;
        }
        Ok(())
    }

    /// A date like another, whose numbers differ from run to run; but what it remembers of other years is the same.
    fn varying_date(&mut self, state: &mut State<M::Heap>, like: Term, class: ClassId) -> Step<Term> {
        let date = self.model.alloc(&mut self.cx, &mut state.heap, class);
        for field in self.cx.program.class(class).layout.clone() {
            let (ty, name) = (self.cx.program.field(field).ty, &self.cx.program.field(field).name);
            if field == IDENTITY_HASH {
                continue;
            }
            let value = match ty.is_ref() || name.starts_with("cached") {
                true => self.read(state, like, field)?,
                false => {
                    let value = self.varying(state, DATE, ty)?;
                    arith::narrow(&mut self.cx.terms, ty, value)
                }
            };
            self.model.preset(&mut self.cx, &mut state.heap, date, field, value);
        }
        Ok(date)
    }

    /// A calendar has a time of which nothing is known, with all that follows from it.
    fn set_varying_time(&mut self, state: &mut State<M::Heap>, calendar: Term, millis: Term) -> Step {
        let yes = self.cx.int(1);
        self.set(state, calendar, CALENDAR, "time", millis)?;
        for name in ["isTimeSet", "areFieldsSet", "areAllFieldsSet"] {
            self.set(state, calendar, CALENDAR, name, yes)?;
        }
        let computed = self.cx.int(COMPUTED);
        for (name, ty, value) in
            [("fields", Type::Int, None), ("isSet", Type::Byte, Some(yes)), ("stamp", Type::Int, Some(computed))]
        {
            let Some((field, _)) = self.field_of(CALENDAR, name) else { continue };
            let array = self.read(state, calendar, field)?;
            let length = self.read(state, array, LENGTH)?;
            for at in 0..self.cx.terms.as_bits(length).map_or(0, |(_, length)| length as i64) {
                let value = match value {
                    Some(value) => value,
                    None => self.varying(state, DATE, ty)?,
                };
                let (at, value) = (self.cx.int(at), arith::narrow(&mut self.cx.terms, ty, value));
                self.set_element(state, array, at, value)?;
            }
        }
        // The date of the time. The calendar writes into another one when it computes the next, and says then which that is.
        let none = self.cx.terms.bits(64, i64::MIN as u64);
        self.set(state, calendar, GREGORIAN, "cachedFixedDate", none)?;
        if let Some((field, _)) = self.field_of(GREGORIAN, "gdate") {
            let other = self.read(state, calendar, field)?;
            let classes = self.model.classes(&mut self.cx, &state.heap, other);
            if let [(class, _)] = classes[..] {
                let date = self.varying_date(state, other, class)?;
                self.set(state, calendar, GREGORIAN, "cdate", date)?;
            }
        }
        let library = self.cx.library().expect("only Java has calendars");
        let class = library.class_id(GREGORIAN);
        let system = library.java(class).statics.iter().find(|(field, _)| library.field(*field).name == "gcal");
        if let Some(system) = system.and_then(|(field, _)| self.static_so_far(state, *field)) {
            self.set(state, calendar, GREGORIAN, "calsys", system)?;
        }
        Ok(())
    }
}

fn set_time<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    if !e.is_gregorian(state, args[0]) {
        return e.run_original(state);
    }
    if e.is_varying(args[1]) {
        return e.set_varying_time(state, args[0], args[1]).map(|()| Term::NULL);
    }
    let Some((time, _)) = e.field_of(CALENDAR, "time") else { return e.run_original(state) };
    let before = e.read(state, args[0], time)?;
    if e.is_varying(before) {
        // Whether it is another time than before only says whether all is computed once more: it is.
        let no = e.cx.int(0);
        e.set(state, args[0], CALENDAR, "time", args[1])?;
        e.set(state, args[0], CALENDAR, "areFieldsSet", no)?;
    }
    e.run_original(state)
}

/// The instant that it is; where the time is an input, the JDK's own code makes a valid one of it.
fn current_instant<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, _: &[Term]) -> Step<Term> {
    if e.config.environment.varying == Varying::Unknown {
        return e.run_original(state);
    }
    let (seconds, nanos) = (e.varying(state, DATE, Type::Long)?, e.varying(state, DATE, Type::Int)?);
    Ok(e.object_with(state, "java/time/Instant", &[("seconds", seconds), ("nanos", nanos)]))
}

/// Years of two digits are those of a hundred years that began eighty years ago: whoever reads one has to know when that was.
fn default_century<M: HeapModel>(e: &mut Executor<M>, state: &mut State<Heap<M>>, args: &[Term]) -> Step<Term> {
    const FORMAT: &str = "java/text/SimpleDateFormat";
    let Some(calendar) =
        e.cx.program.field_named(e.cx.library().expect("only Java has formats").class_id(FORMAT), "calendar")
    else {
        return e.run_original(state);
    };
    let calendar = e.read(state, args[0], calendar)?;
    let now = e.varying(state, DATE, Type::Long)?;
    if !e.is_varying(now) || !e.is_gregorian(state, calendar) {
        return e.run_original(state);
    }
    e.set_varying_time(state, calendar, now)?;
    let date = e.object_with(state, "java/util/Date", &[("fastTime", now)]);
    e.set(state, args[0], FORMAT, "defaultCenturyStart", date)?;
    let year = e.varying(state, DATE, Type::Int)?;
    e.set(state, args[0], FORMAT, "defaultCenturyStartYear", year)?;
    Ok(Term::NULL)
}
