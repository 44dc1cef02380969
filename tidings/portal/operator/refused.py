"""Refusals of the account file's rules, beside the fields of a form."""

from tidings.account_file.form_values import by_field
from tidings.account_file.read import ValuesRefused
from tidings.errors import ApiError
from tidings.portal.visit import Visit

REFUSED = (ValuesRefused, ApiError)


def refuse(visit: Visit, refusal: ValuesRefused | ApiError, table: str = "") -> None:
    """`table`: that of the file which the form shows one entry of."""
    if isinstance(refusal, ApiError):
        if refusal.code.status == 404:
            raise refusal
        visit.refuse(refusal)
        return
    for name, text in by_field(refusal.problems, table).items():
        visit.form.error(name, text)
