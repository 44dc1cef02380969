"""`tidings jobs`: dead-lettered jobs, which crashed their workers too often."""

from tidings import times
from tidings.cli.actor import command_actor
from tidings.cli.database import transact
from tidings.cli.output import print_json, print_table, say
from tidings.engine.db.tx import Tx
from tidings.engine.queue.dead_letters import DeadJob, load_dead
from tidings.features.accounts.search import load_names
from tidings.features.operation.parked import discard_job, retry_job

SHOWN_MAX = 1000


def list_jobs(*, as_json: bool) -> None:
    async def work(tx: Tx) -> list[dict[str, object]]:
        found = await load_dead(tx, size=SHOWN_MAX)
        names = await load_names(tx, {job.account_id for job in found})
        return [_present(job, names.get(job.account_id)) for job in found]

    shown = transact(work)
    if as_json:
        print_json({"jobs": shown})
        return
    headings = ("id", "account", "kind", "about", "crashes>", "parked")
    print_table(headings, (list(one.values()) for one in shown), none="No jobs are parked.")


def retry(job_id: int) -> None:
    job = transact(lambda tx: retry_job(tx, command_actor(), job_id))
    say(f"Job {job.id} ({job.kind}) runs again.")


def discard(job_id: int) -> None:
    job = transact(lambda tx: discard_job(tx, command_actor(), job_id))
    say(f"Job {job.id} ({job.kind}) was discarded.")


def _present(job: DeadJob, account: str | None) -> dict[str, object]:
    return {
        "id": job.id,
        "account": account,
        "kind": job.kind,
        "subject": job.subject,
        "crashes": job.crashes,
        "deadLetteredAt": times.to_wire(job.dead_lettered_at),
    }
