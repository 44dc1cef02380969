"""Build a form step by step, as the portal does: save a draft, put it forward, approve it.

Each step is a transition of states.py and an entry of the audit log. The account file declares the
result of these steps at once (declare.py).
"""

import re
from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from tidings.engine.db.errors import Conflict
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts.hand_edits import put_edits
from tidings.features.accounts.model import Account
from tidings.features.audit.record import Actor, Entry, record
from tidings.wording import quote

from ..model import Form, Version
from ..rules import FeedbackCode
from . import declare, faults, names, store
from .declare import Changes
from .faults import Fault
from .states import State

SLUG_CHARS_MAX = 40
REMARK_CHARS_MAX = 500
RESERVED_IDS = ("new",)  # /forms/new is a page of the portal


class InvalidForm(ApiError):
    """A form with faults; the first one is the message."""

    def __init__(self, found: Sequence[Fault]) -> None:
        field, problem = found[0]
        super().__init__(Code.VALIDATION_ERROR, f"{field} {problem}", field=field)
        self.faults = found


async def create(tx: Tx, account: Account, actor: Actor, form: Form) -> Version:
    """A new form with a first draft; its id is made from its title."""
    now = account.now(tx.now)
    slug = re.sub("[^a-z0-9]+", "-", form.title.lower()).strip("-")[:SLUG_CHARS_MAX] or "form"
    taken = {*await store.find_ids(tx, account.id, slug), *RESERVED_IDS}
    ids = [slug, *(f"{slug}-{number}" for number in range(2, len(taken) + 2))]
    form_id = next(one for one in ids if one not in taken)
    _require_valid(form_id, form)
    if not await store.create(tx, account.id, form_id, now):
        raise Conflict  # somebody else took the id meanwhile: retry
    return await _add(tx, account, actor, form_id, form, [])


async def save_draft(tx: Tx, account: Account, actor: Actor, form_id: str, form: Form) -> Version:
    """The latest version with this content. A draft that was never sent is rewritten; any other
    version stays as it is, and a new draft follows it."""
    _require_valid(form_id, form)
    versions = await _lock(tx, account, form_id)
    latest = versions[-1]
    if latest.form == form:
        return latest
    if latest.state is State.DRAFT and await store.rewrite(tx, latest.key, form):
        saved = replace(latest, form=form, remark=None)
        await _audit(tx, account, actor, "form.saved", saved)
        return saved
    return await _add(tx, account, actor, form_id, form, versions)


async def release(tx: Tx, account: Account, actor: Actor, form_id: str) -> Version:
    """Put the latest version forward: for approval, or, if a live account's is approved, to be
    sent. A live account's is published as soon as it is approved."""
    versions = await _lock(tx, account, form_id)
    latest = versions[-1]
    if latest.state is State.DRAFT:
        return await _move(tx, account, actor, versions, latest, State.SUBMITTED)
    if latest.state is State.APPROVED and not account.is_sandbox:
        return await _move(tx, account, actor, versions, latest, State.PUBLISHED)
    return latest


async def approve(tx: Tx, account: Account, actor: Actor, form_id: str, version: int) -> Version:
    """An operator approves a version that was submitted."""
    versions = await _lock(tx, account, form_id)
    submitted = _require_submitted(versions, version)
    approved = await _move(tx, account, actor, versions, submitted, State.APPROVED)
    if account.is_sandbox:
        return approved
    return await _move(tx, account, actor, versions, approved, State.PUBLISHED)


async def send_back(
    tx: Tx, account: Account, actor: Actor, form_id: str, version: int, remark: str
) -> Version:
    """An operator does not approve a version: it is a draft again, with the reason."""
    if not remark.strip():
        raise ApiError(Code.VALIDATION_ERROR, "remark: say what has to change", field="remark")
    versions = await _lock(tx, account, form_id)
    submitted = _require_submitted(versions, version)
    draft = replace(submitted, state=State.DRAFT, remark=remark.strip()[:REMARK_CHARS_MAX])
    await store.set_states(tx, [(draft.key, draft.state)], account.now(tx.now))
    await store.set_remark(tx, draft.key, draft.remark or "")
    await _audit(tx, account, actor, "form.sent_back", draft, remark=draft.remark)
    return draft


def _require_valid(form_id: str, form: Form) -> None:
    found = list(faults.find_faults(form_id, form))
    if found:
        raise InvalidForm(found)


def _require_submitted(versions: Sequence[Version], number: int) -> Version:
    found = next((one for one in versions if one.version == number), None)
    if found is None:
        raise ApiError(FeedbackCode.FORM_NOT_FOUND, f"the form has no version {number}")
    if found.state is not State.SUBMITTED:
        problem = f"version: {number} does not wait for approval, it is {found.state.value}"
        raise ApiError(FeedbackCode.FORM_NOT_SENDABLE, problem, field="version")
    return found


async def _lock(tx: Tx, account: Account, form_id: str) -> list[Version]:
    """The versions of a form, the oldest first; nobody else changes them until commit."""
    if not await store.lock(tx, account.id, form_id):
        raise ApiError(FeedbackCode.FORM_NOT_FOUND, f"the account has no form {quote(form_id)}")
    return (await store.load_forms(tx, [(account.id, form_id)]))[account.id, form_id]


async def _add(
    tx: Tx,
    account: Account,
    actor: Actor,
    form_id: str,
    form: Form,
    older: Sequence[Version],
) -> Version:
    now: datetime = account.now(tx.now)
    number = older[-1].version + 1 if older else 1
    draft = Version(account.id, form_id, number, State.DRAFT, form, now)
    changes = Changes(new=[draft])
    declare.supersede(draft, older, changes)
    await declare.save(tx, account, [form_id], changes, now)
    await _audit(tx, account, actor, "form.saved" if older else "form.created", draft)
    return draft


async def _move(
    tx: Tx,
    account: Account,
    actor: Actor,
    versions: Sequence[Version],
    version: Version,
    state: State,
) -> Version:
    moved = replace(version, state=declare.advance(version.state, state))
    changes = Changes(state_changes=[(moved.key, moved.state)])
    declare.supersede(moved, [one for one in versions if one.version < moved.version], changes)
    await declare.save(tx, account, [moved.form_id], changes, account.now(tx.now))
    await _audit(tx, account, actor, f"form.{moved.state.value}", moved)
    return moved


async def _audit(
    tx: Tx, account: Account, actor: Actor, action: str, version: Version, **details: object
) -> None:
    subject = names.version_id(version.form_id, version.version)
    entry = Entry(
        actor=actor,
        action=action,
        subject=subject,
        account_id=account.id,
        details={"title": version.form.title, **details},
    )
    await record(tx, entry)
    await put_edits(tx, account.id, [f"form {version.form_id}"], actor.name)
