"""A disabled account sends nothing (contract2 A, E): what waits is held, and goes on afterwards."""

from typing import Any

from tests.support import invitations, passcodes
from tests.support.batches import SLOW, item, submit
from tests.support.forms import form_toml
from tests.support.forms import sent as send_form
from tests.support.partners import TERMS
from tests.support.passcodes import template
from tests.support.receiver import Receiver
from tests.support.service import GUEST, TEMPLATES, TestService, account_toml
from tests.support.text import CID, ahead, body
from tests.support.waiting import eventually, settle
from tidings.features.messages.accept.accept import accept_lane
from tidings.features.messages.model import MessageRequest, TemplateRequest
from tidings.features.messages.send import dispatch

SHUT = {"from": "00:00", "to": "00:01", "timezone": "Pacific/Kiritimati"}
STATES = """
    SELECT client_message_id AS cid, status, reason, kind FROM messages WHERE account_id = $1
"""
GONE = {"sent", "delivered", "read"}


class Switched:
    """An account that an operator disables and enables; its own key is refused meanwhile."""

    def __init__(self, service: TestService, toml: str = "", **fields: Any) -> None:
        self.service, self.toml = service, toml
        self.account = service.account(toml, **fields)
        self.name = service.sql("SELECT name FROM accounts WHERE id = $1", self.account.id)[0][
            "name"
        ]
        self.fields = fields | {"name": self.name}

    def set_active(self, active: bool) -> None:
        self.service.apply(account_toml(self.toml, **self.fields | {"active": active}))

    def states(self) -> dict[str, tuple[str, str | None]]:
        rows = self.service.sql(STATES, self.account.id)
        return {row["cid"]: (row["status"], row["reason"]) for row in rows}


HELD = ("deferred", "SENDING_PAUSED")


def require_held(one: Switched, *cids: str) -> None:
    eventually(lambda: {one.states()[cid] for cid in cids} == {HELD})


def require_gone(one: Switched, *cids: str) -> None:
    eventually(lambda: {one.states()[cid][0] for cid in cids} <= GONE)


def test_its_requests_are_refused_and_what_waits_is_held_until_it_is_active_again(
    service: TestService,
) -> None:
    one = Switched(service, SLOW + form_toml() + template() + TEMPLATES)
    submit(one.account, [item(n) for n in range(8)])
    one.account.send(**body(scheduledFor=ahead(hours=3)))
    one.set_active(False)
    assert one.account.send(**body()).json()["error"]["code"] == "APP_INACTIVE"
    waiting = [cid for cid, (status, _) in one.states().items() if status not in GONE | {"sending"}]
    assert len(waiting) >= 6 and CID in waiting
    require_held(one, *set(waiting) - {CID})
    assert one.states()[CID] == ("scheduled", None)
    one.set_active(True)
    one.account.advance(seconds=30)
    require_gone(one, *set(waiting) - {CID})
    assert one.states()[CID] == ("scheduled", None)


def test_what_waits_for_another_reason_is_held_too(service: TestService) -> None:
    """Also what was held for hours: a status query says why nothing is sent now."""
    one = Switched(service, form_toml(), sendWindow=SHUT)
    one.account.send(**body())
    send_form(one.account, "972501234568", clientMessageId="visit-0001")
    assert {state[1] for state in one.states().values()} == {"SEND_WINDOW"}
    one.set_active(False)
    require_held(one, CID, "visit-0001")
    one.set_active(True)
    eventually(lambda: {state[1] for state in one.states().values()} == {"SEND_WINDOW"})


def test_a_passcode_is_held_and_goes_or_ends_in_time(service: TestService) -> None:
    one = Switched(service, template() + TEMPLATES, paused=True)
    passcodes.send(one.account, ttlSeconds=60)
    passcodes.send(one.account, clientMessageId="login-0002", ttlSeconds=3600)
    one.fields["paused"] = False
    one.set_active(False)
    settle(one.account)
    assert set(one.states().values()) == {HELD}
    one.fields["paused"] = True
    one.set_active(True)
    one.account.advance(seconds=90)
    one.set_active(False)
    assert one.states()[passcodes.CID][0] == "expired"
    assert one.states()["login-0002"] == HELD
    one.fields["paused"] = False
    one.set_active(True)
    require_gone(one, "login-0002")


class Under(Switched):
    """One that belongs to a partner, whose clock advances both, disabled or not."""

    def __init__(self, service: TestService, **fields: Any) -> None:
        partner = Switched(service, partner=TERMS)
        self.advance = partner.account.advance
        super().__init__(service, belongsTo=partner.name, **fields)


def test_what_was_scheduled_is_held_when_it_is_due_and_ends_at_its_deadline(
    service: TestService,
) -> None:
    one = Under(service)
    one.account.send(**body(scheduledFor=ahead(hours=2), deadline=ahead(hours=4)))
    one.set_active(False)
    one.advance(hours=1)
    assert one.states()[CID] == ("scheduled", None)
    one.advance(hours=2)
    require_held(one, CID)
    one.advance(hours=2)
    assert one.states()[CID][0] == "expired"


def test_an_events_texts_are_held_as_well(service: TestService) -> None:
    one = Under(service)
    invitations.register(one.account)
    invitations.invite(one.account)
    invitations.reply(one.account, text="who is this?")
    one.set_active(False)
    one.advance(hours=3)
    prompts = [
        (row["status"], row["reason"])
        for row in service.sql(STATES, one.account.id)
        if row["kind"] == "prompt"
    ]
    assert prompts.count(HELD) == 1
    one.set_active(True)
    eventually(lambda: invitations.texts(one.account)[-1:] == [invitations.TEXTS["nudge"]])


def test_callbacks_and_webhooks_go_on(service: TestService, receiver: Receiver) -> None:
    one = Under(service, webhookUrl=receiver.url)
    assert one.account.send(**body()).json()["data"]["status"] == "sent"
    one.set_active(False)
    one.advance(minutes=10)
    assert one.states()[CID] == ("read", None)
    eventually(
        lambda: (
            [post.json()["data"]["status"] for post in receiver.requests]
            == ["sent", "delivered", "read"]
        )
    )


# Messages that were claimed before


def claimed(one: Switched, cids: list[str], **fields: Any) -> list[dispatch.Claimed]:
    """Accepted, and about to be sent."""
    ctx = one.service.ctx
    wanted = [
        MessageRequest(one.account.id, cid, GUEST, template=TemplateRequest("plain"), **fields)
        for cid in cids
    ]
    taken = one.service.call(lambda: accept_lane(ctx, wanted))
    found = [one.claimed for one in taken if not isinstance(one, Exception)]
    return [item for item in found if item is not None]


def hand_over(one: Switched, items: list[dispatch.Claimed]) -> None:
    one.service.call(lambda: dispatch.dispatch_all(one.service.ctx, items))


def test_a_claimed_message_is_held_right_before_the_platform_is_called(
    service: TestService,
) -> None:
    one = Switched(service)
    cids = ["order-0001", "order-0002"]
    items = claimed(one, cids)
    assert len(items) == 2
    one.set_active(False)
    eventually(lambda: one.account.id.hex in service.ctx.stopped)
    hand_over(one, items)
    assert [one.states()[cid] for cid in cids] == [HELD, HELD]
    assert [event["type"] for event in one.account.events()] == ["message.deferred"] * 2
    one.set_active(True)
    require_gone(one, *cids)


def test_who_was_enabled_a_moment_ago_is_not_held(service: TestService) -> None:
    """A process's cache may be stale: the database decides."""
    one = Switched(service)
    service.ctx.stopped.add(one.account.id.hex)
    assert one.account.send(**body()).json()["data"]["status"] == "sent"
    assert one.account.id.hex not in service.ctx.stopped
