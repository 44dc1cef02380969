"""Checks a template message against its template: variables, header and buttons. Pure.

Error codes: 132001 unknown or not approved, 132000 number of parameters, 132012 parameter type,
132018 and 131008 invalid values, 132005 too long.
"""

import re
from collections.abc import Sequence

from tidings.platforms.content import Button, Content, MediaRef, Passcode
from tidings.platforms.content import Template as Filled
from tidings_simulator.graph.errors import GraphError, invalid
from tidings_simulator.graph.flow_json import constants_of
from tidings_simulator.graph.interactive import find_flow, form_of, require_sendable
from tidings_simulator.graph.message_bodies import Component, Parameter, Template
from tidings_simulator.graph.message_checks import CheckContext, ParsedMessage
from tidings_simulator.model import (
    APPROVED,
    VARIABLE,
    MessageTemplate,
    TemplateButton,
    TemplateParts,
)

BODY_CHARS_MAX, HEADER_CHARS_MAX, CODE_CHARS_MAX = 1024, 60, 15
PAYLOAD_CHARS_MAX, SUFFIX_CHARS_MAX = 256, 2000
BUTTONS_MAX = 10
_FORBIDDEN_SPACE = re.compile(r"[\n\t]| {5,}")
_TYPES = {"header", "body", "button", "carousel", "limited_time_offer", "order_status", "footer"}
_MEDIA = {"IMAGE": "image", "VIDEO": "video", "DOCUMENT": "document"}
_SUB_TYPES = {"QUICK_REPLY": "quick_reply", "URL": "url", "FLOW": "flow", "COPY_CODE": "copy_code"}


def build_template(context: CheckContext, asked: Template) -> ParsedMessage:
    template = require_template(context, asked)
    parts = template.parts
    given = _by_type(asked.components)
    header, media, fails = _header(context, parts, given.get("header"))
    body = _texts("body", parts.body_variables, given.get("body"), template.parameter_format)
    text = _render(parts.body, parts.body_variables, body)
    if len(text) > BODY_CHARS_MAX:
        raise GraphError(132005, f"body: Translated text too long ({len(text)} characters)")
    button_parameters = _button_parameters(
        parts.buttons, [c for c in asked.components if c.type.lower() == "button"]
    )
    content, constants = _content(context, template, header, media, body, text, button_parameters)
    return ParsedMessage(
        content,
        category=template.category.lower(),
        is_template=True,
        fails=fails,
        constants=constants,
    )


def require_template(context: CheckContext, asked: Template) -> MessageTemplate:
    language = asked.language.code
    template = context.world.find_template(context.number.waba, asked.name, language)
    if template is not None and template.status == "PAUSED":
        raise GraphError(132015, f"Template {asked.name} is paused because of low quality")
    if template is not None and template.status == "DISABLED":
        raise GraphError(132016, f"Template {asked.name} is disabled because of low quality")
    if template is None or template.status != APPROVED:
        raise GraphError(132001, f"template name ({asked.name}) does not exist in {language}")
    if asked.language.policy != "deterministic":
        raise invalid("Param template['language']['policy'] must be deterministic")
    return template


def _by_type(components: Sequence[Component]) -> dict[str, Component]:
    found: dict[str, Component] = {}
    for component in components:
        type_ = component.type.lower()
        if type_ not in _TYPES:
            allowed = ", ".join(sorted(_TYPES)).upper()
            raise invalid(f"Param template['components']['type'] must be one of {{{allowed}}}")
        if type_ != "button":
            if type_ in found:
                raise invalid(f"template['components'] has {type_} twice")
            found[type_] = component
    return found


def _header(
    context: CheckContext, parts: TemplateParts, given: Component | None
) -> tuple[list[str], MediaRef | None, int | None]:
    """The header's variables, its file, and the code that the file's link will fail with."""
    parameters = given.parameters if given else []
    if parts.header in ("", "TEXT"):
        texts = _texts("header", parts.header_variables, given)
        if len(_render(parts.header_text, parts.header_variables, texts)) > HEADER_CHARS_MAX:
            raise GraphError(132005, "header: Translated text too long")
        return texts, None, None
    received = parameters[0].type.upper() if parameters else "UNKNOWN"
    if len(parameters) != 1 or received != parts.header:
        details = f"header: Format mismatch, expected {parts.header}, received {received}"
        raise GraphError(132012, details)
    if parts.header == "LOCATION":
        return [], None, None
    kind = _MEDIA[parts.header]
    media = getattr(parameters[0], kind)
    if media is None:
        raise invalid(f"Parameter '{kind}' is mandatory for component parameter type '{kind}'")
    ref, fails = context.require_media(media, kind, f"template['components']['header']['{kind}']")
    return [], ref, fails


def _texts(
    where: str, names: Sequence[str], given: Component | None, form: str = "POSITIONAL"
) -> list[str]:
    """The values of the variables in the order of `names`."""
    parameters = given.parameters if given else []
    if len(parameters) != len(names):
        details = (
            f"{where}: number of localizable_params ({len(parameters)}) does not match the "
            f"expected number of params ({len(names)})"
        )
        raise GraphError(132000, details)
    if form == "NAMED":
        by_name = {each.parameter_name: each for each in parameters}
        if set(by_name) != set(names):
            raise invalid(f"{where}: Parameter name is missing or empty, or not in the template")
        parameters = [by_name[name] for name in names]
    return [_value(where, parameter) for parameter in parameters]


def _value(where: str, parameter: Parameter) -> str:
    if parameter.type in ("currency", "date_time"):
        said = getattr(parameter, parameter.type) or {}
        return _checked_text(where, str(said.get("fallback_value", "")))
    if parameter.type != "text":
        details = f"{where}: Format mismatch, expected TEXT, received {parameter.type.upper()}"
        raise GraphError(132012, details)
    if parameter.text is None:
        raise invalid("Parameter 'text' is mandatory for component parameter type 'text'")
    return _checked_text(where, parameter.text)


def _checked_text(where: str, text: str) -> str:
    if not text.strip():
        raise GraphError(131008, f"{where}: Parameter of type text is missing text value")
    if _FORBIDDEN_SPACE.search(text):
        raise GraphError(
            132018,
            f"{where}: Param text cannot have new-line/tab characters or more than 4 consecutive "
            "spaces",
        )
    return text


def _button_parameters(
    buttons: Sequence[TemplateButton], given: Sequence[Component]
) -> dict[int, Parameter | None]:
    """The parameter of each button, by its index."""
    found: dict[int, Parameter | None] = {}
    for component in given:
        index = _index(component, len(buttons))
        button, sub_type = buttons[index], component.sub_type.lower()
        wanted = _SUB_TYPES.get(button.type, button.type.lower())
        if sub_type != wanted:
            details = f"buttons: Button at index {index} is {wanted}, not {sub_type or 'nothing'}"
            raise GraphError(132018, details)
        parameter = component.parameters[0] if component.parameters else None
        if parameter is not None:
            _require_parameter(index, button, parameter)
        found[index] = parameter
    for index, button in enumerate(buttons):
        needs = button.needs_text or button.type == "COPY_CODE"
        if needs and found.get(index) is None:
            kind = button.type.replace("_", " ").title().replace(" ", "")
            details = f"buttons: Button at index {index} of type {kind} requires a parameter"
            raise GraphError(131008, details)
    return found


def _index(component: Component, buttons: int) -> int:
    text = str(component.index if component.index is not None else "")
    if not text.isdecimal() or int(text) >= BUTTONS_MAX:
        raise invalid("Param template['components']['index'] must be a number from 0 to 9")
    if int(text) >= buttons:
        details = f"buttons: Button index {text} invalid for buttons array. Max size: {buttons}"
        raise GraphError(132018, details)
    return int(text)


def _require_parameter(index: int, button: TemplateButton, parameter: Parameter) -> None:
    where = f"buttons: Button at index {index}"
    if button.type == "URL":
        if not button.needs_text:
            raise GraphError(132018, f"{where} of type Url does not require parameters")
        most = CODE_CHARS_MAX if button.otp else SUFFIX_CHARS_MAX
        if not parameter.text or len(parameter.text) > most:
            raise GraphError(131009, f"{where}: the text must have 1 to {most} characters")
    elif button.type == "QUICK_REPLY":
        payload = parameter.payload if parameter.type == "payload" else parameter.text
        if not payload or len(payload) > PAYLOAD_CHARS_MAX:
            details = f"{where}: the payload must have 1 to {PAYLOAD_CHARS_MAX} characters"
            raise GraphError(131009, details)
    elif button.type == "COPY_CODE":
        code = parameter.coupon_code
        if not code or len(code) > CODE_CHARS_MAX:
            details = f"{where}: the coupon code must have 1 to {CODE_CHARS_MAX} characters"
            raise GraphError(131009, details)


def _content(
    context: CheckContext,
    template: MessageTemplate,
    header: list[str],
    media: MediaRef | None,
    body: list[str],
    text: str,
    button_parameters: dict[int, Parameter | None],
) -> tuple[Content, dict[str, object] | None]:
    parts = template.parts
    if template.category == "AUTHENTICATION":
        if any(len(value) > CODE_CHARS_MAX for value in body):
            raise GraphError(131009, f"body: a code has at most {CODE_CHARS_MAX} characters")
        return Passcode(template.name, template.language, body[0] if body else ""), None
    for index, button in enumerate(parts.buttons):
        if button.type == "FLOW":
            flow = find_flow(context, button.flow_id or None, None)
            require_sendable(flow)
            pressed = button_parameters.get(index)
            action = (pressed.action if pressed else None) or {}
            token = str(action.get("flow_token", "unused"))
            return form_of(flow, text, button.text, token), constants_of(flow.json)
    filled = Filled(
        template.name,
        template.language,
        text,
        body=tuple(body),
        header_text=header[0] if header else "",
        header=_render(parts.header_text, parts.header_variables, header),
        media=media,
        footer=parts.footer,
        buttons=tuple(_button(b, button_parameters.get(i)) for i, b in enumerate(parts.buttons)),
    )
    return filled, None


def _button(button: TemplateButton, pressed: Parameter | None) -> Button:
    if button.type == "QUICK_REPLY":
        payload = (pressed.payload or pressed.text or "") if pressed else ""
        return Button("reply", button.text, payload=payload)
    if button.type == "URL":
        suffix = (pressed.text or "") if pressed else ""
        url = VARIABLE.sub(lambda _: suffix, button.url)
        return Button("url", button.text, url=url, suffix=suffix)
    if button.type == "PHONE_NUMBER":
        return Button("phone", button.text, payload=button.phone)
    return Button(button.type.lower(), button.text)


def _render(text: str, names: Sequence[str], values: Sequence[str]) -> str:
    if not values:
        return text
    by_name = dict(zip(names, values, strict=True))
    return VARIABLE.sub(lambda match: by_name[match[1]], text)
