"""The table of pages: one line for each module that has some."""

from tidings.portal import choices
from tidings.portal.page import Page

MODULES: list[list[Page]] = [
    choices.PAGES,
]

PAGES = [page for pages in MODULES for page in pages]
