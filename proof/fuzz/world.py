"""The accounts that are attacked: a sandbox with something of everything, a partner, a live one.

Keys, secrets and the portal's session are fixed, so that a saved request can be sent again.
"""

import base64

from tests.support.forms import form_toml
from tests.support.service import TEMPLATES

KEYS = {name: f"td_{kind}_" + letter * 43 for name, kind, letter in (
    ("acme", "sandbox", "K"), ("partner", "sandbox", "P"), ("timer", "sandbox", "T"),
    ("pages", "sandbox", "G"), ("live", "live", "L"),
)}  # fmt: skip
SIGNING_SECRET = "whsec_" + "S" * 43
APP_SECRET = "app-secret-of-the-fuzzer"
VERIFY_TOKEN = "verify-token-of-the-fuzzer"
# Sessions of the portal: an owner, an operator, and an owner who may lose all rights.
SESSION, OPERATOR, LEAVER = "s" * 43, "o" * 43, "v" * 43
PHONE_NUMBER_ID, WABA_ID = "106540352242922", "102290129340398"
NUMBER, LIVE_NUMBER = "972555000001", "972555000002"
ENV = {
    "TIDINGS_APP_SECRET": APP_SECRET,
    "TIDINGS_VERIFY_TOKEN": VERIFY_TOKEN,
    "TIDINGS_GRAPH_URL": "http://127.0.0.1:9",  # the platform is away: no call leaves this machine
    "TIDINGS_MASTER_KEY": base64.b64encode(b"m" * 32).decode(),
    "TIDINGS_ALLOW_PRIVATE_WEBHOOKS": "false",
}
HOOKS = "proof.fuzz.st_hooks"  # what schemathesis loads,
COUNTS = "TIDINGS_FUZZ_COUNTS"  # and the variable that says where it counts
INVOICE = """
[[accounts.invoices]]
number = "INV-0001"
kind = "PACKAGE"
lines = [ { description = "Package", quantity = 1, unitPrice = "100.00" } ]
issuedAt = "2026-01-01T00:00:00Z"
dueAt = "2096-01-01T00:00:00Z"
status = "OPEN"
"""
CODE = """
[[accounts.templates]]
name = "code"
category = "AUTHENTICATION"
"""
LINK_BUTTON = """
[[accounts.templates]]
name = "menu"
body = "Our menu"
buttons = [ { type = "URL", text = "Open", url = "http://127.0.0.1:8080/r/{{1}}" } ]
"""


def _account(name: str, more: str = "", *, numbers: str = "", **fields: str) -> str:
    environment = "live" if name == "live" else "sandbox"
    values = {"name": name, "environment": environment, "apiKey": KEYS[name],
              "signingSecret": SIGNING_SECRET, "organisation": name} | fields  # fmt: skip
    head = "\n".join(f'{key} = "{value}"' for key, value in values.items())
    numbers = numbers or f'[[accounts.numbers]]\nnumber = "{NUMBER}"\nperSecond = 1000\n'
    return f"[[accounts]]\n{head}\nrequestsPerMinute = 1000000\n{more}\n{numbers}"


def declaration() -> str:
    """The file of `tidings apply`."""
    draft = form_toml("draft", approved=False, published=False)
    rich = TEMPLATES + CODE + LINK_BUTTON + form_toml() + draft + INVOICE
    partner = 'partner = { ratePerMessage = "0.05", creditLimit = "1000000.00", currency = "ILS" }'
    live = (
        f'[[accounts.numbers]]\nnumber = "{LIVE_NUMBER}"\nphoneNumberId = "{PHONE_NUMBER_ID}"\n'
        f'wabaId = "{WABA_ID}"\naccessToken = "none"\n'
    )
    return "\n".join([
        _account("acme", defaultTemplate="invite", billingMode="OFF") + rich,
        _account("partner", partner),
        _account("timer", billingMode="OFF") + TEMPLATES + INVOICE,
        _account("pages", billingMode="OFF") + rich,
        _account("live", numbers=live, billingMode="OFF"),
    ])  # fmt: skip
