"""The table of pages: one line for each module that has some."""

from tidings.portal import choices
from tidings.portal.operator import account, account_forms, accounts, number, overview
from tidings.portal.page import Page
from tidings.portal.phone import answer, clock, media, phone
from tidings.portal.start import start
from tidings.portal.stream import page as stream

MODULES: list[list[Page]] = [
    choices.PAGES,
    start.PAGES,
    stream.PAGES,
    phone.PAGES,
    answer.PAGES,
    clock.PAGES,
    media.PAGES,
    overview.PAGES,
    accounts.PAGES,
    account.PAGES,
    account_forms.PAGES,
    number.PAGES,
]

PAGES = [page for pages in MODULES for page in pages]
