-- The next free rows, and those that are claimed, each in one short range.
-- lock: writing to the table waits while the index is built
CREATE INDEX ${table}_claims ON ${table} (queue_name, delivered_at, id);
