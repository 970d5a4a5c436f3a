-- The table of Symfony Messenger's Doctrine transport, as it creates it itself.
CREATE TABLE ${table} (
    id           BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
    body         LONGTEXT     NOT NULL,
    headers      LONGTEXT     NOT NULL,
    queue_name   VARCHAR(190) NOT NULL,
    created_at   DATETIME     NOT NULL,
    available_at DATETIME     NOT NULL,
    delivered_at DATETIME     DEFAULT NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
