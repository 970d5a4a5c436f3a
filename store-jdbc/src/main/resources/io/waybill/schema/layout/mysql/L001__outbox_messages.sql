CREATE TABLE ${table} (
    id           CHAR(36)     NOT NULL PRIMARY KEY,
    event_type   VARCHAR(100) NOT NULL,
    payload      JSON         NOT NULL,
    status       VARCHAR(20)  NOT NULL DEFAULT 'pending',
    attempts     INT          NOT NULL DEFAULT 0,
    available_at TIMESTAMP    NULL,
    created_at   TIMESTAMP    NOT NULL DEFAULT CURRENT_TIMESTAMP,
    sent_at      TIMESTAMP    NULL,
    KEY idx_outbox_status_created (status, created_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE INDEX ${table}_ready ON ${table} (status, event_type, created_at, id);
