package com.acme.payments.domain.repository;

import com.acme.payments.domain.model.Account;
import java.util.Optional;
import java.util.UUID;

/** Accounts with their entries, loaded and saved as a whole. */
public interface AccountRepository {

    /** The account, which nobody else changes until the transaction ends. */
    Optional<Account> lock(UUID accountId);

    Optional<Account> findById(UUID accountId);

    void save(Account account);

    void delete(UUID accountId);
}
