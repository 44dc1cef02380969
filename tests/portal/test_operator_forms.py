"""Forms to approve: seen as guests will see them, approved, or returned with a reason."""

from typing import Any

from tests.support.forms import form_toml
from tests.support.operators import actors, audited, operator_of
from tests.support.portal import Seen, Visitor, signed_in, text_of
from tests.support.service import TestAccount, TestService


def submitted(service: TestService, title: str) -> TestAccount:
    return service.account(form_toml(title=title, published=True, approved=False))


def card(page: Seen, title: str) -> Any:
    return next(
        (one for one in page.soup.select(".operator-form") if text_of(one.h2) == title), None
    )


def press(visitor: Visitor, title: str, act: str, **fields: str) -> Any:
    found = card(visitor.get("/operator/forms"), title)
    values = {one["name"]: one.get("value", "") for one in found.select("input[name]")}
    return visitor.http.post("/portal/operator/forms", data=values | {"act": act} | fields)


def state(account: TestAccount) -> list[str]:
    rows = account.service.sql(
        "SELECT state FROM form_versions WHERE account_id = $1 ORDER BY version", account.id
    )
    return [row["state"] for row in rows]


def test_a_form_is_approved(service: TestService) -> None:
    account, operator = submitted(service, "An evening to approve"), operator_of(service)
    page = operator.get("/operator/forms")
    assert page.h1 == "Forms to approve"
    shown = card(page, "An evening to approve")
    assert shown.select(".bubble") and shown.select("ol li")
    assert [text_of(one) for one in shown.select("button")] == ["Approve", "Return with reason"]
    assert press(operator, "An evening to approve", "approve").status_code == 303
    assert state(account) == ["approved"]
    assert card(operator.get("/operator/forms"), "An evening to approve") is None
    assert actors(service, "form.approved", "visit@1", account) == [("person", True)]


def test_a_form_is_returned_with_a_reason(service: TestService) -> None:
    account, operator = submitted(service, "Your morning"), operator_of(service)
    answer = press(operator, "Your morning", "return", remark="")
    assert answer.status_code == 422 and "say what has to change" in answer.text
    assert press(operator, "Your morning", "return", remark="Too long").status_code == 303
    assert state(account) == ["draft"]
    details = [one["details"] for one in audited(service, "form.sent_back", "visit@1")]
    assert {"title": "Your morning", "remark": "Too long"} in details


def test_what_does_not_wait_cannot_be_approved(service: TestService) -> None:
    account, operator = submitted(service, "Twice"), operator_of(service)
    fields = {"account": str(account.id), "form": "visit", "version": "1"}

    def approve(**more: str) -> int:
        return operator.post("/operator/forms", fields | more | {"act": "approve"}).status_code

    assert approve(form="none") == approve(version="9") == approve(version="x") == 404
    assert approve(account="x") == 404
    assert (approve(), approve()) == (303, 422)
    assert signed_in(account).post("/operator/forms", fields).status_code == 403
