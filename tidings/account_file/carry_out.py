"""Loads an account as a file would declare it, and writes a plan: for `apply` and for hand edits.

Whichever way an account is changed, the same audit entry says what changed.
"""

from collections.abc import Sequence
from datetime import timedelta

from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.features.accounts.configure import configure as configure_account
from tidings.features.accounts.lookup import load_specs
from tidings.features.accounts.model import AccountSpec, Configured
from tidings.features.audit.record import Actor, Entry, record
from tidings.features.billing.invoices.declare import configure as configure_invoices
from tidings.features.billing.subscriptions.subscribe import configure as configure_subscription
from tidings.features.feedback.forms.declare import configure as configure_forms
from tidings.features.messages.send.dispatch import SENDING_POOLS
from tidings.features.partner.configure import require_same_currency
from tidings.features.senders.configure import configure as configure_numbers
from tidings.features.senders.configure import load_declared_numbers
from tidings.features.senders.sync import put_sync
from tidings.features.templates.lookup import configure as configure_templates
from tidings.features.templates.lookup import load_templates
from tidings.features.templates.model import Template
from tidings.secrets import Sealer

from .changes import Change, Op
from .plan import State


async def load_current(tx: Tx, sealer: Sealer, names: Sequence[str]) -> dict[str, State]:
    """The accounts of these names that exist."""
    found = await load_specs(tx, names)
    ids = [one.id for one in found.values()]
    numbers = await load_declared_numbers(tx, sealer, ids)
    templates = await load_templates(tx, ids)
    return {
        name: State(
            account=one.spec,
            numbers=numbers[one.id],
            templates=_declared_templates(one.spec, templates[one.id]),
            id=one.id,
        )
        for name, one in found.items()
    }


def _declared_templates(
    spec: AccountSpec, by_name: dict[str, list[Template]]
) -> list[Template] | None:
    """None for a live account: its templates are the platform's, not the file's."""
    if spec.environment == "live":
        return None
    return [version for versions in by_name.values() for version in versions]


async def carry_out(tx: Tx, sealer: Sealer, plan: State) -> Configured:
    """Create or change the account as planned. The caller holds the lock on account changes."""
    account, sections = plan.account, plan.account.declared
    configured = await configure_account(tx, sealer, account)
    await require_same_currency(tx, configured.id, account.partner)
    await configure_numbers(tx, sealer, configured.id, plan.numbers)
    if plan.templates is not None:
        await configure_templates(tx, configured.id, plan.templates)
    await configure_subscription(tx, configured.id, sections)
    await configure_invoices(tx, configured.id, sections | {"invoices": plan.invoices})
    await configure_forms(tx, configured.id, sections)
    if configured.environment == "live":
        await put_sync(tx, [configured.id], timedelta(0))
    # The change may have lifted what deferred messages: a pause, a limit, a missing number.
    await queue.run_now(tx, configured.id, SENDING_POOLS)
    return configured


def find_rotations(account: Configured) -> list[Change]:
    """The key and the secret that replace others; those of a new account are in its result."""
    rotated = {"apiKey": account.has_new_key, "signingSecret": account.has_new_secret}
    return [
        Change(Op.CHANGE, account.name, name, "changed; the previous one stays valid for 24 hours")
        for name, is_rotated in rotated.items()
        if is_rotated
    ]


async def record_changes(
    tx: Tx, actor: Actor, account: Configured, changes: Sequence[Change], *, is_new: bool
) -> None:
    """One entry for all changes of an account, secrets left out; none where nothing changed."""
    if not changes:
        return
    entry = Entry(
        actor=actor,
        action="account.created" if is_new else _action(changes),
        subject=account.name,
        account_id=account.id,
        details={change.what: change.summary for change in changes},
    )
    await record(tx, entry)


def _action(changes: Sequence[Change]) -> str:
    """Disabling and pausing have names of their own, which are searched for."""
    words = {
        ("active", "true -> false"): "account.disabled",
        ("active", "false -> true"): "account.enabled",
        ("paused", "false -> true"): "account.paused",
        ("paused", "true -> false"): "account.resumed",
    }
    if len(changes) == 1:
        return words.get((changes[0].what, changes[0].detail), "account.changed")
    return "account.changed"
