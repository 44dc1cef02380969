"""Russian and French as guests write them: refusals that are none, and people in every case."""

import pytest

from tests.support.rules_alone import head_count
from tidings.features.replies.reading.changes import Change, find_change
from tidings.features.replies.reading.normalise import normalise
from tidings.features.replies.reading.reader import read
from tidings.features.replies.reading.tokens import clauses

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


PEOPLE = [
    ("Мы с мужем придём", 2), ("мы с Андреем будем", 2), ("Придём мы с женой и тёща", 3),
    ("Едем с мамой вдвоём", 2), ("Мы с сестрой вдвоём подъедем", 2), ("Втроём будем", 3),
    ("вдвоём с мужем", 2), ("Двое взрослых и трое детей", 5), ("трое нас", 3), ("Нас пятеро", 5),
    ("Я, жена и двое детей, четверо", 4), ("Приду один", 1), ("Буду. Один.", 1),
    ("Я приду, одна", 1), ("Приду без пары", 1), ("Одна не пойду, пойду с мужем", 2),
    ("мы с женой и сын 3 года", 3), ("12 человек вместе со мной", 12),
    ("не трое нас, а четверо", 4), ("приду с родителями", 3), ("мы с мужем и близнецы", 4),
    ("запишите троих", 3), ("2 взрослых, 1 ребёнок", 3), ("вчетвером", 4),
    ("придём с детьми", None), ("опоздаем минут на 20, но будем", None), ("одна подруга", None),
    ("je viens avec ma mère", 2), ("ma femme et moi", 2), ("moi pis mes deux colocs", 3),
    ("nous deux et les jumelles", 4), ("oui 5 dont 2 petits", 5), ("Sophie, Marc et moi", 3),
    ("je viens avec mes parents", 3), ("on vient tous les quatre", 4), ("je viens solo", 1),
    ("on sera 3 avec le petit", 3), ("moi, ma femme et les 3 gosses", 5), ("2 ad + 3 enf", 5),
    ("je viens avec mon grand frère et sa femme", 3), ("mon fils de 8 ans et moi", 2),
    ("j'arrive, une petite heure de route", None), ("invité par un frère, j'arrive", None),
    ("je viens, contente pour vous deux", None), ("je ne bois plus mais je viens", None),
    ("будем человек десять", None), ("приду к пяти с тортом", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "guests"), PEOPLE)
def test_people_are_counted_in_every_case(text: str, guests: int | None) -> None:
    assert head_count(text) == guests


CHANGES = [
    ("сделайте 3 плз", 2, 3), ("не 4, а 3", 4, 3), ("забыл написать, нас шестеро", None, 6),
    ("вчетвером", None, 4), ("минус один", 5, 4), ("плюс ещё один", 3, 4), ("4 не 5", 5, 4),
    ("на одного меньше", 5, 4), ("Мама передумала", 3, 2), ("тёща тоже едет", 2, 3),
    ("муж не сможет, приду одна", 2, 1), ("на одного меньше, дедушка остаётся дома", 6, 5),
    ("un de moins", 5, 4), ("une de plus", 2, 3), ("5 pas 6", 6, 5), ("c'est 5 définitif", None, 5),
    ("ma belle-mère s'ajoute", 4, 5), ("on passe à 4", 2, 4), ("juste nous deux", 4, 2),
    ("mon fils ne vient plus", 3, 2), ("ma cousine se rajoute", 2, 3), ("non que 4", 5, 4),
]  # fmt: skip


@pytest.mark.parametrize(("text", "before", "after"), CHANGES)
def test_a_guest_who_said_yes_changes_the_party(text: str, before: int | None, after: int) -> None:
    assert find_change(clauses(normalise(text)), before) == Change(after)


@pytest.mark.parametrize(
    "text",
    [
        "Сын приболел, дай Бог обойдётся", "спасибо!", "где парковка", "придём к 7", "нет",
        "mon fils est malade, j'espère que ça ira", "merci beaucoup", "à 20h alors", "non",
        "On est moins sûrs, elle a de la fièvre",
    ],
)  # fmt: skip
def test_a_worry_or_chatter_leaves_the_party(text: str) -> None:
    assert find_change(clauses(normalise(text)), 4) is None
