"""The adapter against a Graph server: every answer of the port, nothing twice."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from tests.support import graph as fake
from tests.support.adapter import SHORT, TO, FakeFiles, answers, failure, send, sender, using
from tests.support.graph import PHONE_NUMBER_ID, TOKEN, FakeGraph, refuse
from tests.support.waiting import until
from tidings.platforms.content import Passcode
from tidings.platforms.port import (
    Accepted,
    AccountInactive,
    DispatchOutcome,
    FailureKind,
    Rejected,
    UnknownOutcome,
)
from tidings.platforms.whatsapp.adapter import WhatsApp, find_platform_id

# Answers


def test_what_the_platform_takes_is_accepted_under_its_id(
    graph: FakeGraph, files: FakeFiles
) -> None:
    assert answers(graph, files, send()) == [Accepted(f"wamid.{TO}.1")]
    called = graph.messages[0]
    assert called.path == f"/v25.0/{PHONE_NUMBER_ID}/messages"
    assert called.headers["Authorization"] == f"Bearer {TOKEN}"
    assert called.body["biz_opaque_callback_data"] == f"{TO}.1"


def test_another_wa_id_than_the_number_written_to_is_taken_all_the_same(
    graph: FakeGraph, files: FakeFiles
) -> None:
    graph.behave["5511987654321"] = fake.accept(wa_id="551187654321")
    assert answers(graph, files, send("5511987654321")) == [Accepted("wamid.5511987654321.1")]


@pytest.mark.parametrize("status", ["accepted", "held_for_quality_assessment", "paused"])
def test_a_message_that_the_platform_holds_is_accepted(
    graph: FakeGraph, files: FakeFiles, status: str
) -> None:
    graph.behave[TO] = fake.accept(message_status=status)
    assert isinstance(answers(graph, files, send())[0], Accepted)


KINDS = {
    131026: FailureKind.RECIPIENT,
    132000: FailureKind.REFUSED,
    130429: FailureKind.NUMBER_LIMIT,
    80007: FailureKind.ACCOUNT_LIMIT,
    131016: FailureKind.UNAVAILABLE,
    368: FailureKind.ACCOUNT_FAULT,
    987654: FailureKind.REFUSED,
}


@pytest.mark.parametrize("code", KINDS)
def test_a_refusal_is_explained_by_its_code(graph: FakeGraph, files: FakeFiles, code: int) -> None:
    graph.behave[TO] = refuse(code)
    kind, _, platform_code = failure(answers(graph, files, send())[0])
    assert (kind, platform_code) == (KINDS[code], code)


def test_a_code_nobody_knows_is_the_platforms_own_fault_from_500_on(
    graph: FakeGraph, files: FakeFiles
) -> None:
    graph.behave[TO] = refuse(987654, status=503)
    assert failure(answers(graph, files, send())[0]) == (
        FailureKind.UNAVAILABLE,
        "PLATFORM_UNKNOWN_ERROR",
        987654,
    )
    graph.behave[TO] = refuse(132000, status=500)
    assert failure(answers(graph, files, send())[0])[0] is FailureKind.REFUSED, "a known one stays"


def test_a_number_that_the_platform_does_not_know_is_the_accounts_fault(
    graph: FakeGraph, files: FakeFiles
) -> None:
    answer = answers(graph, files, send(sender=sender(phone_number_id="999")))[0]
    assert failure(answer) == (FailureKind.ACCOUNT_FAULT, "NUMBER_NOT_FOUND", 100)


def test_the_platforms_words_and_its_wait_come_along(graph: FakeGraph, files: FakeFiles) -> None:
    graph.behave[TO] = refuse(130429, details="Cloud API message throughput", retry_after="90")
    answer = answers(graph, files, send())[0]
    assert isinstance(answer, Rejected) and answer.retry_after == timedelta(seconds=90)
    assert "The platform says: Cloud API message throughput" in answer.failure.explanation


def test_of_a_passcode_the_platforms_words_are_left_out(graph: FakeGraph, files: FakeFiles) -> None:
    graph.behave[TO] = refuse(132000, details="parameter 428571 is odd")
    answer = answers(graph, files, send(content=Passcode("otp", "en", "428571")))[0]
    assert isinstance(answer, Rejected) and "428571" not in answer.failure.explanation


SILENCES: dict[str, fake.Behaviour] = {
    "hang": fake.hang,
    "reset": fake.reset,
    "500": fake.say(500),
    "502 with HTML": fake.say(502, "<html>bad gateway</html>"),
    "200 with HTML": fake.say(200, "<html>hello</html>"),
    "200 without an id": fake.say(200, '{"messages":[]}', "application/json"),
}


@pytest.mark.parametrize("name", SILENCES)
def test_without_an_answer_the_outcome_is_unknown(
    graph: FakeGraph, files: FakeFiles, name: str
) -> None:
    graph.behave[TO] = SILENCES[name]
    timeout = {"timeout": SHORT} if name == "hang" else {}
    assert answers(graph, files, send(), **timeout) == [UnknownOutcome()]
    assert len(graph.messages) == 1


@pytest.mark.parametrize("status", [302, 404, 429])
def test_an_answer_that_is_not_the_platforms_is_no_unknown_outcome(
    graph: FakeGraph, files: FakeFiles, status: int
) -> None:
    graph.behave[TO] = fake.say(status, "<html>proxy</html>")
    kind, word, _ = failure(answers(graph, files, send())[0])
    assert (kind, word) == (FailureKind.UNAVAILABLE, "PLATFORM_UNREACHABLE")


def test_a_platform_that_is_away_is_unavailable(files: FakeFiles) -> None:
    gone = FakeGraph()
    gone.port = 9  # nobody listens
    assert failure(answers(gone, files, send())[0])[:2] == (
        FailureKind.UNAVAILABLE,
        "PLATFORM_UNREACHABLE",
    )


@pytest.mark.parametrize(
    "answer",
    [
        *[{}, {"messages": None}, {"messages": []}, {"messages": [{}]}, {"messages": ["x"]}],
        *[{"messages": {"id": "x"}}, {"messages": [{"id": 5}]}, {"messages": [{"id": ""}]}],
    ],
    ids=str,
)
def test_an_answer_without_an_id_names_none(answer: dict[str, Any]) -> None:
    assert find_platform_id(answer) is None


# Many at once


def test_a_list_goes_out_side_by_side_within_its_bound_and_is_answered_in_order(
    graph: FakeGraph, files: FakeFiles
) -> None:
    people = [f"97250000{n:04}" for n in range(40)]
    for place, to in enumerate(people):
        graph.behave[to] = fake.after(0.002 * (len(people) - place))
    graph.behave[people[7]] = refuse(131026)
    graph.behave[people[8]] = fake.reset
    found = answers(graph, files, *map(send, people), concurrency=10)
    assert isinstance(found[7], Rejected) and found[8] == UnknownOutcome()
    for place, to in enumerate(people):
        if place not in (7, 8):
            assert found[place] == Accepted(f"wamid.{to}.1")
    assert 1 < graph.at_once <= 10
    assert graph.connections <= 11, "kept alive and used again"


def test_nothing_to_send_is_nothing(graph: FakeGraph, files: FakeFiles) -> None:
    assert answers(graph, files) == []


def test_one_slow_answer_does_not_hold_up_another_call(graph: FakeGraph, files: FakeFiles) -> None:
    graph.behave["972500000001"] = fake.hang

    async def work(adapter: WhatsApp) -> list[DispatchOutcome]:
        slow = asyncio.create_task(adapter.send([send("972500000001")]))
        quick = await adapter.send([send("972500000002")])
        assert not slow.done()
        slow.cancel()
        return [result.outcome for result in quick]

    assert isinstance(using(graph, files, work)[0], Accepted)


def test_a_passcode_does_not_stand_behind_others(graph: FakeGraph, files: FakeFiles) -> None:
    graph.behave["972500000001"] = fake.hang

    async def work(adapter: WhatsApp) -> DispatchOutcome:
        slow = asyncio.create_task(adapter.send([send("972500000001")]))
        await until(lambda: graph.messages)
        code = await adapter.send([send(content=Passcode("otp", "en", "1234"))])
        assert not slow.done()
        slow.cancel()
        answer: DispatchOutcome = code[0].outcome
        return answer

    assert isinstance(using(graph, files, work, concurrency=1), Accepted)


def test_after_a_fault_of_the_number_the_rest_of_its_list_is_not_tried(
    graph: FakeGraph, files: FakeFiles
) -> None:
    people = [f"97250000{n:04}" for n in range(20)]
    bad = [send(to, sender=sender(token="revoked")) for to in people]
    good = send(sender=sender(phone_number_id="1055000000000099"))
    found = answers(graph, files, *bad, good, concurrency=2)
    assert {failure(answer)[1] for answer in found[:-1]} == {"ACCESS_TOKEN_INVALID"}
    assert isinstance(found[-1], Accepted), "another number has its own token"
    assert sum(graph.counts()[to] for to in people) <= 2


def test_a_paused_account_is_withheld_right_before_the_call(
    graph: FakeGraph, files: FakeFiles
) -> None:
    assert answers(graph, files, send(), stopped={"acc"}) == [AccountInactive()]
    assert graph.messages == []
    assert answers(graph, files, send(), stopped={"other"}) == [Accepted(f"wamid.{TO}.1")]
