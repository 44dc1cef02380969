"""No passcode is sent after its time to live (P9), at whatever step it expires."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.support import passcodes
from tests.support.clock import ManualClock
from tests.support.database import fresh_database
from tests.support.service import GUEST, TestService, account_toml
from tidings.platforms.content import Passcode
from tidings.platforms.port import DispatchResult, Send
from tidings.platforms.sandbox.platform import Sandbox

TTL = timedelta(seconds=60)
CODE = passcodes.template()


class LeapingClock(ManualClock):
    """At the nth look at it after `arm`, a minute has passed: a process was stopped just there."""

    def __init__(self) -> None:
        super().__init__(datetime.now(UTC))
        self.looks_left = -1

    def arm(self, looks: int) -> None:
        self.looks_left = looks

    def now(self) -> datetime:
        self.looks_left -= 1
        if self.looks_left == 0:
            self.advance(seconds=TTL.total_seconds())
        return super().now()

    def peek(self) -> datetime:
        return super().now()


class Watch:
    """The simulated platform, noting when what reached it."""

    def __init__(self, clock: LeapingClock) -> None:
        self.clock = clock
        self.arrivals: dict[str, timedelta] = {}  # clientMessageId: after its acceptance
        self.codes: dict[str, str] = {}

    async def send(self, sends: Sequence[Send]) -> list[DispatchResult]:
        for send in sends:
            assert isinstance(send.content, Passcode) and send.created_at is not None
            self.arrivals[send.client_message_id] = self.clock.peek() - send.created_at
            self.codes[send.client_message_id] = send.content.code
        return await Sandbox().send(sends)


def test_a_passcode_whose_time_runs_out_on_the_way_is_not_handed_over(tmp_path: Path) -> None:
    clock = LeapingClock()
    watch = Watch(clock)
    with TestService(
        fresh_database(), tmp_path, clock=clock, platforms={"sandbox": watch}
    ) as service:
        account = service.account(CODE)
        for looks in range(1, 41):
            cid = f"login-{looks:04}"
            clock.arm(looks)
            body = {"clientMessageId": cid, "to": GUEST, "code": "482913", "ttlSeconds": 60}
            answer = account.post("/messages/otp", body)
            clock.arm(-1)
            assert answer.status_code in (200, 202), answer.text
            status = account.status(cid)["status"]
            assert (cid in watch.arrivals) == (status != "expired"), (looks, status)
        assert service.sql("SELECT count(*) AS n FROM vault") == [{"n": 0}]
    late = {cid: after for cid, after in watch.arrivals.items() if after >= TTL}
    assert late == {}
    assert len(watch.arrivals) > 5


@pytest.mark.parametrize("broken", ["destroyed", "altered"])
def test_a_passcode_that_cannot_be_read_any_more_is_not_sent_without_its_code(
    tmp_path: Path, broken: str
) -> None:
    clock = LeapingClock()
    watch = Watch(clock)
    databases = fresh_database()
    with TestService(databases, tmp_path, clock=clock, platforms={"sandbox": watch}) as service:
        made = service.apply(account_toml(CODE, name="unreadable", paused=True))[0]
        key = {"x-api-key": made["apiKey"]}
        body = {"clientMessageId": "login-0001", "to": GUEST, "code": "482913"}
        answer = service.http.post("/api/v1/messages/otp", json=body, headers=key)
        assert answer.status_code == 202, answer.text
        if broken == "altered":
            service.sql("UPDATE vault SET ciphertext = ciphertext || '1'")
    if broken == "destroyed":
        for file in (tmp_path / "vault-keys").glob("2*"):
            file.unlink()
    with TestService(databases, tmp_path, clock=clock, platforms={"sandbox": watch}) as service:
        service.apply(account_toml(CODE, name="unreadable", paused=False))
        service.http.post("/sandbox/v1/clock", json={"advanceSeconds": 900}, headers=key)
        found = service.http.get("/api/v1/messages/login-0001", headers=key).json()["data"]
        assert found["status"] in ("expired", "failed")
        assert watch.codes == {}
        assert service.sql("SELECT count(*) AS n FROM vault") == [{"n": 0}]
