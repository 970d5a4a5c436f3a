-- A process as it is now.
CREATE TABLE ${prefix}process_instance (
    process_id                     UUID         NOT NULL PRIMARY KEY,
    process_type                   VARCHAR(255) NOT NULL,
    business_key                   VARCHAR(255) NOT NULL,
    status                         VARCHAR(16)  NOT NULL,
    current_step                   VARCHAR(255) NOT NULL,
    data                           CHARACTER LARGE OBJECT NOT NULL,
    retries                        INT          NOT NULL,
    created_at                     TIMESTAMP(6) WITH TIME ZONE NOT NULL,
    updated_at                     TIMESTAMP(6) WITH TIME ZONE NOT NULL,
    definition_version             INT          NOT NULL,
    -- Counts its events: whoever writes must have read the latest.
    event_count                    INT          NOT NULL,
    -- When something has to happen next if nothing else does; empty when it is paused or finished.
    due_at                         TIMESTAMP(6) WITH TIME ZONE,
    deadline                       TIMESTAMP(6) WITH TIME ZONE,
    paused_from                    VARCHAR(16),
    reason                         CHARACTER LARGE OBJECT NOT NULL,
    start_data                     CHARACTER LARGE OBJECT NOT NULL,
    parent_process_id              UUID,
    parent_command_id              UUID,
    parent_compensation_command_id UUID,
    -- The trace that it was started in, for steps that a timer or an operator begins.
    trace                          CHARACTER LARGE OBJECT,
    UNIQUE (process_type, business_key)
);

CREATE INDEX ${prefix}process_instance_due ON ${prefix}process_instance (due_at);
-- Not by updated_at: an index that changes with every step would cost every step.
CREATE INDEX ${prefix}process_instance_status ON ${prefix}process_instance (status, created_at);

-- The steps that a process has begun, its forks and their branches.
CREATE TABLE ${prefix}process_step (
    process_id              UUID         NOT NULL,
    number                  INT          NOT NULL,
    parent                  INT          NOT NULL,
    kind                    VARCHAR(16)  NOT NULL,
    step_name               VARCHAR(255) NOT NULL,
    position                INT          NOT NULL,
    status                  VARCHAR(32)  NOT NULL,
    attempt                 INT          NOT NULL,
    command_id              UUID,
    compensation_command_id UUID,
    due_at                  TIMESTAMP(6) WITH TIME ZONE,
    in_doubt                BOOLEAN      NOT NULL,
    input                   CHARACTER LARGE OBJECT NOT NULL,
    reply                   CHARACTER LARGE OBJECT NOT NULL,
    error                   CHARACTER LARGE OBJECT NOT NULL,
    since                   TIMESTAMP(6) WITH TIME ZONE NOT NULL,
    PRIMARY KEY (process_id, number)
);

-- What has happened to a process.
CREATE TABLE ${prefix}process_log (
    log_id     UUID         NOT NULL PRIMARY KEY,
    process_id UUID         NOT NULL,
    event_no   INT          NOT NULL,
    event_type VARCHAR(64)  NOT NULL,
    step_name  VARCHAR(255) NOT NULL,
    event_data CHARACTER LARGE OBJECT NOT NULL,
    created_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
    UNIQUE (process_id, event_no)
);
