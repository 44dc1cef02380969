"""How long after `tidings serve` the first message is accepted, where data exist: the embedded
PostgreSQL starts too, and the message is durable when it is answered."""

import http.client
import statistics
import time
from typing import Any

import uvloop

from bench.load import drive
from bench.loops import tidings
from bench.loops.installation import Installation, installation, serving
from bench.loops.programs import END_SECONDS, module, on_all_cores, program

FILL_SECONDS = 3.0


def measure(rounds: int) -> dict[str, Any]:
    with on_all_cores(), module("platform", "0") as platform, installation(platform) as made:
        with serving(made):
            filled = drive(
                "127.0.0.1", made.port, tidings.texts(), connections=32, seconds=FILL_SECONDS
            )
            uvloop.run(filled)
        times = [_first_accepted(made) for _ in range(rounds)]
    return {"seconds": round(statistics.median(times), 2), "rounds": times}


def _first_accepted(made: Installation) -> float:
    began = time.monotonic()
    with program(made.words(), env=made.env, log=made.folder / "serve.log"):
        while not _is_accepted(made.port):
            if time.monotonic() - began > END_SECONDS:
                raise RuntimeError("no message was accepted")
            time.sleep(0.01)
        return round(time.monotonic() - began, 2)


def _is_accepted(port: int) -> bool:
    path, headers, body = tidings.one_text()
    connection = http.client.HTTPConnection("127.0.0.1", port)
    try:
        connection.request("POST", path, body, headers)
        return connection.getresponse().status in (200, 202)
    except ConnectionRefusedError:
        return False
    finally:
        connection.close()
