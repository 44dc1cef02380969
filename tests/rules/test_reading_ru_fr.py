"""Russian and French as guests write them: refusals that are none, and people in every case."""

import pytest

from tidings.features.replies.reading.reader import read

YES = [
    "Не откажусь!", "Без меня не начинайте", "Как же мы не придём", "Не могу не прийти",
    "Не опоздаем, будем", "Базара нет", "Придём не с пустыми руками",
    "On ne refuse pas une invitation pareille, j'arrive", "Je dis pas non, je viens",
    "Je ne viendrai pas les mains vides", "On sera pas en retard, on arrive",
    "Rien ne pourra m'empêcher de venir", "Hors de question de rater ça",
    "Je n'annule pas, je viens", "On va pas louper ça",
]  # fmt: skip
NO = [
    "Мысленно буду с вами", "Начинайте без нас", "Не потянем дорогу, увы",
    "Mon cœur sera avec vous", "Ça sera pour la prochaine fois", "De tout coeur avec vous",
]  # fmt: skip
NEITHER = [
    "50 на 50", "Не исключено", "Загадывать не буду", "Да, номер правильный",
    "Je viens d'apprendre la nouvelle", "Oui c'est bien mon numéro", "C'est oui ou non ?",
    "Je viens vers vous au sujet de la facture",
]  # fmt: skip


@pytest.mark.parametrize("text", YES)
def test_a_refusal_in_the_words_may_be_a_yes(text: str) -> None:
    assert read(text).answer == "yes", read(text)


@pytest.mark.parametrize("text", NO)
def test_a_no_may_be_said_without_the_word(text: str) -> None:
    assert read(text).answer == "no", read(text)


@pytest.mark.parametrize("text", NEITHER)
def test_what_only_looks_like_an_answer_is_none(text: str) -> None:
    assert read(text).answer is None, read(text)
