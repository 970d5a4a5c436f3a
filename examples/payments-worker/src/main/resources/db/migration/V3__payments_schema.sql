CREATE TABLE account (
    account_id        UUID          NOT NULL PRIMARY KEY,
    customer_id       UUID          NOT NULL,
    account_number    VARCHAR(34)   NOT NULL UNIQUE,
    currency_code     VARCHAR(3)    NOT NULL,
    account_type      VARCHAR(20)   NOT NULL CHECK (account_type IN ('CHECKING', 'SAVINGS')),
    transit_number    VARCHAR(10)   NOT NULL,
    limit_based       BOOLEAN       NOT NULL DEFAULT FALSE,
    status            VARCHAR(10)   NOT NULL CHECK (status IN ('OPENING', 'ACTIVE', 'CLOSED')),
    available_balance DECIMAL(19,2) NOT NULL,
    created_at        TIMESTAMP     NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CHECK (limit_based OR available_balance >= 0)
);

CREATE INDEX idx_account_customer ON account (customer_id);

-- Entries are never changed or deleted. A booking has at most one entry of a type: nothing is debited or given back twice.
CREATE TABLE transaction (
    transaction_id   UUID          NOT NULL PRIMARY KEY,
    account_id       UUID          NOT NULL REFERENCES account,
    booking_id       UUID          NOT NULL,
    transaction_time TIMESTAMP     NOT NULL DEFAULT CURRENT_TIMESTAMP,
    transaction_type VARCHAR(10)   NOT NULL CHECK (transaction_type IN ('CREDIT', 'DEBIT', 'REVERSAL', 'RECALL', 'VOID')),
    amount           DECIMAL(19,2) NOT NULL CHECK (amount > 0),
    currency_code    VARCHAR(3)    NOT NULL,
    description      VARCHAR(200)  NOT NULL,
    balance_after    DECIMAL(19,2) NOT NULL,
    entry_number     INT           NOT NULL,
    UNIQUE (booking_id, transaction_type),
    UNIQUE (account_id, entry_number)
);

CREATE INDEX idx_transaction_time ON transaction (transaction_time);

-- An account has at most one limit for a period and a type of transaction.
CREATE TABLE account_limit (
    limit_id         UUID          NOT NULL PRIMARY KEY,
    account_id       UUID          NOT NULL REFERENCES account,
    period           VARCHAR(10)   NOT NULL CHECK (period IN ('DAILY', 'MONTHLY')),
    transaction_type VARCHAR(10)   NOT NULL,
    limit_amount     DECIMAL(19,2) NOT NULL,
    utilized         DECIMAL(19,2) NOT NULL,
    currency_code    VARCHAR(3)    NOT NULL,
    period_start     DATE          NOT NULL,
    UNIQUE (account_id, period, transaction_type),
    CHECK (utilized >= 0 AND utilized <= limit_amount)
);

CREATE TABLE limit_booking (
    booking_id    UUID          NOT NULL,
    limit_id      UUID          NOT NULL,
    amount        DECIMAL(19,2) NOT NULL,
    currency_code VARCHAR(3)    NOT NULL,
    period_start  DATE          NOT NULL,
    reversed      BOOLEAN       NOT NULL,
    PRIMARY KEY (booking_id, limit_id)
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
    payment_id             UUID          NOT NULL PRIMARY KEY,
    debit_account_id       UUID          NOT NULL REFERENCES account,
    transaction_id         UUID          NOT NULL UNIQUE REFERENCES transaction,
    debit_amount           DECIMAL(19,2) NOT NULL,
    debit_currency         VARCHAR(3)    NOT NULL,
    credit_amount          DECIMAL(19,2) NOT NULL,
    credit_currency        VARCHAR(3)    NOT NULL,
    exchange_rate          DECIMAL(12,6) NOT NULL,
    value_date             DATE          NOT NULL,
    beneficiary_name       VARCHAR(100)  NOT NULL,
    beneficiary_account_id UUID,
    status                 VARCHAR(10)   NOT NULL CHECK (status IN ('SUBMITTED', 'COMPLETED', 'CANCELLED')),
    created_at             TIMESTAMP     NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE INDEX idx_payment_account ON payment (debit_account_id);

CREATE TABLE payment_notification (
    payment_id UUID         NOT NULL PRIMARY KEY REFERENCES payment,
    text       VARCHAR(300) NOT NULL
);

CREATE TABLE blocked_beneficiary (
    beneficiary VARCHAR(100) NOT NULL PRIMARY KEY,
    reason      VARCHAR(200) NOT NULL
);
