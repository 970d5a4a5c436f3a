-- Domain table
CREATE TABLE account (
    account_id UUID PRIMARY KEY,
    customer_id UUID NOT NULL,
    account_number VARCHAR(20) NOT NULL UNIQUE,
    currency_code VARCHAR(3) NOT NULL,
    account_type VARCHAR(20) NOT NULL,
    transit_number VARCHAR(10),
    limit_based BOOLEAN DEFAULT false,
    available_balance DECIMAL(19, 4) NOT NULL,
    created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- Child entities
CREATE TABLE transaction (
    transaction_id UUID PRIMARY KEY,
    account_id UUID NOT NULL REFERENCES account(account_id),
    transaction_time TIMESTAMP NOT NULL,
    transaction_type VARCHAR(10) NOT NULL,
    amount DECIMAL(19, 4) NOT NULL,
    currency_code VARCHAR(3) NOT NULL,
    description TEXT,
    balance_after DECIMAL(19, 4) NOT NULL
);

-- Indexes
CREATE INDEX idx_transaction_account ON transaction(account_id);
CREATE INDEX idx_transaction_time ON transaction(transaction_time);
