"""Make the service match a declaration (contract.md, "Running it"; contract2.md, C and E).

All in one transaction, behind the lock of all changes to accounts: what is read is still true when
the changes are decided and written, also beside a running service and another `apply`.
"""

from dataclasses import dataclass
from datetime import timedelta

from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.features.accounts import changes as account_changes
from tidings.features.accounts.configure import configure as configure_account
from tidings.features.accounts.configure import require_partners
from tidings.features.accounts.model import AccountSpec, Configured
from tidings.features.accounts.specs import load_specs
from tidings.features.billing.invoices.declare import configure as configure_invoices
from tidings.features.billing.subscriptions.subscribe import configure as configure_subscription
from tidings.features.feedback.declare import configure as configure_forms
from tidings.features.messages.send.dispatch import SENDING_POOLS
from tidings.features.partner.configure import require_same_currency
from tidings.features.senders.configure import configure as configure_numbers
from tidings.features.senders.configure import load_declared_numbers
from tidings.features.senders.sync import put_sync
from tidings.features.templates.configure import configure as configure_templates
from tidings.features.templates.lookup import load_templates
from tidings.features.templates.model import Template
from tidings.secrets import Sealer

from .changes import Change, Op, compare, find_removed
from .plan import Removal, State, find_oddities, merge
from .read import Declaration


@dataclass(frozen=True, slots=True)
class Applied:
    """The accounts in the file's order, what was changed, and what is odd."""

    accounts: list[Configured]
    changes: list[Change]
    warnings: list[str]


class RemovalRefused(Exception):
    """The file leaves out entries that there are. `changes` is all that it would do."""

    def __init__(self, changes: list[Change]) -> None:
        self.changes = changes
        super().__init__(f"{len(find_removed(changes))} entries would be removed")


async def apply_declaration(
    tx: Tx, sealer: Sealer, declaration: Declaration, removal: Removal
) -> Applied:
    """Plan every account of the file, refuse or configure them all."""
    await account_changes.begin(tx)
    present = await _load_present(tx, sealer, declaration)
    plans = {
        wanted.account.name: merge(wanted, present.get(wanted.account.name), removal)
        for wanted in declaration.accounts
    }
    changes = [
        change for name, plan in plans.items() for change in compare(present.get(name), plan)
    ]
    if removal is Removal.REFUSE and find_removed(changes):
        raise RemovalRefused(changes)
    made: dict[str, Configured] = {}
    # Partners first: an account that belongs to one must find it.
    for name in sorted(plans, key=lambda name: plans[name].account.partner is None):
        made[name] = await _configure(tx, sealer, plans[name])
        changes += _rotations(made[name], is_new=name not in present)
    await require_partners(tx)
    warnings = [oddity for plan in plans.values() for oddity in find_oddities(plan)]
    return Applied([made[name] for name in plans], changes, declaration.warnings + warnings)


async def _load_present(tx: Tx, sealer: Sealer, declaration: Declaration) -> dict[str, State]:
    found = await load_specs(tx, [wanted.account.name for wanted in declaration.accounts])
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
    """Those of a live account are the platform's: no file declares or removes them."""
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
    # What held messages back (a pause, a limit, a number) may just have been lifted.
    await queue.run_now(tx, configured.id, SENDING_POOLS)
    return configured


def _rotations(made: Configured, *, is_new: bool) -> list[Change]:
    """Of a new account the answer tells them."""
    rotated = {"apiKey": made.has_new_key, "signingSecret": made.has_new_secret}
    return [
        Change(Op.CHANGE, made.name, name, "changed; the one before it works on for 24 hours")
        for name, is_rotated in rotated.items()
        if is_rotated and not is_new
    ]
