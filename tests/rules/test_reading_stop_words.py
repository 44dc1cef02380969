"""Stop and start words in eight languages: whole messages only; inside a sentence they ask back.

`tests/corpus/stop_words.tsv` says of each line whether it is a `stop`, a `start`, `neither`, or has
a wish to hear no more `inside` a sentence: no opt-out then, and no answer.
"""

from collections import Counter

import pytest

from tests.support import authors, replies
from tidings.features.replies.reading.normalise import normalise
from tidings.features.replies.reading.reader import NOTHING, read
from tidings.features.replies.reading.tokens import clauses
from tidings.features.replies.reading.words import asks_to_stop, is_start, is_stop

LABELLED = [
    line.split("\t")
    for line in (replies.CORPUS / "stop_words.tsv").read_text(encoding="utf-8").splitlines()[1:]
]


@pytest.mark.parametrize(("text", "meaning", "language"), LABELLED)
def test_a_labelled_line_is_what_it_says(text: str, meaning: str, language: str) -> None:
    assert is_stop(text) == (meaning == "stop"), (language, text)
    assert is_start(text) == (meaning == "start"), (language, text)
    if meaning != "start":
        assert asks_to_stop(clauses(normalise(text))) or meaning != "inside", (language, text)


@pytest.mark.parametrize("text", [text for text, meaning, _ in LABELLED if meaning == "inside"])
def test_a_wish_inside_a_sentence_is_no_answer(text: str) -> None:
    assert read(text) == NOTHING


def test_each_language_has_enough_lines() -> None:
    count = Counter((language, meaning) for _, meaning, language in LABELLED)
    for language in replies.LANGUAGES:
        assert sum(n for (of, _), n in count.items() if of == language) >= 25
        assert min(count[language, each] for each in ("stop", "start", "neither", "inside")) >= 4


@pytest.mark.parametrize("language", authors.LANGUAGES)
def test_no_answer_to_an_invitation_is_an_opt_out(language: str) -> None:
    """An opt-out by mistake is worse than a question too many: the guest hears nothing again."""
    answers = [one for one in authors.replies(language, authors.TUNING) if one.answer is not None]
    assert [one.text for one in answers if is_stop(one.text)] == []
