"""The table of pages: one line for each module that has some."""

from tidings.portal import choices
from tidings.portal.entry import sign_in, sign_up, welcome
from tidings.portal.operator import overview
from tidings.portal.page import Page
from tidings.portal.people import members, own, people, second_factor
from tidings.portal.phone import answer, clock, media, phone
from tidings.portal.start import start
from tidings.portal.stream import page as stream

MODULES: list[list[Page]] = [
    choices.PAGES,
    sign_in.PAGES,
    sign_up.PAGES,
    welcome.PAGES,
    people.PAGES,
    members.PAGES,
    own.PAGES,
    second_factor.PAGES,
    start.PAGES,
    stream.PAGES,
    phone.PAGES,
    answer.PAGES,
    clock.PAGES,
    media.PAGES,
    overview.PAGES,
]

PAGES = [page for pages in MODULES for page in pages]
