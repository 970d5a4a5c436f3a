package com.acme.payments.infrastructure.persistence;

import com.acme.payments.domain.model.FxContract;
import com.acme.payments.domain.repository.FxContractRepository;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.UUID;

@Singleton
class JdbcFxContractRepository implements FxContractRepository {

    private final Sql sql;

    JdbcFxContractRepository(Sql sql) {
        this.sql = sql;
    }

    @Override
    public Optional<FxContract> findByBooking(UUID bookingId) {
        return sql
                .query(
                        """
                        SELECT contract_id, booking_id, sold_amount, sold_currency, bought_amount, bought_currency, rate, unwound
                          FROM fx_contract
                         WHERE booking_id = ?
                        """,
                        row -> new FxContract(
                                Sql.uuid(row, "contract_id"),
                                Sql.uuid(row, "booking_id"),
                                Sql.money(row, "sold_amount", "sold_currency"),
                                Sql.money(row, "bought_amount", "bought_currency"),
                                row.getBigDecimal("rate"),
                                row.getBoolean("unwound")),
                        bookingId)
                .stream()
                .findFirst();
    }

    @Override
    public void save(FxContract contract) {
        int updated = sql.update(
                "UPDATE fx_contract SET unwound = ? WHERE contract_id = ?", contract.unwound(), contract.contractId());
        if (updated == 0) {
            sql.update(
                    """
                    INSERT INTO fx_contract (contract_id, booking_id, sold_amount, sold_currency, bought_amount,
                                             bought_currency, rate, unwound)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                    contract.contractId(),
                    contract.bookingId(),
                    contract.sold().amount(),
                    contract.sold().currencyCode(),
                    contract.bought().amount(),
                    contract.bought().currencyCode(),
                    contract.rate(),
                    contract.unwound());
        }
    }
}
