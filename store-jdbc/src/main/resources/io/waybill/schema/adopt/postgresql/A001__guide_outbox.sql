-- Makes our outbox of the guide's: outbox_id, category, destination, payload, status, retry_count, created_at.
-- All of it is one transaction. An INSERT with the old columns alone works as before.
-- lock: nobody else reads or writes the table until the end
LOCK TABLE ${prefix}outbox IN ACCESS EXCLUSIVE MODE;

ALTER TABLE ${prefix}outbox
    ADD COLUMN id             BIGINT,
    ADD COLUMN type           VARCHAR(255) COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN message_key    VARCHAR(255) COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN partition_key  VARCHAR(255) COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN payload_binary BYTEA,
    ADD COLUMN headers        TEXT NOT NULL DEFAULT '',
    ADD COLUMN last_error     TEXT,
    ADD COLUMN attempt_log    TEXT,
    ADD COLUMN retries        INT NOT NULL DEFAULT 0,
    ADD COLUMN available_at   TIMESTAMPTZ,
    ADD COLUMN dispatched_at  TIMESTAMPTZ;

-- When a message was sent is not known; that it was appended before is.
-- lock: writes every row
UPDATE ${prefix}outbox o
   SET id = numbered.id, category = LOWER(o.category), retry_count = COALESCE(o.retry_count, 0),
       dispatched_at = CASE WHEN o.status = 'DISPATCHED' THEN o.created_at END
  FROM (SELECT outbox_id, row_number() OVER (ORDER BY created_at, outbox_id) AS id FROM ${prefix}outbox) numbered
 WHERE o.outbox_id = numbered.outbox_id;

-- Times without a zone are taken to be in the zone of the session.
-- lock: rewrites the table and its indexes
ALTER TABLE ${prefix}outbox
    ALTER COLUMN outbox_id SET DEFAULT gen_random_uuid(),
    ALTER COLUMN id SET NOT NULL,
    ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (CACHE 1),
    ALTER COLUMN category TYPE VARCHAR(16),
    ALTER COLUMN category SET DEFAULT 'event',
    ALTER COLUMN category SET NOT NULL,
    ALTER COLUMN destination TYPE VARCHAR(255) COLLATE "C",
    ALTER COLUMN destination SET NOT NULL,
    ALTER COLUMN payload TYPE TEXT,
    ALTER COLUMN payload SET DEFAULT '',
    ALTER COLUMN payload SET NOT NULL,
    ALTER COLUMN status TYPE VARCHAR(16) COLLATE "C",
    ALTER COLUMN status SET DEFAULT 'PENDING',
    ALTER COLUMN status SET NOT NULL,
    ALTER COLUMN retry_count TYPE INT,
    ALTER COLUMN retry_count SET DEFAULT 0,
    ALTER COLUMN retry_count SET NOT NULL,
    ALTER COLUMN created_at TYPE TIMESTAMPTZ,
    ALTER COLUMN created_at SET DEFAULT clock_timestamp(),
    ALTER COLUMN created_at SET NOT NULL;

SELECT setval(pg_get_serial_sequence('${prefix}outbox', 'id'), (SELECT COALESCE(max(id), 0) + 1 FROM ${prefix}outbox), false);
