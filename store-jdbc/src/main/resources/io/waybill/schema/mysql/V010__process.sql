-- A process as it is now.
CREATE TABLE ${prefix}process_instance (
    process_id                     VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    process_type                   VARCHAR(255) COLLATE ${collation} NOT NULL,
    business_key                   VARCHAR(255) COLLATE ${collation} NOT NULL,
    status                         VARCHAR(16)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    current_step                   VARCHAR(255) COLLATE ${collation} NOT NULL,
    data                           LONGTEXT     NOT NULL,
    retries                        INT          NOT NULL,
    created_at                     DATETIME(6)  NOT NULL,
    updated_at                     DATETIME(6)  NOT NULL,
    definition_version             INT          NOT NULL,
    -- Counts its events: whoever writes must have read the latest.
    event_count                    INT          NOT NULL,
    -- When something has to happen next if nothing else does; empty when it is paused or finished.
    due_at                         DATETIME(6),
    deadline                       DATETIME(6),
    paused_from                    VARCHAR(16),
    reason                         LONGTEXT     NOT NULL,
    start_data                     LONGTEXT     NOT NULL,
    parent_process_id              VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin,
    parent_command_id              VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin,
    parent_compensation_command_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin,
    -- The trace that it was started in, for steps that a timer or an operator begins.
    trace                          LONGTEXT,
    UNIQUE KEY ${prefix}process_instance_key (process_type, business_key),
    KEY ${prefix}process_instance_due (due_at),
    KEY ${prefix}process_instance_status (status, created_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;

-- The steps that a process has begun, its forks and their branches.
CREATE TABLE ${prefix}process_step (
    process_id              VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    number                  INT          NOT NULL,
    parent                  INT          NOT NULL,
    kind                    VARCHAR(16)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    step_name               VARCHAR(255) COLLATE ${collation} NOT NULL,
    position                INT          NOT NULL,
    status                  VARCHAR(32)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    attempt                 INT          NOT NULL,
    command_id              VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin,
    compensation_command_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin,
    due_at                  DATETIME(6),
    in_doubt                BOOLEAN      NOT NULL,
    input                   LONGTEXT     NOT NULL,
    reply                   LONGTEXT     NOT NULL,
    error                   LONGTEXT     NOT NULL,
    since                   DATETIME(6)  NOT NULL,
    PRIMARY KEY (process_id, number)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;

-- What has happened to a process.
CREATE TABLE ${prefix}process_log (
    log_id     VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    process_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    event_no   INT          NOT NULL,
    event_type VARCHAR(64)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    step_name  VARCHAR(255) COLLATE ${collation} NOT NULL,
    event_data LONGTEXT     NOT NULL,
    created_at DATETIME(6)  NOT NULL,
    UNIQUE KEY ${prefix}process_log_event (process_id, event_no)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;
