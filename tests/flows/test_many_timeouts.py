"""More messages than a page of the sweep time out at one and the same time."""

from collections import Counter

from tests.support.text import ahead

FAST = "".join(
    f'[[accounts.numbers]]\nnumber = "97255500000{n}"\nperSecond = 1000\n' for n in range(2)
)
SILENT = "9001"  # sent, and nothing more
STATES = """
    SELECT status, refunded_at IS NOT NULL AS refunded, times_out_at FROM messages
     WHERE account_id = $1
"""


def test_all_messages_with_one_timeout_expire_and_are_refunded(service):
    account = service.account(FAST)
    noon = ahead(days=1)[:11] + "12:00:00Z"
    for first in (0, 600):
        items = [
            {"clientMessageId": f"late-{n:04}", "to": f"97250{n:07}{SILENT}",
             "templateName": "plain", "scheduledFor": noon}
            for n in range(first, first + 600)
        ]  # fmt: skip
        assert account.post("/messages/bulk", {"messages": items}).status_code == 202
    account.advance(days=2)
    sent = service.sql(STATES, account.id)
    assert Counter(row["status"] for row in sent) == {"sent": 1200}
    assert len({row["times_out_at"] for row in sent}) == 1
    account.advance(days=31)
    ended = Counter((row["status"], row["refunded"]) for row in service.sql(STATES, account.id))
    assert ended == {("expired", True): 1200}
