"""The file of `tidings apply`: a bad one is refused by path, rule and fix."""

import re

import pytest

from tests.support.accounts import LIVE, MINIMAL, ONE_NUMBER, TEMPLATE, errors_of


def test_all_errors_are_reported_at_once_also_those_of_other_accounts() -> None:
    text = (
        '[[accounts]]\nname = "a"\nenvironment = "moon"\nactve = true\npaused = 1\n'
        '[[accounts]]\nname = "b"\nenvironment = "live"\napiKey = "td_sandbox_1"\n'
        '[[accounts.numbers]]\nnumber = "12"\nperSecond = 0\n'
        '[[accounts]]\nname = "c"\nenvironment = "live"\nwebhookUrl = "http://10.0.0.1"\n'
    )
    paths = [error.split(" ")[0] for error in errors_of(text)]
    assert paths == [
        "accounts[0].actve",
        "accounts[0].environment",
        "accounts[0].paused",
        "accounts[1].numbers[0].number",
        "accounts[1].numbers[0].perSecond",
        "accounts[2].webhookUrl",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "accounts is missing"),
        ("accounts = []", "accounts is missing"),
        ("accounts = 3", "accounts is missing"),
        ("[[accounts]\n", "the file is not TOML: .*line 1"),
        ("[[acounts]]\nname = 'a'", "acounts is not a known field; did you mean accounts?"),
        ("accounts = [3]", r"accounts\[0\] must be a table, not 3"),
        ("[[accounts]]\nname = 'a'\n", r"accounts\[0\].environment is required"),
        (MINIMAL + "apikey = 'x'", r"accounts\[0\].apikey is not a known field; .*mean apiKey"),
        (MINIMAL + "zzz = 1", r"accounts\[0\].zzz is not a known field; known are name, env"),
        (MINIMAL + "replies = 'both'", r'replies must be "guest" or "raw", not "both"'),
        (MINIMAL + "active = 'yes'", r'active must be true or false, not "yes"'),
        (MINIMAL + "requestsPerMinute = 0", "requestsPerMinute must be a whole number, 1 or more"),
        (MINIMAL + "requestsPerMinute = true", "requestsPerMinute must be .* not true"),
        (MINIMAL + "requestsPerMinute = 1.5", "requestsPerMinute must be .* not 1.5"),
        (MINIMAL + "dailyLimit = -1", "dailyLimit must be a whole number, 0 or more, not -1"),
        (MINIMAL + "dailyLimit = 3000000000", "dailyLimit must be a whole number"),
        (MINIMAL + "allowlist = ['+972501234567']", r"allowlist\[0\] must be 8 to 20 digits"),
        (MINIMAL + "allowlist = '972501234567'", "allowlist must be a list"),
        (MINIMAL + "apiKey = 'secret1'", "apiKey must be td_sandbox_… or td_live_…, .* spaces$"),
        (MINIMAL + "apiKey = 'td_live_1'", "apiKey must start with td_sandbox_"),
        (MINIMAL + "apiKey = 'td_sandbox_a b'", "apiKey must be td_sandbox_… .* spaces$"),
        (MINIMAL + "signingSecret = 'abc'", "signingSecret must be whsec_…, .* spaces$"),
        (MINIMAL + "billingMode = 'FREE'", 'billingMode must be "ENFORCED" or "REPORT_ONLY" or'),
        (MINIMAL + "webhookUrl = 'http://a.example.com'", "webhookUrl must be https"),
        (MINIMAL + "webhookUrl = 'https://localhost/x'", "webhookUrl must be on a public host"),
        (
            MINIMAL + "sendWindow = { from = '8:00', to = '21:00', timezone = 'UTC' }",
            r'sendWindow.from must be a time of day such as "08:00", not "8:00"',
        ),
        (
            MINIMAL + "sendWindow = { from = '08:00', to = '24:00', timezone = 'UTC' }",
            "sendWindow.to must be a time of day",
        ),
        (
            MINIMAL + "sendWindow = { from = '08:00', to = '08:00', timezone = 'UTC' }",
            "sendWindow.to must differ from from",
        ),
        (
            MINIMAL + "sendWindow = { from = '08:00', to = '09:00', timezone = 'Mars/Base' }",
            'sendWindow.timezone must be a time zone .* not "Mars/Base"',
        ),
        (
            MINIMAL + "sendWindow = { from = '08:00', to = '09:00', timezone = '../etc' }",
            "sendWindow.timezone must be a time zone",
        ),
        (MINIMAL + "sendWindow = { from = '08:00' }", "sendWindow.to is required"),
        (MINIMAL + "partner = { ratePerMessage = '0.05' }", "partner.creditLimit is required"),
        (
            MINIMAL + "partner = { ratePerMessage = 0.05, creditLimit = '1' }",
            r"partner.ratePerMessage must be a price .* not 0.05 \(amounts are written in quotes\)",
        ),
        (
            MINIMAL + "partner = { ratePerMessage = '0.0000001', creditLimit = '1' }",
            r"ratePerMessage must be .* \(has more than 6 decimal places\)",
        ),
        (
            MINIMAL + "partner = { ratePerMessage = '1', creditLimit = '1.001' }",
            r"creditLimit must be .* \(has more than 2 decimal places\)",
        ),
        (
            MINIMAL + "partner = { ratePerMessage = '1', creditLimit = '-1' }",
            r"creditLimit must be an amount .* \(is below zero\)",
        ),
        (
            MINIMAL
            + "partner = { ratePerMessage = '1', creditLimit = '1', expiresAt = '2027-01-01' }",
            r"partner.expiresAt must be an RFC 3339 time .* \(it is a date without a time",
        ),
        (
            MINIMAL
            + "partner={ratePerMessage='1', creditLimit='1', expiresAt=2027-01-01T00:00:00}",
            r"partner.expiresAt must be an RFC 3339 time .* \(it has no UTC offset\)",
        ),
        (
            MINIMAL + "partner = { ratePerMessage = '1', creditLimit = '1', currency = 'shekel' }",
            "partner.currency must be a currency code",
        ),
        (
            MINIMAL + "belongsTo = 'p'\npartner = { ratePerMessage = '1', creditLimit = '1' }",
            "belongsTo cannot go with partner",
        ),
        (
            MINIMAL
            + "belongsTo = 'p'\n[[accounts]]\nname = 'p'\nenvironment = 'live'\n"
            + "partner = { ratePerMessage = '1', creditLimit = '1' }",
            'belongsTo names "p", which is live',
        ),
        (MINIMAL + MINIMAL, r'accounts\[1\].name repeats "a", which accounts\[0\] has'),
        (
            MINIMAL
            + "apiKey = 'td_sandbox_1'\n"
            + MINIMAL.replace('"a"', '"b"')
            + "apiKey = 'td_sandbox_1'",
            r"accounts\[1\].apiKey repeats, which accounts\[0\] has",
        ),
        (
            MINIMAL + "[accounts.subscription]\npackage = 'x'\nbillingType = 'YEARLY'",
            'subscription.billingType must be "PACKAGE" or "MONTHLY" or "USAGE"',
        ),
        (
            MINIMAL
            + "[accounts.subscription]\npackage = 'x'\nbillingType = 'PACKAGE'\nvatPct = 101",
            "subscription.vatPct must be a percentage from 0 to 100",
        ),
        (
            MINIMAL
            + "[accounts.subscription]\npackage = 'x'\nbillingType = 'PACKAGE'\n"
            + "startsAt = '2027-01-01T00:00:00Z'\nendsAt = '2026-01-01T00:00:00Z'",
            "subscription.endsAt must be after startsAt",
        ),
    ],
)
def test_a_bad_account_is_refused_by_path_rule_and_fix(text: str, expected: str) -> None:
    assert re.search(expected, "\n".join(errors_of(text)), re.MULTILINE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (ONE_NUMBER + "perSecond = 0", r"numbers\[0\].perSecond must be a whole number, from 1 to"),
        (ONE_NUMBER + "[[accounts.numbers]]\nnumber = '97255500001'", 'numbers name "9725550000'),
        (
            ONE_NUMBER + "accessToken = 'env:NOT_SET'",
            r"numbers\[0\].accessToken asks for the variable NOT_SET, which is not set",
        ),
        (
            LIVE + "[[accounts.numbers]]\nnumber = '97255500001'\nphoneNumberId = '1'",
            r"numbers\[0\].wabaId is required for a live account",
        ),
        (
            ONE_NUMBER
            + "phoneNumberId = '1'\n"
            + ONE_NUMBER.replace('"a"', '"b"')
            + "phoneNumberId = '1'",
            r'accounts\[1\].numbers\[0\].phoneNumberId repeats "1"',
        ),
        (TEMPLATE, r"templates\[0\].body is required"),
        (TEMPLATE + "body = ''", r"templates\[0\].body must be text of 1 to 1024 characters"),
        (TEMPLATE + "body = 'x'\nheader = 'VIDEO'", 'header must be "TEXT" or "IMAGE" or "DOC'),
        (TEMPLATE + "body = 'x'\nheader = 'TEXT'", "headerText is required with a TEXT header"),
        (TEMPLATE + "body = 'x'\nheaderText = 'x'", 'headerText needs header = "TEXT"'),
        (
            TEMPLATE + "body = 'x'\nheader = 'TEXT'\nheaderText = '{{1}} {{2}}'",
            "headerText must have at most 1 variable",
        ),
        (TEMPLATE + "body = 'Hi {{2}}'", r"body skips \{\{1\}\}"),
        (TEMPLATE + "body = 'Hi {{1}} {{3}}'", r"body skips \{\{2\}\}"),
        (TEMPLATE + "body = 'Hi {{0}}'", r"body skips \{\{1\}\}"),
        (TEMPLATE + "body = 'Hi {{name}}'", "body must write its variables as"),
        (TEMPLATE + "body = 'Hi {{1}'", "body must write its variables as"),
        (TEMPLATE + "body = 'x'\ncategory = 'OTHER'", 'category must be "UTILITY" or'),
        (
            TEMPLATE + "body = 'x'\nbuttons = [{ type = 'COPY_CODE', text = 'x' }]",
            r'buttons\[0\].type must be "QUICK_REPLY" or "URL" or "PHONE_NUMBER" or "FLOW"',
        ),
        (
            TEMPLATE + "body = 'x'\nbuttons = [{ type = 'URL', text = 'x' }]",
            r"buttons\[0\].url is required for a URL button",
        ),
        (
            TEMPLATE + "body = 'x'\nbuttons = [{ type = 'URL', text = 'x', url = 'ftp://a' }]",
            r"buttons\[0\].url must be an address",
        ),
        (
            TEMPLATE
            + "body = 'x'\nbuttons = [{ type = 'URL', text = 'x', url = 'https://a/{{1}}/b' }]",
            r"buttons\[0\].url must have its variable at the end",
        ),
        (
            TEMPLATE
            + "body = 'x'\nbuttons = [{ type = 'URL', text = 'x', url = 'https://{{1}}' }]",
            r"buttons\[0\].url must be an address",
        ),
        (
            TEMPLATE + "body = 'x'\nbuttons = [{ type = 'FLOW', text = 'x', url = 'https://a' }]",
            r"buttons\[0\].url is of a URL button only",
        ),
        (
            TEMPLATE
            + "body = 'x'\nbuttons = ["
            + "{ type = 'PHONE_NUMBER', text = 'x', phone = '+97255' }, " * 2
            + "]",
            "buttons must hold at most 1 of type PHONE_NUMBER",
        ),
        (
            TEMPLATE
            + "category = 'AUTHENTICATION'\nbuttons = [{ type = 'QUICK_REPLY', text = 'x' }]",
            "buttons must be left out: an AUTHENTICATION template has its copy-code button",
        ),
        (
            TEMPLATE + "body = 'x'\n[[accounts.templates]]\nname = 't'\nbody = 'y'",
            'templates name "t" in en twice',
        ),
        (
            MINIMAL + "[[accounts.forms]]\nid = 'f'\ntitle = 'F'\nquestions = []",
            r"forms\[0\].questions must hold at least one question",
        ),
        (
            MINIMAL
            + "[[accounts.forms]]\nid = 'f'\ntitle = 'F'\n"
            + "questions = [{ id = 'q', type = 'single', text = 'x' }]",
            r"questions\[0\].options is required for a single question",
        ),
        (
            MINIMAL
            + "[[accounts.forms]]\nid = 'f'\ntitle = 'F'\n"
            + "questions = [{ id = 'q', type = 'rating', text = 'x', options = ['a'] }]",
            r"questions\[0\].options must be left out of a rating question",
        ),
        (
            MINIMAL
            + "[[accounts.invoices]]\nnumber = '1'\nkind = 'USAGE'\nlines = []\n"
            + "issuedAt = '2026-02-01T00:00:00Z'\ndueAt = '2026-01-01T00:00:00Z'",
            r"invoices\[0\].dueAt must not be before issuedAt",
        ),
        (
            MINIMAL
            + "[[accounts.invoices]]\nnumber = '1'\nkind = 'USAGE'\n"
            + "lines = [{ description = 'x', quantity = 0, unitPrice = '1.00' }]\n"
            + "issuedAt = '2026-02-01T00:00:00Z'\ndueAt = '2026-03-01T00:00:00Z'",
            r"invoices\[0\].lines\[0\].quantity must be a whole number, 1 or more",
        ),
    ],
)
def test_a_bad_section_is_refused_by_path_rule_and_fix(text: str, expected: str) -> None:
    assert re.search(expected, "\n".join(errors_of(text)), re.MULTILINE)


def test_no_secret_is_repeated_in_an_error() -> None:
    text = MINIMAL + "apiKey = 'CANARY 1'\nsigningSecret = 'CANARY 2'\n"
    assert "CANARY" not in "\n".join(
        errors_of(text + "[[accounts.numbers]]\naccessToken = 'CANARY 3'")
    )
