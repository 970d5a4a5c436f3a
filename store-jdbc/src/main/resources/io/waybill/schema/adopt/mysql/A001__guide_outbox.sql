-- Makes our outbox of the guide's: outbox_id, category, destination, payload, status, retry_count, created_at.
-- Every statement may be repeated. An INSERT with the old columns alone works as before.
SET @waybill_time_zone = @@session.time_zone, time_zone = '+00:00';

-- lock: a short one, nothing is copied
ALTER TABLE ${prefix}outbox
    ADD COLUMN id             BIGINT NULL,
    ADD COLUMN type           VARCHAR(255) COLLATE ${collation} NOT NULL DEFAULT '',
    ADD COLUMN message_key    VARCHAR(255) COLLATE ${collation} NOT NULL DEFAULT '',
    ADD COLUMN partition_key  VARCHAR(255) COLLATE ${collation} NOT NULL DEFAULT '',
    ADD COLUMN payload_binary LONGBLOB,
    ADD COLUMN headers        LONGTEXT NOT NULL DEFAULT (''),
    ADD COLUMN last_error     TEXT,
    ADD COLUMN attempt_log    MEDIUMTEXT,
    ADD COLUMN retries        INT NOT NULL DEFAULT 0,
    ADD COLUMN available_at   DATETIME(6),
    ADD COLUMN dispatched_at  DATETIME(6);

-- When a message was sent is not known; that it was appended before is.
-- lock: writes every row, and locks it until all are written
UPDATE ${prefix}outbox o
  JOIN (SELECT outbox_id, ROW_NUMBER() OVER (ORDER BY created_at, outbox_id)
                          + (SELECT COALESCE(MAX(id), 0) FROM ${prefix}outbox) AS id
          FROM ${prefix}outbox WHERE id IS NULL) numbered ON numbered.outbox_id = o.outbox_id
   SET o.id = numbered.id, o.category = LOWER(o.category), o.retry_count = COALESCE(o.retry_count, 0),
       o.dispatched_at = CASE WHEN o.status = 'DISPATCHED' THEN o.created_at END
 WHERE o.id IS NULL;

-- A row that came since has no id yet: it gets a high one, above all that are numbered.
-- lock: copies the table; it can be read meanwhile, but not written
ALTER TABLE ${prefix}outbox
    ADD COLUMN shard SMALLINT AS (
        (CASE WHEN CHAR_LENGTH(partition_key) = 0 THEN CRC32(outbox_id) ELSE CRC32(partition_key) END) & 63) STORED,
    MODIFY COLUMN outbox_id   VARCHAR(36)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT (UUID()),
    MODIFY COLUMN id          BIGINT       NOT NULL AUTO_INCREMENT,
    MODIFY COLUMN category    VARCHAR(16)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'event',
    MODIFY COLUMN destination VARCHAR(255) COLLATE ${collation} NOT NULL CHECK (destination <> ''),
    MODIFY COLUMN payload     LONGTEXT     NOT NULL DEFAULT (''),
    MODIFY COLUMN status      VARCHAR(16)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'PENDING',
    MODIFY COLUMN retry_count INT          NOT NULL DEFAULT 0,
    MODIFY COLUMN created_at  DATETIME(6)  NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
    ADD UNIQUE KEY ${prefix}outbox_position (id),
    ADD KEY ${prefix}outbox_ready (shard, destination, status, available_at, id),
    ADD KEY ${prefix}outbox_status (status, available_at, id, destination, created_at, retry_count),
    AUTO_INCREMENT = 1000000000000;

-- Goes on behind the highest id there is.
ALTER TABLE ${prefix}outbox AUTO_INCREMENT = 1;

SET time_zone = @waybill_time_zone;
