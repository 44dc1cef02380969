"""Transfers that partners reported: confirmed with what was received, or rejected."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from starlette.responses import Response

from tidings import money
from tidings.engine.db.tx import Tx
from tidings.engine.http.pagination import encode_cursor
from tidings.errors import ApiError, Code
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.accounts.search import load_names
from tidings.features.operation.money import confirm_transfer, read_amount, reject_transfer
from tidings.features.partner.lookup import (
    ReportedTransfer,
    load_pending_transfers,
    load_settled_transfers,
)
from tidings.features.partner.model import LedgerEntry, SettledKey
from tidings.features.people.roles import Right
from tidings.portal.operator.cursor import page_key
from tidings.portal.page import Page
from tidings.portal.paging import paging
from tidings.portal.sorting import read_by_time
from tidings.portal.visit import Visit

PATH = "/operator/transfers"
PENDING_SHOWN_MAX = 100
PAGE_ROWS = 50


@dataclass(frozen=True, slots=True)
class Seen:
    pending: list[ReportedTransfer]
    settled: list[ReportedTransfer]
    next: SettledKey | None
    names: dict[UUID, str]  # of accounts


async def show(visit: Visit) -> Response:
    before = page_key(visit, tuple[datetime, UUID, str])
    sorting = read_by_time(PATH, visit.query)

    async def work(tx: Tx) -> Seen:
        pending = await load_pending_transfers(tx, PENDING_SHOWN_MAX)
        settled, after = await load_settled_transfers(tx, before, PAGE_ROWS, sorting.order)
        names = await load_names(tx, [one.account_id for one in (*pending, *settled)])
        return Seen(pending, settled, after, names)

    seen = await visit.transact(work)
    after = None if seen.next is None else encode_cursor(seen.next)
    return visit.page(
        "operator/transfers.html",
        seen=seen,
        paging=paging(PATH, visit.query, after, sorting.order),
        sorting=sorting,
        wired=money.to_wire,
        refused=(visit.form["account"], visit.form["reference"]),
    )


async def settle(visit: Visit) -> Response:
    """Confirming is itself the confirmation: it is not asked again."""
    account = await _partner(visit)
    reference, note = visit.form["reference"], visit.form["note"] or None
    is_confirmed = visit.form["act"] != "reject"

    async def work(tx: Tx) -> LedgerEntry | None:
        if not is_confirmed:
            return await reject_transfer(tx, visit.actor, account, reference, note)
        received = read_amount(account, visit.form["received"], "received")
        return await confirm_transfer(tx, visit.actor, account, reference, received, note)

    try:
        await visit.transact(work)
    except ApiError as refusal:
        if refusal.code.status == 404:
            raise
        visit.refuse(refusal, {"": "received"})
        return await show(visit)
    _ = visit.gettext
    done = (
        _("Transfer %(reference)s is confirmed.")
        if is_confirmed
        else _("Transfer %(reference)s is rejected.")
    )
    return visit.redirect(PATH, notice=done % {"reference": reference})


async def _partner(visit: Visit) -> Account:
    try:
        account_id = UUID(visit.form["account"])
    except ValueError:
        raise ApiError(Code.NOT_FOUND) from None
    found = (await visit.transact(lambda tx: load_accounts(tx, [account_id]))).get(account_id)
    if found is None or not found.is_partner:
        raise ApiError(Code.NOT_FOUND)
    return found


PAGES = [Page(PATH, get=show, post=settle, needs=Right.OPERATE)]
