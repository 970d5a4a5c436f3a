-- Messages that were refused: the adopted table may have no place for when they are due, and none for their keys.
CREATE TABLE ${prefix}relay_waiting (
    row_id        VARCHAR(255) COLLATE ${collation} NOT NULL PRIMARY KEY,
    destination   VARCHAR(255) COLLATE ${collation} NOT NULL,
    partition_key VARCHAR(255) COLLATE ${collation} NOT NULL,
    state         VARCHAR(16)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    attempts      INT          NOT NULL,
    last_error    TEXT,
    due_at        DATETIME(6)  NOT NULL,
    since         DATETIME(6)  NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
    KEY ${prefix}relay_waiting_key (destination, partition_key)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;

-- Tells this table from all others: ids of messages are made of it where rows have only a number.
CREATE TABLE ${prefix}relay_source (
    source_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;

INSERT INTO ${prefix}relay_source (source_id)
    SELECT UUID() FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM ${prefix}relay_source);
