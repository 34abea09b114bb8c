//! The heap models by their names: the one place that lists them.

/// Evaluates an expression with a maker of the heap model that a [`crate::HeapKind`] names.
#[macro_export]
macro_rules! with_heap_model {
    ($kind:expr, |$make:ident| $body:expr) => {{
        use $crate::config::HeapKind;
        use $crate::heap::{lazy::Lazy, lazy::When, pose::Pose, summary::Summary};
        match $kind {
            HeapKind::Lazy => {
                let $make = || Lazy::new(When::Load);
                $body
            }
            HeapKind::Lazier => {
                let $make = || Lazy::new(When::Use);
                $body
            }
            HeapKind::LazierSharp => {
                let $make = || Lazy::new(When::UseSharp);
                $body
            }
            HeapKind::UberLazy => {
                let $make = || Summary::new(true);
                $body
            }
            HeapKind::Summary => {
                let $make = || Summary::new(false);
                $body
            }
            HeapKind::Pose => {
                let $make = || Pose;
                $body
            }
        }
    }};
}
pub use with_heap_model;
