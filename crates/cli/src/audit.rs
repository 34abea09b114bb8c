//! `lazuli audit`: calls of Java's library, ours beside the JVM's; methods of jars, explored.

mod methods;

use lazuli_lab::library::{self, Comparison, Difference, Extent};
use lazuli_program::bytecode::Scratch;

use crate::args::Audit;
use crate::terminal;

/// Exit code 1 where an answer differs, 3 where some calls were not executed to their ends.
pub fn run(args: &Audit) -> Result<u8, String> {
    if !args.methods.is_empty() {
        return methods::run(args);
    }
    let extent = Extent { seed: args.seed, calls: args.calls, only: args.only.clone(), jar: args.jar.clone() };
    let scratch = Scratch::new().map_err(|e| e.to_string())?;
    let comparison = library::compare(&extent, scratch.path())?;
    terminal::print(&show(&comparison));
    Ok(match (comparison.different.is_empty(), comparison.stopped.is_empty()) {
        (false, _) => 1,
        (true, false) => 3,
        (true, true) => 0,
    })
}

/// Differences first, then what stopped, what stops most calls first.
pub fn show(comparison: &Comparison) -> String {
    let mut text = String::new();
    for difference in &comparison.different {
        let Difference { source, ours, theirs, place } = difference;
        let place = if place.is_empty() { String::new() } else { format!(", thrown in {place}") };
        text += &format!("different: {source}\n  here {ours}{place}\n  JVM  {theirs}\n");
    }
    let mut stopped: Vec<_> = comparison.stopped.iter().collect();
    stopped.sort_by_key(|(_, stopped)| std::cmp::Reverse(stopped.calls));
    for (why, stopped) in stopped {
        text += &format!("{:>5} {why}\n      {}\n      in {}\n", stopped.calls, stopped.source, stopped.place);
    }
    text + &format!(
        "{} calls of {} methods: {} executed ({:.1} %), {} different; {} more are not comparable\n",
        comparison.calls,
        comparison.methods,
        comparison.executed,
        100.0 * comparison.executed as f64 / comparison.calls.max(1) as f64,
        comparison.different.len(),
        comparison.not_comparable,
    )
}
