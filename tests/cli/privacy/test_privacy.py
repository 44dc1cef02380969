"""`tidings privacy`: find, export, erase."""

from tests.support import persons
from tests.support.commands import commands
from tests.support.persons import NAME, PERSON
from tests.support.service import TestAccount, TestService


def test_a_person_is_found_exported_and_erased(service: TestService, account: TestAccount) -> None:
    [row] = service.sql("SELECT name FROM accounts WHERE id = $1", account.id)
    tidings, name = commands(service), row["name"]
    account.send(clientMessageId="hello-0001", to=PERSON, templateName="hello",
                 templateParams=[NAME])  # fmt: skip
    persons.schedule(account)
    kept = tidings("privacy", "find", name, PERSON, "--json").json()["kept"]
    assert {one["kind"]: one["count"] for one in kept}["messages"] == 2
    assert "messages" in tidings("privacy", "find", name, PERSON).good()
    whole = tidings("privacy", "export", name, f"00{PERSON}").json()
    assert NAME in str(whole["messages"])
    erased = tidings("privacy", "erase", name, PERSON, "--json").json()
    assert (erased["messages"], erased["cancelled"], erased["complete"]) == (2, 1, True)
    assert persons.places_of(account, PERSON) == set()
    assert "Nothing is kept" in tidings("privacy", "find", name, PERSON).out
    assert "0 messages" in tidings("privacy", "erase", name, PERSON).out
    refused = tidings("privacy", "find", name, "12")
    assert refused.code == 1 and "NUMBER is 8 to 20 digits" in refused.err
