"""Templates of any sandbox account in the operator's hands, by the rules of the account file."""

import pytest

from tests.support.live import number_toml
from tests.support.operators import audited, operator_of
from tests.support.portal import Seen, Visitor, signed_in
from tests.support.service import TestAccount, TestService

ROW = "buttons[{}].{}"


def path_of(account: TestAccount) -> str:
    return f"/operator/accounts/{account.id}/templates"


def add(visitor: Visitor, account: TestAccount, **fields: str) -> Seen:
    """Fields by their names in the account file."""
    given = {"name": "dinner", "body": "Hi {{1}},\r\nsee you?", **fields}
    return visitor.submit(visitor.get(f"{path_of(account)}/new"), "Save template", raw=given)


def listed(account: TestAccount) -> dict[str, dict[str, object]]:
    found = account.get("/templates").json()["data"]
    return {f"{one['name']} {one['language']}": one for one in found}


def test_a_template_is_added_changed_and_removed(account: TestAccount) -> None:
    operator, before = operator_of(account.service), set(listed(account))
    page = operator.get(f"/operator/accounts/{account.id}")
    assert operator.get(page.links()["Manage templates"]).h1 == "Templates"
    buttons = {ROW.format(0, "text"): "Yes", ROW.format(1, "type"): "URL",
               ROW.format(1, "text"): "Menu",
               ROW.format(1, "url"): "https://example.com/{{1}}"}  # fmt: skip
    page = add(operator, account, language="he", **buttons)
    assert page.status == 200 and "dinner" in page.main
    assert set(listed(account)) == before | {"dinner he"}
    page = operator.get(f"{path_of(account)}/dinner/he")
    assert (page.h1, page.soup.select_one("textarea").text.strip()) == (
        "dinner", "Hi {{1}},\nsee you?"
    )  # fmt: skip
    assert page.field("Label")["value"] == "Yes"
    page = operator.submit(page, "Save template", {"Footer": "Reply STOP", "Status": "PAUSED"})
    assert listed(account)["dinner he"]["status"] == "PAUSED"
    asked = operator.submit(operator.get(f"{path_of(account)}/dinner/he"), "Remove")
    operator.submit(asked, "Confirm")
    assert set(listed(account)) == before
    [name] = account.service.sql("SELECT name FROM accounts WHERE id = $1", account.id)
    details = [one["details"] for one in audited(account.service, "account.changed", name["name"])]
    assert details == [
        {"template dinner (he)": "added"},
        {"template dinner (he)": "(status, footer)"},
        {"template dinner (he)": "removed"},
    ]
    edits = operator.get(f"/operator/accounts/{account.id}").main
    assert "template dinner (he)" in edits  # the next `apply` does not undo it unnoticed


@pytest.mark.parametrize(
    ("given", "where"),
    [
        ({"name": ""}, "name"),
        ({"name": "plain"}, "name"),  # the account has it
        ({"body": "Hi {{2}}"}, "body"),
        ({"header": "TEXT"}, "headerText"),
        ({ROW.format(1, "type"): "URL", ROW.format(1, "text"): "Menu"}, ROW.format(1, "url")),
    ],
)
def test_a_refused_template_says_so_beside_the_field(
    account: TestAccount, given: dict[str, str], where: str
) -> None:
    operator = operator_of(account.service)
    page = add(operator, account, footer="Bye", **given)
    assert page.status == 422
    assert page.soup.find(id=f"{where}-error") is not None, page.errors
    assert page.field("Footer")["value"] == "Bye"
    assert "dinner en" not in listed(account)


def test_a_live_account_shows_the_templates_of_the_platform(service: TestService) -> None:
    account = service.account(number_toml(place="105577700911"), environment="live")
    operator = operator_of(service)
    page = operator.get(path_of(account))
    assert page.has_button("Read numbers and templates now")
    assert operator.get(f"{path_of(account)}/new").status == 404


def test_nobody_else_changes_templates(account: TestAccount) -> None:
    owner, path = signed_in(account), path_of(account)
    assert owner.get(path).status == 403
    assert owner.post(f"{path}/new", {"name": "x", "body": "x"}).status_code == 403
    assert owner.post(f"{path}/plain/en", {"act": "remove"}).status_code == 403
    operator = operator_of(account.service)
    assert operator.get(f"{path}/nothing/en").status == 404
