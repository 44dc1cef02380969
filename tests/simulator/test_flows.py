"""Flows at the Graph simulator: drafts, their JSON, publication, and forms that guests fill in."""

import json
from typing import Any

import httpx
import pytest

from tests.simulator.test_messages import GUEST, refused
from tests.support.names import named
from tests.support.receiver import Receiver
from tests.support.simulator import RunningSimulator

RATINGS = [{"id": str(place), "title": str(place)} for place in range(1, 6)]
CHOICES = [{"id": word, "title": word} for word in ("food", "music", "hall")]


def flow(**changes: Any) -> dict[str, Any]:
    children = [
        {"type": "TextHeading", "text": "How was it?"},
        {"type": "RadioButtonsGroup", "name": "q1", "label": "Rating", "required": True,
         "data-source": RATINGS},
        {"type": "CheckboxGroup", "name": "q2", "label": "Liked", "data-source": CHOICES},
        {"type": "Dropdown", "name": "q3", "label": "Best", "data-source": CHOICES},
        {"type": "TextArea", "name": "q4", "label": "Comment", "required": False},
        {"type": "Footer", "label": "Send", "on-click-action": {"name": "complete", "payload": {
            "q1": "${form.q1}", "q2": "${form.q2}", "q3": "${form.q3}", "q4": "${form.q4}",
            "form_version": "3"}}},
    ]  # fmt: skip
    screen = {
        "id": "RATE",
        "title": "Feedback",
        "terminal": True,
        "data": {},
        "layout": {"type": "SingleColumnLayout", "children": children},
    }
    return {"version": "7.0", "screens": [screen], **changes}


def create(simulator: RunningSimulator, name: str = "visit", **fields: Any) -> httpx.Response:
    data = {"name": name, "categories": '["SURVEY"]', **fields}
    return simulator.graph("POST", f"{simulator.waba_id}/flows", data=data)


def put(simulator: RunningSimulator, id_: str, content: Any) -> httpx.Response:
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    return simulator.graph(
        "POST",
        f"{id_}/assets",
        data={"name": "flow.json", "asset_type": "FLOW_JSON"},
        files={"file": ("flow.json", data, "application/json")},
    )


def published(simulator: RunningSimulator) -> str:
    id_: str = create(simulator).json()["id"]
    assert put(simulator, id_, flow()).json() == {"success": True, "validation_errors": []}
    assert simulator.graph("POST", f"{id_}/publish").json() == {"success": True}
    return id_


def form(id_: str, **parameters: Any) -> dict[str, Any]:
    return {
        "interactive": {
            "type": "flow",
            "body": {"text": "Tell us"},
            "action": {
                "name": "flow",
                "parameters": {
                    "flow_message_version": "3",
                    "flow_id": id_,
                    "flow_cta": "Rate us",
                    "flow_token": "tok-1",
                    "flow_action": "navigate",
                    "flow_action_payload": {"screen": "RATE", "data": {"k": "v"}},
                    **parameters,
                },
            },
        }
    }


def test_a_flow_from_draft_to_its_end(simulator: RunningSimulator) -> None:
    made = create(simulator).json()
    id_ = made["id"]
    assert made["validation_errors"] == []
    assert simulator.graph("GET", id_).json() == {
        "id": id_, "name": "visit", "status": "DRAFT", "categories": ["SURVEY"],
        "validation_errors": [],
    }  # fmt: skip
    refused(simulator.graph("POST", f"{id_}/publish"), 139002)
    put(simulator, id_, flow())
    assets = simulator.graph("GET", f"{id_}/assets").json()["data"]
    bearer = {"Authorization": "Bearer simulator-token"}
    assert simulator.http.get(assets[0]["download_url"], headers=bearer).json() == flow()
    assert simulator.graph("POST", id_, data={"name": "renamed"}).json() == {"success": True}
    assert simulator.graph("POST", f"{id_}/publish").json() == {"success": True}
    fields = "status,json_version,preview.invalidate(false),health_status"
    shown = simulator.graph("GET", id_, params={"fields": fields}).json()
    assert (shown["status"], shown["json_version"]) == ("PUBLISHED", "7.0")
    refused(simulator.graph("POST", f"{id_}/publish"), 139002)
    refused(put(simulator, id_, flow()), 139001)
    refused(simulator.graph("DELETE", id_), 139004)
    clone = create(simulator, "again", clone_flow_id=id_).json()["id"]
    refused(simulator.graph("POST", f"{clone}/deprecate"), 139003)
    assert simulator.graph("POST", f"{id_}/deprecate").json() == {"success": True}
    assert simulator.graph("DELETE", clone).json() == {"success": True}
    listed = simulator.graph("GET", f"{simulator.waba_id}/flows").json()["data"]
    assert [(each["name"], each["status"]) for each in listed] == [("renamed", "DEPRECATED")]


def test_a_flow_made_and_published_at_once(simulator: RunningSimulator) -> None:
    path = f"{simulator.waba_id}/flows"
    body = {"name": "once", "categories": ["SURVEY"], "flow_json": json.dumps(flow())}
    made = simulator.graph("POST", path, json={**body, "publish": True}).json()
    assert made["success"] is True
    assert simulator.graph("GET", made["id"]).json()["status"] == "PUBLISHED"
    bad = {**body, "name": "bad", "flow_json": "{}", "publish": True}
    made = simulator.graph("POST", path, json=bad).json()
    assert made["success"] is False and made["validation_errors"]


@pytest.mark.parametrize(
    "fields",
    [{"name": ""}, {"categories": "[]"}, {"categories": '["FUN"]'}, {"clone_flow_id": "4"}],
)
def test_a_flow_that_is_refused(simulator: RunningSimulator, fields: dict[str, str]) -> None:
    refused(create(simulator, **{"name": "visit", **fields}), 100)


def test_a_name_is_given_once(simulator: RunningSimulator) -> None:
    create(simulator)
    refused(create(simulator), 100)


def screen(**changes: Any) -> dict[str, Any]:
    whole = flow()
    whole["screens"][0].update(changes)
    return whole


def child(place: int, **changes: Any) -> dict[str, Any]:
    whole = flow()
    whole["screens"][0]["layout"]["children"][place].update(changes)
    return whole


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"{", "INVALID_JSON"),
        ([], "INVALID_PROPERTY_TYPE"),
        (flow(version="1"), "INVALID_PROPERTY_VALUE"),
        (flow(screens=[]), "REQUIRED_PROPERTY_MISSING"),
        (screen(id="SUCCESS"), "INVALID_PROPERTY_VALUE"),
        (screen(id="Q1"), "INVALID_PROPERTY_VALUE"),
        (screen(terminal=False), "MISSING_TERMINAL_SCREEN"),
        (screen(layout={"type": "Grid"}), "REQUIRED_PROPERTY_MISSING"),
        (child(1, name="q2"), "DUPLICATE_COMPONENT_NAME"),
        (child(1, label="l" * 31), "INVALID_PROPERTY_VALUE"),
        (child(1, label=""), "REQUIRED_PROPERTY_MISSING"),
        (child(1, data_source=[]), "INVALID_PROPERTY"),
        (child(1, **{"data-source": []}), "INVALID_PROPERTY_VALUE"),
        (child(1, **{"data-source": [{"id": "a", "title": "t" * 31}]}), "INVALID_PROPERTY_VALUE"),
        (child(4, label="l" * 21), "INVALID_PROPERTY_VALUE"),
        (child(4, type="Poem"), "INVALID_COMPONENT"),
        (child(5, **{"on-click-action": {"name": "fly"}}), "INVALID_PROPERTY_VALUE"),
        (child(5, **{"on-click-action": None}), "REQUIRED_PROPERTY_MISSING"),
        (child(5, type="TextBody", text="no footer"), "INVALID_COMPONENT"),
    ],
    ids=named,
)
def test_what_is_wrong_with_a_flow(simulator: RunningSimulator, content: Any, error: str) -> None:
    id_ = create(simulator).json()["id"]
    answer = put(simulator, id_, content).json()
    assert answer["success"] is True
    assert error in [each["error"] for each in answer["validation_errors"]]
    refused(simulator.graph("POST", f"{id_}/publish"), 139002)


# Sending one


@pytest.mark.parametrize(
    ("parameters", "code"),
    [
        ({"flow_id": "404"}, 131009),
        ({"flow_name": "visit"}, 131009),
        ({"flow_cta": "c" * 31}, 131009),
        ({"flow_message_version": "2"}, 131009),
        ({"mode": "draft"}, 131009),
        ({"flow_action": "data_exchange"}, 131009),
        ({"flow_action_payload": {"screen": "RATE", "data": {}}}, 131009),
    ],
    ids=named,
)
def test_a_form_that_cannot_be_sent(
    simulator: RunningSimulator, parameters: dict[str, Any], code: int
) -> None:
    id_ = published(simulator)
    refused(simulator.send(to=GUEST, **form(id_, **parameters)), code)


def test_a_blocked_or_throttled_flow(simulator: RunningSimulator) -> None:
    id_ = published(simulator)
    for status, code in (("BLOCKED", 132068), ("THROTTLED", 132069), ("DRAFT", 131009)):
        simulator.control("POST", f"/flows/{id_}", {"status": status})
        refused(simulator.send(to=GUEST, **form(id_)), code)


@pytest.mark.parametrize(("last_four", "rating"), [("9108", "5"), ("9109", "1")])
def test_a_magic_guest_fills_the_form_in(
    simulator: RunningSimulator, last_four: str, rating: str
) -> None:
    id_ = published(simulator)
    guest = "97250123" + last_four
    with Receiver() as receiver:
        simulator.reply(guest, "hello")
        simulator.advance(1)
        simulator.call_back(receiver.url)
        sent = simulator.send(to=guest, **form(id_)).json()["messages"][0]["id"]
        simulator.advance(7)
        value = receiver.requests[-1].json()["entry"][0]["changes"][0]["value"]
    message = value["messages"][0]
    assert message["context"]["id"] == sent
    reply = message["interactive"]["nfm_reply"]
    answers = json.loads(reply["response_json"])
    assert (answers["q1"], answers["flow_token"], answers["form_version"]) == (rating, "tok-1", "3")
    assert answers["q2"] == ["food", "music"] and answers["q3"] == "food" and answers["q4"]


def test_a_template_with_a_form(simulator: RunningSimulator) -> None:
    id_ = published(simulator)
    button = {"type": "FLOW", "text": "Rate", "flow_id": id_, "navigate_screen": "RATE"}
    body = {
        "name": "rate", "language": "en", "category": "UTILITY",
        "components": [{"type": "body", "text": "How was it?"},
                       {"type": "buttons", "buttons": [button]}],
    }  # fmt: skip
    made = simulator.graph("POST", f"{simulator.waba_id}/message_templates", json=body)
    assert made.status_code == 200, made.text
    simulator.advance(5)
    press = {"type": "action", "action": {"flow_token": "tok-2"}}
    component = {"type": "button", "sub_type": "flow", "index": "0", "parameters": [press]}
    template = {"name": "rate", "language": {"code": "en"}, "components": [component]}
    assert simulator.send(to=GUEST, template=template).status_code == 200
    simulator.reply(GUEST, form={"answers": {"q1": 4, "q3": "hall"}})
    simulator.flush()
    assert simulator.phone(GUEST)[0]["form"]["questions"][0]["type"] == "rating"
    answers = simulator.phone(GUEST)[-1]["form"]["answers"]
    assert answers == {"q1": "4", "q3": "hall", "form_version": "3"}
