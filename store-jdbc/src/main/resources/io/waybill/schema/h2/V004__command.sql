-- Commands and their answers.
CREATE TABLE ${prefix}command (
    command_id      UUID         PRIMARY KEY,
    type            VARCHAR(255) NOT NULL,
    idempotency_key VARCHAR(255) NOT NULL,
    business_key    VARCHAR(255) DEFAULT '' NOT NULL,
    correlation_id  UUID         NOT NULL,
    attempt         INT          DEFAULT 1 NOT NULL,
    payload         CLOB         NOT NULL,
    status          VARCHAR(16)  DEFAULT 'PENDING' NOT NULL,
    reply           CLOB         DEFAULT '' NOT NULL,
    -- When its sender stops waiting; empty when it is over, or its sender waits for ever.
    timeout_at      TIMESTAMP(6) WITH TIME ZONE,
    created_at      TIMESTAMP(6) WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at      TIMESTAMP(6) WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE UNIQUE INDEX ${prefix}command_idempotency_key ON ${prefix}command (idempotency_key);
CREATE INDEX ${prefix}command_timeout_at ON ${prefix}command (timeout_at);
CREATE INDEX ${prefix}command_created_at ON ${prefix}command (created_at);
