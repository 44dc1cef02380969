"""Add, change and remove one template of a sandbox account by hand; the others stay as they are."""

from typing import NamedTuple

from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code

from .edit import Edited
from .edit_table import Editor, Entries, edit_table
from .form_values import Read, to_template

TABLE = "templates"


class TemplateKey(NamedTuple):
    """What a template is known by."""

    name: str
    language: str


async def put_template(tx: Tx, editor: Editor, read: Read, known: TemplateKey | None) -> Edited:
    """The template that the form describes: a new one, or `known` changed."""

    def change(entries: Entries) -> Entries:
        changed = to_template(read)
        if known is not None:
            at = _find(entries, known)
            return [*entries[:at], changed | known._asdict(), *entries[at + 1 :]]
        if any(_key(one) == _key(changed) for one in entries):
            problem = "there is such a template in this language already; change that one"
            raise ApiError(Code.VALIDATION_ERROR, problem, field="name")
        return [*entries, changed]

    return await edit_table(tx, editor, TABLE, change)


async def remove_template(tx: Tx, editor: Editor, known: TemplateKey) -> Edited:
    def change(entries: Entries) -> Entries:
        at = _find(entries, known)
        return [*entries[:at], *entries[at + 1 :]]

    return await edit_table(tx, editor, TABLE, change)


def _find(entries: Entries, known: TemplateKey) -> int:
    for index, one in enumerate(entries):
        if _key(one) == known:
            return index
    raise ApiError(Code.NOT_FOUND, "the account has no such template")


def _key(entry: dict[str, object]) -> TemplateKey:
    return TemplateKey(str(entry.get("name", "")), str(entry.get("language", "en")))
