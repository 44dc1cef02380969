"""The PDF of an account's invoice, for the API and the portal."""

from functools import partial

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account

from .lookup import load_with_lines
from .model import Invoice, LineItem
from .pdf import render


async def make_pdf(ctx: Context, account: Account, number: str) -> bytes:
    """Loaded in one transaction, typeset with none open. 404 where the account has no such one."""

    async def load(tx: Tx) -> tuple[Account, Invoice, list[LineItem]]:
        current = (await load_accounts(tx, [account.id]))[account.id]
        return current, *await load_with_lines(tx, account.id, number)

    owner, invoice, lines = await ctx.db.transact(load)
    printed = partial(
        render,
        invoice,
        lines,
        customer=owner.name,
        issuer=ctx.settings.issuer,
        now=owner.now(ctx.clock.now()),
    )
    return await ctx.documents.make(owner.id, printed)
