"""The settings of a database session: time limits, and how statements are planned.

On a connection to PostgreSQL itself they are sent at its start. A pooler in transaction mode hands
its server connections from client to client, so nothing may be set for a session there: a role has
the settings by key as its defaults (`pooler.py`), and a transaction that reads many rows changes
them for itself (docs/decisions/0038-pgbouncer.md).
"""

from collections.abc import Mapping
from enum import Enum, auto

from tidings import limits

NAME = "tidings"  # application_name, before what the connection is for


class Pooler(Enum):
    """What is between us and PostgreSQL."""

    NONE = auto()
    PREPARING = auto()  # keeps prepared statements: PgBouncer 1.21 or newer
    PLAIN = auto()  # does not: every statement is parsed and planned when it runs


# Of every connection. It says also what the defaults of the role may have changed.
SESSION = {
    "default_transaction_isolation": "read committed",
    "jit": "off",
    # By the server's default (4) a whole index of a small table is cheaper than ten look-ups, and
    # that plan is kept while the table grows.
    "random_page_cost": "1.1",
    "timezone": "UTC",
    # Also without a limit for statements: this is the time between two of them.
    "idle_in_transaction_session_timeout": f"{limits.IDLE_TRANSACTION_TIMEOUT.total_seconds():g}s",
    "statement_timeout": "0",
    "lock_timeout": "0",
    "plan_cache_mode": "auto",
    "enable_mergejoin": "on",
    "enable_hashjoin": "on",
    "enable_seqscan": "on",
}
# What a pooler takes at the start of a connection, and sets for each of its clients.
TRACKED = ("application_name", "timezone")
# The server's side of `hosts.notice_silence`. By default it keeps the session of a machine that has
# vanished for two hours, and with it locks: of a migration, or of a version that runs no more.
_KEPT_ALIVE = {
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
_TIME_LIMITS = {
    "statement_timeout": f"{limits.STATEMENT_TIMEOUT.total_seconds():g}s",
    "lock_timeout": f"{limits.LOCK_TIMEOUT.total_seconds():g}s",
}
# For statements that look rows up by key. A new table has no statistics, and a plan made then is
# cached: PostgreSQL read all messages of an account to merge 32 of them.
PLANNED_BY_KEY = _TIME_LIMITS | {
    # Planned once: otherwise each connection plans each statement five times before it decides so.
    # It also opens only the partitions that it needs (docs/decisions/0031).
    "plan_cache_mode": "force_generic_plan",
    "enable_mergejoin": "off",
    "enable_hashjoin": "off",
    "enable_seqscan": "off",
}
# For statements that read many rows: every join is open to the planner, and each execution is
# planned for its own arguments and the tables' present size. They have connections of their own,
# because a cached plan does not depend on settings: in a mixed session the first use would decide.
FREELY_PLANNED = _TIME_LIMITS | {"plan_cache_mode": "force_custom_plan"}
# The defaults of a role that connects through a pooler.
OF_ROLE = {name: value for name, value in (SESSION | PLANNED_BY_KEY).items() if name not in TRACKED}


def at_connect(session: Mapping[str, str], name: str, pooler: Pooler) -> dict[str, str]:
    """The settings that are sent at the start of a connection."""
    wanted = {"application_name": name, **_KEPT_ALIVE, **SESSION, **session}
    if pooler is Pooler.NONE:
        return wanted
    return {name: wanted[name] for name in TRACKED}


def at_begin(session: Mapping[str, str], pooler: Pooler) -> str | None:
    """The first statement of a transaction, if it must be sent before any other: where the role's
    defaults are not those of the session."""
    if pooler is Pooler.NONE or OF_ROLE.items() >= session.items():
        return None
    wanted = {name: (SESSION | dict(session))[name] for name in PLANNED_BY_KEY}
    return "; ".join(["BEGIN", *(f"SET LOCAL {name} = '{wanted[name]}'" for name in wanted)])
