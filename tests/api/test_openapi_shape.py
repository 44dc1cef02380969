"""The OpenAPI document and the reference page, made from a small table of routes."""

import base64
import hashlib
import re
from dataclasses import replace
from enum import StrEnum
from html import escape
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import UNSET, Meta, UnsetType
from openapi_spec_validator import validate

from tests.support.shell import ROUTES
from tidings.engine.http.endpoint import Auth, Endpoint, Example, at
from tidings.engine.http.openapi import document
from tidings.engine.http.openapi_schemas import Words
from tidings.engine.http.openapi_webhooks import Webhook
from tidings.engine.http.pagination import Cursor, Limit
from tidings.engine.http.reference import page
from tidings.errors import Code
from tidings.features.events.rules import EventCode
from tidings.features.senders.number_selection import SenderCode


class State(StrEnum):
    OPEN = "OPEN"
    PAID = "PAID"


class Body(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    client_id: Annotated[str, Meta(min_length=8, max_length=128, description="Yours.")]
    policy: (
        Annotated[
            Any,
            Meta(
                extra={"code": SenderCode.INVALID_FROM_POLICY},
                extra_json_schema={"type": "string", "enum": ["prefer", "strict"]},
            ),
        ]
        | UnsetType
    ) = UNSET


class Nothing(msgspec.Struct, forbid_unknown_fields=True):
    pass


class Item(msgspec.Struct, rename="camel"):
    item_id: str
    state: State
    kind: Literal["a", "b"]
    made_at: str
    gone_at: str | None


class Query(msgspec.Struct, forbid_unknown_fields=True):
    limit: Limit = 50
    cursor: Cursor | UnsetType = UNSET
    state: State | UnsetType = UNSET


class More(msgspec.Struct, rename="camel"):
    next_cursor: str | None


class Health(msgspec.Struct):
    service: str


async def post_item(ctx, request):
    """Make an item.

    It is made once, however
    often it is asked for.
    """


async def get_items(ctx, request):
    """List items."""


TABLE = [
    at(
        1, "GET", "/api/v1/health", Endpoint(auth=Auth.NONE, extra=Health, tag="Service")(get_items)
    ),
    at(
        2,
        "POST",
        "/api/v1/items/{group_id}",
        Endpoint(
            body=Body,
            data=Item,
            statuses=(200, 201),
            errors=(EventCode.EVENT_NOT_FOUND, Code.INVALID_PHONE),
            tag="Items",
            dry_run=True,
        )(post_item),
    ),
    at(
        3,
        "GET",
        "/api/v1/items",
        Endpoint(auth=Auth.PARTNER, query=Query, data=list[Item], extra=More, tag="Items")(
            get_items
        ),
    ),
    at(
        None, "DELETE", "/sandbox/v1/items", Endpoint(auth=Auth.SANDBOX, data=list[Item])(get_items)
    ),
    at(
        None,
        "POST",
        "/api/v1/items/{group_id}/cancel",
        Endpoint(body=Nothing, body_optional=True, data=Item)(get_items),
    ),
]


@pytest.fixture(scope="module")
def made():
    return document(
        TABLE,
        title="Tidings",
        version="1.0.0",
        server_url="https://tidings.test",
        webhooks=[Webhook("item.made", Item, "An item."), Webhook("item.un_made", dict[str, str])],
    )


def test_it_is_valid_openapi_and_plain_json(made):
    validate(made)
    assert made["openapi"].startswith("3.1")
    assert msgspec.json.decode(msgspec.json.encode(made)) == made


def test_any_table_of_routes_makes_a_valid_document():
    validate(document(ROUTES, title="t", version="1", server_url="https://tidings.test"))


def test_every_route_stands_in_it_with_a_name_of_its_own(made):
    operations = [method for path in made["paths"].values() for method in path.values()]
    names = {operation["operationId"] for operation in operations}
    assert names == {
        "getHealth", "postItemsGroupId", "getItems", "deleteSandboxItems",
        "postItemsGroupIdCancel",
    }  # fmt: skip
    assert [tag["name"] for tag in made["tags"]] == ["Service", "Items"]


def test_summary_and_description_come_from_the_endpoint(made):
    operation = made["paths"]["/api/v1/items/{group_id}"]["post"]
    assert operation["summary"] == "Make an item"
    assert operation["description"] == "It is made once, however often it is asked for."


def test_fields_and_limits_come_from_the_struct(made):
    body = made["components"]["schemas"]["Body"]
    assert body["required"] == ["clientId"]
    assert body["additionalProperties"] is False
    assert body["properties"]["clientId"] == {
        "type": "string", "minLength": 8, "maxLength": 128, "description": "Yours.",
    }  # fmt: skip
    assert body["properties"]["policy"] == {"type": "string", "enum": ["prefer", "strict"]}


def test_a_body_that_may_be_left_out_is_not_required(made):
    required = made["paths"]["/api/v1/items/{group_id}"]["post"]["requestBody"]["required"]
    optional = made["paths"]["/api/v1/items/{group_id}/cancel"]["post"]["requestBody"]["required"]
    assert (required, optional) == (True, False)
    nothing = made["components"]["schemas"]["Nothing"]
    assert (nothing["properties"], nothing["additionalProperties"]) == ({}, False)


def test_parameters_of_path_query_and_header(made):
    (group, dry_run) = made["paths"]["/api/v1/items/{group_id}"]["post"]["parameters"]
    assert (group["name"], group["in"], group["required"]) == ("group_id", "path", True)
    assert (dry_run["name"], dry_run["in"], dry_run["required"]) == ("X-Dry-Run", "header", False)
    limit, cursor, state = made["paths"]["/api/v1/items"]["get"]["parameters"]
    assert limit["schema"] == {"type": "integer", "minimum": 1, "maximum": 200, "default": 50}
    assert limit["description"] == "How many to list."
    assert cursor["name"] == "cursor"
    assert state["schema"] == {"$ref": "#/components/schemas/State"}
    assert "Query" not in made["components"]["schemas"]


def test_the_envelope_of_an_answer_is_a_component(made):
    responses = made["paths"]["/api/v1/items"]["get"]["responses"]
    schema = responses["200"]["content"]["application/json"]["schema"]
    assert schema == {"$ref": "#/components/schemas/GetItemsAnswer"}
    envelope = made["components"]["schemas"]["GetItemsAnswer"]
    assert envelope["required"] == ["success", "environment", "data", "nextCursor"]
    assert envelope["properties"]["success"]["type"] == "boolean"
    assert envelope["properties"]["success"]["enum"] == [True]
    assert envelope["properties"]["data"]["type"] == "array"
    assert made["components"]["schemas"]["GetHealthAnswer"]["required"] == ["success", "service"]


def test_errors_share_one_response_and_each_status_names_its_codes(made):
    operation = made["paths"]["/api/v1/items/{group_id}"]["post"]
    failures = {status: it for status, it in operation["responses"].items() if status >= "400"}
    assert {it["$ref"] for it in failures.values()} == {"#/components/responses/Error"}
    assert "INVALID_PHONE" in failures["400"]["description"]
    assert operation["x-codes"] == {
        "400": ["VALIDATION_ERROR", "INVALID_PHONE", "INVALID_FROM_POLICY"],
        "401": ["UNAUTHORIZED", "INVALID_API_KEY"],
        "403": ["APP_INACTIVE"],
        "404": ["EVENT_NOT_FOUND"],
        "429": ["RATE_LIMIT_EXCEEDED"],
        "500": ["INTERNAL_ERROR"],
        "503": ["SERVICE_UNAVAILABLE"],
    }
    assert {"200", "201"} <= operation["responses"].keys()
    shared = made["components"]["responses"]["Error"]
    assert {"Retry-After", "RateLimit-Remaining", "X-Request-Id"} <= shared["headers"].keys()


def test_allowed_values_have_a_type_and_times_a_format(made):
    item = made["components"]["schemas"]["Item"]["properties"]
    assert item["kind"] == {"enum": ["a", "b"], "type": "string"}
    assert item["madeAt"] == {"type": "string", "format": "date-time"}
    assert item["goneAt"]["anyOf"][0] == {"type": "string", "format": "date-time"}


def test_a_field_is_described_by_itself_or_by_the_meaning_of_its_name():
    fields = {"clientId": "Anyone's.", "itemId": "Ours.", "Item.state": "How it is.", "state": "?"}
    words = Words(fields=fields, structs={"Item": "A thing."})
    made = document(TABLE, title="t", version="1", server_url="https://t.test", words=words)
    schemas = made["components"]["schemas"]
    assert schemas["Body"]["properties"]["clientId"]["description"] == "Yours."
    assert schemas["Item"]["properties"]["itemId"]["description"] == "Ours."
    assert schemas["Item"]["properties"]["state"]["description"] == "How it is."
    assert schemas["Item"]["description"] == "A thing."
    listed = schemas["GetItemsAnswer"]["properties"]["data"]["description"]
    assert listed == "The entries; each is a thing."


def test_chapters_come_in_their_order_and_examples_become_samples():
    example = Example(
        data={"itemId": "i-1", "state": "OPEN"},
        status=201,
        body={"clientId": "it's mine"},
        path={"group_id": "<GROUP>"},
    )
    table = [replace(TABLE[1], example=example) if one is TABLE[1] else one for one in TABLE]
    words = Words(chapters={"Items": "All of them."}, order=["POST /api/v1/items/{group_id}"])
    made = document(table, title="t", version="1", server_url="https://t.test/", words=words)
    assert made["tags"][0] == {"name": "Items", "description": "All of them."}
    assert next(iter(made["paths"])) == "/api/v1/items/{group_id}"
    operation = made["paths"]["/api/v1/items/{group_id}"]["post"]
    [sample] = operation["x-codeSamples"]
    assert sample["source"].startswith("curl 'https://t.test/api/v1/items/<GROUP>'")
    assert "it'\\''s mine" in sample["source"]
    answer = operation["responses"]["201"]["content"]["application/json"]["example"]
    assert answer["environment"] == "sandbox" and answer["data"]["itemId"] == "i-1"
    assert "example" not in operation["responses"]["200"]["content"]["application/json"]


def test_keys_partners_and_the_sandbox(made):
    assert made["security"] == [{"key": []}]
    assert made["paths"]["/api/v1/health"]["get"]["security"] == []
    partner = made["paths"]["/api/v1/items"]["get"]["responses"]["403"]["description"]
    assert "NOT_A_PARTNER" in partner
    sandbox = made["paths"]["/sandbox/v1/items"]["delete"]["responses"]["404"]["description"]
    assert "NOT_FOUND" in sandbox


def test_webhooks_have_their_envelope_and_headers(made):
    post = made["webhooks"]["item.made"]["post"]
    reference = post["requestBody"]["content"]["application/json"]["schema"]
    assert reference == {"$ref": "#/components/schemas/ItemMadeEvent"}
    schema = made["components"]["schemas"]["ItemMadeEvent"]
    assert schema["properties"]["type"]["const"] == "item.made"
    assert schema["properties"]["data"] == {"$ref": "#/components/schemas/Item"}
    assert (post["summary"], post["description"]) == (
        "item.made",
        "An item. Posted to your webhook URL.",
    )
    assert {it["name"] for it in post["parameters"] if it["required"]} == {
        "X-Timestamp", "X-Signature", "X-Webhook-Id", "X-Delivery-Attempt",
        "webhook-id", "webhook-timestamp", "webhook-signature",
    }  # fmt: skip
    assert [it["name"] for it in post["parameters"] if not it["required"]] == [
        "X-Signature-Previous"
    ]
    assert made["webhooks"]["item.un_made"]["post"]["operationId"] == "onItemUnMade"


def test_every_code_of_the_routes_is_listed(made):
    own = {"EVENT_NOT_FOUND", "INVALID_FROM_POLICY"}
    listed = {code.name for code in Code} | own
    assert {error["code"] for error in made["x-errors"]} == listed
    assert set(made["components"]["schemas"]["ErrorCode"]["enum"]) == listed


# The page


def test_the_page_has_an_anchor_for_every_error_code():
    html = page(tuple(Code)).body.decode()
    for code in Code:
        assert f'id="{code.name}"' in html
        assert escape(code.remedy) in html


def test_the_page_asks_nothing_of_other_addresses():
    html = page(tuple(Code)).body.decode()
    outside = set(re.findall(r"https?://[^\s'\"`]+", html)) - {"http://www.w3.org/2000/svg"}
    assert not outside
    assert "{{" not in html
    assert "innerHTML" not in html


def test_the_policy_admits_only_the_pages_own_style_and_script():
    html = page(tuple(Code)).body.decode()
    headers = dict(page(tuple(Code)).headers)
    policy = headers[b"content-security-policy"].decode()
    assert "default-src 'none'" in policy
    for tag in ("style", "script"):
        (text,) = re.findall(f"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert " style=" not in html
    assert not re.search(r"\son[a-z]+=", html)
