"""`tidings keys master`: which master keys seal what, a new one, and forgetting the old one."""

from dataclasses import dataclass

from tidings.cli.actor import command_actor
from tidings.cli.database import opened
from tidings.cli.output import Refused, print_json, remark, say, waiting
from tidings.cli.runner import load_settings, reported_errors, run
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.features.accounts.changes import announce_all, begin_all
from tidings.features.accounts.master_key import (
    FILE_NAME,
    add_key,
    changing,
    find_sealer,
    keep_first_key,
    load_sealer,
    require_same_master_key,
)
from tidings.features.audit.record import Entry, record
from tidings.sealed_columns import Counts, Resealed, count_sealed, reseal_all
from tidings.secrets import Sealer
from tidings.settings import Settings
from tidings.wording import counted


@dataclass(frozen=True, slots=True)
class State:
    sealer: Sealer
    counts: Counts
    done: Resealed


def show(*, as_json: bool) -> None:
    _report(run(_look(load_settings())), as_json=as_json)


def rotate(*, as_json: bool) -> None:
    """Go on with a rotation that was interrupted, or begin one."""
    settings = load_settings()
    with waiting("Sealing everything under the new key"), reported_errors(), changing(settings):
        state = run(_rotate(settings))
    _report(state, as_json=as_json)
    if state.done.shut:
        raise Refused(f"No key at hand opens these: {'; '.join(state.done.shut)}.")
    if state.counts.others:
        raise Refused("A process went on sealing under the old key meanwhile: run this again.")
    if not as_json:
        remark(_next_step(settings))


def forget(*, as_json: bool) -> None:
    settings = load_settings()
    with reported_errors(), changing(settings):
        state = run(_reseal(settings))
        if state.counts.others:
            raise Refused(
                "Something is still sealed under another key: tidings keys master --rotate."
            )
        if settings.master_key is None:
            keep_first_key(settings)
    _report(run(_look(settings)), as_json=as_json)
    if settings.master_key is not None and not as_json:
        remark("Remove all but the first key from TIDINGS_MASTER_KEY, and restart.")


async def _look(settings: Settings) -> State:
    async with opened(settings) as db:
        sealer = find_sealer(settings)
        if sealer is None:
            raise Refused(
                f"There is no master key here: neither TIDINGS_MASTER_KEY nor"
                f" {settings.data / FILE_NAME}."
            )
        return await _state(db, sealer, Resealed())


async def _rotate(settings: Settings) -> State:
    async with opened(settings) as db:
        sealer = load_sealer(settings)
        await db.transact(lambda tx: require_same_master_key(tx, sealer))
        if len(sealer.fingerprints) == 1:
            _require_file(settings)
            add_key(settings)
            await db.transact(_announce)
    return await _reseal(settings)


async def _reseal(settings: Settings) -> State:
    async with opened(settings) as db:
        sealer = load_sealer(settings)
        await db.transact(lambda tx: require_same_master_key(tx, sealer))
        done = await reseal_all(db, sealer)
        if done.count:
            await db.transact(lambda tx: _record(tx, sealer, done))
        return await _state(db, sealer, done)


async def _announce(tx: Tx) -> None:
    """Every process reads its keys again, within a second."""
    await begin_all(tx)
    await announce_all(tx)


async def _record(tx: Tx, sealer: Sealer, done: Resealed) -> None:
    new, *old = sealer.fingerprints
    details = {"replaces": old, "resealed": done.count}
    entry = Entry(actor=command_actor(), action="master_key.rotated", subject=new, details=details)
    await record(tx, entry)


def _require_file(settings: Settings) -> None:
    if settings.master_key is not None:
        raise Refused(
            "The master key comes from TIDINGS_MASTER_KEY. Make another (openssl rand -base64 32),"
            " set TIDINGS_MASTER_KEY to NEW,OLD for every process, restart them, and run this"
            " again."
        )


async def _state(db: Database, sealer: Sealer, done: Resealed) -> State:
    return State(sealer, await db.transact(lambda tx: count_sealed(tx, sealer)), done)


def _report(state: State, *, as_json: bool) -> None:
    current, *others = state.sealer.fingerprints
    if as_json:
        print_json(
            {
                "current": current,
                "others": others,
                "sealedUnderCurrent": state.counts.current,
                "sealedUnderOthers": state.counts.others,
                "resealed": state.done.count,
                "unopened": state.done.shut,
            }
        )
        return
    say(f"Master key {current}: {counted(state.counts.current, 'sealed value')}.")
    if others or state.counts.others:
        held = f" ({', '.join(others)})" if others else ""
        say(f"Other keys{held}: {counted(state.counts.others, 'sealed value')}.")


def _next_step(settings: Settings) -> str:
    place = "TIDINGS_MASTER_KEY" if settings.master_key is not None else "the file"
    return (
        f"Everything is sealed under the new key. Back it up, then tidings keys master --forget"
        f" removes the old one from {place}, or says how."
    )
