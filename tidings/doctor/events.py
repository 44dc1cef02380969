"""Invariants of invitations, forms and links: I20 to I22."""

from .model import DROPPED, Check, Invariant, each_row, one

# What the answers that are there add up to: each choice, and '' for the question as a whole.
TALLIED = """
    SELECT account_id, form_id, question_id, choice, count(*) AS people
      FROM (SELECT account_id, form_id, question_id, '' AS choice FROM form_answers
             UNION ALL
            SELECT g.account_id, g.form_id, g.question_id, v.value::text FROM form_answers g
             CROSS JOIN LATERAL jsonb_array_elements(CASE jsonb_typeof(g.value)
                   WHEN 'array' THEN g.value ELSE jsonb_build_array(g.value) END) AS v (value)
             WHERE g.type <> 'comment') AS c
     GROUP BY account_id, form_id, question_id, choice
"""

CHECKS: tuple[Check, ...] = (
    one(
        Invariant(
            "I20",
            "form sends",
            "a form goes to a number once, with a message of its own, and is answered once",
        ),
        f"""
        SELECT s.id::text FROM form_sends s LEFT JOIN messages m
            ON m.account_id = s.account_id AND m.id = s.message_id AND m.kind = 'feedback'
           AND m.recipient = s.phone
         WHERE m.id IS NULL AND NOT {DROPPED.format("s.message_id")}
         UNION ALL
        SELECT m.id::text FROM messages m WHERE m.kind = 'feedback' AND NOT EXISTS (
            SELECT FROM form_sends s WHERE s.account_id = m.account_id AND s.message_id = m.id)
         UNION ALL
        SELECT account_id || ' ' || form_id || ' ' || phone FROM form_sends
         GROUP BY account_id, form_id, phone
        HAVING count(*) FILTER (WHERE NOT freed) > 1 OR count(answered_at) > 1
        """,
    ),
    one(
        Invariant(
            "I20",
            "form figures",
            "the kept figures of forms are not below what they count",
            mended_by="form figures",
        ),
        f"""
        SELECT s.account_id || ' ' || s.form_id || '@' || s.version FROM (
            SELECT account_id, form_id, version, count(*) FILTER (WHERE counted) AS sent,
                   count(answered_at) AS answered
              FROM form_sends GROUP BY account_id, form_id, version) AS s
          LEFT JOIN form_counts c USING (account_id, form_id, version)
         WHERE (s.sent <= c.sent AND s.answered <= c.answered) IS NOT TRUE
         UNION ALL
        SELECT a.account_id || ' ' || a.form_id || ' ' || a.question_id FROM ({TALLIED}) AS a
          LEFT JOIN form_tallies t USING (account_id, form_id, question_id, choice)
         WHERE (a.people <= t.people) IS NOT TRUE
        """,
    ),
    one(
        Invariant(
            "I20",
            "answers to forms",
            "an answer is to a form that was sent, in the version that was sent",
        ),
        """
        SELECT a.send_id || '/' || a.position FROM form_answers a
          LEFT JOIN form_sends s ON s.account_id = a.account_id AND s.id = a.send_id
          LEFT JOIN form_versions v
            ON v.account_id = s.account_id AND v.form_id = s.form_id AND v.version = s.version
         WHERE (a.form_id, a.version) IS DISTINCT FROM (s.form_id, s.version)
            OR s.answered_at IS NULL OR v.version IS NULL
        """,
    ),
    one(
        Invariant("I20", "form events", "feedback.submitted is published once per answered form"),
        """
        SELECT w.message_id::text FROM webhooks w
          LEFT JOIN form_sends s ON s.account_id = w.account_id AND s.message_id = w.message_id
           AND s.answered_at IS NOT NULL
         WHERE w.type = 'feedback.submitted' AND w.message_id IS NOT NULL
         GROUP BY w.account_id, w.message_id HAVING count(*) > 1 OR count(s.id) = 0
        """,
    ),
    one(
        Invariant(
            "I21",
            "invitations",
            "an invitation is its message's: the same guest and event, sent and lost as that is",
        ),
        f"""
        SELECT coalesce(i.message_id, m.id)::text FROM invitations i
          FULL JOIN (SELECT * FROM messages WHERE kind = 'invitation' AND expires_at IS NOT NULL) m
            ON m.account_id = i.account_id AND m.id = i.message_id
         WHERE (m.id IS NULL AND NOT {DROPPED.format("i.message_id")})
            OR (i.message_id IS NULL AND m.status <> 'failed')
            OR i.phone <> m.recipient OR (i.event_id IS DISTINCT FROM m.event_id
            AND i.message_id IS NOT NULL) OR (i.sent_at IS NULL) <> (m.sent_at IS NULL)
            OR i.lost <> (m.status IN ('failed', 'expired', 'cancelled'))
        """,
    ),
    one(
        Invariant(
            "I21", "texts to a guest", "a guest hears each text of an event once for an invitation"
        ),
        """
        SELECT client_message_id FROM messages WHERE kind = 'prompt'
         GROUP BY account_id, client_message_id HAVING count(*) > 1
        """,
    ),
    one(
        Invariant(
            "I21", "kept replies", "a settled reply is kept only of an account that agreed to it"
        ),
        """
        SELECT r.event_id || ' ' || r.settled_at FROM kept_readings r
          JOIN accounts a ON a.id = r.account_id WHERE NOT a.keep_readings
        """,
    ),
    each_row(
        "links l LEFT JOIN (SELECT account_id, code, sum(clicks) AS clicks FROM link_days"
        " GROUP BY account_id, code) d USING (account_id, code)",
        "l.code",
        [
            (
                Invariant(
                    "I22",
                    "opens of a link",
                    "a link was opened at least as often as on its days together",
                ),
                "l.clicks < coalesce(d.clicks, 0)",
            ),
            (
                Invariant(
                    "I22",
                    "times of a link",
                    "a link that was opened has a first and a last time, in this order",
                ),
                "(l.clicks = 0) <> (l.first_click_at IS NULL)"
                " OR (l.clicks = 0) <> (l.last_click_at IS NULL)"
                " OR l.first_click_at > l.last_click_at OR l.clicks < 0",
            ),
        ],
    ),
)
