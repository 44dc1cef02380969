"""Which template carries a passcode (4.2, contract.md "Sending"). Pure."""

from collections.abc import Sequence

from tidings.errors import ApiError, Code

from .model import Template

CATEGORY = "AUTHENTICATION"
FIELD = "otpTemplate"  # of the account's settings: the request itself names no template


def decide_passcode_template(
    account_otp_template: str | None, templates: Sequence[Template], language: str | None = None
) -> Template:
    """The account's `otpTemplate`, else its one approved AUTHENTICATION template.

    A request cannot name a language, so several approved versions are not an error: English is
    preferred, then the first by language code.
    """
    versions = [template for template in templates if template.category == CATEGORY]
    if account_otp_template is not None:
        versions = [version for version in versions if version.name == account_otp_template]
    if language is not None:
        versions = [version for version in versions if version.language == language]
    usable = [version for version in versions if version.usable]
    if not usable:
        raise _refusal(_none(account_otp_template, versions, language))
    names = sorted({version.name for version in usable})
    if len(names) > 1:
        known = ", ".join(names)
        raise _refusal(f"the account has several AUTHENTICATION templates ({known}); set one")
    return min(usable, key=_preference)


def _preference(version: Template) -> tuple[bool, str]:
    is_english = version.language == "en" or version.language.startswith("en_")
    return not is_english, version.language


def _none(name: str | None, versions: Sequence[Template], language: str | None) -> str:
    subject = f"template {name!r}" if name is not None else "template"
    spoken = f" in {language!r}" if language is not None else ""
    if not versions:
        return f"the account has no AUTHENTICATION {subject}{spoken}; add one and have it approved"
    found = ", ".join(sorted({f"{version.name!r} is {version.status}" for version in versions}))
    return (
        f"the account has no approved AUTHENTICATION {subject}{spoken} ({found}); have it approved"
    )


def _refusal(problem: str) -> ApiError:
    return ApiError(Code.VALIDATION_ERROR, f"{FIELD}: {problem}", field=FIELD)
