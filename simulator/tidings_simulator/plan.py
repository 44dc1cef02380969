"""The initial state: from a TOML file, or the default plan below. Pure.

The fields are those of `[[accounts.numbers]]` and `[[accounts.templates]]` in the file of
`tidings apply`, so that blocks can be copied between the two.
"""

import tomllib
from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from tidings.clock import Clock
from tidings_simulator.model import APPROVED, MessageTemplate, Number, Waba
from tidings_simulator.world import World

ACCESS_TOKEN = "simulator-token"  # noqa: S105 - nobody's secret
APP_ID = "500000000000001"
WABA_ID = "200000000000001"
PORTFOLIO_ID = "300000000000001"
FIRST_NUMBER_ID = 100_000_000_000_001
NUMBER = "972555000001"
OTP_URL = "https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}"

Digits = Annotated[str, Meta(pattern="^[0-9]{5,20}$")]


class InvalidPlan(Exception):
    """The file cannot be used. The text is one sentence."""


class _Spec(msgspec.Struct, forbid_unknown_fields=True, rename="camel", kw_only=True):
    pass


class NumberSpec(_Spec):
    number: Digits
    display_name: str = "Tidings"
    phone_number_id: str = ""
    waba_id: str = WABA_ID
    portfolio_id: str = PORTFOLIO_ID
    access_token: str = ACCESS_TOKEN
    quality: str = "GREEN"
    status: str = "CONNECTED"
    throughput: str = "STANDARD"
    limit: str = "TIER_100K"  # of the portfolio
    per_second: int | None = None
    allowlist: list[Digits] | None = None


class ButtonSpec(_Spec):
    type: str
    text: str
    url: str = ""
    phone: str = ""
    flow_id: str = ""


class TemplateSpec(_Spec):
    name: str
    language: str = "en"
    category: str = "UTILITY"
    status: str = APPROVED
    header: str = ""
    header_text: str = ""
    body: str = ""
    footer: str = ""
    buttons: list[ButtonSpec] = []
    components: list[dict[str, Any]] = []  # the platform's format, instead of the four above
    parameter_format: str = "POSITIONAL"
    waba_id: str = ""  # "": every account of the plan


class Plan(_Spec):
    numbers: list[NumberSpec] = []
    templates: list[TemplateSpec] = []
    app_id: str = APP_ID

    def with_numbers(self, numbers: Sequence[str]) -> "Plan":
        """A copy with these numbers, given as digits."""
        specs = [NumberSpec(number=number) for number in numbers]
        return msgspec.structs.replace(self, numbers=specs)


_YES_NO = [ButtonSpec(type="QUICK_REPLY", text=text) for text in ("Yes", "No")]
DEFAULT = Plan(
    numbers=[NumberSpec(number=NUMBER)],
    templates=[
        TemplateSpec(name="hello_world", language="en_US", body="Welcome and congratulations!"),
        TemplateSpec(name="hello", body="Hello {{1}}"),
        TemplateSpec(name="plain", body="Good morning"),
        TemplateSpec(name="invite", body="Hi {{1}}, join us on {{2}}!", buttons=_YES_NO),
        TemplateSpec(name="photo", header="IMAGE", body="This is for {{1}}."),
        TemplateSpec(name="menu", header="DOCUMENT", body="Our menu, with love."),
        TemplateSpec(name="offer", category="MARKETING", body="Only today: {{1}}!"),
        TemplateSpec(name="code", category="AUTHENTICATION"),
    ],
)


def read_plan(text: str) -> Plan:
    """The plan in a file, with defaults for missing parts."""
    try:
        plan = msgspec.convert(tomllib.loads(text), Plan)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as reason:
        raise InvalidPlan(f"The file cannot be used: {reason}") from None
    numbers, templates = plan.numbers or DEFAULT.numbers, plan.templates or DEFAULT.templates
    return msgspec.structs.replace(plan, numbers=numbers, templates=templates)


def build_world(plan: Plan, clock: Clock) -> World:
    world = World(clock, plan.app_id)
    for place, spec in enumerate(plan.numbers):
        waba = _waba(world, spec)
        world.add(
            Number(
                id=spec.phone_number_id or str(FIRST_NUMBER_ID + place),
                number=spec.number,
                waba=waba,
                verified_name=spec.display_name,
                status=spec.status,
                quality_rating=spec.quality,
                throughput=spec.throughput,
                per_second=spec.per_second,
                allowed=None if spec.allowlist is None else frozenset(spec.allowlist),
            )
        )
    for waba in world.wabas():
        for template in plan.templates:
            if template.waba_id in ("", waba.id):
                world.add(_template(world, waba, template))
    return world


def _waba(world: World, spec: NumberSpec) -> Waba:
    known = world.nodes.get(spec.waba_id)
    if isinstance(known, Waba):
        return known
    waba = Waba(
        spec.waba_id, spec.display_name, spec.portfolio_id, spec.access_token, limit=spec.limit
    )
    world.add(waba)
    return waba


def _template(world: World, waba: Waba, spec: TemplateSpec) -> MessageTemplate:
    return MessageTemplate(
        id=world.new_id(),
        waba=waba,
        name=spec.name,
        language=spec.language,
        category=spec.category,
        components=spec.components or components_of(spec),
        status=spec.status,
        parameter_format=spec.parameter_format,
    )


def components_of(spec: TemplateSpec) -> list[dict[str, Any]]:
    """The components of a template in the platform's format."""
    if spec.category == "AUTHENTICATION":
        button = {"type": "URL", "text": "Copy code", "url": OTP_URL, "example": [OTP_URL]}
        body = {"type": "BODY", "text": "*{{1}}* is your verification code."}
        return [body, {"type": "BUTTONS", "buttons": [button]}]
    found: list[dict[str, Any]] = []
    if spec.header:
        header = {"type": "HEADER", "format": spec.header}
        found.append({**header, "text": spec.header_text} if spec.header == "TEXT" else header)
    found.append({"type": "BODY", "text": spec.body})
    if spec.footer:
        found.append({"type": "FOOTER", "text": spec.footer})
    if spec.buttons:
        found.append({"type": "BUTTONS", "buttons": [_button(each) for each in spec.buttons]})
    return found


def _button(spec: ButtonSpec) -> dict[str, Any]:
    optional = {"url": spec.url, "phone_number": spec.phone, "flow_id": spec.flow_id}
    given = {name: value for name, value in optional.items() if value}
    return {"type": spec.type, "text": spec.text, **given}
