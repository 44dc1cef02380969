"""Settings from the environment, and the master key."""

import re
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.commands import run
from tidings import jobs, limits
from tidings.cli.running.setting_list import listed, unknown
from tidings.features.accounts.master_key import load_sealer
from tidings.features.webhooks import destinations
from tidings.secrets import Sealer
from tidings.setting_values import Address, Rate
from tidings.settings import BadSetting, Settings

KEY = b64encode(bytes(range(32))).decode()
DOCS = Path(__file__).parents[3] / "docs" / "operating" / "configure.md"


def test_without_variables_the_defaults_of_the_contract_hold() -> None:
    settings = Settings.from_env({})
    assert settings.database_url is None
    assert settings.data == Path("data")
    assert settings.public_url == "http://127.0.0.1:8080"
    assert settings.graph_url == "https://graph.facebook.com"
    assert settings.graph_version == "v25.0"
    assert settings.operator_address == Address("127.0.0.1", 9464)
    assert settings.allow_private_webhooks is False
    assert settings.counts_rates_in is Rate.MEMORY


def test_an_empty_variable_is_an_absent_one() -> None:
    assert Settings.from_env({"TIDINGS_DATA": "", "TIDINGS_RATE": " "}) == Settings.from_env({})


def test_rates_are_shared_where_the_database_is() -> None:
    url = {"TIDINGS_DATABASE_URL": "postgresql://db/tidings"}
    assert Settings.from_env(url).counts_rates_in is Rate.SHARED
    assert Settings.from_env(url | {"TIDINGS_RATE": "memory"}).counts_rates_in is Rate.MEMORY


@pytest.mark.parametrize(
    ("text", "expected"),
    [("off", None), ("0.0.0.0:1", Address("0.0.0.0", 1)), ("[::1]:80", Address("::1", 80))],
)
def test_the_operators_address_may_be_moved_or_switched_off(text, expected) -> None:
    assert Settings.from_env({"TIDINGS_OPERATOR_ADDRESS": text}).operator_address == expected


def test_what_a_tenant_may_use_begins_with_the_limits() -> None:
    settings = Settings.from_env({})
    assert settings.connections_per_address == limits.CONNECTIONS_PER_ADDRESS_MAX
    assert settings.large_bodies_mb * limits.MIB == limits.LARGE_BODIES_BYTES_MAX
    assert settings.media_streams == limits.INBOUND_MEDIA_STREAMS_MAX
    assert settings.batches_at_once == limits.BATCHES_AT_ONCE
    assert settings.connections == limits.CONNECTIONS_MAX
    assert jobs.pools(settings)[3].limits == destinations.DEFAULT_LIMITS
    assert {pool.name for pool in jobs.pools(settings)} == set(jobs.POOLS)


@pytest.mark.parametrize("posts", [16, 4096])
def test_shares_of_webhook_posts_stay_in_proportion(posts: int) -> None:
    bounds = destinations.limits_of(posts)
    assert 0 < bounds.throttled <= bounds.unproven < bounds.total == posts
    assert bounds.per_account == posts // 4


def test_proxies_are_addresses_and_networks() -> None:
    text = "10.0.0.0/8, 192.0.2.7 ,fd00::/8"
    found = Settings.from_env({"TIDINGS_TRUSTED_PROXIES": text}).trusted_proxies
    assert [str(one) for one in found or ()] == ["10.0.0.0/8", "192.0.2.7/32", "fd00::/8"]
    assert Settings.from_env({}).trusted_proxies is None


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("DATABASE_URL", "mysql://u:CANARY@db/x", "must be postgresql://"),
        ("LARGE_BODIES_MB", "20", "must be a whole number from 40 to 4096"),
        ("MEDIA_STREAMS", "many", "must be a whole number from 4 to 400"),
        ("PUBLIC_URL", "messages.example.com", "must be an address such as https://"),
        ("PUBLIC_URL", "https://a.example.com/?x=1", "must have no user, query or fragment"),
        ("GRAPH_VERSION", "25", "must be a version such as v25.0"),
        ("MASTER_KEY", "CANARY", "cannot be used: the master key is not base64"),
        ("MASTER_KEY", b64encode(b"CANARY").decode(), "6 bytes in place of 32"),
        ("ALLOW_PRIVATE_WEBHOOKS", "maybe", "must be true or false"),
        ("OPERATOR_ADDRESS", "9464", "must be host:port"),
        ("OPERATOR_ADDRESS", "127.0.0.1:99999", "must be host:port"),
        ("OBJECTS_URL", "bucket", "must be an address such as s3://"),
        ("STORAGE_PER_ACCOUNT", "5", "must be a number with MB, GB or TB such as 500MB, or off"),
        ("STORAGE_PER_ACCOUNT", "0GB", "must be a number with MB, GB or TB"),
        ("LOG_LEVEL", "loud", "must be debug, info, warning or error"),
        ("RATE", "fast", "must be memory, shared or auto"),
        ("TRUSTED_PROXIES", "proxy.local", "must be addresses or networks such as 10.0.0.0/8"),
        ("TRUSTED_PROXIES", "10.0.0.1,,", "must be addresses or networks such as 10.0.0.0/8"),
        ("TRUSTED_PROXIES", "10.1.2.3/8", "10.1.2.3/8 has host bits set"),
        ("TRUSTED_PROXIES", "10.0.0.0/8, ::/0", "must not be everybody"),
    ],
)
def test_a_bad_value_is_reported_in_one_sentence_that_shows_no_secret(
    name, value, sentence
) -> None:
    with pytest.raises(BadSetting) as refusal:
        Settings.from_env({f"TIDINGS_{name}": value})
    assert str(refusal.value).startswith(f"TIDINGS_{name} ")
    assert sentence in str(refusal.value)
    assert "CANARY" not in str(refusal.value)


@pytest.mark.parametrize(
    ("value", "size"), [("", 2 << 30), ("500MB", 500 << 20), ("1 TB", 1 << 40), ("off", None)]
)
def test_a_size_is_given_in_binary_units(value: str, size: int | None) -> None:
    assert Settings.from_env({"TIDINGS_STORAGE_PER_ACCOUNT": value}).storage_per_account == size


def test_no_secret_is_listed_or_printed() -> None:
    env = {
        "TIDINGS_DATABASE_URL": "postgresql://user:CANARY1@db/x?sslpassword=CANARY2&a=b",
        "TIDINGS_APP_SECRET": "CANARY3",
        "TIDINGS_VERIFY_TOKEN": "CANARY4",
        "TIDINGS_MASTER_KEY": KEY,
    }
    shown = repr(listed(env)) + repr(Settings.from_env(env))
    assert "CANARY" not in shown
    assert KEY not in shown
    assert "postgresql://user:********@db/x?sslpassword=********&a=b" in shown


def test_a_misspelt_variable_is_reported_with_the_name_that_was_meant() -> None:
    env = {"TIDINGS_DATABASE_ULR": "x", "TIDINGS_QQQQQQQQ": "x", "PATH": "x"}
    env |= {"TIDINGS_API_KEY": "x"}  # of `tidings send`
    assert unknown(env) == {
        "TIDINGS_DATABASE_ULR": "TIDINGS_DATABASE_URL",
        "TIDINGS_QQQQQQQQ": None,
    }


def test_the_operators_page_documents_every_setting_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `(TIDINGS_[A-Z_]+)` \| (.*?) \|", DOCS.read_text(), re.MULTILINE))
    expected = {one.name: f"`{one.default}`" if one.default else "" for one in listed({})}
    assert {name: default.strip() for name, default in rows.items()} == expected


def test_the_master_key_of_the_environment_wins(tmp_path: Path) -> None:
    env = {"TIDINGS_DATA": str(tmp_path), "TIDINGS_MASTER_KEY": KEY}
    assert load_sealer(Settings.from_env(env)).prefix == Sealer(bytes(range(32))).prefix
    assert list(tmp_path.iterdir()) == []


def test_many_who_ask_at_once_get_the_same_new_key_and_leave_one_file(tmp_path: Path) -> None:
    settings = Settings.from_env({"TIDINGS_DATA": str(tmp_path / "new")})
    with ThreadPoolExecutor(16) as pool:
        keys = set(pool.map(lambda _: load_sealer(settings).prefix, range(64)))
    assert len(keys) == 1
    (file,) = (tmp_path / "new").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_key_file_that_others_may_read_is_refused(tmp_path: Path) -> None:
    settings = Settings.from_env({"TIDINGS_DATA": str(tmp_path)})
    load_sealer(settings)
    (tmp_path / "master.key").chmod(0o644)
    with pytest.raises(BadSetting, match="chmod 600"):
        load_sealer(settings)


def test_a_damaged_key_file_is_reported_without_quoting_it(tmp_path: Path) -> None:
    file = tmp_path / "master.key"
    file.write_text("CANARY")
    file.chmod(0o600)
    with pytest.raises(BadSetting, match="the master key is not base64") as refusal:
        load_sealer(Settings.from_env({"TIDINGS_DATA": str(tmp_path)}))
    assert "CANARY" not in str(refusal.value)


SECRETS = ("APP_SECRET", "VERIFY_TOKEN", "MASTER_KEY", "SMTP_URL", "DATABASE_URL")
SECRET_VALUES = {"MASTER_KEY": KEY, "SMTP_URL": "smtp://u:CANARY@mail?from=a@example.com"}
SECRET_VALUES |= {"DATABASE_URL": "postgresql://user:CANARY@db/x"}


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_may_be_in_a_file(tmp_path: Path, name: str) -> None:
    file = tmp_path / "secret"
    file.write_text(SECRET_VALUES.get(name, "CANARY") + "\n")
    env = {f"TIDINGS_{name}_FILE": str(file)}
    value = getattr(Settings.from_env(env), name.lower())
    assert value == SECRET_VALUES.get(name, "CANARY")
    assert "CANARY" not in repr(listed(env)) + repr(Settings.from_env(env))
    assert unknown(env) == {}


def test_a_file_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\n")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    for file, words in (("gone", "No such file"), ("empty", "is empty"), ("bytes", "not text")):
        with pytest.raises(BadSetting, match=f"^TIDINGS_APP_SECRET_FILE names .*{words}"):
            Settings.from_env({"TIDINGS_APP_SECRET_FILE": str(tmp_path / file)})


def test_a_secret_in_both_places_is_refused(tmp_path: Path) -> None:
    env = {"TIDINGS_APP_SECRET": "a", "TIDINGS_APP_SECRET_FILE": str(tmp_path)}
    with pytest.raises(BadSetting, match="are both set"):
        Settings.from_env(env)


def test_what_is_no_secret_has_no_file() -> None:
    assert unknown({"TIDINGS_DATA_FILE": "x"}) == {"TIDINGS_DATA_FILE": "TIDINGS_DATA"}


def test_every_number_has_bounds_that_its_default_is_within() -> None:
    for one in listed({}):
        if one.default and one.default.isdigit():
            low, high = re.findall("[0-9]+", one.accepts)
            assert int(low) <= int(one.default) <= int(high), one.name


def test_one_setting_is_explained_in_full() -> None:
    shown = run("settings", "large-bodies-mb", env={"TIDINGS_LARGE_BODIES_MB": "100"}).good()
    for words in ("TIDINGS_LARGE_BODIES_MB", "value     100", "default   80", "40 to 4096"):
        assert words in shown
    run("settings", "LARGE_BODYS").refused("Did you mean TIDINGS_LARGE_BODIES_MB?")
    (only,) = run("settings", "APP_SECRET", "--json").json()["settings"]
    assert only["file"] == "TIDINGS_APP_SECRET_FILE"
