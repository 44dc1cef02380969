"""What one does about webhooks: set the URL, send a test event, change the secret, retry."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from starlette.responses import Response

from tidings.account_file.edit import Edit, edit_account
from tidings.account_file.read import ValuesRefused
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.operation import credentials
from tidings.features.people.roles import Right
from tidings.features.webhooks.deliveries.lookup import load_delivery
from tidings.features.webhooks.failed import retry as failed
from tidings.features.webhooks.trigger import require_kind, trigger
from tidings.portal.explanations import explain
from tidings.portal.form import Form
from tidings.portal.page import Page
from tidings.portal.visit import Visit
from tidings.portal.webhooks.doctor import check
from tidings.portal.webhooks.overview import PATH, show


async def act(visit: Visit) -> Response:
    """One address for all: whatever was done, the page that follows is this one."""
    action = ACTIONS.get(visit.form["action"])
    if action is None:
        raise ApiError(Code.NOT_FOUND)
    return await action(visit)


async def save(visit: Visit) -> Response:
    """The URL, by the rules of the account file. An empty one is removed."""
    account, url = visit.chosen, visit.form["webhookUrl"]
    resend = visit.form["resend"] == "yes"
    values: dict[str, Any] = {"webhookUrl": url} if url else {}
    if resend != account.resend_when_recovered:
        values["resendWhenRecovered"] = resend
    edit = Edit(values, frozenset() if url else frozenset({"webhookUrl"}))
    allow_private = visit.ctx.settings.allow_private_webhooks
    try:
        await visit.transact(
            lambda tx: edit_account(
                tx, visit.ctx.sealer, visit.actor, account.name, edit, allow_private=allow_private
            )
        )
    except ValuesRefused as refusal:
        for problem in refusal.problems:
            visit.form.error("webhookUrl", str(problem))
        return await show(visit)
    except ApiError as refusal:
        visit.form.error("webhookUrl", explain(refusal, visit.language))
        return await show(visit)
    return visit.redirect(PATH, notice=visit.gettext("Saved. It holds from the next attempt on."))


async def send_test(visit: Visit) -> Response:
    """An example of an event, in the sandbox: a live receiver would take it for a real one."""
    account = visit.chosen
    if not account.is_sandbox:
        raise ApiError(Code.NOT_FOUND)
    try:
        kind = require_kind(visit.ctx.event_kinds, visit.form["type"])
    except ApiError as refusal:
        visit.refuse(refusal)
        return await show(visit)

    async def work(tx: Tx) -> str:
        webhook_id = await trigger(tx, account.id, kind)
        await visit.record(tx, "webhook.tested", webhook_id, type=kind.name)
        return webhook_id

    await visit.transact(work)
    return visit.redirect(PATH, notice=visit.gettext("%(kind)s is on its way.", kind=kind.name))


async def rotate_secret(visit: Visit) -> Response:
    """Shown in this one answer, and nowhere else."""
    account, _ = visit.chosen, visit.gettext
    if not visit.is_confirmed:
        text = _(
            "X-Signature is made with the new secret at once. For 24 hours the old one also signs,"
            " as X-Signature-Previous and in webhook-signature."
        )
        return visit.confirm(_("Change the signing secret?"), text, PATH)
    secret = await visit.transact(
        lambda tx: credentials.rotate_secret(tx, visit.ctx.sealer, visit.actor, account)
    )
    visit.form = Form()
    return await show(visit, secret=secret)


async def retry(visit: Visit) -> Response:
    """One failed event. Somebody else, or a second click, may have retried it meanwhile."""
    account, webhook_id = visit.chosen, visit.form["id"]

    async def work(tx: Tx) -> bool:
        posting = await load_delivery(tx, visit.ctx.sealer, account.id, webhook_id)
        if posting.delivery.failed_at is None:
            return False
        await failed.retry(tx, account.id, webhook_id)
        await visit.record(tx, "webhook.retried", webhook_id)
        return True

    is_retried = await visit.transact(work)
    _ = visit.gettext
    done = _("The event is posted again.") if is_retried else _("The event was retried already.")
    back = f"{PATH}/{webhook_id}" if visit.form["back"] == "event" else PATH
    return visit.redirect(back, notice=done)


async def retry_since(visit: Visit) -> Response:
    account, since = visit.chosen, _time(visit, "since")
    if since is None:
        return await show(visit)

    async def work(tx: Tx) -> tuple[int, int]:
        queued, left = await failed.retry_since(tx, account.id, since)
        if queued:
            since_text = since.isoformat()
            await visit.record(tx, "webhook.retried", "all since", since=since_text, events=queued)
        return queued, left

    queued, left = await visit.transact(work)
    done = visit.ngettext(
        "%(num)s event is posted again.", "%(num)s events are posted again.", queued
    )
    if left:
        rest = visit.ngettext("%(num)s more failed: repeat.", "%(num)s more failed: repeat.", left)
        done = f"{done} {rest}"
    return visit.redirect(PATH, notice=done)


def _time(visit: Visit, name: str) -> datetime | None:
    """A time of day where the reader is, in the account's time."""
    try:
        return datetime.fromisoformat(visit.form[name][:16]).replace(tzinfo=ZoneInfo(visit.zone))
    except ValueError:
        visit.form.error(name, visit.gettext("Give a day and a time."))
        return None


ACTIONS: dict[str, Callable[[Visit], Awaitable[Response]]] = {
    "save": save,
    "test": send_test,
    "secret": rotate_secret,
    "retry": retry,
    "retry-since": retry_since,
    "check": check,
}

PAGES = [Page("/webhooks", get=show, post=act, post_needs=Right.BUILD)]
