-- What each handler has handled, by the 16 bytes of the message's id.
CREATE TABLE ${prefix}message_broker_deduplication (
    message_id   UUID         NOT NULL,
    message_name VARCHAR(255) COLLATE "C" NOT NULL,
    processed_at TIMESTAMPTZ  NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (message_id, message_name)
);

CREATE INDEX ${prefix}idx_dedup_processed_at ON ${prefix}message_broker_deduplication (processed_at);
