-- The next free rows, and those that are claimed, each in one short range.
CREATE INDEX ${table}_claims ON ${table} (queue_name, delivered_at, id);
