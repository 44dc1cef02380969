"""The object store: one set of promises, kept by a folder and by a server that speaks S3."""

import asyncio
import os
import shutil
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.support.s3 import S3Server, variables
from tidings.engine.objects import ObjectMissing, Objects, ObjectsUnavailable

KEY = "0" * 32 + "/" + "a" * 64
OTHER = "1" * 32 + "/" + "a" * 64
LARGE = os.urandom(5 * 1024 * 1024)


@pytest.fixture(scope="module")
def s3() -> Iterator[S3Server]:
    with S3Server() as server:
        yield server


@pytest.fixture(params=["folder", "s3"])
def opened(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Objects:
    if request.param == "folder":
        return Objects.open(None, tmp_path / "objects")
    server: S3Server = request.getfixturevalue("s3")
    server.make_bucket("files")
    return in_bucket("files", server.address, monkeypatch)


def in_bucket(bucket: str, address: str, monkeypatch: pytest.MonkeyPatch) -> Objects:
    """As an operator would: a URL, and the variables every S3 tool reads."""
    for name, value in variables(address).items():
        monkeypatch.setenv(name, value)
    return Objects.open(f"s3://{bucket}/tidings", Path("unused"))


# Both


async def test_what_was_put_is_got(opened: Objects) -> None:
    for data in (b"x", b"", LARGE):
        await opened.put(KEY, data)
        assert await opened.get(KEY) == data
        assert b"".join([piece async for piece in opened.stream(KEY)]) == data


async def test_a_stream_comes_in_pieces(opened: Objects) -> None:
    await opened.put(KEY, LARGE)
    sizes = [len(piece) async for piece in opened.stream(KEY)]
    assert len(sizes) > 1
    async for _ in opened.stream(KEY):
        break  # whoever stops listening stops the rest


async def test_what_is_not_there_is_missing(opened: Objects) -> None:
    assert not await opened.exists(KEY)
    with pytest.raises(ObjectMissing):
        await opened.get(KEY)
    with pytest.raises(ObjectMissing):
        [piece async for piece in opened.stream(KEY)]


async def test_what_is_deleted_is_gone_and_deleting_again_is_harmless(opened: Objects) -> None:
    await opened.put(KEY, b"one")
    await opened.put(OTHER, b"two")
    assert await opened.exists(KEY)
    await opened.delete(KEY)
    await opened.delete(KEY)
    assert not await opened.exists(KEY)
    assert await opened.get(OTHER) == b"two"


async def test_many_may_put_the_same_at_once(opened: Objects) -> None:
    data = LARGE[:100_000]
    await asyncio.gather(*(opened.put(KEY, data) for _ in range(64)))
    assert await opened.get(KEY) == data


async def test_what_is_there_is_listed_in_pages(opened: Objects) -> None:
    assert [page async for page in opened.list() if page] == []
    began = datetime.now(UTC) - timedelta(minutes=5)
    await opened.put(KEY, b"one")
    await opened.put(OTHER, b"two")
    found = [item async for page in opened.list() for item in page]
    assert sorted(item.key for item in found) == [KEY, OTHER]
    assert all(item.modified_at > began for item in found)
    assert await opened.clear_drafts(datetime.now(UTC) + timedelta(days=1)) == 0


@pytest.mark.parametrize("key", ["../a", "/a", "a//b", "a/../b", "a/.b", "", "a b", "a\n", "a/"])
async def test_a_key_is_letters_and_digits(opened: Objects, key: str) -> None:
    with pytest.raises(AssertionError):
        await opened.put(key, b"x")


# A folder


async def test_the_folder_is_private_and_holds_nothing_but_the_object(tmp_path: Path) -> None:
    objects = Objects.open(None, tmp_path / "data" / "objects")
    await objects.put(KEY, b"x")
    folder = tmp_path / "data" / "objects"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()] == [Path(KEY)]


async def test_a_folder_may_be_named_by_a_url(tmp_path: Path) -> None:
    objects = Objects.open(f"file://{tmp_path}/some%20where", Path("unused"))
    await objects.put(KEY, b"x")
    assert (tmp_path / "some where" / KEY).read_bytes() == b"x"


async def test_a_folder_that_cannot_be_written_is_unavailable_and_left_clean(
    tmp_path: Path,
) -> None:
    objects = Objects.open(None, tmp_path)
    (tmp_path / KEY.partition("/")[0]).write_text("a file in the place of the account's folder")
    with pytest.raises(ObjectsUnavailable):
        await objects.put(KEY, b"x")
    (tmp_path / OTHER).mkdir(parents=True)
    with pytest.raises(ObjectsUnavailable):
        await objects.put(OTHER, b"x")
    assert [path.name for path in (tmp_path / OTHER).parent.iterdir()] == ["a" * 64]


async def test_a_folder_on_a_disk_that_is_nearly_full_takes_nothing(tmp_path: Path) -> None:
    objects = Objects.open(None, tmp_path / "objects", free_min=1 << 60)
    with pytest.raises(ObjectsUnavailable, match="nearly full"):
        await objects.put(KEY, b"x")
    assert list((tmp_path / "objects").iterdir()) == []


async def test_drafts_of_puts_that_never_ended_are_removed_once_they_are_old(
    tmp_path: Path,
) -> None:
    objects = Objects.open(None, tmp_path)
    await objects.put(KEY, b"x")
    draft = (tmp_path / KEY).with_name(f".{'b' * 64}.1")
    draft.write_bytes(b"half")
    now = datetime.now(UTC)
    assert await objects.clear_drafts(now - timedelta(hours=1)) == 0
    assert await objects.clear_drafts(now + timedelta(hours=1)) == 1
    assert [path.name for path in draft.parent.iterdir()] == ["a" * 64]


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_an_object_is_on_disk_before_the_write_returns(tmp_path: Path) -> None:
    """The content before its name, and its name before the answer: the order of system calls."""
    script = (
        "import asyncio, pathlib, sys; from tidings.engine.objects import Objects;"
        "objects = Objects.open(None, pathlib.Path(sys.argv[1]));"
        "asyncio.run(objects.put('account/object', b'x'))"
    )
    calls = tmp_path / "calls"
    trace = ["strace", "-f", "-qq", "-e", "trace=fsync,/^rename", "-o", str(calls)]
    command = [*trace, sys.executable, "-c", script, str(tmp_path / "objects")]
    if subprocess.run(command, capture_output=True).returncode:
        pytest.skip("strace may not trace here")
    lines = [
        line for line in calls.read_text().splitlines() if "fsync" in line or ".object" in line
    ]
    # Which of the calls that rename there is depends on the processor: rename, renameat, renameat2.
    names = [line.split()[1].partition("(")[0].removesuffix("2") for line in lines]
    assert [name.removesuffix("at") for name in names] == ["fsync", "rename", "fsync", "fsync"]


# A server that speaks S3


async def test_objects_lie_under_the_prefix(s3: S3Server, monkeypatch: pytest.MonkeyPatch) -> None:
    s3.make_bucket("files")
    objects = in_bucket("files", s3.address, monkeypatch)
    await objects.put(KEY, b"x")
    assert f"<Key>tidings/{KEY}</Key>" in s3.listing("files")


async def test_a_bucket_that_is_not_there_is_unavailable(
    s3: S3Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    objects = in_bucket("nowhere", s3.address, monkeypatch)
    with pytest.raises(ObjectsUnavailable, match="404"):
        await objects.put(KEY, b"x")


async def test_a_server_that_is_away_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))  # and does not listen
        address = f"http://127.0.0.1:{closed.getsockname()[1]}"
        objects = in_bucket("files", address, monkeypatch)
        for call in (objects.exists, objects.get):
            with pytest.raises(ObjectsUnavailable):
                await call(KEY)
        with pytest.raises(ObjectsUnavailable):
            await objects.put(KEY, b"x")


@pytest.mark.parametrize("url", ["ftp://host/x", "s3://", "nonsense://x"])
def test_a_url_of_no_known_store_is_refused(url: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="URL"):
        Objects.open(url, tmp_path / "unused")
    assert not (tmp_path / "unused").exists()
