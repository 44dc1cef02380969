"""Send forms (4.6): the work of the feedback lane, many in one transaction.

A form is sent as a message: `messages.accept` accepts it in this transaction, a worker sends it.
A unique key in the database guarantees one form per number; concurrent requests of one batch are
resolved here, before they would violate it.
"""

from collections.abc import Iterable, Sequence
from uuid import UUID

import msgspec

from tidings.context import Context
from tidings.engine.db.errors import Conflict
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.messages.accept.accept import accept
from tidings.features.messages.accept.rules import MessageCode
from tidings.features.messages.model import Message
from tidings.features.messages.read import lookup
from tidings.features.senders.lookup import load_numbers
from tidings.features.templates.lookup import load_templates

from ..forms import store
from ..forms.names import split
from ..model import PersonKey, Send, Version
from . import decide as decisions
from . import store as send_store
from .decide import FormInputs, FormSend, person_of
from .parse import FormRequest


class AcceptedForm(msgspec.Struct, frozen=True):
    """The outcome of one accepted request."""

    send: Send
    message: Message
    duplicate: bool = False


Results = dict[int, AcceptedForm | Exception]  # by the index of the request


async def send(ctx: Context, requests: list[FormRequest]) -> list[AcceptedForm | Exception]:
    """The work of the lane."""
    return await ctx.db.transact(lambda tx: _send(ctx, tx, requests))


async def _send(
    ctx: Context, tx: Tx, requests: Sequence[FormRequest]
) -> list[AcceptedForm | Exception]:
    inputs = await _load(tx, requests)
    results: Results = {}
    while len(results) < len(requests):
        await _round(ctx, tx, requests, inputs, results)
    return [results[index] for index in range(len(requests))]


async def _load(tx: Tx, requests: Sequence[FormRequest]) -> FormInputs:
    accounts = await load_accounts(tx, {one.account_id for one in requests})
    # Sends before ids: a send of another process that is visible here is then also found by its
    # clientMessageId, so that repeating it is answered as a duplicate.
    current = await send_store.find_open(tx, sorted({person_of(one) for one in requests}))
    originals = await lookup.find_named(
        tx, [(one.account_id, one.client_message_id) for one in requests]
    )
    repeated = [(message.account_id, message.id) for message in originals.values()]
    messages = await lookup.find_messages(
        tx, [(one.account_id, one.message_id) for one in current.values()]
    )
    inputs = FormInputs(
        accounts=accounts,
        originals=originals,
        sends=await send_store.find_of_messages(tx, repeated) if repeated else {},
        current={
            person: (one, messages.get((one.account_id, one.message_id)))
            for person, one in current.items()
        },
        forms=await store.load_forms(
            tx, sorted({(one.account_id, split(one.form_id)[0]) for one in requests})
        ),
    )
    live = [account for account in accounts.values() if not account.is_sandbox]
    if live:
        await _load_platform(tx, live, inputs)
    return inputs


async def _load_platform(tx: Tx, live: Sequence[Account], inputs: FormInputs) -> None:
    """Flows, templates and business accounts of live accounts."""
    account_ids = sorted(account.id for account in live)
    versions: Iterable[Version] = (one for of_form in inputs.forms.values() for one in of_form)
    keys = [one.key for one in versions if one.account_id in account_ids]
    inputs.flows = await store.load_flows(tx, keys) if keys else {}
    inputs.templates = {**await load_templates(tx, account_ids)}
    for account_id, numbers in (await load_numbers(tx, account_ids)).items():
        inputs.waba_ids[account_id] = {one.waba_id for one in numbers if one.waba_id is not None}


async def _round(
    ctx: Context, tx: Tx, requests: Sequence[FormRequest], inputs: FormInputs, results: Results
) -> None:
    """Decide one open request per form and person; the next round sees its outcome."""
    sends: dict[PersonKey, tuple[int, FormSend]] = {}
    for index, one in enumerate(requests):
        if index in results or person_of(one) in sends:
            continue
        try:
            decision = decisions.decide(one, inputs, tx.now)
        except ApiError as refusal:
            results[index] = refusal.with_traceback(None)  # its frames hold `results`: a cycle
            continue
        if isinstance(decision, FormSend):
            sends[person_of(one)] = (index, decision)
        else:
            results[index] = AcceptedForm(decision.send, decision.message, duplicate=True)
    if sends:
        await _accept(ctx, tx, requests, inputs, list(sends.values()), results)


async def _accept(
    ctx: Context,
    tx: Tx,
    requests: Sequence[FormRequest],
    inputs: FormInputs,
    sends: Sequence[tuple[int, FormSend]],
    results: Results,
) -> None:
    messages = [decisions.message_request(requests[index], go, inputs) for index, go in sends]
    accepted = (await accept(ctx, tx, messages)).results
    new: list[Send] = []
    freed: list[Send] = []
    for (index, go), result in zip(sends, accepted, strict=True):
        one = requests[index]
        if isinstance(result, ApiError) and result.code is MessageCode.DUPLICATE_CLIENT_MESSAGE_ID:
            raise Conflict  # another kind of message took the id meanwhile: retry
        if isinstance(result, Exception):
            _refuse_all(one, result, requests, results)
        elif result.duplicate:
            # A request of this batch took the id: the next round answers it as a duplicate.
            _require_ours(result.message.id, inputs)
        else:
            made = decisions.record_send(one, go, result.message, inputs)
            results[index] = AcceptedForm(made, result.message)
            new.append(made)
            freed += [go.frees] if go.frees is not None else []
    await _save(tx, new, freed)


def _refuse_all(
    refused: FormRequest, reason: Exception, requests: Sequence[FormRequest], results: Results
) -> None:
    """Requests for the same form and person in this batch are refused alike."""
    for index, one in enumerate(requests):
        if index not in results and person_of(one) == person_of(refused):
            results[index] = reason


def _require_ours(message_id: UUID, inputs: FormInputs) -> None:
    if message_id not in inputs.sends:
        raise Conflict  # another process took the id meanwhile: retry


async def _save(tx: Tx, new: Sequence[Send], freed: Sequence[Send]) -> None:
    if freed:
        await send_store.free(tx, sorted(one.key for one in freed))
    if new and await send_store.insert(tx, new) != len(new):
        raise Conflict  # another process sent one of these forms meanwhile: retry
