"""A signing secret is changed: for 24 hours posts carry both signatures, then the new one alone."""

from datetime import timedelta

from tests.support.clock import ManualClock
from tests.support.receiver import ReceivedRequest, Receiver
from tests.support.service import TestService
from tests.support.webhooks import claim, publish_events, run
from tidings.features.accounts.credentials import rotate_secret

DAY = timedelta(hours=24).total_seconds()


def test_both_sign_for_a_day_and_then_the_new_one_alone(
    still_service: TestService, clock: ManualClock
) -> None:
    ctx = still_service.ctx
    with Receiver() as receiver:
        account = still_service.account(webhookUrl=receiver.url)

        def post() -> ReceivedRequest:
            publish_events(account)
            run(account, claim(account))
            request = receiver.requests[-1]
            receiver.requests[:] = [request]
            return request

        old = account.secret
        assert "x-signature-previous" not in post().headers
        new = still_service.transact(lambda tx: rotate_secret(tx, ctx.sealer, account.id))
        for seconds in (0, DAY - 1):
            clock.advance(seconds=seconds)
            post()
            receiver.verify(new, now=clock.now().timestamp())
            receiver.verify(old, header="X-Signature-Previous", now=clock.now().timestamp())
        clock.advance(seconds=2)
        assert "x-signature-previous" not in post().headers
        receiver.verify(new, now=clock.now().timestamp())


def test_an_event_from_before_is_signed_with_the_secret_of_its_post(
    still_service: TestService, clock: ManualClock
) -> None:
    ctx = still_service.ctx
    with Receiver() as receiver:
        receiver.answers([500])
        account = still_service.account(webhookUrl=receiver.url)
        publish_events(account)
        run(account, claim(account))
        new = still_service.transact(lambda tx: rotate_secret(tx, ctx.sealer, account.id))
        clock.advance(seconds=10)
        run(account, claim(account))
        first, second = receiver.requests
        receiver.requests[:] = [second]
        receiver.verify(new, now=clock.now().timestamp())
        assert first.body == second.body
