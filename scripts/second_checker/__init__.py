"""A checker of proofs, written from docs/proofs.md.

| module | content |
|---|---|
| `errors`, `numbers` | what is wrong or out of scope; exact numbers and single precision |
| `proof_file` | blocks of the file, and JSON with the fields that it may have |
| `models`, `loaders`, `labels` | what the libraries compute, read from their files, and the decision bands of labels |
| `statement`, `distance` | the inputs and the goal that a claim is about |
| `grid`, `bundles`, `ledger` | cells, trees over cells, costs of cells |
| `log` | the regions, and why nothing in them exceeds the claim |
| `conclusion` | the claim, the witness, and a proof as a whole |

Each module depends on those above it.
"""
