"""Template messages at the Graph simulator, against the templates they name."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.simulator.test_messages import GUEST, refused, upload
from tests.support.names import named
from tests.support.simulator import RunningSimulator
from tidings_simulator.plan import DEFAULT, ButtonSpec, Plan, TemplateSpec

NAMED = [{"type": "BODY", "text": "Hi {{guest}}, see you at {{place}}!"}]
TEMPLATES = [
    TemplateSpec(
        name="full",
        header="TEXT",
        header_text="For {{1}}",
        body="{{2}} and {{1}}.",
        footer="Bye",
        buttons=[
            ButtonSpec(type="QUICK_REPLY", text="Yes"),
            ButtonSpec(type="QUICK_REPLY", text="No"),
            ButtonSpec(type="URL", text="Open", url="https://x.test/r/{{1}}"),
            ButtonSpec(type="URL", text="Site", url="https://x.test"),
            ButtonSpec(type="PHONE_NUMBER", text="Call", phone="972555000009"),
        ],
    ),
    TemplateSpec(name="plain", body="Good morning"),
    TemplateSpec(name="photo", header="IMAGE", body="For you."),
    TemplateSpec(name="place", header="LOCATION", body="Here."),
    TemplateSpec(name="named", components=NAMED, parameter_format="NAMED"),
    TemplateSpec(name="code", category="AUTHENTICATION"),
    TemplateSpec(name="coupon", body="Save!", buttons=[ButtonSpec(type="COPY_CODE", text="Copy")]),
    TemplateSpec(name="paused", status="PAUSED", body="x"),
    TemplateSpec(name="disabled", status="DISABLED", body="x"),
    TemplateSpec(name="pending", status="PENDING", body="x"),
]


PLAN = Plan(numbers=DEFAULT.numbers, templates=TEMPLATES)


def text(*values: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": value} for value in values]


def part(type_: str, parameters: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {"type": type_, "parameters": parameters, **more}


def button(index: int | str, sub_type: str, *parameters: dict[str, Any]) -> dict[str, Any]:
    return part("button", list(parameters), sub_type=sub_type, index=index)


OPEN = button("2", "url", {"type": "text", "text": "abc"})
WHOLE = [part("header", text("Dana")), part("body", text("one", "two")), OPEN]
CODE = [part("body", text("123456")), button("0", "url", {"type": "text", "text": "123456"})]
PICTURE = {"type": "image", "image": {"link": "https://x.test/a.png"}}


@pytest.fixture(scope="module")
def platform() -> Iterator[RunningSimulator]:
    with RunningSimulator(plan=PLAN) as running:
        yield running


def send(
    simulator: RunningSimulator, name: str, components: Any = (), lang: str = "en", **more: Any
) -> httpx.Response:
    language = {"code": lang, **more}
    return simulator.send(
        to=GUEST, template={"name": name, "language": language, "components": list(components)}
    )


TAKEN: list[tuple[str, list[dict[str, Any]]]] = [
    ("plain", []),
    ("full", WHOLE),
    ("full", [*WHOLE, button(0, "quick_reply", {"type": "payload", "payload": "p" * 256})]),
    ("full", [*WHOLE, button("1", "QUICK_REPLY", {"type": "text", "text": "old form"})]),
    ("photo", [part("header", [PICTURE])]),
    ("photo", [part("HEADER", [PICTURE])]),
    ("place", [part("header", [{"type": "location", "location": {
        "latitude": "32.1", "longitude": 34.8, "name": "n", "address": "a"}}])]),
    ("named", [part("body", [
        {"type": "text", "parameter_name": "place", "text": "the hall"},
        {"type": "text", "parameter_name": "guest", "text": "Dana"}])]),
    ("code", CODE),
    ("coupon", [button(0, "copy_code", {"type": "coupon_code", "coupon_code": "SAVE20"})]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "components"), TAKEN, ids=named)
def test_a_template_with_all_it_needs(
    platform: RunningSimulator, name: str, components: Any
) -> None:
    answer = send(platform, name, components, policy="deterministic")
    assert answer.status_code == 200, answer.text
    assert answer.json()["messages"][0]["message_status"] == "accepted"


REFUSED: list[tuple[str, list[dict[str, Any]], int, str]] = [
    ("missing", [], 132001, "template name (missing) does not exist in en"),
    ("pending", [], 132001, "does not exist"),
    ("paused", [], 132015, "paused"),
    ("disabled", [], 132016, "disabled"),
    ("plain", [part("body", text("one"))], 132000,
     "body: number of localizable_params (1) does not match the expected number of params (0)"),
    ("full", [part("header", text("a")), part("body", text("one")), OPEN], 132000, "body:"),
    ("full", [part("body", text("one", "two")), OPEN], 132000, "header:"),
    ("full", WHOLE[:2], 131008, "Button at index 2 of type Url requires a parameter"),
    ("full", [part("header", text("h" * 60)), part("body", text("a", "b")), OPEN], 132005, ""),
    ("full", [part("header", text("a")), part("body", text("a" * 1024, "b")), OPEN], 132005, ""),
    ("full", [part("header", text("a")), part("body", text("a\nb", "b")), OPEN], 132018, "tab"),
    ("full", [part("header", text("a")), part("body", text("a     b", "b")), OPEN], 132018, ""),
    ("full", [part("header", text("a")), part("body", text("", "b")), OPEN], 131008, "text value"),
    ("full", [part("header", text("a")), part("body", [{"type": "text"}, *text("b")]), OPEN],
     100, "Parameter 'text' is mandatory"),
    ("full", [part("header", text("a")), part("body", [PICTURE, *text("b")]), OPEN], 132012,
     "expected TEXT, received IMAGE"),
    ("full", [*WHOLE, button("5", "url", *text("a"))], 132018, "Max size: 5"),
    ("full", [*WHOLE, button("10", "url", *text("a"))], 100, "0 to 9"),
    ("full", [*WHOLE, button("x", "url", *text("a"))], 100, "index"),
    ("full", [*WHOLE, button("0", "url", *text("a"))], 132018, "quick_reply, not url"),
    ("full", [*WHOLE, button("3", "url", *text("a"))], 132018, "does not require parameters"),
    ("full", [*WHOLE, button("0", "quick_reply", {"type": "payload", "payload": "p" * 257})],
     131009, "256"),
    ("full", [*WHOLE, part("body", text("a", "b"))], 100, "twice"),
    ("full", [*WHOLE, part("tail", [])], 100, "must be one of"),
    ("full", [*WHOLE, part("body", [], colour="red")], 100, "Unexpected key"),
    ("photo", [], 132012, "expected IMAGE, received UNKNOWN"),
    ("photo", [part("header", text("a"))], 132012, "expected IMAGE, received TEXT"),
    ("photo", [part("header", [{"type": "document", "document": {"id": "1"}}])], 132012, ""),
    ("photo", [part("header", [{"type": "image"}])], 100, "mandatory"),
    ("photo", [part("header", [{"type": "image", "image": {"id": "1"}}])], 131009, "media 1"),
    ("named", [part("body", text("a", "b"))], 100, "Parameter name"),
    ("code", [part("body", text("1" * 16)), CODE[1]], 131009, "15"),
    ("code", [CODE[0]], 131008, "requires a parameter"),
    ("code", [CODE[0], button("0", "copy_code", *text("1"))], 132018, "url, not copy_code"),
    ("coupon", [], 131008, "CopyCode"),
    ("coupon", [button(0, "copy_code", {"type": "coupon_code", "coupon_code": "c" * 16})],
     131009, "15"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "components", "code", "words"), REFUSED, ids=named)
def test_a_template_that_does_not_fit(
    platform: RunningSimulator, name: str, components: Any, code: int, words: str
) -> None:
    error = refused(send(platform, name, components), code, 404 if code == 132001 else 400)
    assert words in error.get("error_data", {}).get("details", "")


def test_a_language_is_exact(platform: RunningSimulator) -> None:
    refused(send(platform, "plain", lang="en_US"), 132001, 404)
    refused(send(platform, "plain", policy="fallback"), 100)


def test_what_the_guest_reads() -> None:
    with RunningSimulator(plan=PLAN) as platform:
        picture = upload(platform)
        assert send(platform, "full", WHOLE).status_code == 200
        media = {"type": "image", "image": {"id": picture}}
        assert send(platform, "photo", [part("header", [media])]).status_code == 200
        assert send(platform, "code", CODE).status_code == 200
        full, photo, code = platform.phone(GUEST)
    assert (full["title"], full["text"], full["footer"]) == ("For Dana", "two and one.", "Bye")
    assert [each["text"] for each in full["buttons"]] == ["Yes", "No", "Open", "Site", "Call"]
    assert full["buttons"][2]["url"] == "https://x.test/r/abc"
    assert photo["media"]["mediaId"] == picture
    assert "123456" not in str(code) and code["type"] == "otp"
