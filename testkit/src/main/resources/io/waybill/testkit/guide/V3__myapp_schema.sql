CREATE TABLE account (
    account_id UUID PRIMARY KEY,
    currency_code VARCHAR(3) NOT NULL
);
