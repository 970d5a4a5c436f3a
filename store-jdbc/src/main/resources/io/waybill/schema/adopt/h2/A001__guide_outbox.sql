-- Makes our outbox of the guide's: outbox_id, category, destination, payload, status, retry_count, created_at.
-- Every statement may be repeated. An INSERT with the old columns alone works as before.
-- lock: each of these statements copies the table
ALTER TABLE ${prefix}outbox ADD COLUMN id BIGINT;

ALTER TABLE ${prefix}outbox ADD COLUMN type VARCHAR(255) DEFAULT '' NOT NULL;

ALTER TABLE ${prefix}outbox ADD COLUMN message_key VARCHAR(255) DEFAULT '' NOT NULL;

ALTER TABLE ${prefix}outbox ADD COLUMN partition_key VARCHAR(255) DEFAULT '' NOT NULL;

ALTER TABLE ${prefix}outbox ADD COLUMN payload_binary BINARY LARGE OBJECT;

ALTER TABLE ${prefix}outbox ADD COLUMN headers CHARACTER LARGE OBJECT DEFAULT '' NOT NULL;

ALTER TABLE ${prefix}outbox ADD COLUMN last_error CHARACTER LARGE OBJECT;

ALTER TABLE ${prefix}outbox ADD COLUMN attempt_log CHARACTER LARGE OBJECT;

ALTER TABLE ${prefix}outbox ADD COLUMN retries INT DEFAULT 0 NOT NULL;

ALTER TABLE ${prefix}outbox ADD COLUMN available_at TIMESTAMP(6) WITH TIME ZONE;

ALTER TABLE ${prefix}outbox ADD COLUMN dispatched_at TIMESTAMP(6) WITH TIME ZONE;

-- When a message was sent is not known; that it was appended before is.
-- lock: writes every row
MERGE INTO ${prefix}outbox o
USING (SELECT outbox_id, ROW_NUMBER() OVER (ORDER BY created_at, outbox_id)
                         + (SELECT COALESCE(MAX(id), 0) FROM ${prefix}outbox) AS id
         FROM ${prefix}outbox WHERE id IS NULL) numbered ON numbered.outbox_id = o.outbox_id
 WHEN MATCHED THEN UPDATE
  SET o.id = numbered.id, o.category = LOWER(o.category), o.retry_count = COALESCE(o.retry_count, 0),
      o.dispatched_at = CASE WHEN o.status = 'DISPATCHED' THEN o.created_at END;

ALTER TABLE ${prefix}outbox ALTER COLUMN outbox_id SET DEFAULT RANDOM_UUID();

ALTER TABLE ${prefix}outbox ALTER COLUMN id BIGINT GENERATED ALWAYS AS IDENTITY;

ALTER TABLE ${prefix}outbox ALTER COLUMN id RESTART WITH (SELECT COALESCE(MAX(id), 0) + 1 FROM ${prefix}outbox);

ALTER TABLE ${prefix}outbox ALTER COLUMN category VARCHAR(16) DEFAULT 'event' NOT NULL;

ALTER TABLE ${prefix}outbox ALTER COLUMN destination VARCHAR(255) NOT NULL;

ALTER TABLE ${prefix}outbox ALTER COLUMN payload CHARACTER LARGE OBJECT DEFAULT '' NOT NULL;

ALTER TABLE ${prefix}outbox ALTER COLUMN status VARCHAR(16) DEFAULT 'PENDING' NOT NULL;

ALTER TABLE ${prefix}outbox ALTER COLUMN retry_count INT DEFAULT 0 NOT NULL;

ALTER TABLE ${prefix}outbox ALTER COLUMN created_at TIMESTAMP(6) WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL;

-- lock: copies the table
ALTER TABLE ${prefix}outbox ADD COLUMN shard SMALLINT GENERATED ALWAYS AS (
    CASE WHEN partition_key = '' THEN MOD(id, 64) ELSE ORA_HASH(partition_key, 63) END);
