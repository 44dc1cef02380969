"""Which template may be sent, and its content with the variables filled in (4.1). Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tidings.errors import ApiError, Code, ErrorCode
from tidings.features.links.rules import is_ours
from tidings.platforms import content
from tidings.platforms.content import MediaRef
from tidings.wording import counted, quote

from .model import VARIABLE, Template, TemplateButton


class TemplateCode(ErrorCode):
    """The error codes of templates (section 7)."""

    BUTTON_URL_UNSUPPORTED = (
        400,
        "the template's button is not on the service's domain, so buttonUrl is not accepted",
        "Use a template with a URL button on the service's own domain, or leave buttonUrl out.",
    )
    INVALID_BUTTON_PAYLOAD = (
        400,
        "buttonPayloads must be 1 to 10 strings of 1 to 128 characters",
        "Give 1 to 10 strings of 1 to 128 characters, in the order of the template's buttons.",
    )


_MEDIA_OF = {"IMAGE": "image", "DOCUMENT": "document"}  # by header type
_UNSENDABLE = re.compile("[\\r\\n\\t]| {5}")  # not allowed in a param


@dataclass(frozen=True, slots=True)
class Link:
    """A tracked link, and the public URL that tracked links start with."""

    code: str
    public_url: str


def decide_version(versions: Sequence[Template], name: str, language: str | None) -> Template:
    """The requested language version; refused if it is missing, ambiguous or not approved."""
    if not versions:
        raise _refusal("templateName", f"templateName: the account has no template {quote(name)}")
    if len(versions) == 1 and language in (None, versions[0].language):
        return _usable(versions[0])
    if language is not None:
        found = [version for version in versions if version.language == language]
        if not found:
            known = ", ".join(sorted(version.language for version in versions))
            problem = (
                f"templateLang: template {name!r} has no language {quote(language)}; it has {known}"
            )
            raise _refusal("templateLang", problem)
        return _usable(found[0])
    usable = [version for version in versions if version.usable]
    if len(usable) > 1:
        known = ", ".join(sorted(version.language for version in usable))
        problem = f"templateLang is needed: template {name!r} is approved in {known}"
        raise _refusal("templateLang", problem)
    return _usable((usable or versions)[0])


def _usable(version: Template) -> Template:
    if not version.usable:
        problem = f"is {version.status}, not APPROVED"
        if version.status == "APPROVED":
            problem = f"cannot be sent: {version.problem}"
        raise _refusal("templateName", f"templateName: template {version.name!r} {problem}")
    return version


def fill(
    template: Template,
    params: Sequence[str],
    *,
    payloads: Sequence[str] | None = None,
    default_payload: str = "",
    media: MediaRef | None = None,
    link: Link | None = None,
) -> content.Template:
    """Fill in the variables: those of the header text, then the body, then the URL buttons.

    `link` fills the URL button on the service's domain, which then takes no param.
    """
    linked = None if link is None else require_linkable(template, link.public_url)
    require_params(template, params, fewer=linked is not None)
    require_media(template, media)
    if template.is_plain and not payloads:
        return content.Template(
            template.name,
            template.language,
            template.body_format.format(*params),
            tuple(params),
            footer=template.footer,
            names=template.names,
        )
    in_header, in_body = template.header_variables, template.body_variables
    header = params[:in_header]
    body = params[in_header : in_header + in_body]
    rest = params[in_header + in_body :]
    return content.Template(
        name=template.name,
        language=template.language,
        rendered=template.body_format.format(*body),
        body=tuple(body),
        header_text=header[0] if header else "",
        header=template.header_format.format(*header),
        media=media,
        footer=template.footer,
        names=template.names,
        buttons=_fill_buttons(
            template.buttons,
            list(rest),
            _payloads(template, payloads, default_payload),
            link.code if link is not None else "",
            linked,
        ),
    )


def require_linkable(template: Template, public_url: str) -> TemplateButton:
    """The template's URL button on our own domain, which a tracked link can fill."""
    for button in template.buttons:
        if button.has_variable and is_ours(button.url, public_url):
            return button
    problem = (
        f"buttonUrl: template {template.name!r} has no URL button at {public_url}/r/{{{{1}}}}, "
        "so its address cannot be set"
    )
    raise ApiError(TemplateCode.BUTTON_URL_UNSUPPORTED, problem, field="buttonUrl")


def require_params(template: Template, params: Sequence[str], *, fewer: bool = False) -> None:
    takes = template.variables - fewer
    if len(params) != takes:
        problem = (
            f"templateParams: template {template.name!r} takes {counted(takes, 'variable')}, "
            f"got {len(params)}"
        )
        raise _refusal("templateParams", problem)
    if _are_plainly_valid(params):
        return
    for index, param in enumerate(params):
        # The platform would refuse these, but only after the message was charged.
        if not is_sendable(param):
            problem = (
                f"templateParams[{index}] must be text on one line, without tabs or five spaces "
                "in a row"
            )
            raise _refusal(f"templateParams[{index}]", problem)


def is_sendable(param: str) -> bool:
    """The platform refuses others."""
    return bool(param.strip()) and not _UNSENDABLE.search(param)


def _are_plainly_valid(params: Sequence[str]) -> bool:
    """Fast check of all params together. False: check them one by one."""
    together = "|".join(params)
    return together.isprintable() and "  " not in together and all(map(str.strip, params))


def require_media(template: Template, media: MediaRef | None) -> None:
    required = _MEDIA_OF.get(template.header or "")
    if required and media is None:
        problem = f"template {template.name!r} has a header {required}: give mediaId or mediaBase64"
        raise _refusal("mediaId", f"mediaId: {problem}, with type {required!r}")
    if media is not None:
        kind = "document" if media.mimetype == "application/pdf" else "image"
        if kind != required:
            takes = f"takes a header {required}" if required else "has no media header"
            raise _refusal("type", f"type: template {template.name!r} {takes}, got {kind}")


def _payloads(
    template: Template, payloads: Sequence[str] | None, default_payload: str
) -> list[str]:
    replies, given = template.replies, list(payloads or ())
    if len(given) > replies:
        problem = (
            f"buttonPayloads: template {template.name!r} has "
            f"{counted(replies, 'quick-reply button')}, got {counted(len(given), 'payload')}"
        )
        raise ApiError(TemplateCode.INVALID_BUTTON_PAYLOAD, problem, field="buttonPayloads")
    return given + [default_payload] * (replies - len(given))


def _fill_buttons(
    buttons: Sequence[TemplateButton],
    rest: list[str],
    payloads: list[str],
    code: str,
    linked: TemplateButton | None,
) -> tuple[content.Button, ...]:
    filled: list[content.Button] = []
    for button in buttons:
        if button.type == "QUICK_REPLY":
            filled.append(content.Button("reply", button.text, payload=payloads.pop(0)))
        elif button.type == "URL":
            suffix = _suffix(button, rest, code if button is linked else "")
            filled.append(_fill_url(button, suffix))
        elif button.type == "PHONE_NUMBER":
            filled.append(content.Button("phone", button.text, payload=button.phone))
        else:
            filled.append(content.Button(button.type.lower(), button.text))
    return tuple(filled)


def _fill_url(button: TemplateButton, suffix: str) -> content.Button:
    url = VARIABLE.sub(lambda _: suffix, button.url)
    return content.Button("url", button.text, url=url, suffix=suffix)


def _suffix(button: TemplateButton, rest: list[str], code: str) -> str:
    if code:
        return code
    return rest.pop(0) if button.has_variable else ""


def _refusal(field: str, problem: str) -> ApiError:
    return ApiError(Code.VALIDATION_ERROR, problem, field=field)
