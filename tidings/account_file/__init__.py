"""The account file: the TOML file that `tidings apply` makes the service match.

`format.py` declares its tables once; reading (`read.py`), the JSON Schema (`schema.py`) and the
reference page (`reference.py`) follow from it. `plan.py`, `changes.py` and `apply.py` carry it out.
"""
