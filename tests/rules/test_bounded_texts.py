"""Every text that a caller can send has a maximum, in its type or by the rule that reads it (8)."""

from collections.abc import Iterator

from msgspec import inspect

from tidings import routes

# Read by a rule of their own, which bounds them: numbers, times, URLs, files and words of a list.
READ = {
    "to", "from", "sentFrom", "numbers[]", "number",
    "kind", "type", "quality", "status",
    "expiresAt", "scheduledFor", "deadline", "eventDate", "transferDate", "since", "until",
    "url", "buttonUrl", "callbackUrl",
    "mediaBase64", "headerImage",
    "code", "reference",
    "batchId",  # an id, or it is of no batch
    "a", "e", "s",  # of a signed link: a query, which the head of a request bounds
}  # fmt: skip


def unbounded(kind: inspect.Type, path: str = "") -> Iterator[str]:
    if isinstance(kind, inspect.Metadata):
        yield from unbounded(kind.type, path)
    elif isinstance(kind, inspect.UnionType):
        for part in kind.types:
            yield from unbounded(part, path)
    elif isinstance(kind, inspect.StrType) and kind.max_length is None:
        yield path
    elif isinstance(kind, inspect.ListType):
        yield from unbounded(kind.item_type, f"{path}[]")
    elif isinstance(kind, inspect.DictType):
        yield from unbounded(kind.key_type, f"{path}{{}}")
        yield from unbounded(kind.value_type, f"{path}{{}}")
    elif isinstance(kind, inspect.StructType):
        for field in kind.fields:
            yield from unbounded(field.type, field.encode_name)


def test_every_text_has_a_maximum():
    given = [
        struct
        for route in [*routes.API, *routes.EXTENSIONS]
        for struct in (route.body, route.query)
        if struct
    ]
    assert len(given) > 20
    found = {name for struct in given for name in unbounded(inspect.type_info(struct))}
    assert found <= READ
    assert "mediaBase64" in found
