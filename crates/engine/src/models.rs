//! The heap models by their names: the one place that lists them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::heap::{self, Enumerating};

/// From the list of models: their kinds, names and makers. (The first token is the dollar of the macro that is made.)
macro_rules! heap_models {
    ($dollar:tt $($kind:ident, $name:literal, $make:expr;)*) => {
        /// What an unknown reference becomes; see `docs/heap-models.md`.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub enum HeapKind {
            $($kind,)*
        }

        impl HeapKind {
            pub const ALL: [HeapKind; [$($name),*].len()] = [$(HeapKind::$kind),*];

            pub fn name(self) -> &'static str {
                match self {
                    $(HeapKind::$kind => $name,)*
                }
            }

            /// Whether an input symbol stands for an object of its own, or for nothing: then its class is the object's
            /// class.
            pub fn resolves_inputs(self) -> bool {
                match self {
                    $(HeapKind::$kind => ($make).enumerates(),)*
                }
            }
        }

        /// Evaluates an expression with a maker of the heap model that a [`HeapKind`](crate::models::HeapKind) names.
        #[macro_export]
        macro_rules! with_heap_model {
            ($dollar kind:expr, |$dollar make:ident| $dollar body:expr) => {
                match $dollar kind {
                    $($crate::models::HeapKind::$kind => {
                        use $crate::heap;
                        let $dollar make = || $make;
                        $dollar body
                    })*
                }
            };
        }
    };
}

heap_models! { $
    Lazy, "lazy", heap::lazy::Lazy::new(heap::lazy::When::Load);
    Lazier, "lazier", heap::lazy::Lazy::new(heap::lazy::When::Use);
    LazierSharp, "lazier#", heap::lazy::Lazy::new(heap::lazy::When::UseSharp);
    UberLazy, "uber-lazy", heap::summary::Summary::new(true);
    Summary, "summary", heap::summary::Summary::new(false);
    Pose, "pose", heap::pose::Pose::<heap::pose::Log>::default();
    PoseIte, "pose-ite", heap::pose::Pose::<heap::pose::Columns>::default();
}

impl fmt::Display for HeapKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for HeapKind {
    type Err = String;

    fn from_str(name: &str) -> Result<HeapKind, String> {
        HeapKind::ALL.into_iter().find(|k| k.name() == name).ok_or_else(|| {
            let names: Vec<&str> = HeapKind::ALL.iter().map(|k| k.name()).collect();
            format!("there is no heap model {name}; there are {}", names.join(", "))
        })
    }
}

impl From<HeapKind> for String {
    fn from(kind: HeapKind) -> String {
        kind.name().into()
    }
}

impl TryFrom<String> for HeapKind {
    type Error = String;

    fn try_from(name: String) -> Result<HeapKind, String> {
        name.parse()
    }
}
