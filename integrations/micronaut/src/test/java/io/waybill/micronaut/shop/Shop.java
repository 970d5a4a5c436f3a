package io.waybill.micronaut.shop;

import io.waybill.command.BusinessKey;
import io.waybill.command.CommandBus;
import io.waybill.command.IdempotencyKey;
import io.waybill.command.Retryable;
import io.waybill.message.Message;
import io.waybill.micronaut.shop.Commands.ChargeCardCommand;
import io.waybill.micronaut.shop.Commands.HesitateCommand;
import io.waybill.micronaut.shop.Commands.HideFailureCommand;
import io.waybill.micronaut.shop.Commands.ReleaseStockCommand;
import io.waybill.micronaut.shop.Commands.ReserveStockCommand;
import io.waybill.outbox.Outbox;
import io.waybill.process.ProcessManager;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Handles commands, and injects what it is called by. */
@Singleton
public class Shop {

    private final Ledger ledger;
    private final Outbox outbox;
    private final CommandBus commands;
    private final ProcessManager processes;
    private final Faults faults;
    private final Set<String> hesitated = ConcurrentHashMap.newKeySet();

    Shop(Ledger ledger, Outbox outbox, CommandBus commands, ProcessManager processes, Faults faults) {
        this.faults = faults;
        this.ledger = ledger;
        this.outbox = outbox;
        this.commands = commands;
        this.processes = processes;
    }

    @Transactional
    public Map<String, Object> reserve(ReserveStockCommand command) {
        ledger.write("reserve", command.item(), -command.amount());
        return Map.of("reserved", true);
    }

    @Transactional
    public void release(ReleaseStockCommand command) {
        ledger.write("release", command.item(), command.amount());
    }

    @Transactional
    public void charge(ChargeCardCommand command) {
        ledger.write("charge", command.item(), -command.amount());
        if (command.item().startsWith("broken")) {
            throw new IllegalStateException("no money for " + command.item());
        }
    }

    /** Goes on although a part of its transaction has failed, which cannot commit any more. */
    @Transactional
    public void hide(HideFailureCommand command) {
        ledger.write("hide", command.item(), 0);
        try {
            faults.fail();
        } catch (IllegalStateException e) {
            ledger.write("hidden", command.item(), 0);
        }
    }

    @Transactional
    public void hesitate(HesitateCommand command) {
        outbox.publish(new Post.Hesitated(command.item()));
        if (hesitated.add(command.item())) {
            throw new NotYetException();
        }
    }

    /** It will go away. */
    private static final class NotYetException extends RuntimeException implements Retryable {}

    /** Data, a message, a command and a process, of which all exist or none. */
    @Transactional
    public UUID order(String item, boolean fails) {
        ledger.write("order", item, 0);
        outbox.append(Message.event("Ordered", Map.of("item", item)).to("shop.ordered"));
        commands.accept(new ReserveStockCommand(item, 1), new IdempotencyKey(item), new BusinessKey(item));
        UUID process = processes.startProcess("Purchase", item, Map.of("item", item, "amount", 2));
        if (fails) {
            throw new IllegalStateException("changed its mind about " + item);
        }
        return process;
    }

    /** Appends where no transaction is open. */
    public void appendAlone() {
        outbox.append(Message.event("Ordered", Map.of("item", "alone")).to("shop.ordered"));
    }
}
