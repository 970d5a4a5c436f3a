-- The table of Symfony Messenger's Doctrine transport, as it creates it itself: an identity column would make its own setup fail.
CREATE TABLE ${table} (
    id           BIGSERIAL    NOT NULL PRIMARY KEY,
    body         TEXT         NOT NULL,
    headers      TEXT         NOT NULL,
    queue_name   VARCHAR(190) NOT NULL,
    created_at   TIMESTAMP(0) NOT NULL,
    available_at TIMESTAMP(0) NOT NULL,
    delivered_at TIMESTAMP(0) DEFAULT NULL
);
