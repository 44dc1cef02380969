"""Load what readiness depends on: templates, numbers and billing."""

from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account
from tidings.features.accounts.pause import find_pause
from tidings.features.billing.charging.charge import find_refusal
from tidings.features.senders.lookup import load_numbers
from tidings.features.senders.model import Number

from . import readiness, responses, store
from .model import Template
from .readiness import Check


async def load_readiness(tx: Tx, account: Account) -> responses.Readiness:
    """Whether an invitation that names no template could leave now, and if not, why."""
    held = await _is_held(tx, account)
    return readiness.readiness(account, *await _load(tx, account), held=held)


async def load_checks(tx: Tx, account: Account) -> list[Check]:
    """The same, by what each reason is about."""
    held = await _is_held(tx, account)
    return readiness.checks(account, *await _load(tx, account), held=held)


async def _is_held(tx: Tx, account: Account) -> bool:
    """Whether all sending is paused since a restore."""
    pause = await find_pause(tx) if account.all_paused else None
    return pause is not None and pause.after_restore


async def _load(tx: Tx, account: Account) -> tuple[list[Template], list[Number], str | None]:
    templates = await store.load_all(tx, account.id)
    numbers = (await load_numbers(tx, [account.id]))[account.id]
    refusal = await find_refusal(tx, account)
    return templates, numbers, None if refusal is None else refusal.message
