"""The picture of a soak: memory of the service and of PostgreSQL's backends over the minutes.

python -m proof.bounds.soak.chart samples.jsonl docs/soak.svg
"""

import json
import sys
from pathlib import Path
from typing import Any

from bench.charts import draw_lines
from tidings.portal.charts import Series

POINTS_MAX = 24


def draw(samples: list[dict[str, Any]]) -> str:
    """Of a sample in so many. Pure."""
    step = max(len(samples) // POINTS_MAX, 1)
    shown = samples[::step]
    minutes = [f"{one['at'] / 60:.0f}" for one in shown]
    last = shown[-1]
    title = f"Memory over {last['at'] / 60:.0f} minutes, MB; {last['messages']:,} messages stored"
    return draw_lines(
        title,
        minutes,
        [
            Series("service", [round(one["service"]["resident"]) for one in shown]),
            Series("PostgreSQL", [round(one["database"]["private"]) for one in shown]),
        ],
    )


if __name__ == "__main__":
    lines = Path(sys.argv[1]).read_text().splitlines()
    Path(sys.argv[2]).write_text(draw([json.loads(line) for line in lines]))
