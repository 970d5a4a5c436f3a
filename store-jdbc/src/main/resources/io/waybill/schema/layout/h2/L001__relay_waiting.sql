-- Messages that were refused: the adopted table may have no place for when they are due, and none for their keys.
CREATE TABLE ${prefix}relay_waiting (
    row_id        VARCHAR(255) NOT NULL PRIMARY KEY,
    destination   VARCHAR(255) NOT NULL,
    partition_key VARCHAR(255) NOT NULL,
    state         VARCHAR(16)  NOT NULL,
    attempts      INT          NOT NULL,
    last_error    CLOB,
    due_at        TIMESTAMP WITH TIME ZONE NOT NULL,
    since         TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE INDEX ${prefix}relay_waiting_key ON ${prefix}relay_waiting (destination, partition_key);

-- Tells this table from all others: ids of messages are made of it where rows have only a number.
CREATE TABLE ${prefix}relay_source (
    source_id UUID NOT NULL PRIMARY KEY
);

INSERT INTO ${prefix}relay_source (source_id)
    SELECT RANDOM_UUID() WHERE NOT EXISTS (SELECT 1 FROM ${prefix}relay_source);
