"""API keys in the portal: shown once, rotated with an overlap, revoked for good."""

from typing import Any

import pytest

from tests.support.live import number_toml
from tests.support.portal import Seen, Visitor, signed_in, text_of
from tests.support.service import TestAccount, TestService
from tests.support.waiting import eventually


def works(account: TestAccount, key: str) -> bool:
    answer = account.service.http.get("/api/v1/limits", headers={"x-api-key": key})
    return answer.status_code == 200


def new_key(page: Seen) -> str:
    assert page.status == 200, page.main
    return text_of(page.soup.select_one(".key-new pre"))


def create(visitor: Visitor, name: str = "Web shop") -> str:
    return new_key(visitor.submit(visitor.get("/keys"), "Create key", {"Name": name}))


def row_of(page: Seen, name: str) -> Any:
    for row in page.soup.select("tbody tr"):
        if text_of(row.th).startswith(name):
            return row
    raise AssertionError(f"no key {name} in: {page.main}")


def press(visitor: Visitor, page: Seen, name: str, button: str, **fields: str) -> Seen:
    """A button in the row of the key of this name."""
    only = Seen(page.response, type(page.soup)(str(row_of(page, name)), "html.parser"))
    return visitor.submit(only, button, raw=fields)


def entries(account: TestAccount) -> list[dict[str, Any]]:
    return account.service.sql(
        "SELECT actor_kind, actor, action, subject, details::text AS details FROM audit_log"
        " WHERE account_id = $1 AND action LIKE 'key.%' ORDER BY id",
        account.id,
    )


@pytest.mark.parametrize("environment", ["sandbox", "live"])
def test_a_key_is_shown_once_and_works(service: TestService, environment: str) -> None:
    toml = number_toml(place="105577710002") if environment == "live" else ""
    account = service.account(toml, environment=environment)
    visitor = signed_in(account, "developer")
    page = visitor.submit(visitor.get("/keys"), "Create key", {"Name": "Web shop"})
    key = new_key(page)
    assert key.startswith(f"td_{environment}_")
    assert page.soup.select_one(f'[data-copy="{key}"]') is not None
    assert page.response.headers["cache-control"] == "no-store"
    eventually(lambda: works(account, key))
    again = visitor.get("/keys")
    assert key not in again.response.text
    first, last = text_of(row_of(again, "Web shop").code).split("…")
    assert key.startswith(first) and key.endswith(last)
    [entry] = entries(account)
    assert entry["action"] == "key.issued" and "Web shop" in entry["details"]
    assert key.startswith(entry["subject"]) and key not in str(entry)


def test_a_form_that_is_sent_twice_makes_one_key(account: TestAccount) -> None:
    visitor = signed_in(account)
    page = visitor.get("/keys")
    new_key(visitor.submit(page, "Create key", {"Name": "Shop"}))
    twice = visitor.submit(page, "Create key", {"Name": "Shop"})
    assert twice.status == 422
    assert "created already" in twice.main
    assert len(visitor.get("/keys").rows()) == 2


@pytest.mark.parametrize("name", ["  ", "x" * 101])
def test_a_refused_name_stays_in_its_field(account: TestAccount, name: str) -> None:
    visitor = signed_in(account)
    page = visitor.submit(visitor.get("/keys"), "Create key", {"Name": name})
    assert page.status == 422 and page.errors
    assert page.field("Name")["value"] == name
    assert entries(account) == []


def test_a_rotated_key_works_on_for_the_overlap(account: TestAccount) -> None:
    visitor = signed_in(account)
    old = create(visitor)
    eventually(lambda: works(account, old))
    page = press(visitor, visitor.get("/keys"), "Web shop", "Rotate", overlap="3")
    new = new_key(page)
    eventually(lambda: works(account, new))
    assert works(account, old)
    assert "in 3 days" in page.main
    ending = [row for row in page.soup.select("tbody tr") if "ends" in text_of(row)]
    assert len(ending) == 1 and "Rotate" not in text_of(ending[0])
    assert entries(account)[-1]["action"] == "key.rotated"
    assert '"overlapDays": 3' in entries(account)[-1]["details"]


def test_without_overlap_it_asks_again_and_the_old_key_ends(account: TestAccount) -> None:
    visitor = signed_in(account)
    old = create(visitor)
    asked = press(visitor, visitor.get("/keys"), "Web shop", "Rotate", overlap="0")
    eventually(lambda: works(account, old))
    new = new_key(visitor.submit(asked, "Confirm"))
    eventually(lambda: works(account, new) and not works(account, old))


@pytest.mark.parametrize("overlap", ["8", "-1", "1.5", "x", ""])
def test_an_overlap_is_whole_days(account: TestAccount, overlap: str) -> None:
    visitor = signed_in(account)
    create(visitor)
    page = press(visitor, visitor.get("/keys"), "Web shop", "Rotate", overlap=overlap)
    assert page.status == 422
    assert page.one(".key-rotate [aria-invalid]")["value"] == overlap
    assert len(page.rows()) == 2


def test_a_revoked_key_is_asked_for_again_and_ends_at_once(account: TestAccount) -> None:
    visitor = signed_in(account)
    key = create(visitor)
    eventually(lambda: works(account, key))
    asked = press(visitor, visitor.get("/keys"), "Web shop", "Revoke")
    assert "Web shop" in asked.h1 and works(account, key)
    done = visitor.submit(asked, "Confirm")
    assert "The key is revoked." in done.main
    eventually(lambda: not works(account, key))
    assert len(done.rows()) == 1
    assert entries(account)[-1]["action"] == "key.revoked"


def test_last_used_is_shown(account: TestAccount) -> None:
    visitor = signed_in(account)
    assert "never" in visitor.get("/keys").main
    account.get("/limits")
    service = account.service
    service.call(lambda: service.service.authenticator.note_use())
    assert "never" not in visitor.get("/keys").main


def test_the_list_sorts_by_its_columns(account: TestAccount) -> None:
    visitor = signed_in(account)
    for name in ("beta", "Alpha"):
        create(visitor, name)
    page = visitor.get("/keys")
    assert page.one("th[aria-sort=descending]").text == "Created"
    page = visitor.get(page.links()["Key"])
    assert [row[0].split()[0] for row in page.rows()][:2] == ["Alpha", "beta"]
    assert page.one("th[aria-sort=ascending]").text == "Key"


@pytest.mark.parametrize("role", ["viewer", "sender", "billing"])
def test_who_may_not_build_sees_no_keys(account: TestAccount, role: str) -> None:
    visitor = signed_in(account, role)
    answer = visitor.raw("GET", "/keys")
    assert answer.status_code == 403 and account.key[:20] not in answer.text
    assert "API keys" not in visitor.get("/people").links()
    assert visitor.post("/keys", {"action": "create", "name": "x"}).status_code == 403


def test_a_key_of_another_account_is_not_found(service: TestService, account: TestAccount) -> None:
    other = service.account()
    foreign = service.sql("SELECT id FROM api_keys WHERE account_id = $1", other.id)[0]["id"]
    visitor = signed_in(account)
    for action in ("rotate", "revoke"):
        fields = {"action": action, "overlap": "1", "confirmed": "yes"}
        for key in (str(foreign), "00000000-0000-7000-8000-000000000000", "none"):
            assert visitor.post("/keys", fields | {"key": key}).status_code == 404
    assert works(other, other.key)
    assert visitor.post("/keys", {"action": "dance"}).status_code == 404
