"""A page for every error code, made from the tables that the code answers by. Pure.

A code is what a request is refused with, what became of a message at the platform, or both.
"""

import json
import tomllib
from collections.abc import Iterator
from functools import cache
from http import HTTPStatus
from typing import Any

from tidings.engine.http.openapi import error_codes
from tidings.errors import ErrorCode
from tidings.guide import failure_codes, interface, sources
from tidings.guide.failure_codes import Cause
from tidings.routes import API, EXTENSIONS

FOLDER = "errors"
EXAMPLE_REQUEST = "req_019f2c5e8a7b7c3d9e1f2a3b4c5d6e7f"
DOCS_URL = "https://tidings.example/guide/errors"
_KEYLESS = ("GET /api/v1/media/inbound/",)  # their links are signed
_EXAMPLES = "docs/errors.toml"  # requests and their answers, compared by a test

_IN_CODE = """\
```python
from tidings_client.errors import {error}

try:
    call()
except {error} as error:
    print(error.message, error.action, error.request_id)
```

```typescript
import {{ {error} }} from "@tidings/client";

try {{
  await call();
}} catch (error) {{
  if (!(error instanceof {error})) throw error;
  console.log(error.message, error.action, error.requestId);
}}
```
"""


@cache
def refusals() -> dict[str, ErrorCode]:
    return {code.name: code for code in error_codes([*API, *EXTENSIONS])}


def codes() -> list[str]:
    return sorted({*refusals(), *failure_codes.causes()})


def index() -> str:
    return "\n".join(
        [
            "# Error codes\n",
            "A request that is refused is answered with an HTTP status of 400 or above and an "
            "`error` that names its `code`, a `message`, where it can the `field`, the `requestId` "
            "and a `docUrl` that leads to the code's page here. Codes never change their "
            "meaning; decide by the code, not by the message.\n",
            "## Requests that are refused\n",
            "| code | status | cause |",
            "|---|---|---|",
            *(
                f"| {_link(name)} | {code.status} | {_sentence(code.condition)} |"
                for name, code in sorted(refusals().items())
            ),
            "\n## Messages that fail or wait\n",
            "A message that was accepted can still be refused by the platform. Its status, the "
            "events `message.status` and `message.deferred`, and `GET /messages/{cid}` give the "
            "code with an explanation and the action to take. "
            "[All of them in one table](/guide/failures).\n",
            "| code | what happened |",
            "|---|---|",
            *(
                f"| {_link(name)} | {_summary(found)} |"
                for name, found in failure_codes.causes().items()
            ),
            "",
        ]
    )


def page(name: str) -> str:
    refusal, causes = refusals().get(name), list(failure_codes.causes().get(name, ()))
    parts = [f"# {name}\n"]
    if refusal is not None:
        parts += _refusal(refusal)
    else:
        first, *causes = causes
        parts += _failure(first)
    if causes:
        parts.append("## As the failure of a message\n" if refusal else "## It can also mean\n")
    for cause in causes:
        parts += _further(cause)
    parts += _try_it(name)
    return "\n".join(parts)


def _refusal(code: ErrorCode) -> Iterator[str]:
    status = HTTPStatus(code.status)
    example = _examples().get(code.name, {})
    yield f"{_sentence(code.condition)}\n"
    yield f"The request is answered with **{status.value} {status.phrase}**, and nothing is done.\n"
    yield f"## Fix\n\n{code.remedy}\n"
    if "more" in example:
        yield f"{example['more']}\n"
    yield "## Example\n"
    if "request" in example:
        yield f"```sh\n{_command(code.name, example)}\n```\n"
    yield f"```json\n{json.dumps(_answer(code, example), indent=2, ensure_ascii=False)}\n```\n"
    yield f"## In your code\n\n{_IN_CODE.format(error=class_name(code.name))}\n"
    yield f"## Where it comes from\n\n{_endpoints(code.name)}\n"


def class_name(code: str) -> str:
    """What the clients call it: `InvalidPhoneError`, `MetaError`."""
    camel = "".join(word.capitalize() for word in code.split("_"))
    return camel if camel.endswith("Error") else f"{camel}Error"


@cache
def _examples() -> dict[str, dict[str, str]]:
    return tomllib.loads(sources.read(_EXAMPLES))


def _command(name: str, example: dict[str, str]) -> str:
    method, path = example["request"].split()
    words = ["curl -s", *([] if method in ("GET", "POST") else [f"-X {method}"]), f"$BASE{path}"]
    if name != "UNAUTHORIZED" and not example["request"].startswith(_KEYLESS):
        words.append('-H "x-api-key: $KEY"')
    if "body" not in example:
        return " ".join(words)
    fields = json.loads(example["body"]).items()
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in fields]
    *first, key = words
    body = ",\n".join(lines)
    return f"{' '.join(first)} {key} \\\n  -H 'content-type: application/json' -d '{{\n{body}\n}}'"


def _answer(code: ErrorCode, example: dict[str, str]) -> dict[str, Any]:
    if "answer" in example:
        recorded: dict[str, Any] = json.loads(example["answer"])
        return recorded
    error = {
        "code": code.name,
        "message": code.condition,
        "requestId": EXAMPLE_REQUEST,
        "docUrl": f"{DOCS_URL}/{code.name}",
    }
    return {"success": False, "environment": "sandbox", "error": error}


def _endpoints(name: str) -> str:
    found, every = interface.operations_with(name), interface.operations()
    if len(found) > len(every) / 2:
        return "Any endpoint that takes a key." if len(found) < len(every) else "Any endpoint."
    return "\n".join(
        f"- [{operation['summary'].rstrip('.')}](/docs#{operation['operationId']}): "
        f"`{method} {path}`"
        for method, path, operation in found
    )


def _failure(cause: Cause) -> Iterator[str]:
    failure = cause.failure
    yield f"{failure.explanation}\n"
    yield f"{failure_codes.fate(failure)}\n"
    yield f"## Fix\n\n{failure.action}\n"
    yield from _platform_code(cause)


def _further(cause: Cause) -> Iterator[str]:
    """A cause that is not the page's first."""
    failure = cause.failure
    yield f"- {failure.explanation} {failure_codes.fate(failure)} {failure.action}"
    yield from (f"  {line}" for line in _platform_code(cause))


def _platform_code(cause: Cause) -> Iterator[str]:
    numbers = failure_codes.numbers_text(cause)
    if numbers:
        yield f"The platform's own code, in `platformCode`: {numbers}.\n"


def _try_it(name: str) -> Iterator[str]:
    endings = failure_codes.magic_endings(name)
    if endings:
        named = " or ".join(f"`{ending}`" for ending in endings)
        yield "## Try it\n"
        yield (
            f"In the sandbox, send to any number that ends in {named}, such as "
            f"`97250000{endings[0]}`. [All magic recipients](/guide/recipients).\n"
        )


def _link(name: str) -> str:
    return f"[`{name}`](/guide/{FOLDER}/{name})"


def _summary(found: tuple[Cause, ...]) -> str:
    return " ".join(dict.fromkeys(cause.failure.explanation for cause in found))


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
