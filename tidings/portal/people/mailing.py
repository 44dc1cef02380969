"""The mail that brings an invitation, where there is a mail server."""

from tidings.engine import mail
from tidings.portal.visit import Visit


async def send_invitation(visit: Visit, organisation: str, email: str, link: str) -> bool:
    """Whether it was sent; without a mail server the link is handed over."""
    url = visit.ctx.settings.smtp_url
    if url is None:
        return False
    subject = visit.gettext("Invitation to %(organisation)s", organisation=organisation)
    text = visit.gettext(
        "%(who)s has invited you to %(organisation)s in Tidings.\n\n"
        "Open this link to join. It is good once, for seven days:\n%(link)s",
        who=visit.person.email,
        organisation=organisation,
        link=link,
    )
    return await mail.send(url, email, subject, f"{text}\n")
