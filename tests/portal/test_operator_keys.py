"""Keys and the signing secret of any account in the operator's hands, as `tidings keys` does it."""

from tests.portal.test_keys import new_key, press, works
from tests.support.operators import actors, audited, operator_of
from tests.support.portal import Seen, Visitor, signed_in, text_of
from tests.support.service import TestAccount, TestService
from tests.support.waiting import eventually


def page_of(visitor: Visitor, account: TestAccount) -> Seen:
    return visitor.get(f"/operator/accounts/{account.id}/keys")


def test_an_operator_creates_rotates_and_revokes_a_key(account: TestAccount) -> None:
    operator = operator_of(account.service)
    page = operator.get(f"/operator/accounts/{account.id}")
    page = operator.get(page.links()["Manage keys"])
    assert page.h1 == "API keys"
    key = new_key(operator.submit(page, "Create key", {"Name": "Web shop"}))
    eventually(lambda: works(account, key))
    page = page_of(operator, account)
    assert key not in page.response.text
    page = operator.submit(press(operator, page, "Web shop", "Rotate", overlap="0"), "Confirm")
    other = new_key(page)
    eventually(lambda: works(account, other) and not works(account, key))
    page = operator.submit(press(operator, page, "Web shop", "Revoke"), "Confirm")
    eventually(lambda: not works(account, other))
    assert "The key is revoked." in page.main
    assert account.service.sql(
        "SELECT action FROM audit_log WHERE account_id = $1 AND action LIKE 'key.%' ORDER BY id",
        account.id,
    ) == [{"action": "key.issued"}, {"action": "key.rotated"}, {"action": "key.revoked"}]


def test_an_operator_rotates_and_revokes_all_keys(service: TestService) -> None:
    account = service.account()
    operator = operator_of(service)
    page = operator.submit(page_of(operator, account), "Rotate all", raw={"overlap": "9"})
    assert page.status == 422 and "0 to 7" in page.errors[0]
    key = new_key(operator.submit(page_of(operator, account), "Rotate all"))
    eventually(lambda: works(account, key))
    asked = operator.submit(page_of(operator, account), "Revoke all")
    page = operator.submit(asked, "Confirm")
    assert "All keys are revoked." in page.main and "No key is valid" in page.main
    eventually(lambda: not works(account, key))
    [entry] = audited(service, "key.revoked", "all keys")[-1:]
    assert entry["details"] == {"keys": 2}


def test_an_operator_rotates_the_signing_secret(account: TestAccount) -> None:
    operator = operator_of(account.service)
    asked = operator.submit(page_of(operator, account), "Rotate secret")
    page = operator.submit(asked, "Confirm")
    secret = text_of(page.soup.select_one(".key-new pre"))
    assert secret.startswith("whsec_")
    page = page_of(operator, account)
    assert secret not in page.response.text
    assert "also signs until" in page.main
    edits = operator.get(f"/operator/accounts/{account.id}").main
    assert "signingSecret" in edits
    assert actors(account.service, "secret.rotated", "signing secret", account) == [
        ("person", True)
    ]


def test_nobody_else_has_the_page(account: TestAccount) -> None:
    owner, path = signed_in(account), f"/operator/accounts/{account.id}/keys"
    assert owner.get(path).status == 403
    assert owner.post(path, {"action": "revoke-all", "confirmed": "yes"}).status_code == 403
    operator = operator_of(account.service)
    assert operator.get("/operator/accounts/nothing/keys").status == 404
    assert operator.post(path, {"action": "other"}).status_code == 404
