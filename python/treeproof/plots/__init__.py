"""Pictures of reports. They need matplotlib, which comes with ``pip install treeproof[plot]``."""
