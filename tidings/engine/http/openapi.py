"""The interface as an OpenAPI 3.1 document, from the same table and structs that serve it. Pure.

Every endpoint, field, limit, header and error; webhooks from a mapping of kind to data struct.
"""

from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any

import msgspec

from tidings import limits
from tidings.engine.http import dry_run
from tidings.engine.http import openapi_parts as parts
from tidings.engine.http.faults import describe
from tidings.engine.http.messages import Auth, Route
from tidings.errors import Code

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
    webhooks: Mapping[str, Any] | None = None,
    webhook_examples: Mapping[str, Json] | None = None,
) -> Json:
    """The whole document, in plain JSON types."""
    schemas = _Schemas(routes, webhooks or {})
    paths: dict[str, Json] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, schemas)
    found: Json = {
        "openapi": "3.1.0",
        "info": {"title": title, "version": version, "description": parts.DESCRIPTION},
        "servers": [{"url": server_url}],
        "tags": [
            {"name": tag} for tag in dict.fromkeys(route.tag for route in routes if route.tag)
        ],
        "paths": paths,
        "webhooks": {
            kind: _webhook(kind, schemas.of(data), (webhook_examples or {}).get(kind))
            for kind, data in (webhooks or {}).items()
        },
        "components": {
            "schemas": {**schemas.components, "Error": parts.ERROR},
            "headers": parts.HEADERS,
            "securitySchemes": {"key": parts.KEY},
        },
        "security": [{"key": []}],
        "x-errors": [
            {"code": code.name, "status": code.status, "condition": code.condition} for code in Code
        ],
    }
    plain: Json = msgspec.to_builtins(found)
    return plain


class _Schemas:
    """JSON schemas of all types in use, and the components they refer to."""

    def __init__(self, routes: Iterable[Route], webhooks: Mapping[str, Any]) -> None:
        self._types: list[Any] = []
        for route in routes:
            self._types += [route.body, route.data, route.extra, route.query, route.rehearsed]
        self._types += webhooks.values()
        self._types = [kind for kind in self._types if kind is not None]
        template = "#/components/schemas/{name}"
        found, self._all = msgspec.json.schema_components(self._types, ref_template=template)
        self._found = list(found)
        spread = {
            self._name(kind) for route in routes for kind in (route.extra, route.query) if kind
        }
        self.components = {name: it for name, it in self._all.items() if name not in spread}

    def of(self, kind: Any) -> Json:
        """By equality, not by hash: a type such as `list[Invoice]` is made anew at each use."""
        return self._found[self._types.index(kind)]

    def fields(self, struct: type[msgspec.Struct]) -> tuple[dict[str, Json], list[str]]:
        """For a struct that is spread out: the schemas of its fields, and the required ones."""
        schema = self._all[self._name(struct)]
        return schema["properties"], schema.get("required", [])

    def _name(self, struct: Any) -> str:
        reference: str = self.of(struct)["$ref"]
        return reference.rpartition("/")[2]


# One endpoint


def _operation(route: Route, schemas: _Schemas) -> Json:
    summary, _, more = (route.endpoint.__doc__ or "").strip().partition("\n")
    operation: Json = {
        "operationId": _operation_id(route),
        "summary": summary.strip(),
        "parameters": _parameters(route, schemas),
        "responses": {**_successes(route, schemas), **_failures(route)},
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
        schema = schemas.of(route.body)
        operation["requestBody"] = {
            "required": not route.body_optional,
            "description": f"At most {limits.REQUEST_BYTES_MAX} bytes.",
            "content": {"application/json": {"schema": schema}},
        }
    return operation


def _operation_id(route: Route) -> str:
    """`POST /api/v1/messages/{cid}/cancel` is postMessagesCidCancel; unlike names, paths differ."""
    words = [
        word
        for segment in route.path.strip("/").split("/")
        if segment not in ("api", "v1")
        for word in segment.strip("{}").replace(".", "-").replace("_", "-").split("-")
    ]
    return route.method.lower() + _capitalised(words)


def _capitalised(words: list[str]) -> str:
    return "".join(word[:1].upper() + word[1:] for word in words)


def _parameters(route: Route, schemas: _Schemas) -> list[Json]:
    found: list[Json] = [
        {"name": segment[1:-1], "in": "path", "required": True, "schema": {"type": "string"}}
        for segment in route.path.split("/")
        if segment.startswith("{")
    ]
    if route.query is not None:
        properties, required = schemas.fields(route.query)
        for name, schema in properties.items():
            found.append(_parameter(name, "query", schema, required=name in required))
    for name, text in (*route.reads, *([dry_run.REFUSED] if dry_run.has_none(route) else [])):
        found.append(_parameter(name, "header", {"type": "string", "description": text}))
    return found


def _parameter(name: str, place: str, schema: Json, *, required: bool = False) -> Json:
    bare = {key: value for key, value in schema.items() if key != "description"}
    found: Json = {"name": name, "in": place, "required": required, "schema": bare}
    if "description" in schema:
        found["description"] = schema["description"]
    return found


def _successes(route: Route, schemas: _Schemas) -> Json:
    return {
        str(status): {
            "description": HTTPStatus(status).phrase,
            "headers": _headers(route, status),
            **_content(route, status, schemas),
        }
        for status in route.statuses
    }


def _content(route: Route, status: int, schemas: _Schemas) -> Json:
    if route.data is None and route.extra is None:
        return {}
    properties: Json = {"success": {"const": True}}
    if route.auth is not Auth.NONE:
        properties["environment"] = parts.ENVIRONMENT
    if route.data is not None:
        properties["data"] = _data(route, status, schemas)
    required = list(properties)
    if route.extra is not None:
        more, wanted = schemas.fields(route.extra)
        properties.update(more)
        required += wanted
    schema = {"type": "object", "required": required, "properties": properties}
    return {"content": {"application/json": {"schema": schema}}}


def _data(route: Route, status: int, schemas: _Schemas) -> Json:
    usual = schemas.of(route.data)
    if route.rehearsed is None or status != HTTPStatus.OK:
        return usual
    return {"anyOf": [usual, schemas.of(route.rehearsed)]}


def _failures(route: Route) -> Json:
    """Codes grouped by status; those of the body's own fields come from the fields themselves."""
    codes = dict.fromkeys((*codes_of(route.body), *route.errors, *_ALWAYS))
    if route.auth is not Auth.NONE:
        codes.update(dict.fromkeys((*_KEYED, *_OWN.get(route.auth, ()))))
    groups: dict[int, list[Code]] = {}
    for code in Code:
        if code in codes:
            groups.setdefault(code.status, []).append(code)
    return {str(status): _failure(route, status, groups[status]) for status in sorted(groups)}


def _failure(route: Route, status: int, codes: list[Code]) -> Json:
    names = [code.name for code in codes]
    narrowed = {"properties": {"error": {"properties": {"code": {"enum": names}}}}}
    schema = {"allOf": [{"$ref": "#/components/schemas/Error"}, narrowed]}
    return {
        "description": "; ".join(f"`{code.name}`: {code.condition}" for code in codes),
        "headers": _headers(route, status),
        "content": {"application/json": {"schema": schema}},
    }


def codes_of(struct: type[msgspec.Struct] | None) -> list[Code]:
    if struct is None:
        return []
    return [field.code for field in describe(struct) if field.code is not Code.VALIDATION_ERROR]


def _headers(route: Route, status: int) -> Json:
    names = ["X-Request-Id"]
    if route.auth is not Auth.NONE and status != 401:
        names += ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"]
    if status < HTTPStatus.BAD_REQUEST:
        names += route.tells
    if status in (429, 503):
        names.append("Retry-After")
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _webhook(kind: str, data: Json, example: Json | None) -> Json:
    schema = {
        "type": "object",
        "required": ["id", "type", "createdAt", "environment", "accountId", "data"],
        "properties": {**parts.WEBHOOK_PROPERTIES, "type": {"const": kind}, "data": data},
    }
    content: Json = {"schema": schema} | ({"example": example} if example else {})
    return {
        "post": {
            "operationId": "on" + _capitalised(kind.replace("_", ".").split(".")),
            "summary": f"{kind}, posted to your webhook URL",
            "security": [],
            "parameters": [
                _parameter(name, "header", schema, required=True)
                for name, schema in parts.WEBHOOK_HEADERS.items()
            ],
            "requestBody": {"required": True, "content": {"application/json": content}},
            "responses": {"2XX": {"description": "Taken. Anything else is tried again."}},
        }
    }
