"""Somebody who has signed in to the portal of the account that presses."""

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
    token = said.split("token=")[1].split()[0]
    jar = aiohttp.CookieJar(unsafe=True)  # of an address that is a number
    path = f"http://127.0.0.1:{stage.port}/portal/welcome?token={token}"
    async with aiohttp.ClientSession(cookie_jar=jar) as http:
        async with http.get(path) as answer:
            found = CSRF.search(await answer.text())
        if found is None:
            raise RuntimeError("the welcome page has no form")
        async with http.post(path, data={"csrf": found[1], "password": PASSWORD}) as answer:
            answer.raise_for_status()
        return "; ".join(f"{cookie.key}={cookie.value}" for cookie in jar)
