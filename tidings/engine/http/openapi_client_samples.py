"""From the example of an endpoint to samples for the clients in Python and TypeScript. Pure.

Both clients name a method after the same words, take the path's parameters in their order, and then
the fields of the body or of the query. A test runs every sample.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

from tidings.engine.http.endpoint import Auth, Example, Route
from tidings.engine.http.openapi_samples import KEYS, address, query

Json = dict[str, Any]

WIDTH = 64  # of the column that shows samples
_OWN_KEYS = frozenset({"meta", "headers", "answers"})  # objects whose keys are the caller's own


@dataclass(frozen=True, slots=True)
class _Call:
    """What both languages say in their own way."""

    method: str  # messages.send_text
    path: list[str]  # values of the path's parameters
    fields: Json
    key: str
    url: str
    is_list: bool
    file: str = ""  # the file to upload
    output: str = ""  # the file that the response is written to
    is_download: bool = False  # with its content type beside it


def client_samples(route: Route, example: Example, server_url: str, method: str) -> list[Json]:
    call = _call(route, example, server_url.rstrip("/"), method)
    return [
        {"lang": "Python", "label": "Python", "source": _python(call)},
        {"lang": "TypeScript", "label": "TypeScript", "source": _typescript(call)},
    ]


def _call(route: Route, example: Example, url: str, method: str) -> _Call:
    fields = dict(example.body) if example.body is not None else _query(example)
    path, file = list(example.path.values()), ""
    if fields.pop("mediaBase64", None) is not None and method == "messages.upload":
        file = fields["filename"]
    is_download = method == "media.inbound"
    if is_download:  # it takes the link as a whole
        path, fields = [address(route, example, url)], {}
    return _Call(
        method,
        path,
        fields,
        KEYS.get(route.auth, KEYS[Auth.KEY]),
        url,
        is_list=route.extra is not None and isinstance(example.data, list),
        file=file,
        output=example.output,
        is_download=is_download,
    )


def _query(example: Example) -> Json:
    """Without `limit`: a list of the clients goes on by itself from page to page."""
    pairs = query(example)
    pairs.pop("limit", None)
    return pairs


# Python


def _python(call: _Call) -> str:
    arguments = [_python_text(value) for value in call.path]
    given = {name: value for name, value in call.fields.items() if name != "filename"}
    if call.file:
        arguments.append(_python_text(call.file))
    else:
        given = call.fields
    arguments += [f"{_snake(name)}={_python_value(name, it, 4)}" for name, it in given.items()]
    key, url = _python_text(call.key), _python_text(call.url)
    made = _wrapped("client = Tidings", [f"api_key={key}", f"base_url={url}"])
    return "\n".join(
        ["from tidings_client import Tidings", "", made, *_python_use(call, arguments)]
    )


def _python_use(call: _Call, arguments: list[str]) -> list[str]:
    asked = f"client.{call.method}"
    if call.is_list:
        return [_wrapped(f"for item in {asked}", arguments) + ":", "    print(item)"]
    if call.output:
        opened = f'with open({_python_text(call.output)}, "wb") as file:'
        return [_wrapped(f"content = {asked}", arguments), opened, "    file.write(content)"]
    return [_wrapped(f"result = {asked}", arguments), "print(result)"]


def _python_value(name: str, value: Any, indent: int) -> str:
    """A literal, on one line where that fits."""
    if isinstance(value, dict):
        own = name in _OWN_KEYS
        parts = [
            f"{_python_text(key if own else _snake(key))}: {_python_value(key, it, indent + 4)}"
            for key, it in value.items()
        ]
        return _bracketed("{", parts, "}", indent)
    if isinstance(value, list):
        return _bracketed("[", [_python_value(name, it, indent + 4) for it in value], "]", indent)
    return _python_text(value) if isinstance(value, str) else repr(value)


def _python_text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _snake(name: str) -> str:
    found = re.sub(r"(?<=[a-z0-9])[A-Z]", lambda it: "_" + it[0].lower(), name)
    return f"{found}_" if found == "from" else found


# TypeScript


def _typescript(call: _Call) -> str:
    arguments = [json.dumps(value, ensure_ascii=False) for value in call.path]
    if call.file:
        arguments.append(f"await readFile({json.dumps(call.file)})")
    if call.fields:
        arguments.append(_typescript_value(call.fields, 0))
    options = {"apiKey": call.key, "baseUrl": call.url}
    asked = f"client.{_camel(call.method)}({', '.join(arguments)})"
    return "\n".join(
        [
            *_typescript_imports(call),
            "",
            f"const client = new Tidings({_typescript_value(options, 0, 'const client = new (')});",
            *_typescript_use(call, asked),
        ]
    )


def _typescript_imports(call: _Call) -> list[str]:
    needed = ["readFile"] if call.file else ["writeFile"] if call.output else []
    files = [f'import {{ {name} }} from "node:fs/promises";' for name in needed]
    return [*files, 'import { Tidings } from "@tidings/client";']


def _typescript_use(call: _Call, asked: str) -> list[str]:
    if call.is_list:
        return [f"for await (const item of {asked}) {{", "  console.log(item);", "}"]
    if call.output:
        content = "content.data" if call.is_download else "content"
        written = f"await writeFile({json.dumps(call.output)}, {content});"
        return [f"const content = await {asked};", written]
    return [f"const result = await {asked};", "console.log(result);"]


def _typescript_value(value: Any, indent: int, before: str = "") -> str:
    if isinstance(value, dict):
        parts = [
            f"{_property(name)}: {_typescript_value(it, indent + 2)}" for name, it in value.items()
        ]
        return _bracketed("{ ", parts, " }", indent, step=2, before=before)
    if isinstance(value, list):
        parts = [_typescript_value(it, indent + 2) for it in value]
        return _bracketed("[", parts, "]", indent, step=2)
    return json.dumps(value, ensure_ascii=False)


def _property(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z_]\w*", name) else json.dumps(name)


def _camel(name: str) -> str:
    return re.sub(r"_([a-z])", lambda it: it[1].upper(), name)


# Both


def _wrapped(before: str, arguments: list[str]) -> str:
    return before + _bracketed("(", arguments, ")", 0, before=before)


def _bracketed(
    opening: str, parts: list[str], closing: str, indent: int, *, step: int = 4, before: str = ""
) -> str:
    line = opening + ", ".join(parts) + closing
    if not parts or (len(before) + indent + len(line) <= WIDTH and "\n" not in line):
        return line.replace("{  }", "{}")
    inner = "\n".join(f"{' ' * (indent + step)}{part}," for part in parts)
    return f"{opening.strip()}\n{inner}\n{' ' * indent}{closing.strip()}"
