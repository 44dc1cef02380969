"""Makes the service match an account file (contract.md, "Running it"; contract2.md, C and E).

One transaction holds the lock on account changes, so the state that the plan was made from cannot
change before it is written, neither by a running service nor by another `apply`.
"""

from dataclasses import dataclass
from datetime import timedelta

from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.features.accounts import changes as account_changes
from tidings.features.accounts.configure import configure as configure_account
from tidings.features.accounts.configure import require_partners
from tidings.features.accounts.lookup import load_specs
from tidings.features.accounts.model import AccountSpec, Configured
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

from .changes import Change, Op, compare, find_removed
from .plan import Removal, State, find_warnings, merge
from .read import Declaration


@dataclass(frozen=True, slots=True)
class Applied:
    """The accounts in the file's order, what changed, and warnings."""

    accounts: list[Configured]
    changes: list[Change]
    warnings: list[str]


class RemovalRefused(Exception):
    """The file leaves out existing entries. `changes` is everything that it would do."""

    def __init__(self, changes: list[Change]) -> None:
        self.changes = changes
        super().__init__(f"{len(find_removed(changes))} entries would be removed")


async def apply_declaration(
    tx: Tx, sealer: Sealer, declaration: Declaration, removal: Removal
) -> Applied:
    """Plan every account of the file, then configure them all, or refuse."""
    await account_changes.begin(tx)
    current = await _load_current(tx, sealer, declaration)
    plans = {
        declared.account.name: merge(declared, current.get(declared.account.name), removal)
        for declared in declaration.accounts
    }
    changes = [
        change for name, plan in plans.items() for change in compare(current.get(name), plan)
    ]
    if removal is Removal.REFUSE and find_removed(changes):
        raise RemovalRefused(changes)
    configured: dict[str, Configured] = {}
    # Partners first: an account that belongs to one must find it.
    for name in sorted(plans, key=lambda name: plans[name].account.partner is None):
        configured[name] = await _configure(tx, sealer, plans[name])
        changes += _rotations(configured[name], is_new=name not in current)
    await require_partners(tx)
    warnings = [warning for plan in plans.values() for warning in find_warnings(plan)]
    return Applied([configured[name] for name in plans], changes, declaration.warnings + warnings)


async def _load_current(tx: Tx, sealer: Sealer, declaration: Declaration) -> dict[str, State]:
    found = await load_specs(tx, [declared.account.name for declared in declaration.accounts])
    ids = [one.id for one in found.values()]
    numbers = await load_declared_numbers(tx, sealer, ids)
    templates = await load_templates(tx, ids)
    return {
        name: State(one.spec, numbers[one.id], _declared_templates(one.spec, templates[one.id]))
        for name, one in found.items()
    }


def _declared_templates(
    spec: AccountSpec, by_name: dict[str, list[Template]]
) -> list[Template] | None:
    """None for a live account: its templates are the platform's, not the file's."""
    if spec.environment == "live":
        return None
    return [version for versions in by_name.values() for version in versions]


async def _configure(tx: Tx, sealer: Sealer, plan: State) -> Configured:
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


def _rotations(account: Configured, *, is_new: bool) -> list[Change]:
    """None for a new account, whose secrets are part of the result."""
    rotated = {"apiKey": account.has_new_key, "signingSecret": account.has_new_secret}
    return [
        Change(Op.CHANGE, account.name, name, "changed; the previous one stays valid for 24 hours")
        for name, is_rotated in rotated.items()
        if is_rotated and not is_new
    ]
