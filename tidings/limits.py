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
IDEMPOTENCY_WINDOW = timedelta(hours=48)
CONVERSATION_WINDOW = timedelta(hours=24)
SCHEDULE_AHEAD_YEARS_MAX = 1
META_BYTES_MAX = 4 * KIB
META_SENT_BYTES_MAX = 16 * KIB  # OPEN: as it came and is stored, blanks and escapes included
LOOKUP_ID_CHARS_MAX = 512  # OPEN: an id that something is looked up by
BUTTON_PAYLOADS = Between(1, 10)
BUTTON_PAYLOAD_CHARS = Between(1, 128)
MESSAGE_CHARS_MAX = 4096  # OPEN: what the platform takes
CAPTION_CHARS_MAX = 1024  # OPEN: what the platform takes
TEMPLATE_NAME_CHARS = Between(1, 512)  # OPEN
TEMPLATE_PARAMS_MAX = 64  # OPEN
TEMPLATE_PARAM_CHARS = Between(1, 1024)  # OPEN
UNDELIVERED_TIMEOUT_DEFAULT = timedelta(days=30)  # OPEN: the platform itself gives up by then
TIMEOUT_SLACK = timedelta(hours=1)  # a message that waited longer has its time-out worked out anew
# A sweep may pass a time-out this near before the transaction that adds it has committed.
TIMEOUT_NEAR = timedelta(minutes=2)
UNDELIVERED_TIMEOUT_MINUTES = Between(1, 30 * 24 * 60)  # OPEN

# Repeats of a clientMessageId: the loser of a race waits for the winner's result (OPEN)
DUPLICATE_WAIT = timedelta(seconds=8)
DUPLICATE_POLL = timedelta(milliseconds=100)
PURGE_PAGE_ROWS = 1000
TIMEOUTS_EXAMINED_MAX = 10_000  # messages that one look for overdue ones reads

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
BATCH_FAULTS_BYTES_MAX = MIB  # OPEN: refused items whose faults are named; more are only refused

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
MEDIA_KEPT = timedelta(days=90)  # OPEN: a mediaId is valid, from its last use; real time
MEDIA_KEPT_STEP = timedelta(days=1)  # so often a use extends it, so that most uses write nothing
MEDIA_HELD = timedelta(hours=1)  # OPEN: by a request under way; no request lasts as long
STORAGE_PER_ACCOUNT_DEFAULT = "2GB"  # OPEN: what the files of one account may take up
DISK_FREE_MIN = 200 * MIB  # OPEN: with less, a folder takes no more files
FILENAME_CHARS_MAX = 240  # OPEN: of one that is kept; what is given is cut to it
FILENAME_GIVEN_CHARS_MAX = 16 * KIB  # OPEN
MIMETYPE_CHARS_MAX = 255  # OPEN

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
IDNA_LETTERS_MAX = 64  # OPEN: letters beyond ASCII in a host; a label has room for fewer

# Partners and money (4.15)
TOPUP_MESSAGES = Between(1, 10_000_000)
REFERENCE_CHARS_MAX = 128  # OPEN
NOTE_CHARS_MAX = 1000  # OPEN
AMOUNT_MINOR_MAX = 10**14 - 1  # OPEN: 999,999,999,999.99
RATE_MICRO_MAX = 10**12  # OPEN: 1,000,000.000000 a message
INVOICE_DUE_AFTER = timedelta(days=14)  # OPEN: what we issue ourselves
USAGE_DAYS_MAX = 400  # OPEN: of one question about usage
USAGE_DAYS_DEFAULT = 30
FORECAST_DAYS = 14  # OPEN: whose use is taken for that of the days to come

# Lists (OPEN)
LIST_LIMIT = Between(1, 200)
LIST_LIMIT_DEFAULT = 50
LIST_BYTES_MAX = 2 * MIB  # of payloads: a page that has as many ends there, whatever its limit
PHONE_MESSAGES_MAX = 200  # that a sandbox phone shows, the newest,
PHONE_BYTES_MAX = MIB  # and of each direction no more bytes than these

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
WEBHOOK_SLOTS = 256  # OPEN: concurrent posts of a process;
WEBHOOK_SLOTS_UNPROVEN = 192  # of them to destinations whose last post did not succeed,
WEBHOOK_SLOTS_THROTTLED = 64  # to destinations that keep failing,
WEBHOOK_SLOTS_PER_ACCOUNT = 64  # to all destinations of one account
WEBHOOK_SLOTS_PER_DESTINATION = 4  # OPEN: to one destination at first;
WEBHOOK_SLOTS_PER_DESTINATION_MAX = 32  # one more after a fast response, half after a failure
WEBHOOK_SLOTS_PER_UNRESPONSIVE_HOST = 4  # OPEN: to a host that does not answer, of any account
WEBHOOK_FAILURES_TO_THROTTLE = 5  # OPEN: in a row; then a destination has one slot
WEBHOOK_FAST_RESPONSE = timedelta(seconds=1)  # OPEN: earns a destination another slot
WEBHOOK_PREFETCH = timedelta(milliseconds=250)  # OPEN: work of a destination that is claimed ahead,
WEBHOOK_PREFETCH_PER_SLOT = 8  # in posts per slot at most
WEBHOOK_GROUP = WEBHOOK_SLOTS_PER_DESTINATION_MAX * WEBHOOK_PREFETCH_PER_SLOT  # of a destination
WEBHOOK_ROUND_MAX = timedelta(seconds=2)  # OPEN: what has not been posted then goes back
WEBHOOK_FEED_KEPT = timedelta(days=30)  # OPEN: the catch-up feed
WEBHOOK_FEED_WAIT_SECONDS = Between(0, 20)  # OPEN: a reader may wait for what comes
WEBHOOK_RETRIES_AT_ONCE = 1000  # OPEN: failed webhooks that one call or job takes up again
WEBHOOK_VERIFIED_CHARS_MAX = 64 * KIB  # OPEN: of a body given to the signature doctor
DNS_TIMEOUT = timedelta(seconds=3)  # OPEN
LOOK_UPS_MAX = 128  # OPEN: threads; an account may hold a quarter of those that are free
LOOK_UP_FAILURE_KEPT = timedelta(seconds=5)  # OPEN: less than the wait for the second attempt

# Keys and secrets (OPEN)
SECRET_OVERLAP = timedelta(hours=24)  # a rotated signing secret still signs X-Signature-Previous
KEY_OVERLAP_DAYS = Between(0, 7)  # a rotated key works on for as long as its owner chooses
API_KEY_BYTES_MAX = 256
UNKNOWN_KEYS_PER_MINUTE_MAX = 60  # per address

# The HTTP intake. REQUEST_BYTES_MAX is the specification's, the rest OPEN.
REQUEST_BYTES_MAX = 20 * MIB
REQUESTS_PER_MINUTE_DEFAULT = 600
RATE_ANSWER_TIMEOUT = timedelta(milliseconds=50)  # beyond it a request is let in and counted
HEADER_BYTES_MAX = 16 * KIB
HEADERS_MAX = 100
HEADERS_TIMEOUT = timedelta(seconds=5)
BODY_TIMEOUT = timedelta(seconds=30)
BODY_BYTES_PER_SECOND_MIN = 10 * KIB
BODY_SLOW_START = timedelta(seconds=5)  # the least speed is asked for only after this
READ_BYTES_PER_SECOND_MIN = 10 * KIB  # a client that reads our answer more slowly is cut off
READING_WINDOW = timedelta(seconds=20)  # over which that is measured
KEEP_ALIVE = timedelta(seconds=15)
CONNECTIONS_MAX = 1000
CONNECTIONS_PER_ADDRESS_MAX = 100
LARGE_BODY_BYTES = MIB
LARGE_BODIES_BYTES_MAX = 4 * REQUEST_BYTES_MAX  # of them in memory at once; others wait
LARGE_BODY_WAIT = timedelta(seconds=5)
REQUESTS_STARTED_PER_ITERATION = 8  # of the event loop, while several accounts are active
BATCHES_AT_ONCE = 4  # of all accounts, each with a database connection
BATCHES_PER_ACCOUNT = 2  # one being read while another is written; the rest wait in turn,
BATCHES_WAITING_MAX = 64  # and beyond so many are refused
JSON_DEPTH_MAX = 32
JSON_ITEMS_MAX = 4096  # of one list or object: more than `meta` has room for
JSON_TOKENS_MAX = 1_000_000  # brackets and commas of a body that stand in no small group of theirs
JSON_PIECE_BYTES = 256 * KIB  # decoded in one call; a larger body is decoded in pieces
LOOP_SLICE = timedelta(milliseconds=5)  # after which work on a large body lets others run

# Dispatch to the platform (OPEN)
PLATFORM_CONNECT_TIMEOUT = timedelta(seconds=3)
PLATFORM_RESPONSE_TIMEOUT = timedelta(seconds=20)  # the whole call
PLATFORM_CONNECTIONS_MAX = 600  # of one process
PLATFORM_SENDS_MAX = 450  # at once, passcodes aside: they find a connection whatever else goes on
PLATFORM_MEDIA_KEPT = timedelta(days=25)  # an uploaded file's id; the platform keeps it for 30
PLATFORM_SYNC_INTERVAL = timedelta(minutes=5)  # templates and numbers of live accounts
PLATFORM_SYNC_SOON = timedelta(seconds=2)  # after a callback that says something has changed
PLATFORM_SYNC_TIMEOUT = timedelta(seconds=45)  # all that is read of one account
PLATFORM_SYNC_PAGES_MAX = 100  # of one list
PLATFORM_SYNC_SLOTS = 8  # accounts read at once, per process
SEND_LEASE_LEFT_MIN = timedelta(seconds=25)  # with less, the message goes back unsent
SEND_OTP_SLOTS_PERCENT = 25  # slots that only passcodes may take
UNKNOWN_GRACE = timedelta(seconds=120)  # with the callback channel alive
UNKNOWN_MAX = timedelta(hours=24)  # with no callback at all; then a message is given up
UNKNOWN_PROBE_MIN = timedelta(seconds=1)  # looks at it meanwhile, less and less often
UNKNOWN_PROBE_MAX = timedelta(minutes=1)
HOLD_PROBE_MIN = timedelta(seconds=2)  # a message that waits for no known time is looked at again,
HOLD_PROBE_MAX = timedelta(hours=1)  # less and less often
HOLD_RETRY_MIN = timedelta(minutes=5)  # the same, where the platform itself has refused
SLOT_WAIT_MAX = timedelta(seconds=1)  # a send waits this long for its slot; then it is deferred
HALF_OPEN_DELAY_MIN = timedelta(minutes=1)  # of an open circuit; doubled each time
HALF_OPEN_DELAY_MAX = timedelta(hours=1)
FAULT_RELAPSE = timedelta(hours=1)  # a fault so soon after the last continues it
RATE_HALVINGS_MAX = 10  # a throttled number's rate is halved at most so often
RATE_HALVING_INTERVAL_MIN = timedelta(seconds=5)  # once for all messages in flight together
RATE_RECOVERY_STEP = timedelta(minutes=1)  # after which it doubles again

# Feedback forms (OPEN: what the platform's flows take, less where a phone shows less)
FORM_QUESTIONS_MAX = 20
FORM_BUTTON_CHARS_MAX = 20
FORM_TEXT_CHARS_MAX = 1024  # of the message that brings the form
FORM_SINGLE_OPTIONS_MAX = 200
FORM_MULTI_OPTIONS_MAX = 20
FORM_COMMENT_CHARS_MAX = 600
FORM_ANSWERS_MAX = 64  # that a sandbox guest fills in: more than a form has questions
FORM_BUILD_WAITS = (  # between two attempts to make a form known to the platform
    timedelta(seconds=10),
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=1),
)

# Platform callbacks (OPEN)
CALLBACK_BYTES_MAX = 3 * MIB  # the most it sends in one callback
CALLBACKS_BYTES_MAX = 8 * CALLBACK_BYTES_MAX  # of large ones in memory at once
CALLBACK_MARK_INTERVAL = timedelta(seconds=5)  # a sign of life is written down this often
CALLBACK_SILENCE_MAX = timedelta(minutes=5)  # after it, nobody knows whether callbacks reach us
CALLBACK_DEAD_LETTERS_MAX = 10_000  # the oldest are deleted first
CALLBACK_DEAD_LETTERS_KEPT = timedelta(days=30)
INBOUND_RAW_BYTES_MAX = MIB  # of one message of a guest; of a longer one only the head is kept
INBOUND_MEDIA_BYTES_MAX = 100 * MIB  # the largest document a guest can send
INBOUND_MEDIA_STREAMS_MAX = 32  # at once, per process: sends need connections too
INBOUND_MEDIA_WAIT = timedelta(seconds=5)  # for one of them
INBOUND_MEDIA_KEPT = timedelta(days=8)  # where a file was, a day longer than its link is good

# Queue (OPEN)
JOB_LEASE = timedelta(seconds=60)
JOB_CRASHES_MAX = 3  # expired leases; then the job is dead-lettered
CRASHED_JOBS_AT_ONCE = 20  # how many crashed jobs one claim retries concurrently
CRASHED_JOBS_WAIT = timedelta(milliseconds=100)  # until the next of them
QUEUE_IDLE_WAIT = timedelta(seconds=1)  # the polling interval, beside notifications
QUEUE_CLAIM_MAX = 100
NOTIFICATIONS_PER_SECOND_MAX = 20
LANE_BATCH_MAX = 500  # items one transaction takes
LANE_SHARE = 4  # of them from one account, while others have work there too
SEND_SLOTS = 400  # concurrent sends of a process
SEND_GROUP = 100
# A number that sends 80 a second has one due every 12 ms; claiming each alone would cost too much.
SEND_GATHER = timedelta(milliseconds=100)
TIMER_GATHER = timedelta(milliseconds=20)
OTP_SLOTS = 100  # beside those: passcodes never wait for a batch
OTP_GROUP = 25
TIMER_SLOTS = 400
MOVE_UP_WAIT = timedelta(seconds=2)  # from a place given back until others move up into it
MOVE_UP_MAX = 500  # messages that look for a better place at a time
CLOCK_AHEAD_MAX = timedelta(days=36525)  # how far a sandbox clock may run ahead: a century
CLOCK_STEP_MIN = timedelta(seconds=1)  # the shortest step of an advancing sandbox clock
CLOCK_STEP_WAIT = timedelta(milliseconds=100)  # how long a step waits for jobs that real time adds
CLOCK_FOLLOW_WAIT = timedelta(seconds=2)  # and how long the last step does
CLOCK_SETTLE_MAX = timedelta(seconds=5)  # how long a guest's reply waits for what follows from it
CLOCK_WAIT_MAX = timedelta(seconds=20)  # then webhooks are left to the workers;
CLOCK_REST_MAX = timedelta(seconds=10)  # after this too, the clock moves the rest in one step
CLOCK_LOCK_WAIT = timedelta(seconds=40)  # for another call that moves the same clock
CLOCK_LOCK_RETRY_SECONDS = 10  # Retry-After when that was too short
CLOCK_LOCK_MAX = timedelta(minutes=2)  # the lock of a crashed process expires then

# Database, shutdown, clock (OPEN)
STATEMENT_TIMEOUT = timedelta(seconds=5)
LOCK_TIMEOUT = timedelta(seconds=2)
IDLE_TRANSACTION_TIMEOUT = timedelta(seconds=10)
DATABASE_LOOK = timedelta(seconds=0.5)  # so often we see whether the embedded one still lives
PROCESS_ANSWER_MAX = timedelta(seconds=2)  # one of several processes that takes longer is not alive
SHUTDOWN_DRAIN = timedelta(seconds=20)
SHUTDOWN_POSTS = timedelta(seconds=3)  # webhooks under way; what is cut off is posted again
SHUTDOWN_MAX = timedelta(seconds=25)
CLOCK_SKEW_MAX = timedelta(seconds=60)  # between our clock and another's

assert len(WEBHOOK_ATTEMPT_WAITS) == WEBHOOK_ATTEMPTS_MAX
assert sorted(WEBHOOK_ATTEMPT_WAITS) == list(WEBHOOK_ATTEMPT_WAITS), "waits only grow"
assert OTP_TTL_DEFAULT // timedelta(seconds=1) in OTP_TTL_SECONDS
assert JOB_LEASE > 2 * PLATFORM_RESPONSE_TIMEOUT, "a lease must outlive the slowest send twice"
assert JOB_LEASE > 2 * (WEBHOOK_ROUND_MAX + WEBHOOK_RESPONSE_TIMEOUT), "and the slowest webhook"
assert WEBHOOK_ATTEMPT_WAITS[1] > LOOK_UP_FAILURE_KEPT, "a retry asks afresh"
assert WEBHOOK_SLOTS_THROTTLED <= WEBHOOK_SLOTS_UNPROVEN < WEBHOOK_SLOTS
assert SEND_LEASE_LEFT_MIN > PLATFORM_RESPONSE_TIMEOUT, "a send must end within its lease"
assert SEND_LEASE_LEFT_MIN < JOB_LEASE
assert PLATFORM_SYNC_TIMEOUT < JOB_LEASE, "reading must end within its lease"
assert CALLBACK_SILENCE_MAX > UNKNOWN_GRACE + CALLBACK_MARK_INTERVAL
assert INBOUND_MEDIA_KEPT > INBOUND_MEDIA_LINK_VALIDITY
assert CALLBACK_BYTES_MAX < REQUEST_BYTES_MAX
assert UNKNOWN_GRACE > JOB_LEASE, "the callback of a zombie's send must have had its time"
assert DUPLICATE_WAIT < PLATFORM_RESPONSE_TIMEOUT
assert HALF_OPEN_DELAY_MIN >= JOB_LEASE, "a probe must have ended before the next"
assert PLATFORM_CONNECTIONS_MAX >= PLATFORM_SENDS_MAX + OTP_SLOTS
assert sum(WEBHOOK_ATTEMPT_WAITS, timedelta(0)) < WEBHOOK_FEED_KEPT
assert CLOCK_SKEW_MAX < WEBHOOK_TIMESTAMP_TOLERANCE, "a signature we make must be acceptable"
assert UNDELIVERED_TIMEOUT_DEFAULT / timedelta(minutes=1) <= UNDELIVERED_TIMEOUT_MINUTES.high
assert TIMEOUT_NEAR > 4 * IDLE_TRANSACTION_TIMEOUT, "no transaction lasts as long"
assert NUDGE_AFTER_DEFAULT < CONVERSATION_WINDOW
assert MEDIA_BYTES_MAX * 4 // 3 < REQUEST_BYTES_MAX, "the largest media must fit a request"
assert LIST_LIMIT_DEFAULT in LIST_LIMIT
assert LARGE_BODY_BYTES < REQUEST_BYTES_MAX
assert META_BYTES_MAX < LARGE_BODY_BYTES
assert IDLE_TRANSACTION_TIMEOUT > STATEMENT_TIMEOUT > LOCK_TIMEOUT
assert SHUTDOWN_DRAIN >= PLATFORM_RESPONSE_TIMEOUT, "a send in flight may finish"
assert SHUTDOWN_MAX > SHUTDOWN_DRAIN
assert CLOCK_LOCK_MAX > 2 * (CLOCK_WAIT_MAX + CLOCK_REST_MAX), "a lock outlives its call"
assert BUTTON_PAYLOAD_CHARS.high >= CLIENT_MESSAGE_ID_CHARS.high, "the default payload must fit"
