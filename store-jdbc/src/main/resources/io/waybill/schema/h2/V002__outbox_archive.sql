-- Where cleanup looks: only what was dispatched or discarded has a time.
-- lock: writing to the outbox waits while the index is built
CREATE INDEX ${prefix}outbox_dispatched ON ${prefix}outbox (dispatched_at);

-- Messages that were cleaned up and kept: the columns of the outbox.
CREATE TABLE ${prefix}outbox_archive (
    outbox_id      UUID         PRIMARY KEY,
    id             BIGINT       NOT NULL,
    category       VARCHAR(16)  NOT NULL,
    type           VARCHAR(255) NOT NULL,
    destination    VARCHAR(255) NOT NULL,
    message_key    VARCHAR(255) NOT NULL,
    partition_key  VARCHAR(255) NOT NULL,
    payload        CHARACTER LARGE OBJECT NOT NULL,
    payload_binary BINARY LARGE OBJECT,
    headers        CHARACTER LARGE OBJECT NOT NULL,
    status         VARCHAR(16)  NOT NULL,
    retry_count    INT          NOT NULL,
    last_error     CHARACTER LARGE OBJECT,
    attempt_log    CHARACTER LARGE OBJECT,
    retries        INT          NOT NULL,
    available_at   TIMESTAMP(6) WITH TIME ZONE,
    created_at     TIMESTAMP(6) WITH TIME ZONE NOT NULL,
    dispatched_at  TIMESTAMP(6) WITH TIME ZONE,
    archived_at    TIMESTAMP(6) WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL
);
