"""The first five minutes: a sandbox account, and a curl line that works when pasted.

The demo's account file stays in the data folder, readable by its owner only, so that a second run
has the same key; `tidings apply` accepts it like any other. A file that an earlier version wrote
without a subscription gets one; nothing else in it is changed.
"""

import re
import tomllib
from pathlib import Path

from tidings.cli.output import Styled, say
from tidings.features.accounts.model import Configured
from tidings.features.people.welcome import link_of
from tidings.secrets import new_api_key, new_signing_secret

FILE = "demo.toml"
GUEST = "972501234567"
SUBSCRIPTION = """\
[accounts.subscription]
package = "Demo"
billingType = "PACKAGE"
unique = 100000
followup = 100000
"""

_HEADER = re.compile(r"^[ \t]*\[\[[ \t]*accounts[ \t]*\]\]", re.MULTILINE)
_BILLING_FIELDS = frozenset({"subscription", "billingMode", "belongsTo", "partner"})

_ACCOUNTS = """\
# Change what you like and run: tidings apply {path}

# A partner account, to try the partner endpoints with.
[[accounts]]
name = "demo-partner"
environment = "sandbox"
organisation = "demo"
apiKey = "{partner_key}"
signingSecret = "{partner_secret}"
partner = {{ ratePerMessage = "0.05", creditLimit = "1000.00", currency = "ILS" }}

# The demo account is the last one, so that tables added at the end belong to it.
[[accounts]]
name = "demo"
environment = "sandbox"
organisation = "demo"
replies = "guest"
apiKey = "{key}"
signingSecret = "{secret}"
defaultTemplate = "invite"
{subscription}[[accounts.numbers]]
number = "972555000001"
displayName = "Demo"
[[accounts.templates]]
name = "hello"
language = "en"
category = "UTILITY"
status = "APPROVED"
body = "Hello {{{{1}}}}, welcome to Tidings!"
[[accounts.templates]]
name = "invite"
language = "en"
category = "UTILITY"
status = "APPROVED"
body = "Hi {{{{1}}}}, will you join us on {{{{2}}}}?"
buttons = [ {{ type = "QUICK_REPLY", text = "Yes" }}, {{ type = "QUICK_REPLY", text = "No" }} ]
[[accounts.templates]]
name = "code"
language = "en"
category = "AUTHENTICATION"
status = "APPROVED"
body = "{{{{1}}}} is your verification code."
[[accounts.forms]]
id = "stay"
title = "Your stay"
approved = true
questions = [
  {{ id = "q1", type = "rating", text = "How was your stay?" }},
  {{ id = "q2", type = "comment", text = "Anything else?" }},
]
[[accounts.invoices]]
number = "DEMO-0001"
kind = "PACKAGE"
lines = [ {{ description = "Package Demo", quantity = 1, unitPrice = "100.00" }} ]
issuedAt = "2026-01-01T00:00:00Z"
dueAt = "2036-01-01T00:00:00Z"
status = "OPEN"
"""


def read_or_make(data: Path) -> str:
    """The demo's account file: created with new secrets on the first run, updated later."""
    path = data / FILE
    if not path.exists():
        data.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(_make(path))
    text = path.read_text()
    renewed = with_subscription(text)
    if renewed != text:
        _replace(path, renewed)
    return renewed


def _make(path: Path) -> str:
    return _ACCOUNTS.format(
        path=path,
        subscription=SUBSCRIPTION,
        key=new_api_key("sandbox"),
        secret=new_signing_secret(),
        partner_key=new_api_key("sandbox"),
        partner_secret=new_signing_secret(),
    )


def with_subscription(text: str) -> str:
    """The file with a subscription for the demo account, unless it already configures billing."""
    try:
        declared = tomllib.loads(text).get("accounts")
    except tomllib.TOMLDecodeError:
        return text  # `apply` reports the error
    accounts = declared if isinstance(declared, list) else []
    names = [one.get("name") if isinstance(one, dict) else None for one in accounts]
    index = names.index("demo") if "demo" in names else None
    if index is None or _BILLING_FIELDS & accounts[index].keys():
        return text
    ends = [found.start() for found in _HEADER.finditer(text)][index + 1 :]
    end = ends[0] if ends else len(text)
    gap = "" if text[:end].endswith("\n") else "\n"
    return text[:end] + gap + SUBSCRIPTION + text[end:]


def _replace(path: Path, text: str) -> None:
    """Replace the file atomically: a crash must not lose the keys in it."""
    temporary = path.with_suffix(".new")
    temporary.touch(mode=0o600)
    temporary.write_text(text)
    temporary.replace(path)


def curl(url: str, key: str) -> str:
    """An invitation, so that the guest's answer is understood; its deadline is far away, so that
    the same line stands in the README."""
    return (
        f"curl -s {url}/api/v1/messages/text -H 'x-api-key: {key}' "
        "-H 'content-type: application/json' -d "
        f'\'{{"clientMessageId":"first-message-1","to":"{GUEST}",'
        '"templateName":"invite","templateParams":["Dana","Sunday"],'
        '"kind":"invitation","expiresAt":"2036-01-01T00:00:00Z"}\''
    )


def show(url: str, account: Configured, token: str, program: str = "tidings") -> None:
    """Print what a newcomer needs, on one screen. `program`: how this command was called.

    The secrets of the demo's sandbox account are in its file, and shown. If the owner made it a
    live account, they are not: a live secret is shown only when issued (contract2.md, C).
    """
    is_sandbox = account.environment == "sandbox"
    key = account.api_key if is_sandbox else None
    secret = account.signing_secret if is_sandbox else None
    say("\n", Styled("Tidings sandbox" if is_sandbox else "Tidings", bold=True))
    say(f"  portal          {link_of(url, token)}")
    say(f"  guide           {url}/guide")
    say(f"  reference       {url}/docs")
    say(f"  key             {key or f'tidings keys issue {account.name} creates one'}")
    say(f"  signing secret  {secret or f'tidings keys secret {account.name} creates one'}")
    say("\nInvite a guest; paste this in another terminal:\n")
    say(curl(url, key or "$KEY"))
    if is_sandbox:
        _show_next(url, key or "$KEY", program)
    say("\nStop with Ctrl-C. Your data stays for the next start.")


def _show_next(url: str, key: str, program: str) -> None:
    """The guest's side and the receiver's, for who stays in the terminal."""
    aimed = f"--url {url} --key {key}"
    say("\nAnswer as the guest on the portal's phone, or here; see the signed events arrive:\n")
    say(f"{program} phone {GUEST} {aimed}")
    say(f"{program} listen {aimed}")
