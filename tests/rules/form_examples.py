"""Forms for tests of forms: two that a person would write, and any that is sound."""

from hypothesis import strategies as st

from tidings.features.feedback.model import Form
from tidings.platforms.content import Question

FORMS = [
    Form(
        "Your visit",
        (
            Question("q1", "rating", "How was it?", required=True),
            Question("q2", "single", "What did you eat?", ("Fish", "Meat"), required=True),
            Question("q3", "multi", "What did you like?", ("Food", "Music", "Hall")),
            Question("q4", "comment", "Anything else?"),
        ),
    ),
    Form(
        "הביקור שלך",
        (
            Question("q1", "rating", "איך היה האירוע?", required=True),
            Question("q2", "single", "מה אכלת?", ("דג", "בשר", "טבעוני"), required=True),
            Question("q3", "multi", "מה אהבת?", ("האוכל", "המוזיקה", "האולם")),
            Question("q4", "comment", "עוד משהו?"),
        ),
        language="he",
    ),
]

_words = st.text(
    st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="`$"), min_size=1, max_size=90
).filter(str.strip)
_options = st.lists(
    _words, min_size=1, max_size=20, unique_by=lambda word: word.strip().casefold()
).map(tuple)


@st.composite
def _question(draw: st.DrawFn, place: int) -> Question:
    kind = draw(st.sampled_from(["rating", "single", "multi", "comment"]))
    options = draw(_options) if kind in ("single", "multi") else ()
    return Question(f"q{place}", kind, draw(_words), options, draw(st.booleans()))


@st.composite
def forms(draw: st.DrawFn) -> Form:
    count = draw(st.integers(1, 6))
    questions = tuple(draw(_question(place)) for place in range(count))
    language = draw(st.sampled_from(["en", "he", "ar", "pt_BR", "nl"]))
    return Form(draw(_words), questions, language)
