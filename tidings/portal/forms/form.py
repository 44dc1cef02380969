"""One form: the builder, its versions, and what guests answered."""

from collections.abc import Sequence
from functools import partial

from markupsafe import Markup
from starlette.responses import Response

from tidings.engine.db.tx import Tx
from tidings.features.feedback.answers import export
from tidings.features.feedback.answers.counts import load_counts
from tidings.features.feedback.answers.results import (
    QuestionResult,
    Results,
    load_results,
    questions_of,
)
from tidings.features.feedback.forms import edit
from tidings.features.feedback.forms.lookup import find_wait, load_all_versions
from tidings.features.feedback.model import Version
from tidings.features.people.roles import Right
from tidings.features.senders.lookup import load_numbers
from tidings.portal import bubbles, charts
from tidings.portal.download import csv_file
from tidings.portal.form import Form as Posted
from tidings.portal.forms import draft as drafts
from tidings.portal.forms.draft import Draft
from tidings.portal.forms.forms import form_path
from tidings.portal.page import Page
from tidings.portal.visit import Visit

LANGUAGES = (
    ("en", "English"), ("he", "עברית"), ("ar", "العربية"), ("fr", "Français"), ("es", "Español"),
    ("ru", "Русский"),
)  # fmt: skip


async def show_new(visit: Visit) -> Response:
    language = visit.language if visit.language in dict(LANGUAGES) else "en"
    return await _build(visit, "forms/new.html", Draft(language=language))


async def act_new(visit: Visit) -> Response:
    """The builder's buttons; a new form is stored by "Save draft" or what follows it."""
    draft = drafts.read(visit.form)
    action = visit.form["do"]
    if action not in ("save", "release"):
        drafts.change(draft, action, ())
        return await _build(visit, "forms/new.html", draft)
    form = drafts.to_form(draft)

    async def store(tx: Tx) -> Version:
        made = await edit.create(tx, visit.chosen, visit.actor, form)
        if action == "save":
            return made
        return await edit.release(tx, visit.chosen, visit.actor, made.form_id)

    try:
        saved = await visit.transact(store)
    except edit.InvalidForm as refusal:
        _refuse(visit, refusal)
        return await _build(visit, "forms/new.html", draft)
    return visit.redirect(form_path(saved.form_id), notice=_notice(visit, saved))


async def show(visit: Visit) -> Response:
    versions = await _versions(visit)
    return await _page(visit, versions, drafts.of_form(versions[-1].form))


async def act(visit: Visit) -> Response:
    versions = await _versions(visit)
    draft, action = drafts.read(visit.form), visit.form["do"]
    if action not in ("save", "release"):
        taken = [one.id for one in questions_of(versions)]
        drafts.change(draft, action, taken)
        return await _page(visit, versions, draft)
    form_id, form = versions[-1].form_id, drafts.to_form(draft)

    async def store(tx: Tx) -> Version:
        saved = await edit.save_draft(tx, visit.chosen, visit.actor, form_id, form)
        if action == "save":
            return saved
        return await edit.release(tx, visit.chosen, visit.actor, form_id)

    try:
        saved = await visit.transact(store)
    except edit.InvalidForm as refusal:
        _refuse(visit, refusal)
        return await _page(visit, versions, draft)
    return visit.redirect(form_path(form_id), notice=_notice(visit, saved))


async def answers_file(visit: Visit) -> Response:
    """ "Export CSV": a row for each form that was filled in."""
    latest = (await _versions(visit))[-1]
    rows = export.csv_bytes(visit.ctx.db, visit.chosen.id, latest.form_id)
    return csv_file(f"form-{latest.form_id}", rows)


async def _versions(visit: Visit) -> list[Version]:
    return await visit.transact(
        partial(load_all_versions, account_id=visit.chosen.id, form_id=visit.params["formId"])
    )


async def _page(visit: Visit, versions: Sequence[Version], draft: Draft) -> Response:
    latest = versions[-1]

    async def load(tx: Tx) -> tuple[Results, dict[tuple[str, int], tuple[int, int]], str | None]:
        found = await load_results(tx, visit.chosen, latest.form_id)
        counts = await load_counts(tx, visit.chosen.id)
        return found, counts, await find_wait(tx, visit.chosen, latest)

    results, counts, wait = await visit.report(load)
    return await _build(
        visit,
        "forms/form.html",
        draft,
        latest=latest,
        wait=wait,
        versions=[(one, *counts.get((one.form_id, one.version), (0, 0))) for one in versions[::-1]],
        results=results,
        charts=[(one, _chart(visit, one)) for one in results.questions],
        path=form_path(latest.form_id),
    )


async def _build(visit: Visit, template: str, draft: Draft, **more: object) -> Response:
    """The page with the builder as it is now, whatever was posted."""
    shown = Posted()
    shown.errors = visit.form.errors
    shown.fill(draft.values())
    visit.form = shown
    numbers = await visit.transact(lambda tx: load_numbers(tx, [visit.chosen.id]))
    own = numbers[visit.chosen.id]
    preview = drafts.to_form(draft)
    known = [] if draft.language in dict(LANGUAGES) else [(draft.language, draft.language)]
    return visit.page(
        template,
        None,
        draft=draft,
        languages_of_forms=[*LANGUAGES, *known],
        preview=preview,
        bubble=bubbles.of_form(preview) if preview.message else None,
        sender=own[0].name or own[0].number if own else visit.chosen.name,
        **more,
    )


def _chart(visit: Visit, result: QuestionResult) -> Markup | None:
    if result.type == "comment":
        return None
    counts = [(str(one.value), one.count) for one in result.choices]
    return charts.distribution(result.question, counts, charts.words(visit.gettext, visit.language))


def _refuse(visit: Visit, refusal: edit.InvalidForm) -> None:
    for where, problem in refusal.faults:
        text = problem
        if problem.startswith("must not be blank"):
            text = visit.gettext("Write something here.")
        elif problem.startswith("is required for a"):
            text = visit.gettext("Write at least one option.")
        elif problem == "must hold at least one question":
            text = visit.gettext("Add at least one question.")
        visit.form.error(drafts.field_of(where), text)


def _notice(visit: Visit, saved: Version) -> str:
    words = {
        "draft": visit.gettext("The draft was saved."),
        "submitted": visit.gettext("Submitted. The operator approves it before it can be sent."),
        "approved": visit.gettext("Nothing has changed: this version is approved."),
        "published": visit.gettext("This version is published and can be sent."),
    }
    return words.get(saved.state.value, "")


PAGES = [
    Page("/forms/new", get=show_new, post=act_new, needs=Right.BUILD),
    Page("/forms/{formId}", get=show, post=act, post_needs=Right.BUILD),
    Page("/forms/{formId}/answers.csv", get=answers_file),
]
