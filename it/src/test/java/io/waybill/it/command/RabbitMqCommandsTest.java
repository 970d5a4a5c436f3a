package io.waybill.it.command;

import static io.waybill.command.BusinessKey.businessKey;
import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.command.CommandNaming;
import io.waybill.command.CommandOptions;
import io.waybill.command.CommandReply;
import io.waybill.command.PendingReply;
import io.waybill.it.command.Depot.Dispatch;
import io.waybill.it.command.Depot.PackCommand;
import io.waybill.message.PayloadCodec;
import io.waybill.process.state.ProcessEvent;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.store.ProcessStore;
import io.waybill.runtime.Waybill;
import io.waybill.runtime.WaybillBuilder;
import io.waybill.store.failed.FailedSelection;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.broker.Rabbit;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class RabbitMqCommandsTest extends RemoteCommandsContract {

    @Test
    void in_any_order_two_workers_share_a_queue_and_a_key_waits_for_nobody() throws Exception {
        var order = new CommandNaming(naming.prefix() + "ANY", "Q", Map.of());
        List.of("Pack", "Unpack", "Ship", "Label", "Unlabel", "Reply")
                .forEach(type -> createQueue(order.queueOf(type)));
        var hold = new CountDownLatch(1);
        try (var ours = H2.newDatabase();
                var theirs = H2.newDatabase();
                Waybill asking = sender(ours, order).start()) {
            createLedger(theirs);
            try (Waybill one = anyOrder(theirs, order, hold);
                    Waybill two = anyOrder(theirs, order, hold)) {
                List<PendingReply> replies = new ArrayList<>();
                replies.add(pack(asking, "slow-clock"));
                for (int i = 0; i < 20; i++) {
                    replies.add(pack(asking, "quick-" + i));
                }
                await().atMost(Duration.ofSeconds(30))
                        .untilAsserted(() -> assertThat(one.isAlive()
                                        && two.isAlive()
                                        && replies.stream()
                                                .anyMatch(
                                                        reply -> reply.future().isDone()))
                                .isTrue());
                assertThat(replies.get(0).future()).as("the first of the key").isNotDone();
                hold.countDown();
                assertThat(replies)
                        .allSatisfy(reply -> assertThat(
                                        reply.await(Duration.ofSeconds(30)).reply())
                                .isInstanceOf(CommandReply.Completed.class));
            }
        }
    }

    /** The middle of a rolling deploy: two nodes on one database share a reply queue, and one of them does not have the process. */
    @Test
    void replies_that_reach_a_node_without_the_definition_of_their_process_wait_for_one_that_has_it()
            throws SQLException {
        var names = new CommandNaming(naming.prefix() + "TWO", "Q", Map.of());
        List.of("Pack", "Unpack", "Ship", "Unlabel", "Reply").forEach(type -> createQueue(names.queueOf(type)));
        try (var ours = H2.newDatabase();
                var theirs = H2.newDatabase();
                Waybill without = sender(ours, names).start();
                Waybill with = sender(ours, names).processes(new Dispatch()).start()) {
            createLedger(theirs);
            try (Waybill working = anyOrder(theirs, names, new CountDownLatch(0))) {
                List<UUID> ids = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    Map<String, Object> data = Map.of("item", (i % 5 == 0 ? "heavy-" : "cup-") + i);
                    ids.add(with.processManager().startProcess("Dispatch", "order-" + i, data));
                }

                ProcessStore processes = with.store().processStore(PayloadCodec.found());
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> ids.stream()
                                .allMatch(id -> processes
                                        .findById(id)
                                        .orElseThrow()
                                        .status()
                                        .isFinished()));
                assertThat(ids)
                        .filteredOn(id -> processes.findById(id).orElseThrow().status() == ProcessStatus.SUCCEEDED)
                        .hasSize(16);
                assertThat(ids.stream().flatMap(id -> processes.findByProcessId(id).stream()))
                        .as("replies that reached the node without the definition")
                        .anyMatch(ProcessEvent.ReplyHeld.class::isInstance);
                assertThat(with.processManager().stuck(10)).isEmpty();
                assertThat(working.isAlive() && without.isAlive()).isTrue();
                assertThat(with.failedMessages().count(FailedSelection.all())).isZero();
            }
        }
    }

    private static void createLedger(TestDatabase database) throws SQLException {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE ledger (what VARCHAR(20) NOT NULL, item VARCHAR(60) NOT NULL)");
        }
    }

    private WaybillBuilder sender(TestDatabase database, CommandNaming names) {
        return Waybill.on(database.dataSource())
                .commandNaming(names)
                .route(names.prefix() + ".*.Q", url())
                .repliesFrom(url());
    }

    private Waybill anyOrder(TestDatabase database, CommandNaming order, CountDownLatch hold) {
        return Waybill.on(database.dataSource())
                .commandNaming(order)
                .handlers(transactions -> new Depot(transactions, hold))
                .commandsFrom(url())
                .commandsInAnyOrder()
                .route(order.replyQueue(), url())
                .start();
    }

    private static PendingReply pack(Waybill asking, String item) {
        return asking.commandBus()
                .send(new PackCommand(item), idempotencyKey(item), businessKey("one"), CommandOptions.DEFAULT);
    }

    @Override
    String url() {
        return Rabbit.shared().url();
    }

    @Override
    void createQueue(String name) {
        Rabbit.shared().createQueue(name);
    }
}
