"""Parked work: tried again, or discarded after confirmation."""

from typing import Any

from tests.support.operators import actors, operator_of
from tests.support.portal import Seen, signed_in
from tests.support.service import TestAccount, TestService
from tidings.engine import queue
from tidings.engine.queue import Job, NewJob
from tidings.features.callbacks import dead_letters


def park_job(account: TestAccount, subject: str) -> int:
    async def work(tx: Any) -> int:
        job = NewJob(account.id, "send", "message.send", subject, tx.now)
        [job_id] = await queue.enqueue(tx, [job], returning=True)
        claimed = Job(job_id, account.id, "message.send", subject, generation=0, crashes=3)
        await queue.dead_letter(tx, [claimed])
        return int(job_id)

    return account.service.transact(work)


def park_callback(service: TestService, reason: str) -> None:
    service.transact(lambda tx: dead_letters.add(tx, [(reason, b'{"entry": "<b>x</b>"}')]))


def button_of(page: Seen, words: str, button: str) -> dict[str, str]:
    """What a button sends in the row with these words."""
    for row in page.soup.select("tbody tr"):
        if words in row.get_text():
            for form in row.select("form"):
                if form.button.get_text() == button:
                    return {one["name"]: one["value"] for one in form.select("input")}
    raise AssertionError(f"no {button} beside {words}")


def test_a_job_is_tried_again_or_discarded(account: TestAccount) -> None:
    first, second = park_job(account, "m-first"), park_job(account, "m-second")
    operator = operator_of(account.service)
    page = operator.get("/operator/parked")
    assert page.h1 == "Parked work"
    fields = button_of(page, "m-first", "Try again")
    assert fields["id"] == str(first)
    assert operator.http.post("/portal/operator/parked", data=fields).status_code == 303
    fields = button_of(page, "m-second", "Discard")
    asked = operator.http.post("/portal/operator/parked", data=fields)
    assert "Discard this?" in asked.text
    assert "m-second" in operator.get("/operator/parked").main
    done = operator.http.post("/portal/operator/parked", data=fields | {"confirmed": "yes"})
    assert (done.status_code, fields["id"]) == (303, str(second))
    assert "m-second" not in operator.get("/operator/parked").main
    again = operator.http.post("/portal/operator/parked", data=fields | {"confirmed": "yes"})
    assert again.status_code == 404
    assert actors(account.service, "job.discarded", "message.send m-second") == [("person", True)]


def test_a_callback_is_shown_and_discarded(service: TestService) -> None:
    park_callback(service, "unreadable-1")
    operator = operator_of(service)
    page = operator.get("/operator/parked?kind=callbacks")
    assert '{"entry": "<b>x</b>"}' in page.one("pre").get_text()
    fields = button_of(page, "unreadable-1", "Try again")
    assert operator.http.post("/portal/operator/parked", data=fields).status_code == 303
    assert operator.submit(page, "Try all again").status == 200
    service.sql("DELETE FROM callback_dead_letters RETURNING id")
    park_callback(service, "unreadable-2")
    page = operator.get("/operator/parked?kind=callbacks")
    page = operator.submit(operator.submit(page, "Discard"), "Confirm")
    assert "Nothing is parked" in page.main


def test_what_is_not_parked_is_not_found(account: TestAccount) -> None:
    operator = operator_of(account.service)
    for kind in ("jobs", "callbacks"):
        for id in ("x", "123456789"):
            fields = {"kind": kind, "id": id, "act": "retry"}
            assert operator.post("/operator/parked", fields).status_code == 404
    assert signed_in(account).post("/operator/parked", {}).status_code == 403
