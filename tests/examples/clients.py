"""The Express example beside a TypeScript client that was built for it, in a folder of their own.

Others may be building the client in the repository at the same time.
"""

import shutil
from pathlib import Path

from tests.examples.programs import EXAMPLES, ROOT, run

CLIENT = Path("clients") / "typescript"
BUILT = shutil.ignore_patterns("node_modules", "dist")


def installed_express(folder: Path) -> Path:
    """A copy of the example, its packages installed."""
    client, example = folder / CLIENT, folder / "examples" / "webhooks-express"
    shutil.copytree(ROOT / CLIENT, client, ignore=BUILT)
    shutil.copytree(EXAMPLES / "webhooks-express", example, ignore=BUILT)
    run("npm", "ci", "--no-audit", "--no-fund", folder=client)
    run("npm", "run", "build", folder=client)
    run("npm", "ci", "--no-audit", "--no-fund", folder=example)
    return example
