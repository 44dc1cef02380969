"""Stop and start words: whole messages only, in many languages."""

import pytest

from tidings.features.replies.reading.tables import subscription
from tidings.features.replies.reading.words import is_start, is_stop


@pytest.mark.parametrize(
    "text",
    [
        "STOP", "stop", "Stop!", " stop. ", "S T O P", "stooop", "Please stop", "STOP please",
        "Stop 🙏", "🛑", "unsubscribe", "UNSUBSCRIBE", "opt out", "הסר", "הסר בבקשה",
        "הסירו אותי מהרשימה",
        "توقف", "إلغاء الاشتراك", "стоп", "Стоп, пожалуйста", "отписаться", "baja", "BAJA",
        "darme de baja", "arrêt", "ARRET", "Désabonner", "abmelden", "Bitte abmelden", "parar",
        "Sair", "停止", "수신거부", "बंद करो", "הפסק", "הפסיקו בבקשה", "durdur", "やめて", "停",
    ],
)  # fmt: skip
def test_a_stop_word_alone_is_a_stop(text: str) -> None:
    assert is_stop(text)
    assert not is_start(text)


@pytest.mark.parametrize(
    "text",
    ["START", "start!", "Start please", "התחל", "ابدأ", "старт", "alta", "démarrer", "iniciar"],
)
def test_a_start_word_alone_is_a_start(text: str) -> None:
    assert is_start(text)
    assert not is_stop(text)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "?", "👍", "yes", "no", "כן", "לא", "stop?", "don't stop", "we can't stop dancing",
        "stop by our place", "the bus stop is near", "when does it start?", "start at 8",
        "cancel", "Absagen", "cancelar", "ביטול", "הסר את הכובע", "baja la música", "a" * 4096,
        "stop " * 800, "please", "thank you please",
    ],
)  # fmt: skip
def test_anything_more_is_neither(text: str) -> None:
    assert not is_stop(text)
    assert not is_start(text)


def test_no_word_is_both() -> None:
    for word in subscription.STOP.replace("\n", ";").split(";"):
        if word.strip() and "|" not in word:
            assert is_stop(word), word
            assert not is_start(word), word
