"""Makes the service match an account file (contract.md, "Running it"; contract2.md, C and E).

One transaction holds the lock on account changes, so the state that the plan was made from cannot
change before it is written, neither by a running service nor by another `apply`.
"""

from dataclasses import dataclass
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.features.accounts import changes as account_changes
from tidings.features.accounts.configure import require_partners
from tidings.features.accounts.hand_edits import load_edits, settle_edits
from tidings.features.accounts.model import Configured, HandEdit
from tidings.features.audit.record import Actor
from tidings.secrets import Sealer

from .carry_out import carry_out, find_rotations, load_current, record_changes
from .changes import Change, compare, find_removed
from .hand_edits import Conflict, EditPolicy, find_conflicts, find_settled, without_edited
from .plan import Removal, State, find_warnings, merge
from .read import Declaration
from .specs import DeclaredAccount


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


class EditsRefused(Exception):
    """The file would undo what was changed by hand. `changes` is everything that it would do."""

    def __init__(self, changes: list[Change], conflicts: list[Conflict]) -> None:
        self.changes = changes
        self.conflicts = conflicts
        super().__init__(f"{len(conflicts)} settings were changed by hand")


@dataclass(frozen=True, slots=True)
class _Planned:
    """One account of the file: what it becomes, and what that changes."""

    declared: DeclaredAccount
    current: State | None
    plan: State
    changes: list[Change]
    edits: list[HandEdit]


async def apply_declaration(
    tx: Tx,
    sealer: Sealer,
    declaration: Declaration,
    removal: Removal,
    *,
    actor: Actor,
    edited: EditPolicy = EditPolicy.REFUSE,
) -> Applied:
    """Plan every account of the file, then configure them all, or refuse."""
    await account_changes.begin_all(tx)
    planned = await _plan(tx, sealer, declaration, removal, edited)
    changes = [change for one in planned for change in one.changes]
    if removal is Removal.REFUSE and find_removed(changes):
        raise RemovalRefused(changes)
    conflicts = [conflict for one in planned for conflict in find_conflicts(one.changes, one.edits)]
    if edited is EditPolicy.REFUSE and conflicts:
        raise EditsRefused(changes, conflicts)
    configured: dict[str, Configured] = {}
    replaced: list[Conflict] = []
    # Partners first: an account that belongs to one must find it.
    for one in sorted(planned, key=lambda one: one.plan.account.partner is None):
        configured[one.plan.account.name], rotations = await _apply(tx, sealer, one, removal, actor)
        changes += rotations
        replaced += find_conflicts(rotations, one.edits)
    if edited is EditPolicy.REFUSE and replaced:
        raise EditsRefused(changes, replaced)
    await require_partners(tx)
    warnings = [warning for one in planned for warning in find_warnings(one.plan)]
    accounts = [configured[one.plan.account.name] for one in planned]
    return Applied(accounts, changes, declaration.warnings + warnings)


async def _plan(
    tx: Tx, sealer: Sealer, declaration: Declaration, removal: Removal, edited: EditPolicy
) -> list[_Planned]:
    names = [declared.account.name for declared in declaration.accounts]
    current = await load_current(tx, sealer, names)
    ids: list[UUID] = [one.id for one in current.values() if one.id is not None]
    edits = await load_edits(tx, ids)
    planned = []
    for declared in declaration.accounts:
        before = current.get(declared.account.name)
        own = edits[before.id] if before is not None and before.id is not None else []
        if edited is EditPolicy.KEEP:
            declared = without_edited(declared, own)
        plan = merge(declared, before, removal)
        planned.append(_Planned(declared, before, plan, compare(before, plan), own))
    return planned


async def _apply(
    tx: Tx, sealer: Sealer, one: _Planned, removal: Removal, actor: Actor
) -> tuple[Configured, list[Change]]:
    is_new = one.current is None
    configured = await carry_out(tx, sealer, one.plan)
    rotations = [] if is_new else find_rotations(configured)
    await record_changes(tx, actor, configured, one.changes + rotations, is_new=is_new)
    await settle_edits(tx, configured.id, find_settled(one.declared, removal, one.edits))
    return configured, rotations
