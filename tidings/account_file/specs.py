"""From a table of the file to what each feature's `configure` takes. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from tidings.features.accounts.model import AccountSpec, PartnerTerms, SendWindow
from tidings.features.senders.model import NumberSpec
from tidings.features.templates.model import Template, TemplateButton

from .format import AccountEntry, Number, TemplateEntry
from .tables import Diagnostics, set_fields

FROM_ENVIRONMENT = "env:"
PASSCODE_BODY = "{{1}} is your verification code."
COPY_CODE = TemplateButton("COPY_CODE", "Copy code")


@dataclass(frozen=True, slots=True)
class DeclaredAccount:
    """One account as the file declares it. `templates` is None for a live account: the platform
    has them. `fields_set` and `number_fields_set` are the fields that the file sets: the others
    stay as they are (contract2.md, C and E)."""

    account: AccountSpec
    numbers: list[NumberSpec]
    templates: list[Template] | None
    fields_set: frozenset[str]
    number_fields_set: tuple[frozenset[str], ...]  # of each number


def to_specs(
    entry: AccountEntry,
    *,
    table: Mapping[str, Any],
    path: str,
    env: Mapping[str, str],
    found: Diagnostics,
) -> DeclaredAccount:
    """`table` is what the entry was read from."""
    numbers = [
        _number(number, f"{path}.numbers[{index}]", env, found)
        for index, number in enumerate(entry.numbers)
    ]
    templates = [_template(template) for template in entry.templates]
    return DeclaredAccount(
        account=_account(entry),
        numbers=numbers,
        templates=None if entry.environment == "live" else templates,
        fields_set=set_fields(AccountEntry, table),
        number_fields_set=tuple(set_fields(Number, one) for one in table.get("numbers", [])),
    )


def _account(entry: AccountEntry) -> AccountSpec:
    window, partner = entry.send_window, entry.partner
    return AccountSpec(
        name=entry.name,
        environment=entry.environment,
        replies=entry.replies,
        active=entry.active,
        paused=entry.paused,
        webhook_url=entry.webhook_url,
        requests_per_minute=entry.requests_per_minute,
        daily_limit=entry.daily_limit,
        default_template=entry.default_template,
        otp_template=entry.otp_template,
        resend_unknown=entry.resend_unknown,
        resend_when_recovered=entry.resend_when_recovered,
        retention_days=entry.retention_days,
        reader_precision=entry.reader_precision,
        second_opinion=entry.second_opinion,
        keep_readings=entry.keep_readings,
        allowlist=None if entry.allowlist is None else frozenset(entry.allowlist),
        send_window=None
        if window is None
        else SendWindow(window.from_, window.to, window.timezone),
        billing_mode=entry.billing_mode,
        organisation=entry.organisation,
        belongs_to=entry.belongs_to,
        partner=None if partner is None else PartnerTerms(**msgspec.structs.asdict(partner)),
        declared=_sections(entry),
        api_key=entry.api_key,
        signing_secret=entry.signing_secret,
    )


def _sections(entry: AccountEntry) -> dict[str, Any]:
    """Sections that are stored with the account, and read by their features."""
    sections = {
        "subscription": entry.subscription,
        "forms": entry.forms,
        "invoices": entry.invoices,
    }
    return {name: msgspec.to_builtins(part) for name, part in sections.items() if part}


def _number(number: Number, path: str, env: Mapping[str, str], found: Diagnostics) -> NumberSpec:
    token = number.access_token
    if token is not None and token.startswith(FROM_ENVIRONMENT):
        name = token.removeprefix(FROM_ENVIRONMENT)
        token = env.get(name, "").strip()
        if not token:
            found.error(f"{path}.accessToken", f"asks for the variable {name}, which is not set")
    return NumberSpec(
        number=number.number,
        display_name=number.display_name,
        phone_number_id=number.phone_number_id,
        waba_id=number.waba_id,
        portfolio_id=number.portfolio_id,
        access_token=token,
        per_second=number.per_second,
        daily_limit=number.daily_limit,
    )


def _template(entry: TemplateEntry) -> Template:
    is_passcode = entry.category == "AUTHENTICATION"
    buttons = tuple(
        TemplateButton(button.type, button.text, button.url or "", button.phone or "")
        for button in entry.buttons
    )
    return Template(
        name=entry.name,
        language=entry.language,
        category=entry.category,
        status=entry.status,
        header=entry.header,
        header_text=entry.header_text or "",
        body=entry.body or (PASSCODE_BODY if is_passcode else ""),
        footer=entry.footer,
        buttons=(COPY_CODE,) if is_passcode else buttons,
    )
