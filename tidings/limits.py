"""Every duration and limit of the specification (section 8), and our own limits. Pure.

Names follow the specification and end with their unit. OPEN marks values that the specification
does not fix, so we chose them. Sizes are binary, characters are Unicode code points.
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
USED_IDS_KEPT = timedelta(hours=72)  # longer than the window, by any clock; reliability.md
CONVERSATION_WINDOW = timedelta(hours=24)
SCHEDULE_AHEAD_YEARS_MAX = 1
META_BYTES_MAX = 4 * KIB
META_SENT_BYTES_MAX = 16 * KIB  # OPEN: as received and stored, including whitespace and escapes
LOOKUP_ID_CHARS_MAX = 512  # OPEN: an id in a lookup
BUTTON_PAYLOADS = Between(1, 10)
BUTTON_PAYLOAD_CHARS = Between(1, 128)
MESSAGE_CHARS_MAX = 4096  # OPEN: the platform's limit
CAPTION_CHARS_MAX = 1024  # OPEN: the platform's limit
TEMPLATE_NAME_CHARS = Between(1, 512)  # OPEN
TEMPLATE_PARAMS_MAX = 64  # OPEN
TEMPLATE_PARAM_CHARS = Between(1, 1024)  # OPEN
UNDELIVERED_TIMEOUT_DEFAULT = timedelta(days=30)  # OPEN: the platform itself gives up by then
TIMEOUT_SLACK = timedelta(hours=1)  # after a longer wait the time-out of a message is recalculated
# A sweep may pass a time-out this close before the transaction that inserts it has committed.
TIMEOUT_NEAR = timedelta(minutes=2)
UNDELIVERED_TIMEOUT_MINUTES = Between(1, 30 * 24 * 60)  # OPEN

# Duplicates of a clientMessageId: the loser of a race waits for the winner's result (OPEN)
DUPLICATE_WAIT = timedelta(seconds=8)
DUPLICATE_POLL = timedelta(milliseconds=100)
PURGE_PAGE_ROWS = 1000
TIMEOUTS_EXAMINED_MAX = 10_000  # messages that one scan for overdue ones reads

# Passcodes (4.2)
OTP_CODE_CHARS = Between(1, 15)
OTP_TTL_SECONDS = Between(60, 3600)
OTP_TTL_DEFAULT = timedelta(seconds=600)
OTP_RESEND_TTL_LEFT_MIN = timedelta(seconds=15)  # OPEN: with less, a retry would be too late

# Batches (4.3)
BATCH_TEXT_MESSAGES_MAX = 1000
BATCH_MEDIA_MESSAGES_MAX = 50
BATCH_PROGRESS_STEP_PERCENT = 5
BATCH_PROGRESS_INTERVAL = timedelta(seconds=60)
BATCH_NAME_CHARS_MAX = 128  # OPEN
UPLOAD_ROWS_MAX = 10_000  # of a CSV file in the portal
UPLOAD_COLUMNS_MAX = 100  # OPEN
UPLOAD_BYTES_MAX = 10 * MIB  # OPEN
UPLOADS_KEPT_MAX = 20  # OPEN: of an account, before they are sent
UPLOAD_KEPT = timedelta(days=1)  # OPEN
BATCH_FAULTS_BYTES_MAX = MIB  # OPEN: refused items with detailed errors; others get short ones

# Rich messages (4.4)
RICH_BODY_CHARS_MAX = 1024
RICH_BUTTON_TEXT_CHARS_MAX = 20
RICH_BUTTON_ID_CHARS = Between(1, 256)  # OPEN: the platform's limit
RICH_TITLE_CHARS_MAX = 60
RICH_FOOTER_CHARS_MAX = 60
RICH_REPLY_BUTTONS_MAX = 3
RICH_URL_BUTTONS_MAX = 1

# Media (4.5, 4.13)
MEDIA_BYTES_MAX = 5 * MIB
MEDIA_TYPES = ("image/jpeg", "image/png", "application/pdf")
INBOUND_MEDIA_LINK_VALIDITY = timedelta(days=7)
IMAGE_PIXELS_MAX = 50_000_000  # OPEN: read from the header; images are never decoded here
MEDIA_KEPT = timedelta(days=90)  # OPEN: how long a mediaId is valid after its last use; real time
MEDIA_KEPT_STEP = timedelta(days=1)  # a use extends it at most this often
MEDIA_HELD = timedelta(hours=1)  # OPEN: by a running request; no request lasts longer
STORAGE_PER_ACCOUNT_DEFAULT = "2GB"  # OPEN: total size of an account's files
DISK_FREE_MIN = 200 * MIB  # OPEN: with less free space, uploads to a folder are refused
FILENAME_CHARS_MAX = 240  # OPEN: as stored; longer names are truncated
FILENAME_GIVEN_CHARS_MAX = 16 * KIB  # OPEN
MIMETYPE_CHARS_MAX = 255  # OPEN

# Events and replies (4.10, 6.2)
EVENT_ID_CHARS = Between(4, 64)
EVENT_TEXT_CHARS = Between(1, MESSAGE_CHARS_MAX)  # OPEN
NUDGE_AFTER_DEFAULT = timedelta(minutes=120)  # OPEN
NUDGE_AFTER_MINUTES = Between(1, 24 * 60)  # OPEN: later, the window would be closed anyway
GUESTS_PER_ANSWER = Between(1, 999)  # OPEN: as many as a reply may name
GUESTS_EXAMINED_MAX = 2000  # OPEN: for one page of a filtered list; a short page leads on
EVENT_COUNTS_KEPT_FROM = 50  # OPEN: guests; smaller events are counted for each request
EVENT_COUNTS_STALE_FROM = 1000  # OPEN: guests of an event whose figures may lag,
EVENT_COUNTS_LAG_GUESTS = 10_000  # by one second for so many guests
EVENT_COUNTS_KEPT = timedelta(minutes=1)  # OPEN: at most, even where nothing happened

# Recipients (4.11)
NUMBERS_PER_CHECK_MAX = 500
OPTOUTS_PER_CHECK_MAX = 500  # OPEN

# Links (4.8)
LINK_CODE_CHARS = 12  # OPEN: 71 bits, not guessable
URL_CHARS_MAX = 2048  # OPEN
IDNA_LETTERS_MAX = 64  # OPEN: non-ASCII letters in a host; a label has room for fewer

# Partners and money (4.15)
TOPUP_MESSAGES = Between(1, 10_000_000)
REFERENCE_CHARS_MAX = 128  # OPEN
NOTE_CHARS_MAX = 1000  # OPEN
REASON_CHARS_MAX = 300  # why an operator pauses all sending
AMOUNT_MINOR_MAX = 10**14 - 1  # OPEN: 999,999,999,999.99
RATE_MICRO_MAX = 10**12  # OPEN: 1,000,000.000000 a message
INVOICE_DUE_AFTER = timedelta(days=14)  # OPEN: for invoices that we issue ourselves
USAGE_DAYS_MAX = 400  # OPEN: in one usage query
USAGE_DAYS_DEFAULT = 30
FORECAST_DAYS = 14  # OPEN: past days whose usage is projected forward

# Lists (OPEN)
LIST_LIMIT = Between(1, 200)
LIST_LIMIT_DEFAULT = 50
LIST_BYTES_MAX = 2 * MIB  # of payloads: a page ends at this size, whatever its limit
PHONE_MESSAGES_MAX = 200  # the newest messages that a sandbox phone shows
PHONE_BYTES_MAX = MIB  # of those messages, per direction

# Webhook delivery (6.1). Each wait is counted from the end of the previous attempt.
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
WEBHOOK_TIMESTAMP_TOLERANCE = timedelta(seconds=300)  # receivers should refuse older timestamps
WEBHOOK_ANSWER_BYTES_MAX = 16 * KIB  # OPEN: the rest of the response is not read
WEBHOOK_ANSWER_KEPT_BYTES = KIB  # OPEN: of a response that is no success, for its owner to see;
WEBHOOK_SUCCESS_KEPT_BYTES = 256  # OPEN: and of one that is
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
WEBHOOK_ORDER_WAIT = timedelta(milliseconds=250)  # OPEN: until it is checked again whether another
# process has attempted an earlier webhook of the message
WEBHOOK_ROUND_MAX = timedelta(seconds=2)  # OPEN: deliveries not posted by then are released
WEBHOOK_FEED_KEPT = timedelta(days=30)  # OPEN: the catch-up feed
WEBHOOK_FEED_WAIT_SECONDS = Between(0, 20)  # OPEN: long polling
WEBHOOK_RETRIES_AT_ONCE = 1000  # OPEN: failed webhooks that one call or job retries
WEBHOOK_VERIFIED_CHARS_MAX = 64 * KIB  # OPEN: of a body checked by the signature doctor
DNS_TIMEOUT = timedelta(seconds=3)  # OPEN
LOOK_UPS_MAX = 128  # OPEN: threads; an account may hold a quarter of those that are free
LOOK_UP_FAILURE_KEPT = timedelta(seconds=5)  # OPEN: less than the wait for the second attempt

# Keys and secrets (OPEN)
SECRET_OVERLAP = timedelta(hours=24)  # a rotated signing secret still signs X-Signature-Previous
KEY_OVERLAP_DAYS = Between(0, 7)  # how long a rotated key stays valid, chosen by its owner
API_KEY_BYTES_MAX = 256
KEY_NAME_CHARS_MAX = 100
REQUEST_LOG_KEPT = timedelta(days=7)
REQUEST_LOG_WAITING_MAX = 10_000  # calls in memory; more are dropped and counted
CLOCK_COMPARED_EVERY = timedelta(minutes=1)  # with the database's (reliability.md 2.16)
REQUEST_LOG_FLUSHED_EVERY = timedelta(milliseconds=250)
REQUEST_LOG_BODIES_MAX = 10  # of an account, between two flushes; the others are logged without
REQUEST_LOG_BODY_CHARS_MAX = 4096
REQUEST_LOG_PATH_CHARS_MAX = 500
REQUEST_LOG_SEARCHED_MAX = 50_000  # calls that one page looks through
RETENTION_DAYS = Between(1, 3650)  # of an account that wants people erased after a while
RETENTION_EVERY = timedelta(days=1)  # by the account's clock
RETENTION_PAGE_ROWS = 1000  # that one transaction deletes
OLD_MONTH_WAIT = timedelta(days=92)  # before the rows of a month that cannot be dropped are deleted
DROP_MONTH_TRIES = 5  # to lock its tables, of half a second each
DROP_MONTH_RETRIED_AFTER = timedelta(seconds=1)
ERASURE_PAGE_ROWS = 500  # messages that one transaction of an erasure changes
ERASURE_SCANNED_ROWS = 5000  # events or calls that one transaction looks through for a number
ERASURE_RESUMED_AFTER = timedelta(
    seconds=30
)  # one that did not finish: a crash, or a send under way
PERSON_EVENTS_SEARCHED_MAX = 20_000  # of the newest, where a page says what is kept
LOGGED_BODY_BYTES_MAX = 16_384  # of a larger body only the size is logged
KEY_USE_NOTED_EVERY = timedelta(minutes=1)  # last used, as keys show it
UNKNOWN_KEYS_PER_MINUTE_MAX = 60  # per address

# People and sessions (portal.md, "Who signs in"; the rest OPEN)
SESSION_IDLE = timedelta(hours=12)
SESSION_SEEN_EVERY = timedelta(minutes=1)  # how often it is written that a session was used
SESSIONS_LISTED_MAX = 100
USER_AGENT_CHARS_MAX = 300
PASSWORD_CHARS = Between(12, 200)
EMAIL_CHARS_MAX = 254
ORGANISATION_CHARS = Between(1, 80)
SIGN_IN_WINDOW = timedelta(minutes=15)
WRONG_PER_PERSON_MAX = 5  # sign-ins in that time, and codes of the second factor
WRONG_PER_ADDRESS_MAX = 50
SIGN_UP_WINDOW = timedelta(hours=1)
SIGN_UPS_PER_ADDRESS_MAX = 60
INVITATION_WINDOW = timedelta(hours=1)
INVITATIONS_PER_ORGANISATION_MAX = 50
INVITATIONS_PER_ADDRESS_MAX = 200  # of all organisations that are signed up from there
SECOND_FACTOR_WAIT = timedelta(minutes=10)  # between the password and the code
RECOVERY_CODES = 10
WELCOME_VALIDITY = timedelta(days=7)
DEMO_WELCOME_VALIDITY = timedelta(hours=1)
PASSWORDS_AT_ONCE = 2  # hashed in threads, 32 MiB each
PASSWORDS_WAITING_MAX = 100
MAIL_TIMEOUT = timedelta(seconds=10)

# The HTTP intake. REQUEST_BYTES_MAX is the specification's, the rest OPEN.
REQUEST_BYTES_MAX = 20 * MIB
REQUESTS_PER_MINUTE_DEFAULT = 600
RATE_ANSWER_TIMEOUT = timedelta(milliseconds=50)  # then the request is admitted
HEADER_BYTES_MAX = 16 * KIB
HEADERS_MAX = 100
HEADERS_TIMEOUT = timedelta(seconds=5)
BODY_TIMEOUT = timedelta(seconds=30)
BODY_BYTES_PER_SECOND_MIN = 10 * KIB
BODY_SLOW_START = timedelta(seconds=5)  # the minimum speed applies only after this
READ_BYTES_PER_SECOND_MIN = 10 * KIB  # a client that reads the response more slowly is disconnected
READING_WINDOW = timedelta(seconds=20)  # the window over which that speed is measured
KEEP_ALIVE = timedelta(seconds=15)
CONNECTIONS_MAX = 1000
CONNECTIONS_PER_ADDRESS_MAX = 100
LARGE_BODY_BYTES = MIB
LARGE_BODIES_BYTES_MAX = 4 * REQUEST_BYTES_MAX  # in memory at once; further ones wait
LARGE_BODY_WAIT = timedelta(seconds=5)
REQUESTS_STARTED_PER_ITERATION = 8  # of the event loop, while several accounts are active
BATCHES_AT_ONCE = 4  # of all accounts, each with a database connection
BATCHES_PER_ACCOUNT = 2  # one is parsed while another is written; further ones wait
BATCHES_WAITING_MAX = 64  # further ones are refused
JSON_DEPTH_MAX = 32
JSON_ITEMS_MAX = 4096  # in one list or object: more than fit in `meta`
JSON_TOKENS_MAX = 1_000_000  # brackets and commas of a body, outside small groups (outline.py)
JSON_PIECE_BYTES = 256 * KIB  # decoded in one call; a larger body is decoded in pieces
LOOP_SLICE = timedelta(milliseconds=5)  # after it, work on a large body yields to other tasks

# Dispatch to the platform (OPEN)
PLATFORM_CONNECT_TIMEOUT = timedelta(seconds=3)
PLATFORM_RESPONSE_TIMEOUT = timedelta(seconds=20)  # the whole call
PLATFORM_CONNECTIONS_MAX = 600  # of one process
PLATFORM_SENDS_MAX = 450  # the other connections are reserved for passcodes
PLATFORM_MEDIA_KEPT = timedelta(days=25)  # an uploaded file's id; the platform keeps it for 30
PLATFORM_SYNC_INTERVAL = timedelta(minutes=5)  # templates and numbers of live accounts
PLATFORM_SYNC_SOON = timedelta(seconds=2)  # after a callback that reports a change
PLATFORM_SYNC_TIMEOUT = timedelta(seconds=45)  # all reads of one account
PLATFORM_SYNC_PAGES_MAX = 100  # of one list
PLATFORM_SYNC_SLOTS = 8  # accounts read at once, per process
SEND_LEASE_LEFT_MIN = timedelta(seconds=25)  # with less left, the message is released unsent
SEND_OTP_SLOTS_PERCENT = 25  # share of the slots that is reserved for passcodes
UNKNOWN_GRACE = timedelta(seconds=120)  # while callbacks arrive
UNKNOWN_MAX = timedelta(hours=24)  # without any callback; then the message fails
UNKNOWN_PROBE_MIN = timedelta(seconds=1)  # interval of status checks meanwhile, with backoff
UNKNOWN_PROBE_MAX = timedelta(minutes=1)
HOLD_PROBE_MIN = timedelta(seconds=2)  # first check of a message deferred without a known end;
HOLD_PROBE_MAX = timedelta(hours=1)  # the interval grows to this
HOLD_RETRY_MIN = timedelta(minutes=5)  # first check if the platform itself refused the message
SLOT_WAIT_MAX = timedelta(seconds=1)  # how long a send waits for its slot before it is deferred
HALF_OPEN_DELAY_MIN = timedelta(minutes=1)  # of an open circuit; doubled each time
HALF_OPEN_DELAY_MAX = timedelta(hours=1)
FAULT_RELAPSE = timedelta(hours=1)  # a fault this soon after the last one continues it
RATE_HALVINGS_MAX = 10  # how many times a throttled number's rate is halved at most
RATE_HALVING_INTERVAL_MIN = timedelta(seconds=5)  # one halving for all messages in flight
RATE_RECOVERY_STEP = timedelta(minutes=1)  # after which the rate doubles again

# Feedback forms (OPEN: the limits of the platform's flows, lower where a phone shows less)
FORM_QUESTIONS_MAX = 20
FORM_BUTTON_CHARS_MAX = 20
FORM_TEXT_CHARS_MAX = 1024  # of the message that carries the form
FORM_SINGLE_OPTIONS_MAX = 200
FORM_MULTI_OPTIONS_MAX = 20
FORM_COMMENT_CHARS_MAX = 600
FORM_COMMENTS_SHOWN_MAX = 200  # of a question, in the results of a form
FORM_ANSWERS_MAX = 64  # in one sandbox submission: more than a form has questions
FORM_BUILD_WAITS = (  # between two attempts to publish a form on the platform
    timedelta(seconds=10),
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=1),
)

# Platform callbacks (OPEN)
CALLBACK_BYTES_MAX = 3 * MIB  # the platform's maximum
CALLBACKS_BYTES_MAX = 8 * CALLBACK_BYTES_MAX  # large ones in memory at once
CALLBACK_MARK_INTERVAL = timedelta(seconds=5)  # how often the time of the last callback is stored
CALLBACK_SILENCE_MAX = timedelta(minutes=5)  # after it, the callback channel counts as down
CALLBACK_DEAD_LETTERS_MAX = 10_000  # the oldest are deleted first
CALLBACK_DEAD_LETTERS_KEPT = timedelta(days=30)
INBOUND_RAW_BYTES_MAX = MIB  # of one guest message; a longer one is truncated
INBOUND_MEDIA_BYTES_MAX = 100 * MIB  # the largest document a guest can send
INBOUND_MEDIA_STREAMS_MAX = 32  # concurrent, per process: sends need connections too
DOCUMENTS_AT_ONCE = 2  # typeset in one process: each takes a core
INBOUND_MEDIA_WAIT = timedelta(seconds=5)  # for a free stream
INBOUND_MEDIA_KEPT = timedelta(days=8)  # where a guest's file is: a day longer than its link

# Queue (OPEN)
JOB_LEASE = timedelta(seconds=60)
JOB_GROUP_MAX = 40  # jobs that share a lease; the row is then still too small for TOAST
JOB_CRASHES_MAX = 3  # expired leases; then the job is dead-lettered
CRASHED_JOBS_AT_ONCE = 5  # of a pool in one process: each needs a connection for itself
CRASHED_JOBS_WAIT = timedelta(milliseconds=100)  # until more of them are claimed
HEALTH_COUNT_MAX = 10_000  # due jobs of a pool that the health page counts
QUEUE_IDLE_WAIT = timedelta(seconds=1)  # the polling interval, in addition to notifications
QUEUE_CLAIM_MAX = 100
NOTIFICATIONS_PER_SECOND_MAX = 20
LANE_BATCH_MAX = 500  # items per transaction
# A callback about a message whose send is not recorded yet waits for that: in this process at most
# so long, for another process so often.
OUTCOME_WAIT_MAX = timedelta(seconds=2)
OUTCOME_RECHECK = timedelta(milliseconds=50)
OUTCOME_RECHECKS_MAX = 40
RECENT_MESSAGES_MAX = 5_000  # in the memory of a process, for their callbacks
LANE_GATE_WAIT_MAX = timedelta(milliseconds=25)  # for the transaction of another lane
LANE_SHARE = 4  # items of one account per transaction, under contention
SEND_SLOTS = 400  # concurrent sends of a process
SEND_GROUP = 100
# At 80 a second a number has a message due every 12 ms; claiming each one alone is too expensive.
SEND_GATHER = timedelta(milliseconds=100)
TIMER_GATHER = timedelta(milliseconds=20)
OTP_SLOTS = 100  # in addition: passcodes never wait for a batch
OTP_GROUP = 25
TIMER_SLOTS = 400
MOVE_UP_WAIT = timedelta(seconds=2)  # from a released reservation until messages move up
MOVE_UP_MAX = 500  # messages that move up in one pass
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
CONTENTION_RETRIES_MAX = 4  # of a transaction whose loss would lose a result
IDLE_TRANSACTION_TIMEOUT = timedelta(seconds=10)
DATABASE_LOOK = timedelta(seconds=0.5)  # how often the embedded server is checked
PROCESS_ANSWER_MAX = timedelta(seconds=2)  # a process that takes longer counts as dead
SHUTDOWN_DRAIN = timedelta(seconds=20)
SHUTDOWN_POSTS = timedelta(seconds=3)  # for running webhook posts; interrupted ones are retried
SHUTDOWN_MAX = timedelta(seconds=25)
CLOCK_SKEW_MAX = timedelta(seconds=60)  # between two hosts' clocks

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
