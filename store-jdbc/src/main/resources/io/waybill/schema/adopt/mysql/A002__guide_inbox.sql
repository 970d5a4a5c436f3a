-- Makes our inbox of the guide's.
SET @waybill_time_zone = @@session.time_zone, time_zone = '+00:00';

-- lock: copies the table; it can be read meanwhile, but not written
ALTER TABLE ${prefix}inbox
    MODIFY COLUMN message_id   VARCHAR(255) COLLATE ${collation} NOT NULL,
    MODIFY COLUMN handler      VARCHAR(255) COLLATE ${collation} NOT NULL,
    MODIFY COLUMN processed_at DATETIME(6)  NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
    ADD KEY ${prefix}inbox_processed_at (processed_at);

SET time_zone = @waybill_time_zone;
