"""`tidings doctor` looks whether what is sealed opens with the keys at hand; it says what to do."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support import passcodes
from tests.support.commands import commands
from tests.support.database import fresh_database
from tests.support.live import number_toml
from tests.support.service import TestService
from tidings.cli.running.maintenance import check_seals
from tidings.secrets import new_master_key

NAME = "sealed-1"
NUMBER = "972555000077"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestService]:
    """A signing secret, an access token and a passcode that waits."""
    folder = tmp_path_factory.mktemp("data")
    with TestService(fresh_database(), folder, working=False) as running:
        running.account(number_toml(NUMBER), name=NAME, environment="live")
        waiting = passcodes.paused(running, "paused-1")
        passcodes.send(waiting)
        yield running


def found(service: TestService, **changes: object) -> list[str]:
    settings = replace(service.settings, **changes)
    return service.call(lambda: check_seals(service.ctx.db, settings))


def test_all_opens_with_the_keys_it_was_sealed_with(service: TestService) -> None:
    assert found(service) == []


def test_another_master_key_fails_the_command(service: TestService) -> None:
    done = commands(service)("doctor", TIDINGS_MASTER_KEY=new_master_key())
    done.refused("1 of the checks failed")
    assert "TIDINGS_MASTER_KEY" in done.out


def test_a_lost_master_key_is_named_and_none_is_made(service: TestService, tmp_path: Path) -> None:
    [line, *_] = found(service, data=tmp_path)
    assert str(tmp_path / "master.key") in line
    assert list(tmp_path.iterdir()) == []


def test_secrets_and_tokens_of_other_rows_do_not_open(service: TestService) -> None:
    """As after a careless restore of one table."""
    service.sql("UPDATE signing_secrets SET sealed = sealed || '\\x00'::bytea RETURNING 1")
    service.sql("UPDATE numbers SET access_token = access_token || '\\x00'::bytea RETURNING 1")
    try:
        secret, token = found(service)
        assert NAME in secret and "tidings keys secret" in secret
        assert NUMBER in token and "tidings apply" in token
    finally:
        shorter = "substr({0}, 1, length({0}) - 1)"
        for table, column in (("signing_secrets", "sealed"), ("numbers", "access_token")):
            service.sql(f"UPDATE {table} SET {column} = {shorter.format(column)} RETURNING 1")
    assert found(service) == []


def test_passcodes_without_their_keys_are_named(service: TestService, tmp_path: Path) -> None:
    (tmp_path / "master.key").write_bytes((service.settings.data / "master.key").read_bytes())
    (tmp_path / "master.key").chmod(0o600)
    [line] = found(service, data=tmp_path)
    assert str(tmp_path / "vault-keys") in line and "TIDINGS_DATA" in line
