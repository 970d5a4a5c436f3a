-- What could not be handled, from every source and for every handler, until somebody retries or discards it.
CREATE TABLE ${prefix}failed_message (
    -- The order in which they failed.
    id              BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
    message_id      VARCHAR(36)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    handler         VARCHAR(255) COLLATE ${collation} NOT NULL,
    source          VARCHAR(255) COLLATE ${collation} NOT NULL,
    category        VARCHAR(16)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    type            VARCHAR(255) COLLATE ${collation} NOT NULL,
    message_key     VARCHAR(255) COLLATE ${collation} NOT NULL,
    partition_key   VARCHAR(255) COLLATE ${collation} NOT NULL,
    payload         LONGTEXT     NOT NULL,
    payload_binary  LONGBLOB,
    headers         LONGTEXT     NOT NULL,
    attempts        INT          NOT NULL,
    -- How often an operator has retried it before it failed; above 0 it has failed again.
    retries         INT          NOT NULL DEFAULT 0,
    attempt_log     MEDIUMTEXT,
    error_class     VARCHAR(255) NOT NULL,
    error           MEDIUMTEXT   NOT NULL,
    stack_trace     MEDIUMTEXT   NOT NULL,
    -- The same for failures that have the same reason.
    fingerprint     VARCHAR(16)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    first_failed_at DATETIME(6)  NOT NULL,
    last_failed_at  DATETIME(6)  NOT NULL,
    -- Whether later messages of its key wait behind it. Such a row stays while it is retried: its id is its place in the key.
    parks_key       BOOLEAN      NOT NULL DEFAULT FALSE,
    -- The retry that has put it on its way.
    retry_id        VARCHAR(36)  CHARACTER SET ascii COLLATE ascii_bin,
    -- All that a list of groups reads.
    KEY ${prefix}failed_message_group (fingerprint, id, retries, retry_id, first_failed_at, last_failed_at),
    KEY ${prefix}failed_message_of_key (handler, source, partition_key, id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;
