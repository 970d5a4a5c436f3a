package io.waybill.micronaut.guide;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Section 6.4: the interface of the domain. */
public interface AccountRepository {
    void save(Account account);

    Optional<Account> findById(UUID accountId);

    Optional<Account> findByAccountNumber(String accountNumber);

    List<Account> findByCustomerId(UUID customerId);
}
