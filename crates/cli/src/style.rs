//! How a text is to look: how much of it there is, how wide it may be, and whether it is painted.

use crate::terminal::Paint;

/// How a text is to look.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// How many behaviours or traces are shown.
    pub show: u64,
    /// With formulas and what it took.
    pub verbose: bool,
    /// Violations and the verdict only.
    pub quiet: bool,
    pub colour: bool,
    /// How many characters a line may have.
    pub width: usize,
}

impl Style {
    fn painted(self, paint: Paint, text: &str) -> String {
        if self.colour { paint.on(text) } else { text.to_string() }
    }

    pub fn bold(self, text: &str) -> String {
        self.painted(Paint::Bold, text)
    }

    pub fn dim(self, text: &str) -> String {
        self.painted(Paint::Dim, text)
    }

    pub fn red(self, text: &str) -> String {
        self.painted(Paint::Red, text)
    }

    pub fn green(self, text: &str) -> String {
        self.painted(Paint::Green, text)
    }

    pub fn yellow(self, text: &str) -> String {
        self.painted(Paint::Yellow, text)
    }
}
