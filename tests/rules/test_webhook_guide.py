"""The verify functions that docs/webhooks.md gives to receivers: they take ours and no other."""

import json
import re
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tidings.features.webhooks.rules import signature, signed_headers

GUIDE = (Path(__file__).parents[2] / "docs" / "webhooks.md").read_text()
SECRET = "whsec_" + "s" * 43
BODY = '{"text":"שלום 🎉"}'.encode()

Verify = Callable[[dict[str, str], bytes, str], bool]


def sample(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", GUIDE, re.DOTALL)
    assert found is not None
    return found[1]


def in_python(headers: dict[str, str], body: bytes, secret: str) -> bool:
    names: dict[str, Any] = {}
    exec(sample("python"), names)
    return bool(names["verify"](headers, body, secret))


def in_node(headers: dict[str, str], body: bytes, secret: str) -> bool:
    lower = json.dumps({name.lower(): text for name, text in headers.items()})
    call = f"console.log(verify({lower}, Buffer.from('{body.hex()}', 'hex'), '{secret}'))"
    done = subprocess.run(
        ["node", "-e", sample("js") + call], capture_output=True, text=True, check=True
    )
    return done.stdout.strip() == "true"


@pytest.fixture(
    params=[
        in_python,
        pytest.param(
            in_node, marks=pytest.mark.skipif(not shutil.which("node"), reason="needs Node")
        ),
    ],
    ids=["python", "node"],
)
def verify(request: pytest.FixtureRequest) -> Verify:
    return request.param


def headers(timestamp: int | None = None) -> dict[str, str]:
    timestamp = int(time.time()) if timestamp is None else timestamp
    return signed_headers(
        "whk_1", BODY, attempt=1, timestamp=timestamp, secret=SECRET, previous=None
    )


def test_they_take_what_we_send(verify: Verify) -> None:
    assert verify(headers(), BODY, SECRET)


def test_a_library_takes_what_we_send() -> None:
    names: dict[str, Any] = {"SECRET": SECRET, "raw_body": BODY, "headers": headers()}
    exec(sample("py"), names)
    assert names["event"] == json.loads(BODY)


def test_they_refuse_another_body_secret_or_signature(verify: Verify) -> None:
    assert not verify(headers(), BODY + b"\n", SECRET)
    assert not verify(headers(), BODY, "whsec_other")
    assert not verify(headers() | {"X-Signature": "sha256=00"}, BODY, SECRET)


@pytest.mark.parametrize("off", [-310, 310])
def test_they_refuse_what_is_old_or_of_the_future(verify: Verify, off: int) -> None:
    assert not verify(headers(int(time.time()) + off), BODY, SECRET)


@pytest.mark.skipif(not shutil.which("openssl"), reason="needs openssl")
def test_openssl_comes_to_the_same(tmp_path: Path) -> None:
    command = re.search(r"^printf .*openssl .*$", GUIDE, re.MULTILINE)
    assert command is not None
    (tmp_path / "body.json").write_bytes(BODY)
    env = {"TIMESTAMP": "1767268800", "SECRET": SECRET, "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        ["bash", "-c", command[0]], env=env, cwd=tmp_path, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert "sha256=" + done.stdout.split()[-1] == signature(SECRET, 1767268800, BODY)
