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


class SubmittedForm(msgspec.Struct):
    """A submission, and the send it belongs to."""

    account: Account
    item: InboundMessage
    filled: reading.Filled
    send: Send | None = None  # None: of no form that we sent


class Submitted(msgspec.Struct, frozen=True):
    heard: SubmittedForm
    send: Send
    answers: list[Answer]


async def receive(tx: Tx, items: Sequence[tuple[Account, InboundMessage]]) -> set[str]:
    """Store the first submission of each form; the platform ids of those."""
    heard = _read(items)
    await _find_sends(tx, heard)
    found = [one for one in heard if one.send is not None]
    if not found:
        return set()
    submitted = await _first(tx, found)
    if submitted:
        await _save(tx, submitted)
    return {one.heard.item.platform_id for one in submitted}


def _read(items: Sequence[tuple[Account, InboundMessage]]) -> list[SubmittedForm]:
    heard = []
    for account, item in items:
        filled = None if item.form is None else reading.parse(item.form)
        if filled is None:
            log.info("form.unreadable", account=account.name, guest=phone.mask(item.from_))
        else:
            heard.append(SubmittedForm(account, item, filled))
    return heard


async def _find_sends(tx: Tx, heard: Sequence[SubmittedForm]) -> None:
    """Find the send by its token, else by the quoted message, else by form and person."""
    tokens = {_token(one): one for one in heard}
    by_token = await send_store.find(tx, sorted(key for key in tokens if key is not None))
    quoted = await lookup.find_quoted(
        tx, [(one.account.id, one.item.quoted) for one in heard if one.item.quoted]
    )
    keys = sorted((message.account_id, message.id) for message in quoted.values())
    by_message = await send_store.find_of_messages(tx, keys) if keys else {}
    people = sorted({_person(one) for one in heard if one.filled.form_id and one.item.from_})
    by_person = await send_store.find_open(tx, people) if people else {}
    for one in heard:
        key = _token(one)
        message = quoted.get((one.account.id, one.item.quoted or ""))
        asked = None if message is None else by_message.get(message.id)
        named = None if key is None else by_token.get(key)
        one.send = decide_send(one.item.from_, named, asked, by_person.get(_person(one)))


def decide_send(
    guest: str, named: Send | None, quoted: Send | None, standing: Send | None
) -> Send | None:
    """The send that a submission answers. A send to another number is ignored, unless token and
    quoted message agree: then the platform knows the guest by a different number."""
    if named is not None and quoted is not None and named.key == quoted.key:
        return named
    for send in (named, quoted, standing):
        if send is not None and guest in ("", send.phone):
            return send
    return None


def _token(one: SubmittedForm) -> tuple[UUID, UUID] | None:
    send_id = names.parse_send_ref(one.filled.token or "")
    return None if send_id is None else (one.account.id, send_id)


def _person(one: SubmittedForm) -> PersonKey:
    return (one.account.id, one.filled.form_id or "", one.item.from_)


async def _first(tx: Tx, heard: Sequence[SubmittedForm]) -> list[Submitted]:
    """The first submission for each form and person; none where one was stored before."""
    people = sorted({one.send.person for one in heard if one.send is not None})
    held = await send_store.lock_of_people(tx, people)
    versions = await store.load_versions(
        tx, sorted({one.send.of for one in heard if one.send is not None})
    )
    answered = {person for person, sends in held.items() if any(send.answered_at for send in sends)}
    submitted = []
    for one in heard:
        send = one.send
        assert send is not None, "only those with a send come here"
        if send.person in answered:
            continue
        answers = reading.read(versions[send.of].form.questions, one.filled.given)
        if reading.counts(answers):
            answered.add(send.person)
            submitted.append(Submitted(one, send, answers))
    return submitted


async def _save(tx: Tx, submitted: Sequence[Submitted]) -> None:
    await send_store.mark_answered(tx, [(one.send.key, one.heard.item.at) for one in submitted])
    await send_store.insert_answers(tx, [(one.send, one.answers) for one in submitted])
    keys = [(one.send.account_id, one.send.message_id) for one in submitted]
    messages = await lookup.find_messages(tx, keys)
    await publish(
        tx,
        [_event(one, messages[one.send.account_id, one.send.message_id]) for one in submitted],
    )


def _event(one: Submitted, message: Message) -> Event:
    at = one.heard.item.at
    data = events.submitted_data(one.send, message, one.answers, at)
    return Event(one.heard.account, events.SUBMITTED, at, data, message.id, message.event_id)
