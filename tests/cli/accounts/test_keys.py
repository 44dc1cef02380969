"""`tidings keys`, beside a running service."""

import json
from collections.abc import Callable

import pytest

from tests.support.commands import Done, commands
from tests.support.service import TestAccount, TestService
from tests.support.waiting import eventually

Tidings = Callable[..., Done]


@pytest.fixture
def tidings(service: TestService) -> Tidings:
    return commands(service)


@pytest.fixture
def owner(service: TestService) -> TestAccount:
    return service.account()


@pytest.fixture
def name(service: TestService, owner: TestAccount) -> str:
    [row] = service.sql("SELECT name FROM accounts WHERE id = $1", owner.id)
    return str(row["name"])


def works(service: TestService, key: str) -> bool:
    status = service.http.get("/api/v1/limits", headers={"x-api-key": key}).status_code
    assert status in (200, 401)
    return status == 200


def issued(done: Done) -> str:
    assert done.code == 0, done.err
    [key] = done.out.splitlines()
    return key


def test_an_issued_key_works_beside_the_others(
    service: TestService, owner: TestAccount, name: str, tidings: Tidings
) -> None:
    second = issued(tidings("keys", "issue", name))
    assert second.startswith("td_sandbox_")
    eventually(lambda: works(service, second))
    assert works(service, owner.key)
    shown = tidings("keys", "list", name)
    assert shown.code == 0 and second not in shown.out and second[:20] in shown.out
    found = json.loads(tidings("keys", "list", name, "--json").out)["keys"]
    assert [one["last4"] for one in found] == [owner.key[-4:], second[-4:]]
    assert not any(key in json.dumps(found) for key in (owner.key, second))


def test_one_key_is_revoked_by_how_it_begins_or_whole(
    service: TestService, owner: TestAccount, name: str, tidings: Tidings
) -> None:
    second, third = (issued(tidings("keys", "issue", name)) for _ in range(2))
    eventually(lambda: works(service, second) and works(service, third))
    ended = tidings("keys", "revoke", name, "--key", second[:18])
    assert (ended.code, ended.out) == (0, "")
    assert "1 key of" in ended.err
    eventually(lambda: not works(service, second))
    assert tidings("keys", "revoke", name, "--key", third).code == 0
    eventually(lambda: not works(service, third))
    assert works(service, owner.key)


@pytest.mark.parametrize(
    ("given", "why"),
    [("td_sandbox_", "at least 4"), ("td_sandbox_none", "0 keys"), ("{key}x", "0 keys")],
)
def test_no_key_is_revoked_by_a_guess(
    service: TestService, owner: TestAccount, name: str, tidings: Tidings, given: str, why: str
) -> None:
    refused = tidings("keys", "revoke", name, "--key", given.format(key=owner.key))
    assert refused.code == 1 and why in refused.err
    assert works(service, owner.key)


def test_all_keys_are_revoked_and_applying_the_file_brings_none_back(
    service: TestService, owner: TestAccount, name: str, tidings: Tidings
) -> None:
    second = issued(tidings("keys", "issue", name))
    assert "2 keys" in tidings("keys", "revoke", name).err
    eventually(lambda: not works(service, owner.key) and not works(service, second))
    [again] = service.apply(f'[[accounts]]\nname = "{name}"\nenvironment = "sandbox"\n')
    assert again["apiKey"] is None
    assert "has no keys" in tidings("keys", "list", name).out
    assert "0 keys" in tidings("keys", "revoke", name).err


def test_a_rotation_ends_every_key_before_it(
    service: TestService, owner: TestAccount, name: str, tidings: Tidings
) -> None:
    second = issued(tidings("keys", "issue", name))
    third = issued(tidings("keys", "rotate", name, "--overlap-hours", "1"))
    eventually(lambda: all(works(service, key) for key in (owner.key, second, third)))
    found = json.loads(tidings("keys", "list", name, "--json").out)["keys"]
    assert [one["worksUntil"] is None for one in found] == [False, False, True]
    last = issued(tidings("keys", "rotate", name, "--overlap-hours", "0"))
    eventually(lambda: works(service, last) and not works(service, third))
    assert not works(service, owner.key) and not works(service, second), "in an overlap or not"


def test_one_named_key_is_rotated_and_the_list_says_when_it_was_used(
    service: TestService, owner: TestAccount, name: str, tidings: Tidings
) -> None:
    second = issued(tidings("keys", "issue", name, "--name", "Web shop"))
    eventually(lambda: works(service, second))
    done = tidings("keys", "rotate", name, "--key", second[:20], "--overlap-hours", "0")
    third = issued(done)
    assert "is no longer valid" in done.err
    eventually(lambda: works(service, third) and not works(service, second))
    assert works(service, owner.key)

    def used() -> list[tuple[str, bool]]:
        found = json.loads(tidings("keys", "list", name, "--json").out)["keys"]
        return [(one["name"], one["lastUsedAt"] is not None) for one in found]

    eventually(lambda: used() == [("", True), ("Web shop", True)])


def test_what_a_command_does_to_keys_is_on_record(
    service: TestService, owner: TestAccount, name: str, tidings: Tidings
) -> None:
    second = issued(tidings("keys", "issue", name, "--name", "Web shop"))
    third = issued(tidings("keys", "rotate", name, "--key", second[:18], "--overlap-hours", "0"))
    issued(tidings("keys", "secret", name))
    assert tidings("keys", "revoke", name).code == 0
    rows = service.sql(
        "SELECT actor_kind, action, subject, details::text AS details FROM audit_log"
        " WHERE account_id = $1 AND action ~ '^(key|secret)' ORDER BY id",
        owner.id,
    )
    assert [(row["actor_kind"], row["action"]) for row in rows] == [
        ("command", "key.issued"), ("command", "key.rotated"), ("command", "secret.rotated"),
        ("command", "key.revoked"),
    ]  # fmt: skip
    assert second.startswith(rows[0]["subject"]) and third.startswith(rows[1]["subject"])
    assert not any(key in str(rows) for key in (second, third, "whsec_"))
