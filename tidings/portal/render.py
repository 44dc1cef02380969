"""Templates: Jinja2 with autoescape, one environment for each language."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

from babel.dates import format_datetime, format_timedelta
from babel.numbers import format_currency, format_decimal
from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context

from tidings import money, times
from tidings.features.people.roles import Right
from tidings.money import Money
from tidings.portal import assets, compiled, navigation
from tidings.portal.language import DIRECTIONS, LANGUAGES, translations
from tidings.portal.states import WORDS

if TYPE_CHECKING:
    from tidings.portal.visit import Visit

_FOLDER = Path(__file__).parent
_RELATIVE = timedelta(days=7)  # older times are shown as dates
_ANY_TIME = datetime(2026, 1, 1, tzinfo=UTC)
_OPTIONS: dict[str, Any] = {
    "trim_blocks": True,
    "lstrip_blocks": True,
    "extensions": ["jinja2.ext.i18n", "jinja2.ext.do"],
}


@cache
def environment(language: str) -> Environment:
    made = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        bytecode_cache=compiled.cache_for(_FOLDER, _OPTIONS),
        **_OPTIONS,
    )
    texts = translations(language)
    made.install_gettext_translations(texts, newstyle=True)  # type: ignore[attr-defined]
    made.globals |= {
        "ngettext": _counted(made.globals["ngettext"], language),
        "Right": Right,
        "asset": assets.load,
        "script": assets.script,
        "stylesheet": assets.stylesheet,
        "language": language,
        "direction": DIRECTIONS[language],
        "languages": LANGUAGES,
        "number": lambda value: format_decimal(value, locale=language),
        "money": lambda minor, currency: _money(minor, currency, language),
        "price": lambda text, currency: _price(text, currency, language),
        "segment": lambda text: quote(text, safe=""),
        "wire": times.to_wire,
        "lasting": lambda span: format_timedelta(span, locale=language, threshold=1.2),
        "state_word": lambda state: texts.gettext(WORDS.get(str(state), str(state))),
    }
    return made


def prepare() -> None:
    """Load every template and what its formats need."""
    for language in LANGUAGES:
        made = environment(language)
        for name in made.list_templates(extensions=["html"]):
            made.get_template(name)
        format_datetime(_ANY_TIME, "d MMM yyyy, HH:mm:ss zzz", locale=language)
        format_timedelta(timedelta(minutes=-5), add_direction=True, locale=language)
        _money(0, "EUR", language)


def _counted(ngettext: Any, language: str) -> Callable[..., str]:
    """Numbers in sentences are written like those beside them: 10,000."""

    @pass_context
    def counted(context: object, one: str, many: str, count: int, **values: object) -> str:
        written = {"num": format_decimal(count, locale=language)}
        text: str = ngettext(context, one, many, count, **(written | values))
        return text

    return counted


def page(visit: "Visit", template: str, values: Mapping[str, object]) -> str:
    made = environment(visit.language)
    return made.get_template(template).render(
        visit=visit,
        form=visit.form,
        navigation=navigation.groups(visit),
        docs=navigation.docs_address(visit),
        relative=lambda at, real=False: _relative(visit, at, is_real=real),
        exact=lambda at: _exact(visit, at),
        hour=lambda at, seconds=False: hour_of(visit, at, seconds=seconds),
        day=lambda at: _day(visit, at),
        **values,
    )


def _relative(visit: "Visit", at: datetime, *, is_real: bool) -> str:
    """Before or after now: the account's own time, or where `at` is real, the real one."""
    passed = (visit.ctx.clock.now() if is_real else visit.now) - at
    if abs(passed) > _RELATIVE:
        zone = ZoneInfo(visit.zone)
        return str(format_datetime(at, "d MMM yyyy, HH:mm", tzinfo=zone, locale=visit.language))
    if abs(passed) < timedelta(seconds=1):
        return visit.gettext("just now")
    return str(format_timedelta(-passed, add_direction=True, locale=visit.language, threshold=1.2))


def _exact(visit: "Visit", at: datetime) -> str:
    zone = ZoneInfo(visit.zone)
    shape = "d MMM yyyy, HH:mm:ss zzz"
    return str(format_datetime(at, shape, tzinfo=zone, locale=visit.language))


def hour_of(visit: "Visit", at: datetime, *, seconds: bool = False) -> str:
    """The time of day."""
    shape = "HH:mm:ss" if seconds else "HH:mm"
    zone = ZoneInfo(visit.zone)
    return str(format_datetime(at, shape, tzinfo=zone, locale=visit.language))


def _day(visit: "Visit", at: datetime) -> str:
    zone = ZoneInfo(visit.zone)
    return str(format_datetime(at, "d MMMM yyyy", tzinfo=zone, locale=visit.language))


def _money(minor: int, currency: str, language: str) -> str:
    amount = Decimal(money.to_wire(Money(minor, currency)))
    return str(format_currency(amount, currency, locale=language))


def _price(text: str, currency: str, language: str) -> str:
    """An amount or a rate as the API writes it; all of its places are shown."""
    amount = Decimal(text)
    return str(format_currency(amount, currency, locale=language, decimal_quantization=False))
