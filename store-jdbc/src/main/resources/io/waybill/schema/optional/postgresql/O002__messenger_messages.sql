-- The table of Symfony Messenger's Doctrine transport; what failed is its queue 'failed'. Its times are UTC.
CREATE TABLE ${prefix}messenger_messages (
    id           BIGSERIAL    NOT NULL PRIMARY KEY,
    body         TEXT         NOT NULL,
    headers      TEXT         NOT NULL,
    queue_name   VARCHAR(190) NOT NULL,
    created_at   TIMESTAMP(0) NOT NULL,
    available_at TIMESTAMP(0) NOT NULL,
    delivered_at TIMESTAMP(0) DEFAULT NULL
);

-- lock: writing to the table waits while the index is built
CREATE INDEX ${prefix}messenger_messages_queue ON ${prefix}messenger_messages (queue_name, id);
