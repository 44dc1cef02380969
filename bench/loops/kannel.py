"""One round of the full loop through Kannel, a gateway in C: the bar.

It keeps messages in a file without fsync, and posts one report a message, of which it loses some.
"""

import json
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvloop

from bench.load import drive, request
from bench.loops.programs import drain, module, program
from bench.stage import free_port

CONNECTIONS = 32
TEXT = "x" * 120
CONFIGURATION = """
group = core
admin-port = {admin}
admin-password = x
admin-allow-ip = 127.0.0.1
smsbox-port = {box}
box-allow-ip = 127.0.0.1
log-file = "{folder}/bearerbox.log"
log-level = 3
dlr-storage = internal
sms-incoming-queue-limit = -1
sms-outgoing-queue-limit = 10000000
store-type = file
store-location = {folder}/store

group = smsc
smsc = http
smsc-id = s1
system-type = kannel
port = {reports}
smsc-username = u
smsc-password = p
send-url = "http://127.0.0.1:{platform}/send"
connect-allow-ip = 127.0.0.1
dlr-url = "http://127.0.0.1:{reports}/sms?username=u&password=p"

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = {api}
log-file = "{folder}/smsbox.log"
log-level = 3
global-sender = 13013

group = sendsms-user
username = t
password = t
max-messages = 1

group = sms-service
keyword = default
text = "ok"
"""


def is_installed() -> bool:
    return bool(shutil.which("bearerbox") and shutil.which("smsbox"))


def full_loop(seconds: float, connections: int = CONNECTIONS) -> dict[str, Any]:
    """Loops a second: reports that reached the customer."""
    reports = free_port()
    with (
        module("sink") as sink,
        module("kannel_platform", str(reports)) as platform,
        _running(reports, platform) as api,
    ):
        asked = request("GET", _path(sink), {})
        time.sleep(1)  # the boxes find each other
        began = time.monotonic()
        wanted = drive("127.0.0.1", api, lambda: asked, connections=connections, seconds=seconds)
        load = uvloop.run(wanted)
        accepted = load.statuses.get(202, 0)
        came = drain(sink, lambda found: found["requests"] >= accepted)
    return {
        "loops": round(came["requests"] / (came["lastAt"] - began)),
        "accepted": accepted,
        "other": sum(load.statuses.values()) - accepted,
        "reports": came["requests"],
    }


@contextmanager
def _running(reports: int, platform: int) -> Iterator[int]:
    """The port that accepts messages."""
    folder = Path(tempfile.mkdtemp(prefix="kannel-bench-"))
    admin, box, api = free_port(), free_port(), free_port()
    file = folder / "kannel.conf"
    file.write_text(
        CONFIGURATION.format(
            admin=admin, box=box, api=api, reports=reports, platform=platform, folder=folder
        )
    )
    words = ["-v", "4", str(file)]
    try:
        with (
            program(["bearerbox", *words], box, log=folder / "bearerbox.out"),
            program(["smsbox", *words], api, log=folder / "smsbox.out"),
        ):
            yield api
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _path(sink: int) -> str:
    report = f"http%3A%2F%2F127.0.0.1%3A{sink}%2Fdlr%2Fid1"
    return (
        f"/cgi-bin/sendsms?username=t&password=t&from=13013&to=15551234567&text={TEXT}"
        f"&dlr-mask=1&dlr-url={report}"
    )


if __name__ == "__main__":
    print(json.dumps(full_loop(5), indent=2))
