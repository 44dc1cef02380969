"""The id that a send carries to the platform, which returns it with every status. Pure.

`<message uuid>.<generation>`, and where other processes run beside this one, `.<process>`: the
statuses are handled there (`callbacks/forward.py`).
"""

from uuid import UUID

from ..model import Message


def send_id(message: Message, process: str) -> str:
    """`process`: empty where none runs beside this one."""
    made = f"{message.id.hex}.{message.generation}"
    return f"{made}.{process}" if process else made


def own_id(send_id: str | None) -> UUID | None:
    """The message that a send id is about; None if the id is not in our format."""
    text = (send_id or "").partition(".")[0]
    try:
        return UUID(hex=text) if len(text) == 32 else None
    except ValueError:
        return None


def process_of(send_id: str | None) -> str:
    """The process that sent it, by its own account: whatever came back as the third part."""
    parts = (send_id or "").split(".")
    return parts[2] if len(parts) == 3 else ""
