"""`make fuzz`: malformed requests to a running service, and malformed input to every parser.

python -m proof.fuzz [--requests N] [--seed S] [--only PHASE,...] [--json] [--replay FILE]
python -m proof.fuzz --parsers [--seconds S]
"""
