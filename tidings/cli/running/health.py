"""`tidings health`: whether the service on this machine is ready, for containers' health checks."""

from http.client import HTTPConnection, HTTPException

from tidings import limits
from tidings.cli.output import Refused, say
from tidings.cli.runner import load_settings
from tidings.setting_values import Address

EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - where it listens, not we
SECONDS_MAX = 2 * limits.PROCESS_ANSWER_MAX.total_seconds()  # the page itself waits for processes


def ask(path: str) -> None:
    """Print what the operator's page answers; refuse anything but 200."""
    address = load_settings().operator_address
    if address is None:
        raise Refused("TIDINGS_OPERATOR_ADDRESS is off, so there is no page to ask.")
    status, text = _get(address, path)
    if status != 200:
        raise Refused(f"The service is not well: {text or status}.")
    say(text)


def _get(address: Address, path: str) -> tuple[int, str]:
    host = EVERYWHERE.get(address.host, address.host)
    connection = HTTPConnection(host, address.port, timeout=SECONDS_MAX)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read(limits.KIB).decode(errors="replace").strip()
    except (OSError, HTTPException) as reason:
        raise Refused(f"Nobody answers at {address}: {reason}.") from None
    finally:
        connection.close()
