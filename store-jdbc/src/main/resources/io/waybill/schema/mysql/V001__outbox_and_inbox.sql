-- The outbox: a row is a message. A program in any language may INSERT destination and payload alone.
-- Keys compare by their bytes: 'Order-1', 'order-1' and 'Order-1 ' are three keys.
CREATE TABLE ${prefix}outbox (
    -- The insertion order.
    id             BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
    outbox_id      VARCHAR(36)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT (UUID()),
    category       VARCHAR(16)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'event',
    type           VARCHAR(255) COLLATE ${collation} NOT NULL DEFAULT '',
    destination    VARCHAR(255) COLLATE ${collation} NOT NULL CHECK (destination <> ''),
    message_key    VARCHAR(255) COLLATE ${collation} NOT NULL DEFAULT '',
    partition_key  VARCHAR(255) COLLATE ${collation} NOT NULL DEFAULT '',
    payload        LONGTEXT     NOT NULL DEFAULT (''),
    payload_binary LONGBLOB,
    headers        LONGTEXT     NOT NULL DEFAULT (''),
    status         VARCHAR(16)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'PENDING',
    retry_count    INT          NOT NULL DEFAULT 0,
    last_error     TEXT,
    -- What happened to it, a line for each refusal and each change by an operator, the latest 4,000 characters; see AttemptLog.
    attempt_log    MEDIUMTEXT,
    -- How often an operator has published it again.
    retries        INT          NOT NULL DEFAULT 0,
    -- Empty: at once. Otherwise the message was refused and waits, and its key with it.
    available_at   DATETIME(6),
    created_at     DATETIME(6)  NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
    dispatched_at  DATETIME(6),
    shard          SMALLINT     AS (
        (CASE WHEN CHAR_LENGTH(partition_key) = 0 THEN CRC32(outbox_id) ELSE CRC32(partition_key) END) & 63) STORED,
    UNIQUE KEY ${prefix}outbox_id (outbox_id),
    KEY ${prefix}outbox_ready (shard, destination, status, available_at, id),
    KEY ${prefix}outbox_status (status, available_at, id, destination, created_at, retry_count)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;

-- Messages for later: they enter the outbox when they are due, so that a claim never walks over them.
CREATE TABLE ${prefix}outbox_scheduled (
    outbox_id      VARCHAR(36)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT (UUID()) PRIMARY KEY,
    category       VARCHAR(16)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'event',
    type           VARCHAR(255) COLLATE ${collation} NOT NULL DEFAULT '',
    destination    VARCHAR(255) COLLATE ${collation} NOT NULL CHECK (destination <> ''),
    message_key    VARCHAR(255) COLLATE ${collation} NOT NULL DEFAULT '',
    partition_key  VARCHAR(255) COLLATE ${collation} NOT NULL DEFAULT '',
    payload        LONGTEXT     NOT NULL DEFAULT (''),
    payload_binary LONGBLOB,
    headers        LONGTEXT     NOT NULL DEFAULT (''),
    due_at         DATETIME(6)  NOT NULL,
    KEY ${prefix}outbox_scheduled_due (due_at, outbox_id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;

-- The last number of each key, for destinations whose messages are numbered.
CREATE TABLE ${prefix}outbox_sequence (
    destination   VARCHAR(255) COLLATE ${collation} NOT NULL,
    partition_key VARCHAR(255) COLLATE ${collation} NOT NULL,
    last_number   BIGINT NOT NULL,
    PRIMARY KEY (destination, partition_key)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;

-- Keys whose next message waits or has failed: nothing of such a key may overtake it.
CREATE TABLE ${prefix}outbox_blocked_key (
    destination   VARCHAR(255) COLLATE ${collation} NOT NULL,
    partition_key VARCHAR(255) COLLATE ${collation} NOT NULL,
    shard         SMALLINT     NOT NULL,
    outbox_id     VARCHAR(36)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    reason        VARCHAR(16)  NOT NULL,
    blocked_at    DATETIME(6)  NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
    PRIMARY KEY (destination, partition_key)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;

-- The relays that live, what each of them serves, and which shard belongs to whom. Relays of one pool share the shards; pools serve different
-- destinations. A pool called 'default+1' has leases on shards of 'default' for what their owners do not serve.
CREATE TABLE ${prefix}relay_node (
    relay      VARCHAR(255) COLLATE ${collation} NOT NULL PRIMARY KEY,
    pool       VARCHAR(64)  COLLATE ${collation} NOT NULL DEFAULT 'default',
    kind       VARCHAR(64)  COLLATE ${collation} NOT NULL,
    serves     MEDIUMTEXT   COLLATE ${collation} NOT NULL,
    -- What the relay has published since it started: destination to published and refused.
    activity   MEDIUMTEXT   COLLATE ${collation} NOT NULL DEFAULT (''),
    started_at DATETIME(6)  NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
    renewed_at DATETIME(6)  NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
    expires_at DATETIME(6)  NOT NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE TABLE ${prefix}relay_lease (
    shard      SMALLINT     NOT NULL,
    pool       VARCHAR(64)  COLLATE ${collation} NOT NULL DEFAULT 'default',
    owner      VARCHAR(255) COLLATE ${collation} NOT NULL DEFAULT '',
    token      BIGINT       NOT NULL DEFAULT 0,
    -- Counts how often messages of the shard became pending again behind the relay's back.
    rewind     BIGINT       NOT NULL DEFAULT 0,
    expires_at DATETIME(6)  NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
    PRIMARY KEY (shard, pool)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;

INSERT IGNORE INTO ${prefix}relay_lease (shard)
    WITH RECURSIVE n AS (SELECT 0 AS shard UNION ALL SELECT shard + 1 FROM n WHERE shard < 63) SELECT shard FROM n;

-- Destinations to which relays send nothing until an operator resumes them.
CREATE TABLE ${prefix}relay_paused_destination (
    destination VARCHAR(255) COLLATE ${collation} NOT NULL PRIMARY KEY,
    reason      TEXT         NOT NULL,
    operator    VARCHAR(255) NOT NULL,
    paused_at   DATETIME(6)  NOT NULL DEFAULT (UTC_TIMESTAMP(6))
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;

-- The inbox: what each handler has handled.
CREATE TABLE ${prefix}inbox (
    message_id   VARCHAR(255) COLLATE ${collation} NOT NULL,
    handler      VARCHAR(255) COLLATE ${collation} NOT NULL,
    processed_at DATETIME(6)  NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
    PRIMARY KEY (message_id, handler),
    KEY ${prefix}inbox_processed_at (processed_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;
