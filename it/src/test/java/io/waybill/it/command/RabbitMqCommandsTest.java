package io.waybill.it.command;

import static io.waybill.command.BusinessKey.businessKey;
import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.command.CommandNaming;
import io.waybill.command.CommandOptions;
import io.waybill.command.CommandReply;
import io.waybill.command.PendingReply;
import io.waybill.it.command.Depot.PackCommand;
import io.waybill.runtime.Waybill;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.broker.Rabbit;
import io.waybill.testkit.services.database.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
                Waybill asking = Waybill.on(ours.dataSource())
                        .commandNaming(order)
                        .route(order.prefix() + ".*.Q", url())
                        .repliesFrom(url())
                        .start();
                var connection = theirs.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE ledger (what VARCHAR(20) NOT NULL, item VARCHAR(60) NOT NULL)");
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
