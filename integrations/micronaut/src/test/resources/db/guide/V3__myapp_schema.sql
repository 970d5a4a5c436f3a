CREATE TABLE account (account_id UUID PRIMARY KEY);
