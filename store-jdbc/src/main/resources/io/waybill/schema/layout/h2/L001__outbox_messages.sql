CREATE TABLE ${table} (
    id           CHAR(36)     NOT NULL PRIMARY KEY,
    event_type   VARCHAR(100) NOT NULL,
    payload      CLOB         NOT NULL,
    status       VARCHAR(20)  NOT NULL DEFAULT 'pending',
    attempts     INT          NOT NULL DEFAULT 0,
    available_at TIMESTAMP WITH TIME ZONE,
    created_at   TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT CURRENT_TIMESTAMP,
    sent_at      TIMESTAMP WITH TIME ZONE
);

CREATE INDEX ${table}_ready ON ${table} (status, event_type, created_at, id);
