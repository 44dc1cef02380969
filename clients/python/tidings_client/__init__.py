"""The Python client of Tidings, a business messaging gateway.

    from tidings_client import Tidings

    client = Tidings()  # the key from TIDINGS_API_KEY
    client.messages.send_text(to="972501234567", template_name="hello", template_params=["Dana"])

`AsyncTidings` has the same methods for asyncio. Every failure is a `TidingsError`; `errors` has a
class for each code. `webhooks.verify` checks what the service posts to you.
"""

from . import webhooks
from .client import AsyncTidings, Tidings
from .failures import TidingsError, WebhookVerificationError
from .pages import AsyncPages, Page, Pages
from .transport import VERSION as __version__

__all__ = [
    "AsyncPages",
    "AsyncTidings",
    "Page",
    "Pages",
    "Tidings",
    "TidingsError",
    "WebhookVerificationError",
    "__version__",
    "webhooks",
]
