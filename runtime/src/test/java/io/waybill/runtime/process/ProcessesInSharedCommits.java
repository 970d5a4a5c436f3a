package io.waybill.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.message.Envelope;
import io.waybill.message.PayloadCodec;
import io.waybill.observe.RelayListener;
import io.waybill.observe.WaitingItem;
import io.waybill.ops.OutboxOperations;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.ProcessStatus;
import io.waybill.relay.route.RelayOptions;
import io.waybill.store.admin.DestinationStats;
import io.waybill.testkit.memory.MemoryBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Processes that go on with their next step as soon as the last one is over: in its commit, or in the next one. */
abstract class ProcessesInSharedCommits extends PurchaseScenario {

    @Test
    void processes_that_share_commits_are_written_like_those_that_do_not() {
        RelayOptions shared = RelayOptions.DEFAULT.withHandlers(2).withMessagesPerCommit(50);
        run(application(shared).relays(0));
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < 70; i++) {
            ids.add(waybill.processManager()
                    .startProcess("Purchase", "order-" + i, data(i == 33 ? "broken-" + i : "book-" + i)));
        }
        run(application(shared));

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() ->
                        assertThat(ids).allMatch(id -> instance(id).status().isFinished()));

        assertThat(ids.stream()
                        .filter(id -> instance(id).status() != ProcessStatus.SUCCEEDED)
                        .map(id -> waybill.processManager().explain(id)))
                .as("those that did not succeed")
                .hasSize(1);
        assertThat(ledger()).hasSize(69 * 3 + 4);
        var store = waybill.store().processStore(PayloadCodec.found());
        assertThat(ids).allSatisfy(id -> {
            ProcessState replayed = ProcessState.replayed(id, store.history(id));
            ProcessState stored = store.read(id).orElseThrow();
            assertThat(stored.header()).isEqualTo(replayed.header());
            assertThat(stored.executions()).containsExactlyElementsOf(replayed.executions());
        });
    }

    @Test
    void in_a_shared_commit_a_process_goes_on_as_long_as_there_is_room() {
        assertThat(messagesOfAPurchase(50))
                .as("the first step brings the others along")
                .containsExactly("ReserveStock");
        assertThat(messagesOfAPurchase(2)).as("room for two").containsExactlyInAnyOrder("ReserveStock", "Ship");
    }

    /** The steps that went through the outbox. */
    private List<String> messagesOfAPurchase(int perCommit) {
        execute("DELETE FROM ledger");
        execute("DELETE FROM command");
        List<String> sent =
                toldOf("book", RelayOptions.DEFAULT.withMessagesPerCommit(perCommit), ProcessStatus.SUCCEEDED);
        assertThat(count("SELECT count(*) FROM command WHERE status = 'COMPLETED'"))
                .isEqualTo(3);
        assertThat(count("SELECT count(*) FROM ledger")).isEqualTo(3);
        return sent;
    }

    /** What the relay told of a purchase, in any order: a handler's thread tells after its commit, when another may already do the next step. */
    private List<String> toldOf(String item, RelayOptions options, ProcessStatus end) {
        List<String> told = new CopyOnWriteArrayList<>();
        run(application(options).listener(new RelayListener() {
            @Override
            public void published(List<Envelope> messages, Duration lag) {
                messages.forEach(message -> told.add(message.type()));
            }

            @Override
            public void failed(Envelope message, int attempts, String error) {
                told.add(message.type() + " failed after " + attempts);
            }
        }));
        awaitStatus(
                waybill.processManager()
                        .startProcess("Purchase", UUID.randomUUID().toString(), data(item)),
                end);
        waybill.stop();
        return told;
    }

    @Test
    void a_step_whose_destination_is_paused_is_not_done_in_the_commit_of_the_step_before() {
        var operator = new OutboxOperations(waybill.store().admin());
        operator.pause("APP.CMD.CHARGECARD.Q", "the bank is closed", "ann");
        run(application(RelayOptions.DEFAULT.withMessagesPerCommit(50)));

        UUID id = waybill.processManager().startProcess("Purchase", "order-1", data("book"));

        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(operator.stats())
                        .extracting(DestinationStats::destination)
                        .containsExactly("APP.CMD.CHARGECARD.Q"));
        assertThat(waybill.waiting()).extracting(WaitingItem::why).contains("paused by ann: the bank is closed");
        assertThat(ledger()).containsExactly("reserve book -2");

        operator.resume("APP.CMD.CHARGECARD.Q");
        awaitStatus(id, ProcessStatus.SUCCEEDED);
        assertThat(ledger()).containsExactlyInAnyOrder("reserve book -2", "charge card-1 -2", "ship book 0");
    }

    @Test
    void what_goes_to_a_broker_is_not_done_in_the_commit_of_the_step_before() {
        var broker = new MemoryBroker();
        run(application(RelayOptions.DEFAULT.withMessagesPerCommit(50)).route("APP.CMD.CHARGECARD.Q", broker));

        waybill.processManager().startProcess("Purchase", "order-1", data("book"));

        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(broker.accepted()).hasSize(1));
        assertThat(ledger()).containsExactly("reserve book -2");
    }
}
