"""Getting started: what is missing, samples with the account's own key, and a first message."""

import secrets
from copy import copy
from dataclasses import dataclass
from functools import partial

import msgspec
from starlette.responses import Response

from tidings import phone
from tidings.engine.db.tx import Tx
from tidings.engine.http.envelope import success
from tidings.engine.http.fields import decode_small
from tidings.errors import ApiError
from tidings.features.accounts.keys import find_sample_key
from tidings.features.accounts.model import Account
from tidings.features.messages.model import Message, Status
from tidings.features.messages.read import lookup, responses
from tidings.features.messages.request.text import TextBody, parse_text
from tidings.features.messages.send.send import send
from tidings.features.people.roles import Right
from tidings.features.templates.lookup import load_templates
from tidings.features.templates.model import Template
from tidings.features.templates.readiness import Check
from tidings.features.templates.ready import load_checks
from tidings.features.webhooks.recent import SignedEvent, load_recent
from tidings.platforms.content import Content
from tidings.portal import bubbles
from tidings.portal.page import Page
from tidings.portal.phone.number import as_digits
from tidings.portal.shown_events import is_about, is_of, shown_event
from tidings.portal.start import receiver, sample
from tidings.portal.visit import Visit

EVENTS_READ_MAX = 30
EVENTS_SHOWN_MAX = 8
ID_BYTES = 6


@dataclass(frozen=True, slots=True)
class Seen:
    """What the page shows. `sent`: the message that was sent from it."""

    checks: list[Check]
    template: Template | None
    key: str
    is_own_key: bool
    sent: tuple[Message, Content] | None
    events: list[SignedEvent]
    has_sent: bool


async def show(visit: Visit) -> Response:
    """Who may not read messages is led to what they may see."""
    if not visit.may(Right.READ):
        return visit.redirect(_elsewhere(visit))
    account = visit.chosen
    seen = await visit.transact(partial(_load, visit, account))
    to = sample.FIRST_NUMBER if account.is_sandbox else ""
    visit.form.fill({"to": to})
    return visit.page("start/start.html", None, seen=seen, **_shown(visit, account, seen))


async def send_test(visit: Visit) -> Response:
    """The message of the samples, by the same verbs as the API."""
    account, cid = visit.chosen, visit.form["clientMessageId"]
    try:
        templates = await visit.transact(partial(_templates, account))
        template = sample.choose_template(account, templates)
        if template is None:
            return visit.redirect("/")
        body = sample.body(template, cid, as_digits(visit.form["to"]), visit.now)
        text = decode_small(TextBody, msgspec.json.encode(body))
        sent = await send(visit.ctx, parse_text(account, text))
    except ApiError as refusal:
        visit.refuse(refusal)
        return await show(visit)
    if not sent.duplicate:
        await visit.transact(lambda tx: visit.record(tx, "message.sent", cid))
    return visit.redirect("/", sent=cid)


def _elsewhere(visit: Visit) -> str:
    if visit.may(Right.MONEY_READ):
        return "/usage"
    return "/operator" if visit.may(Right.OPERATE) else "/people"


async def _load(visit: Visit, account: Account, tx: Tx) -> Seen:
    may_see = visit.may(Right.BUILD)
    key = await find_sample_key(tx, visit.ctx.sealer, account) if may_see else None
    cid = visit.query.get("sent", "")
    sent = await lookup.find_shown(tx, account.id, cid) if cid else None
    return Seen(
        checks=await load_checks(tx, account),
        template=sample.choose_template(account, await _templates(account, tx)),
        key=sample.KEY if key is None else key.reveal(),
        is_own_key=key is not None,
        sent=sent,
        events=[] if sent is None else await _events_about(visit, account, sent[0].recipient, tx),
        has_sent=bool(await lookup.find_recipients(tx, account.id, 1)),
    )


async def _events_about(visit: Visit, account: Account, to: str, tx: Tx) -> list[SignedEvent]:
    return await load_recent(tx, visit.ctx.sealer, account.id, to, EVENTS_READ_MAX)


async def _templates(account: Account, tx: Tx) -> list[Template]:
    by_name = (await load_templates(tx, [account.id]))[account.id]
    return [version for versions in by_name.values() for version in versions]


def _shown(visit: Visit, account: Account, seen: Seen) -> dict[str, object]:
    """The samples, and what came of the message that was sent."""
    shown: dict[str, object] = {
        "new_id": f"test-{secrets.token_hex(ID_BYTES)}",
        "guest": phone.find(as_digits(visit.form["to"])) or sample.FIRST_NUMBER,
        "url": visit.ctx.settings.public_url,
    }
    if seen.template is not None:
        body = sample.body(seen.template, "first-message-1", visit.form["to"], visit.now)
        shown["curl"] = sample.curl(visit.ctx.settings.public_url, seen.key, body)
        shown["python"] = sample.python(visit.ctx.settings.public_url, seen.key, body)
    if account.is_sandbox:
        shown["receiver"] = receiver.python(seen.key)
        shown["listen"] = receiver.command(visit.ctx.settings.public_url, seen.key)
    if seen.sent is not None:
        message, content = seen.sent
        result = responses.send_result(_as_answered(message), duplicate=False)
        raw = success(msgspec.to_builtins(result), {}, account.environment)
        shown["answer"] = msgspec.json.format(raw, indent=2).decode()
        shown["sent_bubble"] = bubbles.of_message(message, content)
        shown["guest"] = message.recipient
    return shown | {"events": _events(seen)}


def _as_answered(message: Message) -> Message:
    """What came after the answer does not change it: the page is read again with every event."""
    if message.status not in (Status.DELIVERED, Status.READ):
        return message
    answered = copy(message)
    answered.status = Status.SENT
    return answered


def _events(seen: Seen) -> list[object]:
    """Of the message that was sent and its recipient."""
    if seen.sent is None:
        return []
    message, _ = seen.sent
    about = [
        one
        for one in seen.events
        if is_of(one, message.client_message_id)
        or (is_about(one, message.recipient) and one.event.created_at >= message.created_at)
    ]
    return [shown_event(one) for one in about[:EVENTS_SHOWN_MAX]]


PAGES = [Page("/", get=show, post=send_test, needs=Right.SELF, post_needs=Right.SEND)]
