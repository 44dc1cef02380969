"""Every duration and limit of the specification (section 8), and those it leaves to us. Pure.

Names read as in the specification and carry their unit. Values marked OPEN are ours to choose,
because the specification leaves them open. Sizes are binary, characters are Unicode code points.
"""

from datetime import timedelta
from typing import NamedTuple

KIB = 1024
MIB = 1024 * KIB


class Between(NamedTuple):
    """An inclusive range: `len(code) in limits.OTP_CODE_CHARS`. A bool is not a number here."""

    low: int
    high: int

    def __contains__(self, value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, int):
            return False
        return self.low <= value <= self.high

    def __str__(self) -> str:
        return f"{self.low} to {self.high}"


# Messages (4.1)
CLIENT_MESSAGE_ID_CHARS = Between(8, 128)
RECIPIENT_DIGITS = Between(8, 20)
REPEAT_WINDOW = timedelta(hours=48)
CONVERSATION_WINDOW = timedelta(hours=24)
SCHEDULE_AHEAD_MAX = timedelta(days=365)
META_BYTES_MAX = 4 * KIB
BUTTON_PAYLOADS = Between(1, 10)
BUTTON_PAYLOAD_CHARS = Between(1, 128)
MESSAGE_CHARS_MAX = 4096  # OPEN: what the platform takes
CAPTION_CHARS_MAX = 1024  # OPEN: what the platform takes
TEMPLATE_NAME_CHARS = Between(1, 512)  # OPEN
TEMPLATE_PARAMS_MAX = 64  # OPEN
TEMPLATE_PARAM_CHARS = Between(1, 1024)  # OPEN
UNDELIVERED_TIMEOUT_DEFAULT = timedelta(days=30)  # OPEN: the platform itself gives up by then
TIMEOUT_SLACK = timedelta(hours=1)  # a message that waited longer has its time-out worked out anew
UNDELIVERED_TIMEOUT_MINUTES = Between(1, 30 * 24 * 60)  # OPEN

# Repeats of a clientMessageId: the loser of a race waits for the winner's result (OPEN)
REPEAT_ANSWER_WAIT = timedelta(seconds=8)
REPEAT_ANSWER_POLL = timedelta(milliseconds=100)
PURGE_PAGE_ROWS = 1000

# Passcodes (4.2)
OTP_CODE_CHARS = Between(1, 15)
OTP_TTL_SECONDS = Between(60, 3600)
OTP_TTL_DEFAULT = timedelta(seconds=600)
OTP_RESEND_TTL_LEFT_MIN = timedelta(seconds=15)  # OPEN: with less, a second try would come late

# Batches (4.3)
BATCH_TEXT_MESSAGES_MAX = 1000
BATCH_MEDIA_MESSAGES_MAX = 50
BATCH_PROGRESS_STEP_PERCENT = 5
BATCH_PROGRESS_INTERVAL = timedelta(seconds=60)
BATCH_NAME_CHARS_MAX = 128  # OPEN

# Rich messages (4.4)
RICH_BODY_CHARS_MAX = 1024
RICH_BUTTON_TEXT_CHARS_MAX = 20
RICH_BUTTON_ID_CHARS = Between(1, 256)  # OPEN: what the platform takes
RICH_TITLE_CHARS_MAX = 60
RICH_FOOTER_CHARS_MAX = 60
RICH_REPLY_BUTTONS_MAX = 3
RICH_URL_BUTTONS_MAX = 1

# Media (4.5, 4.13)
MEDIA_BYTES_MAX = 5 * MIB
MEDIA_TYPES = ("image/jpeg", "image/png", "application/pdf")
INBOUND_MEDIA_LINK_VALIDITY = timedelta(days=7)
IMAGE_PIXELS_MAX = 50_000_000  # OPEN: read from the header; images are never decoded here
FILENAME_CHARS_MAX = 240  # OPEN

# Events and replies (4.10, 6.2)
EVENT_ID_CHARS = Between(4, 64)
EVENT_TEXT_CHARS = Between(1, MESSAGE_CHARS_MAX)  # OPEN
NUDGE_AFTER_DEFAULT = timedelta(minutes=120)  # OPEN
NUDGE_AFTER_MINUTES = Between(1, 24 * 60)  # OPEN: later, the window would be closed anyway

# Recipients (4.11)
NUMBERS_PER_CHECK_MAX = 500
OPTOUTS_PER_CHECK_MAX = 500  # OPEN

# Links (4.8)
LINK_CODE_CHARS = 12  # OPEN: 71 bits, so that guessing finds nothing
URL_CHARS_MAX = 2048  # OPEN

# Partners and money (4.15)
TOPUP_MESSAGES = Between(1, 10_000_000)
REFERENCE_CHARS_MAX = 128  # OPEN
NOTE_CHARS_MAX = 1000  # OPEN
AMOUNT_MINOR_MAX = 10**14 - 1  # OPEN: 999,999,999,999.99
RATE_MICRO_MAX = 10**12  # OPEN: 1,000,000.000000 a message

# Lists (OPEN)
LIST_LIMIT = Between(1, 200)
LIST_LIMIT_DEFAULT = 50

# Webhook delivery (6.1). Each wait is counted from the end of the attempt before it.
WEBHOOK_ATTEMPT_WAITS = (
    timedelta(0),
    timedelta(seconds=10),
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
)
WEBHOOK_ATTEMPTS_MAX = 6
WEBHOOK_RESPONSE_TIMEOUT = timedelta(seconds=10)
WEBHOOK_TIMESTAMP_TOLERANCE = timedelta(seconds=300)  # what we ask receivers to refuse beyond
WEBHOOK_ANSWER_BYTES_MAX = 16 * KIB  # OPEN: more is not read
WEBHOOK_SLOTS = 64  # OPEN: posts at once per worker
WEBHOOK_SLOTS_PER_DESTINATION = 4  # OPEN
WEBHOOK_FAILURES_TO_SLOW = 5  # OPEN: in a row; then a destination is given one slot
WEBHOOK_SLOTS_SLOWED = 1  # OPEN
WEBHOOK_FEED_KEPT = timedelta(days=30)  # OPEN: the catch-up feed
DNS_TIMEOUT = timedelta(seconds=3)  # OPEN

# Keys and secrets (OPEN)
SECRET_OVERLAP = timedelta(hours=24)  # a rotated signing secret still signs X-Signature-Previous
KEY_OVERLAP_DAYS = Between(0, 7)  # a rotated key works on for as long as its owner chooses
API_KEY_BYTES_MAX = 256
UNKNOWN_KEYS_PER_MINUTE_MAX = 60  # per address

# The HTTP intake. REQUEST_BYTES_MAX is the specification's, the rest OPEN.
REQUEST_BYTES_MAX = 20 * MIB
REQUESTS_PER_MINUTE_DEFAULT = 600
RATE_WINDOW = timedelta(minutes=1)
RATE_ANSWER_TIMEOUT = timedelta(milliseconds=50)  # beyond it a request is let in and counted
HEADER_BYTES_MAX = 16 * KIB
HEADERS_MAX = 100
HEADERS_TIMEOUT = timedelta(seconds=5)
BODY_TIMEOUT = timedelta(seconds=30)
BODY_BYTES_PER_SECOND_MIN = 10 * KIB
BODY_SLOW_START = timedelta(seconds=5)  # the least speed is asked for only after this
KEEP_ALIVE = timedelta(seconds=15)
CONNECTIONS_MAX = 1000
CONNECTIONS_PER_ADDRESS_MAX = 100
LARGE_BODY_BYTES = MIB
LARGE_BODIES_MAX = 4  # in memory at once; others wait
LARGE_BODY_WAIT = timedelta(seconds=5)
JSON_DEPTH_MAX = 32

# Dispatch to the platform (OPEN)
PLATFORM_CONNECT_TIMEOUT = timedelta(seconds=3)
PLATFORM_RESPONSE_TIMEOUT = timedelta(seconds=20)  # the whole call
PLATFORM_OPAQUE_CHARS_MAX = 512  # biz_opaque_callback_data
PLATFORM_SYNC_INTERVAL = timedelta(minutes=5)  # templates and numbers of live accounts
SEND_LEASE_LEFT_MIN = timedelta(seconds=25)  # with less, the message goes back unsent
SEND_RETRIES_MAX = 5  # after which a message that was never on the wire fails
SEND_OTP_SLOTS_PERCENT = 25  # slots that only passcodes may take
UNKNOWN_GRACE = timedelta(seconds=120)  # with the callback channel alive
UNKNOWN_MAX = timedelta(hours=24)  # with no callback at all; then a message is given up
HOLD_PROBE_MIN = timedelta(seconds=2)  # a message that waits for no known time is looked at again,
HOLD_PROBE_MAX = timedelta(hours=1)  # less and less often
HOLD_RETRY_MIN = timedelta(minutes=5)  # the same, where the platform itself has refused
SLOT_WAIT_MAX = timedelta(seconds=1)  # a send waits this long for its slot; then it is deferred
PAIR_INTERVAL = timedelta(seconds=6)  # one message to one person, after the platform's pair limit

# Queue (OPEN)
JOB_LEASE = timedelta(seconds=60)
JOB_CRASHES_MAX = 3  # leases that ran out; then it is parked
QUEUE_IDLE_WAIT = timedelta(seconds=1)  # the poll beside the wake-ups
QUEUE_CLAIM_MAX = 100
WAKES_PER_SECOND_MAX = 20
LANE_BATCH_MAX = 500  # items one transaction takes
SEND_SLOTS = 400  # messages on their way to the platform at once, per process
SEND_GROUP = 100
OTP_SLOTS = 100  # beside those: passcodes never stand behind a batch
OTP_GROUP = 25
TIMER_SLOTS = 400
CLOCK_STEP_MIN = timedelta(seconds=1)  # a sandbox clock plays time forward in steps of this
CLOCK_WAIT_MAX = timedelta(seconds=30)  # then it answers, whatever a slow receiver still does
SWEEP_INTERVAL = timedelta(seconds=5)
OTP_SWEEP_INTERVAL = timedelta(seconds=1)
DATABASE_LOST_MAX = timedelta(seconds=30)  # then a worker ends, to be started afresh

# Database, shutdown, clock (OPEN)
STATEMENT_TIMEOUT = timedelta(seconds=5)
LOCK_TIMEOUT = timedelta(seconds=2)
IDLE_TRANSACTION_TIMEOUT = timedelta(seconds=10)
TRANSACTION_RETRIES_MAX = 3
POOL_WAIT = timedelta(seconds=2)  # then 503
SHUTDOWN_DRAIN = timedelta(seconds=20)
SHUTDOWN_MAX = timedelta(seconds=25)
CLOCK_SKEW_WARN = timedelta(seconds=2)
CLOCK_SKEW_MAX = timedelta(seconds=60)  # beyond it webhooks are not signed

assert len(WEBHOOK_ATTEMPT_WAITS) == WEBHOOK_ATTEMPTS_MAX
assert sorted(WEBHOOK_ATTEMPT_WAITS) == list(WEBHOOK_ATTEMPT_WAITS), "waits only grow"
assert OTP_TTL_DEFAULT // timedelta(seconds=1) in OTP_TTL_SECONDS
assert JOB_LEASE > 2 * PLATFORM_RESPONSE_TIMEOUT, "a lease must outlive the slowest send twice"
assert JOB_LEASE > WEBHOOK_RESPONSE_TIMEOUT, "a lease must outlive the slowest attempt"
assert SEND_LEASE_LEFT_MIN > PLATFORM_RESPONSE_TIMEOUT, "a send must end within its lease"
assert SEND_LEASE_LEFT_MIN < JOB_LEASE
assert UNKNOWN_GRACE > JOB_LEASE, "the callback of a zombie's send must have had its time"
assert REPEAT_ANSWER_WAIT < PLATFORM_RESPONSE_TIMEOUT
assert sum(WEBHOOK_ATTEMPT_WAITS, timedelta(0)) < WEBHOOK_FEED_KEPT
assert CLOCK_SKEW_MAX < WEBHOOK_TIMESTAMP_TOLERANCE, "a signature we make must be acceptable"
assert UNDELIVERED_TIMEOUT_DEFAULT / timedelta(minutes=1) <= UNDELIVERED_TIMEOUT_MINUTES.high
assert NUDGE_AFTER_DEFAULT < CONVERSATION_WINDOW
assert MEDIA_BYTES_MAX * 4 // 3 < REQUEST_BYTES_MAX, "the largest media must fit a request"
assert LIST_LIMIT_DEFAULT in LIST_LIMIT
assert LARGE_BODY_BYTES < REQUEST_BYTES_MAX
assert META_BYTES_MAX < LARGE_BODY_BYTES
assert IDLE_TRANSACTION_TIMEOUT > STATEMENT_TIMEOUT > LOCK_TIMEOUT
assert SHUTDOWN_DRAIN >= PLATFORM_RESPONSE_TIMEOUT, "a send in flight may finish"
assert SHUTDOWN_MAX > SHUTDOWN_DRAIN
assert BUTTON_PAYLOAD_CHARS.high >= CLIENT_MESSAGE_ID_CHARS.high, "the default payload must fit"
