-- The tables of Appendix A of the guide: command, inbox, outbox.
CREATE TABLE command (
    command_id      UUID PRIMARY KEY,
    type            VARCHAR(100) NOT NULL,
    idempotency_key VARCHAR(200) NOT NULL UNIQUE,
    business_key    VARCHAR(200),
    payload         TEXT NOT NULL,
    status          VARCHAR(20) NOT NULL CHECK (status IN ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED')),
    created_at      TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE inbox (
    message_id   VARCHAR(200) NOT NULL,
    handler      VARCHAR(200) NOT NULL,
    processed_at TIMESTAMP NOT NULL,
    PRIMARY KEY (message_id, handler)
);

CREATE TABLE outbox (
    outbox_id   UUID PRIMARY KEY,
    category    VARCHAR(20) NOT NULL,
    destination VARCHAR(200) NOT NULL,
    payload     TEXT NOT NULL,
    status      VARCHAR(20) NOT NULL,
    retry_count INT NOT NULL DEFAULT 0,
    created_at  TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE INDEX idx_outbox_status ON outbox (status, created_at);
