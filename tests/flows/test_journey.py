"""One message from HTTP request to signed webhook."""

from tests.support.receiver import Receiver
from tests.support.service import GUEST, NUMBER, TestAccount, TestService


def test_a_template_message_is_sent_delivered_and_read(account: TestAccount) -> None:
    answer = account.send(
        clientMessageId="order-0001", to=GUEST, templateName="hello", templateParams=["Dana"]
    )
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert body["success"] is True
    assert body["environment"] == "sandbox"
    data = body["data"]
    assert data["status"] == "sent"
    assert data["sentFrom"] == NUMBER
    assert data["duplicate"] is False
    assert data["fallbackUsed"] is False
    assert data["messageId"].startswith("wamid.")

    account.advance(seconds=3)
    status = account.status("order-0001")
    assert [step["status"] for step in status["timeline"]] == [
        "queued", "sending", "sent", "delivered", "read",
    ]  # fmt: skip
    assert [e["data"]["status"] for e in account.events("message.status")] == [
        "sent", "delivered", "read",
    ]  # fmt: skip


def test_each_event_is_posted_once_signed_and_in_order(service: TestService) -> None:
    with Receiver() as receiver:
        account = service.account(webhookUrl=receiver.url)
        account.send(clientMessageId="order-0001", to=GUEST, templateName="plain", meta={"a": 1})
        account.advance(seconds=3)
        requests = receiver.wait_for(3)
        assert len(requests) == 3
        assert [post.json()["data"]["status"] for post in requests] == ["sent", "delivered", "read"]
        receiver.verify(account.secret, now=account.service.clock.now().timestamp())
        for post in requests:
            assert post["X-Delivery-Attempt"] == "1"
            assert post["X-Webhook-Id"] == post.json()["id"]
            assert post.json()["data"]["meta"] == {"a": 1}
