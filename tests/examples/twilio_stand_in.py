"""Runs a script that uses Twilio's library, and prints the requests that it would have made.

    python twilio_stand_in.py script.py

Everything but the network is Twilio's own: names of methods and arguments, the form's fields.
"""

import json
import runpy
import sys
from typing import Any

from twilio.http.http_client import TwilioHttpClient
from twilio.http.response import Response


def answer(_: TwilioHttpClient, method: str, url: str, *args: Any, **kwargs: Any) -> Response:
    data = kwargs.get("data") or (args[1] if len(args) > 1 else None)
    sys.stdout.write("REQUEST " + json.dumps([method, url, data], default=str) + "\n")
    status = "approved" if url.endswith("VerificationCheck") else "queued"
    made = {"sid": "SM" + "0" * 32, "status": status, "error_code": None, "error_message": None}
    return Response(201 if method == "POST" else 200, json.dumps(made))


TwilioHttpClient.request = answer  # type: ignore[method-assign]  # nothing reaches Twilio
runpy.run_path(sys.argv[1], run_name="__main__")
