"""Feedback forms for tests: the usual form, how it is sent and answered."""

from typing import Any

import httpx

from tests.support.service import GUEST, TestAccount

QUESTIONS = (
    '{ id = "q1", type = "rating", text = "How was it?" }, '
    '{ id = "q2", type = "single", text = "What did you eat?", options = ["Fish", "Meat"] }, '
    '{ id = "q3", type = "multi", text = "What did you like?", '
    'options = ["Food", "Music", "Hall"] }, '
    '{ id = "q4", type = "comment", text = "Anything else?" }'
)
ANSWERS = {"q1": 5, "q2": "Fish", "q3": ["Food", "Hall"], "q4": "Thank you"}


def form_toml(
    form_id: str = "visit",
    *,
    title: str = "Your visit",
    approved: bool = True,
    published: bool = True,
    questions: str = QUESTIONS,
    more: str = "",
) -> str:
    return (
        f'[[accounts.forms]]\nid = "{form_id}"\ntitle = "{title}"\n'
        f"approved = {str(approved).lower()}\npublished = {str(published).lower()}\n{more}\n"
        f"questions = [ {questions} ]\n"
    )


def ask(account: TestAccount, to: str = GUEST, form: str = "visit", **more: Any) -> httpx.Response:
    return account.post("/feedback/send", {"formId": form, "to": to, **more})


def sent(account: TestAccount, to: str = GUEST, form: str = "visit", **more: Any) -> dict[str, Any]:
    answer = ask(account, to, form, **more)
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def fill(account: TestAccount, answers: dict[str, Any] | None = None, from_: str = GUEST) -> None:
    """The guest fills in the last form on the phone."""
    body = {"from": from_, "form": {"answers": ANSWERS if answers is None else answers}}
    answer = account.post("/sandbox/v1/replies", body)
    assert answer.status_code == 200, answer.text


def submitted(account: TestAccount) -> list[dict[str, Any]]:
    """The data of every feedback.submitted."""
    return [event["data"] for event in account.events("feedback.submitted")]


def values(data: dict[str, Any]) -> dict[str, Any]:
    return {answer["questionId"]: answer["value"] for answer in data["answers"]}
