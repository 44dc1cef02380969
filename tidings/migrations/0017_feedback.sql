-- Feedback forms (4.6): their versions, where the platform has them, who got one, what came back.
-- All times here are the account's own, but for those of form_flows.

CREATE TABLE forms (
    account_id uuid NOT NULL REFERENCES accounts,
    form_id    text NOT NULL,
    declared   boolean NOT NULL,                     -- by the file of `tidings apply`
    retired_at timestamptz,                          -- the file does not name it any more
    created_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, form_id)
);

CREATE TABLE form_versions (
    account_id uuid NOT NULL,
    form_id    text NOT NULL,
    version    integer NOT NULL CHECK (version > 0),
    state      text NOT NULL CHECK (state IN ('draft', 'submitted', 'approved', 'published', 'superseded')),
    content    jsonb NOT NULL,                       -- features/feedback/model.py: Form; never changes
    created_at timestamptz NOT NULL,
    moved_at   timestamptz NOT NULL,                 -- when its state last changed
    PRIMARY KEY (account_id, form_id, version),
    FOREIGN KEY (account_id, form_id) REFERENCES forms
);

CREATE TABLE form_flows (                            -- live: one for each business account at the platform
    account_id uuid NOT NULL,
    form_id    text NOT NULL,
    version    integer NOT NULL,
    waba_id    text NOT NULL,
    flow_id    text,
    stage      text NOT NULL CHECK (stage IN ('wanted', 'draft', 'filled', 'published', 'offered')),
    problem    text,                                 -- why it went no further
    tried_at   timestamptz NOT NULL,                 -- real time
    PRIMARY KEY (account_id, form_id, version, waba_id),
    FOREIGN KEY (account_id, form_id, version) REFERENCES form_versions,
    CONSTRAINT form_flows_id CHECK ((stage = 'wanted') = (flow_id IS NULL))
);

CREATE TABLE form_sends (
    account_id  uuid NOT NULL,
    id          uuid NOT NULL,
    form_id     text NOT NULL,
    version     integer NOT NULL,
    phone       text NOT NULL,
    message_id  uuid NOT NULL,
    created_at  timestamptz NOT NULL,
    freed       boolean NOT NULL DEFAULT false,      -- it never arrived, and another took its place
    answered_at timestamptz,                         -- the first answer; kept when the answers are forgotten
    PRIMARY KEY (account_id, id)
);
-- Once per number (4.6).
CREATE UNIQUE INDEX form_sends_once ON form_sends (account_id, form_id, phone) WHERE NOT freed;
CREATE UNIQUE INDEX form_sends_of_message ON form_sends (account_id, message_id);
CREATE INDEX form_sends_of_person ON form_sends (account_id, phone, form_id);

CREATE TABLE form_answers (                          -- a row for each question that was answered
    account_id  uuid NOT NULL,
    send_id     uuid NOT NULL,
    place       smallint NOT NULL,                   -- of the question in its version, from 0
    form_id     text NOT NULL,
    version     integer NOT NULL,
    question_id text NOT NULL,
    type        text NOT NULL CHECK (type IN ('rating', 'single', 'multi', 'comment')),
    value       jsonb NOT NULL,                      -- a number, a text, a list of texts
    PRIMARY KEY (account_id, send_id, place),
    FOREIGN KEY (account_id, send_id) REFERENCES form_sends
);
CREATE INDEX form_answers_of_form ON form_answers (account_id, form_id);
