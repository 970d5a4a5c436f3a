package com.acme.examples;

import io.waybill.command.DomainCommand;
import io.waybill.process.ProcessManager;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.store.ProcessQuery;
import io.waybill.runtime.Waybill;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;

/** Two purchases: one goes through; the card of the other is refused, and its reservation is given back. */
public final class CompensatedProcess {

    public record ReserveStockCommand(String item) implements DomainCommand {}

    public record ReleaseStockCommand(String item) implements DomainCommand {}

    public record ChargeCardCommand(String card, int amount) implements DomainCommand {}

    public static class Purchase implements ProcessConfiguration {

        @Override
        public String getProcessType() {
            return "Purchase";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process()
                    .startWith(ReserveStockCommand.class)
                    .withCompensation(ReleaseStockCommand.class)
                    .then(ChargeCardCommand.class)
                    .end();
        }
    }

    public static class Shop {
        public void reserve(ReserveStockCommand command) {
            System.out.println("reserved " + command.item());
        }

        public void release(ReleaseStockCommand command) {
            System.out.println("released " + command.item());
        }

        public void charge(ChargeCardCommand command) {
            if (command.card().startsWith("expired")) {
                throw new IllegalStateException("the card " + command.card() + " is refused");
            }
            System.out.println("charged " + command.card());
        }
    }

    public static void main(String[] args) throws SQLException {
        var waybill = Waybill.on(Database.inMemory("process"))
                .handlers(new Shop())
                .processes(new Purchase())
                .start();
        ProcessManager processes = waybill.processManager();

        UUID good = processes.startProcess("Purchase", "p-1", Map.of("item", "book", "card", "card-1", "amount", 30));
        end(processes, good, ProcessStatus.SUCCEEDED);
        UUID bad = processes.startProcess("Purchase", "p-2", Map.of("item", "lamp", "card", "expired-2", "amount", 80));
        end(processes, bad, ProcessStatus.COMPENSATED);
        System.out.println(processes.explain(bad));

        waybill.close();
    }

    private static void end(ProcessManager processes, UUID id, ProcessStatus status) {
        Wait.until(
                "the purchase is " + status,
                () -> processes.search(ProcessQuery.ANY).stream()
                        .anyMatch(one -> one.processId().equals(id) && one.status() == status));
    }

    private CompensatedProcess() {}
}
