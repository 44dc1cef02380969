"""An example of each endpoint, by chapter. A test runs them all against the demo account."""

from tidings.engine.http.openapi_samples import Example

from . import (
    about,
    account,
    billing,
    events,
    feedback,
    links,
    messages,
    partner,
    recipients,
    sandbox,
    webhooks,
)

EXAMPLES: dict[str, Example] = {
    **messages.EXAMPLES,
    **events.EXAMPLES,
    **webhooks.EXAMPLES,
    **feedback.EXAMPLES,
    **links.EXAMPLES,
    **recipients.EXAMPLES,
    **account.EXAMPLES,
    **billing.EXAMPLES,
    **partner.EXAMPLES,
    **sandbox.EXAMPLES,
    **about.EXAMPLES,
}
