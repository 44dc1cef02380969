"""A receiver of events to copy from Getting started, and the command that forwards them. Pure.

It needs nothing but Python. `tidings listen` signs with a secret made from the key, so what the
page shows fits together as it stands.
"""

from tidings.portal.start.sample import KEY
from tidings.secrets import forwarding_secret

PORT = 3000
PRINTED = "whsec_..."  # where the reader sees no key: the command prints it

_PYTHON = """\
import hashlib, hmac, json, time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = b"{secret}"

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        timestamp = self.headers["X-Timestamp"]
        signed = timestamp.encode() + b"." + body
        expected = "sha256=" + hmac.new(SECRET, signed, hashlib.sha256).hexdigest()
        fresh = abs(time.time() - int(timestamp)) <= 300
        genuine = fresh and hmac.compare_digest(expected, self.headers["X-Signature"])
        self.send_response(204 if genuine else 400)
        self.end_headers()
        print("verified" if genuine else "refused", json.loads(body)["type"], flush=True)

HTTPServer(("127.0.0.1", {port}), Receiver).serve_forever()"""


def python(key: str) -> str:
    secret = PRINTED if key == KEY else forwarding_secret(key)
    return _PYTHON.format(secret=secret, port=PORT)


def command(url: str, key: str) -> str:
    return f"tidings listen --forward-to http://127.0.0.1:{PORT} --url {url} --key {key}"
