"""The templates of an account. A sandbox account's are added, changed and removed here, as its file
would; a live account's are the platform's, and can be read again at once."""

import re
from collections.abc import Sequence
from functools import partial

from starlette.responses import Response

from tidings.account_file.declare import choices_of
from tidings.account_file.edit import Edited
from tidings.account_file.edit_templates import TemplateKey, put_template, remove_template
from tidings.account_file.form_values import BUTTONS, filled, to_template_entry
from tidings.account_file.format import TemplateEntry
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts.model import Account
from tidings.features.people.roles import Right
from tidings.features.templates.lookup import load_templates
from tidings.features.templates.model import Template
from tidings.portal import sorting
from tidings.portal.operator.account import PATH, editor_of, require_account
from tidings.portal.operator.account_forms import saved
from tidings.portal.operator.refused import REFUSED, refuse
from tidings.portal.page import Page
from tidings.portal.states import WORDS
from tidings.portal.templates.templates import preview, sample_values, sort_keys
from tidings.portal.visit import Visit

STATUSES: Sequence[str] = choices_of(TemplateEntry, "status")
LIST = f"{PATH}/{{id}}/templates"
EMPTY_ROWS = 2  # of buttons, beyond those that a template has
BUTTON = re.compile(r"buttons\[(\d+)\]")


async def show_all(visit: Visit) -> Response:
    account = await require_account(visit)
    templates = await _load(visit, account)
    path, keys = f"{PATH}/{account.id}", sort_keys(visit)
    by = sorting.read(f"{path}/templates", visit.query, keys)
    return visit.page(
        "operator/templates.html",
        account=account,
        templates=by.sort(templates, keys),
        sorting=by,
        path=path,
    )


async def _load(visit: Visit, account: Account) -> list[Template]:
    by_name = (await visit.transact(lambda tx: load_templates(tx, [account.id])))[account.id]
    return [version for versions in by_name.values() for version in versions]


async def show(visit: Visit) -> Response:
    account = await _sandbox(visit)
    known = await _find(visit, account)
    if known is not None:
        visit.form.fill(_values(known))
    values = [] if known is None else sample_values(known)
    return visit.page(
        "operator/template.html",
        account=account,
        known=known,
        path=f"{PATH}/{account.id}",
        rows=_rows(visit),
        statuses=[(one, visit.gettext(WORDS.get(one, one))) for one in STATUSES],
        bubble=None if known is None else preview(known, values),
    )


async def _sandbox(visit: Visit) -> Account:
    account = await require_account(visit)
    if not account.is_sandbox:
        raise ApiError(Code.NOT_FOUND)
    return account


def _key(visit: Visit) -> TemplateKey | None:
    """None: a new one."""
    params = visit.params
    return TemplateKey(params["template"], params["language"]) if "template" in params else None


async def _find(visit: Visit, account: Account) -> Template | None:
    key = _key(visit)
    if key is None:
        return None
    for one in await _load(visit, account):
        if (one.name, one.language) == key:
            return one
    raise ApiError(Code.NOT_FOUND)


def _values(template: Template) -> dict[str, object]:
    values = to_template_entry(template)
    buttons: Sequence[dict[str, str]] = values.pop("buttons", [])
    rows = {
        f"buttons[{row}].{name}": value
        for row, button in enumerate(buttons)
        for name, value in button.items()
    }
    return values | rows


def _rows(visit: Visit) -> range:
    """Those with something in them, and some more."""
    last = max(filled(visit.form.raw), default=-1)
    return BUTTONS[: last + 1 + EMPTY_ROWS]


async def act(visit: Visit) -> Response:
    account, key, _ = await _sandbox(visit), _key(visit), visit.gettext
    known = await _find(visit, account)
    is_removal = known is not None and visit.form["act"] == "remove"
    back = f"{PATH}/{account.id}/templates"
    if is_removal and not visit.is_confirmed:
        assert known is not None
        title = _("Remove the template %(name)s?", name=known.name)
        text = _("Messages that name it are refused, and those that wait with it fail.")
        return visit.confirm(title, text, back=back)

    async def work(tx: Tx) -> Edited:
        editor = editor_of(visit, account)
        if is_removal and key is not None:
            return await remove_template(tx, editor, key)
        return await put_template(tx, editor, partial(_text, visit), key)

    try:
        edited = await visit.transact(work)
    except REFUSED as refusal:
        refuse(visit, refusal, "templates")
        _to_typed_rows(visit)
        return await show(visit)
    return visit.redirect(back, notice=saved(visit, changed=bool(edited.changes)))


def _text(visit: Visit, name: str) -> str:
    """Of a field; a browser ends lines as Windows does."""
    return visit.form[name].replace("\r\n", "\n")


def _to_typed_rows(visit: Visit) -> None:
    """The rules count the buttons that were given; the form has empty rows between them."""
    rows = filled(visit.form.raw)
    visit.form.errors = {
        BUTTON.sub(lambda found: f"buttons[{rows[int(found[1])]}]", name): text
        for name, text in visit.form.errors.items()
    }


PAGES = [
    Page(LIST, get=show_all, needs=Right.OPERATE),
    Page(f"{LIST}/new", get=show, post=act, needs=Right.OPERATE),
    Page(f"{LIST}/{{template}}/{{language}}", get=show, post=act, needs=Right.OPERATE),
]
