"""buttonUrl and buttonPayloads of POST /messages/text, black box (4.1)."""

from typing import Any

import pytest

from tests.support.media import (
    BUTTONS,
    CID,
    URL,
    phone,
    require_nothing_left,
    require_refused,
    send,
    sent,
)
from tests.support.names import named
from tests.support.service import GUEST, TEMPLATES, TestAccount, TestService


@pytest.fixture
def buttoned(service: TestService) -> TestAccount:
    return service.account(TEMPLATES + BUTTONS.replace("PUBLIC", service.settings.public_url))


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


def test_buttons_past_the_last_payload_have_the_default(buttoned: TestAccount) -> None:
    sent(buttoned, templateName="invite", templateParams=["a", "b"], buttonPayloads=["yes"])
    assert [button["payload"] for button in phone(buttoned)[0]["buttons"]] == ["yes", CID]


def test_two_buttons_may_have_the_same_payload(buttoned: TestAccount) -> None:
    given = ["same", "same"]
    sent(buttoned, templateName="invite", templateParams=["a", "b"], buttonPayloads=given)
    assert [button["payload"] for button in phone(buttoned)[0]["buttons"]] == given


@pytest.mark.parametrize(
    "fields",
    [
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
def test_payloads_that_are_too_many_or_for_nothing_have_their_own_code(
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
