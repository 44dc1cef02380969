"""Receive submitted forms (4.6): the first submission counts and publishes feedback.submitted."""

from collections.abc import Sequence
from uuid import UUID

import msgspec
import structlog

from tidings import phone
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account
from tidings.features.messages.model import Message
from tidings.features.messages.read import lookup
from tidings.features.webhooks.publish import Event, publish
from tidings.platforms.port import InboundMessage

from ..forms import names, store
from ..model import Answer, PersonKey, Send
from ..sends import store as send_store
from . import events, reading

log = structlog.get_logger()


class IncomingForm(msgspec.Struct):
    """A submission, and the send it belongs to."""

    account: Account
    item: InboundMessage
    filled: reading.FormResponse
    send: Send | None = None  # None: not a form that we sent


class Submission(msgspec.Struct, frozen=True):
    incoming: IncomingForm
    send: Send
    answers: list[Answer]


async def receive(tx: Tx, items: Sequence[tuple[Account, InboundMessage]]) -> set[str]:
    """Store the first submission per form and person; returns their platform ids."""
    incoming = _read(items)
    await _find_sends(tx, incoming)
    found = [one for one in incoming if one.send is not None]
    if not found:
        return set()
    submitted = await _first(tx, found)
    if submitted:
        await _save(tx, submitted)
    return {one.incoming.item.platform_id for one in submitted}


def _read(items: Sequence[tuple[Account, InboundMessage]]) -> list[IncomingForm]:
    incoming = []
    for account, item in items:
        filled = None if item.form is None else reading.parse(item.form)
        if filled is None:
            log.info("form.reading_failed", account=account.id, guest=phone.mask(item.from_))
        else:
            incoming.append(IncomingForm(account, item, filled))
    return incoming


async def _find_sends(tx: Tx, incoming: Sequence[IncomingForm]) -> None:
    """Find the send by its token, else by the quoted message, else by form and person."""
    tokens = {_token(one): one for one in incoming}
    by_token = await send_store.find(tx, sorted(key for key in tokens if key is not None))
    quoted = await lookup.find_quoted(
        tx, [(one.account.id, one.item.quoted) for one in incoming if one.item.quoted]
    )
    keys = sorted((message.account_id, message.id) for message in quoted.values())
    by_message = await send_store.find_of_messages(tx, keys) if keys else {}
    people = sorted({_person(one) for one in incoming if one.filled.form_id and one.item.from_})
    by_person = await send_store.find_open(tx, people) if people else {}
    for one in incoming:
        key = _token(one)
        message = quoted.get((one.account.id, one.item.quoted or ""))
        quoted_send = None if message is None else by_message.get(message.id)
        named = None if key is None else by_token.get(key)
        one.send = decide_send(one.item.from_, named, quoted_send, by_person.get(_person(one)))


def decide_send(
    guest: str, named: Send | None, quoted: Send | None, open_send: Send | None
) -> Send | None:
    """The send that a submission answers. A send to another number is ignored, unless token and
    quoted message agree: then the platform knows the guest by a different number."""
    if named is not None and quoted is not None and named.key == quoted.key:
        return named
    for send in (named, quoted, open_send):
        if send is not None and guest in ("", send.phone):
            return send
    return None


def _token(one: IncomingForm) -> tuple[UUID, UUID] | None:
    send_id = names.parse_send_ref(one.filled.token or "")
    return None if send_id is None else (one.account.id, send_id)


def _person(one: IncomingForm) -> PersonKey:
    return (one.account.id, one.filled.form_id or "", one.item.from_)


async def _first(tx: Tx, incoming: Sequence[IncomingForm]) -> list[Submission]:
    """The first submission per form and person, unless one was stored before."""
    people = sorted({one.send.person for one in incoming if one.send is not None})
    locked = await send_store.lock_of_people(tx, people)
    versions = await store.load_versions(
        tx, sorted({one.send.version_key for one in incoming if one.send is not None})
    )
    answered = {
        person for person, sends in locked.items() if any(send.answered_at for send in sends)
    }
    submitted = []
    for one in incoming:
        send = one.send
        assert send is not None, "the caller passes only those with a send"
        if send.person in answered:
            continue
        answers = reading.read(versions[send.version_key].form.questions, one.filled.given)
        if reading.counts(answers):
            answered.add(send.person)
            submitted.append(Submission(one, send, answers))
    return submitted


async def _save(tx: Tx, submitted: Sequence[Submission]) -> None:
    await send_store.mark_answered(tx, [(one.send.key, one.incoming.item.at) for one in submitted])
    await send_store.insert_answers(
        tx, [(one.send, one.answers, one.incoming.item.at) for one in submitted]
    )
    keys = [(one.send.account_id, one.send.message_id) for one in submitted]
    messages = await lookup.find_messages(tx, keys)
    await publish(
        tx,
        [_event(one, messages[one.send.account_id, one.send.message_id]) for one in submitted],
    )


def _event(one: Submission, message: Message) -> Event:
    at = one.incoming.item.at
    data = events.submitted_data(one.send, message, one.answers, at)
    return Event(one.incoming.account, events.SUBMITTED, at, data, message.id, message.event_id)
