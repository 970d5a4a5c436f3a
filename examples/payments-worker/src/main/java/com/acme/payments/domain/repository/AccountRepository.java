package com.acme.payments.domain.repository;

import com.acme.payments.domain.model.Account;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Accounts with their entries, loaded and saved as a whole. Nothing of them is ever deleted. */
public interface AccountRepository {

    /** The account, which nobody else changes until the transaction ends. */
    Optional<Account> lock(UUID accountId);

    Optional<Account> findById(UUID accountId);

    Optional<Account> findByAccountNumber(String accountNumber);

    List<Account> findByCustomerId(UUID customerId);

    void save(Account account);
}
