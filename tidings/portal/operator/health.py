"""How the installation does: queues, rates, latency, processes, and what the platform refuses."""

from collections.abc import Sequence

from markupsafe import Markup
from starlette.responses import Response

from tidings.features.operation.health import Health, Minutes, load_health
from tidings.features.people.roles import Right
from tidings.portal import charts
from tidings.portal.charts import Series
from tidings.portal.page import Page
from tidings.portal.render import hour_of
from tidings.portal.visit import Visit

MEDIAN, SLOW = 0.5, 0.95


async def show(visit: Visit) -> Response:
    health = await visit.transact(lambda tx: load_health(tx, visit.ctx.pools))
    return visit.page("operator/health.html", health=health, charts=_charts(visit, health))


def _charts(visit: Visit, health: Health) -> list[Markup]:
    _, minutes = visit.gettext, health.minutes
    words = charts.words(visit.gettext, visit.language)
    labels = [hour_of(visit, at) for at in minutes.times]
    ages: list[list[int]] = [
        values for name, values in minutes.values.items() if name.startswith("age.")
    ]
    oldest = [max(one) for one in zip(*ages, strict=True)] or [0] * len(labels)
    return [
        charts.line(
            _("Requests a minute"),
            labels,
            [Series(_("answered"), _answered(minutes)),
             Series(_("failed"), minutes.series("requests.5xx"))],
            words,
        ),
        charts.line(
            _("Latency of requests"),
            labels,
            [Series(_("half"), _rounded(minutes.latency(MEDIAN))),
             Series(_("95 of 100"), _rounded(minutes.latency(SLOW)))],
            words,
            unit=_("milliseconds"),
        ),
        charts.line(
            _("Messages a minute"), labels, [Series("", minutes.sum_of("messages."))], words
        ),
        charts.line(
            _("Webhooks a minute"), labels, [Series("", minutes.sum_of("webhooks."))], words
        ),
        charts.line(
            _("Age of the oldest work"), labels, [Series("", oldest)], words, unit=_("seconds")
        ),
        charts.line(
            _("Failed jobs a minute"), labels, [Series("", minutes.series("jobs.failed"))], words
        ),
    ]  # fmt: skip


def _answered(minutes: Minutes) -> list[int]:
    failed = minutes.series("requests.5xx")
    return [all_ - bad for all_, bad in zip(minutes.sum_of("requests."), failed, strict=True)]


def _rounded(values: Sequence[float | None]) -> list[float | None]:
    return [None if one is None else round(one, 1) for one in values]


PAGES = [Page("/operator/health", get=show, needs=Right.OPERATE)]
