"""A service with its own clock, to let months pass, and its answers about money."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from tests.support.clock import ManualClock
from tests.support.database import Dsn, fresh_database
from tests.support.service import TestAccount, TestService
from tidings.features.messages.accept import used_ids
from tidings.features.retention.enforce import enforce

YEAR = 365


@contextmanager
def aging_service(folder: Path, dsn: Dsn | None = None, **settings: str) -> Iterator[TestService]:
    """Its ids are of this month, whatever its clock says."""
    clock = ManualClock(datetime.now(UTC))
    with TestService(dsn or fresh_database(), folder, clock=clock, settings=settings) as service:
        yield service


def pass_time(service: TestService, **duration: float) -> None:
    """The time of everybody, and what is forgotten after 72 hours."""
    assert isinstance(service.clock, ManualClock)
    service.clock.advance(**duration)
    service.call(lambda: used_ids.purge(service.ctx))


def retain(service: TestService) -> None:
    service.call(lambda: enforce(service.ctx))


def count(service: TestService, table: str) -> int:
    [row] = service.sql(f"SELECT count(*) AS n FROM {table}")
    found: int = row["n"]
    return found


def money(account: TestAccount) -> dict[str, bytes]:
    """Every answer about money that is not a list of single charges, to the byte."""
    paths = ["/balance", "/usage", "/invoices"]
    numbers = [one["number"] for one in account.get("/invoices").json()["data"]]
    paths += [f"/invoices/{number}" for number in numbers]
    answers = {path: account.get(path) for path in paths}
    assert all(answer.status_code == 200 for answer in answers.values()), answers
    return {path: answer.content for path, answer in answers.items()}
