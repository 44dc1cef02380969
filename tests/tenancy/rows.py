"""What the tables hold, as a digest for each table and account: a request that must change nothing
leaves all of them as they are."""

from typing import Any

from tests.support.service import TestAccount, TestService

# Written by every request, whatever it asks for.
OF_REQUESTS = {
    "request_log", "sessions", "clock_locks", "health_minutes", "health_processes",
    "sign_in_attempts", "rolling_counters",
}  # fmt: skip
OF_ORGANISATIONS = {"audit_log"}  # rows without an account belong to an organisation
_ORGANISATIONS = "(SELECT organisation_id FROM accounts WHERE id = ANY($1))"
LAST_USE = {"api_keys": "last_used_at"}

Digests = dict[tuple[str, str], str]


def digests(service: TestService, *accounts: TestAccount) -> Digests:
    """By table and account; tables that know no account are taken whole."""
    ids = [account.id for account in accounts]
    rows = service.sql(_query(service), ids)
    return {(row["name"], row["owner"]): row["digest"] for row in rows}


def changed(before: Digests, after: Digests) -> list[str]:
    """The tables that differ."""
    places = before.keys() | after.keys()
    return sorted(
        {name for name, owner in places if before.get((name, owner)) != after.get((name, owner))}
    )


_QUERIES: dict[str, str] = {}


def _query(service: TestService) -> str:
    if service.url not in _QUERIES:
        _QUERIES[service.url] = " UNION ALL ".join(map(_digest, _tables(service)))
    return _QUERIES[service.url]


def _tables(service: TestService) -> list[dict[str, Any]]:
    """`owner`: the column that says whose a row is, if there is one."""
    return service.sql(
        """
        SELECT c.relname AS name, (
                 SELECT max(a.attname::text) FROM pg_attribute a
                  WHERE a.attrelid = c.oid AND (a.attname = 'account_id'
                     OR c.relname = 'accounts' AND a.attname = 'id')) AS owner
          FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition
           AND NOT c.relname = ANY($1)
         ORDER BY c.relname
        """,
        sorted(OF_REQUESTS),
    )


def _digest(table: dict[str, Any]) -> str:
    name, owner = table["name"], table["owner"]
    row = f"(to_jsonb(t) - '{LAST_USE[name]}')::text" if name in LAST_USE else "t::text"
    where, whose = (
        ("", "''") if owner is None else (f"WHERE t.{owner} = ANY($1)", f"t.{owner}::text")
    )
    if name in OF_ORGANISATIONS:
        where, whose = f"{where} OR t.organisation_id IN {_ORGANISATIONS}", "''"
    return (
        f"SELECT '{name}' AS name, {whose} AS owner,"
        f" md5(string_agg({row}, '' ORDER BY {row})) AS digest FROM {name} t {where} GROUP BY 2"
    )
