"""Whether a form goes (4.6): a repeat, a refusal, or a version that is sent. Pure.

Deciding draws on the facts: what one request has taken, the next of the same time finds taken.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

import msgspec

from tidings import limits
from tidings.features.accounts.model import Account
from tidings.features.messages.accept.idempotency import used_id
from tidings.features.messages.model import REFUNDED, Message, MessageKind, MessageRequest

from . import names, rules
from .model import Flow, FormKey, PersonKey, Send, Version, VersionKey
from .parse import Asked


@dataclass(slots=True)
class Facts:
    accounts: dict[UUID, Account]
    originals: dict[tuple[UUID, str], Message]  # by clientMessageId
    sends: dict[UUID, Send]  # by message
    standing: dict[PersonKey, tuple[Send, Message | None]]  # a form that went to a person
    forms: dict[FormKey, list[Version]]
    flows: dict[VersionKey, list[Flow]] = field(default_factory=dict)  # of live forms
    places: dict[UUID, set[str]] = field(default_factory=dict)  # business accounts, by account
    templates: dict[UUID, rules.Templates] = field(default_factory=dict)


class Repeat(msgspec.Struct, frozen=True):
    """The clientMessageId was used for this very send before."""

    send: Send
    message: Message


class Go(msgspec.Struct, frozen=True):
    version: Version
    frees: Send | None  # it never arrived: this one takes its place


def person_of(asked: Asked) -> PersonKey:
    return (asked.account_id, names.split(asked.form_id)[0], asked.to)


def decide(asked: Asked, facts: Facts, real_now: datetime) -> Repeat | Go:
    """The repeat first: whoever repeats a request does not send a second time."""
    account = facts.accounts[asked.account_id]
    original = facts.originals.get((account.id, asked.client_message_id))
    if original is not None:
        send = facts.sends.get(original.id)
        if send is not None and send.person == person_of(asked):
            return Repeat(send, original)  # however long ago: 4.6 knows no 48 hours
        if account.now(real_now) - original.created_at < limits.IDEMPOTENCY_WINDOW:
            raise used_id()
    version = _require_version(asked, account, facts)
    standing = facts.standing.get(person_of(asked))
    if standing is None:
        return Go(version, None)
    send, message = standing
    if message is None or message.status not in REFUNDED:
        raise rules.already_sent(send, None if message is None else message.sent_at)
    return Go(version, send)


def _require_version(asked: Asked, account: Account, facts: Facts) -> Version:
    versions = facts.forms.get((account.id, names.split(asked.form_id)[0]), [])
    version = rules.require_version(asked.form_id, versions, sandbox=account.is_sandbox)
    if not account.is_sandbox:
        rules.require_ready(
            version,
            facts.flows.get(version.key, []),
            facts.places.get(account.id, set()),
            facts.templates.get(account.id, {}),
        )
    return version


def wanted(asked: Asked, go: Go, facts: Facts) -> MessageRequest:
    """The message that brings the form."""
    flows: Sequence[Flow] = facts.flows.get(go.version.key, [])
    inside, outside = rules.contents(
        go.version,
        names.send_ref(asked.send_id),
        {flow.waba_id: flow.flow_id for flow in flows if flow.flow_id is not None},
        sandbox=facts.accounts[asked.account_id].is_sandbox,
    )
    return MessageRequest(
        account_id=asked.account_id,
        client_message_id=asked.client_message_id,
        to=asked.to,
        kind=MessageKind.FEEDBACK,
        free=inside,
        fallback=outside,
        to_given=asked.to_given,
    )


def sent(asked: Asked, go: Go, message: Message, facts: Facts) -> Send:
    """The send that came of it, known to whoever asks next."""
    send = Send(
        account_id=asked.account_id,
        id=asked.send_id,
        form_id=go.version.form_id,
        version=go.version.version,
        phone=asked.to,
        message_id=message.id,
        created_at=message.created_at,
    )
    facts.originals[asked.account_id, asked.client_message_id] = message
    facts.sends[message.id] = send
    facts.standing[send.person] = (send, message)
    return send
