"""GET /readiness and GET /templates (2.12, endpoints 2 and 5)."""

import msgspec
import pytest

from tests.support.account_state import SECOND, data, number_toml, require_refused, template_toml
from tests.support.service import NUMBER, TestAccount, TestService
from tidings.features.templates.shapes import Readiness, TemplateShape

REPLIES = '[ { type = "QUICK_REPLY", text = "Yes" } ]'


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


def test_an_account_with_an_approved_template_and_a_number_is_ready(account: TestAccount) -> None:
    assert data(account, "/readiness") == {
        "ready": True,
        "invitationTemplate": {
            "name": "invite", "language": "en", "status": "APPROVED", "ready": True,
        },
        "numbers": [{"number": NUMBER, "ready": True, "reason": None}],
    }  # fmt: skip


def test_readiness_has_the_shape_that_openapi_shows(account: TestAccount) -> None:
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
        # without a default: one with reply buttons, even if another is approved
        (
            template_toml(name="a") + template_toml(name="b", status="PENDING", buttons=REPLIES),
            None,
            ("b", "en", "PENDING", False),
        ),
        (
            template_toml(name="b", status="PENDING", buttons=REPLIES)
            + template_toml(name="c", buttons=REPLIES),
            None,
            ("c", "en", "APPROVED", True),
        ),
        # without reply buttons: any but a passcode's
        (
            '[[accounts.templates]]\nname = "a"\ncategory = "AUTHENTICATION"\n'
            + template_toml(name="z"),
            None,
            ("z", "en", "APPROVED", True),
        ),
        (
            '[[accounts.templates]]\nname = "a"\ncategory = "AUTHENTICATION"\n',
            None,
            (None, None, None, False),
        ),
    ],
)
def test_the_invitation_template_is_the_default_or_the_best_there_is(
    service: TestService, templates: str, default: str | None, found: tuple[object, ...]
) -> None:
    account = service.account(templates, defaultTemplate=default)
    shown = data(account, "/readiness")["invitationTemplate"]
    assert tuple(shown.values()) == found
    assert list(shown) == ["name", "language", "status", "ready"]


def test_one_ready_number_is_enough_and_none_is_not(service: TestService) -> None:
    account = service.account(number_toml() + number_toml(number=SECOND))
    account.post(f"/sandbox/v1/senders/{NUMBER}", {"status": "RESTRICTED"})
    shown = data(account, "/readiness")
    assert shown["ready"] is True
    assert [number["ready"] for number in shown["numbers"]] == [False, True]
    assert "RESTRICTED" in shown["numbers"][0]["reason"]
    account.post(f"/sandbox/v1/senders/{SECOND}", {"status": "RESTRICTED"})
    assert data(account, "/readiness")["ready"] is False


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
