//! The checks of the fuzz targets: no bytes make anything panic, and whatever is read keeps the laws of a model, a table, a
//! condition or a task.

pub mod condition;
pub mod model;
pub mod proof;
pub mod table;
pub mod task;
