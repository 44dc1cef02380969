"""The operator's listener (/metrics, /livez, /readyz): opened before anything is served.

An address that somebody else has is refused then, and not when customers are being answered
already. The default is only a suggestion: a second server on the machine takes a free port.
"""

import os
import socket
from contextlib import suppress

import structlog

from tidings.cli.refusal import Refused
from tidings.engine.http.server import listen
from tidings.settings import Address, Settings, variable

LOCAL = "127.0.0.1"

log = structlog.get_logger()


def open_listener(settings: Settings, *, demo: bool) -> socket.socket | None:
    """None: the operator wants none. The demo never fails for it."""
    address = settings.operator_address
    if address is None:
        return None
    try:
        return listen(address.host, address.port)
    except OSError as reason:
        if os.environ.get(variable("operator_address")) and not demo:
            raise Refused(
                f"Cannot listen on {address} for the operator: {reason.strerror}."
                " TIDINGS_OPERATOR_ADDRESS names another address, or off."
            ) from None
    listener = _listen_anywhere(address.host)
    log.warning("operator.address_taken", wanted=str(address), instead=str(address_of(listener)))
    return listener


def address_of(listener: socket.socket) -> Address:
    host, port = listener.getsockname()[:2]
    return Address(host, port)


def _listen_anywhere(host: str) -> socket.socket:
    with suppress(OSError):
        return listen(host, 0)
    return listen(LOCAL, 0)
