//! Everything against brute force over small worlds: random models, statements, grids and values.

mod conditions;
mod cuts;
mod dense;
mod distances;
mod goals;
mod grids;
mod hostile;
mod points;
mod refutations;
mod world;
