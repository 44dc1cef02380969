"""The file of `tidings apply`: what it may say."""

from datetime import UTC, datetime, time

from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from tests.support.accounts import LIVE, MINIMAL, errors_of, read
from tidings.account_file.format import AccountEntry
from tidings.account_file.tables import Diagnostics, Invalid, read_table
from tidings.features.accounts.model import PartnerTerms, SendWindow
from tidings.features.templates.model import TemplateButton

CONTRACT = """
[[accounts]]
name = "acme"
environment = "sandbox"
replies = "guest"
active = true
apiKey = "td_sandbox_0123456789"
signingSecret = "whsec_0123456789"
webhookUrl = "https://hooks.example.com/tidings"
requestsPerMinute = 600
dailyLimit = 100000
defaultTemplate = "invite"
otpTemplate = "code"
resendUnknown = false
resendWhenRecovered = true
readerPrecision = 0.95
secondOpinion = true
keepReadings = true
allowlist = ["972501234567"]
sendWindow = { from = "08:00", to = "21:00", timezone = "Asia/Jerusalem" }
paused = false
billingMode = "ENFORCED"
belongsTo = "partner-account-name"
[accounts.subscription]
package = "Gold"
billingType = "PACKAGE"
unique = 1000
followup = 500
startsAt = "2026-01-01T00:00:00Z"
endsAt = 2027-01-01T00:00:00+02:00
currency = "ILS"
vatPct = 17.5
pricePerUnique = "0.20"
pricePerFollowup = "0.10"
monthlyPrice = "500.00"
creditLimit = "200.00"
[[accounts.numbers]]
number = "972555000001"
displayName = "Acme"
phoneNumberId = "1055"
wabaId = "2077"
portfolioId = "31"
accessToken = "env:ACME_TOKEN"
perSecond = 80
dailyLimit = 10000
[[accounts.templates]]
name = "invite"
language = "en"
category = "UTILITY"
status = "APPROVED"
header = "IMAGE"
body = "Hi {{1}}, join us on {{2}}"
buttons = [ { type = "QUICK_REPLY", text = "Yes" },
            { type = "URL", text = "Open", url = "http://127.0.0.1:8080/r/{{1}}" } ]
[[accounts.templates]]
name = "code"
category = "AUTHENTICATION"
[[accounts.forms]]
id = "visit"
title = "Your visit"
published = true
approved = true
questions = [ { id = "q1", type = "rating", text = "How was it?" },
              { id = "q2", type = "single", text = "Which?", options = ["a", "b"] },
              { id = "q3", type = "multi", text = "Which?", options = ["a", "b"] },
              { id = "q4", type = "comment", text = "Anything else?" } ]
[[accounts.invoices]]
number = "2026-0001"
kind = "USAGE"
lines = [ { description = "Messages", quantity = 10, unitPrice = "1.00" } ]
issuedAt = "2026-01-01T00:00:00Z"
dueAt = "2026-02-01T00:00:00Z"
status = "OPEN"
[[accounts]]
name = "partner-account-name"
environment = "sandbox"
partner = { ratePerMessage = "0.05", creditLimit = "1000.00", currency = "ILS", expiresAt = "2027-01-01T00:00:00Z" }
"""  # noqa: E501


def test_the_contracts_own_file_is_read_whole() -> None:
    declaration = read(CONTRACT, {"ACME_TOKEN": "EAAG"})
    acme, partner = declaration.accounts
    assert declaration.warnings == []
    assert acme.account.allowlist == frozenset({"972501234567"})
    assert acme.account.send_window == SendWindow(time(8), time(21), "Asia/Jerusalem")
    assert acme.account.belongs_to == "partner-account-name"
    assert acme.numbers[0].access_token == "EAAG"
    ends = datetime(2027, 1, 1, tzinfo=UTC)
    assert partner.account.partner == PartnerTerms("0.05", "1000.00", "ILS", ends)


def test_how_replies_are_read_is_the_accounts_own() -> None:
    account = read(CONTRACT, {"ACME_TOKEN": "EAAG"}).accounts[0].account
    assert (account.reader_precision, account.second_opinion, account.keep_readings) == (
        0.95, True, True,
    )  # fmt: skip
    account = read(MINIMAL).accounts[0].account
    assert (account.reader_precision, account.second_opinion, account.keep_readings) == (
        0.99, False, False,
    )  # fmt: skip
    for wrong in ("1", "0.89", "true", "'0.95'", "nan"):
        [refused] = errors_of(MINIMAL + f"readerPrecision = {wrong}")
        assert "readerPrecision must be a number from 0.9 to 0.999, not" in refused


def test_sections_of_later_features_are_kept_as_the_file_has_them() -> None:
    declared = read(CONTRACT, {"ACME_TOKEN": "EAAG"}).accounts[0].account.declared
    assert sorted(declared) == ["forms", "invoices", "subscription"]
    assert declared["subscription"]["vatPct"] == "17.5"
    assert declared["subscription"]["endsAt"] == "2026-12-31T22:00:00Z"
    assert declared["forms"][0]["questions"][1]["options"] == ["a", "b"]
    assert declared["invoices"][0]["lines"][0]["unitPrice"] == "1.00"


def test_templates_count_their_variables_in_order() -> None:
    invite, code = read(CONTRACT, {"ACME_TOKEN": "x"}).accounts[0].templates
    assert invite.variables == 3
    assert invite.usable
    assert code.buttons == (TemplateButton("COPY_CODE", "Copy code"),)
    assert code.variables == 1


def test_an_account_needs_only_a_name_and_an_environment() -> None:
    declared = read(MINIMAL).accounts[0]
    assert declared.account.requests_per_minute == 600
    assert declared.account.allowlist is None
    assert (declared.numbers, declared.templates) == ([], [])


def test_a_window_may_cross_midnight() -> None:
    window = 'sendWindow = { from = "21:00", to = "06:00", timezone = "UTC" }'
    assert read(MINIMAL + window).accounts[0].account.send_window.closes == time(6)


def test_private_webhooks_are_taken_where_the_setting_allows_them() -> None:
    text = MINIMAL + "webhookUrl = 'http://127.0.0.1:9000/hook'"
    declared = read(text, allow_private=True).accounts[0]
    assert declared.account.webhook_url == "http://127.0.0.1:9000/hook"
    assert "TIDINGS_ALLOW_PRIVATE_WEBHOOKS" in errors_of(text)[0]


def test_what_is_only_suspicious_is_a_warning() -> None:
    text = LIVE + "apiKey = 'td_live_1'\n[[accounts.templates]]\nname = 't'\nbody = 'x'\n"
    declaration = read(text)
    assert declaration.accounts[0].templates is None
    assert [warning.split(" ")[0] for warning in declaration.warnings] == [
        "accounts[0].apiKey",
        "accounts[0].templates",
    ]


NAMES = sorted(
    {field.encode_name for field in structs.fields(AccountEntry)} | {"type", "from", "x"}
)
LEAVES = (
    st.text(max_size=8)
    | st.integers()
    | st.booleans()
    | st.decimals(allow_nan=True)
    | st.datetimes()
    | st.dates()
    | st.times()
)
TABLES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(NAMES), TABLES))
def test_any_toml_is_read_or_its_errors_are_reported(table) -> None:
    found = Diagnostics()
    try:
        read_table(AccountEntry, table, "accounts[0]", found)
    except Invalid:
        assert found.errors
    else:
        assert found.errors == []
