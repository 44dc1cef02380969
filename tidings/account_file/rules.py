"""Rules over several fields: accounts, numbers, periods, forms, invoices. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from tidings import urls
from tidings.errors import ApiError
from tidings.features.feedback.forms.declare import read as read_form
from tidings.features.feedback.forms.faults import find_faults

from .format import AccountEntry, Form
from .tables import Diagnostics
from .template_rules import check_templates

KEY_CHARS_MIN = 32  # of a live account; a shorter one could be guessed


def check_accounts(
    entries: Mapping[str, AccountEntry], found: Diagnostics, *, allow_private: bool
) -> None:
    """Record the errors of each account, and of all of them together."""
    _check_unique({path: [entry.name] for path, entry in entries.items()}, "name", found)
    keys = {path: [entry.api_key] for path, entry in entries.items() if entry.api_key}
    _check_unique(keys, "apiKey", found, secret=True)
    _check_phone_number_ids(entries, found)
    by_name = {entry.name: entry for entry in entries.values()}
    for path, entry in entries.items():
        _check_webhook_url(entry, path, found, allow_private=allow_private)
        _check_secrets(entry, path, found)
        _check_belonging(entry, path, by_name, found)
        _check_periods(entry, path, found)
        _check_numbers(entry, path, found)
        _check_forms(entry, path, found)
        _check_invoices(entry, path, found)
        check_templates(entry, path, found)


def _check_unique(
    values: Mapping[str, Iterable[str]], name: str, found: Diagnostics, *, secret: bool = False
) -> None:
    """Record each value that occurs at a second path."""
    first: dict[str, str] = {}
    for path, at_path in values.items():
        for value in at_path:
            other = first.setdefault(value, path)
            if other != path:
                shown = "" if secret else f' "{value}"'
                found.error(f"{path}.{name}", f"repeats{shown}, which {other} has; use another")


def _duplicates(values: Iterable[str]) -> list[str]:
    return [value for value, count in Counter(values).items() if count > 1]


def _check_phone_number_ids(entries: Mapping[str, AccountEntry], found: Diagnostics) -> None:
    ids = {
        f"{path}.numbers[{index}]": [number.phone_number_id]
        for path, entry in entries.items()
        for index, number in enumerate(entry.numbers)
        if number.phone_number_id is not None
    }
    _check_unique(ids, "phoneNumberId", found)


def _check_webhook_url(
    entry: AccountEntry, path: str, found: Diagnostics, *, allow_private: bool
) -> None:
    if entry.webhook_url is None:
        return
    path = f"{path}.webhookUrl"
    try:
        urls.require_postable(entry.webhook_url, path, allow_private=allow_private)
    except ApiError as refusal:
        hint = " (TIDINGS_ALLOW_PRIVATE_WEBHOOKS=true takes http and private hosts)"
        problem = refusal.message.removeprefix(f"{path} ")
        found.error(path, problem + ("" if allow_private else hint))


def _check_secrets(entry: AccountEntry, path: str, found: Diagnostics) -> None:
    if entry.api_key is None:
        return
    prefix = f"td_{entry.environment}_"
    if not entry.api_key.startswith(prefix):
        found.error(
            f"{path}.apiKey", f"must start with {prefix}: that is the account's environment"
        )
    elif entry.environment == "live" and len(entry.api_key) < KEY_CHARS_MIN:
        found.warn(f"{path}.apiKey", "is short enough to guess; leave it out to have one generated")


def _check_belonging(
    entry: AccountEntry, path: str, by_name: Mapping[str, AccountEntry], found: Diagnostics
) -> None:
    """A name that is not in the file may be in the database; `configure` checks that."""
    if entry.belongs_to is None:
        return
    path = f"{path}.belongsTo"
    if entry.partner is not None:
        found.error(path, "cannot go with partner: a partner belongs to nobody")
    partner = by_name.get(entry.belongs_to)
    if partner is None:
        return
    if partner.environment != entry.environment:
        found.error(path, f'names "{partner.name}", which is {partner.environment}')


def _check_periods(entry: AccountEntry, path: str, found: Diagnostics) -> None:
    window = entry.send_window
    if window is not None and window.from_ == window.to:
        found.error(
            f"{path}.sendWindow.to", "must differ from from; leave sendWindow out for always"
        )
    period = entry.subscription
    if period is None or period.starts_at is None or period.ends_at is None:
        return
    if period.ends_at <= period.starts_at:
        found.error(f"{path}.subscription.endsAt", "must be after startsAt")


def _check_numbers(entry: AccountEntry, path: str, found: Diagnostics) -> None:
    for number in _duplicates(number.number for number in entry.numbers):
        found.error(f"{path}.numbers", f'name "{number}" twice; remove one')
    if entry.environment != "live":
        return
    for index, one in enumerate(entry.numbers):
        required = {
            "phoneNumberId": one.phone_number_id,
            "wabaId": one.waba_id,
            "accessToken": one.access_token,
        }
        for name in (name for name, value in required.items() if value is None):
            found.error(f"{path}.numbers[{index}].{name}", "is required for a live account")


def _check_forms(entry: AccountEntry, path: str, found: Diagnostics) -> None:
    for form_id in _duplicates(form.id for form in entry.forms):
        found.error(f"{path}.forms", f'name "{form_id}" twice; remove one')
    for index, form in enumerate(entry.forms):
        _check_form(form, f"{path}.forms[{index}]", found)


def _check_form(form: Form, path: str, found: Diagnostics) -> None:
    declared = read_form(msgspec.to_builtins(form))
    for where, problem in find_faults(declared.form_id, declared.form):
        found.error(f"{path}.{where}", problem)


def _check_invoices(entry: AccountEntry, path: str, found: Diagnostics) -> None:
    for number in _duplicates(invoice.number for invoice in entry.invoices):
        found.error(f"{path}.invoices", f'name "{number}" twice; remove one')
    for index, invoice in enumerate(entry.invoices):
        where = f"{path}.invoices[{index}]"
        if invoice.due_at < invoice.issued_at:
            found.error(f"{where}.dueAt", "must not be before issuedAt")
        if not invoice.lines:
            found.error(f"{where}.lines", "must hold at least one line")
