"""Which template may be sent, and what it says once its variables are in place (4.1). Pure."""

from collections.abc import Sequence

from tidings.errors import ApiError, Code
from tidings.platforms import content
from tidings.platforms.content import MediaRef

from .model import VARIABLE, Template, TemplateButton


def decide_version(versions: Sequence[Template], name: str, language: str | None) -> Template:
    """The language version that is meant; refused where missing, ambiguous or not approved."""
    if not versions:
        raise _refusal("templateName", f"templateName: the account has no template {name!r}")
    if language is not None:
        found = [version for version in versions if version.language == language]
        if not found:
            known = ", ".join(sorted(version.language for version in versions))
            problem = (
                f"templateLang: template {name!r} has no language {language!r}; it has {known}"
            )
            raise _refusal("templateLang", problem)
        return _usable(found[0])
    usable = [version for version in versions if version.usable] or list(versions)
    if len(usable) > 1:
        known = ", ".join(sorted(version.language for version in usable))
        problem = f"templateLang is needed: template {name!r} is approved in {known}"
        raise _refusal("templateLang", problem)
    return _usable(usable[0])


def _usable(version: Template) -> Template:
    if not version.usable:
        problem = f"templateName: template {version.name!r} is {version.status}, not APPROVED"
        raise _refusal("templateName", problem)
    return version


def fill(
    template: Template,
    params: Sequence[str],
    *,
    payloads: Sequence[str] | None = None,
    default_payload: str = "",
    media: MediaRef | None = None,
) -> content.Template:
    """The template with its variables in place: header text, body, then URL buttons, in order."""
    require_params(template, params)
    require_media(template, media)
    header, rest = _take(template.header_text, params)
    body, rest = _take(template.body, rest)
    return content.Template(
        name=template.name,
        language=template.language,
        rendered=_render(template.body, body),
        body=tuple(body),
        header_text=header[0] if header else "",
        header=_render(template.header_text, header),
        media=media,
        footer=template.footer,
        buttons=_fill_buttons(template, list(rest), payloads, default_payload),
    )


def require_params(template: Template, params: Sequence[str]) -> None:
    if len(params) != template.variables:
        problem = (
            f"templateParams: template {template.name!r} takes {template.variables} "
            f"variables, got {len(params)}"
        )
        raise _refusal("templateParams", problem)
    for index, param in enumerate(params):
        # The platform refuses these only after the charge; say so before.
        if not param.strip() or "\n" in param or "\t" in param or "     " in param:
            problem = (
                f"templateParams[{index}] must be text on one line, without tabs or five spaces "
                "in a row"
            )
            raise _refusal(f"templateParams[{index}]", problem)


def require_media(template: Template, media: MediaRef | None) -> None:
    wanted = {"IMAGE": "image", "DOCUMENT": "document"}.get(template.header or "")
    if wanted and media is None:
        problem = f"template {template.name!r} has a header {wanted}: give mediaId or mediaBase64"
        raise _refusal("mediaId", f"mediaId: {problem}, with type {wanted!r}")
    if media is not None:
        kind = "document" if media.mimetype == "application/pdf" else "image"
        if kind != wanted:
            takes = f"takes a header {wanted}" if wanted else "has no media header"
            raise _refusal("mediaId", f"mediaId: template {template.name!r} {takes}, got {kind}")


def _take(text: str, params: Sequence[str]) -> tuple[list[str], Sequence[str]]:
    count = len({int(number) for number in VARIABLE.findall(text)}) if "{{" in text else 0
    return list(params[:count]), params[count:]


def _render(text: str, params: Sequence[str]) -> str:
    if not params:
        return text
    return VARIABLE.sub(lambda match: params[int(match[1]) - 1], text)


def _fill_buttons(
    template: Template, rest: list[str], payloads: Sequence[str] | None, default_payload: str
) -> tuple[content.Button, ...]:
    replies = sum(button.type == "QUICK_REPLY" for button in template.buttons)
    if payloads is not None and len(payloads) != replies:
        problem = (
            f"buttonPayloads: template {template.name!r} has {replies} quick-reply buttons, "
            f"got {len(payloads)} payloads"
        )
        raise ApiError(Code.INVALID_BUTTON_PAYLOAD, problem, field="buttonPayloads")
    left = list(payloads) if payloads is not None else [default_payload] * replies
    return tuple(_fill_button(button, rest, left) for button in template.buttons)


def _fill_button(button: TemplateButton, rest: list[str], payloads: list[str]) -> content.Button:
    if button.type == "QUICK_REPLY":
        return content.Button(kind="reply", text=button.text, payload=payloads.pop(0))
    if button.type == "URL":
        suffix = rest.pop(0) if button.has_variable else ""
        url = VARIABLE.sub(lambda _: suffix, button.url)
        return content.Button(kind="url", text=button.text, url=url, suffix=suffix)
    if button.type == "PHONE_NUMBER":
        return content.Button(kind="phone", text=button.text, payload=button.phone)
    return content.Button(kind=button.type.lower(), text=button.text)


def _refusal(field: str, problem: str) -> ApiError:
    return ApiError(Code.VALIDATION_ERROR, problem, field=field)
