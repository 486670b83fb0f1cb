//! What every fuzz target asks of the bytes it is given: not only that nothing panics, but that whatever loads keeps the
//! laws of a model or of a table.

pub mod model;
pub mod table;
