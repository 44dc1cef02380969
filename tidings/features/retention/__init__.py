"""How long messages and what belongs to them are kept (docs/decisions/0034-retention.md).

Whole months are dropped once nothing in them is needed any more; what has no months of its own is
deleted in pages. Sums of money stay.
"""
