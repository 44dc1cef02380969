"""The two wheels: `tidings` runs without the simulator, `tidings-simulator` brings all of it."""

import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest

import tidings
from tidings.guide.contents import by_source

ROOT = Path(__file__).parent.parent
# Without `site` no .pth file is read, so the editable installs of the development environment are
# not importable: only the wheel, and the third-party packages.
RUN = "import sys; sys.path[1:1] = sys.argv.pop(1).split(','); from tidings.cli.main import main"


def build_wheel(project: Path, out: Path) -> Path:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)],
        cwd=project,
        check=True,
        capture_output=True,
    )
    (wheel,) = out.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def tidings_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(ROOT, tmp_path_factory.mktemp("tidings"))


@pytest.fixture(scope="module")
def simulator_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(ROOT / "simulator", tmp_path_factory.mktemp("simulator"))


def contents(wheel: Path) -> set[str]:
    """Its files, without the metadata."""
    names = zipfile.ZipFile(wheel).namelist()
    return {name for name in names if ".dist-info/" not in name}


def sources(project: Path, package: str) -> set[str]:
    """Every file of the package, data files included, as a wheel names them."""
    return {
        path.relative_to(project).as_posix()
        for path in (project / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def guide_sources() -> set[str]:
    """What /guide serves, as a wheel names it."""
    others = {source for source in by_source() if not source.startswith("docs/")}
    files = sources(ROOT, "docs") | others
    return {f"tidings/guide/source/{name}" for name in files}


def test_the_wheel_of_tidings_holds_all_of_tidings_and_no_simulator(tidings_wheel: Path) -> None:
    files = contents(tidings_wheel)
    assert files == sources(ROOT, "tidings") | guide_sources()
    assert any(name.endswith(".sql") for name in files)
    assert not [name for name in files if "tidings_simulator" in name]


def test_the_wheel_of_the_simulator_holds_all_of_it_and_no_tidings(simulator_wheel: Path) -> None:
    files = contents(simulator_wheel)
    assert files == sources(ROOT / "simulator", "tidings_simulator")
    assert "tidings_simulator/command.py" in files


def test_both_have_one_version_and_require_each_other_at_it() -> None:
    whole = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    simulator = tomllib.loads((ROOT / "simulator" / "pyproject.toml").read_text())["project"]
    version = tidings.__version__
    assert (whole["version"], simulator["version"]) == (version, version)
    assert whole["optional-dependencies"]["simulator"] == [f"tidings-simulator=={version}"]
    assert f"tidings=={version}" in simulator["dependencies"]


def test_every_dependency_of_the_simulator_is_locked() -> None:
    project = tomllib.loads((ROOT / "simulator" / "pyproject.toml").read_text())["project"]
    names = {text.partition(">=")[0].partition("==")[0] for text in project["dependencies"]}
    locked = (ROOT / "requirements" / "dev.txt").read_text()
    assert not [name for name in names - {"tidings"} if f"\n{name}==" not in f"\n{locked}"]


def run_simulator(*wheels: Path) -> subprocess.CompletedProcess[str]:
    """`tidings simulator`, run from these wheels alone, with a file that it refuses."""
    path = ",".join([*map(str, wheels), sysconfig.get_path("purelib")])
    command = [sys.executable, "-S", "-P", "-c", f"{RUN}; main()", path]
    arguments = ["simulator", "--file", "/nowhere/plan.toml"]
    return subprocess.run(
        [*command, *arguments], capture_output=True, text=True, timeout=60, check=False
    )


def test_the_command_names_the_package_to_install_if_it_is_absent(tidings_wheel: Path) -> None:
    ended = run_simulator(tidings_wheel)
    assert ended.returncode == 1
    assert ended.stderr == (
        "error: The simulator is not installed. Run: pip install 'tidings[simulator]'\n"
    )


def test_the_command_runs_the_simulator_if_it_is_installed(
    tidings_wheel: Path, simulator_wheel: Path
) -> None:
    ended = run_simulator(tidings_wheel, simulator_wheel)
    assert ended.returncode == 1
    assert ended.stderr.startswith("error: Cannot read /nowhere/plan.toml")
