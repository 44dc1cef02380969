"""The page Templates: what each lacks, and each as a phone shows it."""

import pytest

from tests.support.portal import Seen, signed_in, text_of
from tests.support.service import TEMPLATES, TestAccount, TestService

MORE = """
[[accounts.templates]]
name = "hello"
language = "he"
category = "MARKETING"
status = "PENDING"
body = "שלום {{1}}, נתראה ב{{2}}"
[[accounts.templates]]
name = "menu"
language = "en"
category = "UTILITY"
status = "REJECTED"
header = "TEXT"
headerText = "For {{1}}"
body = "<b>Our</b> menu"
footer = "Bon appetit"
buttons = [ { type = "URL", text = "Menu", url = "https://example.com/{{1}}" } ]
"""


@pytest.fixture
def rich(service: TestService) -> TestAccount:
    return service.account(TEMPLATES + MORE, defaultTemplate="invite")


def bubble(page: Seen) -> str:
    return text_of(page.soup.select_one(".bubble"))


def test_the_list_says_what_each_template_lacks(rich: TestAccount) -> None:
    page = signed_in(rich, "viewer").get("/templates")
    assert (page.status, page.h1) == (200, "Templates")
    lacking = {(row[0].split()[0], row[1]): row[4] for row in page.rows()}
    assert lacking == {
        ("hello", "en"): "Nothing: it can be sent",
        ("hello", "he"): "The platform is still reviewing it, which takes up to a day.",
        ("invite", "en"): "Nothing: it can be sent",
        ("menu", "en"): "The platform rejected it. Change it there and submit it again.",
        ("plain", "en"): "Nothing: it can be sent",
    }
    assert [row[2] for row in page.rows()] == [
        "approved", "pending", "approved", "rejected", "approved",
    ]  # fmt: skip


def test_the_list_sorts_by_its_columns(rich: TestAccount) -> None:
    visitor = signed_in(rich, "viewer")
    page = visitor.get("/templates?search=e")
    assert {str(one["aria-sort"]) for one in page.soup.select("th[aria-sort]")} == {"none"}
    for order, direction in (("", "ascending"), ("-", "descending")):
        page = visitor.get(page.links()["Status"])
        assert page.response.url.query.decode() == f"search=e&sort={order}status"
        assert page.one("th:not([aria-sort=none])[aria-sort]")["aria-sort"] == direction
        states = [row[2] for row in page.rows()]
        assert states == sorted(states, reverse=bool(order)) and len(set(states)) > 1
    shown = visitor.get(str(page.one("tbody a")["href"]))
    assert shown.rows() == page.rows()
    assert visitor.get("/templates?sort=body").status == 200


def test_the_default_template_is_shown_first_with_sample_values(rich: TestAccount) -> None:
    page = signed_in(rich, "viewer").get("/templates")
    assert bubble(page) == "Hi Dana, join us on Sunday Yes No"
    assert page.field("Variable 2")["value"] == "Sunday"


def test_a_row_leads_to_its_preview_and_values_can_be_tried(rich: TestAccount) -> None:
    visitor = signed_in(rich, "viewer")
    page = visitor.get(visitor.get("/templates").links()["menu"])
    assert bubble(page) == "For Dana <b>Our</b> menu Bon appetit Menu"
    page = visitor.submit(page, "Show with these values", {"Variable 1": "  Noa\n<i> "})
    assert bubble(page).startswith("For Noa <i> <b>Our</b>")
    assert page.field("Variable 1")["value"] == "Noa <i>"


def test_language_versions_lead_to_each_other(rich: TestAccount) -> None:
    visitor = signed_in(rich, "viewer")
    page = visitor.get("/templates?name=hello&language=en")
    nav = page.soup.select_one("nav.versions")
    assert nav is not None
    assert [text_of(one) for one in nav.select("a")] == ["en", "he"]
    assert "שלום דנה" in bubble(visitor.get(page.links()["he"]))


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("status=REJECTED", ["menu"]),
        ("status=unusable", ["hello", "menu"]),
        ("search=EL", ["hello", "hello"]),
        ("search=nothing", []),
    ],
)
def test_the_filters_stand_in_the_address(rich: TestAccount, query: str, names: list[str]) -> None:
    page = signed_in(rich, "viewer").get(f"/templates?{query}")
    assert ([row[0].split()[0] for row in page.rows()] if names else []) == names
    assert ("No template fits" in page.main) == (not names)


def test_a_text_that_no_value_can_fill_is_shown_as_it_is(service: TestService) -> None:
    account = service.account(TEMPLATES)
    service.sql(
        "UPDATE templates SET body = 'Hi {{2}}' WHERE account_id = $1 AND name = 'hello'"
        " RETURNING name",
        account.id,
    )
    page = signed_in(account).get("/templates?name=hello&language=en")
    assert "Hi {{2}}" in page.main


def test_who_reads_no_messages_reads_no_templates(rich: TestAccount) -> None:
    assert signed_in(rich, "billing").get("/templates").status == 403


def test_without_templates_the_page_says_where_they_come_from(service: TestService) -> None:
    account = service.account(TEMPLATES)
    service.sql("DELETE FROM templates WHERE account_id = $1 RETURNING name", account.id)
    assert "No templates yet" in signed_in(account).get("/templates").main
