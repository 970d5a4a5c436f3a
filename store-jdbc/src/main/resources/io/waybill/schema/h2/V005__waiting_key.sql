-- Keys of which a handler has messages that wait to be tried again: later ones of the key wait behind them.
CREATE TABLE ${prefix}waiting_key (
    destination   VARCHAR(255) NOT NULL,
    partition_key VARCHAR(255) NOT NULL,
    messages      BIGINT       NOT NULL,
    PRIMARY KEY (destination, partition_key)
);
