//! What was written, what was not, and what the tests execute.

use std::collections::BTreeMap;
use std::path::Path;

use lazuli::Target;
use lazuli::coverage::{self, Coverage, Explored};
use lazuli_program::escape;

use super::Test;
use super::method::Tested;
use super::source::Class;
use crate::code::Tier;
use crate::names::{self, plural};
use crate::report;
use crate::verdict::{CUT_OFF, VIOLATED};

/// What is known of a method beside its tests.
pub struct Known {
    method: String,
    /// What was not explored, if something was not.
    cut: Option<String>,
    explored: Option<Explored>,
}

impl Known {
    pub fn of(tested: &Tested) -> Known {
        Known { method: tested.method.clone(), cut: tested.cut.clone(), explored: tested.explored.clone() }
    }
}

/// What the tests that were written execute, as far as it is the methods under test that do it.
pub fn counted(target: &Target, classes: &[Class], known: &[Known]) -> Result<Coverage, String> {
    let of_method = |known: &Known| {
        let mut explored = known.explored.clone()?;
        for test in classes.iter().flat_map(|class| &class.tests).filter(|test| test.method == known.method) {
            match test.attempt() {
                Some(attempt) => explored.executed.extend(attempt.executed.clone()),
                None => explored.is_partial = true,
            }
        }
        Some(explored)
    };
    let explored: Vec<Explored> = known.iter().filter_map(of_method).collect();
    coverage::count(target.classes(), &explored).map_err(names::error)
}

/// How many tests there are of each kind.
#[derive(Default)]
struct Numbers {
    tiers: BTreeMap<Tier, u64>,
    failures: u64,
    doubtful: u64,
    unwritten: u64,
}

/// Prints what was written and what was not; the exit code.
pub fn print(classes: &[Class], known: &[Known], counted: &Coverage, out: &Path, is_detailed: bool) -> u8 {
    let mut numbers = Numbers::default();
    for class in classes {
        let written = class.tests.iter().filter(|test| test.attempt().is_some()).count() as u64;
        if written > 0 {
            let path = out.join(class.path()).display().to_string();
            println!("\n{}: {written} {}", escape::line(&path), plural(written, "test"));
        } else if !class.tests.is_empty() {
            println!("\n{}: no test", class.of);
        }
        class.tests.iter().for_each(|test| println!("  {}", numbers.line(test)));
    }
    println!();
    if is_detailed {
        print!("{}", report::coverage::text(counted));
    }
    let cut: Vec<(&String, &String)> =
        known.iter().filter_map(|known| Some((&known.method, known.cut.as_ref()?))).collect();
    for (method, why) in &cut {
        println!("not all of {} was explored: {}", escape::line(method), escape::line(why));
    }
    numbers.print(counted);
    match () {
        _ if numbers.failures > 0 => VIOLATED,
        _ if numbers.doubtful > 0 || numbers.unwritten > 0 || !cut.is_empty() => CUT_OFF,
        _ => 0,
    }
}

impl Numbers {
    /// What became of a test, which is counted.
    fn line(&mut self, test: &Test) -> String {
        let Some(attempt) = test.attempt() else {
            self.unwritten += 1;
            let why = test.why.lines().next().unwrap_or_default();
            return format!("not written: {}: {}", test.name, escape::line(why));
        };
        *self.tiers.entry(attempt.tier).or_default() += 1;
        let failure = match (&test.shows, test.doubt()) {
            (None, _) => String::new(),
            (Some(what), None) => {
                self.failures += 1;
                format!("   FAILURE: {}", escape::line(what))
            }
            (Some(what), Some(doubt)) => {
                self.doubtful += 1;
                format!("   may fail, {doubt}: {}", escape::line(what))
            }
        };
        format!("{}{failure}", test.name)
    }

    fn print(&self, counted: &Coverage) {
        let count = |tier: Tier| self.tiers.get(&tier).copied().unwrap_or(0);
        let number: u64 = self.tiers.values().sum();
        if number > 0 {
            let (lines, branches) = (counted.line_count(), counted.branch_count());
            println!("the tests execute {}", report::coverage::counts(lines, branches));
        }
        println!(
            "{number} {}: {} by public calls, {} within the package, {} by reflection; {} {} a failure; {} not written",
            plural(number, "test"),
            count(Tier::Public),
            count(Tier::Package),
            count(Tier::Reflection),
            self.failures,
            names::plural_of(self.failures, "shows", "show"),
            self.unwritten,
        );
    }
}
