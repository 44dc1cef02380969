"""Settings that bound memory and say how long data is kept do so: other values are followed."""

from datetime import timedelta
from pathlib import Path

import pytest

from tests.support.persons import NAME, PERSON, known_account, places_of
from tests.support.retention import aging_service, retain
from tidings import limits


@pytest.mark.parametrize(("days", "is_kept"), [("5", False), ("off", True)])
def test_texts_are_kept_for_the_days_that_are_set(tmp_path: Path, days: str, is_kept: bool) -> None:
    with aging_service(tmp_path, TIDINGS_BODIES_DAYS=days) as service:
        account = known_account(service)
        fields = {"to": PERSON, "templateName": "hello", "templateParams": [NAME]}
        account.send(clientMessageId="text-0001", **fields)
        account.advance(days=4)
        retain(service)
        assert "messages.content" in places_of(account, NAME)
        account.advance(days=120)
        retain(service)
        assert ("messages.content" in places_of(account, NAME)) == is_kept


def test_a_process_holds_what_is_set(tmp_path: Path) -> None:
    settings = {
        "TIDINGS_CONNECTIONS": "20",
        "TIDINGS_CONNECTIONS_PER_ADDRESS": "10",
        "TIDINGS_KEEP_ALIVE_SECONDS": "33",
        "TIDINGS_BODY_SECONDS": "44",
        "TIDINGS_UNKNOWN_KEYS_PER_MINUTE": "3",
    }
    with aging_service(tmp_path, **settings) as service:
        intake = service.service.intake
        assert (intake.connections_max, intake.connections_per_address_max) == (20, 10)
        assert (intake.keep_alive, intake.body_timeout) == (
            timedelta(seconds=33),
            timedelta(seconds=44),
        )
        headers = {"x-api-key": "td_sandbox_" + "x" * 43}
        path = "/api/v1/balance"
        found = [service.http.get(path, headers=headers).status_code for _ in range(5)]
        assert found == [401, 401, 401, 429, 429]
        assert limits.UNKNOWN_KEYS_PER_MINUTE_MAX > 3
