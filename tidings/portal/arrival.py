"""Who comes: the session behind the cookie, the chosen account, and why its sending is paused."""

from tidings.engine.db.tx import Tx
from tidings.engine.fair_queue import OWNER
from tidings.features.accounts.lookup import load_accounts
from tidings.features.billing.pause import find_pause_reason
from tidings.features.people.sessions import find_session
from tidings.portal.money import pause
from tidings.portal.tokens import SESSION
from tidings.portal.visit import Visit

TOKEN_CHARS_MAX = 200
LIVE = "x-live"  # a page that updates itself asks with this header


async def recognise(visit: Visit) -> None:
    """Fill in the visitor's session and account. An unknown or ended session is no session."""
    token = visit.request.cookies.get(SESSION, "")
    if not token or len(token) > TOKEN_CHARS_MAX or not token.isascii():
        return

    is_visit = LIVE not in visit.request.headers

    async def work(tx: Tx) -> None:
        session = await find_session(tx, token, is_visit=is_visit)
        visit.session = session
        if session is None or session.account_id is None:
            return
        accounts = await load_accounts(tx, [session.account_id])
        visit.account = accounts.get(session.account_id)
        if visit.account is not None:
            paused = await find_pause_reason(tx, visit.account)
            visit.pause_reason = None if paused is None else pause.text_of(visit, paused)

    await visit.transact(work)
    if visit.session is not None:
        visit.cookie = token
        OWNER.set(visit.session.account_id or visit.session.person.id)
