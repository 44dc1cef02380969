"""An invariant, the query that finds where it is broken, and the result. Pure."""

from dataclasses import dataclass, field
from datetime import timedelta

PAGE = "docs/operating/invariants.md"


@dataclass(frozen=True, slots=True)
class Invariant:
    id: str  # as in reliability.md, section 3
    name: str  # tells apart the invariants of one id
    says: str
    mended_by: str | None = None  # the repair of `repairs.py` that makes it hold again

    @property
    def title(self) -> str:
        """The heading of its section in the page."""
        return f"{self.id} {self.name}"

    @property
    def anchor(self) -> str:
        return self.title.lower().replace(" ", "-")

    @property
    def page(self) -> str:
        return f"{PAGE}#{self.anchor}"


@dataclass(frozen=True, slots=True)
class Check:
    """One query, about one invariant or several. $1, where it occurs, is the present time."""

    invariants: tuple[Invariant, ...]
    sql: str  # columns: title of the invariant, id of what breaks it; no rows where all hold


@dataclass(frozen=True, slots=True)
class Broken:
    invariant: Invariant
    count: int
    ids: list[str]  # the first of them

    def __str__(self) -> str:
        more = self.count - len(self.ids)
        shown = ", ".join(self.ids) + (f" and {more} more" if more else "")
        return f"{self.invariant.id} broken: {self.invariant.says}: {shown} ({self.invariant.page})"


@dataclass(slots=True)
class Report:
    broken: list[Broken] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)  # by the titles that a query asks for
    skipped: dict[str, str] = field(default_factory=dict)  # by title: why it could not be asked


def one(invariant: Invariant, sql: str) -> Check:
    """`sql` has a single column, the id of what breaks the invariant."""
    title = quoted(invariant.title)
    return Check((invariant,), f"SELECT {title}, b.id FROM ({sql}) AS b (id)")


def each_row(source: str, key: str, rules: list[tuple[Invariant, str]]) -> Check:
    """Invariants of single rows: a table is read once for all of them. Each comes with the
    condition that breaks it, which may be null where it does not apply."""
    tests = ", ".join(f"({quoted(invariant.title)}, {broken})" for invariant, broken in rules)
    any_broken = " OR ".join(f"({broken})" for _, broken in rules)
    sql = f"""
        SELECT rule.title, {key} FROM {source}
         CROSS JOIN LATERAL (VALUES {tests}) AS rule (title, broken)
         WHERE ({any_broken}) AND rule.broken
    """
    return Check(tuple(invariant for invariant, _ in rules), sql)


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def interval(span: timedelta) -> str:
    return f"interval '{span.total_seconds():.3f} seconds'"


# The time of an account `a`: a sandbox account's is ahead of the present.
ACCOUNT_NOW = "($1::timestamptz + a.clock_ms * interval '1 millisecond')"
# Messages of dropped months: what belonged to them is deleted in the hours after that.
DROPPED = "EXISTS (SELECT FROM dropped_months d WHERE {0} >= d.first_id AND {0} < d.end_id)"
# Of an id (uuid7, also behind a prefix): when it was made, by the real clock.
MADE_AT = (
    "to_timestamp((('x' || substr(replace({0}::text, '-', ''), {1}, 12))::bit(48)::bigint)"
    " / 1000.0)"
)
# A worker runs, and has for long enough to have begun with what was due.
WORKER_RUNS = """EXISTS (SELECT FROM health_processes p WHERE p.roles LIKE '%worker%'
    AND p.started_at < $1::timestamptz - interval '5 minutes'
    AND p.seen_at > $1::timestamptz - interval '1 minute')"""
