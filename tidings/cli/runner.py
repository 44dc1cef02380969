"""Runs a command's work, and turns the failures an operator can mend into sentences."""

import asyncio
import os
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import asyncpg

from tidings.account_file.read import FileRefused
from tidings.clock import SystemClock
from tidings.engine import log as logs
from tidings.engine.db.connections import Unavailable
from tidings.engine.db.embedded import EmbeddedServerError
from tidings.engine.db.migrate import MigrationError
from tidings.engine.db.pool import CommitUnknown
from tidings.errors import ApiError
from tidings.secrets import Unsealable
from tidings.settings import BadSetting, Settings

from .output import visible
from .refusal import Refused

T = TypeVar("T")

SPOKEN = (BadSetting, EmbeddedServerError, MigrationError)  # their texts are sentences


def load_settings() -> Settings:
    try:
        return Settings.from_env(os.environ)
    except BadSetting as reason:
        raise Refused(str(reason)) from None


def run(work: Coroutine[Any, Any, T]) -> T:
    """Await the work of a command in a loop of its own. Its answer alone goes to stdout."""
    logs.configure(SystemClock(), "warning")
    with mendable():
        return asyncio.run(work)


@contextmanager
def mendable() -> Iterator[None]:
    """Let the failures an operator can mend leave as Refused; any other is a bug and stays one."""
    try:
        yield
    except FileRefused as refusal:
        faults = "".join(f"\n  {visible(fault)}" for fault in refusal.errors)
        raise Refused(f"nothing was applied, because of the file:{faults}") from None
    except ApiError as refusal:
        raise Refused(visible(refusal.message)) from None
    except SPOKEN as reason:
        raise Refused(str(reason)) from None
    except Unsealable as reason:
        raise Refused(f"A stored secret does not open: {reason}.") from None
    except CommitUnknown:
        raise Refused(
            "The connection was lost at the very end; run the command again to make sure."
        ) from None
    except asyncpg.LockNotAvailableError:
        raise Refused("Another change is under way; try again in a moment.") from None
    except (Unavailable, asyncpg.PostgresError, asyncpg.InterfaceError) as reason:
        raise Refused(f"The database cannot be used: {reason}.") from None
