"""The labels of a form that its author does not write: of buttons and inputs. Pure.

In the form's language, or English if we do not have it. The platform derives the text direction
from the language; only our preview needs `is_right_to_left`.
"""

from typing import NamedTuple

DEFAULT_LANGUAGE = "en"
RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "iw", "ur", "yi"})


class FormLabels(NamedTuple):
    """`rate` to `comment` are labels of inputs, at most 20 characters long."""

    open: str  # the button that opens the form
    send: str
    rate: str
    choose_one: str
    choose_any: str
    comment: str
    optional: str  # only for the preview; the platform adds its own


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
