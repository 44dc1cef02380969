"""Spanish and Portuguese: a no without the word, a yes with it, and who comes."""

import pytest

from tests.support.rules_alone import by_rules, head_count
from tidings.features.replies.reading.changes import Change, find_change
from tidings.features.replies.reading.normalise import normalise
from tidings.features.replies.reading.reader import read
from tidings.features.replies.reading.tokens import clauses

YES_WITH_NO = (
    "imposible faltar", "no te fallo, ahí estaré", "no me lo pierdo ni loca", "ni lo dudes, voy",
    "no puedo llegar antes de las 9, pero llego", "no voy sola, voy con mi hermana",
    "impossível recusar", "não deixo de ir por nada", "não tem como não ir",
    "no me queda otra que ir", "não tenho como não ir", "voy sin mi hermana",
    "não vou me atrasar, estarei lá", "não vou perder", "nem que chova, eu vou",
)  # fmt: skip
NO_WITHOUT_NO = (
    "me habría encantado acompañarlos", "los acompaño con mis oraciones", "ahí estaré en espíritu",
    "estaremos pensando en ustedes desde lejos", "hubiéramos ido con gusto", "falto esta vez",
    "teria adorado estar aí", "vou acompanhar de longe", "estarei em pensamento",
    "vou é ficar em casa", "a festa eu vou perder",
)  # fmt: skip
NO_ANSWER = (
    "casi seguro que sí", "en principio sí", "sí, este es mi número", "claro, luego lo miro",
    "voy manejando, luego te contesto", "resérvame la duda", "em princípio sim",
    "quase certeza que sim", "vou fazer o possível", "com certeza vai ser linda",
)  # fmt: skip
COUNTED = (
    ("solo yo", 1), ("voy sin acompañante", 1), ("mi señora y yo", 2), ("voy con mi suegra", 2),
    ("mi mujer, los mellizos y yo", 4), ("nosotros tres", 3), ("somos diecisiete", 17),
    ("voy yo con mis dos nietos", 3), ("seremos media docena", 6), ("dos parejas", 4),
    ("só eu", 1), ("irei desacompanhada", 1), ("eu e a minha sogra", 2), ("vou com o meu genro", 2),
    ("eu, meu marido e os gêmeos", 4), ("nós quatro", 4), ("somos dezesseis", 16),
    ("seremos meia dúzia", 6), ("dois casais", 4),
)  # fmt: skip


@pytest.mark.parametrize("text", YES_WITH_NO)
def test_a_refusal_of_staying_away_is_a_yes(text: str) -> None:
    assert by_rules(text).answer == "yes", by_rules(text)


@pytest.mark.parametrize("text", NO_WITHOUT_NO)
def test_regret_and_thoughts_from_afar_are_a_no(text: str) -> None:
    assert read(text).answer == "no", read(text)


@pytest.mark.parametrize("text", NO_ANSWER)
def test_what_leaves_it_open_is_neither(text: str) -> None:
    assert read(text).answer is None, read(text)


@pytest.mark.parametrize(("text", "guests"), COUNTED)
def test_people_are_counted_by_what_they_are_called(text: str, guests: int) -> None:
    assert head_count(text) == guests


CHANGED = (
    ("se suma mi cuñada", 2, 3), ("uno menos", 4, 3), ("se bajaron 2", 8, 6),
    ("mi marido no viene", 2, 1), ("al final solo yo", 2, 1), ("5 y no 6", 6, 5),
    ("menos um", 3, 2), ("mais um", 3, 4), ("o João já não vem", 3, 2),
    ("bota mais 2", 2, 4), ("3 e não 4", 4, 3), ("no final só eu", 2, 1),
)  # fmt: skip


@pytest.mark.parametrize(("text", "before", "after"), CHANGED)
def test_after_a_yes_some_join_and_some_drop_out(text: str, before: int, after: int) -> None:
    assert find_change(clauses(normalise(text)), before) == Change(after)


SUMMED_UP = (
    ("voy con mi mujer y mi hija, 3", 3), ("se anima mi hermano, dos", 2),
    ("mi marido, mi hijo y yo, los tres", 3), ("somos 5 con los niños", 5),
    ("mi hermana y solo yo", 2), ("vamos mi mujer, mi hijo y yo", 3),
    ("my wife is coming too, 2", 2),
    ("ich und mein sohn (14) kommen", 2),
)  # fmt: skip


@pytest.mark.parametrize(("text", "guests"), SUMMED_UP)
def test_a_number_after_people_says_how_many_they_are(text: str, guests: int) -> None:
    assert head_count(text) == guests


@pytest.mark.parametrize("text", ["sí, a las 8", "voy a las 7 con gusto", "chego às 6 da tarde"])
def test_a_time_after_an_article_counts_nobody(text: str) -> None:
    assert head_count(text) is None


def test_a_number_is_in_no_language() -> None:
    assert read("yes 3, sorry 4").guests == 4  # "los 4" is in a table, and does not make it Spanish
