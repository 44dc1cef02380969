"""The bar: a hello-world ASGI app on the same server, with nothing of Tidings around it."""

import sys

import uvicorn

BODY = b'{"success":true}'
HEADERS = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(BODY))]


async def app(scope, receive, send) -> None:  # type: ignore[no-untyped-def]
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
    await send({"type": "http.response.body", "body": BODY})


if __name__ == "__main__":
    uvicorn.run(
        app, host="127.0.0.1", port=int(sys.argv[1]), loop="uvloop", http="httptools",
        access_log=False, log_level="warning", lifespan="off",
    )  # fmt: skip
