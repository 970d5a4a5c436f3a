-- Debezium's columns, and one that it does not mind: the order of insertion.
CREATE TABLE ${table} (
    id            CHAR(36)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    aggregatetype VARCHAR(255) COLLATE ${collation} NOT NULL,
    aggregateid   VARCHAR(255) COLLATE ${collation} NOT NULL,
    type          VARCHAR(255) COLLATE ${collation} NOT NULL,
    payload       LONGTEXT,
    sequence      BIGINT       NOT NULL AUTO_INCREMENT UNIQUE,
    KEY ${table}_ready (aggregatetype, sequence)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4;
