"""The few words of a form that its author does not write: on buttons and above inputs. Pure.

In the form's own language; English where we do not know it. Which way a language runs is the
platform's affair (a flow has no direction of its own), but a preview must know.
"""

from typing import NamedTuple

DEFAULT_LANGUAGE = "en"
RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "iw", "ur", "yi"})


class FormLabels(NamedTuple):
    """From `rate` to `comment`: labels, of at most 20 characters."""

    open: str  # the button that opens the form
    send: str
    rate: str
    choose_one: str
    choose_any: str
    comment: str
    optional: str  # the platform says it itself; a preview must


_LABELS = {
    "en": FormLabels(
        "Give feedback", "Send", "1 to 5", "Choose one", "Choose any", "Your answer", "optional"
    ),
    "he": FormLabels("למשוב", "שליחה", "מ-1 עד 5", "בחירה אחת", "אפשר כמה", "התשובה שלך", "רשות"),
    "ar": FormLabels(
        "أعطنا رأيك", "إرسال", "من 1 إلى 5", "اختر واحدًا", "اختر ما تشاء", "إجابتك", "اختياري"
    ),
    "fr": FormLabels(
        "Donner mon avis", "Envoyer", "De 1 à 5", "Un seul choix", "Plusieurs choix",
        "Votre réponse", "facultatif",
    ),
    "es": FormLabels(
        "Dar mi opinión", "Enviar", "De 1 a 5", "Elija una opción", "Elija varias",
        "Su respuesta", "opcional",
    ),
    "de": FormLabels(
        "Feedback geben", "Senden", "1 bis 5", "Eines wählen", "Mehrere möglich",
        "Ihre Antwort", "freiwillig",
    ),
    "pt": FormLabels(
        "Dar opinião", "Enviar", "De 1 a 5", "Escolha uma", "Escolha várias", "Sua resposta",
        "opcional",
    ),
    "ru": FormLabels(
        "Оставить отзыв", "Отправить", "От 1 до 5", "Один вариант", "Любые", "Ваш ответ",
        "необязательно",
    ),
}  # fmt: skip


def form_labels(language: str) -> FormLabels:
    """`language` is a template's: "he", "en_US"."""
    return _LABELS.get(_root(language), _LABELS[DEFAULT_LANGUAGE])


def is_right_to_left(language: str) -> bool:
    return _root(language) in RIGHT_TO_LEFT


def _root(language: str) -> str:
    return language.partition("_")[0].lower()
