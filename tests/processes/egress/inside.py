"""Every trick through every door, in a network of its own. What came of it is printed as JSON.

python -m tests.processes.egress.inside DSN FOLDER     (as `test_canaries.py` starts it)
"""

import asyncio
import json
import os
import ssl
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import trustme
import uvloop

from tests.processes.egress import tricks
from tests.processes.egress.canaries import Canaries
from tests.processes.egress.name_server import TrickyNames
from tests.support.billing import reapply
from tests.support.portal import signed_in
from tests.support.receiver import Receiver, presenting, trusting
from tests.support.service import GUEST, TestAccount, TestService, account_toml
from tests.support.waiting import eventually
from tidings.account_file.read import FileRefused, read_file
from tidings.clock import SystemClock
from tidings.engine.http.outbound.client import Outbound, Posted
from tidings.portal.form import clean

SOON = timedelta(seconds=30)
EVENT = {"eventDate": "2027-06-01T18:00:00Z", "texts": {"invalidReply": "?", "nudge": "?",
                                                        "expired": "?"}}  # fmt: skip
FORM = {"date": "2027-06-01T18:00", "invalid_reply": "?", "nudge": "?", "expired": "?"}

Door = Callable[[str], bool]  # whether it let the URL in


def main() -> None:
    dsn, folder = json.loads(sys.argv[1]), Path(sys.argv[2])
    os.environ |= tricks.PROXIES | {"no_proxy": "127.0.0.1"}  # for the test's own client
    names = TrickyNames(tricks.names())
    authority = trustme.CA()
    tls = {"tls": presenting(authority, "*.example.com"), "port": 443}
    addresses = [*tricks.CANARIES_IPV4, *tricks.CANARIES_IPV6]
    with (
        Canaries(addresses, tricks.CANARY_PORTS) as canaries,
        Receiver(host=tricks.PUBLIC_IPV4, **tls) as public,
    ):
        canaries.prove()
        trust = trusting(authority)
        found: dict[str, Any] = {"faults": []}
        found["posted"] = uvloop.run(post_all(trust, found["faults"]))
        found["redirected"] = uvloop.run(follow_all(trust, public, found["faults"]))
        found["doors"] = ask_doors(dsn, folder, trust, found["faults"])
        found["names asked for"] = len(names.asked)
        found["public"] = len(public.requests)
        found["connections"] = {f"{host} {port}": n for (host, port), n in
                                canaries.connections.items()}  # fmt: skip
    sys.stdout.write("\n" + json.dumps(found))


# At the socket: what is stored, by whatever way it came there


async def post_all(tls: ssl.SSLContext, faults: list[str]) -> int:
    """Each URL and name posted to twice, as a retry does."""
    targets = [
        *tricks.urls(),
        *(f"https://{name}/" for name in (*tricks.names(), *tricks.IN_HOSTS)),
    ]
    async with Outbound(SystemClock(), tls=tls, own=[("0.0.0.0", 8081)]) as outbound:

        async def post(url: str) -> tuple[str, list[Posted]]:
            return url, [await outbound.post(url, b"{}", {}, timeout=SOON) for _ in range(2)]

        answered = await asyncio.gather(*map(post, targets))
    public = {"https://public.example.com/"}
    for url, posts in answered:
        turning = "//rebinds" in url or "//flips" in url
        for posted in posts:
            if posted.error is None and url not in public and not turning:
                faults.append(f"{url!r}: {posted.status}")
    return len(answered)


async def follow_all(tls: ssl.SSLContext, public: Receiver, faults: list[str]) -> int:
    """Answers of a public server that lead elsewhere: each is the end of its attempt."""
    answers = [(status, headers) for status in tricks.STATUSES for headers in tricks.REDIRECTS]
    answers += tricks.OTHER_HEADERS
    async with Outbound(SystemClock(), tls=tls) as outbound:
        for status, headers in answers:
            public.answer(status, headers=headers)
            posted = await outbound.post("https://public.example.com/", b"{}", {}, timeout=SOON)
            if posted.status != status:
                faults.append(f"{status} {headers}: {posted.status} {posted.error}")
    public.answer(200)
    return len(answers)


# At the doors


def ask_doors(
    dsn: dict[str, Any], folder: Path, tls: ssl.SSLContext, faults: list[str]
) -> dict[str, dict[str, int]]:
    service = TestService(dsn, folder, settings={"TIDINGS_ALLOW_PRIVATE_WEBHOOKS": "false"},
                          outbound=lambda clock: Outbound(clock, tls=tls))  # fmt: skip
    counted: dict[str, dict[str, int]] = {}
    with service:
        account = service.account()
        account.reply(GUEST, "Hello")  # opens the window
        for name, door in doors(account).items():
            urls = [url for url in tricks.urls() if "portal" not in name or is_kept(url)]
            let_in = [url for url in urls if door(url)]
            counted[name] = {"asked": len(urls), "let in": len(let_in)}
            faults += [f"{name} lets {url!r} in" for url in let_in]
        counted["test event of the portal"] = {"asked": test_posts(account, faults)}
        counted["stored before"] = {"asked": stored_posts(account, faults)}
    return counted


def is_kept(url: str) -> bool:
    """Whether a form of the portal takes it as it is: space around it and NUL are not kept, and
    without them it may be a good URL. An empty field removes the URL."""
    return bool(url) and clean(url).strip() == url


def doors(account: TestAccount) -> dict[str, Door]:
    """Where a URL of a customer enters."""
    visitor = signed_in(account)
    csrf = visitor.get("/people").csrf
    text = {"clientMessageId": "order-0001", "to": GUEST}
    count = iter(range(10**6))

    def api(path: str, body: Callable[[str], dict[str, Any]]) -> Door:
        return lambda url: asked(lambda: account.post(path, body(url)))

    def page(path: str, form: Callable[[str], dict[str, str]]) -> Door:
        return lambda url: asked(
            lambda: visitor.raw("POST", path, data=form(url) | {"csrf": csrf}), done=303
        )

    def event(url: str) -> dict[str, Any]:
        return EVENT | {"eventId": f"event-{next(count)}", "callbackUrl": url}

    def button(url: str) -> dict[str, Any]:
        return text | {"message": "Look", "buttons": [{"text": "Open", "url": url}]}

    return {
        "callbackUrl": api("/events", event),
        "link": api("/links", lambda url: {"url": url}),
        "buttonUrl": api("/messages/text", lambda url: text | {
            "templateName": "plain", "buttonUrl": url}),
        "button of a rich message": api("/messages/rich", button),
        "headerImage": api("/messages/rich", lambda url: text | {
            "message": "Look", "buttons": [{"id": "a", "text": "A"}], "headerImage": url}),
        "account file": in_file,
        "webhookUrl of the portal": page(
            "/webhooks", lambda url: {"action": "save", "webhookUrl": url}),
        "callbackUrl of the portal": page(
            "/events/new", lambda url: FORM | {
                "event_id": f"page-{next(count)}", "callback_url": url}),
    }  # fmt: skip


def asked(ask: Callable[[], httpx.Response], done: int = 200) -> bool:
    try:
        answer = ask()
    except UnicodeEncodeError:
        return False  # cannot even be sent
    assert answer.status_code < 500, answer.text
    return answer.status_code in (done, 201, 202)


def in_file(url: str) -> bool:
    toml = account_toml(webhookUrl="URL").replace('"URL"', json.dumps(url))
    try:
        read_file(toml, {}, allow_private=False)
    except (FileRefused, ValueError):
        return False
    return True


# What the worker does with what was let in


def test_posts(account: TestAccount, faults: list[str]) -> int:
    """Names are let in, as nobody knows what they will be; "Send a test event" is blocked."""
    visitor = signed_in(account)
    csrf = visitor.get("/people").csrf
    names = [name for name in (*tricks.names(), *tricks.IN_HOSTS) if "public" not in name]
    for name in names:
        for form in ({"action": "save", "webhookUrl": f"https://{name}/hook"},
                     {"action": "test", "type": "sender.health"}):  # fmt: skip
            answer = visitor.raw("POST", "/webhooks", data=form | {"csrf": csrf})
            assert answer.status_code == 303, answer.text
        attempt = wait_for_attempt(account)
        turning = name.startswith(("rebinds", "flips"))
        if attempt["error"] is None and not turning:  # a slow look-up is a time-out
            faults.append(f"a test event to {name}: {attempt}")
    return len(names)


def wait_for_attempt(account: TestAccount) -> dict[str, Any]:
    """At the newest event."""
    query = "SELECT attempts FROM webhooks WHERE account_id = $1 ORDER BY seq DESC LIMIT 1"

    def attempts() -> list[dict[str, Any]]:
        found = account.service.sql(query, account.id)[0]["attempts"]
        return json.loads(found) if isinstance(found, str) else found

    eventually(attempts)
    return attempts()[0]


def stored_posts(account: TestAccount, faults: list[str]) -> int:
    """URLs that stand in a row, as an older version may have taken them."""
    urls = [url for one in (*tricks.CANARIES_IPV4, *(f"[{six}]" for six in tricks.CANARIES_IPV6))
            for url in (f"https://{one}/", f"http://{one}/", f"https://{one}:8443/")]  # fmt: skip
    for url in urls:
        reapply(account, webhookUrl=url)
        account.post("/sandbox/v1/webhooks", {"type": "sender.health"})
        attempt = wait_for_attempt(account)
        if attempt["error"] != "blocked":
            faults.append(f"a stored {url}: {attempt}")
    return len(urls)


if __name__ == "__main__":
    main()
