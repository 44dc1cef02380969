"""`make mutants`: change the program in one place at a time, and see whether a test notices.

python -m proof.mutation [--all] [--sample N] [--seed S] [--area NAME,...] [--tests-max N]

Ends with 1 where less than nine tenths of an area's mutants are noticed, or a survivor is not
explained in proof/mutation/survivors.toml. Without --all a sample is tried, which --seed chooses.
"""

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from tidings.cli.output import progress_bar

from . import report
from .apply import Functions
from .areas import AREAS, Area
from .database import kept_server, leftovers
from .hunt import Hunt, Verdict
from .mapping import PURE, make_map
from .mutants import Mutant, find
from .session import with_tests
from .trial import Outcomes

ROOT = Path(__file__).parents[2]
CACHE = ROOT / ".mutants"
SAMPLE = 300
TESTS_MAX = 40

Options = argparse.Namespace


def read_options(words: Sequence[str] | None = None) -> Options:
    parser = argparse.ArgumentParser(prog="python -m proof.mutation", description=__doc__)
    parser.add_argument("--all", action="store_true", help="every mutant, in place of a sample")
    parser.add_argument("--sample", type=int, default=SAMPLE, help=f"mutants ({SAMPLE})")
    parser.add_argument("--seed", type=int, default=1, help="what is sampled (1)")
    parser.add_argument("--area", default="", help="areas, with commas; `tenants` is an extra one")
    parser.add_argument("--file", default="", help="only files whose path contains this")
    parser.add_argument(
        "--tests-max", type=int, default=TESTS_MAX, help="tests with a database tried on a mutant"
    )
    parser.add_argument("--pure", action="store_true", help="only tests that need no database")
    parser.add_argument("--jobs", type=int, default=2, help="mutants tried at the same time (2)")
    parser.add_argument("--list", action="store_true", help="only print the mutants")
    parser.add_argument("--verbose", action="store_true", help="print every verdict on stderr")
    parser.add_argument("--json", action="store_true", help="machine-readable")
    return parser.parse_args(words)


def main() -> None:
    options = read_options()
    areas = _areas(options.area)
    chosen = choose(areas, options)
    if options.list:
        print("\n".join(mutant.name for mutants in chosen.values() for mutant in mutants))
        return
    verdicts = try_all(areas, chosen, options)
    is_whole = options.all and not options.area and not options.file
    found = report.judge(verdicts, is_whole)
    print(json.dumps(report.as_json(found), indent=2) if options.json else report.as_text(found))
    sys.exit(0 if found.is_kept else 1)


def _areas(names: str) -> list[Area]:
    wanted = names.split(",") if names else []
    unknown = set(wanted) - {area.name for area in AREAS}
    if unknown:
        raise SystemExit(f"no such area: {', '.join(unknown)}")
    return [area for area in AREAS if (area.name in wanted if wanted else not area.is_extra)]


def choose(areas: Sequence[Area], options: Options) -> dict[str, list[Mutant]]:
    """By area; a sample has the same share of every area."""
    found = {
        area.name: [
            mutant
            for path in area.paths(ROOT)
            if options.file in path
            for mutant in find(ROOT, path)
            if not area.kinds or mutant.kind in area.kinds
        ]
        for area in areas
    }
    total = sum(map(len, found.values()))
    if options.all or total <= options.sample:
        return found
    pick = random.Random(options.seed)
    share = options.sample / total
    return {
        name: sorted(
            pick.sample(mutants, min(len(mutants), max(1, round(len(mutants) * share)))),
            key=lambda mutant: (mutant.path, mutant.line),
        )
        for name, mutants in found.items()
    }


def try_all(
    areas: Sequence[Area], chosen: dict[str, list[Mutant]], options: Options
) -> dict[str, list[Verdict]]:
    paths = sorted({path for area in areas for path in area.paths(ROOT)})
    tests = sorted({path for area in areas for path in area.test_paths(ROOT)})
    if options.pure:
        tests = [path for path in tests if path.startswith(PURE)]
    verdicts: dict[str, list[Verdict]] = {}
    temporary = Path(tempfile.mkdtemp(prefix="tidings-mutants-"))

    def work(items: dict[str, pytest.Item], outcomes: Outcomes) -> None:
        with kept_server() as dsn:
            coverage = make_map(ROOT, paths, items, outcomes, CACHE)
            report.remark_failed(coverage.failed)
            functions = Functions(ROOT, paths)
            killers = CACHE / "killers.json"
            hunt = Hunt(
                items, outcomes, coverage, functions, dsn, killers, options.tests_max, options.jobs
            )
            for name, mutants in chosen.items():
                verdicts[name] = _hunt(hunt, name, mutants, options.verbose)

    try:
        with_tests(ROOT, tests, temporary / "tests", work)
    finally:
        leftovers(temporary)
    return verdicts


def _hunt(hunt: Hunt, name: str, mutants: list[Mutant], verbose: bool) -> list[Verdict]:
    with progress_bar() as bar:
        task = bar.add_task(name, total=len(mutants))

        def seen(verdict: Verdict) -> None:
            bar.advance(task)
            if verbose:
                print(report.line(verdict), file=sys.stderr, flush=True)

        return hunt.run(mutants, seen)


if __name__ == "__main__":
    main()
