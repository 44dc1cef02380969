"""The templates table. The only file that knows its columns."""

from collections.abc import Sequence
from dataclasses import fields
from uuid import UUID

import msgspec

from tidings.engine.db.tx import Row, Tx

from .model import Template, TemplateButton

COLUMNS = """
    account_id, name, language, category, status, header, header_text, body, footer,
    buttons::text AS buttons, problem, names::text AS names
"""
NAMES = msgspec.json.Decoder(tuple[str, ...])
BUTTONS = msgspec.json.Decoder(tuple[TemplateButton, ...])


async def load_all(tx: Tx, account_id: UUID) -> list[Template]:
    """Every template of an account, by name and language."""
    return (await load_of_accounts(tx, [account_id]))[account_id]


async def load_of_accounts(tx: Tx, account_ids: Sequence[UUID]) -> dict[UUID, list[Template]]:
    """The same of several accounts. Every given id has an entry."""
    rows = await tx.rows(
        f"""
        SELECT {COLUMNS} FROM templates WHERE account_id = ANY($1::uuid[])
         ORDER BY account_id, name, language
        """,
        list(account_ids),
    )
    found: dict[UUID, list[Template]] = {account_id: [] for account_id in account_ids}
    for row in rows:
        found[row["account_id"]].append(_template(row))
    return found


async def replace(tx: Tx, account_id: UUID, templates: Sequence[Template]) -> None:
    """Replace all templates of the account."""
    await tx.run("DELETE FROM templates WHERE account_id = $1", account_id)
    await tx.run(
        """
        INSERT INTO templates (account_id, name, language, category, status, header, header_text,
               body, footer, buttons, problem, names)
        SELECT $1, name, language, category, status, header, header_text, body, footer,
               buttons::jsonb, problem, names::jsonb
          FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
                      $8::text[], $9::text[], $10::text[], $11::text[], $12::text[])
               AS t (name, language, category, status, header, header_text, body, footer, buttons,
                     problem, names)
        """,
        account_id,
        *([_stored(template, f.name) for template in templates] for f in fields(Template)),
    )


def _stored(template: Template, column: str) -> str | None:
    value = getattr(template, column)
    if isinstance(value, tuple):
        return msgspec.json.encode(value).decode()
    assert value is None or isinstance(value, str), column
    return value


async def change(
    tx: Tx,
    account_id: UUID,
    name: str,
    language: str,
    *,
    status: str | None = None,
    category: str | None = None,
) -> bool:
    """Set what is given. False: there is no such template, or nothing changed."""
    changed = await tx.run(
        """
        UPDATE templates SET status = coalesce($4, status), category = coalesce($5, category)
         WHERE account_id = $1 AND name = $2 AND language = $3
           AND (status <> coalesce($4, status) OR category <> coalesce($5, category))
        """,
        account_id,
        name,
        language,
        status,
        category,
    )
    return changed > 0


def _template(row: Row) -> Template:
    values = dict(row)
    del values["account_id"]
    values["buttons"] = BUTTONS.decode(values["buttons"])
    values["names"] = NAMES.decode(values["names"])
    return Template(**values)
