"""`tidings simulator` as a person meets it: a real process, its words, its end."""

import json
import os
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.support.plain_http import NO_TLS
from tidings.account_file.read import read_file

NUMBER_ID = "100000000000001"
BEARER = {"Authorization": "Bearer simulator-token"}
PLAIN = {
    "messaging_product": "whatsapp",
    "to": "972501234567",
    "type": "template",
    "template": {"name": "plain", "language": {"code": "en"}},
}


def command(*args: str) -> list[str]:
    return [sys.executable, "-m", "tidings.cli", "simulator", "--port", "0", *args]


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TIDINGS_")}
    return {**kept, "PYTHONUNBUFFERED": "1", **more}


@contextmanager
def running(*args: str, **env: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        command(*args),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(**env),
        preexec_fn=hear_ctrl_c,
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        assert process.stderr is not None and process.stderr.read() == ""


def hear_ctrl_c() -> None:
    """Whoever runs the tests may have turned it off, as a shell does in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def test_it_says_how_to_point_tidings_at_it() -> None:
    with running("--callback-url", "", "--quiet") as process:
        said = ""
        while "Stop with Ctrl-C" not in said:
            said += line(process)
    url = said.split("listens on ")[1].split()[0]
    assert f"export TIDINGS_GRAPH_URL={url}\n" in said
    assert "export TIDINGS_GRAPH_VERSION=v25.0\n" in said
    assert "export TIDINGS_APP_SECRET=simulator-app-secret\n" in said
    assert "export TIDINGS_VERIFY_TOKEN=simulator-verify-token\n" in said
    toml = said[said.index("[[accounts]]") : said.index("Templates:")]
    assert read_file(toml, {}, allow_private=True)
    (account,) = tomllib.loads(toml)["accounts"]
    assert (account["environment"], account["billingMode"]) == ("live", "OFF")
    assert account["numbers"][0]["phoneNumberId"] == NUMBER_ID


def test_programs_get_json_and_a_line_for_every_call(tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    file.write_text('[[templates]]\nname = "plain"\nbody = "Hi"\n')
    options = ("--json", "--callback-url", "http://127.0.0.1:9/", "--file", str(file))
    secrets = {"TIDINGS_APP_SECRET": "s3cret", "TIDINGS_VERIFY_TOKEN": "sesame"}
    with running(*options, "--number", "972555000044", **secrets) as process:
        start = json.loads(line(process))
        assert start["settings"]["TIDINGS_APP_SECRET"] == "s3cret"
        assert start["settings"]["TIDINGS_VERIFY_TOKEN"] == "sesame"
        assert 'number = "972555000044"' in start["account"]
        path = f"{start['url']}/v25.0/{NUMBER_ID}/messages"
        assert (
            httpx.post(path, json=PLAIN, headers=BEARER, timeout=60, verify=NO_TLS).status_code
            == 200
        )
        came, sent = json.loads(line(process)), json.loads(line(process))
    assert (came["direction"], came["status"], came["to"]) == ("in", 200, "972*******67")
    assert (sent["direction"], sent["status"]) == ("out", None)


def test_a_line_for_people() -> None:
    with running("--callback-url", "") as process:
        said = ""
        while "Stop with Ctrl-C" not in said:
            said += line(process)
        line(process)
        url = said.split("listens on ")[1].split()[0]
        httpx.post(
            f"{url}/v25.0/{NUMBER_ID}/messages",
            json=PLAIN,
            headers=BEARER,
            timeout=60,
            verify=NO_TLS,
        )
        httpx.get(f"{url}/v25.0/{NUMBER_ID}", timeout=60, verify=NO_TLS)
        assert line(process) == f"<- 200 POST /v25.0/{NUMBER_ID}/messages 972*******67\n"
        assert line(process) == f"<- 401 GET /v25.0/{NUMBER_ID}\n"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--number", "+972"), "--number takes digits alone"),
        (("--file", "/nowhere/plan.toml"), "Cannot read /nowhere/plan.toml"),
        (("--host", "192.0.2.1"), "Cannot listen on 192.0.2.1:0"),
    ],
)
def test_what_it_cannot_do_it_says_in_a_sentence(args: tuple[str, ...], words: str) -> None:
    ended = subprocess.run(
        command(*args), capture_output=True, text=True, timeout=60, env=environment(), check=False
    )
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"error: {words}") and ended.stderr.count("\n") == 1
