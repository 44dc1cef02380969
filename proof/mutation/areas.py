"""What is mutated: the five areas in which a mistake costs money, privacy or trust.

Each names its files, and the tests that are about them. Other tests run these files too; a mutant
that only those would notice counts as survived. What `tidings doctor` asks (audit_store.py) is left
out: its tests break each rule on purpose.
"""

from dataclasses import dataclass
from pathlib import Path

MESSAGES = "tidings/features/messages"
BILLING = "tidings/features/billing"


@dataclass(frozen=True, slots=True)
class Area:
    name: str
    files: tuple[str, ...]  # globs
    tests: tuple[str, ...]  # globs
    kinds: tuple[str, ...] = ()  # only these kinds of mutants
    is_extra: bool = False  # only where it is asked for by name

    def paths(self, root: Path) -> list[str]:
        return _matching(root, self.files)

    def test_paths(self, root: Path) -> list[str]:
        return _matching(root, self.tests)


AREAS = (
    Area(
        "charging",
        (
            f"{BILLING}/charging/[!a]*.py",
            f"{BILLING}/rules.py",
            f"{BILLING}/model.py",
            f"{BILLING}/subscriptions/*.py",
        ),
        (
            "tests/rules/test_billing*.py",
            "tests/rules/test_invoice_sums.py",
            "tests/rules/test_partner_rules.py",
            "tests/store/test_billing*.py",
            "tests/store/test_money*.py",
            "tests/store/test_plans.py",
            "tests/store/test_partner*.py",
            "tests/store/test_dropped_months.py",
            "tests/api/test_4_01_charging.py",
            "tests/api/test_4_14*.py",
            "tests/api/test_preflight.py",
            "tests/api/test_account_readiness.py",
            "tests/flows/test_billing*.py",
            "tests/flows/test_invoices.py",
            "tests/faults/test_billing_race.py",
        ),
    ),
    Area(
        "idempotency",
        tuple(
            f"{MESSAGES}/accept/{name}.py"
            for name in ("idempotency", "idempotency_store", "decide", "rules", "used_ids")
        ),
        (
            "tests/rules/test_acceptance*.py",
            "tests/rules/test_message*.py",
            "tests/rules/test_otp_rules.py",
            "tests/rules/test_number_selection.py",
            "tests/api/test_4_0[1-6]*.py",
            "tests/api/test_idempotency_key.py",
            "tests/flows/test_duplicates*.py",
            "tests/flows/test_used_ids.py",
            "tests/flows/test_several_numbers.py",
            "tests/flows/test_one_number_a_guest.py",
            "tests/flows/test_invitations.py",
            "tests/store/test_idempotency_keys.py",
            "tests/faults/test_accept_race.py",
        ),
    ),
    Area(
        "egress guard",
        (
            "tidings/engine/http/outbound/connector.py",
            "tidings/engine/http/outbound/resolver.py",
            "tidings/urls.py",
        ),
        (
            "tests/rules/test_urls.py",
            "tests/rules/test_addresses.py",
            "tests/engine/test_outbound*.py",
            "tests/engine/test_resolver.py",
            "tests/engine/test_call_pool_tls.py",
        ),
    ),
    Area(
        "states",
        (
            f"{MESSAGES}/state/transitions.py",
            "tidings/features/feedback/forms/states.py",
            "tidings/features/events/invitation_states.py",
            "tidings/features/batches/rules.py",
            "tidings/features/webhooks/rules.py",
        ),
        (
            "tests/rules/test_message_*.py",
            "tests/rules/test_form_states.py",
            "tests/rules/test_invitation*.py",
            "tests/rules/test_batch_rules.py",
            "tests/rules/test_webhook_rules.py",
            "tests/rules/test_standard_webhooks.py",
            "tests/rules/test_signature_doctor*.py",
        ),
    ),
    Area(
        "quotas",
        (
            f"{MESSAGES}/accept/scheduling.py",
            "tidings/engine/rate.py",
            "tidings/features/senders/capacity.py",
            "tidings/features/senders/capacity_reads.py",
            "tidings/features/senders/number_selection.py",
            "tidings/features/senders/quota_store.py",
            "tidings/features/senders/quotas.py",
            "tidings/features/senders/rate_limiter.py",
        ),
        (
            "tests/rules/test_rate*.py",
            "tests/rules/test_rolling_counter.py",
            "tests/rules/test_capacity.py",
            "tests/rules/test_scheduling.py",
            "tests/rules/test_acceptance*.py",
            "tests/rules/test_message_numbers.py",
            "tests/rules/test_batch_rules.py",
            "tests/rules/test_number_selection.py",
            "tests/rules/test_send_window.py",
            "tests/store/test_quotas.py",
            "tests/store/test_unique_recipients.py",
            "tests/store/test_capacity_reads.py",
            "tests/store/test_plans.py",
            "tests/store/test_shared_rate.py",
            "tests/api/test_account_limits.py",
            "tests/flows/test_limits*.py",
            "tests/flows/test_send_hours.py",
            "tests/flows/test_set_limits.py",
            "tests/flows/test_several_numbers.py",
            "tests/flows/test_waiting.py",
            "tests/flows/test_batches.py",
        ),
    ),
    Area(
        "tenants",
        ("tidings/features/**/*store.py", "tidings/engine/queue/*store.py"),
        ("tests/rules/*.py", "tests/store/*.py", "tests/api/*.py", "tests/flows/*.py"),
        kinds=("sql tenant",),
        is_extra=True,
    ),
)


def _matching(root: Path, globs: tuple[str, ...]) -> list[str]:
    found = {path.relative_to(root).as_posix(): None for one in globs for path in root.glob(one)}
    return sorted(path for path in found if not path.endswith("__init__.py"))
