-- A leading 00 is the international prefix (contract2.md A): a person is known by the number without
-- it. What the caller wrote is kept beside a message, only where it differs, to be given back.

-- What was stored under such a number before joins the person it belongs to; rarely is there any.
-- Where both have been charged for, or have had the same form, the second keeps its rows and messages:
-- the books say that there were two.
CREATE TEMPORARY TABLE joined ON COMMIT DROP AS
SELECT account_id, phone AS given, substr(phone, 3) AS phone FROM contacts
 WHERE phone ~ '^00([1-9][0-9]|0[1-9])[0-9]{6,18}$';

INSERT INTO contacts (account_id, phone, number, delivered_at, opted_out_at, opt_source)
SELECT c.account_id, j.phone, c.number, c.delivered_at, c.opted_out_at, c.opt_source
  FROM joined j JOIN contacts c ON c.account_id = j.account_id AND c.phone = j.given
ON CONFLICT (account_id, phone) DO UPDATE
   SET number = coalesce(contacts.number, excluded.number),
       delivered_at = least(contacts.delivered_at, excluded.delivered_at),
       opted_out_at = least(contacts.opted_out_at, excluded.opted_out_at),
       opt_source = coalesce(contacts.opt_source, excluded.opt_source);
DELETE FROM contacts c USING joined j WHERE c.account_id = j.account_id AND c.phone = j.given;

INSERT INTO conversations (account_id, phone, number, last_heard_at)
SELECT v.account_id, j.phone, v.number, v.last_heard_at
  FROM joined j JOIN conversations v ON v.account_id = j.account_id AND v.phone = j.given
ON CONFLICT (account_id, phone, number) DO UPDATE
   SET last_heard_at = greatest(conversations.last_heard_at, excluded.last_heard_at);
DELETE FROM conversations v USING joined j WHERE v.account_id = j.account_id AND v.phone = j.given;

UPDATE reach r SET phone = j.phone FROM joined j
 WHERE r.account_id = j.account_id AND r.phone = j.given
   AND NOT EXISTS (SELECT FROM reach o WHERE o.account_id = r.account_id AND o.meter = r.meter
                      AND o.phone = j.phone);

UPDATE charged_numbers n SET phone = j.phone FROM joined j
 WHERE n.account_id = j.account_id AND n.phone = j.given
   AND NOT EXISTS (SELECT FROM charged_numbers o WHERE o.account_id = n.account_id
                      AND o.subscription_id = n.subscription_id AND o.term = n.term
                      AND o.phone = j.phone);

UPDATE form_sends s SET phone = j.phone FROM joined j
 WHERE s.account_id = j.account_id AND s.phone = j.given
   AND NOT EXISTS (SELECT FROM form_sends o WHERE o.account_id = s.account_id
                      AND o.form_id = s.form_id AND o.phone = j.phone);

UPDATE invitations i SET phone = j.phone FROM joined j
 WHERE i.account_id = j.account_id AND i.phone = j.given
   AND NOT EXISTS (SELECT FROM charged_numbers n WHERE n.account_id = i.account_id
                      AND n.phone = j.given AND n.message_id = i.message_id);

UPDATE inbound i SET phone = j.phone FROM joined j
 WHERE i.account_id = j.account_id AND i.phone = j.given;

ALTER TABLE messages ADD COLUMN recipient_given text;

UPDATE messages m SET recipient = j.phone, recipient_given = m.recipient FROM joined j
 WHERE m.account_id = j.account_id AND m.recipient = j.given
   AND NOT EXISTS (SELECT FROM charged_numbers n WHERE n.account_id = m.account_id
                      AND n.phone = j.given AND n.message_id = m.id)
   AND NOT EXISTS (SELECT FROM form_sends s WHERE s.account_id = m.account_id
                      AND s.phone = j.given AND s.message_id = m.id);

-- The lists of allowed recipients: a file that is applied again is read in the same way.
UPDATE accounts SET allowlist = (
    SELECT array_agg(DISTINCT regexp_replace(n, '^00(?=([1-9][0-9]|0[1-9])[0-9]{6,18}$)', ''))
      FROM unnest(allowlist) AS n)
 WHERE EXISTS (SELECT FROM unnest(allowlist) AS n WHERE n LIKE '00%');
