"""Replies that turn on themselves: double negation, corrections, opt-outs, a part of the party."""

import pytest

from tests.support.rules_alone import by_rules
from tidings.features.replies.reading.reader import Previous, read


@pytest.mark.parametrize(
    "text",
    [
        "no way I'd miss it", "No way we would miss this!", "no way we're missing out",
        "not a chance I'm missing this", "definitely not missing this",
        "absolutely not going to miss it", "there is no way I will skip this", "wouldn't skip it",
        "nothing could make me miss it", "couldn't say no to this", "I would never say no to that",
        "ni loco me lo pierdo", "pour rien au monde je raterais ça",
        "das verpasse ich auf keinen Fall", "I don't want to skip it",
        "auf keinen Fall verpassen wir das", "não perco por nada", "ни за что не пропущу",
        "אין מצב שאפספס", "مستحيل أفوتها",
    ],
)  # fmt: skip
def test_not_missing_it_is_coming(text: str) -> None:
    assert by_rules(text).answer == "yes", by_rules(text)


@pytest.mark.parametrize(
    "text",
    [
        "no way", "no way I can make it", "no way, can't come", "not a chance",
        "no chance I'm coming",
        "have to miss it", "we will miss it", "so sorry to miss it", "definitely not",
        "I can't come, will miss it", "we have to skip this one", "no, I will miss it",
    ],
)  # fmt: skip
def test_missing_it_is_not_coming(text: str) -> None:
    assert by_rules(text).answer == "no", by_rules(text)


@pytest.mark.parametrize(
    "text", ["no way I'm not coming", "I'd hate to miss it", "no way!! congrats"]
)
def test_what_may_be_meant_either_way_is_left_open(text: str) -> None:
    assert read(text).answer is None, read(text)


@pytest.mark.parametrize(
    "text",
    [
        "yes please remove me from your list", "yes remove me", "yes please stop",
        "Yes, stop messaging me", "yes delete my number", "yes please take me off this list",
        "sí, quiero darme de baja", "oui, retirez-moi de la liste", "ja, keine Nachrichten mehr",
        "да, удалите мой номер", "כן, הסירו אותי מהרשימה", "نعم احذف رقمي",
        "sim, me tira da lista",
    ],
)  # fmt: skip
def test_a_yes_to_being_left_alone_is_no_yes_to_the_invitation(text: str) -> None:
    assert read(text).answer is None, read(text)


def test_who_wants_no_more_messages_is_asked_back() -> None:
    """Not an opt-out, which is a whole message, and not an answer either."""
    assert read("we're coming but please stop sending messages").answer is None
    assert read("can't come, please stop sending messages").answer is None


def test_who_is_to_be_taken_off_the_list_declines() -> None:
    assert read("can't come, please remove me from your list").answer == "no"
    assert read("take me off the list please").answer == "no"


@pytest.mark.parametrize(
    ("text", "guests"),
    [
        ("yes we'll be 3, no wait, 4", 4), ("We were 4, now 3", 3), ("we'll be 3, make it 4", 4),
        ("yes 3, sorry 4", 4), ("yes 2, actually 3", 3), ("yes 2 I mean 3", 3),
        ("yes, 5 people. Correction: 6 people", 6), ("we'll be 4, now it's 5 of us", 5),
        ("we'll be two, no sorry, three", 3), ("we were 4, then 5, now 3", 3),
        ("yes 12 of us no wait 13 of us", 13), ("yes 2 adults, now 2 adults and 1 kid", 3),
        ("we are now 3", 3), ("actually we'll be 4", 4), ("we'll be 4, not 3", 4),
        ("we'll be 4, can't wait, 3 more weeks", 4), ("we'll be 4, actually at 8", 4),
        ("seremos 4, no, espera, 5", 5), ("éramos 4, ahora 3", 3), ("on sera 4, enfin non, 5", 5),
        ("wir sind 4, nein doch 5", 5), ("wir sind 4, jetzt nur noch 3", 3),
        ("нас будет 4, вернее 5", 5), ("seremos 4, quer dizer, 5", 5), ("נהיה 4, סליחה, 5", 5),
        ("נהיה 4, בעצם 5", 5), ("سنكون 4، عفوا 5", 5),
    ],
)  # fmt: skip
def test_the_number_that_corrects_another_one_stands(text: str, guests: int) -> None:
    reading = by_rules(text)
    assert (reading.answer, reading.guests) == ("yes", guests), reading


@pytest.mark.parametrize(
    "text", ["4 adults and 2 kids, no wait, 3 kids", "yes 4, sorry 2 can't", "נגיע 4, לא 5"]
)
def test_what_corrects_only_a_part_leaves_the_number_open(text: str) -> None:
    assert read(text).guests is None, read(text)


@pytest.mark.parametrize(
    "text",
    [
        "2 of us can't come", "one of us can't make it", "3 people can't make it",
        "unfortunately 2 of us won't make it", "two of us are not coming",
        "2 de nosotros no podemos", "sorry 2 of us are sick",
        "2 von uns können nicht", "2 מאיתנו לא יכולים להגיע",
    ],
)  # fmt: skip
def test_when_some_cannot_come_the_others_are_not_known(text: str) -> None:
    reading = by_rules(text)
    assert (reading.answer, reading.guests) == (None, None), reading
    assert reading.confidence < 0.5


@pytest.mark.parametrize(
    "text",
    ["both of us can't come", "the 4 of us can't come", "all 3 of us can't", "we 2 can't come"],
)
def test_when_all_of_them_cannot_come_it_is_a_no(text: str) -> None:
    assert by_rules(text).answer == "no", by_rules(text)


@pytest.mark.parametrize(
    ("text", "guests"),
    [
        ("we will be 200", 200), ("yes, 150 people", 150), ("yes, 120 adults and 30 kids", 150),
        ("yes 100", None), ("yes, 999 people and 999 kids", None), ("yes, 1500 people", None),
    ],
)  # fmt: skip
def test_a_hundred_are_counted_where_words_say_that_they_are_people(
    text: str, guests: int | None
) -> None:
    reading = read(text)
    assert (reading.answer, reading.guests) == ("yes", guests), reading


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("busy", "no"), ("busy that day", "no"), ("been busy, yes we'll come", "yes"),
        ("I have no plans so I'm coming", "yes"), ("no car so we can't come", "no"),
        ("I have no plans", None), ("no one is coming", None), ("ok", None), ("k", None),
    ],
)  # fmt: skip
def test_a_reason_is_not_taken_for_the_answer_that_follows_it(
    text: str, answer: str | None
) -> None:
    assert read(text).answer == answer, read(text)


@pytest.mark.parametrize("text", ["yes", "Yes!", "כן", "نعم", "да", "sí", "oui", "ja", "sim"])
def test_one_word_after_a_no_is_a_yes(text: str) -> None:
    assert read(text, Previous("no")).answer == "yes"
