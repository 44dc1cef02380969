"""The events that the service posts, a class for each kind.

from tidings_client.events import GuestConfirmedEvent
"""

from .generated.events import *  # noqa: F403 - all of them, under their own names
from .webhooks import Event as Event
from .webhooks import UnknownEvent as UnknownEvent
