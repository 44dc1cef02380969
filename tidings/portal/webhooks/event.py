"""One event: its request as it is posted, and every attempt with what the server answered."""

from functools import partial

import msgspec
from starlette.responses import Response

from tidings import limits, times
from tidings.features.webhooks.deliveries.lookup import load_delivery
from tidings.portal.page import Page
from tidings.portal.visit import Visit
from tidings.portal.webhooks.overview import LATER_MS, SOON_MS


async def show(visit: Visit) -> Response:
    load = partial(
        load_delivery,
        sealer=visit.ctx.sealer,
        account_id=visit.chosen.id,
        webhook_id=visit.params["webhookId"],
    )
    posting = await visit.transact(load)
    delivery, raw = posting.delivery, posting.body.decode()
    is_pending = delivery.state == "pending"
    return visit.page(
        "webhooks/event.html",
        event=delivery,
        attempts=[(one, times.parse(one.at)) for one in reversed(delivery.attempts)],
        attempts_max=limits.WEBHOOK_ATTEMPTS_MAX,
        next_at=posting.next_at(),
        headers="\n".join(f"{name}: {value}" for name, value in posting.headers.items()),
        is_resigned=posting.is_resigned,
        body=msgspec.json.format(raw, indent=2),
        raw=raw,
        look_again=(LATER_MS if delivery.attempts else SOON_MS) if is_pending else None,
    )


PAGES = [Page("/webhooks/{webhookId}", get=show)]
