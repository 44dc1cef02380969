"""`/stream`: what happens in the chosen account, as server-sent events, for `live.js`."""

from starlette.responses import Response

from tidings.features.people.roles import Right, rights_of
from tidings.features.people.sessions import find_session
from tidings.portal.page import Page
from tidings.portal.stream.response import EventStream
from tidings.portal.tokens import SESSION
from tidings.portal.visit import Visit

ID_CHARS_MAX = 64


async def stream(visit: Visit) -> Response:
    """Ends with the session, and when another account is chosen."""
    account, token = visit.chosen, visit.request.cookies[SESSION]
    last_seen = visit.request.headers.get("last-event-id", "")[:ID_CHARS_MAX]

    async def may_go_on() -> bool:
        session = await visit.transact(lambda tx: find_session(tx, token, is_visit=False))
        if session is None or session.account_id != account.id:
            return False
        role = session.role_in(account.id)
        return role is not None and Right.READ in rights_of(role)

    listener = await visit.hub.join(visit.person.id, account.id, last_seen)
    return EventStream(visit.hub, listener, may_go_on)


PAGES = [Page("/stream", get=stream)]
