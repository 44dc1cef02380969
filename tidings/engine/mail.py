"""Send a mail by SMTP, in a thread: few are sent, and none in a hurry."""

import asyncio
import smtplib
import ssl
from email.message import EmailMessage
from urllib.parse import parse_qs, unquote, urlsplit

import structlog

from tidings import limits

FAILURES = (OSError, smtplib.SMTPException, ValueError)

log = structlog.get_logger()


async def send(url: str, to: str, subject: str, text: str) -> bool:
    """`url`: smtp://user:password@host:587?from=address, or smtps. False: it could not be sent."""
    try:
        message = compose(url, to, subject, text)
        await asyncio.to_thread(_send, url, message)
    except FAILURES as reason:
        log.warning("mail.failed", error=type(reason).__name__)
        return False
    return True


def compose(url: str, to: str, subject: str, text: str) -> EmailMessage:
    """Refuses (ValueError) a header with a line break: it could add headers or recipients."""
    message = EmailMessage()
    message["From"] = parse_qs(urlsplit(url).query)["from"][0]
    message["To"] = to
    message["Subject"] = subject
    message.set_content(text)
    return message


def _send(url: str, message: EmailMessage) -> None:
    parts = urlsplit(url)
    host, timeout = parts.hostname or "", limits.MAIL_TIMEOUT.total_seconds()
    context = ssl.create_default_context()
    if parts.scheme == "smtps":
        server: smtplib.SMTP = smtplib.SMTP_SSL(
            host, parts.port or 465, timeout=timeout, context=context
        )
    else:
        server = smtplib.SMTP(host, parts.port or 587, timeout=timeout)
    with server:
        server.ehlo()
        is_private = parts.scheme == "smtps"
        if not is_private and server.has_extn("starttls"):
            server.starttls(context=context)
            is_private = True
        if parts.username and not is_private:
            raise smtplib.SMTPException("the server offers no TLS: no password is sent to it")
        if parts.username:
            server.login(unquote(parts.username), unquote(parts.password or ""))
        server.send_message(message)
