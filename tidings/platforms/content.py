"""The content of a message, independent of any platform's format. Stored as JSON. Pure.

The sandbox shows it on a phone; `whatsapp/payloads.py` turns it into a request body.
"""

import msgspec


class Value(msgspec.Struct, frozen=True, tag_field="type", omit_defaults=True):
    """Base of the tagged union `Content`."""


class MediaRef(msgspec.Struct, frozen=True, omit_defaults=True):
    """An uploaded file: `id` is ours; its bytes are in the object store."""

    id: str
    mimetype: str
    filename: str = ""


class Button(msgspec.Struct, frozen=True, omit_defaults=True):
    """A button as the guest sees it. `kind`: reply, url, phone, copy_code, flow."""

    kind: str
    text: str
    payload: str = ""  # of a reply button: returned when it is pressed
    url: str = ""  # of a url button: the full address
    suffix: str = ""  # of a template's url button: the variable part of its approved address


class Text(Value, frozen=True, tag="text", omit_defaults=True):
    """Free text, inside the conversation window."""

    body: str


class Template(Value, frozen=True, tag="template", omit_defaults=True):
    """An approved template with the values of its variables."""

    name: str
    language: str
    rendered: str  # the body with its variables filled in, as the guest reads it
    body: tuple[str, ...] = ()
    header_text: str = ""  # the header's variable
    header: str = ""  # the header's text with its variable filled in
    media: MediaRef | None = None  # header image or document
    footer: str = ""
    buttons: tuple[Button, ...] = ()
    names: tuple[str, ...] = ()  # of named variables, the header's first


class Media(Value, frozen=True, tag="media", omit_defaults=True):
    """An image or document, with the free text as caption."""

    kind: str  # image or document
    media: MediaRef
    caption: str = ""


class Rich(Value, frozen=True, tag="rich", omit_defaults=True):
    """Body with reply buttons or one URL button (4.4)."""

    body: str
    buttons: tuple[Button, ...]
    title: str = ""
    footer: str = ""
    image: MediaRef | None = None

    @property
    def head(self) -> str:
        """The header's text. A message has one header, so an image replaces the title."""
        return "" if self.image else self.title

    @property
    def text(self) -> str:
        """The body as the guest reads it: with an image, the title is its first line, in bold."""
        return f"*{self.title}*\n{self.body}" if self.image and self.title else self.body


class Passcode(Value, frozen=True, tag="passcode", omit_defaults=True):
    """An authentication template. The code itself is never part of stored content."""

    name: str
    language: str
    code: str = ""  # set in memory just before the send; stored empty


class Question(msgspec.Struct, frozen=True, omit_defaults=True):
    """One question of a form. `type`: rating, single, multi, comment."""

    id: str
    type: str
    text: str = ""
    options: tuple[str, ...] = ()
    required: bool = False


FORM_SCREEN = "FORM"  # the id of a form's only screen


class Form(Value, frozen=True, tag="form", omit_defaults=True):
    """A feedback form (4.6), as an interactive flow or by a template with a flow button."""

    form_id: str
    version: int
    title: str
    button: str
    token: str
    flow_id: str = ""
    template: str = ""
    language: str = ""
    questions: tuple[Question, ...] = ()
    flows: dict[str, str] = {}  # flow ids by business account; `flow_id` if there is only one


Content = Text | Template | Media | Rich | Passcode | Form
