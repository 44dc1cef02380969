"""What a partner does at its desk: buys messages, reports transfers, takes statements along.

A form carries the id of the ledger's entry that it makes, so that sending it twice does it once.
"""

from datetime import date
from functools import partial
from uuid import UUID

from starlette.responses import Response

from tidings import ids, limits, times
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.partner import rules, statement
from tidings.features.partner.once import report_once, top_up_once
from tidings.features.people.roles import Right
from tidings.money import Money
from tidings.portal.download import csv_file, pdf_file
from tidings.portal.money.partner import read_span, require_partner, show
from tidings.portal.page import Page
from tidings.portal.visit import Visit

SEPARATORS = str.maketrans("", "", ", \u00a0\u202f")  # of thousands, as people write them


async def act(visit: Visit) -> Response:
    """`act` of the form says which of the two it is."""
    require_partner(visit)
    work, done, field = {
        "topup": (_top_up, visit.gettext("The messages were bought and can be used."), "messages"),
        "transfer": (
            _report,
            visit.gettext("The transfer was reported. The debt falls when it is confirmed."),
            "reference",
        ),
    }.get(visit.form["act"], (None, "", ""))
    if work is None:
        raise ApiError(Code.NOT_FOUND)
    try:
        await visit.transact(partial(work, visit))
    except ApiError as refusal:
        if refusal.code is Code.NOT_FOUND:
            raise
        visit.refuse(refusal, {"": field})
        return await show(visit)
    return visit.redirect("/partner", notice=done)


async def _top_up(visit: Visit, tx: Tx) -> None:
    messages = rules.require_quantity(_whole(visit.form["messages"]))
    account = await _load(visit, tx)
    bought = await top_up_once(tx, account, messages, _entry_id(visit))
    if bought is None:
        return
    details: dict[str, object] = {"messages": messages, "amount": str(bought.entry.amount)}
    await visit.record(tx, "capacity.bought", ids.ledger_ref(bought.entry.id), **details)


async def _report(visit: Visit, tx: Tx) -> None:
    account = await _load(visit, tx)
    assert account.partner is not None
    amount = rules.require_amount(visit.form["amount"], account.partner.currency)
    reported = await report_once(
        tx,
        account,
        amount=amount,
        reference=rules.require_reference(visit.form["reference"]),
        transfer_date=_day(visit),
        note=_note(visit),
        entry_id=_entry_id(visit),
    )
    if reported is not None:
        details: dict[str, object] = {"amount": str(Money(amount.minor, amount.currency))}
        await visit.record(tx, "transfer.reported", reported.reference, **details)


async def _load(visit: Visit, tx: Tx) -> Account:
    """Again: the terms may have changed since the page was asked for."""
    account = (await load_accounts(tx, [visit.chosen.id]))[visit.chosen.id]
    if not account.is_partner:
        raise ApiError(Code.NOT_FOUND)
    return account


def _whole(text: str) -> int | str:
    """1,000 is a number too."""
    digits = text.translate(SEPARATORS)
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 20 else text


def _entry_id(visit: Visit) -> UUID:
    entry_id = ids.parse_ref("led_", visit.form["entryId"])
    if entry_id is None:
        problem = visit.gettext("The form is damaged. Reload the page and try again.")
        raise ApiError(Code.VALIDATION_ERROR, problem)
    return entry_id


def _day(visit: Visit) -> date | None:
    text = visit.form["transferDate"]
    try:
        return times.parse_date(text) if text else None
    except ValueError:
        problem = visit.gettext("Give a day such as 2026-10-18.")
        raise ApiError(Code.VALIDATION_ERROR, problem, field="transferDate") from None


def _note(visit: Visit) -> str | None:
    note = visit.form["note"]
    if len(note) > limits.NOTE_CHARS_MAX:
        most = limits.NOTE_CHARS_MAX
        problem = visit.gettext("Write a text of at most %(most)s characters.", most=most)
        raise ApiError(Code.VALIDATION_ERROR, problem, field="note")
    return note or None


async def give_csv(visit: Visit) -> Response:
    account, span = require_partner(visit), read_span(visit)
    if visit.form.errors:
        return await show(visit)
    return csv_file(f"statement-{account.name}", statement.csv_bytes(visit.ctx, account, span))


async def give_pdf(visit: Visit) -> Response:
    account, span = require_partner(visit), read_span(visit)
    if visit.form.errors:
        return await show(visit)
    content = await statement.make_pdf(visit.ctx, account, span)
    return pdf_file(f"statement-{account.name}", content)


PAGES = [
    Page("/partner", get=show, post=act, needs=Right.MONEY_READ, post_needs=Right.MONEY),
    Page("/partner/statement.csv", get=give_csv, needs=Right.MONEY_READ),
    Page("/partner/statement.pdf", get=give_pdf, needs=Right.MONEY_READ),
]
