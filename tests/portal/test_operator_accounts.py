"""The operator's accounts: found, created, disabled and changed, as a file would change them."""

import pytest

from tests.support.live import number_toml
from tests.support.operators import actors, audited, operator_of
from tests.support.portal import Seen, Visitor, signed_in, text_of
from tests.support.service import TestAccount, TestService

TOKEN = "EAAG-very-secret-token"


def name_of(account: TestAccount) -> str:
    [row] = account.service.sql("SELECT name FROM accounts WHERE id = $1", account.id)
    return str(row["name"])


def page_of(visitor: Visitor, account: TestAccount) -> Seen:
    return visitor.get(f"/operator/accounts/{account.id}")


def changed(visitor: Visitor, account: TestAccount, button: str, **fields: str) -> Seen:
    labels = {name.replace("_", " "): value for name, value in fields.items()}
    return visitor.submit(page_of(visitor, account), button, labels)


# The list


def test_accounts_are_found_by_name_and_state(service: TestService) -> None:
    for index, active in enumerate((True, True, False)):
        service.account(name=f"grand-hotel-{index}", active=active)
    operator = operator_of(service)
    page = operator.submit(operator.get("/operator/accounts"), "Filter", {"Search": "GRAND-H"})
    assert page.h1 == "Accounts"
    assert [(row[0], row[3]) for row in page.rows()] == [
        ("grand-hotel-0", "active"),
        ("grand-hotel-1", "active"),
        ("grand-hotel-2", "disabled"),
    ]
    page = operator.get("/operator/accounts?search=grand-hotel&state=disabled")
    assert [row[0] for row in page.rows()] == ["grand-hotel-2"]
    assert "No account is called so" in operator.get("/operator/accounts?search=no-such").main


def test_a_list_of_many_accounts_has_pages(service: TestService) -> None:
    toml = "".join(
        f'[[accounts]]\nname = "many-{index:02}"\nenvironment = "sandbox"\n' for index in range(53)
    )
    service.apply(toml)
    operator = operator_of(service)
    page = operator.get("/operator/accounts?search=many-")
    assert len(page.rows()) == 50
    page = operator.get(page.links()["Older"])
    assert [row[0] for row in page.rows()] == ["many-50", "many-51", "many-52"]
    assert len(operator.get(page.links()["Newer"]).rows()) == 50


# Creating


def test_an_account_is_created_and_its_secrets_are_shown_once(service: TestService) -> None:
    operator = operator_of(service)
    page = operator.submit(
        operator.get("/operator/accounts"), "Create account", {"Name": "מלון Dan"}
    )
    assert (page.status, page.h1) == (200, "מלון Dan")
    key, secret = (text_of(one) for one in page.soup.select(".code-block pre"))
    assert key.startswith("td_sandbox_") and secret.startswith("whsec_")
    answer = service.http.get("/api/v1/readiness", headers={"x-api-key": key})
    assert answer.status_code == 200
    found = operator.get("/operator/accounts?search=dan")
    page = operator.get(found.links()["מלון Dan"])
    assert key not in page.response.text and secret not in page.response.text
    assert actors(service, "account.created", "מלון Dan") == [("person", True)]


@pytest.mark.parametrize(
    ("name", "words"), [("", "name is required"), ("x" * 101, "name must be"), ("taken", "already")]
)
def test_a_refused_account_keeps_its_fields(service: TestService, name: str, words: str) -> None:
    service.apply('[[accounts]]\nname = "taken"\nenvironment = "sandbox"\n')
    operator = operator_of(service)
    page = operator.submit(
        operator.get("/operator/accounts"), "Create account", {"Name": name, "Organisation": "Org"}
    )
    assert page.status == 422
    assert words in page.errors[0]
    assert (page.field("Name")["value"], page.field("Organisation")["value"]) == (name, "Org")


# Disabling


def test_an_account_is_disabled_after_confirmation_and_enabled(account: TestAccount) -> None:
    operator = operator_of(account.service)
    asked = operator.submit(page_of(operator, account), "Disable")
    assert account.get("/readiness").status_code == 200
    page = operator.submit(asked, "Confirm")
    assert "disabled" in page.main and not page.has_button("Disable")
    assert account.get("/readiness").status_code in (401, 403)
    page = operator.submit(page, "Enable")
    assert page.has_button("Disable")
    assert account.get("/readiness").status_code == 200
    name = name_of(account)
    assert actors(account.service, "account.disabled", name) == [("person", True)]
    assert len(audited(account.service, "account.enabled", name)) == 1


def test_an_account_is_paused_and_resumed(account: TestAccount) -> None:
    operator = operator_of(account.service)
    page = operator.submit(page_of(operator, account), "Pause this account")
    answer = account.send(clientMessageId="waits-0001", to="972501234567", templateName="plain")
    assert answer.json()["data"]["status"] == "deferred"
    operator.submit(page, "Resume this account")
    assert len(audited(account.service, "account.resumed", name_of(account))) == 1


@pytest.mark.parametrize("id", ["nothing", "00000000-0000-0000-0000-000000000000"])
def test_an_unknown_account_is_not_found(account: TestAccount, id: str) -> None:
    operator = operator_of(account.service)
    assert operator.get(f"/operator/accounts/{id}").status == 404
    assert operator.get(f"/operator/accounts/{account.id}/numbers/123").status == 404
    assert operator.post(f"/operator/accounts/{id}", {"act": "enable"}).status_code == 404
    assert operator.post(f"/operator/accounts/{account.id}", {"act": "x"}).status_code == 404


def test_nobody_else_acts_on_an_account(account: TestAccount) -> None:
    owner, path = signed_in(account), f"/operator/accounts/{account.id}"
    for where in ("", "/settings", "/plan", "/partner", "/people", "/numbers/new"):
        assert owner.post(path + where, {"act": "disable"}).status_code == 403
    assert account.get("/readiness").status_code == 200


# Settings


def test_limits_and_the_send_window_hold_at_once(account: TestAccount) -> None:
    operator = operator_of(account.service)
    page = operator.submit(
        page_of(operator, account), "Save settings",
        {"Messages in 24 hours": "70", "From": "08:00", "To": "21:00",
         "Time zone": "Asia/Jerusalem", "Billing": "REPORT_ONLY"},
    )  # fmt: skip
    assert text_of(page.soup.select_one(".banner.done")) == "Saved. It holds at once."
    [entry] = audited(account.service, "account.changed", name_of(account))
    assert entry["details"] == {
        "billingMode": "OFF -> REPORT_ONLY", "dailyLimit": "added 70",
        "sendWindow.from": "added 08:00", "sendWindow.to": "added 21:00",
        "sendWindow.timezone": "added Asia/Jerusalem",
    }  # fmt: skip
    assert page.field("Messages in 24 hours · by hand")["value"] == "70"
    assert "sendWindow.timezone" in page.main  # among what was changed by hand
    page = operator.submit(page, "Save settings", {"Messages in 24 hours · by hand": ""})
    assert page.field("Messages in 24 hours · by hand")["value"] == ""
    page = operator.submit(page, "Save settings")
    assert "Nothing was different." in page.main
    assert len(audited(account.service, "account.changed", name_of(account))) == 2


@pytest.mark.parametrize(
    ("label", "value", "words"),
    [
        ("Messages in 24 hours", "many", "must be a whole number"),
        ("Requests a minute", "0", "must be a whole number"),
        ("From", "8", "must be a time of day"),
        ("Webhook URL", "ftp://example.com", "must"),
        ("Partner it belongs to", "nobody-knows", "nobody-knows"),
        ("Only these numbers", "12", "must be 8 to 20 digits"),
    ],
)
def test_refused_settings_stay_in_their_fields(
    account: TestAccount, label: str, value: str, words: str
) -> None:
    operator = operator_of(account.service)
    page = operator.submit(page_of(operator, account), "Save settings", {label: value})
    assert page.status == 422
    assert any(words in error for error in page.errors), page.errors
    field = page.field(label)
    assert value in (field.get("value") or field.get_text())
    assert audited(account.service, "account.changed", name_of(account)) == []


def test_a_plan_is_given_and_taken(account: TestAccount) -> None:
    operator = operator_of(account.service)
    page = operator.submit(
        page_of(operator, account), "Save plan",
        {"Package": "Gold", "Type": "PACKAGE", "Unique recipients": "500", "VAT, percent": "17.5"},
    )  # fmt: skip
    assert page.status == 200
    answer = account.get("/balance").json()["data"]["subscription"]
    assert (answer["package"], answer["unique"]["quota"]) == ("Gold", 500)
    page = operator.submit(page, "Save plan", {"Package": "", "Type": ""})
    assert account.get("/balance").json()["data"]["subscription"]["state"] == "CANCELLED"


def test_an_account_becomes_a_partner(account: TestAccount) -> None:
    operator = operator_of(account.service)
    page = operator.submit(
        page_of(operator, account),
        "Save partner terms",
        {"Price of a message": "0.05"},
        raw={"partner.creditLimit": "100"},  # the plan has a field of this label, too
    )
    assert page.status == 200
    assert account.get("/partner/account").json()["data"]["creditLimit"] == "100.00"


# Numbers and live credentials


def test_live_credentials_are_entered_and_never_shown(service: TestService) -> None:
    account = service.account(number_toml(place="105577700901"), environment="live")
    operator, path = operator_of(service), f"/operator/accounts/{account.id}/numbers"
    page = operator.get(f"{path}/new")
    assert page.h1 == "New number"
    credentials = {"Number": "+972 55 500 0902", "Phone number id": "105577700902",
                   "Business account id": "waba-1", "Access token": TOKEN}  # fmt: skip
    page = operator.submit(page, "Save", credentials)
    assert page.h1 == name_of(account)
    assert "972555000902" in page.main
    page = operator.get(f"{path}/972555000902")
    assert "value" not in page.field("Access token").attrs
    assert TOKEN not in page.response.text
    before = sealed(service, account)
    page = operator.submit(page, "Save", {"Messages a second": "40"})
    assert sealed(service, account) == before  # left empty, it stays
    details = [one["details"] for one in audited(service, "account.changed", name_of(account))]
    assert details == [
        {"number 972555000902": "added"},
        {"number 972555000902 perSecond": "80 -> 40"},
    ]
    rows = service.sql("SELECT details::text AS d FROM audit_log WHERE account_id = $1", account.id)
    assert all(TOKEN not in row["d"] for row in rows)
    page = operator.submit(operator.get(f"{path}/972555000902"), "Remove")
    page = operator.submit(page, "Confirm")
    assert "972555000902" not in [text_of(one) for one in page.soup.select("main a")]


def sealed(service: TestService, account: TestAccount) -> list[object]:
    rows = service.sql(
        "SELECT access_token FROM numbers WHERE account_id = $1 ORDER BY number", account.id
    )
    return [row["access_token"] for row in rows]


def test_a_refused_number_keeps_what_was_typed_but_no_secret(service: TestService) -> None:
    account = service.account(number_toml(place="105577700903"), environment="live")
    operator = operator_of(service)
    page = operator.submit(
        operator.get(f"/operator/accounts/{account.id}/numbers/new"), "Save",
        {"Number": "12", "Phone number id": "1", "Business account id": "w",
         "Access token": TOKEN, "Display name": "Dan"},
    )  # fmt: skip
    assert page.status == 422
    assert (page.field("Number")["value"], page.field("Display name")["value"]) == ("12", "Dan")
    assert TOKEN not in page.response.text


# People


def test_an_owner_is_invited_by_a_link(account: TestAccount) -> None:
    operator = operator_of(account.service)
    page = operator.submit(
        page_of(operator, account), "Invite", {"Email": "owner@example.com", "Role": "owner"}
    )
    assert "/portal/welcome?token=" in page.main
    page = operator.submit(page_of(operator, account), "Invite", {"Email": "no address"})
    assert (page.status, page.field("Email")["value"]) == (422, "no address")
