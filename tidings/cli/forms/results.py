"""`tidings forms results`: the figures of a form, by the API that customers use."""

import asyncio
from typing import Any
from urllib.parse import quote

from tidings.cli import client
from tidings.cli.listing import csv_cell
from tidings.cli.output import print_json, print_table, say, visible, write_data
from tidings.cli.runner import reported_errors
from tidings.spreadsheets import csv_text

HEAD = ("questionId", "question", "type", "value", "count", "at")


def print_results(form_id: str, *, key: str | None, url: str, as_json: bool, as_csv: bool) -> None:
    with reported_errors():
        found = asyncio.run(_load(form_id, key, url))
    rows = [row for question in found["questions"] for row in _rows(question)]
    if as_json:
        print_json(found)
    elif as_csv:
        write_data(csv_text([HEAD, *([csv_cell(value) for value in row] for row in rows)]))
    else:
        say(visible(f"{form_id}: {found['answered']} of {found['sent']} answered"))
        shown = ((row[0], row[3], row[4], row[5]) for row in rows)
        print_table(("question", "answer", "count>", "at"), shown, none="No answers.")


async def _load(form_id: str, key: str | None, url: str) -> dict[str, Any]:
    async with client.session(url, key) as session:
        return await client.read_data(session.get(f"forms/{quote(form_id, safe='')}/results"))


def _rows(question: dict[str, Any]) -> list[tuple[object, ...]]:
    """One for each choice, the average and each comment."""
    named = (question["questionId"], question["question"], question["type"])
    rows = [(*named, value, count, None) for value, count in question.get("counts", {}).items()]
    if question.get("average") is not None:
        rows.append((*named, "average", question["average"], None))
    comments = question.get("comments", ())
    return [*rows, *((*named, one["text"], None, one["at"]) for one in comments)]
