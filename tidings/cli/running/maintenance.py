"""`tidings doctor`: check the live database.

It checks every invariant (reliability.md, section 3), and that everything encrypted in the
database can be decrypted with the keys at hand.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from tidings.cli.actor import command_actor
from tidings.cli.database import opened
from tidings.cli.output import Refused, print_json, remark, say, waiting
from tidings.cli.runner import load_settings, run
from tidings.clock import SystemClock
from tidings.doctor import SHOWN_MAX, examine, repair
from tidings.doctor.mending import Repaired
from tidings.doctor.model import Report
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.engine.vault import Vault
from tidings.engine.vault_keys import VaultError
from tidings.features.accounts import credentials
from tidings.features.accounts.lookup import load_all_accounts
from tidings.features.accounts.master_key import find_sealer, is_sealed_with
from tidings.features.senders import lookup as senders
from tidings.features.senders.lookup import load_numbers
from tidings.secrets import Sealer
from tidings.settings import Settings


def check_invariants(
    *, as_json: bool = False, timings: bool = False, mending: bool = False, dry_run: bool = False
) -> None:
    """Print each broken invariant with its ids, and each secret that cannot be decrypted; exit
    code 1 where there is one. `mending`: repair what can be before, or with `dry_run` say what."""
    if dry_run and not mending:
        raise Refused("--dry-run is for --repair: give both.")
    with waiting("Checking the database"):
        found = run(_check(load_settings(), mending=mending, dry_run=dry_run))
    if as_json:
        print_json(_as_json(found))
    else:
        _print(found)
    if timings and not as_json:
        for titles, seconds in sorted(found.report.seconds.items(), key=lambda one: -one[1]):
            remark(f"{seconds:8.3f} s  {titles}")
    count = len(found.report.broken) + len(found.shut)
    if count:
        raise Refused(f"{count} of the checks failed.")
    if not as_json:
        remark("Every invariant holds, and every secret can be decrypted.")
        for title, why in found.report.skipped.items():
            remark(f"Not asked: {title}: {why}.")


@dataclass(frozen=True, slots=True)
class _Found:
    report: Report
    shut: list[str]  # secrets that cannot be decrypted, a line each
    repaired: list[Repaired]
    dry_run: bool


async def _check(settings: Settings, *, mending: bool, dry_run: bool) -> _Found:
    async with opened(settings) as db:
        report, repaired = await examine(db), []
        if mending and report.broken:
            repaired = await repair(db, report.broken, command_actor(), dry_run=dry_run)
            if not dry_run:
                report = await examine(db)
        return _Found(report, await check_seals(db, settings), repaired, dry_run)


def _print(found: _Found) -> None:
    did = "would be repaired" if found.dry_run else "repaired"
    for one in found.repaired:
        said = _some(one.ids) if one.ids else "nothing"
        say(f"{did}: {one.name}: {said}")
    for line in found.report.broken:
        how = line.invariant.mended_by
        more = f" (tidings doctor --repair: {how})" if how else " (not repairable here)"
        say(f"{line}{more}")
    for text in found.shut:
        say(text)


def _as_json(found: _Found) -> dict[str, object]:
    broken = [
        {
            "id": one.invariant.id,
            "name": one.invariant.name,
            "says": one.invariant.says,
            "count": one.count,
            "ids": one.ids,
            "page": one.invariant.page,
            "repair": one.invariant.mended_by,
        }
        for one in found.report.broken
    ]
    repaired = [
        {"name": one.name, "count": len(one.ids), "ids": one.ids, "dryRun": found.dry_run}
        for one in found.repaired
    ]
    return {
        "sound": not broken and not found.shut,
        "broken": broken,
        "secrets": found.shut,
        "repaired": repaired,
        "notChecked": found.report.skipped,
        "seconds": found.report.seconds,
    }


async def check_seals(db: Database, settings: Settings) -> list[str]:
    """One line for each kind of secret that cannot be decrypted, and what to do about it."""
    sealer = find_sealer(settings)
    if not await db.transact(lambda tx: is_sealed_with(tx, sealer)):
        return [
            "sealed: the master key is not the one this database was sealed with, so no signing"
            " secret and no access token in it opens: set TIDINGS_MASTER_KEY to that one, or put"
            f" it back as {settings.data / 'master.key'}"
        ]
    undecryptable = (
        [] if sealer is None else await db.transact(lambda tx: _find_undecryptable(tx, sealer))
    )
    return [*undecryptable, *await _check_vault(db, settings)]


async def _find_undecryptable(tx: Tx, sealer: Sealer) -> list[str]:
    names = {account.id: account.name for account in await load_all_accounts(tx)}
    secrets = await credentials.find_unsealable(tx, sealer, list(names))
    lines = []
    if secrets:
        shown = _some(names[account_id] for account_id in secrets)
        lines.append(
            f"sealed: the signing secret does not open: {shown}: tidings keys secret NAME issues a"
            " new one"
        )
    numbers = await _find_numbers(tx, sealer, list(names))
    if numbers:
        lines.append(
            f"sealed: the access token does not open: {_some(numbers)}: tidings apply with their"
            " accessToken in the file gives them another"
        )
    return lines


async def _find_numbers(tx: Tx, sealer: Sealer, account_ids: list[UUID]) -> list[str]:
    loaded = await load_numbers(tx, account_ids)
    return [
        number.number
        for account_id, numbers in loaded.items()
        for number in numbers
        if senders.is_unsealable(sealer, account_id, number)
    ]


async def _check_vault(db: Database, settings: Settings) -> list[str]:
    folder = settings.data / "vault-keys"
    vault = Vault(folder, SystemClock())
    try:
        shut = await db.transact(vault.find_unsealable)
    except VaultError as reason:
        return [f"sealed: {reason}"]
    if not shut:
        return []
    return [
        f"sealed: passcodes of these messages do not open with the keys in {folder}: {_some(shut)}:"
        " run this where the service runs, with its TIDINGS_DATA; if that is here, their keys are"
        " lost and they fail"
    ]


def _some(names: Iterable[str]) -> str:
    found = sorted(names)
    more = f" and {len(found) - SHOWN_MAX} more" if len(found) > SHOWN_MAX else ""
    return ", ".join(found[:SHOWN_MAX]) + more
