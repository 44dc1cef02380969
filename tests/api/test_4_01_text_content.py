"""POST /messages/text, black box: templates, free text, buttons, numbers and meta."""

import json
from decimal import Decimal
from typing import Any

import httpx
import pytest

from tests.support.service import GUEST, NUMBER, TEMPLATES, TestAccount, TestService
from tests.support.text import (
    CID,
    MISSING,
    ahead,
    body,
    phone,
    require_nothing_left,
    require_refused,
    traces,
)

SECOND = "972555000002"

# Templates and free text


def test_variables_fill_header_body_and_url_button_in_this_order(service: TestService) -> None:
    account = service.account("""
        [[accounts.templates]]
        name = "full"
        language = "en"
        category = "UTILITY"
        status = "APPROVED"
        header = "TEXT"
        headerText = "Re {{1}}"
        body = "{{2}} then {{1}}, {{2}}"
        buttons = [ { type = "URL", text = "Open", url = "https://example.com/x/{{1}}" } ]
    """)
    answer = account.send(**body(templateName="full", templateParams=["h", "one", "two", "u"]))
    assert answer.status_code == 200, answer.text
    (shown,) = phone(account)
    assert (shown["title"], shown["text"]) == ("Re h", "two then one, two")
    assert [button["url"] for button in shown["buttons"]] == ["https://example.com/x/u"]
    short = account.send(
        **body(
            clientMessageId="order-0002", templateName="full", templateParams=["h", "one", "two"]
        )
    )
    require_refused(short, "VALIDATION_ERROR", "templateParams")


def test_a_variable_is_not_read_as_a_variable(account: TestAccount) -> None:
    account.send(**body(templateName="invite", templateParams=["{{2}}", "{{1}} \\1 %s <b>"]))
    assert phone(account)[0]["text"] == "Hi {{2}}, join us on {{1}} \\1 %s <b>"


def test_the_language_chooses_the_template(service: TestService) -> None:
    languages = "".join(
        f'[[accounts.templates]]\nname = "bye"\nlanguage = "{language}"\ncategory = "UTILITY"\n'
        f'status = "APPROVED"\nbody = "{words}"\n'
        for language, words in (("en", "Bye"), ("he", "להתראות"))
    )
    account = service.account(languages)
    assert account.send(**body(templateName="bye", templateLang="he")).status_code == 200
    assert phone(account)[0]["text"] == "להתראות"
    answer = account.send(
        **body(clientMessageId="order-0002", templateName="bye", templateLang="fr")
    )
    require_refused(answer, "VALIDATION_ERROR")


@pytest.mark.parametrize("status", ["PENDING", "REJECTED", "PAUSED", "DISABLED"])
def test_a_template_that_is_not_approved_is_refused(service: TestService, status: str) -> None:
    account = service.account(TEMPLATES.replace('"APPROVED"', f'"{status}"', 1))
    answer = account.send(**body(templateName="hello", templateParams=["Dana"]))
    require_refused(answer, "VALIDATION_ERROR", "templateName")
    require_nothing_left(account)


def test_a_template_with_a_picture_cannot_go_without_one(service: TestService) -> None:
    account = service.account(TEMPLATES.replace('body = "Good', 'header = "IMAGE"\nbody = "Good'))
    require_refused(account.send(**body()), "VALIDATION_ERROR")
    assert not any(traces(account).values())


def test_a_template_of_another_account_is_unknown(service: TestService) -> None:
    extra = TEMPLATES + TEMPLATES.replace('"hello"', '"secret"').split("[[accounts.templates]]")[
        1
    ].join(["[[accounts.templates]]", ""])
    owner, other = service.account(extra), service.account()
    fields = body(templateName="secret", templateParams=["a"])
    assert owner.send(**fields).status_code == 200
    require_refused(other.send(**fields), "VALIDATION_ERROR", "templateName")


def test_free_text_goes_inside_the_window(account: TestAccount) -> None:
    account.reply(GUEST, "hello?")
    answer = account.send(**body(templateName=MISSING, message="Hi *Dana* 👋\nline two"))
    assert answer.status_code == 200, answer.text
    assert answer.json()["data"]["fallbackUsed"] is False
    shown = phone(account)[-1]
    assert (shown["type"], shown["text"]) == ("text", "Hi *Dana* 👋\nline two")


def test_the_window_is_open_for_24_hours_after_the_last_reply(account: TestAccount) -> None:
    text = body(templateName=MISSING, message="hi")
    account.reply(GUEST, "one")
    account.advance(hours=23, minutes=59, seconds=50)
    assert account.send(**text).status_code == 200
    account.advance(seconds=11)
    late = text | {"clientMessageId": "order-0002"}
    require_refused(account.send(**late), "SERVICE_WINDOW_CLOSED")
    account.reply(GUEST, "two")
    assert account.send(**late).status_code == 200


def test_the_window_of_one_guest_is_not_anothers(service: TestService) -> None:
    account, other = service.account(), service.account()
    account.reply(GUEST, "hello?")
    text = body(templateName=MISSING, message="hi")
    require_refused(account.send(**(text | {"to": "972501234568"})), "SERVICE_WINDOW_CLOSED")
    require_refused(other.send(**text), "SERVICE_WINDOW_CLOSED")


def test_our_own_message_opens_no_window(account: TestAccount) -> None:
    account.send(**body())
    account.advance(seconds=5)
    answer = account.send(clientMessageId="order-0002", to=GUEST, message="hi")
    require_refused(answer, "SERVICE_WINDOW_CLOSED")


def test_with_both_the_free_text_goes_inside_the_window_and_the_template_outside(
    account: TestAccount,
) -> None:
    both = body(message="free words")
    outside = account.send(**both).json()["data"]
    account.reply(GUEST, "hello?")
    inside = account.send(**(both | {"clientMessageId": "order-0002"})).json()["data"]
    assert (outside["fallbackUsed"], inside["fallbackUsed"]) == (True, False)
    sent = [shown["text"] for shown in phone(account) if shown["direction"] == "out"]
    assert sent == ["Good morning", "free words"]


def test_a_broken_template_is_reported_even_where_the_free_text_would_go(
    account: TestAccount,
) -> None:
    account.reply(GUEST, "hello?")
    answer = account.send(**body(message="free words", templateName="nowhere"))
    require_refused(answer, "VALIDATION_ERROR", "templateName")


def test_an_invitation_uses_the_accounts_default_template(service: TestService) -> None:
    account = service.account(defaultTemplate="invite")
    fields = body(templateName=MISSING, templateParams=["Dana", "Sunday"], kind="invitation")
    answer = account.send(**fields, expiresAt=ahead(days=3))
    assert answer.status_code == 200, answer.text
    assert phone(account)[0]["text"] == "Hi Dana, join us on Sunday"
    assert account.status(CID)["kind"] == "invitation"


def test_an_invitation_needs_a_template_even_inside_the_window(account: TestAccount) -> None:
    account.reply(GUEST, "hello?")
    fields = body(templateName=MISSING, message="come!", kind="invitation")
    require_refused(account.send(**fields, expiresAt=ahead(days=3)), "TEMPLATE_REQUIRED")


# Button payloads


def payloads(account: TestAccount) -> list[str]:
    return [button["payload"] for button in phone(account)[-1]["buttons"]]


def invitation(**changes: Any) -> dict[str, Any]:
    return body(templateName="invite", templateParams=["Dana", "Sunday"], **changes)


def test_payloads_go_to_the_buttons_in_order_and_verbatim(account: TestAccount) -> None:
    given = ["  yes:1/ü😀 ", "x" * 128]
    assert account.send(**invitation(buttonPayloads=given)).status_code == 200
    assert payloads(account) == given


def test_the_default_payload_is_the_client_message_id(account: TestAccount) -> None:
    account.send(**invitation())
    assert payloads(account) == [CID, CID]


def test_a_payload_of_128_characters_is_counted_in_code_points(account: TestAccount) -> None:
    given = ["😀" * 128, "b"]
    assert account.send(**invitation(buttonPayloads=given)).status_code == 200
    assert payloads(account) == given


# Sending numbers


@pytest.fixture
def two_numbers(service: TestService) -> TestAccount:
    numbers = "".join(f'[[accounts.numbers]]\nnumber = "{n}"\n' for n in (NUMBER, SECOND))
    return service.account(numbers)


@pytest.mark.parametrize("policy", [MISSING, "prefer", "strict"])
def test_the_asked_number_sends(two_numbers: TestAccount, policy: Any) -> None:
    data = two_numbers.send(**body(sentFrom=SECOND, fromPolicy=policy)).json()["data"]
    assert (data["sentFrom"], data["fallbackUsed"]) == (SECOND, False)


def test_auto_ignores_the_asked_number(two_numbers: TestAccount) -> None:
    data = two_numbers.send(**body(sentFrom=SECOND, fromPolicy="auto")).json()["data"]
    assert data["sentFrom"] == NUMBER


def test_a_guest_already_messaged_keeps_its_number(two_numbers: TestAccount) -> None:
    two_numbers.send(**body(sentFrom=SECOND))
    for cid, policy in (("order-0002", MISSING), ("order-0003", "auto")):
        data = two_numbers.send(**body(clientMessageId=cid, fromPolicy=policy)).json()["data"]
        assert (data["sentFrom"], data["fallbackUsed"]) == (SECOND, False)


# Meta


def post_with_meta(account: TestAccount, meta: str, cid: str = CID) -> httpx.Response:
    raw = f'{{"clientMessageId":"{cid}","to":"{GUEST}","templateName":"plain","meta":{meta}}}'
    kind = {"Content-Type": "application/json"}
    return account.post("/messages/text", content=raw.encode(), headers=kind)


@pytest.mark.parametrize(
    "meta",
    [
        "{}",
        '{"z":1,"a":2,"m":3}',
        '{"big":123456789012345678901234567890,"negative":-9223372036854775809}',
        '{"over":18446744073709551616,"float":1.0,"exact":0.10000000000000000001,"e":1e2,"E":1E+2}',
        '{"minus":-0,"zero":-0.0,"tiny":1e-400}',
        '{"ü":"é","emoji":"😀","rtl":"שלום"}',
        r'{"escaped":"\u00e9\ud83d\ude00\/\b\f\n\r\t\"\\"}',
        '{"deep":{"a":[[[{"b":[null,true,false,"",{},[]]}]]]}}',
        '{"__proto__":{"x":1},"constructor":1,"":"empty key"}',
        '{"null":null,"same":1,"same":2}',
        '{"html":"<script>alert(1)</script>","sql":"\' OR 1=1 --"}',
    ],
)
def test_meta_comes_back_verbatim_in_the_status_and_in_every_event(
    account: TestAccount, meta: str
) -> None:
    assert post_with_meta(account, meta).status_code == 200
    account.advance(seconds=3)
    assert f'"meta":{meta}' in account.get(f"/messages/{CID}").text
    query = "SELECT convert_from(body, 'UTF8') AS body FROM webhooks WHERE account_id = $1"
    bodies = [row["body"] for row in account.service.sql(query, account.id)]
    assert len(bodies) == 3
    assert all(f'"meta":{meta}' in event for event in bodies), bodies


def test_meta_with_white_space_keeps_every_value(account: TestAccount) -> None:
    meta = '{ "b" : 1.50 ,\n\t"a" : [ 1 , 2 ] , "c": " x  y " }'
    assert post_with_meta(account, meta).status_code == 200
    text = account.get(f"/messages/{CID}").text
    back = json.loads(text, parse_float=Decimal)["data"]["meta"]
    assert list(back.items()) == [("b", Decimal("1.50")), ("a", [1, 2]), ("c", " x  y ")]


def filled(size: int) -> str:
    """An object of `size` bytes as compact UTF-8."""
    return '{"a":"' + "é" * ((size - 8) // 2) + "x" * (size % 2) + '"}'


def test_meta_of_4096_bytes_is_kept_and_one_of_4097_refused(account: TestAccount) -> None:
    assert len(filled(4096).encode()) == 4096 and len(filled(4097).encode()) == 4097
    require_refused(post_with_meta(account, filled(4097)), "VALIDATION_ERROR", "meta")
    assert not any(traces(account).values())
    assert post_with_meta(account, filled(4096)).status_code == 200
    assert account.status(CID)["meta"] == json.loads(filled(4096))


def test_meta_is_measured_compact_whatever_way_it_is_written(account: TestAccount) -> None:
    spaced = '{"a":' + " " * 5000 + "1}"
    assert post_with_meta(account, spaced).status_code == 200
    escaped = '{"a":"' + "\\u00e9" * 2000 + '"}'  # 12,000 characters, 4,008 bytes compact
    assert post_with_meta(account, escaped, "order-0002").status_code == 200
    assert account.status("order-0002")["meta"] == {"a": "é" * 2000}
    over = '{"a":"' + "\\u00e9" * 2045 + '"}'  # 4,098 bytes compact
    require_refused(post_with_meta(account, over, "order-0003"), "VALIDATION_ERROR", "meta")
