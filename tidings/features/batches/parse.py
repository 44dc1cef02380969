"""Parse POST /messages/bulk (4.3) into message requests; each item is refused on its own. Pure.

Also the empty body of POST /batches/{batchId}/cancel (4.9).
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

    # Fields are refused: a caller who tries to cancel some messages must not cancel them all.


class RejectedItem(msgspec.Struct, frozen=True, rename="camel"):
    """An item that was refused, as the bulk result shows it."""

    index: int
    client_message_id: str | None
    code: str
    message: str


@dataclass(slots=True)
class ParsedBatch:
    """The valid items of a batch by index, and the refused ones."""

    batch_id: UUID = field(default_factory=ids.new_id)
    requests: dict[int, MessageRequest] = field(default_factory=dict)
    rejected: list[RejectedItem] = field(default_factory=list)


def bulk(account: Account, body: BulkBody) -> Steps[ParsedBatch]:
    """Parse every item as POST /messages/text does; the envelope provides defaults. A generator,
    because a thousand items, or a few large ones, would block the event loop for too long."""
    if len(body.messages) > ITEMS_MAX:
        yield from _require_size(body.messages)
    policy = None if body.from_policy is UNSET else require_policy(body.from_policy)
    event_id = None if body.event_id is UNSET else body.event_id
    parsed, media, explain_bytes = ParsedBatch(), 0, limits.BATCH_FAULTS_BYTES_MAX
    for index, raw in enumerate(body.messages):
        try:
            path = f"messages[{index}]"
            if wire.is_large_item(raw):
                item = yield from wire.decode_item_steps(TextBody, raw, path)
            else:
                item = wire.decode_item(TextBody, raw, path, explained=explain_bytes > 0)
            request = _request(account, item, path, event_id, parsed.batch_id)
        except ApiError as error:
            hint = yield from _find_hint(raw)
            media += hint.has_media
            explain_bytes -= len(memoryview(raw))
            parsed.rejected.append(RejectedItem(index, hint.id, error.code.name, error.message))
            continue
        media += request.media is not None
        if policy is not None and request.from_policy is None:
            request = replace(request, from_policy=policy)
        parsed.requests[index] = request
        yield
    rules.require_size(len(body.messages) - media, media)
    return parsed


def _require_size(items: list[msgspec.Raw]) -> Steps[None]:
    """Refuse a batch with too many items before parsing any. Items are only scanned for media, to
    report the limit that was exceeded."""
    media = 0
    for raw in items:
        hint = yield from _find_hint(raw)
        media += hint.has_media
    rules.require_size(len(items) - media, media)


def _request(
    account: Account, item: TextBody, path: str, event_id: str | None, batch_id: UUID
) -> MessageRequest:
    if item.event_id is UNSET and event_id is not None:
        item.event_id = event_id
    try:
        return text.parse_text(account, item, batch_id)
    except ApiError as error:
        raise with_path(error, path) from None


def with_path(error: ApiError, path: str) -> ApiError:
    """The same refusal with the full path of its field, also in the message."""
    if error.field is None or error.field.startswith(path):
        return error
    full_path = f"{path}.{error.field}"
    named = error.message.startswith(error.field)
    text = f"{path}.{error.message}" if named else f"{full_path}: {error.message}"
    located = ApiError(error.code, text, field=full_path)
    located.extra = error.extra
    return located


class _Hint(msgspec.Struct, rename="camel"):
    """What is reported of a refused item: its id, and whether it has media."""

    client_message_id: msgspec.Raw | UnsetType = UNSET
    media_base64: msgspec.Raw | UnsetType = UNSET
    media_id: msgspec.Raw | UnsetType = UNSET

    @property
    def id(self) -> str | None:
        """The caller's id of the item, truncated if it is far too long."""
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
