"""Templates at the Graph simulator: listed in pages, created, reviewed, edited, deleted."""

from typing import Any

import httpx
import pytest

from tests.simulator.test_messages import GUEST, refused
from tests.simulator.test_template_send import CODE, TEMPLATES, platform, send
from tests.support.names import named
from tests.support.receiver import Receiver
from tests.support.simulator import RunningSimulator

__all__ = ["platform"]  # a fixture


def names(answer: httpx.Response) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [each["name"] for each in answer.json()["data"]]


def test_pages_follow_one_another(platform: RunningSimulator) -> None:
    path = f"{platform.waba_id}/message_templates"
    everything = names(platform.graph("GET", path))
    assert len(everything) == len(TEMPLATES)
    found: list[str] = []
    answer = platform.graph("GET", path, params={"limit": "3", "fields": "name"})
    while True:
        found += names(answer)
        body = answer.json()
        assert all(set(each) == {"name", "id"} for each in body["data"])
        if "next" not in body["paging"]:
            break
        after = body["paging"]["cursors"]["after"]
        assert f"after={after}" in body["paging"]["next"]
        answer = platform.http.get(
            body["paging"]["next"], headers={"Authorization": "Bearer simulator-token"}
        )
    assert found == everything
    back = platform.graph("GET", path, params={"limit": "3", "before": after})
    assert back.json()["paging"]["next"]


def test_filters(platform: RunningSimulator) -> None:
    path = f"{platform.waba_id}/message_templates"
    assert names(platform.graph("GET", f"{path}?name=pla")) == ["plain", "place"]
    assert names(platform.graph("GET", f"{path}?status=PAUSED")) == ["paused"]
    assert names(platform.graph("GET", f"{path}?category=authentication")) == ["code"]
    empty = platform.graph("GET", f"{path}?language=he").json()
    assert empty == {"data": []}


@pytest.mark.parametrize("query", ["limit=0", "limit=x", "after=zzz", "fields=name,wings"])
def test_a_query_that_means_nothing(platform: RunningSimulator, query: str) -> None:
    answer = platform.graph("GET", f"{platform.waba_id}/message_templates?{query}")
    refused(answer, 100)


def test_a_template_shows_what_was_approved(platform: RunningSimulator) -> None:
    listed = platform.graph("GET", f"{platform.waba_id}/message_templates?name=full").json()
    (full,) = listed["data"]
    assert (full["status"], full["category"], full["language"]) == ("APPROVED", "UTILITY", "en")
    types = [each["type"] for each in full["components"]]
    assert types == ["HEADER", "BODY", "FOOTER", "BUTTONS"]
    alone = platform.graph("GET", full["id"], params={"fields": "name,quality_score"}).json()
    assert alone == {
        "name": "full",
        "quality_score": {"score": "UNKNOWN", "date": 0},
        "id": full["id"],
    }


# Creation and review

BODY = {"type": "BODY", "text": "Hi {{1}}, welcome!", "example": {"body_text": [["Dana"]]}}


def create(simulator: RunningSimulator, **fields: Any) -> httpx.Response:
    whole = {"name": "fresh", "language": "en", "category": "UTILITY", "components": [BODY]}
    path = f"{simulator.waba_id}/message_templates"
    return simulator.graph("POST", path, json={**whole, **fields})


def test_a_new_template_is_reviewed_and_then_usable(simulator: RunningSimulator) -> None:
    with Receiver() as receiver:
        simulator.call_back(receiver.url)
        made = create(simulator).json()
        assert (made["status"], made["category"]) == ("PENDING", "UTILITY")
        refused(simulator.template(GUEST, "fresh", "Dana"), 132001, 404)
        simulator.advance(5)
        value = receiver.requests[0].json()["entry"][0]["changes"][0]
    assert value["field"] == "message_template_status_update"
    assert value["value"] == {
        "event": "APPROVED",
        "message_template_id": int(made["id"]),
        "message_template_name": "fresh",
        "message_template_language": "en",
        "reason": "NONE",
        "message_template_category": "UTILITY",
    }
    assert "time" in receiver.requests[0].json()["entry"][0]
    assert simulator.template(GUEST, "fresh", "Dana").status_code == 200
    refused(create(simulator), 100)


def test_a_review_may_refuse(simulator: RunningSimulator) -> None:
    made = create(simulator, name="bad_rejected").json()
    simulator.advance(5)
    shown = simulator.graph("GET", made["id"], params={"fields": "status,rejected_reason"}).json()
    assert (shown["status"], shown["rejected_reason"]) == ("REJECTED", "INVALID_FORMAT")


def test_a_template_withdrawn_before_its_review(simulator: RunningSimulator) -> None:
    made = create(simulator).json()
    simulator.control("POST", "/templates/fresh", {"status": "DISABLED", "callbacks": False})
    simulator.advance(5)
    assert simulator.graph("GET", made["id"]).json()["status"] == "DISABLED"


def test_a_passcode_template_comes_back_with_a_url_button(simulator: RunningSimulator) -> None:
    otp = {"type": "OTP", "otp_type": "COPY_CODE", "text": "Copy"}
    components = [
        {"type": "body", "add_security_recommendation": True},
        {"type": "footer", "code_expiration_minutes": 10},
        {"type": "buttons", "buttons": [otp]},
    ]
    fields = {"category": "AUTHENTICATION", "components": components}
    made = create(simulator, **fields, message_send_ttl_seconds=600).json()
    shown = simulator.graph("GET", made["id"]).json()
    assert shown["components"][2]["buttons"][0]["type"] == "URL"
    simulator.advance(5)
    assert send(simulator, "fresh", CODE).status_code == 200


def body(text_: str, *examples: str) -> list[dict[str, Any]]:
    return [{"type": "BODY", "text": text_, "example": {"body_text": [list(examples)]}}]


def buttons(*given: dict[str, Any]) -> list[dict[str, Any]]:
    return [BODY, {"type": "BUTTONS", "buttons": list(given)}]


QUICK = {"type": "QUICK_REPLY", "text": "Yes"}
URL = {"type": "URL", "text": "Open", "url": "https://x.test/{{1}}", "example": ["a"]}


@pytest.mark.parametrize(
    "fields",
    [
        {"name": "With Spaces"},
        {"name": ""},
        {"language": "English"},
        {"category": "FUN"},
        {"components": []},
        {"components": [{"type": "FOOTER", "text": "only"}]},
        {"components": [BODY, BODY]},
        {"components": [{"type": "SONG"}]},
        {"components": body("{{1}} at the start", "a")},
        {"components": body("at the end {{1}}", "a")},
        {"components": body("two {{1}}{{2}} together.", "a", "b")},
        {"components": body("a gap {{1}} {{3}}.", "a", "b")},
        {"components": body("no example {{1}}.")},
        {"components": body("one example {{1}}, {{2}}.", "a")},
        {"components": body("x" * 1025)},
        {"components": [BODY, {"type": "FOOTER", "text": "f" * 61}]},
        {"components": [BODY, {"type": "FOOTER", "text": "{{1}}"}]},
        {"components": [BODY, {"type": "HEADER", "format": "IMAGE"}]},
        {"components": [BODY, {"type": "HEADER", "format": "SONG"}]},
        {"components": [BODY, {"type": "HEADER", "format": "TEXT", "text": "{{1}} {{2}}"}]},
        {"components": buttons(*[QUICK] * 11)},
        {"components": buttons(QUICK, URL, QUICK)},
        {"components": buttons({**QUICK, "text": "t" * 26})},
        {"components": buttons({**URL, "url": "https://x.test/{{1}}/more"})},
        {"components": buttons({"type": "URL", "text": "a", "url": "https://x.test/{{1}}"})},
        {"components": buttons({"type": "PHONE_NUMBER", "text": "a"})},
        {"components": buttons({"type": "FLOW", "text": "a", "flow_id": "404"})},
        {"category": "AUTHENTICATION"},
        {"message_send_ttl_seconds": 5},
    ],
    ids=named,
)
def test_a_template_that_cannot_be_reviewed(
    simulator: RunningSimulator, fields: dict[str, Any]
) -> None:
    refused(create(simulator, **fields), 100)


def test_edit_delete_and_the_limits_of_both(simulator: RunningSimulator) -> None:
    made = create(simulator).json()
    new = {"components": body("Hello {{1}}, again!", "Dana")}
    refused(simulator.graph("POST", made["id"], json=new), 100)
    simulator.advance(5)
    assert simulator.graph("POST", made["id"], json=new).json() == {"success": True}
    simulator.advance(5)
    assert simulator.template(GUEST, "fresh", "Dana").status_code == 200
    assert simulator.phone(GUEST)[-1]["text"] == "Hello Dana, again!"
    refused(simulator.graph("POST", made["id"], json=new), 100)
    path = f"{simulator.waba_id}/message_templates"
    gone = {"name": "fresh", "hsm_id": made["id"]}
    assert simulator.graph("DELETE", path, params=gone).json() == {"success": True}
    assert simulator.graph("DELETE", path, params=gone).status_code == 400
    refused(simulator.graph("DELETE", path), 100)
    refused(simulator.template(GUEST, "fresh", "Dana"), 132001, 404)


def test_a_paused_template_can_be_woken(simulator: RunningSimulator) -> None:
    simulator.control("POST", "/templates/plain", {"status": "PAUSED"})
    refused(simulator.template(GUEST, "plain"), 132015)
    template = simulator.simulator.state.world.find_template(simulator.number.waba, "plain", "en")
    assert template is not None
    assert simulator.graph("POST", f"{template.id}/unpause").json() == {"success": True}
    assert simulator.graph("POST", f"{template.id}/unpause").json()["success"] is False
    assert simulator.template(GUEST, "plain").status_code == 200


def test_the_example_of_a_header_is_uploaded_first(simulator: RunningSimulator) -> None:
    asked = "file_length=4&file_type=image/png&file_name=a.png"
    session = simulator.graph("POST", f"app/uploads?{asked}").json()["id"]
    oauth = {"Authorization": "OAuth simulator-token", "file_offset": "0"}
    answer = simulator.graph("POST", session, token=None, headers=oauth, content=b"\x89P")
    assert answer.json()["file_offset"] == 2
    assert simulator.graph("GET", session).json()["file_offset"] == 2
    rest = {**oauth, "file_offset": "2"}
    handle = simulator.graph("POST", session, token=None, headers=rest, content=b"NG").json()["h"]
    header = {"type": "HEADER", "format": "IMAGE", "example": {"header_handle": [handle]}}
    assert create(simulator, components=[header, BODY]).status_code == 200
