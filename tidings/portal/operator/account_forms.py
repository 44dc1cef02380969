"""What the forms of an account's page do: settings, plan, partner terms."""

from collections.abc import Sequence
from functools import partial

from starlette.responses import Response

from tidings.account_file.form_values import to_edit
from tidings.features.people.roles import Right
from tidings.portal.operator import account as account_page
from tidings.portal.operator.account import PATH, require_account
from tidings.portal.operator.account_fields import SECTIONS
from tidings.portal.operator.refused import REFUSED, refuse
from tidings.portal.page import Page
from tidings.portal.visit import Visit


async def save(names: Sequence[str], visit: Visit) -> Response:
    """The settings of these names, as the form has them."""
    account = await require_account(visit)
    try:
        changed = await account_page.edit(visit, account, to_edit(visit.form.__getitem__, names))
    except REFUSED as refusal:
        refuse(visit, refusal)
        return await account_page.show(visit)
    return visit.redirect(f"{PATH}/{account.id}", notice=saved(visit, changed=changed))


def saved(visit: Visit, *, changed: bool) -> str:
    _ = visit.gettext
    return _("Saved. It holds at once.") if changed else _("Nothing was different.")


_ONE = f"{PATH}/{{id}}"
PAGES = [
    *(
        Page(f"{_ONE}/{section}", post=partial(save, names), needs=Right.OPERATE)
        for section, names in SECTIONS.items()
    ),
]
