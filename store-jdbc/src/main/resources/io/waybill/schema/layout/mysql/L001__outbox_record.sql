-- The columns of namastack-outbox. Its own library creates the table; this is for one that nobody has created yet.
CREATE TABLE ${table} (
    id             VARCHAR(255)  NOT NULL PRIMARY KEY,
    status         VARCHAR(20)   NOT NULL,
    record_key     VARCHAR(255)  NOT NULL,
    record_type    VARCHAR(255)  NOT NULL,
    payload        LONGTEXT NOT NULL,
    context        LONGTEXT,
    created_at     DATETIME(6) NOT NULL,
    completed_at   DATETIME(6) NULL,
    failure_count  INT           NOT NULL,
    failure_reason VARCHAR(1000),
    next_retry_at  DATETIME(6) NOT NULL,
    partition_no   INT           NOT NULL,
    handler_id     VARCHAR(1000) NOT NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;

CREATE INDEX ${table}_ready ON ${table} (status, record_type(100), created_at, id(64));
