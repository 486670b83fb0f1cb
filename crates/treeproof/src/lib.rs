//! Questions about tree ensembles, answered with proof.
