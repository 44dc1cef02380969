"""Reads the body of a callback into its items (platform.md, section 6). Pure.

A body has several entries, each with several changes, each with several messages or statuses. Items
are read independently: one that cannot be read becomes `Unparsable` and does not affect the others.
`raw` is the item as a callback body of its own, so that `read` can process it again.
"""

from collections.abc import Iterator
from datetime import datetime

import msgspec

from tidings.platforms.port import Callback, InboundMessage, StatusUpdate

from .account_updates import AccountUpdate, is_account_update, read_account_update
from .callback_items import read_message, read_status
from .values import Unreadable, identifier, phone, short, timestamp

MESSAGES = "messages"
STATUSES = "statuses"
PREFERENCES = "user_preferences"
MARKETING = "marketing_messages"
PREFERENCE_VALUES = {"stop": False, "resume": True}  # "signup" is a separate consent


class MessageCallback(msgspec.Struct, frozen=True):
    """An inbound message or a status, and the phone number of ours that it concerns."""

    phone_number_id: str
    callback: Callback
    raw: bytes
    may_wait: bool = True  # until the send is recorded that it is about


class MarketingPreference(msgspec.Struct, frozen=True):
    """A person asked the platform to stop our marketing messages, or to resume them."""

    phone_number_id: str
    person: str
    wanted: bool
    at: datetime
    raw: bytes


class Unparsable(msgspec.Struct, frozen=True):
    """An item that cannot be read."""

    why: str
    raw: bytes


class Ignored(msgspec.Struct, frozen=True):
    """An item that does not concern us."""

    what: str


CallbackItem = MessageCallback | MarketingPreference | AccountUpdate | Unparsable | Ignored


class _Body(msgspec.Struct):
    entry: list[msgspec.Raw]


class _Entry(msgspec.Struct):
    changes: list[msgspec.Raw]
    id: object = None


class _Change(msgspec.Struct):
    field: str
    value: msgspec.Raw


class _Metadata(msgspec.Struct):
    phone_number_id: object = None


class _Value(msgspec.Struct):
    metadata: _Metadata
    contacts: object = None
    messages: list[msgspec.Raw] | None = None
    statuses: list[msgspec.Raw] | None = None
    errors: object = None
    user_preferences: list[msgspec.Raw] | None = None


class _Preference(msgspec.Struct):
    wa_id: object = None
    category: str = ""
    value: str = ""
    timestamp: object = None


_decode_body = msgspec.json.Decoder(_Body).decode
_decode_entry = msgspec.json.Decoder(_Entry).decode
_decode_change = msgspec.json.Decoder(_Change).decode
_decode_value = msgspec.json.Decoder(_Value).decode
_decode_preference = msgspec.json.Decoder(_Preference).decode
_decode_any = msgspec.json.Decoder().decode

_READ_ERRORS = (msgspec.MsgspecError, Unreadable, UnicodeDecodeError, RecursionError)


def read(body: bytes) -> list[CallbackItem]:
    """The items of a body, in order."""
    try:
        body.decode()  # msgspec.Raw does not validate the encoding of strings
        entries = _decode_body(body).entry
    except _READ_ERRORS as fault:
        return [Unparsable(_why(fault), body)]
    return [item for entry in entries for item in _read_entry(bytes(entry))]


def _read_entry(raw: bytes) -> Iterator[CallbackItem]:
    try:
        entry = _decode_entry(raw)
        owner = short(entry.id) or ""
    except _READ_ERRORS as fault:
        yield Unparsable(_why(fault), b'{"entry":[%b]}' % raw)
        return
    for change in entry.changes:
        yield from _read_change(owner, bytes(change))


def _read_change(owner: str, raw: bytes) -> Iterator[CallbackItem]:
    whole = _body(owner, raw)
    try:
        change = _decode_change(raw)
        if change.field in (MESSAGES, PREFERENCES):
            value = _decode_value(change.value)
            number = identifier(value.metadata.phone_number_id, "metadata.phone_number_id")
        elif is_account_update(change.field):
            yield read_account_update(owner, change.field, _decode_any(change.value), whole)
            return
        else:
            yield Ignored(change.field[:64])
            return
    except _READ_ERRORS as fault:
        yield Unparsable(_why(fault), whole)
        return
    reader = _ItemReader(owner, number, value.contacts)
    for kind in (STATUSES, MESSAGES, PREFERENCES):
        for item in getattr(value, kind) or ():
            yield reader.read(kind, bytes(item))
    if value.errors:
        yield AccountUpdate((owner,) if owner else (), "errors", raw=whole)


class _ItemReader:
    """Reads the items of one change."""

    __slots__ = ("_contacts", "_number", "_owner")

    def __init__(self, owner: str, number: str, contacts: object) -> None:
        self._owner = owner
        self._number = number
        self._contacts = contacts

    def read(self, kind: str, raw: bytes) -> CallbackItem:
        try:
            return self._read(kind, raw)
        except _READ_ERRORS as fault:
            return Unparsable(_why(fault), self._whole(kind, raw))

    def _read(self, kind: str, raw: bytes) -> CallbackItem:
        if kind == PREFERENCES:
            return self._preference(raw)
        found: StatusUpdate | InboundMessage | None
        found = read_status(raw) if kind == STATUSES else read_message(raw, self._contacts)
        if found is None:
            return Ignored(kind)
        return MessageCallback(self._number, found, self._whole(kind, raw))

    def _preference(self, raw: bytes) -> CallbackItem:
        found = _decode_preference(raw)
        wanted = PREFERENCE_VALUES.get(found.value)
        person = phone(found.wa_id)
        if wanted is None or person is None or found.category != MARKETING:
            return Ignored(PREFERENCES)
        whole = self._whole(PREFERENCES, raw)
        return MarketingPreference(self._number, person, wanted, timestamp(found.timestamp), whole)

    def _whole(self, kind: str, raw: bytes) -> bytes:
        """The item as a body of its own, with the fields that reading it requires."""
        field = PREFERENCES if kind == PREFERENCES else MESSAGES
        contacts = b""
        if kind == MESSAGES and self._contacts is not None:
            contacts = b'"contacts":%b,' % msgspec.json.encode(self._contacts)
        metadata = msgspec.json.encode({"phone_number_id": self._number})
        value = b'{"metadata":%b,%b"%b":[%b]}' % (metadata, contacts, kind.encode(), raw)
        return _body(self._owner, b'{"field":"%b","value":%b}' % (field.encode(), value))


def _body(owner: str, change: bytes) -> bytes:
    head = msgspec.json.encode(owner)
    return b'{"object":"whatsapp_business_account","entry":[{"id":%b,"changes":[%b]}]}' % (
        head,
        change,
    )


def _why(fault: Exception) -> str:
    return str(fault)[:200] or type(fault).__name__
