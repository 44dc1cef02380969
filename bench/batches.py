"""A batch of 1,000 over HTTP, and a passcode on its way past 100,000 messages that wait."""

import itertools
import json
import os
import statistics
import time
from typing import Any

import httpx

BULKS = 100
PASSCODES = 400  # its p99 is then the fourth worst, and not a single hiccup of the machine
ACCOUNT = """
[[accounts]]
name = "bench-queue"
environment = "sandbox"
requestsPerMinute = 100000000
billingMode = "OFF"
otpTemplate = "code"
[[accounts.numbers]]
number = "972555999001"
perSecond = 80
[[accounts.templates]]
name = "hello"
language = "en"
category = "UTILITY"
status = "APPROVED"
body = "Hello {{1}}, your order {{2}} is on its way"
[[accounts.templates]]
name = "code"
language = "en"
category = "AUTHENTICATION"
status = "APPROVED"
body = "{{1}} is your verification code."
"""

_count = itertools.count()


def bulk(size: int) -> bytes:
    """A batch to guests who are sent to and never answer."""
    items = []
    for _ in range(size):
        n = next(_count)
        items.append(
            {
                "clientMessageId": f"b{os.getpid()}-{n:08d}",
                "to": f"9727{n:07d}9001",
                "templateName": "hello",
                "templateParams": ["Dana", str(n)],
            }
        )
    return json.dumps({"batchName": "bench", "messages": items}).encode()


def measure(port: int, key: str) -> dict[str, Any]:
    headers = {"x-api-key": key, "content-type": "application/json"}
    url = f"http://127.0.0.1:{port}/api/v1"
    with httpx.Client(headers=headers, timeout=60) as client:
        idle = _passcodes(client, url)
        bulks = [_timed(client, f"{url}/messages/bulk", bulk(1000), 202) for _ in range(BULKS)]
        busy = _passcodes(client, url)
    return {
        "bulk": {"p50ms": _ms(bulks, 0.5), "p95ms": _ms(bulks, 0.95)},
        "passcodeIdle": {"p50ms": _ms(idle, 0.5), "p99ms": _ms(idle, 0.99)},
        "passcodeBusy": {"p50ms": _ms(busy, 0.5), "p99ms": _ms(busy, 0.99)},
        "passcodeRatio": round(_ms(busy, 0.99) / _ms(idle, 0.99), 2),
    }


def _passcodes(client: httpx.Client, url: str) -> list[float]:
    """One after another; the first few warm up what was never used before."""
    times = []
    for _ in range(PASSCODES + 20):
        n = next(_count)
        body = json.dumps({"to": f"9728{n:07d}9001", "code": f"{n % 1_000_000:06d}"}).encode()
        times.append(_timed(client, f"{url}/messages/otp", body, 200))
        time.sleep(0.06)  # the number keeps 20 slots a second for passcodes
    return times[20:]


def _timed(client: httpx.Client, url: str, body: bytes, status: int) -> float:
    began = time.perf_counter()
    answer = client.post(url, content=body)
    taken = time.perf_counter() - began
    assert answer.status_code == status, answer.text[:300]
    return taken


def _ms(times: list[float], share: float) -> float:
    return round(statistics.quantiles(times, n=100)[round(share * 100) - 1] * 1000, 1)
