"""The table of the operator's pages."""

from tidings.portal.operator import (
    account,
    account_acts,
    account_forms,
    account_people,
    accounts,
    forms,
    health,
    invoices,
    keys,
    number,
    overview,
    parked,
    people,
    templates,
    transfers,
)
from tidings.portal.page import Page

MODULES: list[list[Page]] = [
    overview.PAGES,
    accounts.PAGES,
    account.PAGES,
    account_acts.PAGES,
    account_forms.PAGES,
    account_people.PAGES,
    number.PAGES,
    keys.PAGES,
    templates.PAGES,
    people.PAGES,
    transfers.PAGES,
    forms.PAGES,
    invoices.PAGES,
    parked.PAGES,
    health.PAGES,
]

PAGES = [page for pages in MODULES for page in pages]
