"""POST /messages/rich, black box: what the guest sees, every limit, every refusal (4.4)."""

import base64
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.rules.test_media_rules import PDF, jpeg, png
from tests.support.names import named
from tests.support.service import GUEST, NUMBER, TEMPLATES, TestAccount, TestService, account_toml

CID = "rich-0001"
STRANGER = "972509998877"
MISSING = object()  # the field is left out
YES = {"id": "yes", "text": "Yes"}
NO = {"id": "no", "text": "No"}
MAYBE = {"id": "maybe", "text": "Maybe"}
OPEN = {"text": "Open", "url": "https://example.com/menu?id=7"}
RESULT = {
    "clientMessageId",
    "messageId",
    "status",
    "sentFrom",
    "fallbackUsed",
    "sentAt",
    "duplicate",
}
HEADERS = (
    TEMPLATES
    + """
[[accounts.templates]]
name = "picture"
language = "en"
category = "UTILITY"
status = "APPROVED"
header = "IMAGE"
body = "See {{1}}"
[[accounts.templates]]
name = "brochure"
language = "en"
category = "UTILITY"
status = "APPROVED"
header = "DOCUMENT"
body = "Read it"
"""
)


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


@pytest.fixture
def talking(account: TestAccount) -> TestAccount:
    """The guest has just written: the window is open."""
    account.reply(GUEST, "Hello?")
    return account


def send(account: TestAccount, headers: dict[str, str] | None = None, **more: Any) -> Any:
    body = {"clientMessageId": CID, "to": GUEST, "message": "Are you coming?", "buttons": [YES]}
    body = {name: value for name, value in (body | more).items() if value is not MISSING}
    return account.post("/messages/rich", body, headers=headers or {})


def sent(account: TestAccount, **more: Any) -> dict[str, Any]:
    answer = send(account, **more)
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    assert data["status"] == "sent"
    return data


def phone(account: TestAccount, to: str = GUEST) -> list[dict[str, Any]]:
    shown = account.get(f"/sandbox/v1/phones/{to}").json()["data"]["messages"]
    return [message for message in shown if message["direction"] == "out"]


def require_refused(answer: httpx.Response, code: str, field: str) -> dict[str, Any]:
    assert answer.status_code == 400, answer.text
    error: dict[str, Any] = answer.json()["error"]
    assert (error["code"], error["field"]) == (code, field), answer.text
    assert field in error["message"], answer.text
    return error


def require_nothing_left(account: TestAccount) -> None:
    assert account.get(f"/messages/{CID}").status_code == 404
    assert phone(account) == []
    assert account.events("message.status") == []


# What the guest sees


def test_a_rich_message_answers_the_send_result(talking: TestAccount) -> None:
    data = sent(talking)
    assert set(data) == RESULT
    assert (data["clientMessageId"], data["sentFrom"]) == (CID, NUMBER)
    assert (data["fallbackUsed"], data["duplicate"]) == (False, False)
    assert data["messageId"].startswith("wamid.") and data["sentAt"].endswith("Z")


@pytest.mark.parametrize("buttons", [[YES], [YES, NO], [YES, NO, MAYBE]], ids=len)
def test_up_to_three_reply_buttons_are_shown_in_order(
    talking: TestAccount, buttons: list[dict[str, str]]
) -> None:
    sent(talking, buttons=buttons)
    (shown,) = phone(talking)
    assert (shown["type"], shown["text"]) == ("rich", "Are you coming?")
    assert shown["buttons"] == [
        {"type": "reply", "text": button["text"], "payload": button["id"], "url": None}
        for button in buttons
    ]


def test_one_url_button_leads_to_its_address_itself(talking: TestAccount) -> None:
    sent(talking, buttons=[OPEN])
    (shown,) = phone(talking)
    assert shown["buttons"] == [
        {"type": "url", "text": "Open", "payload": None, "url": OPEN["url"]},
    ]


def test_title_and_footer_stand_above_and_below(talking: TestAccount) -> None:
    sent(talking, title="Dinner", footer="Reply until Friday")
    (shown,) = phone(talking)
    assert (shown["title"], shown["text"]) == ("Dinner", "Are you coming?")
    assert (shown["footer"], shown["media"]) == ("Reply until Friday", None)


IMAGES = [
    (encoded(png()), "image/png"),
    (encoded(jpeg()), "image/jpeg"),
    ("data:image/png;base64," + encoded(png()), "image/png"),
    ("data:image/jpeg;base64," + encoded(jpeg()), "image/jpeg"),
    ("data:image/jpg;base64," + encoded(jpeg()), "image/jpeg"),
    ("DATA:image/PNG;BASE64," + encoded(png()), "image/png"),
]


@pytest.mark.parametrize(("image", "mimetype"), IMAGES, ids=lambda value: value[:24])
def test_a_header_image_is_base64_or_a_data_uri(
    talking: TestAccount, image: str, mimetype: str
) -> None:
    sent(talking, headerImage=image, footer="Tap one")
    (shown,) = phone(talking)
    assert shown["media"]["mimetype"] == mimetype
    assert (shown["title"], shown["text"], shown["footer"]) == (None, "Are you coming?", "Tap one")


def test_a_title_beside_an_image_is_the_bold_first_line_of_the_body(talking: TestAccount) -> None:
    sent(talking, headerImage=encoded(png()), title="Dinner", footer="Tap one")
    (shown,) = phone(talking)
    assert (shown["title"], shown["text"]) == (None, "*Dinner*\nAre you coming?")
    assert (shown["media"]["mimetype"], shown["footer"]) == ("image/png", "Tap one")


def test_a_title_beside_an_image_counts_with_the_body(talking: TestAccount) -> None:
    title = "T" * 60
    room = 1024 - len(f"*{title}*\n")
    sent(talking, headerImage=encoded(png()), title=title, message="m" * room)
    (shown,) = phone(talking)
    assert len(shown["text"]) == 1024
    answer = send(
        talking,
        clientMessageId="rich-0002",
        headerImage=encoded(png()),
        title=title,
        message="m" * (room + 1),
    )
    error = require_refused(answer, "VALIDATION_ERROR", "message")
    assert "title" in error["message"] and str(room) in error["message"]


def test_a_pressed_button_comes_back_with_its_id(service: TestService) -> None:
    account = service.account(replies="raw")
    account.reply(GUEST, "Hello?")
    sent(account, buttons=[YES, NO])
    press = {"from": GUEST, "button": {"text": "No"}}
    assert account.post("/sandbox/v1/replies", press).status_code == 200
    press = {"from": GUEST, "button": {"payload": "yes"}}
    assert account.post("/sandbox/v1/replies", press).status_code == 200
    pressed = account.get(f"/sandbox/v1/phones/{GUEST}").json()["data"]["messages"][-2:]
    assert [message["buttons"][0]["payload"] for message in pressed] == ["no", "yes"]


# Limits, at both sides of each border


@pytest.mark.parametrize(
    "more",
    [
        {"message": "m" * 1024},
        {"message": "😀" * 1024},
        {"message": "line\nline\n\n*bold* {{1}}"},
        {"title": "t" * 60},
        {"title": "😀" * 60},
        {"footer": "f" * 60},
        {"buttons": [{"id": "yes", "text": "b" * 20}]},
        {"buttons": [{"id": "yes", "text": "😀" * 20}]},
        {"buttons": [{"id": "i" * 256, "text": "Yes"}]},
        {"buttons": [{"id": "{\"a\": 1} – כן", "text": "Yes"}]},
        {"buttons": [{"text": "b" * 20, "url": "https://example.com/"}]},
        {"clientMessageId": "c" * 8},
        {"clientMessageId": "c" * 128},
    ],
    ids=lambda more: named(more)[:60],
)  # fmt: skip
def test_the_largest_of_each_is_sent(talking: TestAccount, more: dict[str, Any]) -> None:
    sent(talking, **more)


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"message": "m" * 1025}, "message"),
        ({"message": ""}, "message"),
        ({"message": " \n\t "}, "message"),
        ({"message": None}, "message"),
        ({"message": MISSING}, "message"),
        ({"message": ["Are you coming?"]}, "message"),
        ({"title": "t" * 61}, "title"),
        ({"title": ""}, "title"),
        ({"title": "   "}, "title"),
        ({"title": None}, "title"),
        ({"title": 1}, "title"),
        ({"footer": "f" * 61}, "footer"),
        ({"footer": ""}, "footer"),
        ({"footer": " "}, "footer"),
        ({"footer": None}, "footer"),
        ({"headerImage": None}, "headerImage"),
        ({"headerImage": 5}, "headerImage"),
        ({"clientMessageId": MISSING}, "clientMessageId"),
        ({"clientMessageId": "c" * 7}, "clientMessageId"),
        ({"clientMessageId": "c" * 129}, "clientMessageId"),
        ({"to": MISSING}, "to"),
        ({"to": 972501234567}, "to"),
    ],
    ids=lambda value: named(value)[:60],
)
def test_a_field_beyond_its_limit_is_named(
    talking: TestAccount, more: dict[str, Any], field: str
) -> None:
    require_refused(send(talking, **more), "VALIDATION_ERROR", field)
    require_nothing_left(talking)


@pytest.mark.parametrize("to", ["1234567", "+972501234567", "1" * 21, ""], ids=named)
def test_a_recipient_that_is_no_phone_is_an_invalid_phone(talking: TestAccount, to: str) -> None:
    require_refused(send(talking, to=to), "INVALID_PHONE", "to")


# Buttons


@pytest.mark.parametrize(
    ("buttons", "field"),
    [
        (MISSING, "buttons"),
        (None, "buttons"),
        ([], "buttons"),
        ({"id": "yes", "text": "Yes"}, "buttons"),
        ("Yes", "buttons"),
        ([YES, NO, MAYBE, {"id": "x", "text": "X"}], "buttons"),
        ([OPEN, {"text": "Other", "url": "https://example.com"}], "buttons"),
        ([YES, OPEN], "buttons"),
        ([OPEN, YES], "buttons"),
        ([YES, NO, OPEN], "buttons"),
        ([YES, {"id": "yes", "text": "Sure"}], "buttons"),
        ([YES, {"id": "sure", "text": "Yes"}], "buttons"),
        ([YES, NO, dict(YES)], "buttons"),
        (["Yes"], "buttons[0]"),
        ([YES, None], "buttons[1]"),
        ([[YES]], "buttons[0]"),
        ([{}], "buttons[0].id"),
        ([{"text": "Yes"}], "buttons[0].id"),
        ([YES, {"id": "no"}], "buttons[1].text"),
        ([{"url": "https://example.com"}], "buttons[0].text"),
        ([{"id": "", "text": "Yes"}], "buttons[0].id"),
        ([{"id": "i" * 257, "text": "Yes"}], "buttons[0].id"),
        ([{"id": 1, "text": "Yes"}], "buttons[0].id"),
        ([{"id": None, "text": "Yes"}], "buttons[0].id"),
        ([YES, {"id": "no", "text": "b" * 21}], "buttons[1].text"),
        ([{"id": "yes", "text": ""}], "buttons[0].text"),
        ([{"id": "yes", "text": "  "}], "buttons[0].text"),
        ([{"id": "yes", "text": None}], "buttons[0].text"),
        ([{"id": "yes", "text": True}], "buttons[0].text"),
        ([{"text": "b" * 21, "url": "https://example.com"}], "buttons[0].text"),
        ([{"text": " ", "url": "https://example.com"}], "buttons[0].text"),
        ([{"text": "Open", "url": 5}], "buttons[0].url"),
        ([{"text": "Open", "url": None}], "buttons[0].url"),
        ([YES | {"url": "https://example.com"}], "buttons[0].id"),
        ([YES | {"colour": "red"}], "buttons[0].colour"),
        ([YES, NO | {"payload": "x"}], "buttons[1].payload"),
        ([YES | {"type": "reply"}], "buttons[0].type"),
        ([OPEN | {"type": "url"}], "buttons[0].type"),
        ([YES | {"type": {"call": 1}}], "buttons[0].type"),
        ([YES | {"type": []}], "buttons[0].type"),
        ([YES] * 10_000, "buttons"),
    ],
    ids=lambda value: named(value)[:70],
)
def test_buttons_that_are_not_three_replies_or_one_url_are_refused(
    talking: TestAccount, buttons: Any, field: str
) -> None:
    error = require_refused(send(talking, buttons=buttons), "VALIDATION_ERROR", field)
    assert "reason" not in error
    require_nothing_left(talking)


@pytest.mark.parametrize(
    "button",
    [
        {"type": "call", "text": "Call", "phoneNumber": "972501234567"},
        {"type": "CALL", "text": "Call"},
        {"type": "Call", "id": "call", "text": "Call"},
        {"type": "phone", "text": "Call"},
        {"type": "phone_number", "text": "Call", "phone_number": "+972501234567"},
        {"type": "PHONE_NUMBER", "text": "Call", "phone_number": "+972501234567"},
        {"type": "phoneNumber", "text": "Call"},
        {"text": "Call", "phoneNumber": "972501234567"},
        {"text": "Call", "phone_number": "972501234567"},
        {"text": "Call", "phone": "972501234567"},
        {"text": "Call", "call": "972501234567"},
        {"text": "Call", "url": "https://example.com", "phoneNumber": "972501234567"},
        {"type": "copyCode", "text": "Copy", "copyCode": "SALE"},
        {"type": "copy_code", "text": "Copy", "example": "SALE"},
        {"type": "COPY_CODE", "text": "Copy", "example": "SALE"},
        {"type": "copy-code", "text": "Copy"},
        {"copyCode": "SALE"},
        {"text": "Copy", "copyCode": "SALE"},
        {"text": "Copy", "copy_code": "SALE"},
        {"id": "copy", "text": "Copy", "copyCode": None},
        {"id": "copy", "text": "Copy", "couponCode": "SALE"},
    ],
    ids=lambda value: named(value)[:70],
)
def test_call_and_copy_code_buttons_are_unsupported(
    talking: TestAccount, button: dict[str, Any]
) -> None:
    for place, buttons in ((0, [button]), (1, [YES, button])):
        answer = send(talking, buttons=buttons)
        error = require_refused(answer, "VALIDATION_ERROR", f"buttons[{place}]")
        assert error["reason"] == "unsupported"
    require_nothing_left(talking)


@pytest.mark.parametrize("name", ["copyCode", "call", "callButton"])
def test_call_and_copy_code_beside_the_buttons_are_unsupported_too(
    talking: TestAccount, name: str
) -> None:
    error = require_refused(send(talking, **{name: "SALE"}), "VALIDATION_ERROR", name)
    if name == "copyCode":
        assert error["reason"] == "unsupported"


BAD_URLS = ["http://example.com", "https://localhost/", "https://10.0.0.1/", "ftp://example.com"]
BAD_URLS += ["javascript:alert(1)", "tel:+972501234567", "", "example.com", "https://exa mple.com"]
BAD_URLS += [
    "https://user:secret@example.com/",
    "https://example.com/" + "a" * 2048,
    "https://[::1]/",
]


@pytest.mark.parametrize("url", BAD_URLS, ids=lambda url: named(url[:30]))
def test_a_url_that_is_not_https_on_a_public_host_is_invalid(
    talking: TestAccount, url: str
) -> None:
    answer = send(talking, buttons=[{"text": "Open", "url": url}])
    require_refused(answer, "INVALID_URL", "buttons[0].url")
    require_nothing_left(talking)


# The header image

NO_IMAGES = {
    "gif": encoded(b"GIF89a" + bytes(40)),
    "svg": encoded(b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
    "svg uri": "data:image/svg+xml;base64," + encoded(b"<svg/>"),
    "svg text": "data:image/svg+xml,<svg/>",
    "gif uri": "data:image/gif;base64," + encoded(b"GIF89a" + bytes(40)),
    "webp": encoded(b"RIFF\x00\x00\x00\x00WEBPVP8 "),
    "pdf": encoded(PDF),
    "pdf uri": "data:application/pdf;base64," + encoded(PDF),
    "png uri holding jpeg": "data:image/png;base64," + encoded(jpeg()),
    "uri without type": "data:;base64," + encoded(png()),
    "uri without base64": "data:image/png," + encoded(png()),
    "empty": "",
    "empty uri": "data:image/png;base64,",
    "an address": "https://example.com/a.png",
    "not base64": "!" + encoded(png()),
    "with a line break": encoded(png())[:20] + "\n" + encoded(png())[20:],
    "a text": encoded(b"hello"),
}


@pytest.mark.parametrize("kind", NO_IMAGES)
def test_what_is_no_jpeg_or_png_is_invalid_media(talking: TestAccount, kind: str) -> None:
    answer = send(talking, headerImage=NO_IMAGES[kind])
    require_refused(answer, "INVALID_MEDIA", "headerImage")
    require_nothing_left(talking)


def test_an_image_of_more_than_5_mb_is_too_large(talking: TestAccount) -> None:
    image = png() + bytes(5 * 1024 * 1024 - len(png()) + 1)
    require_refused(send(talking, headerImage=encoded(image)), "MEDIA_TOO_LARGE", "headerImage")
    sent(talking, headerImage=encoded(image[:-1]))


# Fields that are not part of it


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("scheduledFor", "2030-01-01T00:00:00Z"),
        ("deadline", "2030-01-01T00:00:00Z"),
        ("expiresAt", "2030-01-01T00:00:00Z"),
        ("kind", "notification"),
        ("eventId", "party-1"),
        ("sentFrom", NUMBER),
        ("fromPolicy", "auto"),
        ("meta", {}),
        ("mediaId", "med_0"),
        ("mediaBase64", "AAAA"),
        ("type", "image"),
        ("buttonUrl", "https://example.com"),
        ("buttonPayloads", ["a"]),
        ("body", "Hello"),
        ("button", [YES]),
    ],
)
def test_fields_of_other_requests_are_unknown_here(
    talking: TestAccount, name: str, value: Any
) -> None:
    require_refused(send(talking, **{name: value}), "VALIDATION_ERROR", name)
    require_nothing_left(talking)


def test_a_misspelt_field_is_answered_with_the_one_that_was_meant(talking: TestAccount) -> None:
    error = require_refused(send(talking, headerimage="x"), "VALIDATION_ERROR", "headerimage")
    assert "headerImage" in error["message"]


# The conversation window


def test_outside_the_window_it_is_refused_and_leaves_nothing(account: TestAccount) -> None:
    answer = send(account)
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert error["code"] == "SERVICE_WINDOW_CLOSED"
    assert "templateName" in error["message"]
    require_nothing_left(account)


def test_the_window_closes_after_24_hours(talking: TestAccount) -> None:
    talking.advance(hours=23, minutes=59)
    sent(talking)
    talking.advance(minutes=1)
    answer = send(talking, clientMessageId="rich-0002")
    assert answer.json()["error"]["code"] == "SERVICE_WINDOW_CLOSED"


def test_outside_the_window_its_template_goes(account: TestAccount) -> None:
    data = sent(account, templateName="invite", templateParams=["Dana", "Friday"])
    assert data["fallbackUsed"] is True
    (shown,) = phone(account)
    assert (shown["type"], shown["text"]) == ("template", "Hi Dana, join us on Friday")
    assert [button["payload"] for button in shown["buttons"]] == [CID, CID]


def test_inside_the_window_it_goes_itself_and_not_its_template(talking: TestAccount) -> None:
    data = sent(talking, templateName="hello", templateLang="en", templateParams=["Dana"])
    assert data["fallbackUsed"] is False
    assert phone(talking)[0]["type"] == "rich"


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"templateName": "nowhere"}, "templateName"),
        ({"templateName": ""}, "templateName"),
        ({"templateName": None}, "templateName"),
        ({"templateName": "hello"}, "templateParams"),
        ({"templateName": "hello", "templateParams": ["a", "b"]}, "templateParams"),
        ({"templateName": "hello", "templateParams": [1]}, "templateParams[0]"),
        ({"templateName": "plain", "templateLang": "fr"}, "templateLang"),
        ({"templateParams": ["Dana"]}, "templateParams"),
        ({"templateLang": "en"}, "templateLang"),
    ],
    ids=named,
)
def test_a_template_that_could_not_go_is_told_inside_the_window_too(
    service: TestService, more: dict[str, Any], field: str
) -> None:
    account = service.account()
    require_refused(send(account, **more), "VALIDATION_ERROR", field)
    account.reply(GUEST, "Hello?")
    require_refused(send(account, **more), "VALIDATION_ERROR", field)
    require_nothing_left(account)


def test_the_header_image_is_that_of_a_template_with_one(service: TestService) -> None:
    account = service.account(HEADERS)
    fields = {"templateName": "picture", "templateParams": ["this"]}
    data = sent(account, headerImage=encoded(png()), **fields)
    assert data["fallbackUsed"] is True
    (shown,) = phone(account)
    assert (shown["type"], shown["media"]["mimetype"]) == ("template", "image/png")
    answer = send(account, clientMessageId="rich-0002", **fields)
    require_refused(answer, "VALIDATION_ERROR", "headerImage")


def test_a_template_without_a_header_goes_without_the_image(service: TestService) -> None:
    account = service.account(HEADERS)
    sent(account, headerImage=encoded(png()), templateName="plain")
    (shown,) = phone(account)
    assert (shown["type"], shown["media"]) == ("template", None)


def test_a_template_with_a_document_cannot_stand_in(service: TestService) -> None:
    account = service.account(HEADERS)
    for more in ({}, {"headerImage": encoded(png())}):
        answer = send(account, templateName="brochure", **more)
        error = require_refused(answer, "VALIDATION_ERROR", "templateName")
        assert "document" in error["message"]


# Like every message


def test_ids_are_shared_with_text_messages(talking: TestAccount) -> None:
    first = sent(talking)
    again = talking.send(clientMessageId=CID, to=GUEST, templateName="plain")
    assert again.status_code == 200
    assert again.json()["data"] == first | {"duplicate": True}
    talking.send(clientMessageId="text-0001", to=GUEST, templateName="plain")
    data = send(talking, clientMessageId="text-0001").json()["data"]
    assert data["duplicate"] is True
    assert [message["type"] for message in phone(talking)] == ["rich", "template"]


def test_a_repeat_answers_the_original_whatever_its_body_says(talking: TestAccount) -> None:
    first = sent(talking)
    repeat = send(talking, message="Something else", buttons=[OPEN], to=STRANGER)
    assert (repeat.status_code, repeat.json()["data"]) == (200, first | {"duplicate": True})
    talking.advance(hours=47, minutes=59)
    assert send(talking).json()["data"]["duplicate"] is True
    talking.advance(minutes=1)
    talking.reply(GUEST, "Hello again")
    assert sent(talking)["duplicate"] is False
    assert len(phone(talking)) == 2


def test_of_a_text_and_a_rich_message_at_the_same_instant_one_is_sent(talking: TestAccount) -> None:
    def either(index: int) -> dict[str, Any]:
        text = {"clientMessageId": CID, "to": GUEST, "templateName": "plain"}
        answer = send(talking) if index % 2 else talking.send(**text)
        data: dict[str, Any] = answer.json()["data"]
        return data

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(either, range(8)))
    assert sorted(answer["duplicate"] for answer in answers) == [False] + [True] * 7
    assert len({answer["messageId"] for answer in answers}) == 1
    assert len(phone(talking)) == 1


def test_its_status_and_events_are_those_of_any_message(talking: TestAccount) -> None:
    sent(talking)
    talking.advance(seconds=3)
    status = talking.status(CID)
    assert (status["kind"], status["status"], status["meta"]) == ("notification", "read", None)
    told = [event["data"]["status"] for event in talking.events("message.status")]
    assert told == ["sent", "delivered", "read"]


def test_a_recipient_off_the_list_is_refused(service: TestService) -> None:
    account = service.account(allowlist=[STRANGER])
    account.reply(GUEST, "Hello?")
    answer = send(account)
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "RECIPIENT_NOT_ALLOWLISTED"


def test_one_who_asked_to_stop_is_not_sent_to(talking: TestAccount) -> None:
    opt_out = "UPDATE contacts SET opted_out_at = now() WHERE account_id = $1"
    talking.service.sql(opt_out, talking.id)
    answer = send(talking)
    assert answer.status_code == 200
    data = answer.json()["data"]
    assert (data["status"], data["error"]["code"]) == ("failed", "RECIPIENT_OPTED_OUT")
    assert phone(talking) == []


def test_one_that_waits_goes_as_its_template_once_the_window_has_closed(
    service: TestService,
) -> None:
    name = "rich-in-waiting"
    account = service.account(name=name, paused=True)
    account.reply(GUEST, "Hello?")
    alone = send(account, clientMessageId="rich-alone")
    fallen = send(account, clientMessageId="rich-backed", templateName="plain")
    assert [alone.status_code, fallen.status_code] == [202, 202]
    assert alone.json()["data"]["reason"] == "SENDING_PAUSED"
    account.advance(hours=25)
    service.apply(account_toml(name=name, paused=False))
    account.advance(minutes=5)
    assert account.status("rich-alone")["status"] == "failed"
    assert account.status("rich-alone")["error"]["code"] == "SERVICE_WINDOW_CLOSED"
    repeat = send(account, clientMessageId="rich-backed").json()["data"]
    assert repeat["fallbackUsed"] is True
    assert [message["type"] for message in phone(account)] == ["template"]


def test_a_dry_run_tells_and_does_nothing(talking: TestAccount) -> None:
    dry = {"X-Dry-Run": "true"}
    answer = send(talking, dry, headerImage=encoded(png(20, 20)))
    assert answer.status_code == 200, answer.text
    data = answer.json()["data"]
    assert (data["wouldBe"], data["cost"]) == ("sent", {"unique": 1, "followup": 0})
    require_nothing_left(talking)
    query = "SELECT count(*) AS n FROM media WHERE account_id = $1"
    assert talking.service.sql(query, talking.id) == [{"n": 0}]
    refused = send(talking, dry, buttons=[{"copyCode": "SALE"}])
    assert refused.json()["error"]["reason"] == "unsupported"
    assert send(talking, dry, to=STRANGER).json()["error"]["code"] == "SERVICE_WINDOW_CLOSED"
