-- What a table of earlier days may lack; nothing of it is needed by its application.
ALTER TABLE ${table} ADD COLUMN batch_id VARCHAR(36);

ALTER TABLE ${table} ADD COLUMN push_started_at TIMESTAMPTZ;

ALTER TABLE ${table} ADD COLUMN push_completed_at TIMESTAMPTZ;

ALTER TABLE ${table} ADD COLUMN payload_headers TEXT NOT NULL DEFAULT '';

ALTER TABLE ${table} ADD COLUMN push_attempts INT NOT NULL DEFAULT 0;

ALTER TABLE ${table} ADD COLUMN key VARCHAR(255) NOT NULL DEFAULT '';

ALTER TABLE ${table} ADD COLUMN partition_key VARCHAR(255) NOT NULL DEFAULT '';

ALTER TABLE ${table} ADD COLUMN errored INT NOT NULL DEFAULT 0;

ALTER TABLE ${table} ADD COLUMN error_reason VARCHAR(255) NOT NULL DEFAULT '';

ALTER TABLE ${table} ADD COLUMN created_at TIMESTAMPTZ NOT NULL DEFAULT now();
