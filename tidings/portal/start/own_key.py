"""The sandbox key of the visitor's account, for the samples of the API reference at /docs.

The reference is one page for everybody, so it asks for the key itself. Who may not see the key on
the first page of the portal is not told it here either; nor is a visitor without a session.
"""

from functools import partial

import msgspec
from starlette.responses import Response

from tidings.features.accounts.keys import find_sample_key
from tidings.features.people.roles import Right
from tidings.portal.page import Page
from tidings.portal.visit import Visit


async def show(visit: Visit) -> Response:
    """204 where there is none to tell."""
    if visit.account is None or not visit.may(Right.BUILD):
        return Response(status_code=204)
    account = visit.account
    key = await visit.transact(partial(find_sample_key, sealer=visit.ctx.sealer, account=account))
    if key is None:
        return Response(status_code=204)
    told = {"account": account.name, "key": key.reveal()}
    return Response(msgspec.json.encode(told), media_type="application/json")


PAGES = [Page("/own-key.json", show, needs=None)]
