"""Every deployment file is accepted by the program that reads it, or by a linter of its kind."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tidings.setting_reading import file_variable, variable
from tidings.settings import Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
SCRIPTS = [ROOT / ".ci" / "run", ROOT / ".ci" / "tools", DEPLOY / "compose" / "secrets.sh"]
SCRIPTS += [DEPLOY / "systemd" / "tidings-as-service"]
KUBERNETES = sorted((DEPLOY / "kubernetes").glob("*.yml"))
EXPOSURE_MAX = 2.0  # of systemd-analyze: 0 is nothing, 10 everything


def run(*words: str | Path, **options: object) -> subprocess.CompletedProcess[str]:
    program = shutil.which(words[0], path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if program is None:
        pytest.skip(f"{words[0]} is not installed")
    return subprocess.run(
        [program, *words[1:]], capture_output=True, text=True, check=False, **options
    )


def needs(program: str) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")


def accepted(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_the_containerfile_by_hadolint() -> None:
    assert accepted(run("hadolint", ROOT / "Containerfile")) == ""


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_by_shellcheck(script: Path) -> None:
    assert accepted(run("shellcheck", script)) == ""


@pytest.mark.parametrize("version", ["1.27", "1.37.0"])
@pytest.mark.parametrize("file", KUBERNETES, ids=lambda path: path.name)
def test_kubernetes_manifests_by_their_schemas(file: Path, version: str) -> None:
    accepted(run("kubernetes-validate", "--strict", "--quiet", "-k", version, file))


def test_the_compose_file_by_its_schema() -> None:
    file = DEPLOY / "compose" / "compose.yml"
    accepted(run("check-jsonschema", "--builtin-schema", "vendor.compose-spec", file))
    compose = yaml.safe_load(file.read_text())
    for name, service in compose["services"].items():
        used = set(service.get("secrets", []))
        assert used <= compose["secrets"].keys(), name
        assert set(service["networks"]) <= compose["networks"].keys(), name
        for volume in service.get("volumes", []):
            source = volume.partition(":")[0]
            is_path = source.startswith(".")
            assert is_path or source in compose["volumes"], volume
            assert not is_path or (DEPLOY / "compose" / source).exists(), volume


def test_the_secrets_of_compose_are_made_once(tmp_path: Path) -> None:
    needs("openssl")
    script = shutil.copy(DEPLOY / "compose" / "secrets.sh", tmp_path)
    accepted(run("sh", script))
    made = {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}
    compose = yaml.safe_load((DEPLOY / "compose" / "compose.yml").read_text())
    assert made.keys() == compose["secrets"].keys()
    settings = Settings.from_env(
        {
            "TIDINGS_MASTER_KEY_FILE": str(tmp_path / "secrets" / "master_key"),
            "TIDINGS_DATABASE_URL_FILE": str(tmp_path / "secrets" / "database_url"),
        }
    )
    assert settings.database_url is not None
    assert made["postgres_password"].strip() in settings.database_url
    accepted(run("sh", script))
    assert made == {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}


def test_every_setting_that_the_files_name_is_one() -> None:
    known = {variable(name) for name in Settings.__dataclass_fields__}
    known |= {file_variable(name) for name in Settings.__dataclass_fields__}
    own = {"TIDINGS_IMAGE", "TIDINGS_HOST", "TIDINGS_PROCESSES", "TIDINGS_PORT"}
    files = [path for path in DEPLOY.rglob("*") if path.is_file()]
    for file in [*files, ROOT / "Containerfile"]:
        named = set(re.findall(r"\bTIDINGS_[A-Z_]+\b", file.read_text()))
        assert named - known - own == set(), file


def test_proxies_close_idle_connections_before_we_do() -> None:
    kept = Settings().keep_alive_seconds
    caddy = (DEPLOY / "compose" / "Caddyfile").read_text()
    nginx = (DEPLOY / "nginx.conf").read_text()
    for text, words in ((caddy, r"keepalive (\d+)s"), (nginx, r"keepalive_timeout (\d+)s")):
        (seconds,) = re.findall(words, text)
        assert int(seconds) < kept


def test_whoever_stops_us_waits_longer_than_we_drain() -> None:
    drain = Settings().drain_seconds
    unit = (DEPLOY / "systemd" / "tidings.service").read_text()
    compose = (DEPLOY / "compose" / "compose.yml").read_text()
    pods = (DEPLOY / "kubernetes" / "tidings.yml").read_text()
    for text, words in (
        (unit, r"TimeoutStopSec=(\d+)"),
        (compose, r"stop_grace_period: (\d+)s\n    volumes:\n      - data"),
        (pods, r"terminationGracePeriodSeconds: (\d+)"),
    ):
        (seconds,) = re.findall(words, text)
        assert int(seconds) >= drain + 10


def test_the_caddyfile_by_caddy(tmp_path: Path) -> None:
    env = os.environ | {"HOME": str(tmp_path)}
    file = DEPLOY / "compose" / "Caddyfile"
    accepted(run("caddy", "validate", "--adapter", "caddyfile", "--config", file, env=env))


def test_the_nginx_file_by_nginx(tmp_path: Path) -> None:
    """With a certificate of its own in place of the one that the page supposes."""
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=messages.example.com"]
    accepted(run("openssl", *made, "-keyout", key, "-out", certificate))
    text = (DEPLOY / "nginx.conf").read_text()
    folder = "/etc/letsencrypt/live/messages.example.com"
    text = text.replace(f"{folder}/fullchain.pem", str(certificate))
    text = text.replace(f"{folder}/privkey.pem", str(key))
    (tmp_path / "tidings.conf").write_text(text)
    main = f"pid {tmp_path}/pid; error_log stderr; events {{}} http {{ access_log off;"
    (tmp_path / "nginx.conf").write_text(f"{main} include {tmp_path}/tidings.conf; }}")
    accepted(run("nginx", "-t", "-p", tmp_path, "-c", tmp_path / "nginx.conf"))


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """The units, with a program that is there."""
    for file in (DEPLOY / "systemd").glob("tidings.s*"):
        text = file.read_text().replace("/opt/tidings/bin/tidings", "/bin/true")
        (tmp_path / file.name).write_text(text)
    return tmp_path


def test_the_units_by_systemd(units: Path) -> None:
    files = [units / "tidings.service", units / "tidings.socket"]
    done = run("systemd-analyze", "verify", "--man=no", *files)
    assert "tidings" not in accepted(done)


def test_the_unit_exposes_little(units: Path) -> None:
    done = run("systemd-analyze", "security", "--offline=true", units / "tidings.service")
    found = re.search(r"exposure level for tidings.service: ([0-9.]+)", accepted(done))
    assert found is not None
    assert float(found[1]) <= EXPOSURE_MAX
