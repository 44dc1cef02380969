"""The event of a number: sender.health (6.2). Pure."""

from tidings.features.webhooks.event_kinds import EXAMPLE_NUMBER, EventData, EventKind

from .model import ReportedHealth, shown_status


class HealthData(EventData, kw_only=True):
    status: str
    quality_rating: str


class SenderHealthData(EventData, kw_only=True):
    """A number's status or quality changed at the platform."""

    number: str
    previous: HealthData
    current: HealthData


def health_data(health: ReportedHealth) -> HealthData:
    status = shown_status(health.status, blocked=health.blocked)
    return HealthData(status=status, quality_rating=health.quality)


HEALTH = EventKind(
    "sender.health",
    "A number's status or quality changed at the platform.",
    SenderHealthData,
    SenderHealthData(
        number=EXAMPLE_NUMBER,
        previous=HealthData(status="CONNECTED", quality_rating="GREEN"),
        current=HealthData(status="CONNECTED", quality_rating="YELLOW"),
    ),
)
KINDS = (HEALTH,)
