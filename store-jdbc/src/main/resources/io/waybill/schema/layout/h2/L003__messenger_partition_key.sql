ALTER TABLE ${table}
    ADD COLUMN partition_key VARCHAR(255) NOT NULL DEFAULT '';

-- lock: writing to the table waits while the index is built
CREATE INDEX ${table}_available ON ${table} (queue_name, available_at, delivered_at, id);

-- lock: writing to the table waits while the index is built
CREATE INDEX ${table}_partition_order ON ${table} (queue_name, partition_key, available_at, delivered_at, id);
