"""Register an event, or change one, as POST /events does."""

from functools import partial

from starlette.responses import Response

from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.events import listing
from tidings.features.events.listing import Counted
from tidings.features.events.model import Settings
from tidings.features.events.register import Registered, register
from tidings.features.events.rules import EventCode
from tidings.features.people.roles import Right
from tidings.features.senders.lookup import load_numbers
from tidings.portal.events import settings_form
from tidings.portal.events.address import event_path
from tidings.portal.events.settings_form import Reader
from tidings.portal.page import Page
from tidings.portal.visit import Visit

MORE = ("expires_at", "undelivered_minutes", "nudge_minutes", "sent_from")  # seldom needed


async def show_new(visit: Visit) -> Response:
    _ = visit.gettext
    visit.form.fill(
        {
            "callback_url": visit.chosen.webhook_url,
            "invalid_reply": _(
                "Sorry, I did not understand. Are you coming? Please answer yes or no."
            ),
            "nudge": _("We would love to know whether you are coming: yes or no?"),
            "expired": _("Thank you for your reply. The guest list is closed by now."),
        }
    )
    return await _page(visit, None)


async def create(visit: Visit) -> Response:
    event_id = visit.form["event_id"]
    settings = settings_form.read(visit.form, event_id, _reader(visit))
    if settings is None:
        return await _page(visit, None)
    try:
        await visit.transact(partial(_create, visit, event_id, settings))
    except ApiError as refusal:
        settings_form.refuse(visit.form, refusal, visit.gettext)
        return await _page(visit, None)
    return visit.redirect(event_path(event_id), notice=visit.gettext("The event is registered."))


async def show_edit(visit: Visit) -> Response:
    found = await _load(visit)
    visit.form.fill(settings_form.first_values(found.event, visit.zone))
    return await _page(visit, found)


async def change(visit: Visit) -> Response:
    """A date that guests were invited to is changed only after asking again."""
    _ = visit.gettext
    found = await _load(visit)
    event_id = found.event.event_id
    reader = _reader(visit, found.event.settings)
    settings = settings_form.read(visit.form, event_id, reader)
    if settings is None:
        return await _page(visit, found)
    try:
        await visit.transact(partial(_change, visit, event_id, settings))
    except ApiError as refusal:
        if refusal.code is EventCode.EVENT_LOCKED:
            text = _(
                "Invitations with the old date went out. Those without an end of their own "
                "move with the event; the guests are not told."
            )
            return visit.confirm(_("Change the date?"), text, event_path(event_id, "/edit"))
        settings_form.refuse(visit.form, refusal, visit.gettext)
        return await _page(visit, found)
    return visit.redirect(event_path(event_id), notice=_("The event is saved."))


async def _load(visit: Visit) -> Counted:
    account, event_id = visit.chosen, visit.params["eventId"]
    return await visit.transact(lambda tx: listing.load_event(tx, account, event_id))


def _reader(visit: Visit, before: Settings | None = None) -> Reader:
    allow_private = visit.ctx.settings.allow_private_webhooks
    return Reader(visit.gettext, visit.zone, allow_private, before)


async def _create(visit: Visit, event_id: str, settings: Settings, tx: Tx) -> None:
    """The same form sent again is no fault; other settings for a known id are."""
    done = await register(tx, visit.chosen.id, event_id, settings, confirmed=False)
    if done.is_new:
        await visit.record(tx, "event.created", event_id)
    elif not done.duplicate:
        visit.form.error("event_id", visit.gettext("There is an event with this id already."))
        raise ApiError(Code.VALIDATION_ERROR, field="eventId")


async def _change(visit: Visit, event_id: str, settings: Settings, tx: Tx) -> None:
    done: Registered = await register(
        tx, visit.chosen.id, event_id, settings, confirmed=visit.is_confirmed
    )
    if not done.duplicate:
        await visit.record(tx, "event.changed", event_id)


async def _page(visit: Visit, found: Counted | None) -> Response:
    account_id = visit.chosen.id
    numbers = await visit.transact(lambda tx: load_numbers(tx, [account_id]))
    path = "/events/new" if found is None else event_path(found.event.event_id, "/edit")
    return visit.page(
        "events/edit.html",
        found=found,
        path=path,
        back="/events" if found is None else event_path(found.event.event_id),
        numbers=numbers.get(account_id, []),
        is_more_open=any(visit.form[name] or name in visit.form.errors for name in MORE),
    )


PAGES = [
    Page("/events/new", get=show_new, post=create, needs=Right.SEND),
    Page("/events/{eventId}/edit", get=show_edit, post=change, needs=Right.SEND),
]
