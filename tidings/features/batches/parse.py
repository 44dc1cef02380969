"""From the JSON of POST /messages/bulk (4.3) to wanted messages; each item fails alone. Pure.

And the body that POST /batches/{batchId}/cancel (4.9) does not have.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from tidings import ids, limits
from tidings.engine.http import fields as wire
from tidings.engine.http.outline import Steps
from tidings.errors import ApiError, Code, ErrorCode
from tidings.features.accounts.model import Account
from tidings.features.messages.model import MessageRequest
from tidings.features.messages.request import text
from tidings.features.messages.request.fields import EventRef, FromPolicy
from tidings.features.messages.request.text import TextBody
from tidings.features.senders.number_selection import require_policy

from . import rules
from .rules import BatchCode

OWN = frozenset({"eventId", "fromPolicy"})  # fields that both a message and the envelope have
SHOWN_ID_CHARS = 256
ITEMS_MAX = limits.BATCH_TEXT_MESSAGES_MAX + limits.BATCH_MEDIA_MESSAGES_MAX


class BulkBody(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """POST /messages/bulk"""

    messages: Annotated[
        list[msgspec.Raw],
        Meta(
            min_length=1,
            description="At most 1000 text and 50 media messages, each with the fields of "
            "POST /messages/text.",
            extra_json_schema={"items": {"$ref": "#/components/schemas/TextBody"}},
        ),
    ]
    batch_name: (
        Annotated[str, Meta(min_length=1, max_length=limits.BATCH_NAME_CHARS_MAX)] | UnsetType
    ) = UNSET
    event_id: Annotated[EventRef, Meta(description="For items that name none.")] | UnsetType = UNSET
    from_policy: FromPolicy | UnsetType = UNSET

    TOO_LONG: ClassVar = Code.BATCH_TOO_LARGE
    MISPLACED: ClassVar[Mapping[str, ErrorCode]] = {
        name.encode_name: BatchCode.FIELD_NOT_ALLOWED_IN_BULK
        for name in msgspec.structs.fields(TextBody)
        if name.encode_name not in OWN
    }


class CancelBody(msgspec.Struct, forbid_unknown_fields=True):
    """POST /batches/{batchId}/cancel: an empty object, or no body at all."""

    # Known so that others are refused: who wishes to cancel some messages must not cancel them all.


class RejectedItem(msgspec.Struct, frozen=True, rename="camel"):
    """An item that was refused, as the bulk result shows it."""

    index: int
    client_message_id: str | None
    code: str
    message: str


@dataclass(slots=True)
class Parsed:
    """The items of a batch: what may be sent, and what is refused already, by index."""

    batch_id: UUID = field(default_factory=ids.new_id)
    wanted: dict[int, MessageRequest] = field(default_factory=dict)
    rejected: list[RejectedItem] = field(default_factory=list)


def bulk(account: Account, body: BulkBody) -> Steps[Parsed]:
    """Every item as POST /messages/text would read it; the envelope fills what items leave out.
    In steps: a thousand items, or a few large ones, take longer than the event loop may stand."""
    if len(body.messages) > ITEMS_MAX:
        yield from _require_size(body.messages)
    policy = None if body.from_policy is UNSET else require_policy(body.from_policy)
    event_id = None if body.event_id is UNSET else body.event_id
    parsed, media, room = Parsed(), 0, limits.BATCH_FAULTS_BYTES_MAX
    for index, raw in enumerate(body.messages):
        try:
            path = f"messages[{index}]"
            if wire.is_large_item(raw):
                item = yield from wire.decode_item_steps(TextBody, raw, path)
            else:
                item = wire.decode_item(TextBody, raw, path, explained=room > 0)
            wanted = _wanted(account, item, path, event_id, parsed.batch_id)
        except ApiError as error:
            hint = yield from _find_hint(raw)
            media += hint.has_media
            room -= len(memoryview(raw))
            parsed.rejected.append(RejectedItem(index, hint.id, error.code.name, error.message))
            continue
        media += wanted.media is not None
        if policy is not None and wanted.from_policy is None:
            wanted = replace(wanted, from_policy=policy)
        parsed.wanted[index] = wanted
        yield
    rules.require_size(len(body.messages) - media, media)
    return parsed


def _require_size(items: list[msgspec.Raw]) -> Steps[None]:
    """Of more than a batch can be, before an item of it is read: they are only skimmed for media,
    so that the limit that is told is the one that was passed."""
    media = 0
    for raw in items:
        hint = yield from _find_hint(raw)
        media += hint.has_media
    rules.require_size(len(items) - media, media)


def _wanted(
    account: Account, item: TextBody, path: str, event_id: str | None, batch_id: UUID
) -> MessageRequest:
    if item.event_id is UNSET and event_id is not None:
        item.event_id = event_id
    try:
        return text.parse_text(account, item, batch_id)
    except ApiError as error:
        raise placed(error, path) from None


def placed(error: ApiError, path: str) -> ApiError:
    """The same refusal, with its field's whole path, also in its words."""
    if error.field is None or error.field.startswith(path):
        return error
    place = f"{path}.{error.field}"
    named = error.message.startswith(error.field)
    text = f"{path}.{error.message}" if named else f"{place}: {error.message}"
    there = ApiError(error.code, text, field=place)
    there.extra = error.extra
    return there


class _Hint(msgspec.Struct, rename="camel"):
    """What can still be read of an item that is refused: who it is, and whether it has media."""

    client_message_id: msgspec.Raw | UnsetType = UNSET
    media_base64: msgspec.Raw | UnsetType = UNSET
    media_id: msgspec.Raw | UnsetType = UNSET

    @property
    def id(self) -> str | None:
        """The caller's id, to find the item again by; cut where it is far too long."""
        try:
            found = msgspec.json.decode(self.client_message_id or b"null", type=str | None)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return None
        if found is None or len(found) <= SHOWN_ID_CHARS:
            return found
        return found[:SHOWN_ID_CHARS] + "…"

    @property
    def has_media(self) -> bool:
        return self.media_base64 is not UNSET or self.media_id is not UNSET


def _find_hint(raw: msgspec.Raw) -> Steps[_Hint]:
    yield
    if wire.is_large_item(raw):
        return msgspec.convert((yield from wire.find_members(raw)), _Hint)
    try:
        return msgspec.json.decode(raw, type=_Hint)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return _Hint()
