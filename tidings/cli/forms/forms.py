"""`tidings forms`: the versions of forms, the answers to them, and deleting a person's."""

from pathlib import Path

import msgspec

from tidings import phone
from tidings.cli.database import load_account, transact, transact_for
from tidings.cli.listing import csv_cell
from tidings.cli.output import Refused, print_json, print_table, say, visible, write_data
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_all_accounts
from tidings.features.accounts.model import Account
from tidings.features.feedback.answers import export, results
from tidings.features.feedback.answers.results import QuestionResult, Results
from tidings.features.feedback.forms import lookup, names, preview
from tidings.features.feedback.forms.lookup import FormStatus
from tidings.features.feedback.model import Version
from tidings.features.replies.inbound_messages import forget_forms
from tidings.platforms.content import Question
from tidings.spreadsheets import csv_text
from tidings.wording import counted

FORMATS = ("csv", "json")
BAR, BAR_CHARS = "█", 30


def list_forms(account: str | None, *, as_json: bool, as_csv: bool) -> None:
    found = transact(lambda tx: _list(tx, account))
    shown = [{"account": name, **msgspec.to_builtins(one)} for name, one in found]
    if as_json:
        print_json({"forms": shown})
        return
    if as_csv:
        names = ["account", *(one.encode_name for one in msgspec.structs.fields(FormStatus))]
        rows = ([csv_cell(one[name]) for name in names] for one in shown)
        write_data(csv_text([names, *rows]))
        return
    headings = ("account", "form", "state", "sendable", "platform", "sent>", "answered>", "title")
    print_table(headings, (_row(name, one) for name, one in found), none="No forms.")


def _row(name: str, one: FormStatus) -> tuple[object, ...]:
    state = f"{one.state} (retired)" if one.retired else one.state
    form = names.version_id(one.form_id, one.version)
    sendable = "yes" if one.sendable else ""
    return name, form, state, sendable, one.platform, one.sent, one.answered, one.title


async def _list(tx: Tx, name: str | None) -> list[tuple[str, FormStatus]]:
    accounts = await load_all_accounts(tx) if name is None else [await load_account(tx, name)]
    return [
        (account.name, one)
        for account in accounts
        for one in await lookup.load_form_statuses(tx, account.id)
    ]


def show_results(account: str, form_id: str, *, as_json: bool) -> None:
    found = transact_for(account, lambda tx, owner: results.load_results(tx, owner, form_id))
    if as_json:
        print_json(found)
    else:
        _print_results(found)


def _print_results(found: Results) -> None:
    say(f"{visible(found.title)}: {found.answered} of {found.sent} answered")
    for question in found.questions:
        average = "" if question.average is None else f", on average {question.average}"
        text = visible(f"{question.question_id}. {question.question}")
        say(f"\n{text} ({question.answered}{average})")
        _print_bars(question)


def _print_bars(question: QuestionResult) -> None:
    most = max((one.count for one in question.choices), default=0) or 1
    chosen = [(visible(str(one.value)), one.count) for one in question.choices]
    width = max((len(value) for value, _ in chosen), default=0)
    for value, count in chosen:
        bar = BAR * round(BAR_CHARS * count / most)
        say(f"  {value:>{width}}  {count:>5}  {bar}".rstrip())


def export_answers(account: str, form_id: str, format_: str, output: Path | None) -> None:
    if format_ not in FORMATS:
        raise Refused(f'--format is {" or ".join(FORMATS)}, not "{format_}".')
    questions, rows = transact_for(account, lambda tx, owner: _load_rows(tx, owner, form_id))
    if format_ == "csv":
        lines = (export.csv_row(questions, row) for row in rows)
        text = csv_text([export.heading(questions), *lines])
    else:
        body = msgspec.json.encode({"formId": form_id, "answers": rows})
        text = msgspec.json.format(body, indent=2).decode() + "\n"
    if output is None:
        write_data(text)
        return
    try:
        # The byte order mark tells a spreadsheet that the file is UTF-8.
        output.write_text(text, "utf-8-sig" if format_ == "csv" else "utf-8", newline="")
    except OSError as reason:
        raise Refused(f"Cannot write {output}: {reason.strerror}.") from None
    say(f"{output}: {len(rows)} answered")


async def _load_rows(
    tx: Tx, owner: Account, form_id: str
) -> tuple[list[Question], list[results.Row]]:
    questions = await results.load_questions(tx, owner.id, form_id)
    rows: list[results.Row] = []
    after: results.Cursor | None = None
    while True:
        page, after = await results.load_rows(tx, owner.id, form_id, after, results.PAGE_ROWS)
        rows += page
        if after is None:
            return questions, rows


def forget_person(account: str, number: str) -> None:
    person = phone.find(number)
    if person is None:
        raise Refused("PHONE is 8 to 20 digits, in international format.")

    async def work(tx: Tx, owner: Account) -> int:
        await forget_forms(tx, owner.id, person)
        return await results.forget(tx, owner.id, person)

    forms = transact_for(account, work)
    say(f"Forgotten: the answers of {number} in {counted(forms, 'form')} of {account}.")


def preview_form(account: str, form_id: str) -> None:
    base, number = names.split(form_id)
    versions = transact_for(account, lambda tx, owner: lookup.load_all_versions(tx, owner.id, base))
    write_data(preview.page(_choose(versions, form_id, number)))


def _choose(versions: list[Version], form_id: str, number: int | None) -> Version:
    if number is None:
        return versions[-1]
    found = next((one for one in versions if one.version == number), None)
    if found is None:
        raise Refused(f'There is no version "{form_id}"; tidings forms list shows them.')
    return found
