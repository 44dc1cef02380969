"""The demo's accounts with something of everything in them, for tests that look at all pages."""

import io
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

from starlette.datastructures import UploadFile

from tests.support.service import NUMBER, TestAccount, TestService
from tidings.cli.running import demo
from tidings.features.accounts.lookup import load_accounts
from tidings.features.batches import drafts
from tidings.features.batches.sheet_rows import Columns

GUESTS = [f"97250123{index:04}" for index in range(12)]
UNCLEAR = "972501239999"
STOPPED = "972501238888"

CUSTOMER = """[[accounts]]
name = "{name}"
environment = "sandbox"
belongsTo = "demo-partner"
[[accounts.numbers]]
number = "972555000001"
[[accounts.templates]]
name = "plain"
body = "Good evening"
"""


@dataclass(frozen=True)
class DemoWorld:
    demo: TestAccount
    partner: TestAccount
    params: dict[str, str]  # values for the parameters of pages' addresses


def build(service: TestService, folder: Path) -> DemoWorld:
    """Accounts `demo` and `demo-partner`, as of `serve --demo`, and a day of work."""
    partner, account = (
        TestAccount(service, made) for made in service.apply(demo.read_or_make(folder))
    )
    link = _send_messages(account)
    batch_id = _send_batch(account)
    _invite(account)
    _ask_feedback(account)
    _use_capacity(partner)
    _add_customers(service)
    _change_number(account)
    return DemoWorld(
        account,
        partner,
        {
            "cid": "hello-001",
            "batchId": batch_id,
            "draft": uploaded_draft(account, "hello"),
            "eventId": "wedding",
            "formId": "stay",
            "number": "DEMO-0001",
            "code": link,
            "id": str(account.id),
            "template": "invite",
            "language": "en",
            "phone": NUMBER,
            "webhookId": account.events()[-1]["id"],
            "requestId": _find_request(account),
        },
    )


def _send_messages(account: TestAccount) -> str:
    for index in range(6):
        _ok(account.send(clientMessageId=f"hello-00{index}", to=GUESTS[index], templateName="hello",
                         templateParams=["Dana"]))  # fmt: skip
    _ok(account.send(clientMessageId="never-001", to="972500000404", templateName="hello",
                     templateParams=["Noa"]))  # fmt: skip
    made = account.post("/links", {"url": "https://example.com/menu", "eventId": "wedding"})
    code: str = _ok(made)["code"]
    _open_link(account, code)
    return code


def _open_link(account: TestAccount, code: str) -> None:
    """Opened now, and over the last two weeks."""
    account.service.http.get(f"/r/{code}", headers={"user-agent": "Mozilla/5.0 (iPhone)"})
    account.get(f"/links/{code}")  # waits until the open is counted
    account.service.sql(
        "INSERT INTO link_days (account_id, code, day, clicks)"
        " SELECT $1, $2, current_date - back, 3 + back * 7 % 11 FROM generate_series(1, 14) back"
        " RETURNING day",
        account.id, code,
    )  # fmt: skip
    account.service.sql(
        "UPDATE links SET first_click_at = now() - interval '14 days', clicks ="
        " (SELECT sum(clicks) FROM link_days d WHERE d.code = links.code)"
        " WHERE code = $1 RETURNING code",
        code,
    )


def _send_batch(account: TestAccount) -> str:
    items = [
        {"clientMessageId": f"november-{index}", "to": GUESTS[index], "templateName": "hello",
         "templateParams": ["Dana"]}
        for index in range(5)
    ]  # fmt: skip
    batch_id: str = _ok(
        account.post("/messages/bulk", {"batchName": "November", "messages": items})
    )["batchId"]
    return batch_id


def uploaded_draft(account: TestAccount, template_name: str) -> str:
    """A CSV file with a mistake in it, whose columns are chosen; the id of the draft."""
    service, account_id = account.service, UUID(str(account.id))
    lines = ["id,phone,name", *(f"sheet-{one},{one},Dana" for one in GUESTS), "sheet-1,050-1,Noam"]

    async def work() -> UUID:
        ctx = service.ctx
        made = (await ctx.db.transact(partial(load_accounts, account_ids=[account_id])))[account_id]
        found = await ctx.db.transact(partial(drafts.load_sendable, account_id=account_id))
        [template] = [one for one in found if one.name == template_name][:1]
        file = UploadFile(io.BytesIO("\n".join(lines).encode()))
        draft_id = await drafts.upload(ctx, made, template, "December", file.read)
        chosen = Columns(1, 0, (2,) * template.variables)
        await ctx.db.transact(
            partial(drafts.choose_columns, account_id=account_id, draft_id=draft_id, columns=chosen)
        )
        return draft_id

    return service.call(work).hex


def _invite(account: TestAccount) -> None:
    event = {
        "eventId": "wedding", "eventDate": "2027-06-01T18:00:00Z",
        "callbackUrl": "https://example.com/hook",
        "texts": {"invalidReply": "Please answer yes or no.", "nudge": "Are you coming?",
                  "expired": "Thank you, the list is closed."},
    }  # fmt: skip
    _ok(account.post("/events", event))
    for number in (*GUESTS[:4], UNCLEAR):
        _ok(account.send(clientMessageId=f"invite-{number}", to=number, templateName="invite",
                         templateParams=["Dana", "1 June"], kind="invitation",
                         eventId="wedding"))  # fmt: skip
    account.reply(GUESTS[0], "Yes, 3 of us")
    account.reply(GUESTS[1], "Sorry, we cannot come")
    account.reply(UNCLEAR, "What is the weather like?")
    account.reply(STOPPED, "STOP")


def _ask_feedback(account: TestAccount) -> None:
    _ok(account.post("/feedback/send", {"formId": "stay", "to": GUESTS[0],
                                        "clientMessageId": "stay-0001"}))  # fmt: skip


def _change_number(account: TestAccount) -> None:
    for quality in ("YELLOW", "GREEN"):
        _ok(account.post("/sandbox/v1/senders/972555000001", {"quality": quality}))


def _use_capacity(partner: TestAccount) -> None:
    _ok(partner.post("/partner/topups", {"messages": 100}))
    _ok(partner.post("/partner/transfers", {"amount": 5.0, "reference": "bank-1"}))


def _add_customers(service: TestService) -> None:
    """Two accounts that use the partner's capacity, one more than the other."""
    for name, count in (("Hotel Galil", 4), ("מלון הים", 2)):
        [made] = service.apply(CUSTOMER.format(name=name))
        account = TestAccount(service, made)
        for index in range(count):
            guest = GUESTS[index]
            _ok(account.send(clientMessageId=f"hi-{guest}", to=guest, templateName="plain"))


def _find_request(account: TestAccount) -> str:
    """A call of the request log that has a body."""
    account.service.call(account.service.service.recorder.flush)
    [row] = account.service.sql(
        "SELECT id FROM request_log WHERE account_id = $1 AND body IS NOT NULL ORDER BY id LIMIT 1",
        account.id,
    )
    return f"req_{row['id'].hex}"


def _ok(answer: Any) -> dict[str, Any]:
    assert answer.status_code in (200, 201, 202), answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data
