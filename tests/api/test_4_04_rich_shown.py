"""POST /messages/rich, black box: what the guest sees, and what is like every message (4.4)."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.support.media import STRANGER, encoded, jpeg, phone, png, require_refused
from tests.support.rich import CID, MAYBE, NO, OPEN, YES, require_nothing_left, send, sent
from tests.support.service import GUEST, NUMBER, TestAccount, TestService, account_toml
from tests.support.text import RESULT

# What the guest sees


@pytest.mark.quick
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
    assert f"at most {room} characters" in error["message"], "the room that is left"
    for words in ("title becomes the first line of the body", "count towards the body's 1,024"):
        assert words in error["message"]


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
    received = [event["data"]["status"] for event in talking.events("message.status")]
    assert received == ["sent", "delivered", "read"]


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
