"""`python -m training`: write reader.weights anew. Takes some minutes; the same corpora and
code give the same file."""

import sys
import time
from collections.abc import Mapping
from pathlib import Path

import msgspec
import numpy as np

from tidings.features.replies.reading import learned
from tidings.features.replies.reading.learned.weights import FILE, Head, Header

from . import examples as labelled
from .fitting import HEADS, Weights, fit, matrix_of
from .judging import calibrate, judge_left_out

PATH = Path(learned.__file__).parent / FILE
BYTE = 127
CLIPPED = 1e-5  # of the weights: the few largest would leave the others no resolution


def main() -> None:
    started = time.monotonic()

    def say(text: str) -> None:
        print(f"{time.monotonic() - started:5.0f} s  {text}", file=sys.stderr, flush=True)

    everything = labelled.load()
    examples = [each for each in everything if each.heard.parts]
    say(f"{len(examples):,} labelled replies and turns heard")
    rows = matrix_of(examples)
    judged = judge_left_out(rows, examples)
    say("authors left out, in turn, and judged")
    calibration = calibrate(judged)
    weights = fit(rows, examples)
    say("weights of all authors")
    heads, content = _as_bytes(weights)
    header = Header(labelled.checksum(everything), heads, calibration)
    PATH.write_bytes(msgspec.json.encode(header) + b"\n" + content)
    say(f"{PATH.name} written, {PATH.stat().st_size / 1e6:.1f} MB")


def _as_bytes(weights: Mapping[str, Weights]) -> tuple[dict[str, Head], bytes]:
    heads, content = {}, b""
    for name in HEADS:
        of = weights[name].of
        largest = float(np.quantile(np.abs(of), 1 - CLIPPED))
        rounded = np.clip(np.rint(of / largest * BYTE), -BYTE, BYTE).astype(np.int8)
        heads[name] = Head(largest / BYTE, weights[name].bias)
        content += rounded.tobytes()
    return heads, content


if __name__ == "__main__":
    main()
