"""`python -m training`: write words.meanings and reader.weights anew. Takes some minutes; the same
corpora, lists and code give the same files."""

import sys
import time
from collections.abc import Mapping
from pathlib import Path

import msgspec
import numpy as np

from tidings.features.replies.reading import learned
from tidings.features.replies.reading.learned.meanings import FILE as MEANINGS
from tidings.features.replies.reading.learned.weights import FILE, MIDDLE, Head, Header

from . import counting
from . import examples as labelled
from .fitting import Weights, fit, matrix_of
from .hearing import hear_all
from .judging import calibrate, judge_left_out
from .lexicons import compile_all

FOLDER = Path(learned.__file__).parent
BYTE = 127
CLIPPED = 1e-5  # of the weights: the few largest would leave the others no resolution


def main() -> None:
    started = time.monotonic()

    def say(text: str) -> None:
        print(f"{time.monotonic() - started:5.0f} s  {text}", file=sys.stderr, flush=True)

    _make(MEANINGS, compile_all())
    everything = labelled.load()
    hear_all(each.text for each in everything)
    examples = [each for each in everything if each.heard.parts]
    say(f"{len(examples):,} labelled replies and turns heard")
    rows = matrix_of(examples)
    judged = judge_left_out(rows, examples)
    say("authors left out, in turn, and judged")
    calibration = calibrate(judged)
    weights = fit(rows, examples)
    say("weights of all authors")
    counted = list(counting.load())
    say(f"{len(counted):,} numbers of guests proposed")
    for head in ("guests", "change"):
        weights[head] = Weights(counting.fit([one for one in counted if one.head == head]), 0.0)
    say("weights of head counts")
    heads, content = _as_bytes(weights)
    header = Header(labelled.checksum(everything), heads, calibration)
    _make(FILE, msgspec.json.encode(header) + b"\n" + content)
    say("weights written")


def _make(name: str, content: bytes) -> None:
    path = FOLDER / name
    path.write_bytes(content)
    print(f"{name}: {len(content) / 1e6:.1f} MB", file=sys.stderr)


def _as_bytes(weights: Mapping[str, Weights]) -> tuple[dict[str, Head], bytes]:
    heads, content = {}, b""
    for name, each in weights.items():
        largest = float(np.quantile(np.abs(each.of), 1 - CLIPPED))
        rounded = np.clip(np.rint(each.of / largest * BYTE), -BYTE, BYTE)
        heads[name] = Head(largest / BYTE, each.bias, len(each.of))
        content += (rounded + MIDDLE).astype(np.uint8).tobytes()
    return heads, content


if __name__ == "__main__":
    main()
