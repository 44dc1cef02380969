"""Media, buttonUrl and buttonPayloads of POST /messages/text, black box (4.1)."""

import base64
from typing import Any

import httpx
import pytest

from tests.rules.test_media_rules import PDF, jpeg, png
from tests.support.names import named
from tests.support.service import GUEST, TEMPLATES, TestAccount, TestService

CID = "menu-0001"
STRANGER = "972509998877"
URL = "https://example.com/tickets?id=7"
MISSING = object()  # the field is left out

PICTURED = """
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
BUTTONS = """
[[accounts.templates]]
name = "tickets"
language = "en"
category = "UTILITY"
status = "APPROVED"
body = "Hi {{1}}, your tickets are ready."
buttons = [ { type = "QUICK_REPLY", text = "Thanks" }, { type = "URL", text = "Open", url = "PUBLIC/r/{{1}}" },
            { type = "QUICK_REPLY", text = "Later" } ]
[[accounts.templates]]
name = "both"
language = "en"
category = "UTILITY"
status = "APPROVED"
header = "TEXT"
headerText = "For {{1}}"
body = "Hi {{1}}"
buttons = [ { type = "URL", text = "Shop", url = "https://shop.example.com/{{1}}" },
            { type = "URL", text = "Open", url = "PUBLIC/r/{{1}}" } ]
[[accounts.templates]]
name = "elsewhere"
language = "en"
category = "UTILITY"
status = "APPROVED"
body = "Hi"
buttons = [ { type = "URL", text = "Open", url = "https://shop.example.com/r/{{1}}" } ]
[[accounts.templates]]
name = "fixed"
language = "en"
category = "UTILITY"
status = "APPROVED"
body = "Hi"
buttons = [ { type = "URL", text = "Open", url = "PUBLIC/r/welcome" } ]
[[accounts.templates]]
name = "deeper"
language = "en"
category = "UTILITY"
status = "APPROVED"
body = "Hi"
buttons = [ { type = "URL", text = "Open", url = "PUBLIC/shop/{{1}}" } ]
"""  # noqa: E501


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


@pytest.fixture
def talking(service: TestService) -> TestAccount:
    """The guest has just written: the window is open."""
    account = service.account(TEMPLATES + PICTURED)
    account.reply(GUEST, "Hello?")
    return account


@pytest.fixture
def buttoned(service: TestService) -> TestAccount:
    return service.account(TEMPLATES + BUTTONS.replace("PUBLIC", service.settings.public_url))


def uploaded(account: TestAccount, data: bytes, **fields: Any) -> str:
    answer = account.post("/messages/upload", {"mediaBase64": encoded(data)} | fields)
    assert answer.status_code == 200, answer.text
    found: str = answer.json()["data"]["mediaId"]
    return found


def send(account: TestAccount, **more: Any) -> httpx.Response:
    body = {"clientMessageId": CID, "to": GUEST} | more
    return account.send(**{name: value for name, value in body.items() if value is not MISSING})


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
    query = "SELECT count(*) AS n FROM links WHERE account_id = $1"
    assert account.service.sql(query, account.id) == [{"n": 0}]


# Media inside the window


@pytest.mark.parametrize(
    ("data", "type_", "mimetype"),
    [
        (png(), "image", "image/png"),
        (jpeg(), "image", "image/jpeg"),
        (PDF, "document", "application/pdf"),
    ],
    ids=["png", "jpeg", "pdf"],
)
@pytest.mark.parametrize("caption", [None, "Here you are"])
def test_a_file_goes_as_it_is_with_the_message_as_its_caption(
    talking: TestAccount, data: bytes, type_: str, mimetype: str, caption: str | None
) -> None:
    words = {} if caption is None else {"message": caption}
    first = sent(talking, mediaBase64=encoded(data), type=type_, **words)
    assert first["fallbackUsed"] is False
    media_id = uploaded(talking, data)
    sent(talking, clientMessageId="menu-0002", mediaId=media_id, type=type_, **words)
    for shown in phone(talking):
        assert (shown["type"], shown["text"]) == (type_, caption)
        assert (shown["media"]["mimetype"], shown["media"]["mediaId"]) == (mimetype, media_id)


def test_a_document_shows_the_name_it_was_uploaded_with(talking: TestAccount) -> None:
    media_id = uploaded(talking, PDF, filename="Menu of the week.pdf")
    sent(talking, mediaId=media_id, type="document")
    assert phone(talking)[0]["media"]["filename"] == "Menu of the week.pdf"


def test_one_upload_serves_many_messages(talking: TestAccount) -> None:
    media_id = uploaded(talking, png())
    for index in range(5):
        sent(talking, clientMessageId=f"menu-000{index}", mediaId=media_id, type="image")
    assert {shown["media"]["mediaId"] for shown in phone(talking)} == {media_id}


def test_a_caption_has_at_most_1024_characters(talking: TestAccount) -> None:
    media = {"mediaBase64": encoded(png()), "type": "image"}
    answer = send(talking, message="😀" * 1025, **media)
    require_refused(answer, "VALIDATION_ERROR", "message")
    sent(talking, message="😀" * 1024, **media)


def test_a_repeat_does_not_look_at_the_media_again(talking: TestAccount) -> None:
    first = sent(talking, mediaBase64=encoded(png()), type="image")
    repeat = send(talking, mediaBase64=encoded(png()), type="image")
    assert repeat.json()["data"] == first | {"duplicate": True}
    assert len(phone(talking)) == 1


# Media that cannot go

IMAGE = encoded(png())


@pytest.mark.parametrize(
    ("fields", "code", "field"),
    [
        ({"mediaBase64": IMAGE}, "VALIDATION_ERROR", "type"),
        ({"mediaBase64": IMAGE, "type": None}, "VALIDATION_ERROR", "type"),
        ({"mediaBase64": IMAGE, "type": "video"}, "VALIDATION_ERROR", "type"),
        ({"mediaBase64": IMAGE, "type": "Image"}, "VALIDATION_ERROR", "type"),
        ({"mediaBase64": IMAGE, "type": ""}, "VALIDATION_ERROR", "type"),
        ({"mediaBase64": IMAGE, "type": ["image"]}, "VALIDATION_ERROR", "type"),
        ({"type": "image", "message": "Hi"}, "VALIDATION_ERROR", "type"),
        ({"type": "image", "templateName": "plain"}, "VALIDATION_ERROR", "type"),
        ({"mediaBase64": None, "type": "image"}, "VALIDATION_ERROR", "mediaBase64"),
        ({"mediaBase64": 5, "type": "image"}, "VALIDATION_ERROR", "mediaBase64"),
        ({"mediaId": None, "type": "image"}, "VALIDATION_ERROR", "mediaId"),
        ({"mediaId": "", "type": "image"}, "VALIDATION_ERROR", "mediaId"),
        ({"mediaId": "menu", "type": "image"}, "VALIDATION_ERROR", "mediaId"),
        ({"mediaId": "med_" + "0" * 32, "type": "image"}, "VALIDATION_ERROR", "mediaId"),
        (
            {"mediaId": "med_0", "mediaBase64": IMAGE, "type": "image"},
            "VALIDATION_ERROR",
            "mediaId",
        ),
        ({"mediaBase64": "", "type": "image"}, "INVALID_MEDIA", "mediaBase64"),
        ({"mediaBase64": "!", "type": "image"}, "INVALID_MEDIA", "mediaBase64"),
        ({"mediaBase64": IMAGE, "type": "document"}, "INVALID_MEDIA", "mediaBase64"),
        ({"mediaBase64": encoded(PDF), "type": "image"}, "INVALID_MEDIA", "mediaBase64"),
        (
            {"mediaBase64": encoded(b"GIF89a" + bytes(40)), "type": "image"},
            "INVALID_MEDIA",
            "mediaBase64",
        ),
    ],
    ids=lambda value: named(value)[:60],
)
def test_media_that_is_not_whole_is_refused(
    talking: TestAccount, fields: dict[str, Any], code: str, field: str
) -> None:
    require_refused(send(talking, **fields), code, field)
    require_nothing_left(talking)


def test_more_than_5_mb_are_too_large(talking: TestAccount) -> None:
    data = PDF + bytes(5 * 1024 * 1024 - len(PDF) + 1)
    answer = send(talking, mediaBase64=encoded(data), type="document")
    require_refused(answer, "MEDIA_TOO_LARGE", "mediaBase64")
    require_nothing_left(talking)
    sent(talking, mediaBase64=encoded(data[:-1]), type="document")


def test_an_upload_of_the_wrong_kind_or_of_another_account_is_refused(
    talking: TestAccount, account: TestAccount
) -> None:
    own, foreign = uploaded(talking, PDF), uploaded(account, PDF)
    require_refused(send(talking, mediaId=own, type="image"), "INVALID_MEDIA", "mediaId")
    theirs = require_refused(
        send(talking, mediaId=foreign, type="document"), "VALIDATION_ERROR", "mediaId"
    )
    nobodys = send(talking, mediaId="med_" + "f" * 32, type="document").json()["error"]
    assert theirs["message"] == nobodys["message"]
    require_nothing_left(talking)


# Media and the window


def test_media_without_a_template_does_not_go_outside_the_window(talking: TestAccount) -> None:
    media = {"mediaBase64": IMAGE, "type": "image"}
    for more in ({}, {"message": "Look"}):
        answer = send(talking, to=STRANGER, **media, **more)
        assert answer.status_code == 400
        error = answer.json()["error"]
        assert error["code"] == "SERVICE_WINDOW_CLOSED"
        assert "templateName" in error["message"] and "media" in error["message"]
    assert phone(talking, STRANGER) == []


def test_a_templates_header_takes_the_file(talking: TestAccount) -> None:
    one = sent(
        talking, mediaBase64=IMAGE, type="image", templateName="picture", templateParams=["me"]
    )
    media_id = uploaded(talking, PDF, filename="menu.pdf")
    more = {"clientMessageId": "menu-0002", "mediaId": media_id, "type": "document"}
    two = sent(talking, to=STRANGER, templateName="brochure", **more)
    assert (one["fallbackUsed"], two["fallbackUsed"]) == (False, False)
    (picture,), (brochure,) = phone(talking), phone(talking, STRANGER)
    assert (picture["type"], picture["text"]) == ("template", "See me")
    assert picture["media"]["mimetype"] == "image/png"
    assert (brochure["type"], brochure["media"]["filename"]) == ("template", "menu.pdf")


def test_with_a_message_too_the_file_goes_inside_the_window_and_the_template_outside(
    talking: TestAccount,
) -> None:
    fields = {"mediaBase64": IMAGE, "type": "image", "message": "Look"}
    fields |= {"templateName": "picture", "templateParams": ["me"]}
    assert sent(talking, **fields)["fallbackUsed"] is False
    outside = sent(talking, to=STRANGER, clientMessageId="menu-0002", **fields)
    assert outside["fallbackUsed"] is True
    assert (phone(talking)[0]["type"], phone(talking)[0]["text"]) == ("image", "Look")
    (shown,) = phone(talking, STRANGER)
    assert (shown["type"], shown["text"]) == ("template", "See me")
    assert shown["media"]["mimetype"] == "image/png"


@pytest.mark.parametrize(
    "fields",
    [
        {"templateName": "picture", "templateParams": ["me"]},
        {"templateName": "picture", "templateParams": ["me"], "message": "Look"},
        {"templateName": "brochure"},
        {"templateName": "plain", "mediaBase64": IMAGE, "type": "image"},
        {"templateName": "brochure", "mediaBase64": IMAGE, "type": "image"},
        {"templateName": "brochure", "mediaBase64": IMAGE, "type": "image", "message": "Look"},
        {
            "templateName": "picture",
            "templateParams": ["me"],
            "mediaBase64": encoded(PDF),
            "type": "document",
        },
    ],
    ids=lambda value: named(sorted(value)) + value["templateName"],
)
@pytest.mark.parametrize("to", [GUEST, STRANGER], ids=["inside", "outside"])
def test_a_template_and_its_media_must_fit(
    talking: TestAccount, fields: dict[str, Any], to: str
) -> None:
    error = require_refused(send(talking, to=to, **fields), "VALIDATION_ERROR", "mediaId")
    assert fields["templateName"] in error["message"]
    require_nothing_left(talking)


# buttonUrl


def test_a_button_leads_by_a_counted_link_on_our_domain(buttoned: TestAccount) -> None:
    sent(buttoned, templateName="tickets", templateParams=["Dana"], buttonUrl=URL)
    (shown,) = phone(buttoned)
    base = buttoned.service.settings.public_url
    assert shown["text"] == "Hi Dana, your tickets are ready."
    assert [button["type"] for button in shown["buttons"]] == ["reply", "url", "reply"]
    assert shown["buttons"][1]["url"].startswith(f"{base}/r/")
    code = shown["buttons"][1]["url"].removeprefix(f"{base}/r/")
    link = buttoned.get(f"/links/{code}").json()["data"]
    assert (link["url"], link["clicks"], link["active"]) == (URL, 0, True)


def test_only_the_variable_it_serves_is_left_out(buttoned: TestAccount) -> None:
    fields = {"templateName": "both", "buttonUrl": URL}
    for params in (["head", "body"], ["head", "body", "suffix", "more"], []):
        answer = send(buttoned, templateParams=params, **fields)
        error = require_refused(answer, "VALIDATION_ERROR", "templateParams")
        assert "3" in error["message"]
    require_nothing_left(buttoned)
    sent(buttoned, templateParams=["head", "body", "suffix"], **fields)
    (shown,) = phone(buttoned)
    assert (shown["title"], shown["text"]) == ("For head", "Hi body")
    shop, ours = shown["buttons"]
    assert shop["url"] == "https://shop.example.com/suffix"
    assert ours["url"].startswith(buttoned.service.settings.public_url)


def test_without_it_the_button_takes_a_variable_like_any_other(buttoned: TestAccount) -> None:
    sent(buttoned, templateName="tickets", templateParams=["Dana", "summer"])
    url = phone(buttoned)[0]["buttons"][1]["url"]
    assert url == f"{buttoned.service.settings.public_url}/r/summer"


@pytest.mark.parametrize(
    "fields",
    [
        {"templateName": "elsewhere"},
        {"templateName": "elsewhere", "templateParams": ["a"]},
        {"templateName": "fixed"},
        {"templateName": "deeper"},
        {"templateName": "deeper", "templateParams": ["a"]},
        {"templateName": "plain"},
        {"templateName": "invite", "templateParams": ["Dana", "Friday"]},
        {"message": "Hi"},
        {"templateName": "plain", "message": "Hi"},
    ],
    ids=named,
)
@pytest.mark.parametrize("window", ["open", "closed"])
def test_a_template_whose_button_is_not_ours_takes_no_button_url(
    buttoned: TestAccount, fields: dict[str, Any], window: str
) -> None:
    if window == "open":
        buttoned.reply(GUEST, "Hello?")
    answer = send(buttoned, buttonUrl=URL, **fields)
    require_refused(answer, "BUTTON_URL_UNSUPPORTED", "buttonUrl")
    require_nothing_left(buttoned)


BAD_URLS = ["http://example.com", "https://localhost/", "https://192.168.1.1/", "https://[::1]/"]
BAD_URLS += ["ftp://example.com", "javascript:alert(1)", "example.com", "", " " + URL, "https://"]
BAD_URLS += ["https://user@example.com", "https://example.com/" + "a" * 2048, "https://2130706433/"]


@pytest.mark.parametrize("url", BAD_URLS, ids=lambda url: named(url[:30]))
@pytest.mark.parametrize("template", ["tickets", "elsewhere"])
def test_a_destination_that_is_not_https_on_a_public_host_is_invalid(
    buttoned: TestAccount, url: str, template: str
) -> None:
    answer = send(buttoned, templateName=template, templateParams=["Dana"], buttonUrl=url)
    require_refused(answer, "INVALID_URL", "buttonUrl")
    require_nothing_left(buttoned)


@pytest.mark.parametrize("url", [None, 5, [URL], {}, True], ids=named)
def test_a_destination_that_is_no_string_is_a_validation_error(
    buttoned: TestAccount, url: Any
) -> None:
    answer = send(buttoned, templateName="tickets", templateParams=["Dana"], buttonUrl=url)
    require_refused(answer, "VALIDATION_ERROR", "buttonUrl")


# buttonPayloads


def test_payloads_go_to_the_quick_replies_in_order_past_other_buttons(
    buttoned: TestAccount,
) -> None:
    given = ["  thanks\n", '{"later": "😀"}']
    sent(buttoned, templateName="tickets", templateParams=["Dana", "x"], buttonPayloads=given)
    assert [button["payload"] for button in phone(buttoned)[0]["buttons"]] == [
        given[0],
        None,
        given[1],
    ]


def test_the_default_payload_is_the_client_message_id_on_each(buttoned: TestAccount) -> None:
    sent(buttoned, templateName="tickets", templateParams=["Dana"], buttonUrl=URL)
    assert [button["payload"] for button in phone(buttoned)[0]["buttons"]] == [CID, None, CID]


def test_two_buttons_may_have_the_same_payload(buttoned: TestAccount) -> None:
    given = ["same", "same"]
    sent(buttoned, templateName="invite", templateParams=["a", "b"], buttonPayloads=given)
    assert [button["payload"] for button in phone(buttoned)[0]["buttons"]] == given


@pytest.mark.parametrize(
    "fields",
    [
        {"templateName": "invite", "templateParams": ["a", "b"], "buttonPayloads": ["yes"]},
        {"templateName": "invite", "templateParams": ["a", "b"], "buttonPayloads": ["y"] * 3},
        {"templateName": "plain", "buttonPayloads": ["yes"]},
        {"templateName": "elsewhere", "templateParams": ["a"], "buttonPayloads": ["yes"]},
        {"message": "Hi", "buttonPayloads": ["yes"]},
        {"message": "Hi", "buttonPayloads": 5},
        {"message": "Hi", "buttonPayloads": None},
        {"message": "Hi", "buttonPayloads": []},
        {"templateName": "plain", "buttonPayloads": ["a" * 129]},
    ],
    ids=lambda value: named(value)[:80],
)
def test_payloads_that_are_too_many_too_few_or_for_nothing_have_their_own_code(
    buttoned: TestAccount, fields: dict[str, Any]
) -> None:
    buttoned.reply(GUEST, "Hello?")
    require_refused(send(buttoned, **fields), "INVALID_BUTTON_PAYLOAD", "buttonPayloads")
    require_nothing_left(buttoned)


def test_ten_payloads_of_128_characters_are_kept_whole(service: TestService) -> None:
    ten = ", ".join(f'{{ type = "QUICK_REPLY", text = "B{index}" }}' for index in range(10))
    template = '[[accounts.templates]]\nname = "ten"\nlanguage = "en"\ncategory = "UTILITY"\n'
    template += f'status = "APPROVED"\nbody = "Which?"\nbuttons = [ {ten} ]\n'
    account = service.account(template)
    given = [f"{index}" * 128 for index in range(10)]
    sent(account, templateName="ten", buttonPayloads=given)
    assert [button["payload"] for button in phone(account)[0]["buttons"]] == given


# A message that says nothing


@pytest.mark.parametrize("message", ["", " ", " \n\t\u3000"], ids=named)
@pytest.mark.parametrize(
    "more", [{}, {"templateName": "plain"}, {"mediaBase64": IMAGE, "type": "image"}], ids=named
)
def test_a_blank_message_is_refused(
    talking: TestAccount, message: str, more: dict[str, str]
) -> None:
    answer = send(talking, message=message, **more)
    require_refused(answer, "VALIDATION_ERROR", "message")
    require_nothing_left(talking)
