"""What we stand on: every locked dependency has hashes and is on the list, and known faults are
looked up where the advisories can be reached.

    make audit                            or: python -m proof.audit
    python -m proof.audit --write         the list anew, after `make lock`
    python -m proof.audit --require-advisories   fails where they cannot be reached
"""
