"""New batch, first step: choose a CSV file and a template."""

from functools import partial
from pathlib import PurePath

from starlette.responses import Response

from tidings import limits
from tidings.features.batches import drafts
from tidings.features.batches.csv_file import FileRefused
from tidings.features.people.roles import Right
from tidings.features.templates.model import Template
from tidings.portal.batches.words import FAULTS
from tidings.portal.page import Page
from tidings.portal.visit import Visit

FILE = "file"


async def show(visit: Visit) -> Response:
    templates = await _load_templates(visit)
    return visit.page(
        "batches/upload.html",
        templates=[(key_of(one), f"{one.name} ({one.language})") for one in templates],
    )


async def upload(visit: Visit) -> Response:
    templates = {key_of(one): one for one in await _load_templates(visit)}
    template, file = templates.get(visit.form["template"]), visit.form.files.get(FILE)
    if template is None:
        visit.form.error("template", visit.gettext("Choose a template."))
    if file is None or not file.filename:
        visit.form.error(FILE, visit.gettext("Choose a CSV file."))
    if template is None or file is None or visit.form.errors:
        return await show(visit)
    name = PurePath(file.filename or "").stem.replace("\0", "")
    try:
        draft_id = await drafts.upload(visit.ctx, visit.chosen, template, name, file.read)
    except FileRefused as refused:
        text = visit.gettext(FAULTS[refused.fault], row=refused.row, value=refused.value[:80])
        visit.form.error(FILE, text)
        return await show(visit)
    return visit.redirect(f"/batches/new/{draft_id.hex}")


async def _load_templates(visit: Visit) -> list[Template]:
    return await visit.transact(partial(drafts.load_sendable, account_id=visit.chosen.id))


def key_of(template: Template) -> str:
    return f"{template.name}/{template.language}"


PAGES = [
    Page(
        "/batches/new",
        get=show,
        post=upload,
        needs=Right.SEND,
        form_bytes_max=limits.UPLOAD_BYTES_MAX,
        file_field=FILE,
    )
]
