"""POST /api/v1/webhooks/verify: the signature doctor, for an account's own posts."""

import asyncio
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings import limits
from tidings.context import Context
from tidings.engine.http.endpoint import Endpoint, Example, Request, Response

from ..responses import Diagnosis
from . import diagnose as verify
from .load import load_case

HeaderText = Annotated[str, Meta(max_length=limits.HEADER_BYTES_MAX)]


class VerifyBody(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """POST /webhooks/verify"""

    headers: Annotated[
        dict[HeaderText, HeaderText],
        Meta(max_length=limits.HEADERS_MAX, description="Of the post, as you received them."),
    ]
    body: Annotated[
        str,
        Meta(
            max_length=limits.WEBHOOK_VERIFIED_CHARS_MAX,
            description="Of the post, as your code signs it.",
        ),
    ]
    secret: (
        Annotated[
            str,
            Meta(
                max_length=256,
                description="What your code uses as the signing secret.",
                extra={"secret": True},
            ),
        ]
        | UnsetType
    ) = UNSET
    computed: (
        Annotated[str, Meta(max_length=256, description="The signature that your code worked out.")]
        | UnsetType
    ) = UNSET


@Endpoint(
    body=VerifyBody,
    is_secret=True,
    data=Diagnosis,
    read_only=True,
    tag="Webhooks",
    example=Example(
        data={
            "valid": False,
            "findings": [
                {
                    "code": "bad_digits",
                    "message": "X-Signature must have 64 hexadecimal digits after sha256=, not 2"
                    " characters: it was cut off, or is not hexadecimal.",
                },
            ],
        },
        body={
            "headers": {
                "X-Timestamp": "1799740800",
                "X-Signature": "sha256=00",
                "X-Webhook-Id": "<WEBHOOK_ID>",
            },
            "body": "{}",
        },
    ),
)
async def post_verify(ctx: Context, request: Request) -> Response:
    """Check a signature.

    Give the headers and the body of a post, and be told what is right or wrong with its
    signature.
    """
    body: VerifyBody = request.body
    headers = {name.strip().lower(): text for name, text in body.headers.items()}

    case = await ctx.db.transact(
        lambda tx: load_case(
            tx,
            ctx.sealer,
            request.account.id,
            headers,
            body.body.encode(),
            secret=None if body.secret is UNSET else body.secret,
            computed=None if body.computed is UNSET else body.computed,
        )
    )
    # Hundreds of digests may be tried: others must not wait for them.
    return Response(await asyncio.to_thread(verify.diagnose, case))
