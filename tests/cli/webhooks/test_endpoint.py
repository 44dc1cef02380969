"""`tidings webhooks set` and `tidings webhooks verify`."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.commands import Done, commands, run
from tests.support.receiver import Receiver
from tests.support.service import TestAccount, TestService
from tests.support.webhooks import publish_events
from tidings.features.webhooks.rules import signed_headers

SECRET = "whsec_" + "S" * 43
BODY = b'{"id":"whk_1","data":{}}'

Verify = Callable[..., Done]


@pytest.fixture
def verify(tmp_path: Path) -> Verify:
    (tmp_path / "body").write_bytes(BODY)
    return lambda *words: run("webhooks", "verify", "--body", str(tmp_path / "body"), *words)


def post_headers(secret: str = SECRET, body: bytes = BODY) -> list[str]:
    made = signed_headers(
        "whk_1", body, attempt=1, timestamp=int(time.time()), secret=secret, previous=None
    )
    return [word for name, text in made.items() for word in ("-H", f"{name}: {text}")]


def test_a_signature_is_checked_locally_with_a_secret(verify: Verify) -> None:
    secret = ("--secret", SECRET)
    assert verify(*secret, *post_headers()).good().startswith("valid")
    other = verify(*secret, *post_headers("whsec_other"))
    assert (other.code, "not valid" in other.out) == (1, True)
    missing = verify(*secret)
    assert (missing.code, "missing_header" in missing.out) == (1, True)


def test_a_signature_is_checked_by_the_service_with_a_key(
    account: TestAccount, verify: Verify
) -> None:
    words = ["--json", *post_headers(account.secret), "--url", account.service.url]
    words += ["--key", account.key]
    assert verify(*words).json()["valid"] is True
    findings = verify(*words, "--secret", "whsec_other").json()["findings"]
    assert [finding["code"] for finding in findings] == ["secret_unknown"]


def test_what_cannot_be_read_is_refused(verify: Verify, tmp_path: Path) -> None:
    missing = str(tmp_path / "none")
    run("webhooks", "verify", "--body", missing, "--secret", SECRET).refused("cannot be read")
    verify("-H", "x", "--secret", SECRET).refused("A header is written as")


# Set


@pytest.fixture
def owner(service: TestService) -> TestAccount:
    return service.account()


@pytest.fixture
def name(service: TestService, owner: TestAccount) -> str:
    [row] = service.sql("SELECT name FROM accounts WHERE id = $1", owner.id)
    return str(row["name"])


def test_events_are_posted_to_the_address_that_was_set(
    service: TestService, owner: TestAccount, name: str
) -> None:
    tidings = commands(service)
    before = service.sql("SELECT * FROM accounts WHERE id = $1", owner.id)[0]
    with Receiver() as receiver:
        done = tidings("webhooks", "set", name, receiver.url)
        assert (done.code, done.out) == (0, "")
        assert f"are now posted to {receiver.url}" in done.err
        ids = publish_events(owner, 1)
        [received] = receiver.wait_for(1)
        assert [received["X-Webhook-Id"]] == ids
        receiver.verify(owner.secret)
        assert "were already" in tidings("webhooks", "set", name, receiver.url).err
    after = service.sql("SELECT * FROM accounts WHERE id = $1", owner.id)[0]
    assert {key for key in before if before[key] != after[key]} == {"webhook_url"}


def test_an_invalid_address_and_an_unknown_account_are_refused(
    service: TestService, name: str
) -> None:
    tidings = commands(service)
    tidings("webhooks", "set", name, "ftp://x").refused("must")
    refused = tidings("webhooks", "set", "nobody", "https://example.com/hook")
    refused.refused("There is no account")
