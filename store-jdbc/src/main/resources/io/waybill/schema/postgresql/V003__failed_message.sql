-- What could not be handled, from every source and for every handler, until somebody retries or discards it.
CREATE TABLE ${prefix}failed_message (
    -- The order in which they failed.
    id              BIGINT       GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    message_id      UUID         NOT NULL,
    handler         VARCHAR(255) COLLATE "C" NOT NULL,
    source          VARCHAR(255) COLLATE "C" NOT NULL,
    category        VARCHAR(16)  NOT NULL,
    type            VARCHAR(255) COLLATE "C" NOT NULL,
    message_key     VARCHAR(255) COLLATE "C" NOT NULL,
    partition_key   VARCHAR(255) COLLATE "C" NOT NULL,
    payload         TEXT         NOT NULL,
    payload_binary  BYTEA,
    headers         TEXT         NOT NULL,
    attempts        INT          NOT NULL,
    -- How often an operator has retried it before it failed; above 0 it has failed again.
    retries         INT          NOT NULL DEFAULT 0,
    attempt_log     TEXT,
    error_class     VARCHAR(255) NOT NULL,
    error           TEXT         NOT NULL,
    stack_trace     TEXT         NOT NULL,
    -- The same for failures that have the same reason.
    fingerprint     VARCHAR(16)  COLLATE "C" NOT NULL,
    first_failed_at TIMESTAMPTZ  NOT NULL,
    last_failed_at  TIMESTAMPTZ  NOT NULL,
    -- Whether later messages of its key wait behind it. Such a row stays while it is retried: its id is its place in the key.
    parks_key       BOOLEAN      NOT NULL DEFAULT FALSE,
    -- The retry that has put it on its way.
    retry_id        UUID
);

-- All that a list of groups reads.
CREATE INDEX ${prefix}failed_message_group ON ${prefix}failed_message
    (fingerprint, id, retries, retry_id, first_failed_at, last_failed_at);
CREATE INDEX ${prefix}failed_message_of_key ON ${prefix}failed_message (handler, source, partition_key, id);
