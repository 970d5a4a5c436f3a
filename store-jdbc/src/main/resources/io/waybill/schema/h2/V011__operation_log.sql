-- Who changed what from outside the application, and why. An entry is written before anything is changed, and completed afterwards.
CREATE TABLE ${prefix}operation_log (
    operation_id  UUID         NOT NULL PRIMARY KEY,
    started_at    TIMESTAMP(6) WITH TIME ZONE NOT NULL,
    -- Empty as long as it goes on, and for ever when it was interrupted.
    ended_at      TIMESTAMP(6) WITH TIME ZONE,
    -- Renewed every second as long as its process lives; an entry without an end that is not renewed was interrupted.
    seen_at       TIMESTAMP(6) WITH TIME ZONE,
    operator      VARCHAR(255) NOT NULL,
    database_user VARCHAR(255) NOT NULL,
    command       CHARACTER LARGE OBJECT NOT NULL,
    reason        CHARACTER LARGE OBJECT NOT NULL,
    result        CHARACTER LARGE OBJECT NOT NULL,
    -- What does the rest of it when it was interrupted; empty when it has to be started by hand.
    request       CHARACTER LARGE OBJECT
);

CREATE INDEX ${prefix}operation_log_started ON ${prefix}operation_log (started_at);
