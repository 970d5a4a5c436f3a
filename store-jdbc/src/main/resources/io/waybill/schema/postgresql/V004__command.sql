-- Commands and their answers.
CREATE TABLE ${prefix}command (
    command_id      UUID         NOT NULL PRIMARY KEY,
    type            VARCHAR(255) COLLATE "C" NOT NULL,
    idempotency_key VARCHAR(255) COLLATE "C" NOT NULL,
    business_key    VARCHAR(255) COLLATE "C" NOT NULL DEFAULT '',
    correlation_id  UUID         NOT NULL,
    attempt         INT          NOT NULL DEFAULT 1,
    payload         TEXT         NOT NULL,
    status          VARCHAR(16)  COLLATE "C" NOT NULL DEFAULT 'PENDING',
    reply           TEXT         NOT NULL DEFAULT '',
    -- When its sender stops waiting; empty when it is over, or its sender waits for ever.
    timeout_at      TIMESTAMPTZ,
    created_at      TIMESTAMPTZ  NOT NULL DEFAULT clock_timestamp(),
    updated_at      TIMESTAMPTZ  NOT NULL DEFAULT clock_timestamp()
-- Room on each page for the end of its commands: then no index is written again.
) WITH (fillfactor = 60);

CREATE UNIQUE INDEX ${prefix}command_idempotency_key ON ${prefix}command (idempotency_key);
CREATE INDEX ${prefix}command_timeout_at ON ${prefix}command (timeout_at) WHERE timeout_at IS NOT NULL;
CREATE INDEX ${prefix}command_created_at ON ${prefix}command (created_at);
