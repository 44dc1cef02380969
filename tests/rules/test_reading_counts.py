"""How many guests a reply means if it is a yes (docs/replies.md, "the number of guests")."""

import pytest

from tests.support.rules_alone import head_count

SAID = [
    # people listed, with and without "and"
    ("me and my wife", 2), ("Dana, Yossi and I", 3), ("my husband, the twins and me", 4),
    ("Tom and I will be there", 2), ("me, Josh and the baby", 3), ("Me and Jen are coming", 2),
    ("my sister Ida and I", 2), ("me my husband and um my mum", 3),
    ("me, his mum and her fella", 3),
    ("Granny, Grandpa, Auntie Jo and I will be there", 4), ("me + my son", 2),
    ("coming with my parents", 3), ("I'll come with my mum and my sister", 3),
    ("I'll bring both boys", 3), ("me and the two boys", 3), ("me and my 2 lovely little kids", 3),
    ("my sister and her husband are coming with me", 3), ("coming and my wife too", 2),
    ("me and Tom's mum", 2), ("me and my 7 yr old", 2), ("me and the 5 girls", 6),
    # numbers of people
    ("both of us", 2), ("the pair of us", 2), ("just the two of us", 2), ("all four of us", 4),
    ("a couple, no kids", None), ("as a couple", 2), ("+1", 2), ("me plus two", 3), ("count 4", 4),
    ("count me in, plus one", 2), ("2 adults and 3 children", 5), ("2 adults. 3 kids", 5),
    ("2 adults, a 4 yr old and a 2 yr old", 4), ("5 of us, 2 of them kids", 5), ("two couples", 4),
    ("the two of us and the baby", 3), ("us four and Nana", 5), ("put us down for six", 6),
    ("yes, half a dozen of us", 6), ("headcount: 2", 2), ("8 from our family", 8),
    ("12 including me", 12), ("3 out of 6 of us are coming", 3), ("3 not 4 this year", 3),
    # the total beside a list, and what is said last
    ("4 of us: me, Brian, our Tracey and her lad", 4), ("me and my mum, 2 people", 2),
    ("five persons, myself, my wife and our three children", 5),
    ("me, my wife, my mum, so three", 3),
    ("usually 5 of us but Tom's abroad so 4", 4), ("10 of us wanted to, only 4 fit, so 4", 4),
    ("we're 3 plus the nanny = 4", 4), ("my wife and I will come with our two kids", 4),
    # one
    ("just me", 1), ("just little old me", 1), ("on my tod", 1), ("no plus one, only me", 1),
    ("I'll come alone", 1), ("I'll come without my wife", 1),
    ("can't bring my wife so i'll come alone", 1), ("my husband can't make it, so just me", 1),
    # German
    ("zu zweit", 2), ("wir sind zu viert", 4), ("wir beide", 2), ("nur ich", 1), ("komm solo", 1),
    ("meine Frau und ich", 2), ("Horst und ich kommen", 2), ("ich und die zwei Kinder", 3),
    ("ich bringe meine Eltern mit", 3), ("meine Eltern, meine Oma und ich", 4),
    ("2 Erw. 1 Kind", 3), ("wir kommen mit 9 Mann", 9), ("Meine Tochter kommt auch mit", 2),
    ("zwei Pärchen", 4), ("erst waren wir 5, jetzt 4", 4), ("ich komme ohne meinen Mann", 1),
    ("zu fünft, nein halt, zu sechst", 6), ("wir zwei mit unseren 3 Mädels", 5),
]  # fmt: skip

NOT_SAID = [
    "with the kids", "coming with my wife and the kids", "the whole family", "me and some friends",
    "4 or 5", "maybe 6 maybe 7 of us", "about ten of us", "we are coming", "not just me",
    "we come with my mother", "my daughter is 6", "see you at 8", "in 2 weeks", "20 minutes late",
    "the baby had me up all night", "I wouldn't let you go alone",
    "couldn't be happier for you two",
    "I checked with my boss, I can come", "I was at the hospital with dad all week",
    "tell your mother I said yes, and I'm bringing a cake", "one day", "table 4", "room 12",
    "mum talked me into it", "I love you and I'll be there", "2 questions",
    "Hate weddings, but I'll be there", "mit den Kindern", "um acht", "zu viert oder fünft",
    "ich komme mit Frau und Kindern", "ca. 10 Leute", "der Kleine ist 3 Jahre alt",
    "ihr zwei seid toll", "Allein trau ich mich nicht", "3. Stock",
]  # fmt: skip


def counted(text: str) -> int | None:
    return head_count(text)


@pytest.mark.parametrize(("text", "guests"), SAID)
def test_the_number_of_guests_that_is_said(text: str, guests: int | None) -> None:
    assert counted(text) == guests


@pytest.mark.parametrize("text", NOT_SAID)
def test_what_nobody_can_count_leaves_the_number_open(text: str) -> None:
    assert counted(text) is None
