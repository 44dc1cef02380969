"""Trouble on request at the Graph simulator: answers, connections, callbacks."""

import socket
import time
from typing import Any

import httpx
import pytest

from tests.simulator.test_callbacks import messages, statuses
from tests.simulator.test_messages import GUEST, upload
from tests.support.names import named
from tests.support.plain_http import NO_TLS
from tests.support.receiver import Receiver
from tests.support.simulator import RunningSimulator
from tidings_simulator.graph.errors import CODES

OTHER = "972501111111"


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_can_be_asked_for(code: int) -> None:
    # One simulator for all would do; a fault that stayed behind would then show here.
    with RunningSimulator() as simulator:
        simulator.fault(answer="error", code=code)
        answer = simulator.template(GUEST, "plain")
        error = answer.json()["error"]
        assert (answer.status_code, error["code"]) == (CODES[code][0], code)
        assert error["message"] == f"(#{code}) {CODES[code][1]}"
        assert simulator.template(GUEST, "plain").status_code == 200


def test_an_error_in_other_words(simulator: RunningSimulator) -> None:
    simulator.fault(
        answer="error", code=100, subcode=33, status=503, details="gone", retryAfter=7, times=2
    )
    for _ in range(2):
        answer = simulator.template(GUEST, "plain")
        error = answer.json()["error"]
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "7")
        assert (error["error_subcode"], error["error_data"]["details"]) == (33, "gone")
    assert simulator.template(GUEST, "plain").status_code == 200
    struck = [(each["status"], each["code"], each["fault"]) for each in simulator.sends()]
    assert struck == [(503, 100, True), (503, 100, True), (200, None, False)]


def test_a_server_error_without_the_platforms_body(simulator: RunningSimulator) -> None:
    simulator.fault(answer="empty", status=502)
    answer = simulator.template(GUEST, "plain")
    assert (answer.status_code, answer.content) == (502, b"")


def test_a_fault_for_one_recipient_until_it_is_removed(simulator: RunningSimulator) -> None:
    made = simulator.fault(answer="error", code=131016, to=OTHER, times=None)
    for _ in range(3):
        assert simulator.template(OTHER, "plain").status_code == 500
        assert simulator.template(GUEST, "plain").status_code == 200
    (active,) = simulator.control("GET", "/faults")
    assert (active["id"], active["struck"]) == (made["id"], 3)
    assert simulator.control("DELETE", f"/faults/{made['id']}") == []
    assert simulator.template(OTHER, "plain").status_code == 200


@pytest.mark.parametrize("by", ["id", "number"])
def test_a_fault_for_one_number(simulator: RunningSimulator, by: str) -> None:
    simulator.fault(answer="error", code=131048, number=getattr(simulator.number, by))
    assert simulator.template(GUEST, "plain").json()["error"]["code"] == 131048
    simulator.fault(answer="error", code=131048, number="404")
    assert simulator.template(GUEST, "plain").status_code == 200
    simulator.fault(answer="error", code=131048, number=simulator.number.id)
    unversioned = simulator.http.get(f"/{simulator.number.id}?access_token=simulator-token")
    assert unversioned.json()["error"]["code"] == 131048


def test_a_fault_for_one_kind_of_call(simulator: RunningSimulator) -> None:
    simulator.fault(answer="error", code=131053, path="/media")
    assert simulator.template(GUEST, "plain").status_code == 200
    with pytest.raises(AssertionError, match="131053"):
        upload(simulator)
    simulator.fault(answer="error", code=80007, path="/message_templates")
    answer = simulator.graph("GET", f"{simulator.waba_id}/message_templates")
    assert answer.json()["error"]["code"] == 80007


@pytest.mark.parametrize("answer", ["reset", "reset_before", "refuse"])
def test_a_connection_that_breaks(simulator: RunningSimulator, answer: str) -> None:
    simulator.http.close()  # a new connection must be made
    simulator.http = httpx.Client(base_url=simulator.url, timeout=30, verify=NO_TLS)
    simulator.control("POST", "/faults", {"answer": answer})
    simulator.http.close()
    simulator.http = httpx.Client(base_url=simulator.url, timeout=30, verify=NO_TLS)
    with pytest.raises(httpx.TransportError):
        simulator.template(GUEST, "plain")
    assert simulator.template(GUEST, "plain").status_code == 200
    # Only what was read to its end is known to have come.
    assert len(simulator.sends()) == (2 if answer == "reset" else 1)


@pytest.mark.parametrize(
    "fault",
    [
        {"answer": "reset"},
        {"answer": "empty", "status": 500},
        {"answer": "error", "code": 131000},
    ],
    ids=named,
)
@pytest.mark.parametrize("taken", [True, False])
def test_a_message_may_be_taken_all_the_same(
    platform: RunningSimulator, receiver: Receiver, fault: dict[str, Any], taken: bool
) -> None:
    platform.fault(**fault, taken=taken)
    try:
        assert platform.template(GUEST, "plain").status_code == 500
    except httpx.TransportError:
        assert fault["answer"] == "reset"
    platform.flush()
    assert [each["status"] for each in statuses(receiver)] == (
        ["sent", "delivered", "read"] if taken else []
    )


def test_an_answer_that_takes_its_time(simulator: RunningSimulator) -> None:
    simulator.fault(answer="slow", seconds=0.3)
    started = time.monotonic()
    assert simulator.template(GUEST, "plain").status_code == 200
    assert time.monotonic() - started >= 0.3


def test_an_answer_that_never_comes(simulator: RunningSimulator) -> None:
    simulator.fault(answer="hang")
    soon = httpx.Timeout(30, read=0.2)
    with httpx.Client(base_url=simulator.url, timeout=soon, verify=NO_TLS) as impatient:
        patient, simulator.http = simulator.http, impatient
        with pytest.raises(httpx.ReadTimeout):
            simulator.template(GUEST, "plain")
        simulator.http = patient
    assert simulator.template(GUEST, "plain").status_code == 200


def test_a_reset_is_a_reset(simulator: RunningSimulator) -> None:
    simulator.fault(answer="reset")
    port = int(simulator.url.rsplit(":", 1)[1])
    with socket.create_connection(("127.0.0.1", port)) as raw:
        raw.sendall(b"GET /v25.0/1 HTTP/1.1\r\nHost: x\r\n\r\n")
        with pytest.raises(ConnectionResetError):
            raw.recv(100)


@pytest.mark.parametrize(
    ("fault", "field"),
    [
        ({}, "answer"),
        ({"answer": "hang", "callbacks": "lost"}, "answer"),
        ({"answer": "error"}, "code"),
        ({"answer": "refuse", "to": GUEST}, "to"),
        ({"answer": "refuse", "path": "/media"}, "path"),
        ({"answer": "sulk"}, None),
        ({"answer": "empty", "status": 200}, None),
        ({"answer": "hang", "times": 0}, None),
        ({"answer": "hang", "colour": "red"}, None),
    ],
    ids=named,
)
def test_a_fault_that_makes_no_sense(
    simulator: RunningSimulator, fault: dict[str, Any], field: str | None
) -> None:
    answer = simulator.http.post("/simulator/faults", json=fault)
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert (error["code"], error.get("field")) == ("VALIDATION_ERROR", field)


# Callbacks


def received(receiver: Receiver) -> list[str]:
    return [each["status"] for each in statuses(receiver)]


def test_callbacks_get_lost(platform: RunningSimulator, receiver: Receiver) -> None:
    platform.fault(callbacks="lost", statuses=["delivered"])
    platform.template(GUEST, "plain")
    platform.flush()
    assert received(receiver) == ["sent", "read"]
    platform.fault(callbacks="lost", to=GUEST, times=None)
    platform.template(GUEST, "plain")
    platform.reply(GUEST, "nobody hears me")
    platform.template(OTHER, "plain")
    platform.flush()
    assert received(receiver) == ["sent", "read", "sent", "delivered", "read"]
    assert messages(receiver) == []
    # The guest did write, though: at the platform the window is open.
    platform.control("DELETE", "/faults")
    platform.send(to=GUEST, text={"body": "hi"})
    platform.flush()
    assert received(receiver)[5:] == ["sent", "delivered", "read"]
    assert [each["direction"] for each in platform.phone(GUEST)] == ["out", "out", "in", "out"]


def test_callbacks_come_twice(platform: RunningSimulator, receiver: Receiver) -> None:
    platform.fault(callbacks="doubled", times=None)
    platform.template(GUEST, "plain")
    platform.reply(GUEST, "hello")
    platform.flush()
    assert received(receiver) == ["sent", "sent", "delivered", "delivered", "read", "read"]
    assert len({each["id"] for each in messages(receiver)}) == 1 and len(messages(receiver)) == 2
    assert [each["direction"] for each in platform.phone(GUEST)] == ["out", "in"]


def test_callbacks_come_late(platform: RunningSimulator, receiver: Receiver) -> None:
    platform.fault(callbacks="late", seconds=60, statuses=["sent"])
    platform.template(GUEST, "plain")
    platform.advance(30)
    assert received(receiver) == ["delivered", "read"]
    platform.advance(31)
    assert received(receiver) == ["delivered", "read", "sent"]
    at = [int(each["timestamp"]) for each in statuses(receiver)]
    assert at[2] < at[0] < at[1]


def test_callbacks_come_in_another_order(platform: RunningSimulator, receiver: Receiver) -> None:
    platform.fault(callbacks="reordered")
    platform.template(GUEST, "plain")
    platform.flush()
    assert received(receiver) == ["read", "delivered", "sent"]
    platform.template(GUEST, "plain")
    platform.flush()
    assert received(receiver)[3:] == ["sent", "delivered", "read"]
