"""The chapters of the reference, in the order in which people need them."""

CHAPTERS = {
    "Messages": "Send one message, a passcode, a batch or a rich message, and follow what becomes"
    " of it.",
    "Events": "Register an event, invite guests, and read what they answered.",
    "Webhooks": "What the service posts to your server: failed deliveries, retries, the catch-up"
    " feed, and a check of signatures.",
    "Feedback": "Send a form that the guest fills in inside the messaging app.",
    "Links": "Short links that count their opens.",
    "Recipients": "Who was reached before, and who asked to stop.",
    "Account": "Whether sending would work now, and how much of it.",
    "Billing": "Balance, usage, charges and invoices.",
    "Partner": "Capacity, transfers and the ledger of a partner account.",
    "Sandbox": "Be the guest, move the clock, change a number's health: for sandbox keys only.",
    "Service": "Whether the service is up, and this description of it.",
    "Platform": "Called by the messaging platform, not by you.",
}
