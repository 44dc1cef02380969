"""Forms: the list, the builder without a script, submitting, results, and "Export CSV"."""

import pytest

from tests.support.forms import fill, form_toml, sent
from tests.support.live import number_toml
from tests.support.portal import Seen, Visitor, signed_in, text_of
from tests.support.service import TestAccount, TestService
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.audit.record import Actor
from tidings.features.feedback.forms import edit


@pytest.fixture
def asked(service: TestService) -> TestAccount:
    """An account whose form was filled in once."""
    account = service.account(form_toml())
    sent(account)
    fill(account)
    return account


def built(visitor: Visitor, title: str = "Your evening") -> Seen:
    """A rating and a choice, as typed into the builder of a new form."""
    page = visitor.submit(visitor.get("/forms/new"), "Add rating", {"Title": title})
    page = visitor.submit(page, "Add single", raw={"q1.text": "How was it?"})
    return visitor.submit(
        page, "Add comment", raw={"q2.text": "What did you eat?", "q2.options": "Fish\nMeat\n\n"}
    )


def legends(page: Seen) -> list[str]:
    return [text_of(one) for one in page.soup.select(".builder legend")]


def texts(page: Seen) -> list[str]:
    return [str(one["value"]) for one in page.soup.select('.builder input[name$=".text"]')]


def actions(account: TestAccount) -> list[str]:
    rows = account.service.sql(
        "SELECT action FROM audit_log WHERE account_id = $1 AND starts_with(action, 'form.')"
        " ORDER BY id",
        account.id,
    )
    return [row["action"] for row in rows]


def test_questions_are_added_moved_and_removed_with_what_was_typed_kept(
    account: TestAccount,
) -> None:
    visitor = signed_in(account, "developer")
    page = built(visitor)
    assert (page.status, page.h1) == (200, "New form")
    assert legends(page) == ["Question 1", "Question 2", "Question 3"]
    assert texts(page) == ["How was it?", "What did you eat?", ""]
    assert page.field("Title")["value"] == "Your evening"
    page = press(visitor, page, "up:2", **{"q3.text": "Anything else?"})
    assert texts(page) == ["What did you eat?", "How was it?", "Anything else?"]
    assert page.one('textarea[name="q1.options"]').get_text().split() == ["Fish", "Meat"]
    page = press(visitor, page, "down:2")
    assert texts(page) == ["What did you eat?", "Anything else?", "How was it?"]
    page = press(visitor, page, "remove:1")
    assert texts(page) == ["Anything else?", "How was it?"]
    assert "How was it?" in text_of(page.soup.select_one(".handset"))
    assert account.service.sql("SELECT 1 AS n FROM forms WHERE account_id = $1", account.id) == []


def press(visitor: Visitor, page: Seen, action: str, **fields: str) -> Seen:
    """A button of one question: those of the others have the same name."""
    return visitor.submit(page, "Save draft", raw={"do": action} | fields)


def test_a_draft_is_saved_changed_and_submitted(account: TestAccount) -> None:
    visitor = signed_in(account, "developer")
    page = press(visitor, built(visitor), "save", **{"q3.text": "Anything else?"})
    assert (page.status, page.h1) == (200, "Your evening")
    assert "The draft was saved." in page.main
    assert page.figures()["Version"] == "1"
    page = visitor.submit(page, "Save draft", {"Title": "Your night"})
    assert page.h1 == "Your night"
    assert "Your night" in visitor.get("/forms").main
    page = visitor.submit(page, "Submit for approval")
    assert "waits for the operator's approval" in page.main
    assert actions(account) == ["form.created", "form.saved", "form.submitted"]


def test_a_new_question_never_has_the_id_of_one_that_was_removed(account: TestAccount) -> None:
    visitor = signed_in(account, "developer")
    page = press(visitor, built(visitor), "save", **{"q3.text": "Anything else?"})
    page = press(visitor, page, "remove:3")
    page = visitor.submit(page, "Add comment")
    ids = [str(one["value"]) for one in page.soup.select('input[name$=".id"]')]
    assert ids == ["q1", "q2", "q4"]


def test_a_live_account_publishes(service: TestService) -> None:
    account = service.account(number_toml(place="105577710001"), environment="live")
    visitor = signed_in(account)
    page = built(visitor)
    assert not page.has_button("Submit for approval")
    page = visitor.submit(page, "Publish", raw={"q3.text": "Anything else?"})
    assert "waits for the operator's approval" in page.main
    assert actions(account) == ["form.created", "form.submitted"]


def test_a_refused_form_says_where_and_keeps_what_was_typed(account: TestAccount) -> None:
    visitor = signed_in(account)
    page = visitor.submit(visitor.get("/forms/new"), "Save draft")
    assert page.status == 422
    assert "Add at least one question." in page.errors
    page = visitor.submit(visitor.submit(page, "Add multi"), "Save draft", {"Title": "Your day"})
    assert page.status == 422
    assert page.field("Title")["value"] == "Your day"
    errors = {text_of(one) for one in page.soup.select("fieldset .error")}
    assert errors == {"Write something here.", "Write at least one option."}
    assert text_of(page.soup.find(id="q1.options-error")) == "Write at least one option."


def test_a_form_that_the_operator_sent_back_shows_why(account: TestAccount) -> None:
    visitor = signed_in(account)
    press(visitor, built(visitor), "release", **{"q3.text": "Anything else?"})

    async def work(tx: Tx) -> None:
        owner = (await load_accounts(tx, [account.id]))[account.id]
        await edit.send_back(tx, owner, Actor("person", "o@example.com"), "your-evening", 1, "Odd")

    account.service.transact(work)
    assert "The operator sent it back: Odd" in visitor.get("/forms/your-evening").main


def test_the_results_are_charts_with_figures_and_comments(asked: TestAccount) -> None:
    page = signed_in(asked, "viewer").get("/forms/visit")
    figures = page.figures()
    assert (figures["Sent"], figures["Answered"], figures["Share answered"]) == ("1", "1", "100%")
    charts = {
        text_of(one.select_one(".chart-title")): [
            [text_of(cell) for cell in row.select("th, td.num")] for row in one.select("tr")
        ]
        for one in page.soup.select(".chart-distribution")
    }
    assert ["5", "1", "100%"] in charts["How was it?"]
    assert charts["What did you eat?"] == [["Fish", "1", "100%"], ["Meat", "0", "0%"]]
    assert "average 5" in page.main
    assert text_of(page.soup.select_one(".comments q")) == "Thank you"


def test_the_answers_can_be_exported(asked: TestAccount) -> None:
    visitor = signed_in(asked, "viewer")
    address = visitor.get("/forms/visit").links()["Export CSV"]
    answer = visitor.raw("GET", address)
    assert answer.headers["content-type"].startswith("text/csv")
    heading, row = answer.content.decode("utf-8-sig").splitlines()
    assert heading.endswith("q1,q2,q3,q4")
    assert row.endswith("5,Fish,Food; Hall,Thank you")


def test_who_may_not_build_reads_only(asked: TestAccount) -> None:
    sender = signed_in(asked, "sender")
    assert "New form" not in sender.get("/forms").links()
    assert not sender.get("/forms/visit").has_button("Save draft")
    assert sender.get("/forms/new").status == 403
    for path in ("/forms/new", "/forms/visit"):
        assert sender.post(path, {"do": "save"}).status_code == 403
    assert signed_in(asked, "billing").get("/forms").status == 403


@pytest.mark.parametrize("path", ["/forms/visit", "/forms/visit/answers.csv"])
def test_the_form_of_another_account_is_unknown(
    account: TestAccount, service: TestService, path: str
) -> None:
    service.account(form_toml())
    visitor = signed_in(account)
    assert visitor.get(path).status == 404
    assert visitor.post("/forms/visit", {"do": "save"}).status_code == 404


def test_a_form_called_new_can_be_opened(account: TestAccount) -> None:
    visitor = signed_in(account)
    page = press(visitor, built(visitor, "New"), "save", **{"q3.text": "Anything else?"})
    assert page.response.url.path == "/portal/forms/new-2"


def test_an_empty_list_says_what_forms_are_for(account: TestAccount) -> None:
    page = signed_in(account).get("/forms")
    assert (page.h1, page.links()["New form"]) == ("Forms", "/portal/forms/new")
    assert "No forms yet" in page.main


def test_the_list_shows_one_state_alone(asked: TestAccount) -> None:
    visitor = signed_in(asked)
    visitor.submit(built(visitor), "Save draft", raw={"q3.text": "Anything else?"})
    every = visitor.get("/forms")
    assert len(every.rows()) == 2
    drafts = visitor.submit(every, "Filter", {"State": "draft"})
    assert [row[1] for row in drafts.rows()] == ["draft"]
    assert "No form has this state" in visitor.get("/forms?state=submitted").main
    assert len(visitor.get("/forms?state=nonsense").rows()) == 2
