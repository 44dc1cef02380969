"""docs/failures.md lists every failure in the words of the code. As a module, this writes it."""

from pathlib import Path

from tidings.platforms import failures
from tidings.platforms.failure_table import PLATFORM_DOCS, TABLE
from tidings.platforms.failures import deferral_reason, explain
from tidings.platforms.port import Failure, FailureKind

PAGE = Path(__file__).parents[2] / "docs" / "failures.md"
TITLES = {
    FailureKind.REFUSED: "Refused for this message: `failed`, refunded",
    FailureKind.RECIPIENT: "Refused for this recipient: `failed`, refunded",
    FailureKind.NUMBER_LIMIT: "The number's limits: waits, `NUMBER_LIMIT`",
    FailureKind.ACCOUNT_LIMIT: "The account's limits: waits, `ACCOUNT_LIMIT`",
    FailureKind.UNAVAILABLE: "The platform is down: waits, `PLATFORM_UNAVAILABLE`",
    FailureKind.ACCOUNT_FAULT: "The number's own fault: it is blocked, `NUMBER_UNHEALTHY`",
}
HEAD = f"""# Failures

What `error.code` and `attempts[].code` say, and what to do. `platformCode` is the platform's own
number for it, where it gave one; [the platform's page]({PLATFORM_DOCS})
describes those. The words in capitals are part of the interface: they stay.
"""
OURS = [value for value in vars(failures).values() if isinstance(value, Failure)]


def page() -> str:
    parts = [HEAD]
    for kind, title in TITLES.items():
        rows = [f"## {title}", "", "| code | `platformCode` | what happened | what to do |"]
        rows += ["|---|---|---|---|", *map(_row, _words(kind))]
        parts.append("\n".join([*rows, ""]))
    return "\n".join(parts)


def _words(kind: FailureKind) -> list[list[Failure]]:
    """Failures of one kind, those of one word and text together."""
    found: dict[tuple[str, str], list[Failure]] = {}
    every = [*map(explain, TABLE[kind]), *OURS]
    every += [explain(100, subcode=33), explain(-1)]
    for failure in every:
        if failure.kind is kind:
            found.setdefault((failure.code, failure.explanation), []).append(failure)
    return sorted(found.values(), key=lambda same: same[0].code)


def _row(same: list[Failure]) -> str:
    first = same[0]
    codes = sorted({each.platform_code for each in same if each.platform_code is not None})
    if set(range(200, 300)) <= set(codes):
        codes = [code for code in codes if not 200 <= code < 300]
        shown = ", ".join([*map(str, codes), "200 to 299"])
    elif first.code == "PLATFORM_ERROR":
        return (
            f"| `{first.code}` | any other | The platform refused the message. | {first.action} |"
        )
    else:
        shown = ", ".join(map(str, codes))
    if first.code == "NUMBER_NOT_FOUND":
        shown = "33" if codes == [33] else "100 with subcode 33"
    return f"| `{first.code}` | {shown} | {first.explanation} | {first.action} |"


def test_the_page_of_failures_says_what_the_code_does() -> None:
    assert PAGE.read_text() == page(), "run: python -m tests.platforms.test_failures_page"


def test_every_kind_of_failure_has_its_chapter() -> None:
    assert set(TITLES) == set(FailureKind)
    for kind, title in TITLES.items():
        assert (deferral_reason(kind) or "failed") in title


if __name__ == "__main__":
    PAGE.write_text(page())
