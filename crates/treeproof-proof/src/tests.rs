//! Everything against brute force over small worlds: random models, statements, grids and values.

mod conditions;
mod distances;
mod goals;
mod grids;
mod hostile;
mod world;
