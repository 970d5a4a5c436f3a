-- Messages that were refused: the adopted table may have no place for when they are due, and none for their keys.
CREATE TABLE ${prefix}relay_waiting (
    row_id        VARCHAR(255) COLLATE "C" NOT NULL PRIMARY KEY,
    destination   VARCHAR(255) COLLATE "C" NOT NULL,
    partition_key VARCHAR(255) COLLATE "C" NOT NULL,
    state         VARCHAR(16)  COLLATE "C" NOT NULL,
    attempts      INT          NOT NULL,
    last_error    TEXT,
    due_at        TIMESTAMPTZ  NOT NULL,
    since         TIMESTAMPTZ  NOT NULL DEFAULT clock_timestamp()
);

CREATE INDEX ${prefix}relay_waiting_key ON ${prefix}relay_waiting (destination, partition_key);

-- Tells this table from all others: ids of messages are made of it where rows have only a number.
CREATE TABLE ${prefix}relay_source (
    source_id UUID NOT NULL PRIMARY KEY
);

INSERT INTO ${prefix}relay_source (source_id)
    SELECT gen_random_uuid() WHERE NOT EXISTS (SELECT 1 FROM ${prefix}relay_source);
