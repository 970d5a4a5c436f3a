-- Makes our inbox of the guide's. Times without a zone are taken to be in the zone of the session.
-- lock: nobody else reads or writes the table until the end; rewrites it unless its times have a zone
ALTER TABLE ${prefix}inbox
    ALTER COLUMN message_id TYPE VARCHAR(255) COLLATE "C",
    ALTER COLUMN handler TYPE VARCHAR(255) COLLATE "C",
    ALTER COLUMN processed_at TYPE TIMESTAMPTZ,
    ALTER COLUMN processed_at SET DEFAULT clock_timestamp();
