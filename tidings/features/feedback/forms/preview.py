"""An HTML preview of a form, rendered from the flow JSON that the platform gets. Pure.

For `tidings forms preview`, the portal and the guide. No scripts and no external resources, so it
can be opened from a file or embedded.
"""

from html import escape
from typing import Any

from tidings.platforms.form_labels import FormLabels, form_labels, is_right_to_left
from tidings.platforms.whatsapp.flow_json import flow_json

from ..model import Version

_STYLE = """
body { margin: 0; background: #e7e5df; font: 16px/1.4 system-ui, 'DejaVu Sans', sans-serif; }
.phones { display: flex; gap: 28px; padding: 28px; justify-content: center; flex-wrap: wrap;
  align-items: flex-start; }
.phone { width: 360px; min-height: 640px; background: #fff; border-radius: 28px; overflow: hidden;
  border: 8px solid #222; box-sizing: border-box; display: flex; flex-direction: column; }
.bar { background: #f4f4f2; padding: 14px 16px; font-weight: 600; border-bottom: 1px solid #ddd; }
.chat { background: #efe7dd; flex: 1; padding: 16px; }
.bubble { background: #fff; border-radius: 10px; max-width: 280px; overflow: hidden; }
.bubble p { margin: 0; padding: 12px 14px; }
.bubble .open { border-top: 1px solid #e4e4e4; color: #0a7a63; padding: 11px; text-align: center;
  font-weight: 600; }
.form { padding: 16px; flex: 1; }
h1 { font-size: 22px; margin: 0 0 14px; }
h2 { font-size: 16px; margin: 18px 0 2px; }
.long { margin: 18px 0 2px; }
small { color: #667; display: block; }
.hint { color: #667; font-size: 13px; margin-bottom: 6px; }
.option { display: flex; justify-content: space-between; gap: 12px; padding: 9px 0;
  border-bottom: 1px solid #eee; }
.mark { width: 18px; height: 18px; border: 2px solid #99a; border-radius: 50%; flex: none; }
.box { border-radius: 4px; }
.entry { border: 1px solid #bbc; border-radius: 8px; padding: 10px; color: #99a;
  min-height: 54px; }
.drop { border: 1px solid #bbc; border-radius: 8px; padding: 10px; color: #667; }
.send { margin: 16px; background: #0a7a63; color: #fff; border-radius: 22px; padding: 12px;
  text-align: center; font-weight: 600; }
"""


def page(version: Version) -> str:
    """Two phones: the message with its button, and the form that the button opens."""
    form = version.form
    flow = flow_json(version.form_id, version.version, form.title, form.language, form.questions)
    screen = flow["screens"][0]
    direction = "rtl" if is_right_to_left(form.language) else "ltr"
    labels = form_labels(form.language)
    language = escape(form.language.replace("_", "-"))
    parts = screen["layout"]["children"][0]["children"]
    return (
        f'<!doctype html><html lang="{language}" dir="{direction}"><head><meta charset="utf-8">'
        f"<title>{escape(form.title)}</title><style>{_STYLE}</style></head>"
        f'<body><div class="phones">{_chat(form.message, form.button_label)}'
        f'<div class="phone"><div class="bar">{escape(screen["title"])}</div>'
        f'<div class="form">{"".join(_part(part, labels) for part in parts)}</div>'
        f'<div class="send">{escape(parts[-1]["label"])}</div></div></div></body></html>\n'
    )


def _chat(text: str, button: str) -> str:
    return (
        '<div class="phone"><div class="bar">•••</div><div class="chat"><div class="bubble">'
        f'<p>{escape(text)}</p><div class="open">{escape(button)}</div></div></div></div>'
    )


def _part(part: dict[str, Any], labels: FormLabels) -> str:
    kind, text = part["type"], escape(part.get("text", ""))
    if kind == "TextHeading":
        return f"<h1>{text}</h1>"
    if kind == "TextSubheading":
        return f"<h2>{text}</h2>"
    if kind == "TextBody":
        return f'<div class="long">{text}</div>'
    if kind == "Footer":
        return ""
    more = "" if part["required"] else f" ({escape(labels.optional)})"
    return f'<div class="hint">{escape(part["label"])}{more}</div>{_input(part)}'


def _input(part: dict[str, Any]) -> str:
    kind = part["type"]
    if kind == "TextArea":
        return '<div class="entry"></div>'
    if kind == "Dropdown":
        return f'<div class="drop">▾ {len(part["data-source"])}</div>'
    mark = "mark box" if kind == "CheckboxGroup" else "mark"
    return "".join(
        f'<div class="option"><span>{escape(option["title"])}{_description(option)}</span>'
        f'<span class="{mark}"></span></div>'
        for option in part["data-source"]
    )


def _description(option: dict[str, Any]) -> str:
    return f"<small>{escape(option['description'])}</small>" if "description" in option else ""
