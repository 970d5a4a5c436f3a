-- Where cleanup looks: only what was dispatched or discarded has a time.
-- lock: a short one, the index is built while the table is used
CREATE INDEX ${prefix}outbox_dispatched ON ${prefix}outbox (dispatched_at);

-- Messages that were cleaned up and kept: the columns of the outbox.
CREATE TABLE ${prefix}outbox_archive (
    outbox_id      VARCHAR(36)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    id             BIGINT       NOT NULL,
    category       VARCHAR(16)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    type           VARCHAR(255) COLLATE ${collation} NOT NULL,
    destination    VARCHAR(255) COLLATE ${collation} NOT NULL,
    message_key    VARCHAR(255) COLLATE ${collation} NOT NULL,
    partition_key  VARCHAR(255) COLLATE ${collation} NOT NULL,
    payload        LONGTEXT     NOT NULL,
    payload_binary LONGBLOB,
    headers        LONGTEXT     NOT NULL,
    status         VARCHAR(16)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    retry_count    INT          NOT NULL,
    last_error     TEXT,
    attempt_log    MEDIUMTEXT,
    retries        INT          NOT NULL,
    available_at   DATETIME(6),
    created_at     DATETIME(6)  NOT NULL,
    dispatched_at  DATETIME(6),
    archived_at    DATETIME(6)  NOT NULL DEFAULT (UTC_TIMESTAMP(6))
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;
