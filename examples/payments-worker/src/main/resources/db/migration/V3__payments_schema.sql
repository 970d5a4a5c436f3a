CREATE TABLE account (
    account_id        UUID          NOT NULL PRIMARY KEY,
    customer_id       UUID          NOT NULL,
    account_number    VARCHAR(34)   NOT NULL UNIQUE,
    currency_code     VARCHAR(3)    NOT NULL,
    limit_based       BOOLEAN       NOT NULL,
    active            BOOLEAN       NOT NULL,
    available_balance DECIMAL(19,2) NOT NULL,
    CHECK (limit_based OR available_balance >= 0)
);

-- Entries are never changed. A booking has at most one entry of a type: nothing is debited or given back twice.
CREATE TABLE account_transaction (
    transaction_id   UUID          NOT NULL PRIMARY KEY,
    account_id       UUID          NOT NULL REFERENCES account,
    booking_id       UUID          NOT NULL,
    transaction_type VARCHAR(10)   NOT NULL CHECK (transaction_type IN ('CREDIT', 'DEBIT', 'REVERSAL')),
    amount           DECIMAL(19,2) NOT NULL CHECK (amount > 0),
    currency_code    VARCHAR(3)    NOT NULL,
    balance_after    DECIMAL(19,2) NOT NULL,
    description      VARCHAR(200)  NOT NULL,
    entry_number     INT           NOT NULL,
    UNIQUE (booking_id, transaction_type),
    UNIQUE (account_id, entry_number)
);

CREATE TABLE account_limit (
    account_id    UUID          NOT NULL PRIMARY KEY REFERENCES account,
    limit_amount  DECIMAL(19,2) NOT NULL,
    utilized      DECIMAL(19,2) NOT NULL,
    currency_code VARCHAR(3)    NOT NULL,
    CHECK (utilized >= 0 AND utilized <= limit_amount)
);

CREATE TABLE limit_booking (
    booking_id    UUID          NOT NULL PRIMARY KEY,
    account_id    UUID          NOT NULL,
    amount        DECIMAL(19,2) NOT NULL,
    currency_code VARCHAR(3)    NOT NULL,
    reversed      BOOLEAN       NOT NULL
);

CREATE TABLE fx_contract (
    contract_id     UUID          NOT NULL PRIMARY KEY,
    booking_id      UUID          NOT NULL UNIQUE,
    sold_amount     DECIMAL(19,2) NOT NULL,
    sold_currency   VARCHAR(3)    NOT NULL,
    bought_amount   DECIMAL(19,2) NOT NULL,
    bought_currency VARCHAR(3)    NOT NULL,
    rate            DECIMAL(12,6) NOT NULL,
    unwound         BOOLEAN       NOT NULL
);

CREATE TABLE payment (
    payment_id     UUID          NOT NULL PRIMARY KEY,
    account_id     UUID          NOT NULL REFERENCES account,
    transaction_id UUID          NOT NULL UNIQUE REFERENCES account_transaction,
    beneficiary    VARCHAR(100)  NOT NULL,
    amount         DECIMAL(19,2) NOT NULL,
    currency_code  VARCHAR(3)    NOT NULL
);

CREATE TABLE blocked_beneficiary (
    beneficiary VARCHAR(100) NOT NULL PRIMARY KEY,
    reason      VARCHAR(200) NOT NULL
);
