"""GET /forms and GET /forms/{formId}/results (contract2 D)."""

from typing import Any

import pytest

from tests.support.answers import refused
from tests.support.forms import ANSWERS, fill, form_toml, sent
from tests.support.names import named
from tests.support.service import GUEST, TestAccount, TestService, account_toml
from tests.support.waiting import eventually

SECOND = "972501234568"
FAILS = "972501239010"  # a magic number: undeliverable


@pytest.fixture
def account(service: TestService) -> TestAccount:
    return service.account(form_toml())


def listed(account: TestAccount, **query: Any) -> list[dict[str, Any]]:
    answer = account.get("/forms", params=query)
    assert answer.status_code == 200, answer.text
    data: list[dict[str, Any]] = answer.json()["data"]
    return data


def results(account: TestAccount, form_id: str = "visit") -> dict[str, Any]:
    answer = account.get(f"/forms/{form_id}/results")
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def figures(account: TestAccount) -> tuple[int, int]:
    [form] = listed(account)
    found = results(account)
    assert (found["sent"], found["answered"]) == (form["sent"], form["answered"])
    return form["sent"], form["answered"]


@pytest.mark.quick
def test_a_form_is_listed_with_its_state_and_figures(account: TestAccount) -> None:
    for number in (GUEST, SECOND):
        sent(account, number)
    account.advance(seconds=5)
    fill(account)
    assert listed(account) == [
        {
            "formId": "visit",
            "title": "Your visit",
            "state": "published",
            "version": 1,
            "sent": 2,
            "answered": 1,
        }
    ]


@pytest.mark.parametrize(
    ("approved", "published", "state"),
    [(False, False, "draft"), (False, True, "draft"), (True, False, "approved")],
)
def test_a_form_is_a_draft_until_it_is_approved(
    service: TestService, approved: bool, published: bool, state: str
) -> None:
    account = service.account(form_toml(approved=approved, published=published))
    assert [one["state"] for one in listed(account)] == [state]


def test_the_version_that_is_sent_stands_for_the_form(service: TestService) -> None:
    name = "versions-of-a-form"
    account = service.account(form_toml(), name=name)
    sent(account)
    draft = form_toml(title="Another title", approved=False, published=False)
    service.apply(account_toml(draft, name=name))
    [form] = listed(account)
    assert (form["version"], form["state"], form["title"]) == (1, "published", "Your visit")
    service.apply(account_toml(form_toml(title="Another title"), name=name))
    [form] = listed(account)
    assert (form["version"], form["title"], form["sent"]) == (2, "Another title", 1)
    assert results(account)["version"] == 2


def test_forms_come_newest_first_in_pages(service: TestService) -> None:
    name = "pages-of-forms"
    account = service.account(form_toml("a-form"), name=name)
    account.advance(minutes=1)
    service.apply(account_toml(form_toml("a-form") + form_toml("c-form"), name=name))
    account.advance(minutes=1)
    every = form_toml("a-form") + form_toml("b-form") + form_toml("c-form")
    service.apply(account_toml(every, name=name))
    first = account.get("/forms", params={"limit": 2}).json()
    assert [one["formId"] for one in first["data"]] == ["b-form", "c-form"]
    rest = account.get("/forms", params={"limit": 2, "cursor": first["nextCursor"]}).json()
    assert ([one["formId"] for one in rest["data"]], rest["nextCursor"]) == (["a-form"], None)
    service.apply(account_toml(form_toml("b-form"), name=name))
    assert [one["formId"] for one in listed(account)] == ["b-form"]
    assert results(account, "a-form")["sent"] == 0  # retired, and its answers are kept


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"limit": "0"}, "limit"),
        ({"limit": "x"}, "limit"),
        ({"cursor": "?"}, "cursor"),
        ({"state": "draft"}, "state"),
    ],
    ids=named,
)
def test_a_bad_filter_is_named(account: TestAccount, query: dict[str, str], field: str) -> None:
    error = refused(account.get("/forms", params=query), 400, "VALIDATION_ERROR")
    assert error["field"] == field and field in error["message"]


def test_results_add_up_question_by_question(account: TestAccount) -> None:
    for number in (GUEST, SECOND):
        sent(account, number)
    account.advance(seconds=5)
    fill(account, ANSWERS | {"q1": 5, "q4": "Lovely"})
    account.advance(seconds=5)
    fill(account, {"q1": 2, "q2": "Meat", "q3": ["Food"], "q4": "Too loud"}, SECOND)
    found = results(account)
    assert (found["formId"], found["version"], found["sent"], found["answered"]) == (
        "visit", 1, 2, 2,
    )  # fmt: skip
    rating, single, multi, comment = found["questions"]
    assert rating == {
        "questionId": "q1",
        "question": "How was it?",
        "type": "rating",
        "answered": 2,
        "average": 3.5,
        "counts": {"1": 0, "2": 1, "3": 0, "4": 0, "5": 1},
    }
    assert single["counts"] == {"Fish": 1, "Meat": 1}
    assert multi["counts"] == {"Food": 2, "Music": 0, "Hall": 1} and multi["answered"] == 2
    assert [one["text"] for one in comment["comments"]] == ["Too loud", "Lovely"]
    assert [one["at"] for one in comment["comments"]] == sorted(
        (one["at"] for one in comment["comments"]), reverse=True
    )
    assert "counts" not in comment and "comments" not in rating and "average" not in single


def test_a_form_without_answers_has_figures_of_zero(account: TestAccount) -> None:
    rating, single, multi, comment = results(account)["questions"]
    assert rating["average"] is None and set(rating["counts"].values()) == {0}
    assert single["counts"] == {"Fish": 0, "Meat": 0}
    assert comment["comments"] == [] and multi["answered"] == 0


def test_a_failed_form_does_not_count_as_sent(account: TestAccount) -> None:
    sent(account)
    sent(account, FAILS, clientMessageId="visit-fails")
    account.advance(minutes=1)
    eventually(lambda: account.status("visit-fails")["status"] == "failed")
    eventually(lambda: figures(account) == (1, 0))
    sent(account, FAILS, clientMessageId="visit-again")  # it takes the place of the failed one
    assert figures(account) in ((2, 0), (1, 0))
    account.advance(minutes=1)
    eventually(lambda: account.status("visit-again")["status"] == "failed")
    eventually(lambda: figures(account) == (1, 0))


def test_at_most_the_newest_200_comments(account: TestAccount) -> None:
    sent(account)
    account.advance(seconds=5)
    fill(account)
    account.service.sql(
        """
        WITH one AS (SELECT * FROM form_sends WHERE account_id = $1),
        more AS (
            INSERT INTO form_sends (account_id, id, form_id, version, phone, message_id, created_at,
                                    answered_at)
            SELECT account_id, gen_random_uuid(), form_id, version, 'x' || n, gen_random_uuid(),
                   created_at, answered_at + make_interval(secs => n)
              FROM one, generate_series(1, 205) AS n
            RETURNING account_id, id, phone, answered_at)
        INSERT INTO form_answers (account_id, send_id, position, form_id, version, question_id,
                                  type, value, at)
        SELECT account_id, id, 3, 'visit', 1, 'q4', 'comment', to_jsonb(phone), answered_at
          FROM more
        """,
        account.id,
    )
    comments = results(account)["questions"][3]["comments"]
    account.service.sql(
        "DELETE FROM form_answers WHERE account_id = $1 AND value #>> '{}' LIKE 'x%'", account.id
    )
    account.service.sql(
        "DELETE FROM form_sends WHERE account_id = $1 AND phone LIKE 'x%'", account.id
    )
    assert [one["text"] for one in comments] == [f"x{n}" for n in range(205, 5, -1)]


def test_an_unknown_form_and_one_of_another_account_are_not_found(
    account: TestAccount, service: TestService
) -> None:
    stranger = service.account(form_toml("theirs"))
    assert results(stranger, "theirs")["formId"] == "theirs"
    for form_id in ("theirs", "visit@1", "VISIT", "%00"):
        refused(account.get(f"/forms/{form_id}/results"), 404, "FORM_NOT_FOUND")
    assert [one["formId"] for one in listed(account)] == ["visit"]
