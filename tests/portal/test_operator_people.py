"""People in the operator's hands: those of an account, who is invited, and joining a customer."""

import pytest

from tests.support.operators import operator_of
from tests.support.portal import Seen, Visitor, signed_in
from tests.support.service import TestAccount
from tidings import limits
from tidings.features.people import attempts


def page_of(visitor: Visitor, account: TestAccount) -> Seen:
    return visitor.get(f"/operator/accounts/{account.id}")


def joined(account: TestAccount) -> list[str]:
    rows = account.service.sql(
        """
        SELECT l.action FROM audit_log l JOIN accounts a ON a.organisation_id = l.organisation_id
         WHERE a.id = $1 AND l.action LIKE 'person.%' ORDER BY l.id
        """,
        account.id,
    )
    return [row["action"] for row in rows]


def test_an_operator_joins_an_account_and_leaves_it(account: TestAccount) -> None:
    signed_in(account)  # its owner
    operator = operator_of(account.service)
    assert operator.get("/optouts").status in (403, 404)
    page = operator.submit(page_of(operator, account), "Join", raw={"role": "developer"})
    assert page.h1 == "Messages"
    assert operator.get("/keys").status == 200
    page = page_of(operator, account)
    assert not page.has_button("Join")
    [person] = [form for form in page.soup.select("form") if "remove" in str(form)][-1:]
    fields = {one["name"]: one["value"] for one in person.select("input") if one["name"] != "csrf"}
    path = f"/operator/accounts/{account.id}/people"
    assert operator.post(path, fields).status_code == 200  # asks
    operator.post(path, fields | {"confirmed": "yes"})
    assert operator.get("/keys").status in (403, 404)
    assert joined(account) == ["person.joined", "person.removed"]


def test_an_invitation_is_withdrawn_and_the_last_owner_stays(account: TestAccount) -> None:
    signed_in(account)
    operator = operator_of(account.service)
    operator.submit(page_of(operator, account), "Invite", {"Email": "noa@example.com"})
    page = operator.submit(page_of(operator, account), "Withdraw")
    assert "noa@example.com" not in page.main
    page = operator.submit(page, "Remove")
    assert page.status == 422 and "needs an owner" in page.main


def test_nobody_else_joins(account: TestAccount) -> None:
    owner, path = signed_in(account), f"/operator/accounts/{account.id}/people"
    assert owner.post(path, {"act": "join", "role": "owner"}).status_code == 403
    operator = operator_of(account.service)
    assert operator.post(path, {"act": "join", "role": "king"}).status_code == 404
    assert operator.post(path, {"act": "other"}).status_code == 404


def test_invitations_are_bounded(account: TestAccount, monkeypatch: pytest.MonkeyPatch) -> None:
    few = attempts.Limit("invitation", 2, limits.INVITATION_WINDOW)
    monkeypatch.setattr(attempts, "INVITATION", few)
    owner = signed_in(account)
    for index in range(3):
        page = owner.submit(owner.get("/people"), "Invite", {"Email": f"guest{index}@example.com"})
        assert page.status == (200 if index < 2 else 429)
    assert "Too many tries" in page.main
    assert page.field("Email")["value"] == "guest2@example.com"
    operator = operator_of(account.service)
    page = operator.submit(page_of(operator, account), "Invite", {"Email": "g3@example.com"})
    assert page.status == 429


# Everybody


def test_an_operator_is_invited_and_the_link_is_shown_once(account: TestAccount) -> None:
    operator = operator_of(account.service)
    page = operator.submit(
        operator.get("/operator/people"), "Invite", {"Email": "ops-new@example.com"}
    )
    assert page.h1 == "All people"
    assert "/portal/welcome?token=" in page.main
    page = operator.submit(operator.get("/operator/people"), "Invite", {"Email": "nobody"})
    assert (page.status, page.field("Email")["value"]) == (422, "nobody")


def test_a_password_is_reset_and_a_person_removed(account: TestAccount) -> None:
    signed_in(account)
    other = signed_in(account)
    operator = operator_of(account.service)
    rows = account.service.sql(
        """
        SELECT p.email FROM people p JOIN memberships m ON m.person_id = p.id
          JOIN accounts a ON a.organisation_id = m.organisation_id
         WHERE a.id = $1 ORDER BY m.created_at DESC, p.email DESC
        """,
        account.id,
    )
    email = rows[0]["email"]
    page = operator.get(f"/operator/people?search={email}")
    assert [row[0].split()[0] for row in page.rows()] == [email]
    assert "/portal/welcome?token=" in operator.submit(page, "New password").main
    operator.submit(operator.submit(page, "Remove"), "Confirm")
    assert "Nobody has such an address" in operator.get(f"/operator/people?search={email}").main
    assert len(rows) == 2 and other is not None
    actions = account.service.sql(
        "SELECT DISTINCT action FROM audit_log WHERE subject = $1 ORDER BY action", email
    )
    assert {"person.forgotten", "password.reset_offered"} <= {one["action"] for one in actions}


def test_nobody_else_sees_everybody(account: TestAccount) -> None:
    owner = signed_in(account)
    assert owner.get("/operator/people").status == 403
    assert owner.post("/operator/people", {"act": "invite", "email": "a@b.com"}).status_code == 403
    operator = operator_of(account.service)
    unknown = {"act": "reset", "person": "unknown@example.com"}
    assert operator.post("/operator/people", unknown).status_code == 404
