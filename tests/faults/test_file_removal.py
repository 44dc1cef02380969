"""Removing files beside uploads, sends and crashes: what is needed is there, the rest goes."""

import asyncio
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.support.clock import ManualClock
from tests.support.database import fresh_database
from tests.support.media import PDF, PICTURED, encoded, png, send, uploaded
from tests.support.s3 import S3Server, variables
from tests.support.service import GUEST, TestAccount, TestService
from tidings import limits
from tidings.doctor import check
from tidings.errors import ApiError
from tidings.features.accounts.lookup import load_accounts
from tidings.features.media import references as uses
from tidings.features.media import remove, rules
from tidings.features.media.model import FileUse, MediaFile
from tidings.features.media.upload import hold
from tidings.features.messages.accept.accept import accept_lane
from tidings.features.messages.model import MessageRequest, TemplateRequest
from tidings.features.messages.request import attachments
from tidings.ids import new_id

FILE = rules.decode_file(encoded(PDF))
OLD = 1_600_000_000.0  # seconds since 1970: long ago


@pytest.fixture(params=["folder", "s3"])
def stored(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[TestService]:
    """A service without workers, by the real clock; its files in a folder or in S3."""
    if request.param == "folder":
        with TestService(fresh_database(), tmp_path, working=False) as service:
            yield service
        return
    with S3Server() as s3:
        s3.make_bucket("files")
        for name, value in variables(s3.address).items():
            monkeypatch.setenv(name, value)
        settings = {"TIDINGS_OBJECTS_URL": "s3://files/media"}
        with TestService(fresh_database(), tmp_path, settings=settings, working=False) as service:
            yield service


def row_of(account: TestAccount) -> Any:
    ctx = account.service.ctx
    found = account.service.call(
        lambda: ctx.db.transact(lambda tx: load_accounts(tx, [account.id]))
    )
    return found[account.id]


def listed(service: TestService) -> list[str]:
    async def read() -> list[str]:
        return [item.key async for page in service.ctx.objects.list() for item in page]

    return service.call(read)


def count(service: TestService, table: str) -> int:
    found: int = service.sql(f"SELECT count(*) AS n FROM {table}")[0]["n"]
    return found


def require_sound(service: TestService) -> None:
    """Every file has its object, and every object its file."""
    assert service.call(lambda: check(service.ctx.db)) == []
    rows = service.sql("SELECT account_id, object_name FROM media")
    assert sorted(listed(service)) == sorted(
        f"{row['account_id'].hex}/{row['object_name'].hex()}" for row in rows
    )


def test_many_who_use_and_release_the_same_content_never_lose_it(stored: TestService) -> None:
    """Each holds the content, half of them are refused, half accepted; sweeps run all the time.
    Whoever is accepted must find the bytes, and when all has gone nothing is left."""
    account = stored.account()
    row, ctx = row_of(account), stored.ctx
    lost: list[str] = []

    async def refuse() -> None:
        _, use = await hold(ctx, row, FILE, field="mediaBase64")
        assert use.hold is not None
        await remove.release(ctx, row.id, [use.hold])

    async def accept() -> None:
        media, use = await hold(ctx, row, FILE, field="mediaBase64")
        message = new_id()
        await ctx.db.transact(lambda tx: _assign(tx, media, use, message))
        await asyncio.sleep(0)
        if await ctx.objects.get(media.object_key) != PDF:
            lost.append("content")
        await ctx.db.transact(lambda tx: uses.delete_messages(tx, [(row.id, message)]))

    async def _assign(tx: Any, media: MediaFile, use: FileUse, message: Any) -> None:
        if not await uses.lock_existing(tx, [(row.id, media.id)]):
            lost.append("row")
        await uses.assign(tx, [uses.NewUse(row.id, message, media.id, use.hold)])

    async def race() -> None:
        for _ in range(6):
            work = [refuse(), accept(), remove.sweep(ctx), refuse(), accept(), remove.sweep(ctx)]
            await asyncio.gather(*work)
        await remove.sweep(ctx)

    stored.call(race)
    assert lost == []
    assert (count(stored, "media"), count(stored, "media_uses"), listed(stored)) == (0, 0, [])
    require_sound(stored)


def test_sends_of_the_same_file_beside_refused_ones_over_http(service: TestService) -> None:
    account = service.account(PICTURED)
    body = {"templateName": "picture", "templateParams": ["me"], "type": "image"}
    body |= {"mediaBase64": encoded(png() + b"shared")}
    later = (service.clock.now() + timedelta(hours=2)).isoformat()

    def post(n: int) -> int:
        cid = f"menu-{n:04}"
        if n % 2:
            return send(account, clientMessageId=cid, sentFrom="972555999999", **body).status_code
        return send(account, clientMessageId=cid, scheduledFor=later, **body).status_code

    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(post, range(24)))
    assert statuses == [202, 400] * 12
    service.call(lambda: remove.sweep(service.ctx))
    files_of = [
        path
        for path in (service.settings.data / "objects" / account.id.hex).rglob("*")
        if path.is_file()
    ]
    assert [path.read_bytes() for path in files_of] == [png() + b"shared"]


def test_an_upload_that_a_crash_cut_off_is_removed(stored: TestService) -> None:
    """The row and its hold are written before the object: both are found."""
    row = row_of(stored.account())
    stored.call(lambda: hold(stored.ctx, row, FILE, field="mediaBase64"))
    stored.call(lambda: attachments.sweep(stored.ctx))
    assert len(listed(stored)) == 1, "the request may still be under way"
    past = limits.MEDIA_HELD + timedelta(minutes=1)
    stored.sql("UPDATE media_uses SET held_until = held_until - $1::interval", past)
    stored.call(lambda: attachments.sweep(stored.ctx))
    assert (count(stored, "media"), count(stored, "media_uses"), listed(stored)) == (0, 0, [])


def test_a_message_whose_file_was_removed_meanwhile_is_refused(still_service: TestService) -> None:
    """A process that stood still for hours between the upload and acceptance."""
    account, ctx = still_service.account(), still_service.ctx
    wanted = MessageRequest(
        account.id, "menu-0001", GUEST, template=TemplateRequest("plain"), file=FileUse(new_id())
    )
    (refusal,) = still_service.call(lambda: accept_lane(ctx, [wanted]))
    assert isinstance(refusal, ApiError) and refusal.field == "mediaId"
    assert account.get("/messages/menu-0001").status_code == 404


# Objects without a row


def folder_of(service: TestService, account: TestAccount) -> Path:
    folder = service.settings.data / "objects" / account.id.hex
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def aged(path: Path, at: float = OLD) -> Path:
    path.write_bytes(b"x")
    os.utime(path, (at, at))
    return path


def test_what_a_crash_left_in_the_folder_is_found(tmp_path: Path) -> None:
    with TestService(fresh_database(), tmp_path, working=False) as service:
        account = service.account()
        ref = uploaded(account, PDF)
        folder = folder_of(service, account)
        (kept,) = folder.iterdir()
        os.utime(kept, (OLD, OLD))
        orphan, draft = aged(folder / ("a" * 64)), aged(folder / f".{'b' * 64}.1")
        fresh, new_draft = folder / ("c" * 64), folder / f".{'d' * 64}.2"
        fresh.write_bytes(b"x")
        new_draft.write_bytes(b"x")
        foreign = aged(folder / "notes")
        (folder.parent / ("f" * 32)).mkdir()
        others = aged(folder.parent / ("f" * 32) / ("a" * 64))
        assert service.call(lambda: remove.remove_orphans(service.ctx)) == 2
        assert sorted(folder.iterdir()) == sorted([kept, fresh, new_draft, foreign])
        assert not orphan.exists() and not draft.exists()
        assert others.exists(), "an account of another database that shares the place"
        assert uploaded(account, PDF) == ref


def test_an_object_without_a_row_is_found_in_s3(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the store was away just after the row had been removed."""
    with S3Server() as s3, monkeypatch.context() as patched:
        s3.make_bucket("files")
        for name, value in variables(s3.address).items():
            patched.setenv(name, value)
        options: dict[str, Any] = {"settings": {"TIDINGS_OBJECTS_URL": "s3://files/media"}}
        clock = ManualClock(datetime.now(UTC))
        with TestService(
            fresh_database(), tmp_path, clock=clock, working=False, **options
        ) as service:
            account = service.account()
            uploaded(account, PDF)
            (kept,) = listed(service)
            orphan = f"{account.id.hex}/{'a' * 64}"
            service.call(lambda: service.ctx.objects.put(orphan, b"x"))
            service.call(lambda: remove.remove_orphans(service.ctx))
            assert sorted(listed(service)) == sorted([kept, orphan]), "one this new may be in use"
            clock.advance(hours=3)
            service.call(lambda: remove.remove_orphans(service.ctx))
            assert listed(service) == [kept]
