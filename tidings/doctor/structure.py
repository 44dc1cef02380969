"""Invariants of the database itself: I32. `corruption.py` asks whether indexes are corrupt."""

from tidings.engine.db.schema.files import own_files, read_migrations

from .model import Check, Invariant, one, quoted

_FILES = ", ".join(
    f"({file.version}, {quoted(file.name)}, {quoted(file.sha256)}, {file.head.can_wait})"
    for file in read_migrations(own_files())
)
_SEQUENCES = ("jobs", "number_changes", "callback_dead_letters")

CHECKS: tuple[Check, ...] = (
    one(
        Invariant("I32", "indexes", "every index is valid, or being built"),
        """
        SELECT i.indexrelid::regclass::text FROM pg_index i
         WHERE NOT i.indisvalid AND NOT EXISTS (SELECT FROM pg_stat_progress_create_index p
                WHERE p.index_relid = i.indexrelid)
        """,
    ),
    one(
        Invariant("I32", "constraints", "every constraint was validated on all rows"),
        """
        SELECT conrelid::regclass || ' ' || conname FROM pg_constraint
         WHERE NOT convalidated
           AND NOT EXISTS (SELECT FROM data_changes WHERE complete_at IS NULL)
        """,
    ),
    one(
        Invariant("I32", "triggers", "every trigger is enabled"),
        """
        SELECT tgrelid::regclass || ' ' || tgname FROM pg_trigger WHERE tgenabled = 'D'
        """,
    ),
    one(
        Invariant(
            "I32", "prepared transactions", "no prepared transaction is left: it would stop"
            " vacuum",
        ),
        "SELECT gid FROM pg_prepared_xacts WHERE database = current_database()",
    ),
    one(
        Invariant(
            "I32", "schema", "the database has the migrations of this program, as the program has"
            " them",
        ),
        f"""
        SELECT f.name FROM (VALUES {_FILES}) AS f (version, name, sha256, can_wait)
          LEFT JOIN schema_migrations s USING (version)
         WHERE s.sha256 <> f.sha256 OR s.version IS NULL AND NOT f.can_wait
        """,
    ),
    one(
        Invariant(
            "I32", "sequences", "no id of a sequence is ahead of it",
            mended_by="sequences",
        ),
        " UNION ALL ".join(
            f"SELECT '{table}' FROM (SELECT max(id) AS id FROM {table}) t,"
            f" (SELECT last_value AS id FROM {table}_id_seq) s WHERE t.id > s.id"
            for table in _SEQUENCES
        ),
    ),
)  # fmt: skip
