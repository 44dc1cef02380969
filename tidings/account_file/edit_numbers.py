"""Add, change, move and remove one number of an account by hand; the others stay as they are."""

from tidings import phone
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code

from .edit import Edited
from .edit_table import Editor, Entries, edit_table
from .form_values import Read, to_number

TABLE = "numbers"


async def put_number(tx: Tx, editor: Editor, read: Read) -> Edited:
    """The number that the form names, new or changed; an empty access token stays."""

    def change(entries: Entries) -> Entries:
        number = phone.find(read("number")) or read("number").strip()
        kept = next((one for one in entries if one["number"] == number), {})
        changed = to_number(read, kept)
        if kept:
            return [changed if one is kept else one for one in entries]
        return [*entries, changed]

    return await edit_table(tx, editor, TABLE, change)


async def prefer_number(tx: Tx, editor: Editor, number: str) -> Edited:
    """Make it the first: messages leave from the first numbers, where they can."""

    def change(entries: Entries) -> Entries:
        at = _find(entries, number)
        return [entries[at], *entries[:at], *entries[at + 1 :]]

    return await edit_table(tx, editor, TABLE, change)


async def remove_number(tx: Tx, editor: Editor, number: str) -> Edited:
    def change(entries: Entries) -> Entries:
        at = _find(entries, number)
        return [*entries[:at], *entries[at + 1 :]]

    return await edit_table(tx, editor, TABLE, change)


def _find(entries: Entries, number: str) -> int:
    for index, one in enumerate(entries):
        if one["number"] == number:
            return index
    raise ApiError(Code.NOT_FOUND, "the account has no such number")
