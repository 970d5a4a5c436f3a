-- Makes our inbox of the guide's.
-- lock: copies the table
ALTER TABLE ${prefix}inbox ALTER COLUMN processed_at TIMESTAMP(6) WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL;
