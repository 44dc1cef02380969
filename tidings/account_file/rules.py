"""What one field of the file alone cannot tell: accounts, numbers, forms, invoices. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from tidings import urls
from tidings.errors import ApiError
from tidings.features.feedback.declare import read as read_form
from tidings.features.feedback.faults import find_faults

from .fields import Faults
from .format import AccountEntry, Form
from .template_rules import check_templates

KEY_CHARS_MIN = 32  # of a live account; fewer may be guessed


def check_accounts(
    entries: Mapping[str, AccountEntry], faults: Faults, *, allow_private: bool
) -> None:
    """Note every fault of the accounts, each alone and all together."""
    _check_unique({path: [entry.name] for path, entry in entries.items()}, "name", faults)
    keys = {path: [entry.api_key] for path, entry in entries.items() if entry.api_key}
    _check_unique(keys, "apiKey", faults, secret=True)
    _check_phone_number_ids(entries, faults)
    by_name = {entry.name: entry for entry in entries.values()}
    for path, entry in entries.items():
        _check_webhook_url(entry, path, faults, allow_private=allow_private)
        _check_secrets(entry, path, faults)
        _check_belonging(entry, path, by_name, faults)
        _check_periods(entry, path, faults)
        _check_numbers(entry, path, faults)
        _check_forms(entry, path, faults)
        _check_invoices(entry, path, faults)
        check_templates(entry, path, faults)


def _check_unique(
    values: Mapping[str, Iterable[str]], name: str, faults: Faults, *, secret: bool = False
) -> None:
    """Note each value that stands at a second path."""
    first: dict[str, str] = {}
    for path, found in values.items():
        for value in found:
            other = first.setdefault(value, path)
            if other != path:
                shown = "" if secret else f' "{value}"'
                faults.add(f"{path}.{name}", f"repeats{shown}, which {other} has; use another")


def _repeated(values: Iterable[str]) -> list[str]:
    return [value for value, count in Counter(values).items() if count > 1]


def _check_phone_number_ids(entries: Mapping[str, AccountEntry], faults: Faults) -> None:
    ids = {
        f"{path}.numbers[{index}]": [number.phone_number_id]
        for path, entry in entries.items()
        for index, number in enumerate(entry.numbers)
        if number.phone_number_id is not None
    }
    _check_unique(ids, "phoneNumberId", faults)


def _check_webhook_url(
    entry: AccountEntry, path: str, faults: Faults, *, allow_private: bool
) -> None:
    if entry.webhook_url is None:
        return
    try:
        urls.require_postable(entry.webhook_url, f"{path}.webhookUrl", allow_private=allow_private)
    except ApiError as refusal:
        hint = " (TIDINGS_ALLOW_PRIVATE_WEBHOOKS=true takes http and private hosts)"
        faults.errors.append(refusal.message + ("" if allow_private else hint))


def _check_secrets(entry: AccountEntry, path: str, faults: Faults) -> None:
    if entry.api_key is None:
        return
    prefix = f"td_{entry.environment}_"
    if not entry.api_key.startswith(prefix):
        faults.add(f"{path}.apiKey", f"must start with {prefix}, as the account's environment says")
    elif entry.environment == "live" and len(entry.api_key) < KEY_CHARS_MIN:
        faults.warn(f"{path}.apiKey", "is short enough to guess; leave it out to have one made")


def _check_belonging(
    entry: AccountEntry, path: str, by_name: Mapping[str, AccountEntry], faults: Faults
) -> None:
    """A name that is not in the file may be in the database; `configure` looks there."""
    if entry.belongs_to is None:
        return
    path = f"{path}.belongsTo"
    if entry.partner is not None:
        faults.add(path, "cannot go with partner: a partner belongs to nobody")
    partner = by_name.get(entry.belongs_to)
    if partner is None:
        return
    if partner.environment != entry.environment:
        faults.add(path, f'names "{partner.name}", which is {partner.environment}')


def _check_periods(entry: AccountEntry, path: str, faults: Faults) -> None:
    window = entry.send_window
    if window is not None and window.from_ == window.to:
        faults.add(
            f"{path}.sendWindow.to", "must differ from from; leave sendWindow out for always"
        )
    period = entry.subscription
    if period is None or period.starts_at is None or period.ends_at is None:
        return
    if period.ends_at <= period.starts_at:
        faults.add(f"{path}.subscription.endsAt", "must be after startsAt")


def _check_numbers(entry: AccountEntry, path: str, faults: Faults) -> None:
    for repeated in _repeated(number.number for number in entry.numbers):
        faults.add(f"{path}.numbers", f'name "{repeated}" twice; remove one')
    if entry.environment != "live":
        return
    for index, number in enumerate(entry.numbers):
        needed = {
            "phoneNumberId": number.phone_number_id,
            "wabaId": number.waba_id,
            "accessToken": number.access_token,
        }
        for name in (name for name, value in needed.items() if value is None):
            faults.add(f"{path}.numbers[{index}].{name}", "is required for a live account")


def _check_forms(entry: AccountEntry, path: str, faults: Faults) -> None:
    for form_id in _repeated(form.id for form in entry.forms):
        faults.add(f"{path}.forms", f'name "{form_id}" twice; remove one')
    for index, form in enumerate(entry.forms):
        _check_form(form, f"{path}.forms[{index}]", faults)


def _check_form(form: Form, path: str, faults: Faults) -> None:
    declared = read_form(msgspec.to_builtins(form))
    for where, problem in find_faults(declared.form_id, declared.form):
        faults.add(f"{path}.{where}", problem)


def _check_invoices(entry: AccountEntry, path: str, faults: Faults) -> None:
    for number in _repeated(invoice.number for invoice in entry.invoices):
        faults.add(f"{path}.invoices", f'name "{number}" twice; remove one')
    for index, invoice in enumerate(entry.invoices):
        where = f"{path}.invoices[{index}]"
        if invoice.due_at < invoice.issued_at:
            faults.add(f"{where}.dueAt", "must not be before issuedAt")
        if not invoice.lines:
            faults.add(f"{where}.lines", "must hold at least one line")
