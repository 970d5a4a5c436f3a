-- Who changed what from outside the application, and why. An entry is written before anything is changed, and completed afterwards.
CREATE TABLE ${prefix}operation_log (
    operation_id  VARCHAR(36)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    started_at    DATETIME(6)  NOT NULL,
    -- Empty as long as it goes on, and for ever when it was interrupted.
    ended_at      DATETIME(6),
    -- Renewed every second as long as its process lives; an entry without an end that is not renewed was interrupted.
    seen_at       DATETIME(6),
    operator      VARCHAR(255) NOT NULL,
    database_user VARCHAR(255) NOT NULL,
    command       MEDIUMTEXT   NOT NULL,
    reason        MEDIUMTEXT   NOT NULL,
    result        MEDIUMTEXT   NOT NULL,
    -- What does the rest of it when it was interrupted; empty when it has to be started by hand.
    request       MEDIUMTEXT,
    KEY ${prefix}operation_log_started (started_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;
