"""`make bounds`: press every bound, print a line for each promise.

python -m proof.bounds [--only slow,connections,bombs,neighbours,disk] [--json]

Ends with 1 where a promise is broken.
"""

import argparse
import sys
from collections.abc import Callable

from rich.console import Console
from rich.progress import Progress

from proof.bounds import bombs, connections, disk, neighbours, slow
from proof.bounds.promises import Promise, as_json, exit_code, show

PARTS: dict[str, Callable[[], list[Promise]]] = {
    "slow": slow.measure,
    "connections": connections.measure,
    "bombs": bombs.measure,
    "neighbours": neighbours.measure,
    "disk": disk.measure,
}


def main(words: list[str]) -> int:
    asked = _read(words)
    promises: list[Promise] = []
    with Progress(transient=True, console=Console(stderr=True)) as progress:
        task = progress.add_task("bounds", total=len(asked.only))
        for name in asked.only:
            progress.update(task, description=name)
            found = PARTS[name]()
            promises += found
            if not asked.json:
                show(found)
            progress.advance(task)
    if asked.json:
        print(as_json(promises))
    return exit_code(promises)


def _read(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m proof.bounds", description=__doc__)
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(PARTS))
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(words)
    if unknown := set(asked.only) - set(PARTS):
        parser.error(f"--only takes {', '.join(PARTS)}; not {', '.join(sorted(unknown))}")
    return asked


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
