-- A process as it is now.
CREATE TABLE ${prefix}process_instance (
    process_id                     UUID         NOT NULL PRIMARY KEY,
    process_type                   VARCHAR(255) COLLATE "C" NOT NULL,
    business_key                   VARCHAR(255) COLLATE "C" NOT NULL,
    status                         VARCHAR(16)  COLLATE "C" NOT NULL,
    current_step                   VARCHAR(255) COLLATE "C" NOT NULL,
    data                           TEXT         NOT NULL,
    retries                        INT          NOT NULL,
    created_at                     TIMESTAMPTZ  NOT NULL,
    updated_at                     TIMESTAMPTZ  NOT NULL,
    definition_version             INT          NOT NULL,
    -- Counts its events: whoever writes must have read the latest.
    event_count                    INT          NOT NULL,
    -- When something has to happen next if nothing else does; empty when it is paused or finished.
    due_at                         TIMESTAMPTZ,
    deadline                       TIMESTAMPTZ,
    paused_from                    VARCHAR(16),
    reason                         TEXT         NOT NULL,
    start_data                     TEXT         NOT NULL,
    parent_process_id              UUID,
    parent_command_id              UUID,
    parent_compensation_command_id UUID,
    -- The trace that it was started in, for steps that a timer or an operator begins.
    trace                          TEXT,
    UNIQUE (process_type, business_key)
-- Its data lie elsewhere unless they are small: a step changes the row, and seldom them.
) WITH (fillfactor = 60, toast_tuple_target = 256);

CREATE INDEX ${prefix}process_instance_due ON ${prefix}process_instance (due_at) WHERE due_at IS NOT NULL;
-- Not by updated_at: an index that changes with every step would cost every step.
CREATE INDEX ${prefix}process_instance_status ON ${prefix}process_instance (status, created_at);

-- The steps that a process has begun, its forks and their branches.
CREATE TABLE ${prefix}process_step (
    process_id              UUID         NOT NULL,
    number                  INT          NOT NULL,
    parent                  INT          NOT NULL,
    kind                    VARCHAR(16)  COLLATE "C" NOT NULL,
    step_name               VARCHAR(255) COLLATE "C" NOT NULL,
    position                INT          NOT NULL,
    status                  VARCHAR(32)  COLLATE "C" NOT NULL,
    attempt                 INT          NOT NULL,
    command_id              UUID,
    compensation_command_id UUID,
    due_at                  TIMESTAMPTZ,
    in_doubt                BOOLEAN      NOT NULL,
    input                   TEXT         NOT NULL,
    reply                   TEXT         NOT NULL,
    error                   TEXT         NOT NULL,
    since                   TIMESTAMPTZ  NOT NULL,
    PRIMARY KEY (process_id, number)
) WITH (fillfactor = 60);

-- What has happened to a process.
CREATE TABLE ${prefix}process_log (
    log_id     UUID         NOT NULL PRIMARY KEY,
    process_id UUID         NOT NULL,
    event_no   INT          NOT NULL,
    event_type VARCHAR(64)  COLLATE "C" NOT NULL,
    step_name  VARCHAR(255) COLLATE "C" NOT NULL,
    event_data TEXT         NOT NULL,
    created_at TIMESTAMPTZ  NOT NULL,
    UNIQUE (process_id, event_no)
);
