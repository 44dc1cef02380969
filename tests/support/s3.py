"""A server that speaks S3, and the variables that lead any S3 client to it."""

import httpx
from moto.server import ThreadedMotoServer


class S3Server:
    """`with S3Server() as s3: s3.make_bucket("files")`"""

    def __enter__(self) -> "S3Server":
        self._server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
        self._server.start()
        host, port = self._server.get_host_and_port()
        self.address = f"http://{host}:{port}"
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        self._server.stop()

    def make_bucket(self, name: str) -> None:
        """Empty, whatever was in it before."""
        httpx.post(f"{self.address}/moto-api/reset", timeout=60).raise_for_status()
        httpx.put(f"{self.address}/{name}", timeout=60).raise_for_status()

    def listing(self, bucket: str) -> str:
        """The names of its objects, as XML."""
        found = httpx.get(f"{self.address}/{bucket}?list-type=2", timeout=60)
        return found.raise_for_status().text


def variables(address: str) -> dict[str, str]:
    return {
        "AWS_ENDPOINT_URL": address,
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_REGION": "eu-west-1",
    }
