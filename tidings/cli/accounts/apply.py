"""`tidings apply FILE`: the result is JSON on stdout, the changes are lines on stderr.

With `--diff` the changes are the result.
"""

import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import typer

from tidings.account_file.apply import (
    Applied,
    EditsRefused,
    RemovalRefused,
    apply_declaration,
)
from tidings.account_file.changes import Change, Op, compare, find_removed
from tidings.account_file.hand_edits import Conflict, EditPolicy
from tidings.account_file.plan import Removal, find_warnings, merge
from tidings.account_file.read import Declaration, read_file
from tidings.cli.actor import command_actor
from tidings.cli.database import is_missing, opened
from tidings.cli.output import Refused, Styled, print_json, remark, say
from tidings.cli.runner import load_settings, reported_errors, run
from tidings.engine.db.tx import Tx
from tidings.features.accounts.master_key import load_sealer, require_same_master_key
from tidings.features.accounts.model import Configured
from tidings.ids import account_ref
from tidings.settings import Settings

EXIT_CHANGES = 2  # of --diff
COLOURS = {Op.ADD: "green", Op.CHANGE: "yellow", Op.REMOVE: "red"}


@dataclass(frozen=True, slots=True)
class Order:
    """What to apply, and what may be lost by it."""

    declaration: Declaration
    settings: Settings
    removal: Removal
    edited: EditPolicy


def apply_file(path: Path, *, prune: bool, overwrite: bool, diff: bool) -> None:
    """Apply the file and print the changes; with `diff` only print them, and exit 2 if any."""
    settings, content = load_settings(), _read(path)
    with reported_errors():
        declaration = read_file(content, os.environ, allow_private=settings.allow_private_webhooks)
    removal = Removal.PRUNE if prune else Removal.REFUSE
    edited = EditPolicy.OVERWRITE if overwrite else EditPolicy.REFUSE
    order = Order(declaration, settings, removal, edited)
    if diff:
        _show_diff(order)
        return
    try:
        applied = run(_apply(order))
    except RemovalRefused as refusal:
        raise Refused(_removal_text(refusal.changes)) from None
    except EditsRefused as refusal:
        raise Refused(_edits_text(refusal.conflicts)) from None
    _print_warnings(applied.warnings)
    _print_changes(applied.changes, "added", "changed", "removed", to=remark)
    print_json({"accounts": [_present(one) for one in applied.accounts]})


def _read(path: Path) -> str:
    try:
        content = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
        return content.decode()
    except OSError as reason:
        raise Refused(f"Cannot read {path}: {reason.strerror}.") from None
    except UnicodeDecodeError:
        raise Refused(f"{path} is not UTF-8 text.") from None


async def _apply(order: Order) -> Applied:
    async with opened(order.settings, migrating=True) as db:
        return await db.transact(_work(order))


def _show_diff(order: Order) -> None:
    conflicts: list[Conflict] = []
    try:
        planned = run(_preview(order))
        _print_warnings(planned.warnings)
        changes = planned.changes
    except RemovalRefused as refusal:
        changes = refusal.changes
    except EditsRefused as refusal:
        changes, conflicts = refusal.changes, refusal.conflicts
    _print_changes(changes, "to add", "to change", "to remove", to=say)
    if order.removal is Removal.REFUSE and find_removed(changes):
        remark("Removals need --prune; without it, nothing would be applied.")
    if conflicts:
        remark("Changed outside the file; without --overwrite, nothing would be applied:")
    for conflict in conflicts:
        remark(f"  {conflict}")
    if changes:
        raise typer.Exit(EXIT_CHANGES)


async def _preview(order: Order) -> Applied:
    """The same work in a transaction that is rolled back; no database is created for it."""
    if is_missing(order.settings):
        return _preview_without_database(order.declaration, order.removal)
    async with opened(order.settings) as db:
        return await db.preview(_work(order))


def _preview_without_database(declaration: Declaration, removal: Removal) -> Applied:
    plans = [merge(declared, None, removal) for declared in declaration.accounts]
    changes = [change for plan in plans for change in compare(None, plan)]
    warnings = [warning for plan in plans for warning in find_warnings(plan)]
    return Applied([], changes, declaration.warnings + warnings)


def _work(order: Order) -> Callable[[Tx], Awaitable[Applied]]:
    sealer = load_sealer(order.settings)

    async def work(tx: Tx) -> Applied:
        await require_same_master_key(tx, sealer)
        return await apply_declaration(
            tx,
            sealer,
            order.declaration,
            order.removal,
            actor=command_actor(),
            edited=order.edited,
        )

    return work


def _print_warnings(warnings: list[str]) -> None:
    for warning in warnings:
        remark(f"warning: {warning}")


def _print_changes(
    changes: list[Change], added: str, changed: str, removed: str, *, to: Callable[..., None]
) -> None:
    for change in changes:
        to(Styled(f"{change.op.value} {change}", COLOURS[change.op]))
    if not changes:
        remark("No changes.")
        return
    words = {Op.ADD: added, Op.CHANGE: changed, Op.REMOVE: removed}
    counts = {op: sum(change.op is op for change in changes) for op in Op}
    remark(", ".join(f"{counts[op]} {words[op]}" for op in Op) + ".")


def _removal_text(changes: list[Change]) -> str:
    lines = "".join(f"\n  - {change}" for change in find_removed(changes))
    return (
        f"nothing was applied, because the file leaves out existing entries:{lines}\n"
        "Add them to the file, or remove them with --prune. --diff shows every change."
    )


def _edits_text(conflicts: list[Conflict]) -> str:
    lines = "".join(f"\n  {conflict}" for conflict in conflicts)
    return (
        f"nothing was applied, because it would undo what was changed outside the file:{lines}\n"
        "Take the values into the file, or overwrite them with --overwrite. "
        "--diff shows every change."
    )


def _present(one: Configured) -> dict[str, str]:
    """A live account's secrets only when they are new; a sandbox account's also when given."""
    answer = {"name": one.name, "id": account_ref(one.id), "environment": one.environment}
    is_live = one.environment == "live"
    if one.api_key is not None and (one.has_new_key or not is_live):
        answer["apiKey"] = one.api_key
    if one.signing_secret is not None and (one.has_new_secret or not is_live):
        answer["signingSecret"] = one.signing_secret
    return answer
