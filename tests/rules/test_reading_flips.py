"""Replies that must never be read as their opposite, in eight languages.

What the rules read is read so by the whole reader, or asked about.
"""

import pytest

from tests.support.rules_alone import by_rules
from tidings.features.replies.reading.reader import read

OF_MANNER = [
    "We won't be late",
    "We can't leave before 8 so will arrive at 9",
    "לא נאחר",
    "לא נוכל לצאת לפני 8 אז נגיע ב-9",
    "لن نتأخر",
    "Мы не опоздаем",
    "Не можем выехать раньше 8, поэтому приедем в 9",
    "No llegaremos tarde",
    "No podemos salir antes de las 8 así que llegaremos a las 9",
    "On ne sera pas en retard",
    "On ne peut pas partir avant 8h donc on arrivera à 9h",
    "Wir werden nicht zu spät kommen",
    "Wir kommen nicht zu spät",
    "Wir können nicht vor 8 los, also kommen wir um 9",
    "Não vamos chegar atrasados",
    "Não podemos sair antes das 8, por isso chegamos às 9",
]
NOT_ALONE = [
    "I can't come alone, bringing my husband",
    "אני לא יכולה לבוא לבד, מביאה את בעלי",
    "لا أستطيع الحضور وحدي، سأحضر مع زوجي",
    "Не могу прийти одна, приду с мужем",
    "No puedo ir sola, llevo a mi marido",
    "Je ne peux pas venir seule, je viens avec mon mari",
    "Ich kann nicht alleine kommen, bringe meinen Mann mit",
    "Não posso ir sozinha, levo o meu marido",
]
IN_SPIRIT = [
    "will be there in spirit",
    "נהיה שם ברוחנו",
    "سنكون معكم بقلوبنا",
    "Мысленно буду с вами",
    "Estaremos con vosotros en espíritu",
    "Estaré allí de corazón",
    "Je serai là par la pensée",
    "Ich bin in Gedanken dabei",
    "Estarei presente em espírito",
    "Estaremos aí em pensamento",
]
NOT_YET = [
    "Yes, I'll check and get back to you",
    "have fun, sure it will be great",
    "כן, אבדוק ואחזור אליך",
    "תהנו, בטוח יהיה מדהים",
    "نعم، سأتأكد وأرد عليك",
    "استمتعوا، أكيد بتكون حلوة",
    "Да, проверю и отвечу",
    "Хорошо повеселиться, конечно будет здорово",
    "Sí, lo miro y te digo",
    "Pásenlo bien, seguro que será genial",
    "Oui, je vérifie et je te redis",
    "Amusez-vous bien, c'est sûr que ce sera super",
    "Ja, ich schaue nach und melde mich",
    "Viel Spaß, wird sicher toll",
    "Sim, vou ver e já te digo",
    "Divirtam-se, com certeza vai ser ótimo",
]


@pytest.mark.parametrize("text", OF_MANNER)
def test_who_will_not_be_late_or_early_comes(text: str) -> None:
    assert by_rules(text).answer != "no", by_rules(text)
    assert read(text).answer != "no", read(text)


@pytest.mark.parametrize("text", NOT_ALONE)
def test_who_cannot_come_alone_brings_somebody(text: str) -> None:
    assert by_rules(text).answer != "no", by_rules(text)
    assert read(text).answer != "no", read(text)


def test_the_best_known_of_them_are_read() -> None:
    assert read("We won't be late").answer == "yes"
    bringing = read("I can't come alone, bringing my husband")
    assert (bringing.answer, bringing.guests) == ("yes", 2)
    assert read("We can't leave before 8 so will arrive at 9").answer == "yes"
    assert sum(read(text).answer == "yes" for text in OF_MANNER) >= 13
    assert sum(read(text).guests == 2 for text in NOT_ALONE) >= 6


@pytest.mark.parametrize("text", IN_SPIRIT)
def test_who_comes_in_spirit_does_not_come(text: str) -> None:
    assert read(text).answer == "no", read(text)


@pytest.mark.parametrize("text", NOT_YET)
def test_who_will_answer_later_or_wishes_fun_has_not_said_yes(text: str) -> None:
    assert read(text).answer is None, read(text)


@pytest.mark.parametrize(
    "text",
    [
        "I can't come alone",
        "We can't leave before 8",
        "אני לא יכולה לבוא לבד",
        "Не могу прийти одна",
        "No puedo ir sola",
        "Je ne peux pas venir seule",
        "Ich kann nicht alleine kommen",
        "Não posso ir sozinha",
    ],
)
def test_a_denied_manner_alone_is_no_refusal(text: str) -> None:
    assert read(text).answer != "no", read(text)


@pytest.mark.parametrize("text", ["Yes! Maybe 5 of us", "Sure, probably a bit late"])
def test_a_doubt_about_details_leaves_the_yes(text: str) -> None:
    assert by_rules(text).answer == "yes", by_rules(text)
    assert read(text).answer != "no", read(text)


@pytest.mark.parametrize(
    "text",
    [
        "Can't come, it's too late",
        "Sorry we can't come, leaving early next day",
        "I can't come because I can't leave my mother alone",
        "Lo siento, no puedo ir, salgo tarde del trabajo",
        "Je ne viendrai pas, je finis tard",
        "Ich kann leider nicht kommen, muss lange arbeiten",
        "Wir kommen nicht, da wir früh raus müssen",
        "לא אוכל להגיע, חוזרת מאוחר מהעבודה",
        "Не смогу прийти, поздно заканчиваю",
        "Não posso ir, saio tarde do trabalho",
        "لا أقدر أحضر، أرجع متأخر من الشغل",
    ],
)
def test_a_reason_with_a_word_of_manner_leaves_the_refusal(text: str) -> None:
    assert by_rules(text).answer == "no", by_rules(text)
    assert read(text).leaning == "no", read(text)
