"""`make bench`: what one core of Tidings does, beside a bare app on the same server, in one run.

python -m bench [--json] [--seconds S] [--rounds N] [--only SECTION]
"""

import argparse
import json
from typing import Any

import uvloop
from rich.console import Console
from rich.table import Table

from bench import batches, callbacks, deliveries, hostile, inside, neighbours, pages, sends, sheets
from bench.load import summary
from bench.stage import free_port, leave_the_servers_core, stage

SECTIONS = ("webhooks", "sends", "batches", "callbacks", "neighbours", "hostile", "pages", "sheets")


def run(seconds: float, rounds: int, only: str | None = None) -> dict[str, Any]:
    wanted = (only,) if only else SECTIONS
    found: dict[str, Any] = {}
    leave_the_servers_core()
    if "webhooks" in wanted:
        found["webhooks"] = deliveries.measure(rounds, free_port())
    if "pages" in wanted:
        found["pages"] = pages.measure()
    if "sheets" in wanted:
        found["sheets"] = sheets.measure(rounds)
    if only in ("webhooks", "pages", "sheets"):
        return found
    accounts = (sends.ACCOUNT, batches.ACCOUNT, callbacks.ACCOUNT, neighbours.ACCOUNT)
    with stage("".join(accounts)) as on:
        single, queue, _, neighbour = on.keys
        if "sends" in wanted:
            found |= sends.measure(on, single, seconds, rounds)
            found["grouped"] = inside.grouped_accepts(on.env, single, rounds)
        if "batches" in wanted:
            found |= batches.measure(on.port, queue)
        if "callbacks" in wanted:
            loads = uvloop.run(callbacks.measure(on.port, on.env, on.ids[2], seconds, rounds))
            found["callbacks"] = summary(loads, (200,))
        if "neighbours" in wanted:
            found["neighbours"] = neighbours.measure(on, single, neighbour, seconds, rounds)
        if "hostile" in wanted:
            found["hostile"] = hostile.measure(on.port, queue)
    return found


def show(found: dict[str, Any]) -> None:
    table = Table("what", "a second", "p50 ms", "p99 ms", title="One core, medians of all rounds")
    targets: list[str] = []
    if "bare" in found:
        _show_sends(found, table, targets)
    if "bulk" in found:
        _show_batches(found, table, targets)
    if "callbacks" in found:
        figures = found["callbacks"]
        words = f"statuses called back at a steady {callbacks.RATE:,} a second"
        table.add_row(
            words, f"{figures['perSecond']:,}", str(figures["p50ms"]), str(figures["p99ms"])
        )
        targets.append(f"callbacks, median answer: {figures['p50ms']} ms  (target 50)")
    if "webhooks" in found:
        _show_webhooks(found["webhooks"], table, targets)
    if "neighbours" in found:
        _show_neighbours(found["neighbours"], table, targets)
    if "hostile" in found:
        name, worst = max(found["hostile"].items(), key=lambda entry: entry[1])
        words = f"longest wait of others during a hostile body of 20 MB: {worst} ms ({name})"
        targets.append(f"{words}  (target 50)")
    console = Console()
    if table.row_count:
        console.print(table)
    if "pages" in found:
        _show_pages(found["pages"], console)
    if "sheets" in found:
        _show_sheets(found["sheets"], console, targets)
    for target in targets:
        console.print(target)


def _show_sends(found: dict[str, Any], table: Table, targets: list[str]) -> None:
    names = {
        "bare": "bare hello-world ASGI app, 64 connections",
        "single": "single sends, durable, 64 connections",
        "withReceipts": "the same, receipts played meanwhile",
        "alone": "single sends, one at a time",
    }
    for name, words in names.items():
        row = found[name]
        table.add_row(words, f"{row['perSecond']:,}", str(row["p50ms"]), str(row["p99ms"]))
    table.add_row("accepts in groups of 1,000 through the lane", f"{found['grouped']:,}", "", "")
    targets.append(f"single sends / bare app: {found['ratio']}  (target 0.20)")
    targets.append(f"grouped accepts a second: {found['grouped']:,}  (target 15,000)")


def _show_batches(found: dict[str, Any], table: Table, targets: list[str]) -> None:
    bulk, idle, busy = found["bulk"], found["passcodeIdle"], found["passcodeBusy"]
    table.add_row("a batch of 1,000 over HTTP", "", str(bulk["p50ms"]), f"p95 {bulk['p95ms']}")
    table.add_row("a passcode, idle", "", str(idle["p50ms"]), str(idle["p99ms"]))
    table.add_row(
        "a passcode while 100,000 messages wait", "", str(busy["p50ms"]), str(busy["p99ms"])
    )
    targets.append(f"a batch of 1,000, p95: {bulk['p95ms']} ms  (target 150)")
    targets.append(f"passcode p99, waiting / idle: {found['passcodeRatio']}  (target 2.0)")


def _show_neighbours(found: dict[str, Any], table: Table, targets: list[str]) -> None:
    for name, words in (
        ("alone", "a tenant's single sends, one at a time, alone"),
        ("beside", f"the same beside {neighbours.CONNECTIONS} pipelining connections of another"),
    ):
        row = found[name]
        table.add_row(words, f"{row['perSecond']:,}", str(row["p50ms"]), str(row["p99ms"]))
    targets.append(f"a tenant's p99, beside another's crowd / alone: {found['ratio']}")


def _show_webhooks(found: dict[str, Any], table: Table, targets: list[str]) -> None:
    table.add_row("bare aiohttp client, 32 posts at once", f"{found['barePosts']:,}", "", "")
    table.add_row("webhooks delivered and recorded", f"{found['deliveries']:,}", "", "")
    alone, beside = found["webhooksAlone"], found["webhooksBesideBlackHole"]
    table.add_row("a webhook's first post, recorded", "", str(alone["p50ms"]), str(alone["p99ms"]))
    table.add_row(
        "the same beside 10,000 to a black hole", "", str(beside["p50ms"]), str(beside["p99ms"])
    )
    targets.append(f"webhooks / bare client's posts: {found['deliveriesRatio']}  (target 0.50)")
    targets.append(f"webhook p99, black hole / alone: {found['blackHoleRatio']}  (target 2.0)")


def _show_pages(found: dict[str, Any], console: Console) -> None:
    heads = ("page", "demo ms", "p95", "first", "processor")
    heads += ("a million ms", "p95", "first", "processor", "")
    table = Table(*heads, title="Pages of the portal, one at a time")
    for path, demo in found["demo"].items():
        large = found["million"][path]
        slow = pages.processor_ms(demo) > pages.DEMO_MS
        slow = slow or pages.processor_ms(large) > pages.MILLION_MS
        status = "" if demo["status"] == large["status"] == 200 else f"status {large['status']}"
        table.add_row(path, *_cells(demo), *_cells(large), "too slow" if slow else status)
    for path, row in found["lists"].items():
        slow = pages.processor_ms(row) > pages.LIST_MS
        table.add_row(f"GET {path}", "", "", "", "", *_cells(row), "too slow" if slow else "")
    console.print(table)
    console.print(
        f"targets: pages {pages.DEMO_MS} ms with the demo's data, {pages.MILLION_MS} ms with a "
        f"million messages; first pages of lists {pages.LIST_MS} ms. Processor: of the service and "
        "of the database, the least of all rounds; it decides what is too slow"
    )


def _show_sheets(found: dict[str, Any], console: Console, targets: list[str]) -> None:
    table = Table("step", "ms", "service", "database", title="A CSV file of 10,000 rows")
    for step, row in found.items():
        table.add_row(step, str(row["ms"]), str(row["serviceMs"]), str(row["databaseMs"]))
    console.print(table)
    passed = sheets.checked_ms(found, "ms")
    targets.append(f"10,000 rows uploaded and checked: {passed} ms  (target {sheets.TARGET_MS})")


def _cells(row: dict[str, float]) -> tuple[str, str, str, str]:
    times = str(row["p50ms"]), str(row["p95ms"]), str(row["firstMs"])
    return *times, f"{row['serviceMs']} + {row['databaseMs']}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="make bench")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=SECTIONS)
    options = parser.parse_args()
    result = run(options.seconds, options.rounds, options.only)
    print(json.dumps(result, indent=2)) if options.json else show(result)
