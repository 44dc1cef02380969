"""`tidings apply FILE`: the result is JSON on stdout, the changes are lines on stderr."""

import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import typer

from tidings.account_file.apply import Applied, RemovalRefused, apply_declaration
from tidings.account_file.changes import Change, Op, compare, find_removed
from tidings.account_file.plan import Removal, find_warnings, merge
from tidings.account_file.read import Declaration, read_file
from tidings.cli.database import is_missing, opened
from tidings.cli.output import Refused, Styled, print_json, remark
from tidings.cli.runner import load_settings, reported_errors, run
from tidings.engine.db.tx import Tx
from tidings.features.accounts.master_key import load_master_key, require_same_master_key
from tidings.features.accounts.model import Configured
from tidings.ids import account_ref
from tidings.secrets import Sealer
from tidings.settings import Settings

EXIT_CHANGES = 2  # of --diff
COLOURS = {Op.ADD: "green", Op.CHANGE: "yellow", Op.REMOVE: "red"}


def apply_file(path: Path, *, prune: bool, diff: bool) -> None:
    """Apply the file and print the changes; with `diff` only print them, and exit 2 if any."""
    settings, content = load_settings(), _read(path)
    with reported_errors():
        declaration = read_file(content, os.environ, allow_private=settings.allow_private_webhooks)
    removal = Removal.PRUNE if prune else Removal.REFUSE
    if diff:
        _show_diff(declaration, settings, removal)
        return
    try:
        applied = run(_apply(declaration, settings, removal))
    except RemovalRefused as refusal:
        raise Refused(_refusal_text(refusal.changes)) from None
    _print_warnings(applied.warnings)
    _print_changes(applied.changes, "added", "changed", "removed")
    print_json({"accounts": [_present(one) for one in applied.accounts]})


def _read(path: Path) -> str:
    try:
        content = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
        return content.decode()
    except OSError as reason:
        raise Refused(f"Cannot read {path}: {reason.strerror}.") from None
    except UnicodeDecodeError:
        raise Refused(f"{path} is not UTF-8 text.") from None


async def _apply(declaration: Declaration, settings: Settings, removal: Removal) -> Applied:
    work = _work(declaration, settings, removal)
    async with opened(settings, migrating=True) as db:
        return await db.transact(work)


def _show_diff(declaration: Declaration, settings: Settings, removal: Removal) -> None:
    try:
        planned = run(_preview(declaration, settings, removal))
        _print_warnings(planned.warnings)
        changes = planned.changes
    except RemovalRefused as refusal:
        changes = refusal.changes
    _print_changes(changes, "to add", "to change", "to remove")
    if removal is Removal.REFUSE and find_removed(changes):
        remark("Removals need --prune; without it, nothing would be applied.")
    if changes:
        raise typer.Exit(EXIT_CHANGES)


async def _preview(declaration: Declaration, settings: Settings, removal: Removal) -> Applied:
    """The same work in a transaction that is rolled back; no database is created for it."""
    if is_missing(settings):
        return _preview_without_database(declaration, removal)
    work = _work(declaration, settings, removal)
    async with opened(settings) as db:
        return await db.preview(work)


def _preview_without_database(declaration: Declaration, removal: Removal) -> Applied:
    plans = [merge(declared, None, removal) for declared in declaration.accounts]
    changes = [change for plan in plans for change in compare(None, plan)]
    warnings = [warning for plan in plans for warning in find_warnings(plan)]
    return Applied([], changes, declaration.warnings + warnings)


def _work(
    declaration: Declaration, settings: Settings, removal: Removal
) -> Callable[[Tx], Awaitable[Applied]]:
    sealer = Sealer(load_master_key(settings))

    async def work(tx: Tx) -> Applied:
        await require_same_master_key(tx, sealer)
        return await apply_declaration(tx, sealer, declaration, removal)

    return work


def _print_warnings(warnings: list[str]) -> None:
    for warning in warnings:
        remark(f"warning: {warning}")


def _print_changes(changes: list[Change], added: str, changed: str, removed: str) -> None:
    for change in changes:
        remark(Styled(f"{change.op.value} {change}", COLOURS[change.op]))
    if not changes:
        remark("No changes.")
        return
    words = {Op.ADD: added, Op.CHANGE: changed, Op.REMOVE: removed}
    counts = {op: sum(change.op is op for change in changes) for op in Op}
    remark(", ".join(f"{counts[op]} {words[op]}" for op in Op) + ".")


def _refusal_text(changes: list[Change]) -> str:
    lines = "".join(f"\n  - {change}" for change in find_removed(changes))
    return (
        f"nothing was applied, because the file leaves out existing entries:{lines}\n"
        "Add them to the file, or remove them with --prune. --diff shows every change."
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
