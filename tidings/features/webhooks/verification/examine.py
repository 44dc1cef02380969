"""The verdict on a post for a receiver that says which secret it uses. Pure.

`diagnose` judges a post by the account's secrets. A receiver with another one refuses a good post,
and is right about one that its own secret made.
"""

import msgspec

from ..responses import Diagnosis, Finding
from .diagnose import Case, diagnose


def examine(case: Case) -> Diagnosis:
    """`valid`: a correct receiver with this secret takes the post."""
    by_account = diagnose(case)
    if case.secret is None or case.secret in (case.current, case.previous):
        return by_account
    by_given = diagnose(
        msgspec.structs.replace(case, current=case.secret, previous=None, secret=None)
    )
    if by_given.valid:
        return Diagnosis(True, [_OTHER_ACCOUNT])
    return Diagnosis(False, by_account.findings)


_OTHER_ACCOUNT = Finding(
    "secret_of_another",
    "The signature is right for the secret you gave, but that is not this account's secret: the"
    " post is another account's or environment's.",
)
