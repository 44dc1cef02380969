"""A mail server that keeps what it is sent, for the code that sends mail."""

import socketserver
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_string, policy
from email.message import EmailMessage
from threading import Thread


class MailServer(socketserver.ThreadingTCPServer):
    """Speaks as much SMTP as one plain message needs, without TLS or a password."""

    allow_reuse_address = daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Conversation)
        self.received: list[EmailMessage] = []

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.server_address[1]}?from=invitations@example.com"


@contextmanager
def mail_server() -> Iterator[MailServer]:
    with MailServer() as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


class _Conversation(socketserver.StreamRequestHandler):
    server: MailServer

    def handle(self) -> None:
        self._answer(220)
        for line in self.rfile:
            command = line.split()[0].upper()
            if command == b"DATA":
                self._answer(354)
                self._receive()
            self._answer(221 if command == b"QUIT" else 250)

    def _receive(self) -> None:
        lines = iter(lambda: self.rfile.readline().decode(), ".\r\n")
        received = message_from_string("".join(lines), EmailMessage, policy=policy.default)
        self.server.received.append(received)

    def _answer(self, code: int) -> None:
        self.wfile.write(f"{code} \r\n".encode())
