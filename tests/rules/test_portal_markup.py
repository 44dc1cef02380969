"""The formatting of a message, as the portal's bubbles show it."""

import pytest

from tidings.portal.markup import formatted


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("*bold* _it_ ~no~", "<strong>bold</strong> <em>it</em> <s>no</s>"),
        ("*_both_*", "<strong><em>both</em></strong>"),
        ("```a *b*\nc```", "<code>a *b*\nc</code>"),
        ("say `*x*`", "say <code>*x*</code>"),
        ("(*so*), *yes*!", "(<strong>so</strong>), <strong>yes</strong>!"),
        ("שלום *דנה*", "שלום <strong>דנה</strong>"),
        # Signs that style nothing stay.
        ("2*3*4 snake_case_name", "2*3*4 snake_case_name"),
        ("* not * **so**", "* not * **so**"),
        ("*one\ntwo*", "*one\ntwo*"),
        ("*a _b* c_", "<strong>a _b</strong> c_"),
    ],
)
def test_signs_become_styles(text: str, html: str) -> None:
    assert str(formatted(text)) == html


def test_nothing_in_a_message_is_markup() -> None:
    for text in ("<b>x</b>", "*<b>x</b>*", "```<b>```", "`<b>`", "https://x.example/<b>?a=1&b"):
        assert "<b>" not in formatted(text)
    assert formatted("a & *b*") == "a &amp; <strong>b</strong>"


def test_an_address_is_marked_whole_and_not_styled() -> None:
    shown = formatted("see https://x.example/a_b_c?d=1&e=2.")
    assert 'bubble-address">https://x.example/a_b_c?d=1&amp;e=2</span>.' in shown
