-- Debezium's columns, and one that it does not mind: the order of insertion.
CREATE TABLE ${table} (
    id            UUID         NOT NULL PRIMARY KEY,
    aggregatetype VARCHAR(255) NOT NULL,
    aggregateid   VARCHAR(255) NOT NULL,
    type          VARCHAR(255) NOT NULL,
    payload       CLOB,
    sequence      BIGINT       GENERATED ALWAYS AS IDENTITY
);

CREATE INDEX ${table}_ready ON ${table} (aggregatetype, sequence);
