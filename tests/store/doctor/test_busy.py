"""Every invariant holds at every moment: the doctor looks again and again while a service works."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from threading import Event

import pytest

from tests.support import batches, forms, passcodes
from tests.support.billing import FAILS, REFUSED, partner_with_member, phone, send
from tests.support.database import fresh_database
from tests.support.receiver import Receiver
from tests.support.service import TestAccount, TestService, require_sound
from tests.support.waiting import settle

LOOKS = 5
EVENT = {
    "eventId": "busy", "eventDate": "2027-06-01T18:00:00Z", "callbackUrl": "https://example.com/hook",
    "texts": {"invalidReply": "Yes or no?", "nudge": "Coming?", "expired": "Closed."},
}  # fmt: skip


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestService]:
    with TestService(fresh_database(), Path(tmp_path_factory.mktemp("data"))) as running:
        yield running


def work(account: TestAccount, member: TestAccount, asking: TestAccount, enough: Event) -> int:
    """Messages that arrive, fail and wait, batches, replies, forms and moved clocks."""
    for n in count(1):
        if enough.is_set():
            return n
        for to in (phone(n), FAILS, REFUSED):
            cid = f"busy-{n:05}-{to[-4:]}"
            assert account.send(clientMessageId=cid, to=to, templateName="plain").is_success
        send(member, n)  # the capacity may be used up
        passcodes.send(account, clientMessageId=f"code-{n:05}", to=phone(n))
        made = batches.submit(account, [
            {"clientMessageId": f"batch-{n:05}-{k}", "to": phone(k), "templateName": "plain"}
            for k in range(5)
        ])  # fmt: skip
        if n % 3 == 0:
            batches.cancel(account, made["batchId"])
        account.send(
            clientMessageId=f"come-{n:05}", to=phone(n), templateName="invite", eventId="busy",
            templateParams=["Dana", "1 June"], kind="invitation",
        )  # fmt: skip
        account.reply(phone(n), ("Yes", "No", "Perhaps", "STOP")[n % 4])
        forms.sent(asking, phone(n), clientMessageId=f"form-{n:05}")
        forms.fill(asking, from_=phone(n))
        account.advance(seconds=7)
    raise AssertionError("count() ends never")


def test_a_service_in_the_middle_of_its_work_breaks_none(service: TestService) -> None:
    with Receiver() as receiver, ThreadPoolExecutor(1) as others:
        receiver.answers([500] * 20)
        account = service.account(passcodes.ONE, webhookUrl=receiver.url)
        assert account.post("/events", EVENT).is_success
        _, member = partner_with_member(service, "busy", messages=30)
        asking = service.account(forms.form_toml(), webhookUrl=receiver.url)
        enough = Event()
        working = others.submit(work, account, member, asking, enough)
        try:
            for _ in range(LOOKS):
                require_sound(service)
        finally:
            enough.set()
        assert working.result() > 1
        settle(account)
        require_sound(service)
