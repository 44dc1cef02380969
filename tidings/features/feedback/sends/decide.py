"""Decide a request for a form (4.6): a duplicate, a refusal, or the version to send. Pure.

`record_send` adds an accepted send to the inputs, so that later requests of the batch see it.
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

from .. import rules
from ..forms import names
from ..model import Flow, FormKey, PersonKey, Send, Version, VersionKey
from .parse import FormRequest


@dataclass(slots=True)
class FormInputs:
    accounts: dict[UUID, Account]
    originals: dict[tuple[UUID, str], Message]  # by clientMessageId
    sends: dict[UUID, Send]  # by message
    current: dict[PersonKey, tuple[Send, Message | None]]  # the open send of a form to a person
    forms: dict[FormKey, list[Version]]
    flows: dict[VersionKey, list[Flow]] = field(default_factory=dict)  # of live forms
    waba_ids: dict[UUID, set[str]] = field(default_factory=dict)  # WABA ids, by account
    templates: dict[UUID, rules.Templates] = field(default_factory=dict)


class DuplicateForm(msgspec.Struct, frozen=True):
    """The clientMessageId was used for this send before."""

    send: Send
    message: Message


class FormSend(msgspec.Struct, frozen=True):
    version: Version
    frees: Send | None  # an earlier send that never arrived, replaced by this one


def person_of(request: FormRequest) -> PersonKey:
    return (request.account_id, names.split(request.form_id)[0], request.to)


def decide(
    request: FormRequest, inputs: FormInputs, real_now: datetime
) -> DuplicateForm | FormSend:
    """Duplicates are checked first, so that a repeated request never sends again."""
    account = inputs.accounts[request.account_id]
    original = inputs.originals.get((account.id, request.client_message_id))
    if original is not None:
        send = inputs.sends.get(original.id)
        if send is not None and send.person == person_of(request):
            return DuplicateForm(send, original)  # unlike messages, without a 48 h window (4.6)
        if account.now(real_now) - original.created_at < limits.IDEMPOTENCY_WINDOW:
            raise used_id()
    version = _require_version(request, account, inputs)
    current = inputs.current.get(person_of(request))
    if current is None:
        return FormSend(version, None)
    send, message = current
    if message is None or message.status not in REFUNDED:
        raise rules.already_sent(send, None if message is None else message.sent_at)
    return FormSend(version, send)


def _require_version(request: FormRequest, account: Account, inputs: FormInputs) -> Version:
    versions = inputs.forms.get((account.id, names.split(request.form_id)[0]), [])
    version = rules.require_version(request.form_id, versions, sandbox=account.is_sandbox)
    if not account.is_sandbox:
        rules.require_ready(
            version,
            inputs.flows.get(version.key, []),
            inputs.waba_ids.get(account.id, set()),
            inputs.templates.get(account.id, {}),
        )
    return version


def message_request(request: FormRequest, go: FormSend, inputs: FormInputs) -> MessageRequest:
    """The message that carries the form."""
    flows: Sequence[Flow] = inputs.flows.get(go.version.key, [])
    inside, outside = rules.contents(
        go.version,
        names.send_ref(request.send_id),
        {flow.waba_id: flow.flow_id for flow in flows if flow.flow_id is not None},
        sandbox=inputs.accounts[request.account_id].is_sandbox,
    )
    return MessageRequest(
        account_id=request.account_id,
        client_message_id=request.client_message_id,
        to=request.to,
        kind=MessageKind.FEEDBACK,
        free=inside,
        fallback=outside,
        to_given=request.to_given,
    )


def record_send(request: FormRequest, go: FormSend, message: Message, inputs: FormInputs) -> Send:
    """The accepted send, added to the inputs for later requests of the batch."""
    send = Send(
        account_id=request.account_id,
        id=request.send_id,
        form_id=go.version.form_id,
        version=go.version.version,
        phone=request.to,
        message_id=message.id,
        created_at=message.created_at,
        counted=message.status not in REFUNDED,
    )
    inputs.originals[request.account_id, request.client_message_id] = message
    inputs.sends[message.id] = send
    inputs.current[send.person] = (send, message)
    return send
