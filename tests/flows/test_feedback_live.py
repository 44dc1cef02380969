"""A live form over real HTTP, against the simulated platform: its flow and template are made, it is
sent by one or the other, and what guests fill in comes back (contract.md, "Live accounts")."""

from typing import Any

import msgspec
import pytest

from tests.support.answers import refused
from tests.support.forms import ask, form_toml, sent, submitted, values
from tests.support.service import TestAccount, TestService, account_toml
from tests.support.simulator import RunningSimulator
from tests.support.waiting import eventually
from tidings.features.feedback.forms import lookup
from tidings.features.feedback.forms.lookup import FormStatus

_count = iter(range(1, 1000))


class Shop:
    """The live account; there is one, because a number belongs to one. Forms have fresh names."""

    def __init__(self, service: TestService, simulator: RunningSimulator) -> None:
        self.service, self.simulator = service, simulator
        self.forms: dict[str, str] = {}
        self.account = TestAccount(service, self.apply()[0])

    def apply(self) -> list[dict[str, Any]]:
        more = self.simulator.numbers_toml + "".join(self.forms.values()) + "# accounts.templates"
        return self.service.apply(account_toml(more, name="shop", environment="live"))

    def declare(self, form_id: str, **fields: Any) -> None:
        self.forms[form_id] = form_toml(form_id, **fields)
        self.apply()

    def form_statuses(self, form_id: str) -> list[FormStatus]:
        db, account_id = self.service.ctx.db, self.account.id
        found = self.service.call(
            lambda: db.transact(lambda tx: lookup.load_form_statuses(tx, account_id))
        )
        return [one for one in found if one.form_id == form_id]

    def platform(self, form_id: str) -> str | None:
        return self.form_statuses(form_id)[-1].platform

    def waits_for(self, form_id: str, words: str) -> None:
        eventually(lambda: words in (self.platform(form_id) or ""))

    def look_again(self) -> None:
        self.service.sql(
            "UPDATE jobs SET due_at = now() - interval '1 day' WHERE account_id = $1 AND NOT leased"
            " AND pool = 'sync' RETURNING id",
            self.account.id,
        )

    def ready(self, form_id: str, **fields: Any) -> None:
        self.declare(form_id, **fields)
        self.waits_for(form_id, "is PENDING")
        self.simulator.advance(6)  # the platform's review
        self.waits_for(form_id, "ready")

    def flows(self, form_id: str) -> list[Any]:
        flows = self.simulator.simulator.state.world.flows(self.simulator.number.waba)
        return [flow for flow in flows if flow.name.startswith(f"form_{form_id}_v")]


@pytest.fixture(scope="module")
def shop(live_service: TestService, live_platform: RunningSimulator) -> Shop:
    return Shop(live_service, live_platform)


@pytest.fixture
def form() -> str:
    return f"visit{next(_count)}"


@pytest.fixture
def guest() -> str:
    return f"97250555{next(_count):04}"


def last_body(shop: Shop, to: str) -> dict[str, Any]:
    sends = shop.simulator.sends(to=to)
    body: dict[str, Any] = sends[-1]["body"]
    return body if isinstance(body, dict) else msgspec.json.decode(body)


def delivered(shop: Shop, cid: str) -> None:
    eventually(lambda: shop.account.status(cid)["status"] in ("sent", "delivered", "read"))
    shop.simulator.advance(3)
    shop.simulator.flush()
    eventually(lambda: shop.account.status(cid)["status"] == "read")


def test_the_whole_story(shop: Shop, form: str, guest: str) -> None:
    shop.declare(form)
    shop.waits_for(form, "is PENDING")
    error = refused(ask(shop.account, guest, form), 409, "FORM_NOT_SENDABLE")
    assert "is PENDING" in error["message"]
    shop.simulator.advance(6)
    shop.waits_for(form, "ready")
    (flow,) = shop.flows(form)
    assert (flow.status, flow.categories, flow.validation_errors) == ("PUBLISHED", ["SURVEY"], [])
    # Outside the window the template goes, its button with our token.
    data = sent(shop.account, guest, form, clientMessageId=f"{form}-0001")
    assert (data["status"], data["version"]) == ("queued", 1)
    delivered(shop, f"{form}-0001")
    body = last_body(shop, guest)
    assert (body["type"], body["template"]["name"]) == ("template", flow.name)
    (button,) = body["template"]["components"]
    assert button["parameters"][0]["action"]["flow_token"] == data["sendId"]
    # The guest fills it in; only the first answer counts.
    choices = {"q1": 4, "q2": "choice_2", "q3": ["choice_1", "choice_3"], "q4": "Fine"}
    shop.simulator.reply(guest, form={"answers": choices})
    shop.simulator.reply(guest, form={"answers": {"q1": 1}})
    shop.simulator.flush()
    (event,) = [one for one in submitted(shop.account) if one["formId"] == form]
    assert values(event) == {"q1": 4, "q2": "Meat", "q3": ["Food", "Hall"], "q4": "Fine"}
    assert (event["to"], event["sendId"]) == (guest, data["sendId"])
    refused(ask(shop.account, guest, form), 409, "ALREADY_SENT")


def test_inside_the_window_the_flow_goes(shop: Shop, form: str, guest: str) -> None:
    shop.ready(form)
    shop.simulator.reply(guest, "hello", to=shop.simulator.number.number)
    shop.simulator.flush()
    sent(shop.account, guest, form, clientMessageId=f"{form}-0001")
    delivered(shop, f"{form}-0001")
    body = last_body(shop, guest)
    assert body["type"] == "interactive"
    parameters = body["interactive"]["action"]["parameters"]
    (flow,) = shop.flows(form)
    assert (parameters["flow_id"], parameters["flow_cta"]) == (flow.id, "Give feedback")
    assert parameters["flow_action_payload"] == {"screen": "FORM"}


def test_magic_guests_answer_over_http(shop: Shop, form: str) -> None:
    shop.ready(form)
    guest = f"9725077{next(_count):01}9109"
    sent(shop.account, guest, form)
    eventually(lambda: shop.simulator.sends(to=guest))
    shop.simulator.advance(10)
    shop.simulator.flush()
    (event,) = [one for one in submitted(shop.account) if one["formId"] == form]
    assert values(event)["q1"] == 1 and values(event)["q4"] == "We waited for an hour."


def test_a_new_version_is_a_new_flow_and_the_old_goes_until_it_is_ready(
    shop: Shop, form: str, guest: str
) -> None:
    shop.ready(form)
    (old,) = shop.flows(form)
    shop.declare(form, title="Your stay", published=False)  # approved: the platform is notified
    shop.waits_for(form, "is PENDING")
    assert sent(shop.account, guest, form)["version"] == 1
    shop.declare(form, title="Your stay")
    shop.simulator.advance(6)
    shop.waits_for(form, "ready")
    before, after = shop.flows(form)
    assert before.id == old.id and before.json != after.json
    assert (before.status, after.status) == ("PUBLISHED", "PUBLISHED")
    assert [one.state for one in shop.form_statuses(form)] == ["superseded", "published"]
    assert sent(shop.account, f"{guest[:-4]}1{guest[-3:]}", form)["version"] == 2


def test_an_unapproved_form_is_not_submitted_and_an_unpublished_one_not_sent(
    shop: Shop, form: str, guest: str
) -> None:
    shop.declare(form, approved=False, published=True)
    shop.look_again()
    assert shop.platform(form) is None
    error = refused(ask(shop.account, guest, form), 409, "FORM_NOT_SENDABLE")
    assert "not published" in error["message"] and "submitted" in error["message"]
    shop.ready(form, published=False)
    refused(ask(shop.account, guest, form), 409, "FORM_NOT_SENDABLE")
    shop.declare(form)  # its flow is there already
    assert sent(shop.account, guest, form)["status"] == "queued"
    assert len(shop.flows(form)) == 1


@pytest.mark.parametrize("path", ["/flows", "/assets", "/publish", "/message_templates"])
@pytest.mark.parametrize("trouble", ["down", "refused", "reset", "taken"])
def test_whatever_goes_wrong_on_the_way_is_done_in_the_end_and_once(
    shop: Shop, form: str, path: str, trouble: str
) -> None:
    fault = {
        "down": {"answer": "error", "code": 2},
        "refused": {"answer": "error", "code": 10, "details": "no permission"},
        "reset": {"answer": "reset"},
        "taken": {"answer": "empty", "status": 502, "taken": True},
    }[trouble]
    made = shop.simulator.fault(**fault, path=path, times=2 if path in ("/flows",) else 1)
    shop.declare(form)
    eventually(lambda: shop.platform(form) not in (None, "ready"))
    for _ in range(3):
        shop.look_again()
        eventually(lambda: not _building(shop, form))
        if "PENDING" in (shop.platform(form) or ""):
            break
    shop.simulator.control("DELETE", f"/faults/{made['id']}")
    shop.look_again()
    shop.waits_for(form, "is PENDING")
    assert len(shop.flows(form)) == 1
    templates = shop.simulator.simulator.state.world.templates(shop.simulator.number.waba)
    assert len([one for one in templates if one.name.startswith(f"form_{form}_v")]) == 1


def _building(shop: Shop, form: str) -> bool:
    """Whether a job is at it just now."""
    rows = shop.service.sql(
        "SELECT 1 FROM jobs WHERE account_id = $1 AND kind = 'feedback.build' AND subject = $2"
        " AND (leased OR due_at <= now())",
        shop.account.id,
        form,
    )
    return bool(rows)


def test_why_a_form_is_stuck_is_said(shop: Shop, form: str, guest: str) -> None:
    shop.simulator.fault(
        answer="error", code=10, details="the app lacks a permission", path="/publish", times=None
    )
    shop.declare(form)
    shop.waits_for(form, "the app lacks a permission")
    error = refused(ask(shop.account, guest, form), 409, "FORM_NOT_SENDABLE")
    assert "the app lacks a permission" in error["message"]
    for one in shop.simulator.control("GET", "/faults"):
        shop.simulator.control("DELETE", f"/faults/{one['id']}")
    shop.apply()  # looks at it at once
    shop.waits_for(form, "is PENDING")


def test_a_template_the_platform_turns_down_is_said(shop: Shop, form: str, guest: str) -> None:
    shop.ready(form)
    (flow,) = shop.flows(form)
    shop.simulator.control("POST", f"/templates/{flow.name}", {"status": "PAUSED"})
    shop.simulator.flush()
    shop.waits_for(form, "is PAUSED")
    refused(ask(shop.account, guest, form), 409, "FORM_NOT_SENDABLE")
    shop.simulator.control("POST", f"/templates/{flow.name}", {"status": "APPROVED"})
    shop.simulator.flush()
    shop.waits_for(form, "ready")
    assert sent(shop.account, guest, form)["status"] == "queued"


def test_the_template_is_listed_with_the_others(shop: Shop, form: str) -> None:
    shop.ready(form)
    (flow,) = shop.flows(form)
    listed = shop.account.get("/templates", params={"limit": 200}).json()["data"]
    (template,) = [one for one in listed if one["name"] == flow.name]
    assert (template["category"], template["usable"]) == ("UTILITY", True)
    assert template["buttons"][0]["type"] == "FLOW"
