"""What a message says, free of any platform's wire format. Stored as JSON with the message.

Pure. The simulator shows it on a phone; `whatsapp/payloads.py` turns it into a request body.
"""

import msgspec


class Value(msgspec.Struct, frozen=True, tag_field="type", omit_defaults=True):
    """Base of the tagged union; holds nothing."""


class MediaRef(msgspec.Struct, frozen=True, omit_defaults=True):
    """An uploaded file: `id` is ours; its bytes stay in the object store."""

    id: str
    mimetype: str
    filename: str = ""


class Button(msgspec.Struct, frozen=True, omit_defaults=True):
    """A button as the guest sees it. `kind`: reply, url, phone, copy_code, flow."""

    kind: str
    text: str
    payload: str = ""  # reply: what comes back
    url: str = ""  # url: the whole address it opens
    suffix: str = ""  # url of a template: the variable part of its approved address


class Text(Value, frozen=True, tag="text", omit_defaults=True):
    """Free text, inside the conversation window."""

    body: str


class Template(Value, frozen=True, tag="template", omit_defaults=True):
    """An approved template with its variables filled in."""

    name: str
    language: str
    rendered: str  # body with variables in place, as the guest reads it
    body: tuple[str, ...] = ()
    header_text: str = ""  # the header's variable
    header: str = ""  # the header as read: its text
    media: MediaRef | None = None  # header image or document
    footer: str = ""
    buttons: tuple[Button, ...] = ()
    names: tuple[str, ...] = ()  # of variables that have names, the header's first


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
        """The header's text. A message has one header: an image takes the title's place."""
        return "" if self.image else self.title

    @property
    def text(self) -> str:
        """The body as the guest reads it: a title beside an image is its bold first line."""
        return f"*{self.title}*\n{self.body}" if self.image and self.title else self.body


class Passcode(Value, frozen=True, tag="passcode", omit_defaults=True):
    """An authentication template. The code itself is never part of stored content."""

    name: str
    language: str
    code: str = ""  # filled in memory just before the hand-over; stored empty


class Question(msgspec.Struct, frozen=True, omit_defaults=True):
    """One question of a form. `type`: rating, single, multi, comment."""

    id: str
    type: str
    text: str = ""
    options: tuple[str, ...] = ()
    required: bool = False


FORM_SCREEN = "FORM"  # the id of a form's first and only screen


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
    flows: dict[str, str] = {}  # of each business account; `flow_id` where there is but one


Content = Text | Template | Media | Rich | Passcode | Form
