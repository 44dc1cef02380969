"""Generates the OpenAPI 3.1 document from the routes and structs that serve the API. Pure.

It covers every endpoint, field, limit, header, error and webhook. What no declaration says (the
order of chapters, the meaning of fields) is an argument.
"""

from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any

import msgspec

from tidings import limits
from tidings.engine.http import dry_run, idempotency_key
from tidings.engine.http import openapi_parts as parts
from tidings.engine.http import openapi_samples as samples
from tidings.engine.http.endpoint import Auth, Example, Route
from tidings.engine.http.faults import describe
from tidings.engine.http.openapi_client_samples import client_samples
from tidings.engine.http.openapi_schemas import Schemas, Words, capitalised, parameter
from tidings.engine.http.openapi_webhooks import Webhook, webhook
from tidings.errors import Code, ErrorCode

Json = dict[str, Any]

_KEYED = (Code.UNAUTHORIZED, Code.INVALID_API_KEY, Code.APP_INACTIVE, Code.RATE_LIMIT_EXCEEDED)
_ALWAYS = (Code.VALIDATION_ERROR, Code.INTERNAL_ERROR, Code.SERVICE_UNAVAILABLE)
_OWN = {Auth.PARTNER: (Code.NOT_A_PARTNER,), Auth.SANDBOX: (Code.NOT_FOUND,)}


def document(
    routes: Sequence[Route],
    *,
    title: str,
    version: str,
    server_url: str,
    webhooks: Sequence[Webhook] = (),
    words: Words | None = None,
) -> Json:
    """The whole document, in plain JSON types."""
    words = words or Words()
    codes = error_codes(routes)
    routes = _in_order(routes, words)
    schemas = Schemas(routes, [hook.data for hook in webhooks], words)
    writer = _Writer(schemas, server_url, words)
    paths: dict[str, Json] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = writer.operation(route)
    found: Json = {
        "openapi": "3.1.0",
        "info": {"title": title, "version": version, "description": parts.DESCRIPTION},
        "servers": [{"url": server_url}],
        "tags": _tags(routes, words.chapters),
        "paths": paths,
        "webhooks": {hook.name: webhook(hook, schemas) for hook in webhooks},
        "components": {
            "schemas": {**schemas.components, **parts.schemas(codes)},
            "responses": parts.RESPONSES,
            "headers": parts.HEADERS,
            "securitySchemes": {"key": parts.KEY},
        },
        "security": [{"key": []}],
        "x-errors": [
            {
                "code": code.name,
                "status": code.status,
                "condition": code.condition,
                "remedy": code.remedy,
                "docUrl": error_page(server_url, code),
            }
            for code in codes
        ],
    }
    plain: Json = msgspec.to_builtins(found)
    return plain


def error_codes(routes: Iterable[Route]) -> tuple[ErrorCode, ...]:
    """Every error code of the service: the common ones, then those of each route."""
    found: dict[ErrorCode, None] = dict.fromkeys(Code)
    for route in routes:
        found |= dict.fromkeys(_own_codes(route))
    return tuple(found)


def error_page(server_url: str, code: ErrorCode) -> str:
    return f"{server_url.rstrip('/')}/guide/errors/{code.name}"


def _in_order(routes: Sequence[Route], words: Words) -> list[Route]:
    """By chapter, and in it as `words.order` says; what that omits keeps its order behind."""
    chapters = {name: at for at, name in enumerate(words.chapters)}
    places = {name: at for at, name in enumerate(words.order)}

    def place(route: Route) -> tuple[int, int]:
        name = f"{route.method} {route.path}"
        return chapters.get(route.tag, len(chapters)), places.get(name, len(places))

    return sorted(routes, key=place)


def _tags(routes: Sequence[Route], described: Mapping[str, str]) -> list[Json]:
    names = dict.fromkeys(route.tag for route in routes if route.tag)
    return [
        {"name": tag} | ({"description": described[tag]} if tag in described else {})
        for tag in names
    ]


class _Writer:
    """Writes the operations of one document."""

    def __init__(
        self,
        schemas: Schemas,
        server_url: str,
        words: Words,
    ) -> None:
        self._schemas = schemas
        self._server_url = server_url
        self._words = words

    def operation(self, route: Route) -> Json:
        summary, _, more = (route.handle.__doc__ or "").strip().partition("\n")
        example = route.example
        operation: Json = {
            "operationId": _operation_id(route),
            "summary": summary.strip().removesuffix("."),
            "parameters": self._parameters(route),
            "responses": {
                **self._successes(route, example),
                **{str(status): _page(status) for status in route.page_statuses},
                **self._failures(route),
            },
            "x-codes": {
                str(status): [code.name for code in codes]
                for status, codes in _codes(route).items()
            },
        }
        if more.strip():
            operation["description"] = " ".join(more.split())
        if route.tag:
            operation["tags"] = [route.tag]
        if route.auth is Auth.NONE:
            operation["security"] = []
        if route.number is not None:
            operation["x-number"] = route.number
        if route.body is not None:
            operation["requestBody"] = self._request_body(route, example)
        if example is not None:
            operation["x-codeSamples"] = self._samples(route, example)
        return operation

    def _samples(self, route: Route, example: Example) -> list[Json]:
        source = samples.curl(route, example, self._server_url)
        found: list[Json] = [{"lang": "Shell", "label": "curl", "source": source}]
        method = self._words.methods.get(f"{route.method} {route.path}")
        if method is not None:
            found += client_samples(route, example, self._server_url, method)
        return found

    def _request_body(self, route: Route, example: Example | None) -> Json:
        content: Json = {"schema": self._schemas.of(route.body)}
        if example is not None and example.body is not None:
            content["example"] = example.body
        description = f"At most {limits.REQUEST_BYTES_MAX} bytes."
        if route.keyed_body is not None:
            description += f" {idempotency_key.OF_BODY}"
        return {
            "required": not route.body_optional,
            "description": description,
            "content": {"application/json": content},
        }

    def _parameters(self, route: Route) -> list[Json]:
        found: list[Json] = []
        before = ""
        for segment in route.path.split("/"):
            if segment.startswith("{"):
                found.append(self._path_parameter(before, segment[1:-1], route.example))
            before = segment
        if route.query is not None:
            properties, required = self._schemas.fields(route.query)
            shown = samples.query(route.example)
            for field, schema in properties.items():
                found.append(parameter(field, "query", schema, field in required, shown.get(field)))
        if route.dry_run or dry_run.has_none(route):
            header, text = dry_run.ANSWERED if route.dry_run else dry_run.REFUSED
            schema = {"type": "string", "pattern": dry_run.PATTERN, "description": text}
            found.append(parameter(header, "header", schema))
        if route.keyed_body is not None:
            found.append(self._idempotency_key(route))
        return found

    def _idempotency_key(self, route: Route) -> Json:
        """It has the rules of the field that it stands in for."""
        assert route.body is not None
        properties, _ = self._schemas.fields(route.body)
        schema = properties["clientMessageId"] | {"description": idempotency_key.DESCRIPTION}
        return parameter(idempotency_key.NAME, "header", schema)

    def _path_parameter(self, before: str, field: str, example: Example | None) -> Json:
        schema: Json = {"type": "string"}
        fields = self._words.fields
        known = fields.get(f"{before}/{{{field}}}") or fields.get(field)
        if known:
            schema["description"] = known
        shown = None if example is None else example.path.get(field)
        return parameter(field, "path", schema, required=True, example=shown)

    def _successes(self, route: Route, example: Example | None) -> Json:
        content = self._content(route)
        found: Json = {}
        for status in route.statuses:
            found[str(status)] = {
                "description": HTTPStatus(status).phrase,
                "headers": _headers(route),
                **content,
            }
        answer = None if example is None else samples.answer(example)
        if example is not None and answer is not None and content:
            schema = content["content"]["application/json"]
            shown = {"application/json": {**schema, "example": answer}}
            found[str(example.status)] |= {"content": content["content"] | shown}
        return found

    def _failures(self, route: Route) -> Json:
        """All failures share one response schema; the description lists this endpoint's codes."""
        return {
            str(status): {
                "$ref": "#/components/responses/Error",
                "description": "; ".join(
                    f"[`{code.name}`]({error_page(self._server_url, code)}): {code.condition}"
                    for code in codes
                ),
            }
            for status, codes in _codes(route).items()
        }

    def _content(self, route: Route) -> Json:
        """The envelope as a separate component, so that generators create one class for it."""
        if route.media_type:
            return {
                "content": {route.media_type: {"schema": {"type": "string", "format": "binary"}}}
            }
        if route.data is None and route.extra is None:
            return {}
        properties: Json = {"success": parts.TRUE}
        if route.auth is not Auth.NONE:
            properties["environment"] = parts.ENVIRONMENT
        if route.data is not None:
            properties["data"] = self._data(route)
        required = list(properties)
        if route.extra is not None:
            more, wanted = self._schemas.fields(route.extra)
            properties.update(more)
            required += wanted
        schema = {
            "type": "object",
            "description": f"The response of {route.method} {route.path}.",
            "required": required,
            "properties": properties,
        }
        reference = self._schemas.add(f"{capitalised([_operation_id(route)])}Answer", schema)
        content: Json = {"application/json": {"schema": reference}}
        if route.other_media_type:
            content[route.other_media_type] = {"schema": {"type": "string"}}
        return {"content": content}

    def _data(self, route: Route) -> Json:
        found = self._schemas.of(route.data)
        if route.dry_run_data is not None:
            found = {"anyOf": [found, self._schemas.of(route.dry_run_data)]}
        known = self._schemas.description(route.data)
        return {**found, "description": known} if known else found


def _operation_id(route: Route) -> str:
    """`POST /api/v1/messages/{cid}/cancel` is postMessagesCidCancel: unique, as paths are."""
    words = [
        word
        for segment in route.path.strip("/").split("/")
        if segment not in ("api", "v1")
        for word in segment.strip("{}").replace(".", "-").replace("_", "-").split("-")
    ]
    return route.method.lower() + capitalised(words)


def codes_of_route(route: Route) -> list[ErrorCode]:
    """Every error code of a route."""
    codes: dict[ErrorCode, None] = dict.fromkeys(_ALWAYS)
    if route.auth is not Auth.NONE:
        codes |= dict.fromkeys((*_KEYED, *_OWN.get(route.auth, ())))
    return list(codes | dict.fromkeys(_own_codes(route)))


def _codes(route: Route) -> dict[int, list[ErrorCode]]:
    """The codes of one route, grouped by status."""
    groups: dict[int, list[ErrorCode]] = {}
    for code in sorted(codes_of_route(route), key=lambda code: code.status):
        groups.setdefault(code.status, []).append(code)
    return groups


def _own_codes(route: Route) -> list[ErrorCode]:
    """The codes that the route declares, and those of its body and query fields."""
    return [*route.errors, *codes_of(route.body), *codes_of(route.query)]


def codes_of(struct: type[msgspec.Struct] | None) -> list[ErrorCode]:
    """The codes that a request struct declares besides VALIDATION_ERROR: on its fields, for a list
    that is too long, for a misplaced field and for a malformed query (faults.py, fields.py).
    """
    if struct is None:
        return []
    found = [field.code for field in describe(struct) if field.code is not Code.VALIDATION_ERROR]
    found += getattr(struct, "MISPLACED", {}).values()
    found += [getattr(struct, name) for name in ("TOO_LONG", "MALFORMED") if hasattr(struct, name)]
    return list(dict.fromkeys(found))


def _page(status: int) -> Json:
    page = {"text/html": {"schema": {"type": "string"}}}
    return {"description": f"{HTTPStatus(status).phrase}: a page that says so.", "content": page}


def _headers(route: Route) -> Json:
    names = ["X-Request-Id"]
    if route.auth is not Auth.NONE:
        names += ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"]
    names += route.response_headers
    return {header: {"$ref": f"#/components/headers/{header}"} for header in names}
