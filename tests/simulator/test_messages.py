"""POST /messages at the Graph simulator: what it takes, what it refuses, and in which words."""

import base64
from typing import Any

import pytest

from tests.support.names import named
from tests.support.simulator import RunningSimulator
from tidings_simulator.plan import NumberSpec, Plan

GUEST = "972501234567"
BUTTONS = [
    {"type": "reply", "reply": {"id": "yes", "title": "Yes"}},
    {"type": "reply", "reply": {"id": "no", "title": "No"}},
]
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def upload(simulator: RunningSimulator, mimetype: str = "image/png", data: bytes = PNG) -> str:
    answer = simulator.graph(
        "POST",
        f"{simulator.number.id}/media",
        data={"messaging_product": "whatsapp", "type": mimetype},
        files={"file": ("a.bin", data, mimetype)},
    )
    assert answer.status_code == 200, answer.text
    id_: str = answer.json()["id"]
    return id_


def interactive(**parts: Any) -> dict[str, Any]:
    whole = {"type": "button", "body": {"text": "Coming?"}, "action": {"buttons": BUTTONS}}
    return {"interactive": {**whole, **parts}}


def refused(answer: Any, code: int, status: int = 400) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    error: dict[str, Any] = answer.json()["error"]
    assert error["code"] == code, error
    assert error["type"] == "OAuthException" and error["fbtrace_id"]
    return error


def test_the_answer_is_the_platforms(simulator: RunningSimulator) -> None:
    answer = simulator.template(f"+{GUEST}", "hello", "Dana")
    assert answer.status_code == 200
    body = answer.json()
    id_ = body["messages"][0]["id"]
    assert id_.startswith("wamid.")
    assert body == {
        "messaging_product": "whatsapp",
        "contacts": [{"input": f"+{GUEST}", "wa_id": GUEST}],
        "messages": [{"id": id_, "message_status": "accepted"}],
    }


def test_every_message_has_an_id_of_its_own(simulator: RunningSimulator) -> None:
    answers = [simulator.send(to=GUEST, text={"body": "same"}).json() for _ in range(3)]
    assert len({answer["messages"][0]["id"] for answer in answers}) == 3


def test_the_type_is_text_where_none_is_given(simulator: RunningSimulator) -> None:
    body = {"messaging_product": "whatsapp", "to": int(GUEST), "text": {"body": "hi"}}
    answer = simulator.graph("POST", f"{simulator.number.id}/messages", json=body)
    assert answer.status_code == 200
    assert answer.json()["contacts"][0]["wa_id"] == GUEST


KINDS: list[dict[str, Any]] = [
    {"text": {"body": "x" * 4096, "preview_url": True}},
    {"image": {"link": "https://example.com/a.jpg", "caption": "c" * 1024}},
    {"document": {"link": "https://example.com/a.pdf", "filename": "a.pdf", "caption": "c"}},
    {"audio": {"link": "https://example.com/a.ogg"}},
    {"video": {"link": "https://example.com/a.mp4", "caption": "c"}},
    {"sticker": {"link": "https://example.com/a.webp"}},
    {"reaction": {"message_id": "wamid.x", "emoji": "👍"}},
    {"location": {"latitude": 32.1, "longitude": "34.8", "name": "n", "address": "a"}},
    {"contacts": [{"name": {"formatted_name": "Dana", "first_name": "Dana"}}]},
    interactive(),
    interactive(header={"type": "text", "text": "Party"}, footer={"text": "Bye"}),
    interactive(header={"type": "image", "image": {"link": "https://example.com/a.png"}}),
    interactive(
        type="cta_url",
        action={"name": "cta_url", "parameters": {"display_text": "Go", "url": "https://x.test"}},
    ),
    interactive(
        type="list",
        action={
            "button": "Choose",
            "sections": [{"title": "A", "rows": [{"id": "1", "title": "One"}]}],
        },
    ),
    interactive(type="location_request_message", action={"name": "send_location"}),
]


@pytest.mark.parametrize("message", KINDS, ids=named)
def test_every_kind_is_taken(simulator: RunningSimulator, message: dict[str, Any]) -> None:
    answer = simulator.send(to=GUEST, context={"message_id": "wamid.y"}, **message)
    assert answer.status_code == 200, answer.text


TOO_MANY = [
    {"type": "reply", "reply": {"id": str(place), "title": str(place)}} for place in range(4)
]
ROWS = [{"id": str(place), "title": str(place)} for place in range(11)]
REFUSED: list[tuple[dict[str, Any], int, str]] = [
    ({"text": {"body": "x" * 4097}}, 100, "text['body'] must be at most 4096"),
    ({"text": {"body": ""}}, 100, "text['body'] is required"),
    ({"text": {}}, 100, "text['body'] is required"),
    ({"text": {"body": 5}}, 100, "text['body'] must be a string"),
    ({"text": {"body": "hi", "colour": "red"}}, 100, 'Unexpected key "colour" on param "text"'),
    ({"text": None, "type": "text"}, 100, "text is required"),
    ({"poem": {"body": "hi"}}, 100, 'Unexpected key "poem"'),
    ({"type": "poem"}, 100, "type must be one of"),
    ({"text": {"body": "a"}, "recipient_type": "crowd"}, 100, "recipient_type"),
    ({"text": {"body": "a"}, "biz_opaque_callback_data": "o" * 513}, 100, "512"),
    ({"image": {"id": "123"}}, 131009, "media 123 does not exist"),
    ({"image": {}}, 100, "exactly one of 'id' and 'link'"),
    ({"image": {"id": "1", "link": "https://x.test/a"}}, 100, "exactly one"),
    ({"image": {"link": "ftp://x.test/a"}}, 131009, "not a valid URL"),
    ({"image": {"link": "https://x.test/a", "caption": "c" * 1025}}, 100, "at most 1024"),
    ({"image": {"link": "https://x.test/a", "filename": "a"}}, 100, 'key "filename"'),
    ({"audio": {"link": "https://x.test/a", "caption": "a"}}, 100, 'key "caption"'),
    ({"location": {"latitude": 91, "longitude": 0}}, 131009, "latitude"),
    ({"contacts": [{"name": {}}]}, 100, "formatted_name"),
    ({"contacts": []}, 131009, "1 to 257"),
    (interactive(action={"buttons": TOO_MANY}), 131009, "Max: 3"),
    (interactive(action={"buttons": [BUTTONS[0], BUTTONS[0]]}), 131009, "unique"),
    (interactive(action={"buttons": []}), 100, "['buttons'] is required"),
    (interactive(body={"text": "b" * 1025}), 100, "at most 1024"),
    (interactive(body=None), 100, "is required"),
    (interactive(footer={"text": "f" * 61}), 100, "at most 60"),
    (interactive(header={"type": "text", "text": "h" * 61}), 100, "at most 60"),
    (interactive(header={"type": "text"}), 131009, "Text cannot be null"),
    (interactive(header={"type": "image"}), 131009, "Image cannot be null"),
    (interactive(type="puzzle"), 100, "must be one of"),
    (interactive(type="cta_url"), 100, 'Unexpected key "buttons"'),
    (
        interactive(type="flow", action={"name": "poem", "parameters": {}}),
        100,
        "['action']['name']",
    ),
    (
        interactive(
            type="cta_url",
            action={"name": "cta_url", "parameters": {"display_text": "a" * 21, "url": "http://x"}},
        ),
        131009,
        "Max length: 20",
    ),
    (
        interactive(type="list", action={"button": "b", "sections": [{"rows": ROWS}]}),
        131009,
        "10",
    ),
    (
        interactive(
            action={"buttons": [{"type": "reply", "reply": {"id": "a", "title": "t" * 21}}]}
        ),
        131009,
        "Button title length invalid",
    ),
]


@pytest.mark.parametrize(("message", "code", "words"), REFUSED, ids=named)
def test_what_the_platform_refuses(
    simulator: RunningSimulator, message: dict[str, Any], code: int, words: str
) -> None:
    error = refused(simulator.send(to=GUEST, **message), code)
    assert words in error["message"] + error.get("error_data", {}).get("details", "")


def test_a_body_that_is_no_message(simulator: RunningSimulator) -> None:
    path = f"{simulator.number.id}/messages"
    for content in (b"", b"{", b"[]", b'"a"', b"\xff", b"[" * 5000):
        refused(simulator.graph("POST", path, content=content), 100)
    error = refused(simulator.graph("POST", path, json={"to": GUEST}), 100)
    assert error["message"] == "(#100) The parameter messaging_product is required."
    refused(simulator.graph("POST", path, json={"messaging_product": "sms", "to": GUEST}), 100)


@pytest.mark.parametrize("to", ["", "12", "hello", "00972501234567", "9" * 21, "１２３４５６７"])
def test_a_recipient_that_is_no_number(simulator: RunningSimulator, to: str) -> None:
    refused(simulator.send(to=to, text={"body": "hi"}), 100)


def test_punctuation_in_a_number_is_overlooked(simulator: RunningSimulator) -> None:
    answer = simulator.send(to="+972 (50) 123-4567", text={"body": "hi"})
    assert answer.json()["contacts"] == [{"input": "+972 (50) 123-4567", "wa_id": GUEST}]


def test_nobody_writes_to_himself(simulator: RunningSimulator) -> None:
    refused(simulator.send(to=simulator.number.number, text={"body": "hi"}), 131021)


def test_the_token_comes_first_and_then_the_number(simulator: RunningSimulator) -> None:
    path, body = f"{simulator.number.id}/messages", {"messaging_product": "whatsapp"}
    refused(simulator.graph("POST", path, token=None, json=body), 190, 401)
    error = refused(simulator.graph("POST", "404/messages", token="wrong", json=body), 190, 401)
    assert "error_data" not in error
    answer = simulator.graph("POST", "404/messages", json=body)
    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["error_subcode"]) == (400, 100, 33)
    assert error["type"] == "GraphMethodException" and "'404'" in error["message"]
    assert answer.headers["www-authenticate"].startswith('OAuth "Facebook Platform"')


def test_a_token_reaches_its_own_account_only() -> None:
    specs = [
        NumberSpec(number="972555000001"),
        NumberSpec(number="972555000002", waba_id="2002", access_token="other"),
    ]
    with RunningSimulator(plan=Plan(numbers=specs)) as simulator:
        other = simulator.simulator.state.world.find_number("972555000002")
        assert other is not None
        answer = simulator.graph("GET", other.id)
        assert answer.json()["error"]["error_subcode"] == 33
        assert simulator.graph("GET", other.id, token="other").status_code == 200


def test_uploaded_media_is_sent_by_its_id(simulator: RunningSimulator) -> None:
    picture = upload(simulator)
    assert simulator.send(to=GUEST, image={"id": picture}).status_code == 200
    header = {"type": "image", "image": {"id": picture}}
    assert simulator.send(to=GUEST, **interactive(header=header)).status_code == 200
    document = upload(simulator, "application/pdf", b"%PDF-1.4")
    assert simulator.send(to=GUEST, document={"id": document}).status_code == 200
    refused(simulator.send(to=GUEST, image={"id": document}), 131053)


def test_media_ends_after_thirty_days(simulator: RunningSimulator) -> None:
    picture = upload(simulator)
    simulator.advance(30 * 24 * 3600)
    refused(simulator.send(to=GUEST, image={"id": picture}), 131009)


def test_a_read_receipt(simulator: RunningSimulator) -> None:
    inbound_id = simulator.reply(GUEST, "hello")
    simulator.flush()
    path = f"{simulator.number.id}/messages"
    body = {"messaging_product": "whatsapp", "status": "read", "message_id": inbound_id}
    for method in ("POST", "PUT"):
        answer = simulator.graph(method, path, json=body)
        assert (answer.status_code, answer.json()) == (200, {"success": True})
    typing = {**body, "typing_indicator": {"type": "text"}}
    assert simulator.graph("POST", path, json=typing).json() == {"success": True}
    refused(simulator.graph("POST", path, json={**body, "message_id": "wamid.x"}), 131009)
    refused(simulator.graph("POST", path, json={**body, "status": "seen"}), 100)


def test_a_number_that_may_not_send(simulator: RunningSimulator) -> None:
    path = f"/numbers/{simulator.number.number}"
    simulator.control("POST", path, {"status": "RESTRICTED"})
    refused(simulator.template(GUEST, "plain"), 131031, 403)
    simulator.control("POST", path, {"status": "PENDING"})
    refused(simulator.template(GUEST, "plain"), 133010)
    simulator.control("POST", path, {"status": "CONNECTED"})
    assert simulator.template(GUEST, "plain").status_code == 200


def test_a_test_number_knows_few_recipients() -> None:
    spec = NumberSpec(number="972555000001", allowlist=[GUEST])
    with RunningSimulator(plan=Plan(numbers=[spec])) as simulator:
        assert simulator.send(to=GUEST, text={"body": "hi"}).status_code == 200
        refused(simulator.send(to="972500000000", text={"body": "hi"}), 131030)


def test_throughput_where_a_number_has_one() -> None:
    spec = NumberSpec(number="972555000001", per_second=2)
    with RunningSimulator(plan=Plan(numbers=[spec])) as simulator:
        answers = [simulator.send(to=GUEST, text={"body": "hi"}) for _ in range(7)]
        assert [answer.status_code for answer in answers[:2]] == [200, 200]
        refused(next(answer for answer in answers if answer.status_code != 200), 130429)
        simulator.advance(1)
        assert simulator.send(to=GUEST, text={"body": "hi"}).status_code == 200


def test_a_recipient_by_user_id(simulator: RunningSimulator) -> None:
    simulator.reply(GUEST, "hello")
    simulator.flush()
    user = simulator.simulator.state.world.person(GUEST).user_id
    contact = simulator.send(recipient=user, text={"body": "hi"}).json()["contacts"][0]
    assert contact == {"input": user, "wa_id": GUEST, "user_id": user}
    assert simulator.phone(GUEST)[-1]["text"] == "hi"
    stranger = simulator.send(recipient="US.1", text={"body": "hi"}).json()["contacts"][0]
    assert stranger == {"input": "US.1", "user_id": "US.1"}
    code = [
        {"type": "body", "parameters": [{"type": "text", "text": "123456"}]},
        {"type": "button", "sub_type": "url", "index": "0",
         "parameters": [{"type": "text", "text": "123456"}]},
    ]  # fmt: skip
    otp = {"name": "code", "language": {"code": "en"}, "components": code}
    refused(simulator.send(recipient="US.1", template=otp), 131062)
    refused(simulator.send(text={"body": "hi"}), 100)


def test_another_wa_id_than_the_number_dialled(simulator: RunningSimulator) -> None:
    simulator.control("POST", "/people/5491112345678", {"waId": "541112345678"})
    contact = simulator.send(to="5491112345678", text={"body": "hi"}).json()["contacts"][0]
    assert contact == {"input": "5491112345678", "wa_id": "541112345678"}
