-- What was dispatched or discarded, in the order of insertion: where cleanup and people look. An append does not touch it.
-- Not by time: every index more costs a fifth of the speed of the relay.
-- lock: writing to the outbox waits while the index is built
CREATE INDEX ${prefix}outbox_settled ON ${prefix}outbox (id)
    WHERE dispatched_at IS NOT NULL;

-- Messages that were cleaned up and kept: the columns of the outbox.
CREATE TABLE ${prefix}outbox_archive (
    outbox_id      UUID         NOT NULL PRIMARY KEY,
    id             BIGINT       NOT NULL,
    category       VARCHAR(16)  NOT NULL,
    type           VARCHAR(255) COLLATE "C" NOT NULL,
    destination    VARCHAR(255) COLLATE "C" NOT NULL,
    message_key    VARCHAR(255) COLLATE "C" NOT NULL,
    partition_key  VARCHAR(255) COLLATE "C" NOT NULL,
    payload        TEXT         NOT NULL,
    payload_binary BYTEA,
    headers        TEXT         NOT NULL,
    status         VARCHAR(16)  COLLATE "C" NOT NULL,
    retry_count    INT          NOT NULL,
    last_error     TEXT,
    attempt_log    TEXT,
    retries        INT          NOT NULL,
    available_at   TIMESTAMPTZ,
    created_at     TIMESTAMPTZ  NOT NULL,
    dispatched_at  TIMESTAMPTZ,
    archived_at    TIMESTAMPTZ  NOT NULL DEFAULT clock_timestamp()
);
