"""What the guide makes of Markdown."""

from tidings.guide.json_layout import lay_out
from tidings.guide.links import Target, resolver
from tidings.guide.markdown import render


def html(text: str) -> str:
    return render(text, Target).html


def test_headings_have_the_ids_that_readers_of_the_repository_link_to() -> None:
    found = render("# A `b` c\n\n## It's 24-hour\n\n## It's 24-hour\n", Target).headings
    assert [(one.level, one.id) for one in found] == [
        (1, "a-b-c"), (2, "its-24-hour"), (2, "its-24-hour-1"),
    ]  # fmt: skip


def test_markup_in_a_page_is_text() -> None:
    assert "<script" not in html("<script>alert(1)</script>\n\nand <b onclick=x>here</b>")
    assert "&lt;b onclick=x&gt;" in html("and <b onclick=x>here</b>")


def test_one_example_in_several_languages_is_shown_as_tabs() -> None:
    both = html("```python\na = 1\n```\n\n```typescript\nconst a = 1;\n```\n")
    assert both.count('<div class="tabs">') == 1 and both.count("<figure") == 2
    steps = html("```sh\nls\n```\n\n```sh\nls\n```\n\n```json\n{}\n```\n")
    assert "tabs" not in steps


def test_json_is_laid_out_by_what_fits_on_a_line() -> None:
    long = "x" * 56
    assert lay_out('{"a":1,\n "b":[1,2]}') == '{"a": 1, "b": [1, 2]}\n'
    assert lay_out(f'{{"a":{{"b":"{long}","c":["ש"]}},"d":2}}') == (
        f'{{\n  "a": {{"b": "{long}", "c": ["ש"]}},\n  "d": 2\n}}\n'
    )
    assert lay_out('{"a":…}') == '{"a":…}'


def test_links_between_files_become_addresses() -> None:
    resolve = resolver("docs/sending/text.md")
    assert resolve("../webhooks.md#try-it").address == "/guide/webhooks#try-it"
    assert resolve("README.md").address == "/guide/sending"
    assert resolve("../../CHANGELOG.md").address == "/guide/changelog"
    assert resolve("../images/portal-phone.png").address == "/guide/images/portal-phone.png"
    assert resolve("../../deploy/nginx.conf") == Target(None, "deploy/nginx.conf")
    assert resolve("#here").address == "#here"
    assert resolve("https://example.com/x").address == "https://example.com/x"
