"""`tidings people`: links go to stdout, everything else is said on stderr."""

from uuid import UUID

from tidings import limits
from tidings.cli.database import load_account, transact
from tidings.cli.output import Refused, print_json, print_table, remark, say
from tidings.cli.runner import load_settings
from tidings.engine.db.tx import Tx
from tidings.features.accounts.organisations import load_organisation
from tidings.features.audit.record import Actor
from tidings.features.people import directory
from tidings.features.people.directory import Listed
from tidings.features.people.roles import Role
from tidings.features.people.welcome import invite_member, invite_operator, link_of, offer_reset
from tidings.wording import counted

ROLES = ", ".join(role.value for role in Role)


def invite(email: str, *, account: str | None, role: str | None, operator: bool) -> None:
    if operator == (account is not None or role is not None):
        raise Refused("Give either --account and --role, or --operator.")
    if not operator and (account is None or role not in list(Role)):
        raise Refused(f"Give --account NAME and --role, one of {ROLES}.")

    async def work(tx: Tx) -> str:
        actor = Actor("command", "tidings people invite")
        if operator:
            return await invite_operator(tx, email, actor)
        seen_first = (await load_account(tx, str(account))).id
        organisation_id = await _organisation(tx, str(account))
        return await invite_member(tx, organisation_id, email, Role(str(role)), actor, seen_first)

    _print_link(transact(work))
    remark(f"Good once, for {counted(limits.WELCOME_VALIDITY.days, 'day')}. Hand it to {email}.")


def list_people(account: str | None, *, as_json: bool) -> None:
    async def work(tx: Tx) -> list[Listed]:
        organisation_id = None if account is None else await _organisation(tx, account)
        return await directory.load_everybody(tx, organisation_id)

    found = transact(work)
    if as_json:
        print_json({"people": [_present(one) for one in found]})
        return
    headings = ("email", "operator", "second factor", "organisations")
    rows = [
        (
            one.email,
            "yes" if one.is_operator else "",
            "on" if one.has_second_factor else "",
            ", ".join(f"{name} ({role.value})" for name, role in one.organisations),
        )
        for one in found
    ]
    print_table(headings, rows, none="Nobody yet. tidings people invite prints a link.")


def remove(email: str, account: str | None) -> None:
    async def work(tx: Tx) -> None:
        actor = Actor("command", "tidings people remove")
        organisation_id = None if account is None else await _organisation(tx, account)
        await directory.remove(tx, email, organisation_id, actor)

    transact(work)
    remark(f"{email} is removed{'' if account is None else f' from the people of {account}'}.")


def reset(email: str, *, second_factor: bool) -> None:
    async def work(tx: Tx) -> str:
        actor = Actor("command", "tidings people reset")
        token = await offer_reset(tx, email, actor)
        if second_factor:
            await directory.drop_second_factor(tx, email, actor)
        return token

    _print_link(transact(work))
    remark(f"Good once, for {counted(limits.WELCOME_VALIDITY.days, 'day')}. Hand it to {email}.")


async def _organisation(tx: Tx, account: str) -> UUID:
    return (await load_organisation(tx, (await load_account(tx, account)).id)).id


def _print_link(token: str) -> None:
    say(link_of(load_settings().public_url, token))


def _present(one: Listed) -> dict[str, object]:
    return {
        "email": one.email,
        "operator": one.is_operator,
        "secondFactor": one.has_second_factor,
        "organisations": [
            {"organisation": name, "role": role.value} for name, role in one.organisations
        ],
    }
