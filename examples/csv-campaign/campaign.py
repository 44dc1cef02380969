"""Send a template to everybody in a CSV file: first a dry run, then the batches, then the results.

    python campaign.py guests.csv spring-2027          # what would happen; sends nothing
    python campaign.py guests.csv spring-2027 --send   # sends, waits, writes guests.results.csv

The file has a column `to` (international digits) and one for each variable of the template. The id
of a message is the campaign's name and the number, so that a second run sends nothing twice.
"""

import argparse
import csv
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tidings_client import Tidings

BATCH_MAX = 1000
POLL_SECONDS = 2


def main() -> None:
    asked = read_arguments()
    with asked.file.open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    if not rows or "to" not in rows[0]:
        raise SystemExit(f"{asked.file} has no rows, or no column named `to`")
    for line, row in enumerate(rows, 2):
        if None in row or None in row.values():  # how csv shows what is too much or missing
            raise SystemExit(f"row {line} has other columns than the first line")
    with Tidings() as tidings:  # TIDINGS_API_KEY and TIDINGS_URL
        if not asked.send:
            for number, messages in enumerate(batches(rows, asked), 1):
                report(number, tidings.messages.preview_bulk(messages=messages))
            return
        results: dict[str, str] = {}
        for messages in batches(rows, asked):
            results |= send(tidings, messages, asked.campaign)
    write_results(asked.file, rows, results, asked.campaign)
    print(", ".join(f"{count} {status}" for status, count in Counter(results.values()).items()))


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Send a template to everybody in a CSV file.")
    parser.add_argument("file", type=Path)
    parser.add_argument("campaign", help="its name, 4 to 64 characters")
    parser.add_argument("--template", default="hello")
    parser.add_argument("--send", action="store_true", help="without it: a dry run")
    return parser.parse_args()


def batches(rows: list[dict[str, str]], asked: argparse.Namespace) -> Iterator[list[dict]]:
    messages = [
        {
            "client_message_id": message_id(asked.campaign, row),
            "to": row["to"],
            "template_name": asked.template,
            "template_params": [text for column, text in row.items() if column != "to"],
        }
        for row in rows
    ]
    for start in range(0, len(messages), BATCH_MAX):
        yield messages[start : start + BATCH_MAX]


def message_id(campaign: str, row: dict[str, str]) -> str:
    return f"{campaign}-{row['to']}"


def report(number: int, planned) -> None:
    end = planned.estimated_completion_at  # None: something must be done first
    print(
        f"batch {number}: {len(planned.accepted)} would be sent,",
        f"{planned.cost.unique} to new people;",
        f"done by {end:%d %B %Y %H:%M %Z}" if end else "when is not known",
    )
    for held in planned.held:
        print(f"  {held.client_message_id} waits: {held.reason}")
    for rejected in planned.rejected:
        print(f"  row {rejected.index + 2 + (number - 1) * BATCH_MAX}: {rejected.message}")


def send(tidings: Tidings, messages: list[dict], campaign: str) -> dict[str, str]:
    """Send one batch and wait until all of it has left; the status of each id."""
    answer = tidings.messages.send_bulk(messages=messages, batch_name=campaign)
    results = {one.client_message_id: one.code for one in answer.rejected}
    while (batch := tidings.batches.get(answer.batch_id)).state == "running":
        print(f"{batch.percent}% of {batch.accepted} have left")
        time.sleep(POLL_SECONDS)
    for message in tidings.messages.list(batch_id=answer.batch_id):
        results[message.client_message_id] = message.status
    for one in answer.duplicates:  # sent by an earlier run
        results[one.client_message_id] = tidings.messages.get(one.client_message_id).status
    return results


def write_results(
    file: Path, rows: list[dict[str, str]], results: dict[str, str], campaign: str
) -> None:
    with file.with_suffix(".results.csv").open("w", newline="", encoding="utf-8") as output:
        writer = csv.DictWriter(output, [*rows[0], "status"])
        writer.writeheader()
        for row in rows:
            writer.writerow(row | {"status": results.get(message_id(campaign, row), "")})


if __name__ == "__main__":
    main()
