ALTER TABLE ${table}
    ADD COLUMN partition_key VARCHAR(255) NOT NULL DEFAULT '';

CREATE INDEX idx_outbox_available ON ${table} (queue_name, available_at, delivered_at, id);

CREATE INDEX idx_outbox_partition_order ON ${table} (queue_name, partition_key, available_at, delivered_at, id);
