"""What else operators do about an account: read the platform, prefer a number, adjust a partner."""

from tests.support.live import number_toml
from tests.support.operators import audited, operator_of
from tests.support.portal import signed_in
from tests.support.service import TestAccount, TestService

PARTNER = 'partner = { ratePerMessage = "0.05", creditLimit = "100.00" }'


def test_the_platform_is_read_now_or_the_page_says_why_not(service: TestService) -> None:
    account = service.account(number_toml(place="105577700921"), environment="live")
    operator = operator_of(service)
    page = operator.get(f"/operator/accounts/{account.id}")
    page = operator.submit(page, "Read numbers and templates now")
    assert "nothing was different" in page.main or "not read" in page.main or "new" in page.main
    owner = signed_in(account)
    assert owner.post(f"/operator/accounts/{account.id}/sync", {}).status_code == 403


def test_a_number_is_preferred(service: TestService) -> None:
    toml = "".join(f'[[accounts.numbers]]\nnumber = "97255500093{one}"\n' for one in (1, 2))
    account = service.account(toml)
    operator, path = operator_of(service), f"/operator/accounts/{account.id}"
    page = operator.submit(operator.get(path), "Prefer")
    assert page.main.index("972555000932") < page.main.index("972555000931")
    assert "order of numbers" in page.main


def test_a_partner_is_adjusted_once_and_for_a_reason(service: TestService) -> None:
    account = service.account(PARTNER)
    operator, path = operator_of(service), f"/operator/accounts/{account.id}"
    page = operator.submit(operator.get(path), "Book adjustment", {"Messages of capacity": "x"})
    assert page.status == 422 and page.field("Messages of capacity")["value"] == "x"
    fields = {"Amount of debt": "12.50", "Messages of capacity": "100", "Reason": "Goodwill"}
    asked = operator.submit(operator.get(path), "Book adjustment", fields)
    page = operator.submit(asked, "Confirm")
    assert "The adjustment is booked." in page.main
    assert operator.submit(asked, "Confirm").status == 422  # the same form, sent twice
    answer = account.get("/partner/account").json()["data"]
    assert (answer["debt"], answer["capacity"]["remaining"]) == ("12.50", 100)
    [row] = service.sql(
        "SELECT subject FROM audit_log WHERE account_id = $1 AND action = 'partner.adjusted'",
        account.id,
    )
    [entry] = audited(service, "partner.adjusted", row["subject"])
    assert entry["details"]["note"] == "Goodwill"


def test_only_a_partner_is_adjusted(account: TestAccount) -> None:
    operator, path = operator_of(account.service), f"/operator/accounts/{account.id}"
    assert not operator.get(path).has_button("Book adjustment")
    assert operator.post(f"{path}/adjust", {"adjust.amount": "1"}).status_code == 404
