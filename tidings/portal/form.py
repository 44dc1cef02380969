"""A posted form: its fields and files, bounded in size, and the errors to show beside them."""

import re
from collections.abc import Mapping
from typing import Any

from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import MultiPartException
from starlette.requests import Request

FIELDS_MAX = 1_000
FILES_MAX = 4

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


class FormTooLarge(Exception):
    """The posted form is larger than its page takes."""


class FormDamaged(Exception):
    """What was posted is no form, or has too many fields."""


class Form:
    """Fields by name. Empty on a page that is only read, until `fill` gives first values."""

    def __init__(self, posted: FormData | None = None) -> None:
        pairs = [] if posted is None else posted.multi_items()
        self.files: dict[str, UploadFile] = {
            name: value for name, value in pairs if isinstance(value, UploadFile)
        }
        self._fields: dict[str, list[str]] = {}
        for name, value in pairs:
            if isinstance(value, str):
                self._fields.setdefault(name, []).append(clean(value))
        self.errors: dict[str, str] = {}

    def __getitem__(self, name: str) -> str:
        """The field without space around it; empty where it was not given."""
        return self.raw(name).strip()

    def __contains__(self, name: str) -> bool:
        return name in self._fields

    def raw(self, name: str) -> str:
        return self._fields.get(name, [""])[0]

    def all(self, name: str) -> list[str]:
        return self._fields.get(name, [])

    def items(self) -> list[tuple[str, str]]:
        return [(name, value) for name, values in self._fields.items() for value in values]

    def fill(self, values: Mapping[str, object]) -> None:
        """First values for fields that were not posted."""
        for name, value in values.items():
            self._fields.setdefault(name, ["" if value is None else str(value)])

    def error(self, name: str, text: str) -> None:
        """Show this beside the field, or above the form where `name` is no field of it."""
        self.errors.setdefault(name, text)


async def read(request: Request, bytes_max: int) -> Form:
    """The form that a request posts. Raises FormTooLarge and FormDamaged."""
    declared = request.headers.get("content-length", "")
    if declared.isdigit() and int(declared) > bytes_max:
        raise FormTooLarge
    bounded = Request(request.scope, _bounded(request.receive, bytes_max))
    most = {"max_files": FILES_MAX, "max_fields": FIELDS_MAX, "max_part_size": bytes_max}
    try:
        return Form(await bounded.form(**most))
    except (MultiPartException, UnicodeError) as fault:  # also of an encoding that it names itself
        raise FormDamaged from fault


def clean(text: str) -> str:
    """PostgreSQL's texts cannot hold NUL, nor halves of characters."""
    return _UNSTORABLE.sub("\ufffd", text)


def _bounded(receive: Any, bytes_max: int) -> Any:
    size = 0

    async def bounded() -> Any:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > bytes_max:
            raise FormTooLarge
        return message

    return bounded
