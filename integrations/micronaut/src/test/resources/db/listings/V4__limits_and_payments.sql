CREATE TABLE account_limit (
    limit_id     UUID           PRIMARY KEY,
    account_id   UUID           NOT NULL REFERENCES account(account_id),
    limit_amount DECIMAL(19, 4) NOT NULL,
    booked       DECIMAL(19, 4) NOT NULL,
    booking_id   VARCHAR(80)
);

CREATE TABLE payment (
    payment_id UUID           PRIMARY KEY,
    account_id UUID           NOT NULL REFERENCES account(account_id),
    amount     DECIMAL(19, 4) NOT NULL
);
