"""What reaches the log: one line of JSON, with nothing in it that must stay secret."""

import io
import json
import logging
import os
import threading
from contextlib import suppress
from pathlib import Path
from uuid import UUID

import pytest
import structlog

from tests.support import logs
from tests.support.clock import ManualClock
from tidings import __version__
from tidings.engine import log
from tidings.secrets import Secret


class OwnThread(io.StringIO):
    """Keeps what the thread that made it writes: services of other tests may log meanwhile."""

    def __init__(self):
        super().__init__()
        self._thread = threading.get_ident()

    def write(self, text):
        return super().write(text) if threading.get_ident() == self._thread else len(text)


@pytest.fixture
def lines():
    """Logs go to a buffer for the length of a test; afterwards all is as it was."""
    out = OwnThread()
    with logs.restored():
        log.configure(ManualClock(), "debug", out, roles="api,worker")
        yield lambda: [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_line_that_cannot_be_written_fails_nobody():
    full = Path("/dev/full").open("w")  # noqa: SIM115 - closing it fails, as writing does
    with logs.restored():
        log.configure(ManualClock(), "debug", full)
        for _ in range(1000):  # more than any buffer holds
            structlog.get_logger().warning("disk.full")
    with suppress(OSError):
        full.close()


def test_a_line_has_event_level_time_and_request(lines):
    request, account = log.REQUEST_ID.set("req_1"), log.ACCOUNT.set(UUID(int=7))
    structlog.get_logger().info("message.sent", count=2)
    log.REQUEST_ID.reset(request)
    log.ACCOUNT.reset(account)
    assert lines() == [
        {
            "event": "message.sent",
            "level": "info",
            "at": "2026-01-01T12:00:00.000Z",
            "pid": os.getpid(),
            "roles": "api,worker",
            "version": __version__,
            "request_id": "req_1",
            "account": f"acc_{7:032x}",
            "count": 2,
        }
    ]


@pytest.mark.parametrize(
    ("field", "value", "shown"),
    [
        ("to", "972501234567", "972*******67"),
        ("sentFrom", "972501234567", "972*******67"),
        ("phone_number", "972501234567", "972*******67"),
        ("to", "Dana", "***"),
        ("number", 972501234567, "***"),
        ("number", 3, 3),
        ("to", ["972501234567"], ["972*******67"]),
        ("code", "123456", "***"),
        ("apiKey", "td_live_abc", "***"),
        ("x-api-key", "abc", "***"),
        ("Authorization", "Bearer abc", "***"),
        ("text", "dear Dana", "***"),
        ("message", "dear Dana", "***"),
        ("error", "no key td_live_A1b2C3 here", "no key td_live_*** here"),
        ("error", "whsec_A1b2C3", "whsec_***"),
        ("error", "by whsec_A1+b2/C3== it", "by whsec_*** it"),
        ("held", Secret("hunter2"), "***"),
        ("held", b"hunter2", "***"),
        ("nested", {"to": "972501234567", "deep": [{"code": 1}]},
         {"to": "972*******67", "deep": [{"code": "***"}]}),
        ("status", 200, 200),
        ("account", UUID(int=1), f"acc_{1:032x}"),
        ("batch", UUID(int=2), f"bat_{2:032x}"),
        ("message_id", UUID(int=3), f"{3:032x}"),
    ],
)  # fmt: skip
def test_secrets_are_masked_wherever_they_stand(lines, field, value, shown):
    structlog.get_logger().info("event", **{field: value})
    (line,) = [line for line in lines() if line["event"] == "event"]
    assert line[field] == shown


def test_a_trace_is_logged_with_its_keys_masked(lines):
    try:
        raise ValueError("the key td_sandbox_A1b2C3 is bad")
    except ValueError:
        structlog.get_logger().error("failed", exc_info=True)
    assert "ValueError" in lines()[0]["exception"]
    assert "A1b2C3" not in lines()[0]["exception"]


def test_other_libraries_log_the_same_way_from_warning_on(lines):
    logging.getLogger("some.library").info("chatter")
    logging.getLogger("some.library").warning("about %s", "td_live_A1b2C3")
    (line,) = lines()
    assert (line["event"], line["level"]) == ("about td_live_***", "warning")
