//! The functions of Java's `StrictMath`, bit for bit. No solver knows them: a model with one in it is believed if it holds when they are computed.

mod fdlibm;

/// A function of one number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Computed {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Expm1,
    Log,
    Log10,
    Log1p,
}

impl Computed {
    pub const ALL: [Computed; 13] = [
        Computed::Sin,
        Computed::Cos,
        Computed::Tan,
        Computed::Asin,
        Computed::Acos,
        Computed::Atan,
        Computed::Sinh,
        Computed::Cosh,
        Computed::Tanh,
        Computed::Expm1,
        Computed::Log,
        Computed::Log10,
        Computed::Log1p,
    ];

    /// As Java names it.
    pub fn name(self) -> &'static str {
        match self {
            Computed::Sin => "sin",
            Computed::Cos => "cos",
            Computed::Tan => "tan",
            Computed::Asin => "asin",
            Computed::Acos => "acos",
            Computed::Atan => "atan",
            Computed::Sinh => "sinh",
            Computed::Cosh => "cosh",
            Computed::Tanh => "tanh",
            Computed::Expm1 => "expm1",
            Computed::Log => "log",
            Computed::Log10 => "log10",
            Computed::Log1p => "log1p",
        }
    }

    pub fn named(name: &str) -> Option<Computed> {
        Computed::ALL.into_iter().find(|function| function.name() == name)
    }

    pub fn apply(self, x: f64) -> f64 {
        let value = match self {
            Computed::Sin => fdlibm::sin(x),
            Computed::Cos => fdlibm::cos(x),
            Computed::Tan => libm::tan(x),
            Computed::Asin => libm::asin(x),
            Computed::Acos => libm::acos(x),
            Computed::Atan => libm::atan(x),
            Computed::Sinh => fdlibm::sinh(x),
            Computed::Cosh => fdlibm::cosh(x),
            Computed::Tanh => fdlibm::tanh(x),
            Computed::Expm1 => libm::expm1(x),
            Computed::Log => fdlibm::log(x),
            Computed::Log10 => fdlibm::log10(x),
            Computed::Log1p => fdlibm::log1p(x),
        };
        if value.is_nan() { f64::NAN } else { value }
    }
}

/// A function of two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ComputedPair {
    Atan2,
    Remainder,
}

impl ComputedPair {
    pub fn name(self) -> &'static str {
        match self {
            ComputedPair::Atan2 => "atan2",
            ComputedPair::Remainder => "IEEEremainder",
        }
    }

    pub fn named(name: &str) -> Option<ComputedPair> {
        [ComputedPair::Atan2, ComputedPair::Remainder].into_iter().find(|function| function.name() == name)
    }

    pub fn apply(self, a: f64, b: f64) -> f64 {
        let value = match self {
            ComputedPair::Atan2 => fdlibm::atan2(a, b),
            ComputedPair::Remainder => libm::remainder(a, b),
        };
        if value.is_nan() { f64::NAN } else { value }
    }
}

/// What `StrictMath` gives. `None` for a function that is not here.
pub fn strict(name: &str, args: &[f64]) -> Option<f64> {
    let value = match (name, args) {
        (name, &[x]) => Computed::named(name)?.apply(x),
        (name, &[a, b]) => ComputedPair::named(name)?.apply(a, b),
        ("fma", &[x, y, z]) => libm::fma(x, y, z),
        _ => return None,
    };
    Some(if value.is_nan() { f64::NAN } else { value })
}
