"""`tidings keys`: new API keys and signing secrets. The new one is all that goes to stdout."""

import sys
from datetime import timedelta

from tidings import limits
from tidings.engine.db.tx import Tx
from tidings.features.accounts.master_key import load_master_key, require_same_master_key
from tidings.features.accounts.rotate import rotate_key, rotate_secret
from tidings.secrets import Sealer
from tidings.settings import Settings

from .database import opened
from .named import load_account
from .running import load_settings, run


def rotate_api_key(name: str, overlap: timedelta) -> None:
    print(run(_rotate_key(load_settings(), name, overlap)))
    ends = f"works on for {_hours(overlap)}" if overlap else "has stopped working"
    print(f"This is the new key of {name}, shown once. The one before it {ends}.", file=sys.stderr)


def rotate_signing_secret(name: str) -> None:
    print(run(_rotate_secret(load_settings(), name)))
    print(
        f"This is the new signing secret of {name}, shown once. The one before it signs "
        f"X-Signature-Previous for {_hours(limits.SECRET_OVERLAP)}.",
        file=sys.stderr,
    )


async def _rotate_key(settings: Settings, name: str, overlap: timedelta) -> str:
    async def work(tx: Tx) -> str:
        return await rotate_key(tx, (await load_account(tx, name)).id, overlap)

    async with opened(settings) as db:
        return await db.transact(work)


async def _rotate_secret(settings: Settings, name: str) -> str:
    sealer = Sealer(load_master_key(settings))

    async def work(tx: Tx) -> str:
        await require_same_master_key(tx, sealer)
        return await rotate_secret(tx, sealer, (await load_account(tx, name)).id)

    async with opened(settings) as db:
        return await db.transact(work)


def _hours(duration: timedelta) -> str:
    return f"{duration // timedelta(hours=1)} hours"
