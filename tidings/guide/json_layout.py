"""JSON as a reader likes it: what is short on one line, what is longer a field a line. Pure."""

import json

_WIDTH = 84  # characters of a line, as many as a page has room for
_STEP = "  "


def lay_out(code: str) -> str:
    """The same value laid out; what is not JSON (an ellipsis in place of fields) stays as it is."""
    try:
        value = json.loads(code)
    except ValueError:
        return code
    return _text(value, "", 0) + "\n"


def _text(value: object, indent: str, before: int) -> str:
    """`before`: what stands on the line already, beside the indentation."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + before + len(line) <= _WIDTH or not isinstance(value, dict | list):
        return line
    inner = indent + _STEP
    if isinstance(value, list):
        items = [inner + _text(item, inner, 0) for item in value]
        return "[\n" + ",\n".join(items) + f"\n{indent}]"
    names = [(json.dumps(name, ensure_ascii=False), item) for name, item in value.items()]
    fields = [f"{inner}{name}: {_text(item, inner, len(name) + 2)}" for name, item in names]
    return "{\n" + ",\n".join(fields) + f"\n{indent}}}"
