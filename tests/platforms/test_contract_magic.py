"""The contract suite: the magic recipients, in the sandbox and through the live platform, alike."""

import pytest

from tests.support.worlds import LiveWorld, World

LONG = 400  # seconds: longer than any of them takes to come to its end


def after(world: World, last_four: str, seconds: float = LONG, **body: str) -> dict[str, object]:
    """Send to this recipient and let time pass; the first answer."""
    template = {} if body else {"templateName": "plain"}
    answer = world.send(to=world.person(last_four), **template, **body)
    world.advance(seconds)
    return answer


@pytest.mark.parametrize(
    ("last_four", "received"),
    [
        ("9001", ["sent"]),
        ("9002", ["sent", "delivered"]),
        ("9003", ["sent", "read"]),
        ("9004", ["sent", "read"]),
    ],
)
def test_statuses_that_are_missing_or_in_a_strange_order(
    world: World, last_four: str, received: list[str]
) -> None:
    assert after(world, last_four)["status"] == "sent"
    assert world.received() == received


@pytest.mark.parametrize(
    ("last_four", "code"), [("9010", 131026), ("9011", 131049), ("9012", 131050), ("9015", 131053)]
)
def test_sent_then_failed(world: World, last_four: str, code: int) -> None:
    assert after(world, last_four)["status"] == "sent"
    assert world.received() == ["sent", "failed"]
    error = world.status()["error"]
    assert error["platformCode"] == code
    assert world.events("message.status")[-1]["error"] == error


@pytest.mark.parametrize(("last_four", "code"), [("9013", 132015), ("9014", 132000)])
def test_refused_in_the_answer(world: World, last_four: str, code: int) -> None:
    answer = after(world, last_four)
    assert (answer["http"], answer["status"]) == (200, "failed")
    assert world.received() == ["failed"]
    assert world.status()["error"]["platformCode"] == code
    assert world.phone(world.person(last_four)) == []


@pytest.mark.parametrize(
    ("last_four", "reason"),
    [
        ("9020", "NUMBER_LIMIT"),
        ("9021", "NUMBER_LIMIT"),
        ("9022", "PLATFORM_UNAVAILABLE"),
    ],
)
def test_deferred_and_sent_when_it_is_possible(world: World, last_four: str, reason: str) -> None:
    answer = after(world, last_four)
    assert (answer["http"], answer["status"], answer["reason"]) == (202, "deferred", reason)
    assert world.received() == [reason, "sent", "delivered", "read"]
    assert world.status()["attempts"][0]["outcome"] == "deferred"
    assert len(world.phone(world.person(last_four))) == 1


def test_no_answer_but_callbacks(world: World) -> None:
    answer = after(world, "9023")
    assert (answer["http"], answer["status"], answer["messageId"]) == (202, "sending", None)
    assert world.received() == ["sent", "delivered", "read"]
    assert len(world.phone(world.person("9023"))) == 1


def test_no_answer_and_no_callback(world: World) -> None:
    """Somebody else's callbacks show that silence means something."""
    answer = after(world, "9024", seconds=60)
    assert (answer["http"], answer["status"]) == (202, "sending")
    world.send(to=world.person(), templateName="plain")
    world.advance(100)
    assert world.received() == ["failed"]
    assert world.status()["error"]["code"] == "UNKNOWN_OUTCOME"


def test_a_fault_of_the_account_until_an_hour_has_gone(world: World) -> None:
    """In the sandbox it is the recipient's; a live number is blocked, reported, and tried again."""
    world.has_own_rhythm = True
    answer = after(world, "9030", seconds=1)
    assert (answer["http"], answer["reason"]) == (202, "NUMBER_UNHEALTHY")
    world.advance(3500)
    assert world.received() == ["NUMBER_UNHEALTHY"]
    world.advance(3 * 3600)
    assert world.received() == ["NUMBER_UNHEALTHY", "sent", "delivered", "read"]
    health = [data["current"]["status"] for data in world.events("sender.health")]
    live = isinstance(world, LiveWorld)
    assert (health[:1], health[-1:]) == ((["BLOCKED"], ["CONNECTED"]) if live else ([], []))


def test_a_batch_of_every_kind(world: World) -> None:
    """Bulk sends meet them as single ones do."""
    fours = ["9002", "9010", "9014", "9020", "9022", "9023", "4567"]
    messages = [
        {"clientMessageId": f"bulk-{four}", "to": world.person(four), "templateName": "plain"}
        for four in fours
    ]
    world.post("/messages/bulk", {"messages": messages})
    world.advance(LONG)
    assert {four: world.status(f"bulk-{four}")["status"] for four in fours} == {
        "9002": "delivered", "9010": "failed", "9014": "failed", "9020": "read",
        "9022": "read", "9023": "read", "4567": "read",
    }  # fmt: skip


def test_a_free_text_meets_them_too(world: World) -> None:
    guest = world.person("9002")
    world.reply(guest, text="Hello")
    after(world, "9002", message="Hello yourself")
    assert world.received() == ["sent", "delivered"]


@pytest.mark.parametrize("last_four", ["9020", "9023", "9024"])
def test_a_passcode_meets_them_too(world: World, last_four: str) -> None:
    world.post("/messages/otp", {"to": world.person(last_four), "code": "445566"})
    world.advance(60)
    world.send(to=world.person(), templateName="plain")
    world.advance(LONG)
    assert "445566" not in str([*world.account.events(), world.phone(world.person(last_four))])
