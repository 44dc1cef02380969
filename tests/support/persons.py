"""A person of whom everything is known, and a search for what is left of them."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from tests.support.billing import subscription
from tests.support.forms import fill, form_toml, sent
from tests.support.invitations import invite, register
from tests.support.media import png, uploaded
from tests.support.service import TestAccount, TestService
from tidings import times
from tidings.features.audit.record import Actor
from tidings.features.privacy.erase import erase_person, resume
from tidings.features.privacy.model import Erased

PERSON = "972541112233"
NAME = "Avigayil"  # stands in texts only
COMMAND = Actor("command", "tests")


def known_account(service: TestService, **fields: Any) -> TestAccount:
    toml = subscription(unique=50, followup=50) + form_toml()
    return service.account(toml, **fields)


def fill_in(account: TestAccount, to: str = PERSON) -> None:
    """Messages of all kinds, replies, a file each way, a form, a link."""
    register(account)
    media = uploaded(account, png(3, 5), filename=f"{NAME}.png")
    _ok(account.send(clientMessageId=f"hello-{to}", to=f"00{to}", templateName="hello",
                     templateParams=[NAME], meta={"guest": NAME}))  # fmt: skip
    _ok(account.post("/links", {"url": f"https://example.com/{NAME}",
                                "clientMessageId": f"hello-{to}"}))  # fmt: skip
    invite(account, f"invite-{to}", to, templateParams=[NAME, "Sunday"])
    account.reply(to, f"Who is asking? {NAME}")
    _ok(account.send(clientMessageId=f"photo-{to}", to=to, mediaId=media, type="image",
                     message=f"For {NAME}"))  # fmt: skip
    _ok(account.post("/sandbox/v1/replies",
                     {"from": to, "media": {"type": "image", "caption": NAME}}))  # fmt: skip
    sent(account, to, clientMessageId=f"visit-{to}")
    account.advance(seconds=5)
    fill(account, {"q1": 5, "q2": "Fish", "q3": ["Food"], "q4": f"Thanks, {NAME}"}, to)


def schedule(account: TestAccount, to: str = PERSON, cid: str = "later-0001") -> None:
    """Later than any test moves the account's clock."""
    at = times.to_wire(account.service.clock.now() + timedelta(days=200))
    answer = account.send(clientMessageId=cid, to=to, templateName="hello", templateParams=[NAME],
                          scheduledFor=at)  # fmt: skip
    _ok(answer)


def erase(account: TestAccount, phone: str = PERSON) -> Erased:
    ctx = account.service.ctx
    return account.service.call(lambda: erase_person(ctx, UUID(str(account.id)), phone, COMMAND))


def finish(service: TestService) -> None:
    """Half a minute later: calls that were logged late are looked through, the number forgotten."""
    service.call(service.service.recorder.flush)
    service.sql("UPDATE erasures SET requested_at = requested_at - interval '1 minute'")
    service.call(lambda: resume(service.ctx))


def text_columns(service: TestService) -> list[tuple[str, str, str]]:
    """Every column of the database that can hold words: table, name, type."""
    rows = service.sql(
        """
        SELECT table_name, column_name, data_type FROM information_schema.columns
         WHERE table_schema = 'public'
           AND NOT (SELECT relispartition FROM pg_class WHERE oid = table_name::text::regclass)
           AND data_type IN ('text', 'json', 'jsonb', 'bytea', 'ARRAY', 'character varying')
        """
    )
    return [(row["table_name"], row["column_name"], row["data_type"]) for row in rows]


def places_of(account: TestAccount, word: str) -> set[str]:
    """Every column in which a word stands, as `table.column`: in rows of the account, and in all
    rows of tables that know no account."""
    columns = text_columns(account.service)
    query = "SELECT table_name FROM information_schema.columns WHERE column_name = 'account_id'"
    owned = {row["table_name"] for row in account.service.sql(query)}
    found = set()
    for table, name, kind in columns:
        text = f"encode({name}, 'escape')" if kind == "bytea" else f"{name}::text"
        owner = "account_id" if table in owned else "$2"
        sql = f"SELECT 1 FROM {table} WHERE {owner} = $2::uuid AND position($1 IN {text}) > 0"
        if account.service.sql(sql, word, UUID(str(account.id))):
            found.add(f"{table}.{name}")
    return found


def _ok(answer: Any) -> None:
    assert answer.status_code in (200, 201, 202), answer.text
