"""POST /messages/rich, black box: the conversation window and the template outside it (4.4)."""

from typing import Any

import pytest

from tests.support.media import PICTURED, encoded, phone, png, require_refused
from tests.support.names import named
from tests.support.rich import CID, require_nothing_left, send, sent
from tests.support.service import GUEST, TEMPLATES, TestAccount, TestService

HEADERS = TEMPLATES + PICTURED


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
def test_a_template_that_could_not_go_is_reported_inside_the_window_too(
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
