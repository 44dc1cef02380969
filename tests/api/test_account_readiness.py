"""GET /readiness and GET /templates (2.12, endpoints 2 and 5)."""

import msgspec
import pytest

from tests.support.accounts import SECOND, data, number_toml, require_refused, template_toml
from tests.support.service import GUEST, NUMBER, TestAccount, TestService
from tidings.features.templates.responses import Readiness, TemplateShape

REPLIES = '[ { type = "QUICK_REPLY", text = "Yes" } ]'


OVERDUE = """
[[accounts.invoices]]
number = "2026-0001"
kind = "USAGE"
lines = [ { description = "Messages", quantity = 10, unitPrice = "1.00" } ]
issuedAt = "2026-01-01T00:00:00Z"
dueAt = "2026-02-01T00:00:00Z"
status = "OPEN"
"""

MANY = "".join(
    f"""
[[accounts.templates]]
name = "name{index}"
language = "{language}"
body = "Hi"
"""
    for index in range(3)
    for language in ("he", "en")
)


# GET /readiness


def test_an_account_with_an_approved_default_and_a_number_is_ready(service: TestService) -> None:
    account = service.account(defaultTemplate="invite")
    assert data(account, "/readiness") == {
        "ready": True,
        "reasons": [],
        "invitationTemplate": {
            "name": "invite", "language": "en", "status": "APPROVED", "ready": True,
        },
        "numbers": [{"number": NUMBER, "ready": True, "reason": None}],
    }  # fmt: skip


def test_readiness_has_the_shape_that_openapi_shows(service: TestService) -> None:
    for template in ("invite", None):
        account = service.account(defaultTemplate=template)
        msgspec.convert(data(account, "/readiness"), Readiness)


@pytest.mark.parametrize(
    ("templates", "default", "found"),
    [
        # the default, whatever else there is
        (
            template_toml(name="gala") + template_toml(name="a", buttons=REPLIES),
            "gala",
            ("gala", "en", "APPROVED", True),
        ),
        (template_toml(name="gala", status="PENDING"), "gala", ("gala", "en", "PENDING", False)),
        # an approved language version of it before others
        (
            template_toml(name="gala", status="REJECTED")
            + template_toml(name="gala", language="he"),
            "gala",
            ("gala", "he", "APPROVED", True),
        ),
    ],
)
def test_the_invitation_template_is_the_default(
    service: TestService, templates: str, default: str, found: tuple[object, ...]
) -> None:
    account = service.account(templates, defaultTemplate=default)
    shown = data(account, "/readiness")
    assert tuple(shown["invitationTemplate"].values()) == found
    assert list(shown["invitationTemplate"]) == ["name", "language", "status", "ready"]
    assert shown["ready"] is found[3]
    assert any("gala" in reason and "PENDING" in reason for reason in shown["reasons"]) is (
        found[2] == "PENDING"
    )


@pytest.mark.parametrize("default", [None, "ghost"])
def test_without_a_default_template_nothing_is_ready(
    service: TestService, default: str | None
) -> None:
    account = service.account(template_toml(name="a", buttons=REPLIES), defaultTemplate=default)
    shown = data(account, "/readiness")
    assert (shown["ready"], shown["invitationTemplate"]) == (False, None)
    (reason,) = shown["reasons"]
    assert "defaultTemplate" in reason
    body = {"kind": "invitation", "expiresAt": "2099-01-01T00:00:00Z"}
    sent = account.send(clientMessageId="invite-0001", to=GUEST, **body)
    assert sent.status_code == 400, "and so it is"


def test_one_ready_number_is_enough_and_none_is_not(service: TestService) -> None:
    account = service.account(number_toml() + number_toml(number=SECOND), defaultTemplate="invite")
    account.post(f"/sandbox/v1/senders/{NUMBER}", {"status": "RESTRICTED"})
    shown = data(account, "/readiness")
    assert (shown["ready"], shown["reasons"]) == (True, [])
    assert [number["ready"] for number in shown["numbers"]] == [False, True]
    assert "RESTRICTED" in shown["numbers"][0]["reason"]
    account.post(f"/sandbox/v1/senders/{SECOND}", {"status": "RESTRICTED"})
    shown = data(account, "/readiness")
    assert shown["ready"] is False
    assert [NUMBER in shown["reasons"][0], SECOND in shown["reasons"][1]] == [True, True]


def test_a_paused_account_is_not_ready(service: TestService) -> None:
    shown = data(service.account(defaultTemplate="invite", paused=True), "/readiness")
    assert shown["ready"] is False
    assert ["paused" in reason for reason in shown["reasons"]] == [True]


def test_a_closed_send_window_does_not_matter(service: TestService) -> None:
    for hours in (("00:00", "00:01"), ("12:00", "12:01")):  # one of them is closed
        window = {"from": hours[0], "to": hours[1], "timezone": "UTC"}
        account = service.account(defaultTemplate="invite", sendWindow=window)
        assert data(account, "/readiness")["ready"] is True


SUBSCRIPTION = """
[accounts.subscription]
package = "Gold"
billingType = "PACKAGE"
unique = 1
followup = 1
"""


def test_an_account_that_cannot_pay_is_not_ready(service: TestService) -> None:
    enforced = {"defaultTemplate": "invite", "billingMode": "ENFORCED"}
    shown = data(service.account(**enforced), "/readiness")
    assert shown["ready"] is False
    assert ["[accounts.subscription]" in reason for reason in shown["reasons"]] == [True]

    account = service.account(SUBSCRIPTION, **enforced)
    assert data(account, "/readiness")["reasons"] == []
    account.send(clientMessageId="order-0001", to=GUEST, templateName="plain")
    assert ["unique messages" in r for r in data(account, "/readiness")["reasons"]] == [True]
    counted = service.account(defaultTemplate="invite", billingMode="REPORT_ONLY")
    assert data(counted, "/readiness")["ready"] is True


def test_an_overdue_invoice_is_a_reason(service: TestService) -> None:
    fields = {"defaultTemplate": "invite", "billingMode": "ENFORCED"}
    account = service.account(SUBSCRIPTION + OVERDUE, **fields)
    shown = data(account, "/readiness")
    assert (shown["ready"], len(shown["reasons"])) == (False, 1)
    assert "2026-0001" in shown["reasons"][0]


def test_every_obstacle_is_named(service: TestService) -> None:
    account = service.account(billingMode="ENFORCED", paused=True)
    account.post(f"/sandbox/v1/senders/{NUMBER}", {"status": "RESTRICTED"})
    assert len(data(account, "/readiness")["reasons"]) == 4


# GET /templates


def test_a_template_is_shown_with_what_it_takes(service: TestService) -> None:
    account = service.account(
        """
[[accounts.templates]]
name = "invite"
language = "he"
category = "UTILITY"
status = "PAUSED"
header = "TEXT"
headerText = "Dear {{1}}"
body = "Hi {{1}}, join us on {{2}}"
footer = "Acme"
buttons = [
    { type = "QUICK_REPLY", text = "Yes" },
    { type = "URL", text = "Open", url = "https://x.example.com/r/{{1}}" },
]
[[accounts.templates]]
name = "photo"
header = "IMAGE"
body = "Hi"
"""
    )
    first, second = data(account, "/templates")
    assert first["reason"].startswith("it is PAUSED")
    del first["reason"]
    assert first == {
        "name": "invite",
        "language": "he",
        "status": "PAUSED",
        "category": "UTILITY",
        "variables": 4,
        "header": "TEXT",
        "headerText": "Dear {{1}}",
        "body": "Hi {{1}}, join us on {{2}}",
        "footer": "Acme",
        "buttons": [
            {"type": "QUICK_REPLY", "text": "Yes"},
            {"type": "URL", "text": "Open", "url": "https://x.example.com/r/{{1}}"},
        ],
        "usable": False,
    }
    assert second == {
        "name": "photo", "language": "en", "status": "APPROVED", "category": "UTILITY",
        "variables": 0, "header": "IMAGE", "body": "Hi", "buttons": [], "usable": True,
        "reason": None,
    }  # fmt: skip


def test_the_list_has_the_shape_that_openapi_shows(account: TestAccount) -> None:
    msgspec.convert(data(account, "/templates"), list[TemplateShape])


def test_templates_come_by_name_and_language_page_by_page(service: TestService) -> None:
    account = service.account(MANY)
    names, cursor, pages = [], None, 0
    while pages == 0 or cursor is not None:
        query = {"limit": 4} if cursor is None else {"limit": 4, "cursor": cursor}
        body = account.get("/templates", params=query).json()
        names += [(one["name"], one["language"]) for one in body["data"]]
        cursor, pages = body["nextCursor"], pages + 1
    assert pages == 2
    assert names == [(f"name{n}", lang) for n in range(3) for lang in ("en", "he")]


def test_a_page_that_ends_with_the_list_is_the_last(service: TestService) -> None:
    account = service.account(MANY)
    assert account.get("/templates?limit=6").json()["nextCursor"] is None
    assert account.get("/templates").json()["nextCursor"] is None


def test_the_longest_name_in_any_script_can_be_paged_over(service: TestService) -> None:
    names = ["ש" * 512, "ת" * 512]
    account = service.account("".join(template_toml(name=name) for name in names))
    first = account.get("/templates?limit=1").json()
    second = account.get("/templates", params={"limit": 1, "cursor": first["nextCursor"]}).json()
    assert [first["data"][0]["name"], second["data"][0]["name"]] == names


@pytest.mark.parametrize("limit", ["0", "201", "-1", "1.5", "x", "", "1e2"])
def test_a_limit_outside_1_to_200_is_refused(account: TestAccount, limit: str) -> None:
    require_refused(account.get(f"/templates?limit={limit}"), "VALIDATION_ERROR", "limit")


@pytest.mark.parametrize("cursor", ["", "x", "%F0%9F%98%80", "e30", "WzEsMl0", "a" * 5000])
def test_a_cursor_we_did_not_give_is_refused(account: TestAccount, cursor: str) -> None:
    require_refused(account.get(f"/templates?cursor={cursor}"), "VALIDATION_ERROR", "cursor")


def test_an_account_without_templates_lists_none(service: TestService) -> None:
    account = service.account('[[accounts.templates]]\nname = "one"\nbody = "Hi"\n')
    service.sql("DELETE FROM templates WHERE account_id = $1", account.id)
    assert account.get("/templates").json()["data"] == []
