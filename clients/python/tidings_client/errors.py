"""Every exception of the client: one for each error code, and the few that have none.

from tidings_client.errors import InvalidPhoneError
"""

from .failures import ConfigurationError as ConfigurationError
from .failures import ConnectionFailedError as ConnectionFailedError
from .failures import TidingsError as TidingsError
from .failures import TimedOutError as TimedOutError
from .failures import UnexpectedResponseError as UnexpectedResponseError
from .failures import WebhookVerificationError as WebhookVerificationError
from .generated.codes import *  # noqa: F403 - all of them, under their own names
