"""The threat model names, for every threat, what shows its defence; and that exists."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "security" / "threat-model.md").read_text()
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.splitlines()
    if re.match(r"\| T\d+ \|", line)
]
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def test_every_threat_has_a_line_with_a_defence() -> None:
    assert sorted(int(row[0][1:]) for row in ROWS) == list(range(1, 39))
    for name, threat, defence, *_ in ROWS:
        assert threat and defence, name


def test_what_shows_a_defence_exists() -> None:
    for name, _, _, shown, _ in ROWS:
        proofs = re.findall(r"`([^`]+)`", shown)
        assert proofs, f"{name} is shown by nothing"
        for proof in proofs:
            assert is_there(proof), f"{name}: there is no {proof}"


def is_there(proof: str) -> bool:
    if proof.startswith("make "):
        return proof.removeprefix("make ") in TARGETS
    path, _, test = proof.partition("::")
    file = ROOT / path
    return file.is_file() and (not test or f"def {test}(" in file.read_text())
