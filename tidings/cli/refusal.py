"""How a command says no: one sentence on stderr and exit code 1, never a traceback."""


class Refused(Exception):
    """What was asked cannot be done. The text is shown to the operator as it is."""
