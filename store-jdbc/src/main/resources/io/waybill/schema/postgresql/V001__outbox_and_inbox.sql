-- The outbox: a row is a message. A program in any language may INSERT destination and payload alone.
CREATE TABLE ${prefix}outbox (
    outbox_id      UUID         NOT NULL DEFAULT gen_random_uuid() PRIMARY KEY,
    -- The insertion order. Always handed out by the database, one at a time, so that a smaller id was taken earlier.
    id             BIGINT       GENERATED ALWAYS AS IDENTITY (CACHE 1),
    category       VARCHAR(16)  NOT NULL DEFAULT 'event',
    type           VARCHAR(255) COLLATE "C" NOT NULL DEFAULT '',
    destination    VARCHAR(255) COLLATE "C" NOT NULL,
    message_key    VARCHAR(255) COLLATE "C" NOT NULL DEFAULT '',
    partition_key  VARCHAR(255) COLLATE "C" NOT NULL DEFAULT '',
    payload        TEXT         NOT NULL DEFAULT '',
    payload_binary BYTEA,
    headers        TEXT         NOT NULL DEFAULT '',
    status         VARCHAR(16)  COLLATE "C" NOT NULL DEFAULT 'PENDING',
    retry_count    INT          NOT NULL DEFAULT 0,
    last_error     TEXT,
    -- What happened to it, a line for each refusal and each change by an operator, the latest 4,000 characters; see AttemptLog.
    attempt_log    TEXT,
    -- How often an operator has published it again.
    retries        INT          NOT NULL DEFAULT 0,
    -- Empty: at once. Otherwise the message was refused and waits, and its key with it.
    available_at   TIMESTAMPTZ,
    created_at     TIMESTAMPTZ  NOT NULL DEFAULT clock_timestamp(),
    dispatched_at  TIMESTAMPTZ
);

-- Vacuum early: rows live for milliseconds, and the claim should not walk over their remains.
ALTER TABLE ${prefix}outbox SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 10000,
    autovacuum_vacuum_cost_delay = 0);

-- What is ready, destination by destination in the order of insertion. The shard, which is the share of a relay, is only here: a
-- stored column would double the cost of marking a message as dispatched; and last, so that new rows are added at one place for each
-- destination. hashtextextended is the hash of PostgreSQL's hash partitioning, so it never changes.
CREATE INDEX ${prefix}outbox_ready ON ${prefix}outbox
    (destination, id, (CASE WHEN partition_key = '' THEN id ELSE hashtextextended(partition_key, 0) END & 63))
    WHERE status = 'PENDING' AND available_at IS NULL;
CREATE INDEX ${prefix}outbox_due ON ${prefix}outbox (available_at)
    WHERE status = 'PENDING' AND available_at IS NOT NULL;
CREATE INDEX ${prefix}outbox_set_aside ON ${prefix}outbox (status, destination, partition_key)
    WHERE status IN ('HELD', 'FAILED');

-- Messages for later: they enter the outbox when they are due, so that a claim never walks over them.
CREATE TABLE ${prefix}outbox_scheduled (
    outbox_id      UUID         NOT NULL DEFAULT gen_random_uuid() PRIMARY KEY,
    category       VARCHAR(16)  NOT NULL DEFAULT 'event',
    type           VARCHAR(255) COLLATE "C" NOT NULL DEFAULT '',
    destination    VARCHAR(255) COLLATE "C" NOT NULL CHECK (destination <> ''),
    message_key    VARCHAR(255) COLLATE "C" NOT NULL DEFAULT '',
    partition_key  VARCHAR(255) COLLATE "C" NOT NULL DEFAULT '',
    payload        TEXT         NOT NULL DEFAULT '',
    payload_binary BYTEA,
    headers        TEXT         NOT NULL DEFAULT '',
    due_at         TIMESTAMPTZ  NOT NULL
);

CREATE INDEX ${prefix}outbox_scheduled_due ON ${prefix}outbox_scheduled (due_at, outbox_id);

-- The last number of each key, for destinations whose messages are numbered.
CREATE TABLE ${prefix}outbox_sequence (
    destination   VARCHAR(255) COLLATE "C" NOT NULL,
    partition_key VARCHAR(255) COLLATE "C" NOT NULL,
    last_number   BIGINT NOT NULL,
    PRIMARY KEY (destination, partition_key)
);

-- Keys whose next message waits or has failed: nothing of such a key may overtake it.
CREATE TABLE ${prefix}outbox_blocked_key (
    destination   VARCHAR(255) COLLATE "C" NOT NULL,
    partition_key VARCHAR(255) COLLATE "C" NOT NULL,
    shard         SMALLINT     NOT NULL,
    outbox_id     UUID         NOT NULL,
    reason        VARCHAR(16)  NOT NULL,
    blocked_at    TIMESTAMPTZ  NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (destination, partition_key)
);

-- The relays that live, what each of them serves, and which shard belongs to whom. Relays of one pool share the shards; pools serve different
-- destinations. A pool called 'default+1' has leases on shards of 'default' for what their owners do not serve.
CREATE TABLE ${prefix}relay_node (
    relay      VARCHAR(255) COLLATE "C" NOT NULL PRIMARY KEY,
    pool       VARCHAR(64)  COLLATE "C" NOT NULL DEFAULT 'default',
    kind       VARCHAR(64)  COLLATE "C" NOT NULL,
    serves     TEXT         NOT NULL,
    -- What the relay has published since it started: destination to published and refused.
    activity   TEXT         NOT NULL DEFAULT '',
    started_at TIMESTAMPTZ  NOT NULL DEFAULT clock_timestamp(),
    renewed_at TIMESTAMPTZ  NOT NULL DEFAULT clock_timestamp(),
    expires_at TIMESTAMPTZ  NOT NULL
);

CREATE TABLE ${prefix}relay_lease (
    shard      SMALLINT     NOT NULL,
    pool       VARCHAR(64)  COLLATE "C" NOT NULL DEFAULT 'default',
    owner      VARCHAR(255) COLLATE "C" NOT NULL DEFAULT '',
    token      BIGINT       NOT NULL DEFAULT 0,
    -- Counts how often messages of the shard became pending again behind the relay's back.
    rewind     BIGINT       NOT NULL DEFAULT 0,
    expires_at TIMESTAMPTZ  NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (shard, pool)
);

INSERT INTO ${prefix}relay_lease (shard) SELECT generate_series(0, 63) ON CONFLICT DO NOTHING;

-- Destinations to which relays send nothing until an operator resumes them.
CREATE TABLE ${prefix}relay_paused_destination (
    destination VARCHAR(255) COLLATE "C" NOT NULL PRIMARY KEY,
    reason      TEXT         NOT NULL,
    operator    VARCHAR(255) NOT NULL,
    paused_at   TIMESTAMPTZ  NOT NULL DEFAULT clock_timestamp()
);

-- The inbox: what each handler has handled.
CREATE TABLE ${prefix}inbox (
    message_id   VARCHAR(255) COLLATE "C" NOT NULL,
    handler      VARCHAR(255) COLLATE "C" NOT NULL,
    processed_at TIMESTAMPTZ  NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (message_id, handler)
);

CREATE INDEX ${prefix}inbox_processed_at ON ${prefix}inbox (processed_at);
