"""The changes that `make mutants` makes, and what it says of those that nobody notices."""

import ast
from pathlib import Path
from typing import Any

import pytest

from proof.mutation.apply import mutated
from proof.mutation.mutants import find
from proof.mutation.sql_changes import text_changes
from proof.mutation.survivors import outdated, read_explained, unexplained

ROOT = Path(__file__).parents[2]
RULES = "tidings/features/billing/rules.py"
SOURCE = '''
"""A module."""
LIMIT = 3
Known = Used | dict[str, Used]
QUERY = "SELECT 1 FROM t WHERE account_id = $1 AND used < $2 FOR UPDATE"

def may(used: int, name: str = "x") -> bool:
    """Whether."""
    assert used >= 0
    log.info("asked", used=used)
    return used + 1 <= LIMIT and not name
'''


@pytest.fixture
def changes(tmp_path: Path) -> list[str]:
    (tmp_path / "one.py").write_text(SOURCE)
    return [f"{mutant.scope}: {mutant.change}" for mutant in find(tmp_path, "one.py")]


def test_each_operator_boundary_and_predicate_is_changed(changes: list[str]) -> None:
    assert {
        "LIMIT: 3 -> 4",
        "LIMIT: 3 -> 2",
        "QUERY: account_id = $1 -> True",
        "QUERY: used < $2 -> True",
        "QUERY: used < $2 -> <=",
        "QUERY: FOR UPDATE -> (nothing)",
        "may: return used + 1 <= LIMIT and (not name) -> return None",
        "may: used + 1 <= LIMIT and (not name) -> used + 1 <= LIMIT",
        "may: used + 1 <= LIMIT and (not name) -> not name",
        "may: used + 1 <= LIMIT -> used + 1 < LIMIT",
        "may: used + 1 <= LIMIT -> used + 1 > LIMIT",
        "may: used + 1 -> used - 1",
        "may: 1 -> 2",
        "may: 1 -> 0",
        "may: not name -> name",
    } == set(changes)


SQL = [
    ("WHERE a = $1 AND b IS DISTINCT FROM $2", "WHERE (a = $1 OR true) AND b IS DISTINCT FROM $2"),
    (
        "WHERE a = $1 AND b IS DISTINCT FROM $2",
        "WHERE a = $1 AND (b IS DISTINCT FROM $2 OR true)",
    ),
    ("WHERE a BETWEEN $1 AND $2 ORDER BY a", "WHERE (a BETWEEN $1 AND $2 OR true) ORDER BY a"),
    ("WHERE a = $1 OR b = $2", "WHERE a = $1 OR (b = $2 AND false)"),
    ("JOIN b ON b.id = a.id WHERE c", "JOIN b ON (b.id = a.id OR true) WHERE c"),
    ("WHERE (t.a, t.b) = (d.a, d.b)", "WHERE (t.a) = (d.a)"),
    ("SET used = used + 1", "SET used = used - 1"),
    ("WHERE NOT done", "WHERE done"),
    ("VALUES ($1) ON CONFLICT (a) DO NOTHING", "VALUES ($1) "),
]


@pytest.mark.parametrize(("statement", "changed"), SQL)
def test_a_changed_statement_keeps_its_parameters(statement: str, changed: str) -> None:
    made = [" ".join(new.split()) for _, _, new in text_changes(statement)]
    assert " ".join(changed.split()) in made
    assert all(new.count("$1") == statement.count("$1") for new in made)


def test_every_change_of_a_file_is_another_program_with_a_name_of_its_own() -> None:
    source = (ROOT / RULES).read_text()
    mutants = find(ROOT, RULES)
    assert len({mutant.name for mutant in mutants}) == len(mutants) > 100
    original = ast.dump(ast.parse(source))
    for mutant in mutants:
        assert ast.dump(mutated(source, mutant)) != original, mutant.name


def test_a_survivor_has_to_be_explained_and_an_explanation_to_be_true(tmp_path: Path) -> None:
    file: Any = tmp_path / "survivors.toml"
    file.write_text('[[survivor]]\nmutants = ["a", "b"]\nwhy = "It cannot be seen."\n')
    explained = read_explained(file)
    assert unexplained(["a", "c"], explained) == ["c"]
    assert outdated(["b"], ["a", "b"], explained, whole=False) == ["b"], "a test notices it"
    assert outdated([], ["a"], explained, whole=False) == []
    assert outdated([], ["a"], explained, whole=True) == ["b"], "there is no such mutant"
