-- What each handler has handled, by the 16 bytes of the message's id.
CREATE TABLE ${prefix}message_broker_deduplication (
    message_id   BINARY(16)   NOT NULL,
    message_name VARCHAR(255) COLLATE ${collation} NOT NULL,
    processed_at DATETIME(6)  NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
    PRIMARY KEY (message_id, message_name),
    KEY ${prefix}idx_dedup_processed_at (processed_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;
