"""Writes the OpenAPI document to a file, without a service: for `make client-types`."""

import sys
from pathlib import Path

from tidings.operations import describe

if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(describe("http://127.0.0.1:8080"))
