"""Templates: which can be sent, what the others lack, and each one as a phone shows it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from types import MappingProxyType
from urllib.parse import urlencode

from starlette.responses import Response

from tidings.engine.db.tx import Tx
from tidings.features.senders.lookup import load_numbers
from tidings.features.templates.lookup import load_templates
from tidings.features.templates.model import Template
from tidings.portal import bubbles, sorting
from tidings.portal.bubbles import Bubble
from tidings.portal.page import Page
from tidings.portal.sorting import Keys
from tidings.portal.start.sample import VALUES
from tidings.portal.states import WORDS
from tidings.portal.visit import Visit

_SAMPLES = {"en": VALUES, "he": ("דנה", "יום ראשון", "19:00", "הגן")}
_ADDRESS_SAMPLE = "menu-1"
VALUE_CHARS_MAX = 200
KEPT = ("search", "status", "sort")  # of the address, when another template is shown


@dataclass(frozen=True, slots=True)
class Row:
    """A language version in the list."""

    template: Template
    address: str
    is_shown: bool


async def show(visit: Visit) -> Response:
    """`?name=` and `&language=` choose the one that is shown on the phone, `&v1=` fills it in."""
    everything, sender = await visit.transact(partial(_load, visit))
    visit.form.fill(visit.query)
    keys = sort_keys(visit)
    by = sorting.read("/templates", visit.query, keys)
    fitting = by.sort([one for one in everything if _fits(visit, one)], keys)
    shown = _choose(visit, fitting)
    values = [] if shown is None else sample_values(shown, visit.query)
    return visit.page(
        "templates/templates.html",
        rows=[Row(one, _address(visit, one), one is shown) for one in fitting],
        sorting=by,
        statuses=_statuses(visit, everything),
        shown=shown,
        versions=[one for one in everything if shown is not None and one.name == shown.name],
        values=values,
        bubble=None if shown is None else preview(shown, values),
        sender=sender,
        has_any=bool(everything),
        address_of=partial(_address, visit),
    )


async def _load(visit: Visit, tx: Tx) -> tuple[list[Template], str]:
    account = visit.chosen
    by_name = (await load_templates(tx, [account.id]))[account.id]
    numbers = (await load_numbers(tx, [account.id]))[account.id]
    sender = numbers[0].name or numbers[0].number if numbers else account.name
    return list(chain.from_iterable(by_name.values())), sender


def sort_keys(visit: Visit) -> Keys[Template]:
    """What the columns are sorted by; a status by the word that the reader sees."""
    return {
        "name": lambda one: one.name,
        "language": lambda one: one.language,
        "status": lambda one: visit.gettext(WORDS.get(one.status, one.status)),
        "variables": lambda one: one.variables,
    }


def _statuses(visit: Visit, templates: Sequence[Template]) -> list[tuple[str, str]]:
    """Those there are, with their words."""
    statuses = sorted({one.status for one in templates})
    return [(one, visit.gettext(WORDS.get(one, one))) for one in statuses]


def _fits(visit: Visit, template: Template) -> bool:
    status, search = visit.query.get("status", ""), visit.query.get("search", "").strip().lower()
    if status == "unusable":
        return not template.usable and search in template.name.lower()
    return status in ("", template.status) and search in template.name.lower()


def _choose(visit: Visit, fitting: Sequence[Template]) -> Template | None:
    """The one that was asked for; else the account's default, else the first."""
    name, language = visit.query.get("name"), visit.query.get("language")
    default = visit.chosen.default_template
    return min(
        fitting,
        key=lambda one: ((one.name, one.language) != (name, language), one.name != default),
        default=None,
    )


def _address(visit: Visit, template: Template) -> str:
    kept = {name: visit.query[name] for name in KEPT if visit.query.get(name)}
    chosen = {"name": template.name, "language": template.language}
    return f"/portal/templates?{urlencode(kept | chosen)}"


def sample_values(template: Template, given: Mapping[str, str] = MappingProxyType({})) -> list[str]:
    """What was typed, else samples in the template's language; buttons' addresses come last."""
    words = _SAMPLES.get(template.language.partition("_")[0], VALUES)
    in_text = template.header_variables + template.body_variables
    found = []
    for index in range(template.variables):
        sample = words[index % len(words)] if index < in_text else _ADDRESS_SAMPLE
        typed = given.get(f"v{index + 1}", "")[:VALUE_CHARS_MAX]
        found.append(" ".join(typed.split()) or sample)
    return found


def preview(template: Template, values: Sequence[str]) -> Bubble | None:
    """None: its variables are numbered with gaps, so that nothing can fill it in."""
    try:
        return bubbles.of_template(template, values)
    except IndexError:
        return None


PAGES = [Page("/templates", get=show)]
