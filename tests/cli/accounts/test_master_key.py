"""`tidings keys master`: everything is sealed anew beside a running service, and can be resumed."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import people
from tests.support.commands import Done, commands, run
from tests.support.database import fresh_database
from tests.support.live import number_toml
from tests.support.service import GUEST, TestAccount, TestService
from tidings.features.accounts import credentials
from tidings.features.accounts.master_key import FILE_NAME, add_key, changing
from tidings.features.accounts.sealed import reseal_page
from tidings.features.people.roles import Role
from tidings.portal.tokens import Tokens
from tidings.sealed_columns import COLUMNS
from tidings.secrets import Sealer, new_master_key

NUMBER = "972555000077"


class World:
    """A service with something in every sealed column."""

    def __init__(self, service: TestService) -> None:
        self.service = service
        self.account = service.account(name="sandbox-1")
        service.account(number_toml(NUMBER), name="live-1", environment="live")
        joined = people.join(service, people.invite(service, self.account.id, Role.OWNER))
        people.turn_on(service, joined.token)
        sealed = service.ctx.sealer.seal(GUEST, f"erasures {self.account.id.hex}")
        service.sql(
            "INSERT INTO erasures (account_id, id, pseudonym, sealed, requested_at)"
            " VALUES ($1, $1, 'erased-x', $2, now()) RETURNING 1",
            self.account.id,
            sealed,
        )

    def tidings(self, *words: str, **env: str) -> Done:
        return commands(self.service)(*words, **env)

    def lines(self) -> list[str]:
        return (self.service.settings.data / FILE_NAME).read_text().split()


@pytest.fixture
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("data")
    with TestService(fresh_database(), folder, working=False) as running:
        yield World(running)


def test_everything_is_sealed_under_a_new_key_beside_the_service(world: World) -> None:
    before = world.tidings("keys", "master", "--json").json()
    assert (before["others"], before["sealedUnderOthers"]) == ([], 0)
    done = world.tidings("keys", "master", "--rotate", "--json").json()
    assert done["others"] == [before["current"]] and done["current"] != before["current"]
    assert done["resealed"] == before["sealedUnderCurrent"] >= 6
    assert (done["sealedUnderOthers"], done["unopened"]) == (0, [])
    assert works(world.account), "with what it had cached, and with the key of the file"
    assert "Every invariant holds" in world.tidings("doctor").err
    old = world.lines()[1]
    world.tidings("keys", "master", "--forget").good()
    assert len(world.lines()) == 1 and old not in world.lines()
    assert "Every invariant holds" in world.tidings("doctor").err
    world.tidings("doctor", TIDINGS_MASTER_KEY=old).refused("checks failed")
    assert works(world.account)


def works(account: TestAccount) -> bool:
    """It sends, and its webhook is signed: the secret opens."""
    cid = f"order-{len(account.events())}-0001"
    sent = account.send(clientMessageId=cid, to=GUEST, templateName="plain")
    service = account.service
    found = service.transact(
        lambda tx: credentials.signing_secrets(tx, service.ctx.sealer, [account.id])
    )
    return sent.status_code == 200 and found[account.id].current.reveal() == account.secret


def test_an_interrupted_rotation_goes_on(world: World) -> None:
    """As after a kill: the key is made, and a first page is sealed under it."""
    add_key(world.service.settings)
    sealer = world.service.ctx.sealer
    sealer.reload()
    page = world.service.transact(lambda tx: reseal_page(tx, sealer, COLUMNS[0], None, 1))
    assert page.resealed == 1 and page.last is not None
    half = world.tidings("keys", "master", "--json").json()
    assert half["sealedUnderOthers"] > 0
    done = world.tidings("keys", "master", "--rotate", "--json").json()
    assert (done["current"], done["sealedUnderOthers"]) == (half["current"], 0)


def test_what_no_key_opens_is_named_and_the_old_key_is_kept(world: World) -> None:
    world.service.sql(
        "UPDATE numbers SET access_token = access_token || '\\x00'::bytea"
        " WHERE access_token IS NOT NULL RETURNING 1"
    )
    world.tidings("keys", "master", "--rotate").refused("numbers.access_token")
    world.tidings("keys", "master", "--forget").refused("still sealed")
    assert len(world.lines()) == 2


def test_a_key_of_the_environment_is_rotated_in_three_steps(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    old, new = new_master_key(), new_master_key()
    dsn, folder = fresh_database(), tmp_path_factory.mktemp("data")
    with TestService(dsn, folder, settings={"TIDINGS_MASTER_KEY": old}) as running:
        account = running.account(name="acme")
        tidings = commands(running)
        tidings("keys", "master", "--rotate", TIDINGS_MASTER_KEY=old).refused("NEW,OLD")
    both = {"TIDINGS_MASTER_KEY": f"{new},{old}"}
    with TestService(dsn, folder, settings=both) as running:
        account.service = running
        tidings = commands(running)
        tidings("keys", "master", "--rotate", **both).good()
        assert "first key" in tidings("keys", "master", "--forget", **both).err
        assert works(account)
    with TestService(dsn, folder, settings={"TIDINGS_MASTER_KEY": new}) as running:
        account.service = running
        assert works(account)
        assert not (folder / FILE_NAME).exists()


def test_one_step_after_the_other() -> None:
    run("keys", "master", "--rotate", "--forget").refused("First --rotate")


def test_one_command_at_a_time_changes_the_key(world: World) -> None:
    with changing(world.service.settings):
        for option in ("--rotate", "--forget"):
            world.tidings("keys", "master", option).refused("Another command")
    assert len(world.lines()) == 1
    world.tidings("keys", "master", "--rotate").good()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, which may give files away")
def test_the_file_keeps_its_owner(world: World) -> None:
    path = world.service.settings.data / FILE_NAME
    os.chown(path, 65534, 65534)
    world.tidings("keys", "master", "--rotate").good()
    found = path.stat()
    assert (found.st_uid, found.st_gid, found.st_mode & 0o777) == (65534, 65534, 0o600)


def test_a_running_service_goes_on_while_the_file_cannot_be_read(world: World) -> None:
    """It reads the file again whenever all accounts have changed, as when sending is paused."""
    path, sealer = world.service.settings.data / FILE_NAME, world.service.ctx.sealer
    before = sealer.fingerprints
    path.chmod(0o644)
    sealer.reload()
    path.unlink()
    sealer.reload()
    assert sealer.fingerprints == before and works(world.account)


def test_forms_of_one_process_are_accepted_by_another_while_the_key_is_rotated() -> None:
    old, new = os.urandom(32), os.urandom(32)
    before, after = (Tokens(Sealer(*keys), secure=True) for keys in ((old,), (new, old)))
    assert after.is_for("cookie", before.for_forms("cookie"))
    assert after.open_notice(before.seal_notice("Saved.")) == "Saved."
    alone = Tokens(Sealer(new), secure=True)
    assert not alone.is_for("cookie", before.for_forms("cookie"))
    assert alone.open_notice(before.seal_notice("Saved.")) is None


def test_a_look_makes_no_key(world: World, tmp_path: Path) -> None:
    world.tidings("keys", "master", TIDINGS_DATA=str(tmp_path)).refused("no master key here")
    assert not (tmp_path / FILE_NAME).exists()
