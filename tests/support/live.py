"""A live account for tests: a service whose platform is `FakeGraph`, with confirmed numbers and
templates, as a sync would have brought them."""

from typing import Any

from tests.support.graph import PHONE_NUMBER_ID, TOKEN, WABA_ID
from tests.support.service import NUMBER, TestAccount, TestService, account_toml
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.senders.lookup import load_numbers
from tidings.features.senders.platform_feedback import change_health
from tidings.features.templates.lookup import configure
from tidings.features.templates.model import Template, TemplateButton

TEMPLATES = [
    Template("plain", "en", "UTILITY", "APPROVED", body="Good morning"),
    Template("hello", "en", "UTILITY", "APPROVED", body="Hello {{1}}"),
    Template("picture", "en", "UTILITY", "APPROVED", header="IMAGE", body="Look"),
    Template(
        "otp",
        "en",
        "AUTHENTICATION",
        "APPROVED",
        body="{{1}} is your code.",
        buttons=(TemplateButton("COPY_CODE", "Copy code"),),
    ),
]


def number_toml(
    number: str = NUMBER,
    *,
    place: str = PHONE_NUMBER_ID,
    token: str = TOKEN,
    **fields: Any,
) -> str:
    lines = [f"{key} = {value!r}" for key, value in fields.items()]
    return "\n".join(
        [
            "[[accounts.numbers]]",
            f'number = "{number}"',
            f'phoneNumberId = "{place}"',
            f'wabaId = "{WABA_ID}"',
            f'accessToken = "{token}"',
            *lines,
            "",
        ]
    )


_count = iter(range(1, 1_000_000))


class LiveAccount(TestAccount):
    """A number of its own at the platform, so that accounts do not meet."""

    def __init__(self, service: TestService, numbers: str = "", **fields: Any) -> None:
        nth = next(_count)
        self.place = f"1055{nth:011}"
        self.name = f"live-{nth}"
        self._fields = {"environment": "live", "name": self.name, "billingMode": "OFF"} | fields
        self._numbers = numbers
        self.service = service
        super().__init__(service, self.apply()[0])
        self.confirm_numbers()
        self.set_templates(TEMPLATES)

    def apply(self, token: str = TOKEN) -> list[dict[str, Any]]:
        numbers = self._numbers or number_toml(place=self.place, token=token)
        return self.service.apply(account_toml(numbers + "\n# accounts.templates", **self._fields))

    def confirm_numbers(self) -> None:
        """As the platform does when it is asked about them."""

        async def confirm(tx: Tx) -> None:
            account = (await load_accounts(tx, [self.id]))[self.id]
            for number in (await load_numbers(tx, [self.id]))[self.id]:
                await change_health(tx, account, number.number, status="CONNECTED", quality="GREEN")

        self.service.transact(confirm)

    def set_templates(self, templates: list[Template]) -> None:
        ctx = self.service.ctx
        self.service.call(lambda: ctx.db.transact(lambda tx: configure(tx, self.id, templates)))

    def let_jobs_look(self) -> None:
        """What waits for a later time looks again now."""
        self.service.sql(
            "UPDATE jobs SET due_at = now() - interval '1 day' WHERE account_id = $1 AND NOT leased"
            " AND pool IN ('send', 'otp') RETURNING id",
            self.id,
        )

    def number(self) -> dict[str, Any]:
        return self.service.sql("SELECT * FROM numbers WHERE account_id = $1", self.id)[0]
