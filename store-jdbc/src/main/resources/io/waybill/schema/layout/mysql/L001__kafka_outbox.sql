-- Written by the application: topic and payload_json, and payload_headers, key and partition_key where it wants to. The rest is ours.
CREATE TABLE ${table} (
    id                BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    batch_id          VARCHAR(36),
    push_started_at   DATETIME(6),
    push_completed_at DATETIME(6),
    topic             VARCHAR(255) COLLATE ${collation} NOT NULL,
    payload_json      LONGTEXT     NOT NULL,
    payload_headers   TEXT         NOT NULL DEFAULT (''),
    push_attempts     INT          NOT NULL DEFAULT 0,
    `key`             VARCHAR(255) COLLATE ${collation} NOT NULL DEFAULT '',
    partition_key     VARCHAR(255) COLLATE ${collation} NOT NULL DEFAULT '',
    errored           INT          NOT NULL DEFAULT 0,
    error_reason      VARCHAR(255) NOT NULL DEFAULT '',
    created_at        DATETIME(6)  NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
    KEY ${table}_push_completed_at (push_completed_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE INDEX ${table}_ready ON ${table} (push_completed_at, errored, topic, id);
