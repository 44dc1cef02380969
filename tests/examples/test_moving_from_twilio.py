"""The guide for those who come from Twilio: its samples run, on both sides.

Twilio's by Twilio's library without its network; ours against a sandbox.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.examples import vectors
from tests.examples.programs import ROOT, needs, run
from tests.support.passcodes import ONE
from tests.support.service import GUEST, TestService

PAGE = (ROOT / "docs" / "migrating-from-twilio.md").read_text()
SAMPLES = re.findall(r"```python\n(# (Twilio|Tidings).*?)```", PAGE, re.DOTALL)
STAND_IN = str(Path(__file__).with_name("twilio_stand_in.py"))
SID = "AC" + "0" * 32
MESSAGES = f"https://api.twilio.com/2010-04-01/Accounts/{SID}/Messages.json"

VERIFY = """
from twilio.request_validator import RequestValidator as Signer
url, form = "https://example.com/status", {"MessageStatus": "sent", "MessageSid": "SM1"}
signature = Signer("token").compute_signature(url, form)
print(receive_from_twilio(url, form, {"X-Twilio-Signature": signature}, "token"))
print(receive_from_twilio(url, form, {"X-Twilio-Signature": "other"}, "token"))
"""


def script(side: str, folder: Path, more: str) -> str:
    """All samples of a side, in the order of the page."""
    whole = "\n".join([text for text, name in SAMPLES if name == side] + [more])
    path = folder / "script.py"
    path.write_text(whole)
    return str(path)


def test_samples_come_in_pairs() -> None:
    sides = [name for _, name in SAMPLES]
    assert sides == ["Twilio", "Tidings"] * (len(sides) // 2) and len(sides) >= 14


def test_twilios_samples_are_requests_that_its_library_makes(tmp_path: Path) -> None:
    needs("python")
    environment = {"TWILIO_ACCOUNT_SID": SID, "TWILIO_AUTH_TOKEN": "token"}
    path = script("Twilio", tmp_path, VERIFY)
    printed = run("python", STAND_IN, path, folder=tmp_path, env=environment).splitlines()
    requests: list[Any] = [
        json.loads(line.removeprefix("REQUEST ")) for line in printed if line.startswith("REQUEST ")
    ]
    template, text, later, *_ = [data for method, url, data in requests if url == MESSAGES]
    assert (
        template["To"] == f"whatsapp:+{GUEST}" and template["ContentVariables"] == '{"1": "Dana"}'
    )
    assert text["Body"] == "Your table is ready"
    assert later["ScheduleType"] == "fixed" and later["SendAt"]
    assert [url.rsplit("/", 1)[1] for _, url, _ in requests[-2:]] == [
        "Verifications", "VerificationCheck",
    ]  # fmt: skip
    assert printed[-2:] == ["sent", "403"]


@pytest.mark.parametrize("secret", [vectors.SECRET, vectors.OTHER])
def test_our_samples_do_what_the_page_says(
    running_service: TestService, tmp_path: Path, secret: str
) -> None:
    needs("python")
    account = running_service.account(ONE)
    environment = {"TIDINGS_URL": running_service.url, "TIDINGS_API_KEY": account.key}
    post = vectors.signed(1, secret)
    more = f"print(receive_from_tidings({post.body!r}, {post.headers!r}, {vectors.SECRET!r}))"
    path = script("Tidings", tmp_path, more)
    printed = run("python", path, folder=tmp_path, env=environment).splitlines()
    assert printed[0] == "order-0001 sent"
    assert printed[1].startswith("scheduled ")
    assert printed[2].startswith("2 accepted, done by 20")
    assert printed[-1] == ("guest.confirmed" if secret == vectors.SECRET else "wrong_secret")
    [text] = [one for one in account.get("/messages").json()["data"] if one["kind"] == "otp"]
    assert text["to"] == GUEST
