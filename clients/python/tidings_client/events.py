"""The events that the service posts, a class for each kind.

from tidings_client.events import GuestConfirmedEvent
"""

from .generated.events import *  # noqa: F403
from .webhooks import Event as Event
from .webhooks import UnknownEvent as UnknownEvent
