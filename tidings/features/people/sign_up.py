"""Sign up: an organisation, its owner, and a sandbox account that can send at once.

The account is made by the verbs of `tidings apply`. Its name and the organisation's handle have a
random end: nobody can take a name that an operator's file will use later.
"""

import re
import secrets

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.http.client_address import network_of
from tidings.errors import ApiError
from tidings.features.accounts.configure import configure as configure_account
from tidings.features.accounts.model import AccountSpec
from tidings.features.accounts.organisations import make_organisation
from tidings.features.billing.subscriptions.subscribe import configure as configure_subscription
from tidings.features.senders.configure import configure as configure_numbers
from tidings.features.senders.model import NumberSpec
from tidings.features.templates.lookup import configure as configure_templates
from tidings.features.templates.model import Template, TemplateButton
from tidings.ids import new_id

from . import attempts, member_store, person_store
from .passwords import hash_new
from .recording import actor_of, record_person
from .roles import Role
from .rules import PeopleCode, require_email, require_organisation
from .sign_in import Browser, SignedIn, enter

NUMBER = NumberSpec(number="972555000001", display_name="Sandbox")
SUBSCRIPTION = {
    "package": "Sandbox",
    "billingType": "PACKAGE",
    "unique": 100_000,
    "followup": 100_000,
    "currency": "ILS",
    "vatPct": "0",
}
TEMPLATES = [
    Template("hello", "en", "UTILITY", "APPROVED", body="Hello {{1}}, welcome to Tidings!"),
    Template(
        "invite",
        "en",
        "UTILITY",
        "APPROVED",
        body="Hi {{1}}, will you join us on {{2}}?",
        buttons=(TemplateButton("QUICK_REPLY", "Yes"), TemplateButton("QUICK_REPLY", "No")),
    ),
    Template(
        "code",
        "en",
        "AUTHENTICATION",
        "APPROVED",
        body="{{1}} is your verification code.",
        buttons=(TemplateButton("COPY_CODE", "Copy code"),),
    ),
]
HANDLE_CHARS_MAX = 40
SUFFIX_LETTERS, SUFFIX_CHARS = "abcdefghjkmnpqrstuvwxyz23456789", 5


async def sign_up(
    ctx: Context, organisation: str, email: str, password: str, browser: Browser
) -> SignedIn:
    """Everything in one transaction: whoever is refused has nothing half made."""
    name, email = require_organisation(organisation), require_email(email)
    await ctx.db.transact(
        lambda tx: attempts.count(tx, (attempts.SIGN_UP, network_of(browser.address)))
    )
    hashed = await hash_new(ctx, password, email, name)

    async def work(tx: Tx) -> SignedIn:
        person_id = new_id()
        if not await person_store.insert(tx, person_id, email, hashed):
            raise ApiError(PeopleCode.PERSON_EXISTS, field="email")
        handle = _handle(name)
        organisation_id = await make_organisation(tx, handle, name)
        await member_store.put(tx, organisation_id, person_id, Role.OWNER)
        await _make_account(tx, ctx, handle)
        person = await person_store.load(tx, person_id)
        actor = actor_of(person.person, browser.address)
        await record_person(tx, actor, "organisation.signed_up", person_id, email, name=name)
        return await enter(tx, person, browser)

    return await ctx.db.transact(work)


async def _make_account(tx: Tx, ctx: Context, handle: str) -> None:
    sections = {"subscription": SUBSCRIPTION}
    spec = AccountSpec(
        name=handle,
        environment="sandbox",
        organisation=handle,
        default_template="invite",
        declared=sections,
    )
    made = await configure_account(tx, ctx.sealer, spec)
    await configure_numbers(tx, ctx.sealer, made.id, [NUMBER])
    await configure_templates(tx, made.id, TEMPLATES)
    await configure_subscription(tx, made.id, sections)


def _handle(name: str) -> str:
    """The name in small letters and digits, with an end of its own."""
    words = re.findall(r"[a-z0-9]+", name.lower())
    start = "-".join(words)[:HANDLE_CHARS_MAX].strip("-") or "sandbox"
    end = "".join(secrets.choice(SUFFIX_LETTERS) for _ in range(SUFFIX_CHARS))
    return f"{start}-{end}"
