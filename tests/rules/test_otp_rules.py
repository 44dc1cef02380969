"""What a passcode may be (4.2), and which template carries it. Pure."""

import dataclasses
import re
import string
from datetime import timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.names import named
from tidings.engine.http import fields
from tidings.errors import ApiError, Code
from tidings.features.accounts.model import Account
from tidings.features.otp import parse
from tidings.features.otp.parse import OtpBody
from tidings.features.otp.rules import OtpCode, decide_ttl, require_code
from tidings.features.templates.model import Template
from tidings.features.templates.passcodes import decide_passcode_template
from tidings.ids import new_id

GOOD = ["1", "482913", "G-482913", "a" * 15, "12.34", "1.2.3.4", "12.34.56", "A_B#1", "№٤٢"]
GOOD += ["x.y", "a.com1", "v1.co2", ".net", "com.", "3.x", "😀", "😀" * 15, "www", "http:"]
GOOD += ["קוד-12", "a/b?c=d", "<b>", "';--", "%0A", "\\n", "null", "0", "é", "e\u0301"]

UNSEEN = [
    "",
    "a" * 16,
    "😀" * 16,
    " ",
    "12 34",
    " 1",
    "1 ",
    "1\t2",
    "1\n",
    "1\r2",
    "1\x002",
    "\x7f",
]
UNSEEN += ["1\u00a02", "1\u20022", "1\u202f2", "1\u30002", "1\u16802", "1\u20282", "1\u00852"]
UNSEEN += ["1\u200b2", "1\u200c2", "1\u200d2", "\ufeff1", "1\u20602", "1\u00ad2", "1\u202e2"]
UNSEEN += ["1\u034f2", "1\u115f2", "1\u28002", "1\u31642", "1\uffa02", "1\ufe0f", "1\ue0002"]
UNSEEN += ["1\u180e2", "1\U000e0101", "1\U000e00412"]

LINKS = ["a.com", "A.COM", "http://x.y", "https://1", "x://y", "www.a.co", "WWW.1", "bit.ly/a1"]
LINKS += ["me@a.io", "a.b.com", "a-.com", "12.ab", "AB.CD", "пример.рф", "例え。テスト", "1.co?x"]
LINKS += ["⒈com", "a.xn--p1ai", "(a.com)", "x.com.", "ａ．ｃｏｍ", "a｡com"]


@pytest.mark.parametrize("code", GOOD, ids=ascii)
def test_a_code_of_visible_characters_is_taken(code: str) -> None:
    require_code(code)


@pytest.mark.parametrize("code", UNSEEN + LINKS, ids=ascii)
def test_a_code_with_spaces_links_or_what_nobody_sees_is_an_invalid_otp(code: str) -> None:
    with pytest.raises(ApiError) as refusal:
        require_code(code)
    assert refusal.value.code is OtpCode.INVALID_OTP
    assert refusal.value.field == "code"


@given(st.text(max_size=40))
def test_a_refusal_is_the_same_whatever_the_code_was(code: str) -> None:
    try:
        require_code(code)
    except ApiError as refusal:
        assert refusal.message == (
            "code must be 1 to 15 characters, without spaces, invisible characters or links"
        )
        assert not refusal.extra


@given(st.text(alphabet=string.ascii_letters + string.digits + "-", min_size=1, max_size=15))
def test_letters_digits_and_hyphens_are_always_taken(code: str) -> None:
    require_code(code)


@pytest.mark.parametrize(("asked", "given_"), [(None, 600), (60, 60), (3600, 3600)])
def test_a_passcode_may_wait_ten_minutes_by_default(asked: int | None, given_: int) -> None:
    assert decide_ttl(asked) == timedelta(seconds=given_)


# The body

ACCOUNT = Account(
    **dict.fromkeys(field.name for field in dataclasses.fields(Account)) | {"id": new_id()}
)


def refused(body: object) -> ApiError:
    with pytest.raises(ApiError) as refusal:
        fields.decode(OtpBody, msgspec.json.encode(body))
    return refusal.value


@pytest.mark.parametrize(
    "code", [4829137, None, True, 48.29137, ["4829137"], {"4829137": 1}], ids=named
)
def test_a_code_that_is_no_string_is_a_validation_error_without_its_value(code: object) -> None:
    refusal = refused({"to": "972501234567", "code": code})
    assert (refusal.code, refusal.field) == (Code.VALIDATION_ERROR, "code")
    assert "4829137" not in refusal.message and "48.29" not in refusal.message


@pytest.mark.parametrize("field", ["to", "clientMessageId", "ttlSeconds", "otp"])
@pytest.mark.parametrize("value", ["Q7XK2M\n", 482913, ["Q7XK2M"], {"code": "Q7XK2M"}], ids=named)
def test_a_code_in_the_wrong_field_is_not_disclosed_either(field: str, value: object) -> None:
    body = {"to": "972501234567", "code": "4829137"} | {field: value}
    raw = msgspec.json.encode(body)
    with pytest.raises(ApiError) as refusal:
        parse.parse_passcode(ACCOUNT, fields.decode(OtpBody, raw), "otp_generated")
    assert not {"Q7XK2M", "482913", "4829137"} & set(re.findall(r"\w+", refusal.value.message))


def test_a_missing_code_is_a_validation_error() -> None:
    refusal = refused({"to": "972501234567"})
    assert (refusal.code, refusal.field) == (Code.VALIDATION_ERROR, "code")


@pytest.mark.parametrize("ttl", [59, 3601, 0, -60, "600", 60.5, True, None, 10**30], ids=named)
def test_a_ttl_outside_60_to_3600_whole_seconds_is_named(ttl: object) -> None:
    refusal = refused({"to": "972501234567", "code": "4829137", "ttlSeconds": ttl})
    assert (refusal.code, refusal.field) == (Code.VALIDATION_ERROR, "ttlSeconds")
    assert "4829137" not in refusal.message


def test_a_body_in_a_traceback_does_not_show_its_code() -> None:
    body = fields.decode(OtpBody, b'{"to": "972501234567", "code": "4829137"}')
    assert "4829137" not in f"{body!r}{body}"


# The template


def template(name: str = "code", language: str = "en", **changes: str) -> Template:
    facts = {"category": "AUTHENTICATION", "status": "APPROVED"} | changes
    return Template(name=name, language=language, **facts)


def reason(name: str | None, *templates: Template) -> str:
    with pytest.raises(ApiError) as refusal:
        decide_passcode_template(name, templates)
    assert (refusal.value.code, refusal.value.field) == (Code.VALIDATION_ERROR, "otpTemplate")
    assert refusal.value.message.startswith("otpTemplate: ")
    return refusal.value.message


def test_the_one_approved_authentication_template_is_used() -> None:
    others = [template("hello", category="UTILITY"), template("old", status="REJECTED")]
    assert decide_passcode_template(None, [*others, template()]) == template()


def test_the_accounts_choice_goes_before_the_others() -> None:
    assert decide_passcode_template("b", [template("a"), template("b")]) == template("b")


@pytest.mark.parametrize(
    ("languages", "chosen"),
    [
        (["he", "en"], "en"),
        (["he", "ar"], "ar"),
        (["fr", "en_US", "en_GB"], "en_GB"),
        (["he"], "he"),
    ],
)
def test_of_several_languages_english_goes_first(languages: list[str], chosen: str) -> None:
    versions = [template(language=language) for language in languages]
    assert decide_passcode_template(None, versions).language == chosen


def test_a_language_may_be_asked_for() -> None:
    versions = [template(), template(language="he")]
    assert decide_passcode_template("code", versions, "he").language == "he"
    with pytest.raises(ApiError, match="'code' in 'fr'"):
        decide_passcode_template("code", versions, "fr")


def test_an_unapproved_language_is_passed_over() -> None:
    versions = [template(status="PAUSED"), template(language="he")]
    assert decide_passcode_template(None, versions).language == "he"


def test_no_template_is_refused_with_what_to_do() -> None:
    assert "no AUTHENTICATION template;" in reason(None)
    assert "no AUTHENTICATION template;" in reason(None, template(category="UTILITY"))
    assert "no AUTHENTICATION template 'code';" in reason("code", template("other"))
    assert "no AUTHENTICATION template 'code';" in reason("code", template(category="UTILITY"))


def test_a_template_that_waits_for_approval_is_named_with_its_status() -> None:
    assert "('code' is PENDING)" in reason(None, template(status="PENDING"))
    assert "('code' is PAUSED)" in reason("code", template(status="PAUSED"), template("other"))


def test_several_templates_without_a_choice_are_refused_by_name() -> None:
    assert "several AUTHENTICATION templates (a, b)" in reason(None, template("b"), template("a"))
