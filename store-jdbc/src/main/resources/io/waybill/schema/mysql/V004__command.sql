-- Commands and their answers.
CREATE TABLE ${prefix}command (
    command_id      VARCHAR(36)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    type            VARCHAR(255) COLLATE ${collation} NOT NULL,
    idempotency_key VARCHAR(255) COLLATE ${collation} NOT NULL,
    business_key    VARCHAR(255) COLLATE ${collation} NOT NULL DEFAULT '',
    correlation_id  VARCHAR(36)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    attempt         INT          NOT NULL DEFAULT 1,
    payload         LONGTEXT     NOT NULL,
    status          VARCHAR(16)  COLLATE ${collation} NOT NULL DEFAULT 'PENDING',
    reply           LONGTEXT     NOT NULL DEFAULT (''),
    -- When its sender stops waiting; empty when it is over, or its sender waits for ever.
    timeout_at      DATETIME(6),
    created_at      DATETIME(6)  NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
    updated_at      DATETIME(6)  NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
    UNIQUE KEY ${prefix}command_idempotency_key (idempotency_key),
    KEY ${prefix}command_timeout_at (timeout_at),
    KEY ${prefix}command_created_at (created_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;
