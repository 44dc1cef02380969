"""What `make bench` prints: the figures of each section, then the bars."""

from typing import Any

from rich.console import Console
from rich.table import Table

from bench import callbacks, neighbours, pages, sheets
from bench.bars import Row


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
        words = f"longest wait of others during a hostile body of 18 MB: {worst} ms ({name})"
        targets.append(f"{words}  (target 50)")
    console = Console()
    if table.row_count:
        console.print(table)
    if "pages" in found:
        _show_pages(found["pages"], console)
    if "sheets" in found:
        _show_sheets(found["sheets"], console, targets)
    if "loops" in found:
        _show_loops(found["loops"], console)
    if "vacuum" in found:
        _show_vacuum(found["vacuum"], console)
    for query, why in found.get("growth", {}).get("offending", {}).items():
        console.print(f"[red]{', '.join(why)}[/red]\n{query}", markup=True)
    for target in targets:
        console.print(target)


def _show_vacuum(figures: dict[str, Any], console: Console) -> None:
    columns = {
        "rows": "rows", "changes": "changed", "vacuums": "vacuums", "dead": "dead",
        "deadMost": "at most", "deadGrowth": "growth", "indexMb": "index MB",
        "indexBytesARow": "bytes a row", "indexGrowth": "growth",
    }  # fmt: skip
    title = f"{figures['minutes']:g} min at {figures['loops']:,} loops a second"
    table = Table("table", *columns.values(), title=title)
    for name, aging in figures["tables"].items():
        table.add_row(name, *(f"{aging[column]:,}" for column in columns))
    console.print(table)


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


def _show_loops(found: dict[str, Any], console: Console) -> None:
    heads = ("what", "loops a second", "p50 ms", "p99 ms", "service us", "PostgreSQL us")
    table = Table(*heads, title="Full loops, medians of all rounds")
    for name, row in found.items():
        if isinstance(row, dict) and "rounds" in row:
            cells = (row.get(key, "") for key in ("p50ms", "p99ms", "serviceUs", "postgresUs"))
            table.add_row(name, f"{row['loops']:,.0f}", *(str(cell) for cell in cells))
    console.print(table)


def show_bars(rows: list[Row]) -> None:
    table = Table("measure", "today", "at least", "goal", "met", title="What must be reached")
    for row in rows:
        style = "red" if row.met == "missed" else None
        table.add_row(row.measure, row.today, row.at_least, row.goal, row.met, style=style)
    if table.row_count:
        Console().print(table)
