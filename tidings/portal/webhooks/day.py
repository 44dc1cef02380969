"""The charts of webhooks: how many posts succeeded in each hour of the last day, and their time."""

from collections.abc import Sequence

from markupsafe import Markup

from tidings.features.webhooks.deliveries.hours import Hour
from tidings.portal import charts
from tidings.portal.charts import Series
from tidings.portal.render import hour_of
from tidings.portal.visit import Visit


def draw(visit: Visit, hours: Sequence[Hour]) -> list[Markup]:
    _ = visit.gettext
    words = charts.words(visit.gettext, visit.language)
    labels = [hour_of(visit, hour.begins_at) for hour in hours]
    return [
        charts.stacked(
            _("Attempts in the last 24 hours"),
            labels,
            [Series(_("succeeded"), [hour.succeeded for hour in hours]),
             Series(_("failed"), [hour.failed for hour in hours])],
            words,
        ),
        charts.line(
            _("Time until your server answered"),
            labels,
            [Series(_("half"), [hour.median_ms for hour in hours]),
             Series(_("95 of 100"), [hour.slow_ms for hour in hours])],
            words,
            unit=_("milliseconds"),
        ),
    ]  # fmt: skip
