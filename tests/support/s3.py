"""A server that speaks S3, and the variables that lead any S3 client to it.

moto is imported when a server starts: it takes seconds, and every worker of a run reads this file.
"""

from threading import Thread

import httpx

from tests.support.plain_http import NO_TLS


class S3Server:
    """`with S3Server() as s3: s3.make_bucket("files")`

    One request at a time: moto's own answers 500 where two put the same object at once.
    """

    def __enter__(self) -> "S3Server":
        from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
        from werkzeug.serving import make_server

        app = DomainDispatcherApplication(create_backend_app)
        self._server = make_server("127.0.0.1", 0, app, threaded=False)
        self._thread = Thread(target=self._server.serve_forever, name="S3Server", daemon=True)
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def make_bucket(self, name: str) -> None:
        """Empty, whatever was in it before."""
        httpx.post(f"{self.address}/moto-api/reset", timeout=60, verify=NO_TLS).raise_for_status()
        httpx.put(f"{self.address}/{name}", timeout=60, verify=NO_TLS).raise_for_status()

    def listing(self, bucket: str) -> str:
        """The names of its objects, as XML."""
        found = httpx.get(f"{self.address}/{bucket}?list-type=2", timeout=60, verify=NO_TLS)
        return found.raise_for_status().text


def variables(address: str) -> dict[str, str]:
    return {
        "AWS_ENDPOINT_URL": address,
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_REGION": "eu-west-1",
    }
