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


LABELS = [
    "Stop promotions", "Stop marketing", "Stop spam", "Unsubscribe", "Detener promociones",
    "Arrêter les promotions", "Keine Werbung mehr", "Parar promoções", "Остановить рекламу",
    "إيقاف العروض", "הפסקת פרסומות", "הפסיקו לפרסם",
]  # fmt: skip
FURTHER = [
    "Stop ads", "No more promotions",
    "Detener la publicidad", "No más promociones", "Arrêter la pub",
    "Plus de publicité", "Werbung stoppen", "Keine Werbung", "Parar de receber promoções",
    "Sem promoções", "Отключить рекламу", "Без рекламы", "إيقاف الرسائل الترويجية", "وقف الإعلانات",
    "תפסיקו לפרסם", "הפסק פרסומות", "Interrompi promozioni", "Promosyonları durdur",
    "Stop promoties",
    "Hentikan promosi", "Зупинити рекламу", "Zatrzymaj promocje", "प्रचार बंद करें", "停止推广",
]  # fmt: skip


@pytest.mark.parametrize("label", LABELS + FURTHER)
def test_the_platforms_stock_labels_are_stop_words(label: str) -> None:
    spaced = "  ".join(label.split())
    for text in (label, label.upper(), label.lower(), f" {spaced}. ", f"{label}!", f'"{label}"'):
        assert is_stop(text), text
        assert not is_start(text)
    assert not is_stop(f"{label}?")


@pytest.mark.parametrize(
    "text",
    [
        "promotions",
        "spam",
        "Werbung",
        "publicidad",
        "реклама",
        "פרסומות",
        "great promotions",
        "don't stop the promotions, we love them",
        "stop promotions of my brother are on Sunday",
        "we will stop by the marketing fair",
    ],
)
def test_what_only_speaks_of_advertising_is_no_stop(text: str) -> None:
    assert not is_stop(text)


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
        if word.strip() and not {"|", "?"} & set(word):
            assert is_stop(word), word
            assert not is_start(word), word
