"""docs/recipients.md lists the sandbox's magic recipients. As a module, this writes it."""

from pathlib import Path

from tidings.guide.failure_codes import codes_of
from tidings.platforms.sandbox.behaviour import MAGIC, ORDINARY, Behaviour

PAGE = Path(__file__).parents[2] / "docs" / "recipients.md"
GROUPS = {"Statuses": "9001", "Failures": "9010", "Waiting": "9020", "Replies": "9101"}


def tables() -> str:
    parts = []
    starts = [*GROUPS.values(), "9999"]
    for title, first, end in zip(GROUPS, starts, starts[1:], strict=False):
        parts += [f"## {title}\n", "| ends in | what happens | code |", "|---|---|---|"]
        parts += [_row(one, behaviour) for one, behaviour in MAGIC.items() if first <= one < end]
        parts.append("")
    return "\n".join(parts)


def _row(ending: str, behaviour: Behaviour) -> str:
    shown = ", ".join(f"[`{code}`](/guide/errors/{code})" for code in sorted(codes_of(behaviour)))
    return f"| `{ending}` | {behaviour.what[:1].upper()}{behaviour.what[1:]}. | {shown} |"


def test_the_page_lists_the_recipients_that_the_sandbox_has() -> None:
    text = PAGE.read_text()
    assert text.endswith(tables()), "run: python -m tests.guide.test_recipients_page"
    assert ORDINARY.what in " ".join(text.split())


if __name__ == "__main__":
    head, _, _ = PAGE.read_text().partition("## Statuses")
    PAGE.write_text(head + tables())
