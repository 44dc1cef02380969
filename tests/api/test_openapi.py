"""The description at /api/v1/openapi.json: valid, whole, and what the service really answers."""

import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from tests.support.service import GUEST, NUMBER, TestAccount, TestService
from tidings import routes


@pytest.fixture(scope="module")
def document(service: TestService) -> dict[str, Any]:
    answer = service.http.get("/api/v1/openapi.json")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def test_it_is_valid_openapi_3_1(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1")
    validate(document)


def test_every_route_is_in_it(document: dict[str, Any]) -> None:
    for route in [*routes.API, *routes.EXTENSIONS]:
        assert route.method.lower() in document["paths"][route.path], route.path


def test_every_error_of_a_route_is_named(document: dict[str, Any]) -> None:
    operation = document["paths"]["/api/v1/messages/text"]["post"]
    for code in ("INVALID_PHONE", "BUTTON_URL_UNSUPPORTED", "RATE_LIMIT_EXCEEDED", "APP_INACTIVE"):
        assert code in str(operation["responses"]) and code in str(operation["x-codes"])


def test_every_field_and_parameter_is_described(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    bare = [
        f"{name}.{field}"
        for name, schema in schemas.items()
        for field, it in schema.get("properties", {}).items()
        if "description" not in it
        and "description" not in schemas.get(it.get("$ref", "").rpartition("/")[2], {})
    ]
    bare += [
        f"{path} {parameter['name']}"
        for path, methods in document["paths"].items()
        for operation in methods.values()
        for parameter in operation["parameters"]
        if "description" not in parameter
    ]
    bare += [
        f"{name}.{field}.{inner}"
        for name, schema in schemas.items()
        for field, it in schema.get("properties", {}).items()
        for part in [it, it.get("items", {}), *it.get("items", {}).get("oneOf", ())]
        for inner, value in part.get("properties", {}).items()
        if "description" not in value
    ]
    assert not bare, "describe them on the struct, or in tidings/reference/fields.py"


def test_no_description_repeats_a_name_or_names_the_specification(
    document: dict[str, Any],
) -> None:
    said = [
        (f"{name}.{field}", field, it.get("description", ""))
        for name, schema in document["components"]["schemas"].items()
        for field, it in schema.get("properties", {}).items()
    ]
    said += [
        (f"{path} {it['name']}", it["name"], it["description"])
        for path, methods in {**document["paths"], **document["webhooks"]}.items()
        for operation in methods.values()
        for it in operation["parameters"]
    ]
    said += [
        (name, name, it["description"]) for name, it in document["components"]["headers"].items()
    ]
    assert not [where for where, name, text in said if text and not says_more(name, text)]
    structs = document["components"]["schemas"].items()
    assert not [
        name
        for name, it in structs
        if not it.get("description") or re.match(r"\d|(GET|POST|DELETE) ", it["description"])
    ]


EMPTY = frozenset(
    ("a", "an", "and", "are", "as", "be", "by", "for", "how", "in", "is", "it", "its", "of", "or",
     "that", "the", "this", "to", "was", "what")
)  # fmt: skip


def says_more(name: str, text: str) -> bool:
    """Whether a description has a word that the name has not."""
    parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)
    known = {part.lower() for part in parts} | EMPTY
    words = {word.lower().removesuffix("'s") for word in re.findall(r"[A-Za-z']+", text)}
    return bool(words - known)


def test_titles_are_short_and_imperative(document: dict[str, Any]) -> None:
    for path, methods in document["paths"].items():
        for operation in methods.values():
            verb, _, rest = operation["summary"].partition(" ")
            assert verb in VERBS and rest, f"{path}: {operation['summary']}"
            assert len(operation["summary"].split()) <= 6, f"{path}: {operation['summary']}"


VERBS = frozenset(
    ("Advance", "Answer", "Buy", "Cancel", "Change", "Check", "Create", "Download", "Follow", "Get",
     "Keep", "List", "Open", "Pay", "Read", "Receive", "Register", "Remove", "Report", "Retry",
     "Send", "Settle", "Trigger", "Upload", "Verify")
)  # fmt: skip


def test_every_time_has_its_format(document: dict[str, Any]) -> None:
    for name, schema in document["components"]["schemas"].items():
        for field, it in schema.get("properties", {}).items():
            if field.endswith("At"):
                assert "date-time" in str(it), f"{name}.{field}"


def test_the_reference_needs_no_outside_address(service: TestService) -> None:
    answer = service.http.get("/docs")
    assert answer.status_code == 200
    loads = re.findall(r"""(?:src|href|action)\s*=\s*["']?(?:https?:)?//[^"'\s>]+""", answer.text)
    assert not loads
    assert "default-src 'none'" in answer.headers["content-security-policy"]


CALLS = [
    ("get", "/api/v1/readiness", None),
    ("get", "/api/v1/limits", None),
    ("get", "/api/v1/sender/health", None),
    ("get", "/api/v1/templates", None),
    (
        "post",
        "/api/v1/messages/text",
        {"clientMessageId": "order-0001", "to": GUEST, "templateName": "plain", "meta": {"a": 1}},
    ),
    (
        "post",
        "/api/v1/messages/text",
        {
            "clientMessageId": "order-0002",
            "to": GUEST,
            "templateName": "plain",
            "scheduledFor": "2027-01-01T00:00:00Z",
        },
    ),
    (
        "post",
        "/api/v1/messages/text",
        {"clientMessageId": "order-0003", "to": "9725012349013", "templateName": "plain"},
    ),
    (
        "post",
        "/api/v1/messages/bulk",
        {"messages": [{"clientMessageId": "order-0004", "to": GUEST, "templateName": "plain"}, {}]},
    ),
    ("post", "/api/v1/links", {"url": "https://example.com/a"}),
    ("get", "/sandbox/v1/clock", None),
    ("post", "/sandbox/v1/senders/" + NUMBER, {"quality": "YELLOW"}),
    ("get", "/sandbox/v1/phones/" + GUEST, None),
]


def test_answers_are_as_described(account: TestAccount, document: dict[str, Any]) -> None:
    for method, path, body in CALLS:
        answer = account.post(path, body) if method == "post" else account.get(path)
        require_described(document, method, path, answer)
    require_described(document, "get", "/api/v1/messages/order-0003",
                      account.get("/messages/order-0003"))  # fmt: skip


def test_what_is_no_json_is_described_too(account: TestAccount, document: dict[str, Any]) -> None:
    file = account.get("/charges?format=csv")
    described = document["paths"]["/api/v1/charges"]["get"]["responses"]["200"]["content"]
    assert file.headers["content-type"].partition(";")[0] in described
    page = account.service.http.get("/r/nobodys-link")
    described = document["paths"]["/r/{code}"]["get"]["responses"][str(page.status_code)]["content"]
    assert page.headers["content-type"].partition(";")[0] in described


def require_described(document: dict[str, Any], method: str, path: str, answer: Any) -> None:
    template = next(
        t for t in document["paths"] if _fits(t, path) and method in document["paths"][t]
    )
    described = document["paths"][template][method]["responses"][str(answer.status_code)]
    if "$ref" in described:
        described = document["components"]["responses"]["Error"]
    schema = described["content"]["application/json"]["schema"]
    whole = {"$schema": "https://json-schema.org/draft/2020-12/schema",
             "components": document["components"], **schema}  # fmt: skip
    faults = [error.message for error in Draft202012Validator(whole).iter_errors(answer.json())]
    assert not faults, (path, faults, answer.text)


def _fits(template: str, path: str) -> bool:
    wanted, given = template.split("/"), path.split("/")
    return len(wanted) == len(given) and all(
        w == g or w.startswith("{") for w, g in zip(wanted, given, strict=True)
    )
