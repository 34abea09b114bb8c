//! Reports: functions from a finished run to text. They compute nothing.

pub mod json;
pub mod svg;
pub mod text;
