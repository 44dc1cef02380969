"""A person's data: found, exported, erased; and erased after the account's retention time.

docs/decisions/0029-privacy.md says what is erased, what is kept without the person, and why.
"""
