"""The signature doctor: a post as its receiver saw it, and why its signature is wrong.

The secret that is typed is used for this one answer: it is not logged, kept or sent back.
"""

import asyncio

from starlette.responses import Response

from tidings import limits
from tidings.features.webhooks.verification.examine import examine
from tidings.features.webhooks.verification.headers import parse_headers
from tidings.features.webhooks.verification.load import load_case
from tidings.portal.visit import Visit
from tidings.portal.webhooks.overview import show


async def check(visit: Visit) -> Response:
    headers = _headers(visit)
    body, secret = _body(visit), visit.form.raw("secret")
    if len(body) > limits.WEBHOOK_VERIFIED_CHARS_MAX:
        visit.form.error("body", visit.gettext("This is longer than any event."))
    if headers is None or visit.form.errors:
        return await show(visit)
    case = await visit.transact(
        lambda tx: load_case(
            tx, visit.ctx.sealer, visit.chosen.id, headers, body.encode(), secret=secret or None
        )
    )
    # Hundreds of digests may be tried: others must not wait for them.
    return await show(visit, diagnosis=await asyncio.to_thread(examine, case))


def _headers(visit: Visit) -> dict[str, str] | None:
    try:
        return parse_headers(visit.form.raw("headers"))
    except ValueError as line:
        text = visit.gettext("Give one header a line, as in “X-Signature: sha256=…”, not:")
        visit.form.error("headers", f"{text} {line}")
        return None


def _body(visit: Visit) -> str:
    """Browsers send the line ends of a text field as CR LF, whatever was pasted."""
    return visit.form.raw("body").replace("\r\n", "\n")
