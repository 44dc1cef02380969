"""Templates: which version is meant, and what it says once its variables are in place (4.1)."""

from typing import Any

import pytest

from tidings.errors import ApiError, Code
from tidings.features.templates import rules
from tidings.features.templates.model import Template, TemplateButton
from tidings.features.templates.rules import TemplateCode
from tidings.platforms.content import Button, MediaRef

PHOTO = MediaRef("med_1", "image/jpeg")
SCAN = MediaRef("med_2", "application/pdf")

YES = TemplateButton("QUICK_REPLY", "Yes")
NO = TemplateButton("QUICK_REPLY", "No")
OPEN = TemplateButton("URL", "Open", url="https://shop.example/o/{{1}}")
HOME = TemplateButton("URL", "Home", url="https://shop.example/")
CALL = TemplateButton("PHONE_NUMBER", "Call", phone="972501234567")
RATE = TemplateButton("FLOW", "Rate us")
COPY = TemplateButton("COPY_CODE", "Copy")
OURS = TemplateButton("URL", "See", url="https://tidings.example/r/{{1}}")
LINK = rules.Link("a1B2c3D4e5F6", "https://tidings.example")


def template(body: str = "Hello", **fields: Any) -> Template:
    values = {"name": "invite", "language": "en", "category": "UTILITY", "status": "APPROVED"}
    return Template(body=body, **values | fields)


def refusal(of: Any) -> ApiError:
    with pytest.raises(ApiError) as caught:
        of()
    return caught.value


# Which version

TWO = [template(language="he"), template(language="en")]


def test_the_only_version_needs_no_language() -> None:
    only = template()
    assert rules.decide_version([only], "invite", None) is only


def test_the_language_asked_for_is_the_one_that_goes() -> None:
    versions = [template(language="en"), template(language="he")]
    assert rules.decide_version(versions, "invite", "he").language == "he"


def test_of_several_versions_the_only_approved_one_is_meant() -> None:
    versions = [template(language="en", status="PENDING"), template(language="he")]
    assert rules.decide_version(versions, "invite", None).language == "he"


@pytest.mark.parametrize(
    ("versions", "language", "field", "words"),
    [
        ([], None, "templateName", ['no template "invite"']),
        ([], "en", "templateName", ['no template "invite"']),
        (TWO, "fr", "templateLang", ['"fr"', "en, he"]),
        (TWO, None, "templateLang", ["en, he"]),
        ([template(status="PAUSED")], None, "templateName", ["PAUSED", "APPROVED"]),
        ([template(status="REJECTED")], "en", "templateName", ["REJECTED", "APPROVED"]),
        (
            [template(language="en", status="PENDING"), template(language="he", status="PENDING")],
            None,
            "templateName",
            ["PENDING", "not APPROVED"],
        ),
    ],
)  # fmt: skip
def test_a_version_that_cannot_be_sent_is_refused(versions, language, field, words) -> None:
    found = refusal(lambda: rules.decide_version(versions, "invite", language))
    assert (found.code, found.field) == (Code.VALIDATION_ERROR, field)
    assert found.message.startswith(field)
    for word in words:
        assert word in found.message


# Variables


def test_variables_come_in_order_header_body_then_url_buttons() -> None:
    whole = template(
        "Hi {{1}}, see you on {{2}}. Bye {{1}}!",
        header="TEXT",
        header_text="For {{1}}",
        footer="The team",
        buttons=(YES, OPEN, HOME, TemplateButton("URL", "Map", url="https://m.example/?q={{1}}")),
    )
    filled = rules.fill(whole, ["Dana", "you", "Friday", "42", "haifa"], default_payload="cid")
    assert (filled.name, filled.language, filled.footer) == ("invite", "en", "The team")
    assert (filled.header_text, filled.header) == ("Dana", "For Dana")
    assert filled.body == ("you", "Friday")
    assert filled.rendered == "Hi you, see you on Friday. Bye you!"
    assert filled.buttons == (
        Button("reply", "Yes", payload="cid"),
        Button("url", "Open", url="https://shop.example/o/42", suffix="42"),
        Button("url", "Home", url="https://shop.example/"),
        Button("url", "Map", url="https://m.example/?q=haifa", suffix="haifa"),
    )


def test_a_template_without_variables_goes_as_it_is() -> None:
    plain = template("100% {sure}", header="TEXT", header_text="Hello")
    filled = rules.fill(plain, [])
    assert (filled.header, filled.header_text) == ("Hello", "")
    assert (filled.rendered, filled.body, filled.buttons) == ("100% {sure}", (), ())


def test_variables_may_stand_in_any_order_and_more_than_ten() -> None:
    text = " ".join(f"{{{{{n}}}}}" for n in range(12, 0, -1))
    filled = rules.fill(template(text), [f"p{n}" for n in range(1, 13)])
    assert filled.rendered == " ".join(f"p{n}" for n in range(12, 0, -1))


def test_a_value_that_looks_like_a_variable_is_left_alone() -> None:
    filled = rules.fill(template("{{1}} and {{2}}"), ["{{2}}", r"\1 {{1}}"])
    assert filled.rendered == r"{{2}} and \1 {{1}}"


def test_buttons_of_every_kind_come_through() -> None:
    filled = rules.fill(template(buttons=(CALL, RATE, COPY)), [])
    assert [(button.kind, button.payload) for button in filled.buttons] == [
        ("phone", "972501234567"), ("flow", ""), ("copy_code", ""),
    ]  # fmt: skip


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_wrong_number_of_variables_is_refused(count: int) -> None:
    two = template("{{1}}", buttons=(OPEN,))
    found = refusal(lambda: rules.fill(two, ["x"] * count))
    assert (found.code, found.field) == (Code.VALIDATION_ERROR, "templateParams")
    assert f"takes 2 variables, got {count}" in found.message


@pytest.mark.parametrize(
    "param", ["", " ", "\u00a0", "a\nb", "a\r\nb", "a\rb", "a\tb", "a     b", "a      b", "\n"]
)
def test_what_the_platform_would_refuse_later_is_refused_now(param: str) -> None:
    found = refusal(lambda: rules.fill(template("{{1}} {{2}}"), ["fine", param]))
    assert (found.code, found.field) == (Code.VALIDATION_ERROR, "templateParams[1]")
    assert found.message.startswith("templateParams[1]")


@pytest.mark.parametrize("param", ["a    b", " a ", "שלום", "🎉", "50%", "0"])
def test_what_the_platform_takes_is_taken(param: str) -> None:
    assert rules.fill(template("{{1}}"), [param]).rendered == param


# Quick-reply payloads


def test_payloads_go_to_the_quick_replies_in_order() -> None:
    filled = rules.fill(template(buttons=(YES, HOME, NO)), [], payloads=["y", "n"])
    assert [button.payload for button in filled.buttons] == ["y", "", "n"]


def test_without_payloads_each_reply_brings_back_the_client_message_id() -> None:
    filled = rules.fill(template(buttons=(YES, NO)), [], default_payload="order-0001")
    assert [button.payload for button in filled.buttons] == ["order-0001", "order-0001"]


def test_buttons_past_the_last_payload_have_the_default() -> None:
    buttons = (YES, HOME, NO)
    filled = rules.fill(template(buttons=buttons), [], payloads=["y"], default_payload="order-0001")
    assert [button.payload for button in filled.buttons] == ["y", "", "order-0001"]


@pytest.mark.parametrize(("buttons", "payloads"), [((YES,), ["y", "n"]), ((HOME,), ["y"])])
def test_more_payloads_than_buttons_are_refused(buttons, payloads) -> None:
    found = refusal(lambda: rules.fill(template(buttons=buttons), [], payloads=payloads))
    assert (found.code, found.field) == (TemplateCode.INVALID_BUTTON_PAYLOAD, "buttonPayloads")
    assert f"got {len(payloads)}" in found.message


# Media headers


@pytest.mark.parametrize(("header", "media"), [("IMAGE", PHOTO), ("DOCUMENT", SCAN)])
def test_a_media_header_gets_its_media(header: str, media: MediaRef) -> None:
    assert rules.fill(template(header=header), [], media=media).media == media


def test_a_png_is_an_image_too() -> None:
    png = MediaRef("med_3", "image/png")
    assert rules.fill(template(header="IMAGE"), [], media=png).media == png


@pytest.mark.parametrize(
    ("header", "media", "words"),
    [
        ("IMAGE", None, ["header image", "mediaBase64", "'image'"]),
        ("DOCUMENT", None, ["header document", "'document'"]),
        ("IMAGE", SCAN, ["takes a header image", "got document"]),
        ("DOCUMENT", PHOTO, ["takes a header document", "got image"]),
        ("TEXT", PHOTO, ["has no media header"]),
        (None, SCAN, ["has no media header"]),
    ],
)
def test_media_that_is_missing_or_does_not_fit_is_refused(header, media, words) -> None:
    found = refusal(lambda: rules.fill(template(header=header), [], media=media))
    named = "mediaId" if media is None else "type"  # what is to be given, or what was
    assert (found.code, found.field) == (Code.VALIDATION_ERROR, named)
    assert "'invite'" in found.message
    for word in words:
        assert word in found.message


# A counted link in the place of a URL variable


def test_a_link_serves_our_own_button_and_takes_no_variable() -> None:
    filled = rules.fill(template("{{1}}", buttons=(OPEN, OURS)), ["Dana", "42"], link=LINK)
    assert [button.url for button in filled.buttons] == [
        "https://shop.example/o/42", "https://tidings.example/r/a1B2c3D4e5F6",
    ]  # fmt: skip
    assert [button.suffix for button in filled.buttons] == ["42", "a1B2c3D4e5F6"]


def test_with_a_link_one_variable_fewer_is_wanted() -> None:
    found = refusal(lambda: rules.fill(template("{{1}}", buttons=(OURS,)), ["a", "b"], link=LINK))
    assert found.field == "templateParams"
    assert "takes 1 variable, got 2" in found.message


@pytest.mark.parametrize("buttons", [(), (YES,), (OPEN,), (HOME,)])
def test_a_link_without_a_button_of_ours_is_refused(buttons) -> None:
    found = refusal(lambda: rules.fill(template(buttons=buttons), ["x"], link=LINK))
    assert (found.code, found.field) == (TemplateCode.BUTTON_URL_UNSUPPORTED, "buttonUrl")
    assert "https://tidings.example/r/{{1}}" in found.message
