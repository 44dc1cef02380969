"""`tidings forms submitted|approve|return`: an operator decides on forms."""

from tidings import times
from tidings.cli.actor import command_actor
from tidings.cli.database import transact, transact_for
from tidings.cli.output import Refused, print_json, print_table, say
from tidings.features.feedback.forms import edit, lookup, names


def list_submitted(*, as_json: bool) -> None:
    found = transact(lookup.load_submitted)
    rows = [
        {
            "account": one.account.name,
            "version": names.version_id(one.version.form_id, one.version.version),
            "submittedAt": times.to_wire(one.submitted_at),
            "title": one.version.form.title,
        }
        for one in found
    ]
    if as_json:
        print_json({"forms": rows})
    else:
        headings = ("account", "version", "submitted", "title")
        print_table(headings, (tuple(row.values()) for row in rows), none="No form waits.")


def approve_form(account: str, version: str) -> None:
    form_id, number = _split(version)
    actor = command_actor()
    approved = transact_for(
        account, lambda tx, owner: edit.approve(tx, owner, actor, form_id, number)
    )
    say(f"{version}: {approved.state.value}")


def send_form_back(account: str, version: str, reason: str) -> None:
    form_id, number = _split(version)
    actor = command_actor()
    transact_for(
        account, lambda tx, owner: edit.send_back(tx, owner, actor, form_id, number, reason)
    )
    say(f"{version}: sent back")


def _split(version: str) -> tuple[str, int]:
    form_id, number = names.split(version)
    if number is None:
        raise Refused(f'VERSION names a form and its version, such as visit@2, not "{version}".')
    return form_id, number
