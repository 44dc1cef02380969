"""`tidings links`: the list, one link, and deactivation for good."""

import csv
import io
from collections.abc import Callable

import pytest

from tests.support.commands import Done, commands
from tests.support.service import TestAccount, TestService
from tests.support.waiting import eventually

Links = Callable[..., Done]


@pytest.fixture
def links(service: TestService) -> Links:
    tidings = commands(service)
    return lambda *words: tidings("links", *words)


def made(account: TestAccount, **fields: str) -> str:
    answer = account.post("/links", {"url": "https://example.com/menu", **fields})
    code: str = answer.json()["data"]["code"]
    return code


def test_links_are_listed_shown_and_deactivated(service: TestService, links: Links) -> None:
    account = service.account(name="links-of-the-command")
    first, second = made(account), made(account, eventId="wedding-1")
    at = ("--url", service.url, "--key", account.key)
    listed = links("list", *at, "--json").json()["links"]
    assert sorted(one["code"] for one in listed) == sorted([first, second])
    rows = list(csv.DictReader(io.StringIO(links("--event", "wedding-1", "--csv", *at).good())))
    assert [(row["code"], row["clicks"], row["active"]) for row in rows] == [(second, "0", "true")]
    assert links("show", first, *at, "--json").json()["active"] is True

    service.http.get(f"/r/{first}")
    eventually(lambda: links("show", first, *at, "--json").json()["clicks"] == 1)
    [day] = links("days", first, "--account", "links-of-the-command", "--json").json()["days"]
    assert day["clicks"] == 1 and str(service.clock.now().date()) == day["day"]
    assert "No opens" in links("days", second, "--account", "links-of-the-command").good()

    assert "deactivated" in links("deactivate", first, "--account", "links-of-the-command").good()
    assert links("show", first, *at, "--json").json()["active"] is False
    assert service.http.get(f"/r/{first}").status_code == 410
    audited = service.sql(
        "SELECT subject FROM audit_log WHERE account_id = $1 AND action = 'link.deactivated'",
        account.id,
    )
    assert audited == [{"subject": first}]
    again = links("deactivate", first, "--account", "links-of-the-command").good()
    assert "was not active" in again
    unknown = links("deactivate", "aaaaaaaaaaaa", "--account", "links-of-the-command")
    assert unknown.code == 1 and "no link" in unknown.err
