-- Makes our table of commands of the guide's: command_id, type, idempotency_key, business_key, payload, status, created_at.
-- All of it is one transaction. An INSERT with the old columns alone works as before.
-- lock: nobody else reads or writes the table until the end
LOCK TABLE ${prefix}command IN ACCESS EXCLUSIVE MODE;

-- Times without a zone are taken to be in the zone of the session.
-- lock: rewrites the table and its indexes
ALTER TABLE ${prefix}command
    ADD COLUMN correlation_id UUID         NOT NULL DEFAULT gen_random_uuid(),
    ADD COLUMN attempt        INT          NOT NULL DEFAULT 1,
    ADD COLUMN reply          TEXT         NOT NULL DEFAULT '',
    ADD COLUMN timeout_at     TIMESTAMPTZ,
    ADD COLUMN updated_at     TIMESTAMPTZ  NOT NULL DEFAULT clock_timestamp(),
    ALTER COLUMN type            TYPE VARCHAR(255) COLLATE "C",
    ALTER COLUMN idempotency_key TYPE VARCHAR(255) COLLATE "C",
    ALTER COLUMN business_key    TYPE VARCHAR(255) COLLATE "C",
    ALTER COLUMN business_key    SET DEFAULT '',
    ALTER COLUMN payload         TYPE TEXT,
    ALTER COLUMN status          TYPE VARCHAR(16) COLLATE "C",
    ALTER COLUMN status          SET DEFAULT 'PENDING',
    ALTER COLUMN created_at      TYPE TIMESTAMPTZ,
    ALTER COLUMN created_at      SET DEFAULT clock_timestamp();

-- lock: writes every row
UPDATE ${prefix}command
   SET correlation_id = command_id, business_key = COALESCE(business_key, ''), payload = COALESCE(payload, ''),
       updated_at = created_at;

ALTER TABLE ${prefix}command
    ALTER COLUMN type            SET NOT NULL,
    ALTER COLUMN idempotency_key SET NOT NULL,
    ALTER COLUMN business_key    SET NOT NULL,
    ALTER COLUMN payload         SET NOT NULL,
    ALTER COLUMN status          SET NOT NULL,
    ALTER COLUMN created_at      SET NOT NULL;

ALTER TABLE ${prefix}command SET (fillfactor = 60);
