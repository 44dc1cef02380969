"""A mixed load at a modest rate for an hour: what grows, beside what is stored.

python -m proof.bounds.soak [--minutes 60] [--json] [--samples FILE] [--chart FILE]
"""
