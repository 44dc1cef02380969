"""Somebody who has signed in to the portal."""

import re

import aiohttp

from proof.bounds.stage import Stage

PASSWORD = "plum-tractor-window"
CSRF = re.compile(r'name="csrf" value="([^"]+)"')


async def joined(stage: Stage) -> str:
    """The cookies of a new owner."""
    said = stage.command(
        "people", "invite", "bounds@example.com", "--account", "pressing", "--role", "owner"
    )
    return await join(f"http://127.0.0.1:{stage.port}", said.split("token=")[1].split()[0])


async def join(url: str, token: str) -> str:
    """Choose a password, and be signed in from then on: the cookies, as a header has them."""
    jar = aiohttp.CookieJar(unsafe=True)  # of an address that is a number
    path = f"{url}/portal/welcome?token={token}"
    async with aiohttp.ClientSession(cookie_jar=jar) as http:
        async with http.get(path) as answer:
            found = CSRF.search(await answer.text())
        if found is None:
            raise RuntimeError("the welcome page has no form")
        async with http.post(path, data={"csrf": found[1], "password": PASSWORD}) as answer:
            if answer.status != 200:
                raise RuntimeError(f"joining was answered {answer.status}")
        return "; ".join(f"{cookie.key}={cookie.value}" for cookie in jar)
