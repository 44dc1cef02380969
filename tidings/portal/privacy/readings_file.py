"""The replies that people settled, as a file of labelled lines: text, answer, guests."""

from starlette.responses import Response

from tidings.features.people.roles import Right
from tidings.features.replies import kept_readings
from tidings.portal.download import text_file
from tidings.portal.page import Page
from tidings.portal.privacy.privacy import PATH
from tidings.portal.visit import Visit


async def download(visit: Visit) -> Response:
    """A POST, because it is recorded: who took a copy of what guests wrote."""
    account = visit.chosen
    await visit.transact(lambda tx: kept_readings.record_export(tx, account, visit.actor))
    lines = kept_readings.export_lines(visit.ctx.db, account.id)
    return text_file(f"{account.name}-replies", lines)


PAGES = [Page(f"{PATH}/readings", post=download, needs=Right.MANAGE)]
