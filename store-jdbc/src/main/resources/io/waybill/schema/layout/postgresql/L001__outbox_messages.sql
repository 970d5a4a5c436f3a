CREATE TABLE ${table} (
    id           CHAR(36)     NOT NULL PRIMARY KEY,
    event_type   VARCHAR(100) NOT NULL,
    payload      JSON         NOT NULL,
    status       VARCHAR(20)  NOT NULL DEFAULT 'pending',
    attempts     INT          NOT NULL DEFAULT 0,
    available_at TIMESTAMPTZ,
    created_at   TIMESTAMPTZ  NOT NULL DEFAULT CURRENT_TIMESTAMP,
    sent_at      TIMESTAMPTZ
);

CREATE INDEX ${table}_status_created ON ${table} (status, created_at);

-- lock: writing to the table waits while the index is built
CREATE INDEX ${table}_ready ON ${table} (event_type, created_at, id) WHERE status = 'pending';
