-- The outbox: a row is a message. A program in any language may INSERT destination and payload alone.
CREATE TABLE ${prefix}outbox (
    -- The insertion order.
    id             BIGINT       GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    outbox_id      UUID         DEFAULT RANDOM_UUID() NOT NULL UNIQUE,
    category       VARCHAR(16)  DEFAULT 'event' NOT NULL,
    type           VARCHAR(255) DEFAULT '' NOT NULL,
    destination    VARCHAR(255) NOT NULL CHECK (destination <> ''),
    message_key    VARCHAR(255) DEFAULT '' NOT NULL,
    partition_key  VARCHAR(255) DEFAULT '' NOT NULL,
    payload        CHARACTER LARGE OBJECT DEFAULT '' NOT NULL,
    payload_binary BINARY LARGE OBJECT,
    headers        CHARACTER LARGE OBJECT DEFAULT '' NOT NULL,
    status         VARCHAR(16)  DEFAULT 'PENDING' NOT NULL,
    retry_count    INT          DEFAULT 0 NOT NULL,
    last_error     CHARACTER LARGE OBJECT,
    -- What happened to it, a line for each refusal and each change by an operator, the latest 4,000 characters; see AttemptLog.
    attempt_log    CHARACTER LARGE OBJECT,
    -- How often an operator has published it again.
    retries        INT          NOT NULL DEFAULT 0,
    -- Empty: at once. Otherwise the message was refused and waits, and its key with it.
    available_at   TIMESTAMP(6) WITH TIME ZONE,
    created_at     TIMESTAMP(6) WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL,
    dispatched_at  TIMESTAMP(6) WITH TIME ZONE,
    shard          SMALLINT     GENERATED ALWAYS AS (
        CASE WHEN partition_key = '' THEN MOD(id, 64) ELSE ORA_HASH(partition_key, 63) END)
);

CREATE INDEX ${prefix}outbox_ready ON ${prefix}outbox (shard, destination, status, available_at, id);
CREATE INDEX ${prefix}outbox_status ON ${prefix}outbox (status, available_at);

-- Messages for later: they enter the outbox when they are due, so that a claim never walks over them.
CREATE TABLE ${prefix}outbox_scheduled (
    outbox_id      UUID         DEFAULT RANDOM_UUID() NOT NULL PRIMARY KEY,
    category       VARCHAR(16)  DEFAULT 'event' NOT NULL,
    type           VARCHAR(255) DEFAULT '' NOT NULL,
    destination    VARCHAR(255) NOT NULL CHECK (destination <> ''),
    message_key    VARCHAR(255) DEFAULT '' NOT NULL,
    partition_key  VARCHAR(255) DEFAULT '' NOT NULL,
    payload        CHARACTER LARGE OBJECT DEFAULT '' NOT NULL,
    payload_binary BINARY LARGE OBJECT,
    headers        CHARACTER LARGE OBJECT DEFAULT '' NOT NULL,
    due_at         TIMESTAMP(6) WITH TIME ZONE NOT NULL
);

CREATE INDEX ${prefix}outbox_scheduled_due ON ${prefix}outbox_scheduled (due_at, outbox_id);

-- The last number of each key, for destinations whose messages are numbered.
CREATE TABLE ${prefix}outbox_sequence (
    destination   VARCHAR(255) NOT NULL,
    partition_key VARCHAR(255) NOT NULL,
    last_number   BIGINT NOT NULL,
    PRIMARY KEY (destination, partition_key)
);

-- Keys whose next message waits or has failed: nothing of such a key may overtake it.
CREATE TABLE ${prefix}outbox_blocked_key (
    destination   VARCHAR(255) NOT NULL,
    partition_key VARCHAR(255) NOT NULL,
    shard         SMALLINT     NOT NULL,
    outbox_id     UUID         NOT NULL,
    reason        VARCHAR(16)  NOT NULL,
    blocked_at    TIMESTAMP(6) WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL,
    PRIMARY KEY (destination, partition_key)
);

-- The relays that live, what each of them serves, and which shard belongs to whom. Relays of one pool share the shards; pools serve different
-- destinations. A pool called 'default+1' has leases on shards of 'default' for what their owners do not serve.
CREATE TABLE ${prefix}relay_node (
    relay      VARCHAR(255) PRIMARY KEY,
    pool       VARCHAR(64)  DEFAULT 'default' NOT NULL,
    kind       VARCHAR(64)  NOT NULL,
    serves     CHARACTER LARGE OBJECT NOT NULL,
    -- What the relay has published since it started: destination to published and refused.
    activity   CHARACTER LARGE OBJECT DEFAULT '' NOT NULL,
    started_at TIMESTAMP(6) WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL,
    renewed_at TIMESTAMP(6) WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL,
    expires_at TIMESTAMP(6) WITH TIME ZONE NOT NULL
);

CREATE TABLE ${prefix}relay_lease (
    shard      SMALLINT     NOT NULL,
    pool       VARCHAR(64)  DEFAULT 'default' NOT NULL,
    owner      VARCHAR(255) DEFAULT '' NOT NULL,
    token      BIGINT       DEFAULT 0 NOT NULL,
    -- Counts how often messages of the shard became pending again behind the relay's back.
    rewind     BIGINT       DEFAULT 0 NOT NULL,
    expires_at TIMESTAMP(6) WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL,
    PRIMARY KEY (shard, pool)
);

INSERT INTO ${prefix}relay_lease (shard) SELECT x FROM SYSTEM_RANGE(0, 63)
    WHERE x NOT IN (SELECT shard FROM ${prefix}relay_lease);

-- Destinations to which relays send nothing until an operator resumes them.
CREATE TABLE ${prefix}relay_paused_destination (
    destination VARCHAR(255) PRIMARY KEY,
    reason      CHARACTER LARGE OBJECT NOT NULL,
    operator    VARCHAR(255) NOT NULL,
    paused_at   TIMESTAMP(6) WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL
);

-- The inbox: what each handler has handled.
CREATE TABLE ${prefix}inbox (
    message_id   VARCHAR(255) NOT NULL,
    handler      VARCHAR(255) NOT NULL,
    processed_at TIMESTAMP(6) WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL,
    PRIMARY KEY (message_id, handler)
);

CREATE INDEX ${prefix}inbox_processed_at ON ${prefix}inbox (processed_at);
