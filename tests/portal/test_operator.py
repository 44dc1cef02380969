"""The operator's overview: what waits, and the pause of all sending."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.database import fresh_database
from tests.support.portal import Visitor, signed_in, text_of
from tests.support.service import TestAccount, TestService

PAGES = ["", "/accounts", "/transfers", "/forms", "/invoices", "/parked", "/health"]
PATHS = [f"/operator{page}" for page in PAGES]


@pytest.fixture(scope="module")
def paused_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestService]:
    """A pause concerns all accounts: these tests have an installation of their own."""
    folder: Path = tmp_path_factory.mktemp("data")
    with TestService(fresh_database(), folder) as running:
        yield running


def operator_of(service: TestService) -> Visitor:
    """An operator who belongs to no account."""
    return signed_in(service.account(), role=None, operator=True)


def newest(service: TestService, action: str) -> dict[str, object]:
    return service.sql(
        """
        SELECT action, actor_kind, subject, details::text, address IS NOT NULL AS has_address
          FROM audit_log WHERE action = $1 ORDER BY id DESC LIMIT 1
        """,
        action,
    )[0]


@pytest.mark.parametrize("path", PATHS)
def test_an_operator_without_an_account_sees_every_page(service: TestService, path: str) -> None:
    page = operator_of(service).get(path)
    assert page.status == 200
    assert page.h1


@pytest.mark.parametrize("path", PATHS)
def test_others_see_none_of_them(account: TestAccount, path: str) -> None:
    owner = signed_in(account)
    assert owner.get(path).status == 403
    assert owner.post(path, {}).status_code == (405 if path.endswith("/health") else 403)
    assert "/portal/operator" not in owner.get("/").links().values()


def test_the_overview_counts_accounts_and_what_waits(service: TestService) -> None:
    service.account(active=False)
    page = operator_of(service).get("/operator")
    assert page.h1 == "Operator"
    figures = page.figures()
    assert int(figures["Accounts"].replace(",", "")) > int(figures["Disabled"]) >= 1
    assert [row[0] for row in page.rows()] == [
        "Transfers", "Forms to approve", "Invoices", "Parked jobs", "Parked callbacks", "Numbers",
    ]  # fmt: skip


def test_all_sending_is_paused_and_resumed(paused_service: TestService) -> None:
    account, operator = paused_service.account(), operator_of(paused_service)
    page = operator.get("/operator")
    assert not page.has_button("Resume sending")
    asked = operator.submit(page, "Pause all sending", {"Reason": "The platform is down"})
    assert "Nothing is sent for any account" in asked.main
    page = operator.submit(asked, "Confirm")
    assert text_of(page.soup.select_one(".banner.done")) == "All sending is paused."
    assert "The platform is down" in page.main
    assert not page.has_button("Pause all sending")
    assert "paused all sending" in text_of(
        signed_in(account).get("/").soup.select_one(".banner.warning")
    )
    answer = account.send(clientMessageId="held-00001", to="972501234567", templateName="plain")
    assert answer.json()["data"]["status"] == "deferred"
    page = operator.submit(operator.submit(page, "Resume sending"), "Confirm")
    assert page.has_button("Pause all sending")
    assert newest(paused_service, "sending.paused") == {
        "action": "sending.paused", "actor_kind": "person", "subject": "sending",
        "details": '{"reason": "The platform is down"}', "has_address": True,
    }  # fmt: skip
    assert newest(paused_service, "sending.resumed")["details"] == "{}"


def test_a_reason_that_is_too_long_is_kept_in_its_field(paused_service: TestService) -> None:
    operator = operator_of(paused_service)
    page = operator.submit(operator.get("/operator"), "Pause all sending", {"Reason": "x" * 301})
    page = operator.submit(page, "Confirm")
    assert page.status == 422
    assert page.field("Reason")["value"] == "x" * 301
    assert page.has_button("Pause all sending")
