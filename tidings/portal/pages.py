"""The table of pages: one line for each module that has some."""

from tidings.portal import choices
from tidings.portal.audit import audit
from tidings.portal.batches import batch, batches, check, columns, upload
from tidings.portal.entry import sign_in, sign_up, welcome
from tidings.portal.events import edit, event, events, guests_file, settle
from tidings.portal.forms import form, forms
from tidings.portal.keys import keys
from tidings.portal.links import link, links
from tidings.portal.messages import message, messages
from tidings.portal.money import pages as money
from tidings.portal.numbers import numbers
from tidings.portal.operator import pages as operator
from tidings.portal.page import Page
from tidings.portal.people import members, own, people, second_factor
from tidings.portal.phone import answer, clock, media, phone
from tidings.portal.privacy import privacy, reading, readings_file
from tidings.portal.recipients import optouts
from tidings.portal.requests import calls
from tidings.portal.start import own_key, start
from tidings.portal.stream import page as stream
from tidings.portal.templates import templates
from tidings.portal.webhooks import acts as webhook_acts
from tidings.portal.webhooks import event as webhook_event

MODULES: list[list[Page]] = [
    choices.PAGES,
    sign_in.PAGES,
    sign_up.PAGES,
    welcome.PAGES,
    people.PAGES,
    members.PAGES,
    own.PAGES,
    second_factor.PAGES,
    audit.PAGES,
    start.PAGES,
    own_key.PAGES,
    stream.PAGES,
    phone.PAGES,
    answer.PAGES,
    clock.PAGES,
    media.PAGES,
    events.PAGES,
    event.PAGES,
    edit.PAGES,
    settle.PAGES,
    guests_file.PAGES,
    optouts.PAGES,
    keys.PAGES,
    webhook_acts.PAGES,
    webhook_event.PAGES,
    money.PAGES,
    messages.PAGES,
    message.PAGES,
    batches.PAGES,
    upload.PAGES,
    columns.PAGES,
    check.PAGES,
    batch.PAGES,
    links.PAGES,
    link.PAGES,
    templates.PAGES,
    numbers.PAGES,
    forms.PAGES,
    form.PAGES,
    calls.PAGES,
    privacy.PAGES,
    reading.PAGES,
    readings_file.PAGES,
    operator.PAGES,
]

PAGES = [page for pages in MODULES for page in pages]
