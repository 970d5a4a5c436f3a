package io.waybill.micronaut.guide;

import io.micronaut.transaction.TransactionOperations;
import io.waybill.micronaut.guide.PaymentCommands.BookFxCommand;
import io.waybill.micronaut.guide.PaymentCommands.CreatePaymentCommand;
import io.waybill.micronaut.guide.PaymentCommands.UnwindFxCommand;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** The rest of the payment: exchange, whose first attempt fails when it is told to, and the payment itself (section 4.3). */
@Singleton
public class PaymentService {
    final AtomicInteger failingConnections = new AtomicInteger();
    final List<String> unwound = new CopyOnWriteArrayList<>();
    private final TransactionOperations<Connection> tx;

    public PaymentService(TransactionOperations<Connection> tx) {
        this.tx = tx;
    }

    @Transactional
    public Map<String, Object> bookFx(BookFxCommand cmd) {
        if (failingConnections.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new IllegalStateException("the connection was reset");
        }
        return Map.of("fxContractId", "fx-" + cmd.debitAccountId(), "exchangeRate", 1.25);
    }

    @Transactional
    public void unwindFx(UnwindFxCommand cmd) {
        unwound.add(cmd.fxContractId());
    }

    @Transactional
    public Payment createPayment(CreatePaymentCommand cmd) {
        Payment payment = new Payment(UUID.randomUUID(), "SUBMITTED");
        tx.executeWrite(status -> {
            JdbcAccountRepository.write(
                    status.getConnection(),
                    "INSERT INTO payment (payment_id, account_id, amount) VALUES (?, ?, ?)",
                    payment.paymentId(),
                    cmd.debitAccountId(),
                    cmd.amount());
            return null;
        });
        return payment; // Serialized to CommandReply.data
    }

    List<UUID> findByAccountId(UUID accountId) {
        return tx.executeRead(status -> JdbcAccountRepository.read(
                status.getConnection(),
                "SELECT payment_id FROM payment WHERE account_id = ?",
                accountId,
                row -> row.getObject(1, UUID.class)));
    }

    /** What was paid. */
    public record Payment(UUID paymentId, String status) {}
}
