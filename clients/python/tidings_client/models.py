"""What the methods return: `from tidings_client.models import SendResult`."""

from .generated.models import *  # noqa: F403 - all of them, under their own names
