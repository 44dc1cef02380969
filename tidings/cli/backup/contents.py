"""Which tables and columns a backup leaves out, and why."""

from collections.abc import Mapping, Sequence

# None: the whole table. Unlogged tables are left out as well.
LEFT_OUT: Mapping[str, Sequence[str] | None] = {
    "vault": None,  # passcodes: their keys are never in a backup, so what it held could not be read
    "sessions": None,  # a restore would bring back sessions that were ended since
    "sign_in_attempts": None,  # of the last hour
    "clock_locks": None,  # of running processes
    "health_processes": None,
    # Transaction ids of the old server: the restoring transaction's own takes their place, and the
    # feed's order within it is that of `seq`.
    "webhooks": ("written_by",),
}
