-- The columns of namastack-outbox. Its own library creates the table; this is for one that nobody has created yet.
CREATE TABLE ${table} (
    id             VARCHAR(255)  NOT NULL PRIMARY KEY,
    status         VARCHAR(20)   NOT NULL,
    record_key     VARCHAR(255)  NOT NULL,
    record_type    VARCHAR(255)  NOT NULL,
    payload        CLOB NOT NULL,
    context        CLOB,
    created_at     TIMESTAMP WITH TIME ZONE NOT NULL,
    completed_at   TIMESTAMP WITH TIME ZONE,
    failure_count  INT           NOT NULL,
    failure_reason VARCHAR(1000),
    next_retry_at  TIMESTAMP WITH TIME ZONE NOT NULL,
    partition_no   INT           NOT NULL,
    handler_id     VARCHAR(1000) NOT NULL
);

CREATE INDEX ${table}_ready ON ${table} (status, record_type, created_at, id);
