"""Runs a command's work, and reports failures that an operator can fix as one sentence."""

import asyncio
import os
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import asyncpg

from tidings.account_file.read import FileRefused
from tidings.clock import SystemClock
from tidings.engine import log as logs
from tidings.engine.db.connections import Unavailable, UnusableDatabase
from tidings.engine.db.embedded.server import EmbeddedServerError
from tidings.engine.db.errors import CommitUnknown
from tidings.engine.db.schema.files import MigrationError
from tidings.errors import ApiError
from tidings.secrets import Unsealable
from tidings.settings import BadSetting, Settings

from .output import Refused, visible

T = TypeVar("T")

READABLE = (BadSetting, EmbeddedServerError, MigrationError)  # their texts are whole sentences


def load_settings() -> Settings:
    try:
        return Settings.from_env(os.environ)
    except BadSetting as reason:
        raise Refused(str(reason)) from None


def run(work: Coroutine[Any, Any, T]) -> T:
    """Await a command's work in an event loop of its own. Only its result goes to stdout: logs
    below warning level are off."""
    logs.configure(SystemClock(), "warning")
    with reported_errors():
        return asyncio.run(work)


@contextmanager
def reported_errors() -> Iterator[None]:
    """Turn failures that an operator can fix into `Refused`; any other exception is a bug."""
    try:
        yield
    except FileRefused as refusal:
        errors = "".join(f"\n  {visible(error)}" for error in refusal.errors)
        raise Refused(f"nothing was applied, because of the file:{errors}") from None
    except ApiError as refusal:
        raise Refused(visible(refusal.message)) from None
    except UnusableDatabase as reason:
        raise Refused(f"{reason}.") from None
    except READABLE as reason:
        raise Refused(str(reason)) from None
    except Unsealable as reason:
        raise Refused(f"A stored secret does not open: {reason}.") from None
    except CommitUnknown:
        raise Refused(
            "The connection was lost during the commit, so the change may or may not be stored:"
            " run the command again."
        ) from None
    except asyncpg.LockNotAvailableError:
        raise Refused("Another change is in progress; try again in a moment.") from None
    except (Unavailable, asyncpg.PostgresError, asyncpg.InterfaceError) as reason:
        raise Refused(f"The database cannot be used: {reason}.") from None
