"""Validation errors of the fields of a body, in words a caller can act on. Pure.

The slow path of `fields`, used only for what msgspec refused. The reported field is the first
invalid one in the struct's order, whatever the order in the document; unknown fields come first,
since a misspelt name explains a missing one.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import inspect

from tidings.engine.http.rules import name_of, rule_of
from tidings.errors import ApiError, Code, ErrorCode
from tidings.wording import SHOWN_CHARS_MAX, escaped, quote

_PLACE = re.compile(r" - at `(?:key in )?\$?([^`]*)`$")
_SOME_ENTRY = "[...]"
_INDICES = re.compile(r"(?:\[[0-9]+\])+")
_NAME_CHARS_MAX = 64
_NEAR_ENOUGH = 60


@dataclass(frozen=True, slots=True)
class Unread:
    """Placeholder for a value that is too large for its field and was not decoded."""

    size: int


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    encode_name: str
    type: inspect.Type
    decoder: msgspec.json.Decoder[Any]
    required: bool
    code: ErrorCode
    is_secret: bool
    rule: str


@lru_cache(maxsize=1024)
def describe(kind: type[msgspec.Struct]) -> tuple[Field, ...]:
    """The struct's fields in order, with the metadata of their annotations."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    assert info.forbid_unknown_fields, f"{kind.__name__} must forbid unknown fields"
    annotations = {field.name: field.type for field in msgspec.structs.fields(kind)}
    return tuple(_describe(field, annotations[field.name]) for field in info.fields)


def _describe(field: inspect.Field, annotation: Any) -> Field:
    bare, extra = _unwrap(field.type)
    return Field(
        name=field.name,
        encode_name=field.encode_name,
        type=bare,
        decoder=msgspec.json.Decoder(annotation),
        required=field.required,
        code=extra.get("code", Code.VALIDATION_ERROR),
        is_secret=bool(extra.get("secret")),
        rule=extra.get("rule") or rule_of(bare),
    )


def _unwrap(kind: inspect.Type) -> tuple[inspect.Type, dict[str, Any]]:
    if isinstance(kind, inspect.Metadata):
        return kind.type, kind.extra or {}
    if isinstance(kind, inspect.UnionType):
        extras = [_unwrap(part)[1] for part in kind.types]
        return kind, {name: value for extra in extras for name, value in extra.items()}
    return kind, {}


def in_fields(kind: type[msgspec.Struct], given: dict[str, Any], path: str) -> ApiError:
    """The error of the first invalid field of an object that does not match `kind`."""
    fields = describe(kind)
    names = [field.encode_name for field in fields]
    for name in given:
        if name not in names:
            return _misplaced(kind, name, path) or unknown_field(name, names, path)
    for field in fields:
        fault = _find_fault(field, given, path)
        if fault is not None:
            return fault
    # Of duplicate names only the last is visible here; the refused value was an earlier one.
    return of_body(path, "a field stands in it twice, once with an invalid value; give it once")


def _misplaced(kind: type[msgspec.Struct], name: str, path: str) -> ApiError | None:
    """A field that belongs elsewhere: a struct may list such names in `MISPLACED`."""
    code: ErrorCode | None = getattr(kind, "MISPLACED", {}).get(name)
    if code is None:
        return None
    place = join(path, name)
    return ApiError(code, f"`{place}`: {code.condition}; move it", field=place)


def _nearest(name: str, names: list[str]) -> str:
    """The closest known name; all of them if none is close enough."""
    from rapidfuzz import fuzz, process  # only for a misspelt name

    near, score, _ = process.extractOne(name, names, scorer=fuzz.ratio, processor=str.lower)
    if score >= _NEAR_ENOUGH:
        return f"did you mean `{near}`?"
    return f"the nearest is `{near}`; known are {', '.join(names)}"


def unknown_field(name: str, names: list[str], path: str) -> ApiError:
    shown = name_shown(name)
    hint = _nearest(shown, names) if names else "this call takes none"
    text = f"`{join(path, shown)}` is not a known field; {hint}"
    return ApiError(Code.VALIDATION_ERROR, text, field=join(path, shown))


def name_shown(name: str) -> str:
    """A name that the caller made up: shortened, and on one line."""
    return escaped(name if len(name) <= _NAME_CHARS_MAX else name[:_NAME_CHARS_MAX] + "…")


def _find_fault(field: Field, given: dict[str, Any], path: str) -> ApiError | None:
    place = join(path, field.encode_name)
    if field.encode_name not in given:
        if not field.required:
            return None
        return refusal(field, place, f"`{place}` is missing; give {field.rule}")
    value = given[field.encode_name]
    if isinstance(value, Unread):
        text = f"`{place}` is too large ({value.size:,} bytes); give {field.rule}"
        return refusal(field, place, text)
    fault = _misfit(field.decoder, value)
    if fault is None:
        return None
    if isinstance(value, msgspec.Raw):
        value = msgspec.json.decode(value)
    return _find_inner(field, value, place) or _refuse_value(field, value, place, fault)


def _misfit(decoder: msgspec.json.Decoder[Any], value: Any) -> str | None:
    """msgspec's error message for one value, or None."""
    try:
        decoder.decode(msgspec.json.encode(value))
    except msgspec.MsgspecError as fault:
        return str(fault)
    return None


def _find_inner(field: Field, value: Any, place: str) -> ApiError | None:
    """If the value is a struct or a list of structs: the invalid field inside it."""
    if field.code is not Code.VALIDATION_ERROR:
        return None
    for part in _parts(field.type):
        if isinstance(part, inspect.StructType) and isinstance(value, dict):
            return in_fields(part.cls, value, place)
        if isinstance(part, inspect.ListType) and isinstance(value, list):
            return _find_in_list(part.item_type, value, place)
    return None


def _find_in_list(item_type: inspect.Type, values: list[Any], place: str) -> ApiError | None:
    kind, _ = _unwrap(item_type)
    if not isinstance(kind, inspect.StructType):
        return None
    decoder = msgspec.json.Decoder(kind.cls)
    for index, item in enumerate(values):
        if _misfit(decoder, item) is not None:
            inner = f"{place}[{index}]"
            if isinstance(item, dict):
                return in_fields(kind.cls, item, inner)
            return of_body(inner, f"it must be a JSON object, got {name_of(item)}")
    return None


def _refuse_value(field: Field, value: Any, place: str, fault: str) -> ApiError:
    inside = _PLACE.search(fault)
    if inside and inside[1]:
        return _refuse_inside(field, value, place, inside[1])
    if value is None:
        text = f"`{place}` is null; leave it out or give {field.rule}"
    else:
        text = f"`{place}` must be {field.rule}, got {_shown(field, value)}"
    return refusal(field, place, text)


def _refuse_inside(field: Field, value: Any, place: str, steps: str) -> ApiError:
    """An invalid value in a list or an object, with its own rule. `steps` is its path in msgspec's
    notation (`[1][0]`, `[...]`); anything deeper in an object gets the whole field's rule."""
    kind = field.type
    name = _find_misfit(field, value) if steps == _SOME_ENTRY else None
    if name is not None:
        kind, value, place = _entry_type(kind), value[name], join(place, name_shown(name))
    elif _INDICES.fullmatch(steps):
        for index in map(int, steps[1:-1].split("][")):
            kind = _item_type(kind)
            value = value[index]
        place += steps
    else:
        return refusal(field, place, f"`{place}` must be {field.rule}, and all in it valid")
    text = f"`{place}` must be {rule_of(kind)}, got {_shown(field, value)}"
    return refusal(field, place, text)


def _find_misfit(field: Field, values: Any) -> str | None:
    """msgspec does not name the invalid entry, so each is tried alone. None if the invalid entry
    was the first of two with the same name: only the last is visible here."""
    names = values if isinstance(values, dict) else ()
    return next((name for name in names if _misfit(field.decoder, {name: values[name]})), None)


def _entry_type(kind: inspect.Type) -> inspect.Type:
    return next(part.value_type for part in _parts(kind) if isinstance(part, inspect.DictType))


def _item_type(kind: inspect.Type) -> inspect.Type:
    return next(part.item_type for part in _parts(kind) if isinstance(part, inspect.CollectionType))


def _parts(kind: inspect.Type) -> tuple[inspect.Type, ...]:
    """The members of a union, or the type itself."""
    bare, _ = _unwrap(kind)
    return bare.types if isinstance(bare, inspect.UnionType) else (bare,)


def refusal(field: Field, place: str, text: str) -> ApiError:
    return ApiError(field.code, text, field=place)


def _shown(field: Field, value: Any) -> str:
    if field.is_secret or value is None or isinstance(value, dict | list):
        size = f" of {len(value)}" if isinstance(value, list) else ""
        return name_of(value) + size
    if not isinstance(value, str):
        return f"{name_of(value)} {msgspec.json.encode(value).decode()[:SHOWN_CHARS_MAX]}"
    return quote(value)


def join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def of_body(path: str, fault: str) -> ApiError:
    place = path or "body"
    return ApiError(Code.VALIDATION_ERROR, f"{place}: {fault}", field=place)
