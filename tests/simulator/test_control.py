"""The control surface of the Graph simulator: guests, phones, changes, the clock, a reset."""

from typing import Any

import pytest

from tests.simulator.test_callbacks import messages, statuses, values
from tests.simulator.test_messages import BUTTONS, GUEST, interactive
from tests.support.names import named
from tests.support.receiver import Receiver
from tests.support.simulator import RunningSimulator
from tidings_simulator.plan import NumberSpec, Plan


def changes(receiver: Receiver) -> list[tuple[str, dict[str, Any]]]:
    return [
        (change["field"], change["value"])
        for request in receiver.requests
        for entry in request.json()["entry"]
        for change in entry["changes"]
    ]


# Guests


def test_a_guest_presses_a_button_of_a_template(
    platform: RunningSimulator, receiver: Receiver
) -> None:
    sent = platform.template(GUEST, "invite", "Dana", "Friday").json()["messages"][0]["id"]
    platform.template(GUEST, "plain")
    platform.advance(3)
    platform.reply(GUEST, button={"text": "No"})
    platform.flush()
    (press,) = messages(receiver)
    assert press["button"] == {"payload": "No", "text": "No"}
    assert press["context"] == {"from": platform.number.number, "id": sent}


def test_a_guest_presses_a_button_and_a_row(platform: RunningSimulator, receiver: Receiver) -> None:
    platform.reply(GUEST, "hello")
    platform.advance(1)
    rows = [{"id": "fri", "title": "Friday"}, {"id": "sat", "title": "Saturday"}]
    action = {"button": "Choose", "sections": [{"title": "Days", "rows": rows}]}
    platform.send(to=GUEST, **interactive(), biz_opaque_callback_data="ours.1")
    platform.send(to=GUEST, **interactive(type="list", action=action))
    platform.advance(3)
    platform.reply(GUEST, button={"payload": "sat"})
    platform.reply(GUEST, button={"text": "Yes", "clientMessageId": "ours.1"})
    platform.flush()
    row, press = (each["interactive"] for each in messages(receiver)[1:])
    assert row == {"type": "list_reply", "list_reply": {"id": "sat", "title": "Saturday"}}
    assert press == {"type": "button_reply", "button_reply": BUTTONS[0]["reply"]}


def test_a_guest_types_quotes_attaches_and_stops(
    platform: RunningSimulator, receiver: Receiver
) -> None:
    sent = platform.template(GUEST, "plain").json()["messages"][0]["id"]
    platform.reply(GUEST, "about this", quoted=sent)
    platform.reply(GUEST, media={"type": "document", "caption": "look"})
    platform.reply(GUEST, stop=True)
    platform.reply(GUEST, message={"type": "text", "text": {"body": "as it is"}, "group_id": "g"})
    platform.flush()
    quoting, file, stop, verbatim = messages(receiver)
    assert quoting["context"]["id"] == sent
    assert file["document"]["caption"] == "look"
    assert stop["text"]["body"] == "STOP"
    assert verbatim["group_id"] == "g" and verbatim["from"] == GUEST


def test_a_guest_writes_to_the_number_that_wrote_last(receiver: Receiver) -> None:
    specs = [NumberSpec(number=f"97255500000{place}") for place in (1, 2)]
    plan = Plan(numbers=specs)
    with RunningSimulator(plan=plan, callback_url=receiver.url) as platform:
        second = platform.simulator.state.world.find_number("972555000002")
        assert second is not None
        body = {"messaging_product": "whatsapp", "to": GUEST, "text": {"body": "hi"}}
        platform.reply(GUEST, "first")
        platform.graph("POST", f"{second.id}/messages", json=body)
        platform.reply(GUEST, "second")
        platform.reply(GUEST, "first again", to="972555000001")
        platform.advance(0.01)
        received = [value for value in values(receiver) if "messages" in value]
    numbers = [
        value["metadata"]["display_phone_number"] for value in received for _ in value["messages"]
    ]
    assert numbers == ["972555000001", "972555000002", "972555000001"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"text": "a", "stop": True},
        {"stop": False},
        {"button": {"text": "Maybe"}},
        {"media": {"type": "song"}},
        {"form": {"answers": {}}},
        {"text": "a", "quoted": "wamid.x"},
        {"text": "a", "to": "404"},
        {"sample": "poem"},
        {"from": "me", "text": "a"},
        {"colour": "red"},
    ],
    ids=named,
)
def test_what_no_phone_could_send(simulator: RunningSimulator, body: dict[str, Any]) -> None:
    answer = simulator.http.post("/simulator/replies", json={"from": GUEST, **body})
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "VALIDATION_ERROR"


def test_the_phone_shows_both_sides_in_order(simulator: RunningSimulator) -> None:
    simulator.template(GUEST, "invite", "Dana", "Friday")
    simulator.advance(1)
    simulator.reply(GUEST, button={"text": "Yes"})
    simulator.advance(1)
    simulator.send(to=GUEST, **interactive(), biz_opaque_callback_data="ours.2")
    simulator.send(to=GUEST, reaction={"message_id": "wamid.x", "emoji": "👍"})
    shown = simulator.phone(GUEST)
    assert [(each["direction"], each["type"]) for each in shown] == [
        ("out", "template"),
        ("in", "button"),
        ("out", "rich"),
        ("out", "reaction"),
    ]
    assert shown[0]["text"] == "Hi Dana, join us on Friday!"
    assert shown[2]["clientMessageId"] == "ours.2"
    assert simulator.phone("972509999999") == []


# The platform's own changes


def test_a_number_changes_and_the_platform_tells(
    platform: RunningSimulator, receiver: Receiver
) -> None:
    path = f"/numbers/{platform.number.number}"
    assert platform.control("POST", path, {"quality": "RED"}) == {"callbacks": []}
    platform.control("POST", path, {"status": "RESTRICTED"})
    platform.control("POST", path, {"status": "CONNECTED"})
    platform.control("POST", path, {"throughput": "HIGH"})
    platform.control("POST", path, {"limit": "TIER_UNLIMITED"})
    platform.control("POST", path, {"limit": "TIER_2K", "callbacks": False})
    platform.flush()
    received = changes(receiver)
    assert [field for field, _ in received] == [
        "account_update",
        *["phone_number_quality_update"] * 4,
        "business_capability_update",
    ]
    assert received[0][1]["restriction_info"][0]["restriction_type"].startswith("RESTRICTED_")
    events = [value["event"] for _, value in received[1:5]]
    assert events == ["FLAGGED", "UNFLAGGED", "THROUGHPUT_UPGRADE", "UPGRADE"]
    assert received[5][1]["max_daily_conversations_per_business"] == -1


def test_a_template_changes_and_the_platform_tells(
    platform: RunningSimulator, receiver: Receiver
) -> None:
    change = {"status": "PAUSED", "quality": "RED", "category": "MARKETING"}
    platform.control("POST", "/templates/plain", change)
    platform.flush()
    (category, moved), (quality, score), (status, paused) = changes(receiver)
    assert (category, quality) == ("template_category_update", "message_template_quality_update")
    assert (moved["previous_category"], moved["new_category"]) == ("UTILITY", "MARKETING")
    assert (score["previous_quality_score"], score["new_quality_score"]) == ("UNKNOWN", "RED")
    assert (status, paused["event"]) == ("message_template_status_update", "PAUSED")
    answer = platform.http.post("/simulator/templates/nothing", json={"status": "PAUSED"})
    assert answer.status_code == 404


def test_any_other_change_can_be_posted(platform: RunningSimulator, receiver: Receiver) -> None:
    value = {"decision": "APPROVED"}
    platform.control("POST", "/callbacks", {"field": "account_review_update", "value": value})
    platform.flush()
    assert changes(receiver) == [("account_review_update", value)]


def test_the_handshake_with_the_callback_address(simulator: RunningSimulator) -> None:
    assert simulator.control("POST", "/verify")["problem"]
    with Receiver() as receiver:
        simulator.call_back(receiver.url)
        shown = simulator.control("POST", "/verify")
        assert shown == {"verified": False, "problem": "another challenge came back"}
        assert "hub.mode=subscribe" in receiver.requests[0].path


# Time, memory, and what does not exist


def test_the_clock(platform: RunningSimulator, receiver: Receiver) -> None:
    before = platform.control("GET", "/clock")
    platform.template(GUEST, "plain")
    after = platform.control("POST", "/clock", {"advanceSeconds": 60})
    assert len(statuses(receiver)) == 3
    assert after["offsetSeconds"] - before["offsetSeconds"] >= 60
    platform.template(GUEST, "plain")
    platform.control("POST", "/flush")
    assert len(statuses(receiver)) == 6
    for body in ({}, {"advanceSeconds": 0}, {"advanceSeconds": -1}):
        assert platform.http.post("/simulator/clock", json=body).status_code == 400


def test_a_reset_forgets_everything(platform: RunningSimulator, receiver: Receiver) -> None:
    platform.template(GUEST, "plain")
    platform.fault(answer="hang", times=None)
    platform.control("POST", "/templates/plain", {"status": "DISABLED", "callbacks": False})
    platform.advance(0.5)
    count = len(receiver.requests)
    platform.reset()
    platform.flush()
    assert len(receiver.requests) == count
    shown = platform.control("GET", "")
    assert (shown["faults"], shown["callbacksWaiting"]) == (0, 0)
    assert platform.sends() == [] and platform.callbacks() == [] and platform.phone(GUEST) == []
    assert platform.template(GUEST, "plain").status_code == 200


def test_sends_are_listed_with_their_bodies(simulator: RunningSimulator) -> None:
    simulator.template(GUEST, "plain")
    simulator.template("972501111111", "missing")
    simulator.graph("POST", f"{simulator.number.id}/messages", content=b"{")
    first, second, third = simulator.sends()
    assert first["body"]["template"]["name"] == "plain" and first["messageId"]
    assert (second["status"], second["code"], second["messageId"]) == (404, 132001, None)
    assert (third["body"], third["status"]) == (None, 400)
    assert [each["to"] for each in simulator.sends(to=GUEST)] == [GUEST]
    assert simulator.sends(number="404") == []
    simulator.control("DELETE", "/sends")
    assert simulator.sends() == []


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/wings"), ("POST", "/phones/1"), ("GET", "/phones"), ("GET", "/phones/1/2"),
     ("POST", "/numbers/404"), ("POST", "/flows/404")],
)  # fmt: skip
def test_a_control_that_does_not_exist(simulator: RunningSimulator, method: str, path: str) -> None:
    answer = simulator.http.request(method, f"/simulator{path}", json={"status": "CONNECTED"})
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "NOT_FOUND"
