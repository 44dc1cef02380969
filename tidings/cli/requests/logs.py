"""`tidings logs`: the request log, read from the database on the service's own machine."""

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import msgspec

from tidings import times
from tidings.cli.database import load_account, opened
from tidings.cli.output import Refused, Styled, print_fields, print_json, remark, say
from tidings.cli.runner import load_settings, reported_errors, run
from tidings.engine.db.log_pages import FIRST_PAGE, LogCursor
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_all_accounts
from tidings.features.accounts.model import Account
from tidings.features.requests import lookup
from tidings.features.requests.follow import Follower
from tidings.features.requests.lookup import Filter
from tidings.features.requests.model import LoggedCall, parse_request_id

LOOK_SECONDS = 0.5
NAMES_MAX = 5
KEY_CHARS = 18  # as on the portal's page

Show = Callable[[Iterable[LoggedCall]], None]


def show_calls(
    account: str | None, *, follow: bool, status: str, path: str, limit: int, json: bool
) -> None:
    chosen, show = _filter(status, path), _print_json if json else _print_lines
    with reported_errors():
        try:
            run(_show(account, chosen, limit, show, follow=follow))
        except KeyboardInterrupt:
            remark()


def show_call(request: str, account: str | None, *, as_json: bool) -> None:
    request_id = parse_request_id(request)
    call = None if request_id is None else run(_find(request_id, account))
    if call is None:
        raise Refused(f'There is no call "{request}" in the log.')
    if as_json:
        print_json(_present(call))
    else:
        print_fields({name: value for name, value in _present(call).items() if name != "body"})
        say(call.body or "")


def _filter(status: str, path: str) -> Filter:
    chosen = Filter(status=status, path=path)
    if status and lookup.statuses_of(chosen) == lookup.ANY_STATUS:
        raise Refused(f'--status is a status such as 404, or 2xx, 4xx, 5xx; not "{status}".')
    return chosen


async def _show(name: str | None, chosen: Filter, limit: int, show: Show, *, follow: bool) -> None:
    async with opened(load_settings()) as db:
        account = await db.transact(partial(_choose, name))
        follower = Follower(account.id, chosen)

        async def start(tx: Tx) -> list[LoggedCall]:
            await follower.start(tx)
            return await _load_newest(tx, account, chosen, limit)

        calls = await db.transact(start)
        follower.skip(calls)
        show(calls)
        if not calls and not follow:
            remark("No calls.")
        while follow:
            await asyncio.sleep(LOOK_SECONDS)
            show(await db.transact(follower.load_news))


async def _load_newest(tx: Tx, account: Account, chosen: Filter, limit: int) -> list[LoggedCall]:
    found: list[LoggedCall] = []
    cursor: LogCursor | None = FIRST_PAGE
    while cursor is not None and len(found) < limit:
        page = await lookup.load_page(tx, account.id, chosen, cursor)
        found += page.entries
        cursor = None if page.older is None else LogCursor(before=page.older)
    return found[:limit][::-1]


async def _find(request_id: Any, name: str | None) -> LoggedCall | None:
    async def find(tx: Tx) -> LoggedCall | None:
        accounts = await load_all_accounts(tx) if name is None else [await load_account(tx, name)]
        for account in accounts:
            if call := await lookup.find_call(tx, account.id, request_id):
                return call
        return None

    async with opened(load_settings()) as db:
        return await db.transact(find)


async def _choose(name: str | None, tx: Tx) -> Account:
    if name is not None:
        return await load_account(tx, name)
    accounts = await load_all_accounts(tx)
    if len(accounts) == 1:
        return accounts[0]
    names = ", ".join(one.name for one in accounts[:NAMES_MAX])
    more = f" and {len(accounts) - NAMES_MAX} more" if len(accounts) > NAMES_MAX else ""
    known = f"there are {names}{more}" if accounts else "there are none yet"
    raise Refused(f"Name the account by --account: {known}.")


def _print_lines(calls: Iterable[LoggedCall]) -> None:
    for call in calls:
        say(
            Styled(times.to_wire(call.at), dim=True),
            "  ",
            Styled(str(call.status), _colour(call.status)),
            f"  {call.ms:>5} ms  {call.method:<6} {call.path}  ",
            Styled(f"{call.key[:KEY_CHARS]}… {call.request_id}", dim=True),
        )


def _colour(status: int) -> str:
    return "green" if status < 400 else "yellow" if status < 500 else "red"


def _print_json(calls: Iterable[LoggedCall]) -> None:
    for call in calls:
        print_json(_present(call), indent=-1)


def _present(call: LoggedCall) -> dict[str, Any]:
    return {
        "at": times.to_wire(call.at),
        "requestId": call.request_id,
        "method": call.method,
        "path": call.path,
        "status": call.status,
        "ms": call.ms,
        "key": call.key,
        "bodyBytes": call.body_bytes,
        "body": None if call.body is None else _decoded(call.body),
    }


def _decoded(body: str) -> object:
    try:
        return msgspec.json.decode(body)
    except msgspec.DecodeError:  # one that was cut
        return body
