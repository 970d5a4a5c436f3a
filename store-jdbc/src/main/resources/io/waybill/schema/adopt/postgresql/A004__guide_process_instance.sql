-- Makes our table of processes of the guide's: process_id, process_type, business_key, status, current_step, data, retries, created_at,
-- updated_at. All of them have ended: version 0 is that of no definition, and no event of theirs is counted.
-- lock: nobody else reads or writes the table until the end
LOCK TABLE ${prefix}process_instance IN ACCESS EXCLUSIVE MODE;

-- Times without a zone are taken to be in the zone of the session.
-- lock: rewrites the table and its indexes
ALTER TABLE ${prefix}process_instance
    ADD COLUMN definition_version     INT  NOT NULL DEFAULT 0,
    ADD COLUMN event_count            INT  NOT NULL DEFAULT 0,
    ADD COLUMN due_at                 TIMESTAMPTZ,
    ADD COLUMN deadline               TIMESTAMPTZ,
    ADD COLUMN paused_from            VARCHAR(16),
    ADD COLUMN reason                 TEXT NOT NULL DEFAULT '',
    ADD COLUMN start_data             TEXT NOT NULL DEFAULT '{}',
    ADD COLUMN parent_process_id      UUID,
    ADD COLUMN parent_command_id      UUID,
    ADD COLUMN parent_compensation_command_id UUID,
    ADD COLUMN trace                  TEXT,
    ALTER COLUMN process_type TYPE VARCHAR(255) COLLATE "C",
    ALTER COLUMN business_key TYPE VARCHAR(255) COLLATE "C",
    ALTER COLUMN status       TYPE VARCHAR(16) COLLATE "C",
    ALTER COLUMN current_step TYPE VARCHAR(255) COLLATE "C",
    ALTER COLUMN data         TYPE TEXT,
    ALTER COLUMN retries      TYPE INT,
    ALTER COLUMN created_at   TYPE TIMESTAMPTZ,
    ALTER COLUMN updated_at   TYPE TIMESTAMPTZ;

-- lock: writes every row
UPDATE ${prefix}process_instance
   SET current_step = COALESCE(current_step, ''), data = COALESCE(data, '{}'), retries = COALESCE(retries, 0),
       updated_at = COALESCE(updated_at, created_at);

ALTER TABLE ${prefix}process_instance
    ALTER COLUMN process_type SET NOT NULL,
    ALTER COLUMN business_key SET NOT NULL,
    ALTER COLUMN status       SET NOT NULL,
    ALTER COLUMN current_step SET NOT NULL,
    ALTER COLUMN data         SET NOT NULL,
    ALTER COLUMN retries      SET NOT NULL,
    ALTER COLUMN created_at   SET NOT NULL,
    ALTER COLUMN updated_at   SET NOT NULL,
    ADD UNIQUE (process_type, business_key);

ALTER TABLE ${prefix}process_instance SET (fillfactor = 60, toast_tuple_target = 256);
