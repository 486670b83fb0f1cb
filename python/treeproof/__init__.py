"""treeproof: exact answers about tree ensembles."""
