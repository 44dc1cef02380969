"""The status of forms, here and at the platform, for operators and the portal."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

import msgspec

from tidings.engine.db.order import Order
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.senders.lookup import load_numbers
from tidings.features.templates.lookup import load_templates
from tidings.wording import quote

from .. import rules
from ..answers.counts import load_counts, load_counts_of
from ..model import FormOrder, Version
from ..rules import FeedbackCode
from . import states, store

READY = "ready"


class FormStatus(msgspec.Struct, frozen=True, rename="camel"):
    """A version of a form, as `tidings forms list` shows it. `platform`: what a live form
    waits for there, or `ready`; null if the platform does not need it."""

    form_id: str
    version: int
    state: str
    title: str
    questions: int
    language: str
    sendable: bool
    retired: bool
    platform: str | None
    sent: int
    answered: int


class ListedForm(msgspec.Struct, frozen=True):
    """A form in a list. `version` stands for it (`rules.decide_shown`); the counts are of all its
    versions."""

    version: Version
    latest: Version
    created_at: datetime
    sent: int
    answered: int


class SubmittedForm(msgspec.Struct, frozen=True):
    """A version that waits for an operator."""

    account: Account
    version: Version
    submitted_at: datetime


async def load_page(
    tx: Tx,
    account: Account,
    before: FormOrder | None,
    size: int,
    state: states.State | None = None,
    order: Order = Order.NEWEST_FIRST,
) -> tuple[list[ListedForm], FormOrder | None]:
    """Forms that are not retired, and the key to continue after; `state` is that of the latest
    version."""
    found = await store.load_page(tx, account.id, before, size + 1, state, order)
    page = found[:size]
    ids = [form_id for _, form_id in page]
    by_form: dict[str, list[Version]] = {}
    for one in await store.load_of_account(tx, account.id, ids):
        by_form.setdefault(one.form_id, []).append(one)
    counts = await load_counts_of(tx, account.id, ids)
    listed = [
        ListedForm(
            rules.decide_shown(by_form[form_id], sandbox=account.is_sandbox),
            by_form[form_id][-1],
            created_at,
            *counts.get(form_id, (0, 0)),
        )
        for created_at, form_id in page
    ]
    return listed, page[-1] if len(found) > size else None


async def load_submitted(tx: Tx, most: int = 200) -> list[SubmittedForm]:
    """The versions of all accounts that wait for approval, the oldest first."""
    found = await store.load_submitted(tx, most)
    accounts = await load_accounts(tx, {version.account_id for version, _ in found})
    return [SubmittedForm(accounts[one.account_id], one, at) for one, at in found]


async def load_form_statuses(tx: Tx, account_id: UUID) -> list[FormStatus]:
    """Every version of every form of an account."""
    account = (await load_accounts(tx, [account_id]))[account_id]
    versions = await store.load_of_account(tx, account_id)
    retired = await store.find_retired(tx, account_id)
    counts = await load_counts(tx, account_id)
    waits = {} if account.is_sandbox else await _load_waits(tx, account, versions)
    sendable = _sendable_versions(account, versions)
    return [
        FormStatus(
            form_id=one.form_id,
            version=one.version,
            state=one.state.value,
            title=one.form.title,
            questions=len(one.form.questions),
            language=one.form.language,
            sendable=one.form_id not in retired
            and sendable.get(one.form_id) == one.version
            and waits.get(one.key) in (None, READY),
            retired=one.form_id in retired,
            platform=waits.get(one.key),
            sent=counts.get((one.form_id, one.version), (0, 0))[0],
            answered=counts.get((one.form_id, one.version), (0, 0))[1],
        )
        for one in versions
    ]


def _sendable_versions(account: Account, versions: list[Version]) -> dict[str, int]:
    """The version to send, by form."""
    by_form: dict[str, list[Version]] = {}
    for one in versions:
        by_form.setdefault(one.form_id, []).append(one)
    chosen = {
        form_id: rules.decide_sendable(of_form, sandbox=account.is_sandbox)
        for form_id, of_form in by_form.items()
    }
    return {form_id: one.version for form_id, one in chosen.items() if one is not None}


async def _load_waits(
    tx: Tx, account: Account, versions: list[Version]
) -> Mapping[tuple[UUID, str, int], str]:
    approved = [one for one in versions if one.state in states.APPROVED]
    flows = await store.load_flows(tx, [one.key for one in approved])
    numbers = (await load_numbers(tx, [account.id]))[account.id]
    known = (await load_templates(tx, [account.id]))[account.id]
    waba_ids = {number.waba_id for number in numbers if number.waba_id is not None}
    return {
        one.key: rules.decide_wait(one, flows.get(one.key, []), waba_ids, known) or READY
        for one in approved
    }


async def find_wait(tx: Tx, account: Account, version: Version) -> str | None:
    """What an approved version still waits for at the platform; None if for nothing."""
    if account.is_sandbox:
        return None
    wait = (await _load_waits(tx, account, [version])).get(version.key)
    return None if wait == READY else wait


async def load_all_versions(tx: Tx, account_id: UUID, form_id: str) -> list[Version]:
    """All versions of one form, the oldest first, even if it is retired."""
    found = await store.load_of_account(tx, account_id, [form_id])
    if not found:
        raise ApiError(FeedbackCode.FORM_NOT_FOUND, f"the account has no form {quote(form_id)}")
    return found
