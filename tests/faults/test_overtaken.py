"""A callback that arrives before the platform's response: the outcome is the same."""

import asyncio
from collections.abc import Iterator, Sequence
from datetime import timedelta
from uuid import UUID

import pytest

from tests.support.database import fresh_database
from tests.support.service import GUEST, TestAccount, TestService
from tidings.doctor import check
from tidings.platforms.port import (
    Accepted,
    DispatchOutcome,
    DispatchResult,
    Send,
    StatusKind,
    StatusUpdate,
    UnknownOutcome,
)


class Hasty:
    """Calls back before it answers, and counts whole seconds, as the live platform does."""

    def __init__(self) -> None:
        self.kinds: list[StatusKind] = [StatusKind.SENT]
        self.answers = True
        self.service: TestService

    async def send(self, sends: Sequence[Send]) -> list[DispatchResult]:
        results = []
        for send in sends:
            id_ = f"wamid.{send.send_id}"
            published = [
                (UUID(hex=send.account), self._status(id_, send, kind)) for kind in self.kinds
            ]
            await asyncio.gather(*map(self.service.ctx.lanes.ingest.put, published))
            answer: DispatchOutcome = Accepted(id_) if self.answers else UnknownOutcome()
            results.append(DispatchResult(answer))
        return results

    def _status(self, id_: str, send: Send, kind: StatusKind) -> StatusUpdate:
        at = send.at.replace(microsecond=0) - timedelta(seconds=1)
        return StatusUpdate(id_, send.send_id, kind, at, send.to)


@pytest.fixture
def platform() -> Hasty:
    return Hasty()


@pytest.fixture
def service(platform: Hasty, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestService]:
    folder = tmp_path_factory.mktemp("d")
    with TestService(fresh_database(), folder, platforms={"sandbox": platform}) as running:
        platform.service = running
        yield running
        assert running.call(lambda: check(running.ctx.db)) == []


def send(account: TestAccount, cid: str = "order-0001") -> None:
    answer = account.send(clientMessageId=cid, to=GUEST, templateName="plain")
    assert answer.status_code in (200, 202), answer.text


@pytest.mark.parametrize("kinds", [["sent"], ["sent", "delivered"], ["read"]])
def test_its_times_never_run_backwards(
    platform: Hasty, account: TestAccount, kinds: list[str]
) -> None:
    platform.kinds = [StatusKind(kind) for kind in kinds]
    send(account)
    status = account.status("order-0001")
    times = [step["at"] for step in status["timeline"]]
    assert times == sorted(times) and len(times) > 2
    published = [event["data"]["at"] for event in account.events("message.status")]
    assert set(published) <= set(times)
    assert min(event["createdAt"] for event in account.events()) >= status["createdAt"]


def test_the_latest_of_two_in_one_second_is_the_last_outbound(
    platform: Hasty, service: TestService
) -> None:
    account = service.account(replies="raw")
    platform.kinds = []
    send(account, "order-0001")
    platform.kinds = [StatusKind.SENT]
    send(account, "order-0002")
    account.reply(GUEST, "Hello")
    (received,) = account.events("message.received")
    assert received["data"]["lastOutbound"]["clientMessageId"] == "order-0002"


@pytest.mark.parametrize(("answers", "outcome"), [(True, "sent"), (False, "unknown")])
def test_its_attempt_is_noted_once(
    platform: Hasty, account: TestAccount, answers: bool, outcome: str
) -> None:
    platform.answers = answers
    send(account)
    account.advance(minutes=5)
    status = account.status("order-0001")
    assert status["status"] == "sent"
    assert [one["outcome"] for one in status["attempts"]] == [outcome]
    assert [event["data"]["status"] for event in account.events("message.status")] == ["sent"]
