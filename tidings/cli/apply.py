"""`tidings apply FILE`: make the service match a file, any number of times (contract.md)."""

import os
import sys
from datetime import timedelta
from pathlib import Path

import msgspec

from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.features.accounts.configure import configure as configure_account
from tidings.features.accounts.configure import require_partners
from tidings.features.accounts.master_key import load_master_key, require_same_master_key
from tidings.features.accounts.model import Configured
from tidings.features.billing.invoice_declare import configure as configure_invoices
from tidings.features.billing.subscribe import configure as configure_subscription
from tidings.features.feedback.declare import configure as configure_forms
from tidings.features.messages.dispatch import SENDING_POOLS
from tidings.features.partner.configure import require_same_currency
from tidings.features.senders.configure import configure as configure_numbers
from tidings.features.senders.sync import put_sync
from tidings.features.templates.configure import configure as configure_templates
from tidings.ids import account_ref
from tidings.secrets import Sealer
from tidings.settings import Settings

from .database import opened
from .file import Declaration, read_file
from .file_specs import Wanted
from .refusal import Refused
from .running import load_settings, run


def apply_file(path: Path) -> None:
    """Print what was applied as JSON; nothing else goes to stdout."""
    settings = load_settings()
    configured = run(_apply(_read(path), settings))
    answer = msgspec.json.encode({"accounts": [_presented(one) for one in configured]})
    print(msgspec.json.format(answer, indent=2).decode())


async def apply_declaration(tx: Tx, sealer: Sealer, declaration: Declaration) -> list[Configured]:
    """Configure every account of the file, in one transaction; the answers in the file's order."""
    made: dict[str, Configured] = {}
    # Partners first: an account that belongs to one must find it.
    for wanted in sorted(declaration.accounts, key=lambda one: one.account.partner is None):
        made[wanted.account.name] = await _configure(tx, sealer, wanted)
    await require_partners(tx)
    return [made[wanted.account.name] for wanted in declaration.accounts]


async def _configure(tx: Tx, sealer: Sealer, wanted: Wanted) -> Configured:
    configured = await configure_account(tx, sealer, wanted.account)
    await require_same_currency(tx, configured.id, wanted.account.partner)
    await configure_numbers(tx, sealer, configured.id, wanted.numbers)
    if wanted.templates is not None:
        await configure_templates(tx, configured.id, wanted.templates)
    await configure_subscription(tx, configured.id, wanted.account.declared)
    await configure_invoices(tx, configured.id, wanted.account.declared)
    await configure_forms(tx, configured.id, wanted.account.declared)
    if configured.environment == "live":
        await put_sync(tx, [configured.id], timedelta(0))
    # What held messages back (a pause, a limit, a number) may just have been lifted.
    await queue.hasten(tx, configured.id, SENDING_POOLS)
    return configured


async def _apply(content: str, settings: Settings) -> list[Configured]:
    declaration = read_file(content, os.environ, allow_private=settings.allow_private_webhooks)
    for warning in declaration.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    sealer = Sealer(load_master_key(settings))

    async def work(tx: Tx) -> list[Configured]:
        await require_same_master_key(tx, sealer)
        return await apply_declaration(tx, sealer, declaration)

    async with opened(settings, migrating=True) as db:
        return await db.transact(work)


def _read(path: Path) -> str:
    try:
        content = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
        return content.decode()
    except OSError as reason:
        raise Refused(f"Cannot read {path}: {reason.strerror}.") from None
    except UnicodeDecodeError:
        raise Refused(f"{path} is not UTF-8 text.") from None


def _presented(one: Configured) -> dict[str, str]:
    answer = {"name": one.name, "id": account_ref(one.id), "environment": one.environment}
    if one.api_key is not None:
        answer["apiKey"] = one.api_key
    if one.signing_secret is not None:
        answer["signingSecret"] = one.signing_secret
    return answer
