"""A guest's conversation as lines of text. Pure.

Buttons that can be pressed are numbered through the whole conversation, so that /3 stays the same
button while new messages come.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tidings.cli.listing import cell_text
from tidings.cli.output import Styled

Message = Mapping[str, Any]  # of GET /sandbox/v1/phones/{number}
Line = tuple[str | Styled, ...]

WRITERS = {"out": Styled("business", "cyan"), "in": Styled("you", "green")}
WRITER_WIDTH = len("business")
MARGIN = " " * (len("00:00") + 2 + WRITER_WIDTH + 2)
PRESSED = "reply"  # the type of a button that answers


@dataclass(frozen=True, slots=True)
class ShownButton:
    """A button that can be pressed, and the message that it belongs to."""

    text: str
    client_message_id: str


@dataclass(slots=True)
class Transcript:
    """What has been shown."""

    buttons: list[ShownButton] = field(default_factory=list)
    form: Message | None = None  # the newest message with one
    _seen: set[str] = field(default_factory=set)
    _day: str = ""

    def add(self, messages: list[Message]) -> list[Line]:
        """Lines for the messages that are new."""
        lines: list[Line] = []
        for message in messages:
            if message["messageId"] in self._seen:
                continue
            self._seen.add(message["messageId"])
            day, clock = message["at"][:10], message["at"][11:16]
            if day != self._day:
                self._day = day
                lines.append((Styled(day, dim=True),))
            lines += _beside(clock, WRITERS[message["direction"]], list(self._show(message)))
        return lines

    def _show(self, message: Message) -> Iterator[Line]:
        if message["title"]:
            yield (Styled(message["title"], bold=True),)
        if message["media"]:
            yield (_media(message["media"]),)
        for line in (message["text"] or "").split("\n"):
            if line:
                yield (line,)
        if message["footer"]:
            yield (Styled(message["footer"], dim=True),)
        if message["direction"] == "in":
            yield from _filled_in(message)
        else:
            yield from self._offers(message)

    def _offers(self, message: Message) -> Iterator[Line]:
        """Buttons and a form: what the guest can do with the message."""
        if message["form"]:
            self.form = message
            yield (Styled("[/form]", "yellow"), f" {message['buttons'][0]['text']}")
            return
        pressed = [one for one in message["buttons"] if one["type"] == PRESSED]
        parts: list[str | Styled] = []
        for button in pressed:
            self.buttons.append(ShownButton(button["text"], message["clientMessageId"]))
            gap = "  " if parts else ""
            number = Styled(f"[/{len(self.buttons)}]", "yellow")
            parts += [gap, number, f" {button['text']}"]
        if parts:
            yield tuple(parts)
        for button in message["buttons"]:
            if button["type"] != PRESSED:
                yield (f"{button['text']}{_address(button)}",)


def _beside(clock: str, writer: Styled, lines: list[Line]) -> Iterator[Line]:
    """The lines of a message, the first one beside its time and who wrote it."""
    space = " " * (WRITER_WIDTH - len(writer.text) + 2)
    first, *more = lines or [("(nothing that can be shown)",)]
    yield (Styled(clock, dim=True), "  ", writer, space, *map(_on_one_line, first))
    for line in more:
        yield (MARGIN, *map(_on_one_line, line))


def _on_one_line(part: str | Styled) -> Styled:
    """A name with a line break in it could otherwise forge a line of somebody else."""
    return Styled(part) if isinstance(part, str) else part


def _media(media: Mapping[str, Any]) -> str:
    name = f" {media['filename']}" if media["filename"] else ""
    return f"({media['mimetype']}{name})"


def _address(button: Mapping[str, Any]) -> str:
    return f": {button['url']}" if button["url"] else ""


def _filled_in(message: Message) -> Iterator[Line]:
    answers = (message["form"] or {}).get("answers") or {}
    for id_, answer in answers.items():
        yield (f"{id_}: {cell_text(answer)}",)
