package io.waybill.testkit.contract.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.inbox.Subscriber;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.message.text.Json;
import io.waybill.ops.Cleanup;
import io.waybill.ops.Cleanup.Options;
import io.waybill.ops.NdjsonArchive;
import io.waybill.store.admin.Archive;
import io.waybill.store.admin.OutboxStatus;
import io.waybill.store.admin.Selection;
import io.waybill.store.admin.StoredMessage;
import io.waybill.store.outbox.OnExhausted;
import io.waybill.testkit.contract.support.OperatorContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What cleaning up removes, and what it leaves. */
public abstract class CleanupContract extends OperatorContract {

    private static final Options A_WEEK = Options.olderThan(Duration.ofDays(7));

    @Test
    void only_what_was_dispatched_or_discarded_long_ago_is_removed() {
        append(order("a", 1), order("b", 2), order("b", 3));
        var leases = leaseAll("relay");
        refuseAll(leases, OnExhausted.PARK);
        operations().discard(Selection.failed().inOrderOf("a"), "a test order", done -> {});
        append(order("c", 4));
        sendAll(leases);
        append(order("d", 5));

        assertThat(clean(A_WEEK)).isZero();
        store.clock().advance(Duration.ofDays(8));
        assertThat(clean(A_WEEK)).isEqualTo(2);

        assertThat(operations().list(Selection.all(), 0, 10))
                .extracting(StoredMessage::status)
                .containsExactly(OutboxStatus.FAILED, OutboxStatus.HELD, OutboxStatus.PENDING);
    }

    @Test
    void much_is_removed_in_small_steps() {
        dispatch(25);
        store.clock().advance(Duration.ofDays(8));
        var steps = new ArrayList<Long>();

        assertThat(cleanup().outbox(A_WEEK.step(10), steps::add)).isEqualTo(25);

        assertThat(steps).containsExactly(10L, 20L, 25L);
    }

    @Test
    void a_dry_run_counts_and_changes_nothing() {
        dispatch(3);
        store.clock().advance(Duration.ofDays(8));

        assertThat(clean(A_WEEK.dryRun(true))).isEqualTo(3);

        assertThat(operations().list(Selection.all(), 0, 10)).hasSize(3);
        assertThat(clean(A_WEEK)).isEqualTo(3);
    }

    @Test
    void what_is_removed_is_in_the_archive_of_the_store() {
        var sent = dispatch(12);
        store.clock().advance(Duration.ofDays(8));

        assertThat(clean(A_WEEK.step(5).archive(Archive.TABLE))).isEqualTo(12);

        assertThat(store.archived()).containsExactlyInAnyOrderElementsOf(sent);
        assertThat(operations().list(Selection.all(), 0, 10)).isEmpty();
    }

    @Test
    void what_is_removed_is_in_the_archive_file(@TempDir Path directory) throws IOException {
        append(Message.event("Quoted", "{\"text\":\"a \\\"b\\\"\"}").to(ORDERS).header("h", "1"));
        append(Message.event("Image", new byte[] {1, 2, 3}).to("images"));
        var sent = sendAll(leaseAll("relay"));
        store.clock().advance(Duration.ofDays(8));
        Path file = directory.resolve("archive.ndjson");

        try (var archive = NdjsonArchive.open(file)) {
            assertThat(clean(A_WEEK.archive(Archive.to(archive)))).isEqualTo(2);
        }

        assertThat(Files.readAllLines(file))
                .hasSize(2)
                .allSatisfy(line -> assertThat(Json.problemIn(line)).isEmpty())
                .anySatisfy(line -> assertThat(line)
                        .contains("\"id\":\"" + sent.get(0).envelope().id() + "\"")
                        .contains("\"headers\":{\"h\":\"1\"}")
                        .contains("\"status\":\"DISPATCHED\""))
                .anySatisfy(line -> assertThat(line).contains("\"payloadBase64\":\"AQID\""));
    }

    @Test
    void nothing_is_removed_that_could_not_be_archived() {
        dispatch(2);
        store.clock().advance(Duration.ofDays(8));

        assertThatThrownBy(() -> clean(A_WEEK.archive(Archive.to(messages -> {
                    throw new WaybillException("The disk is full.");
                }))))
                .hasMessage("The disk is full.");

        assertThat(clean(A_WEEK)).isEqualTo(2);
    }

    @Test
    void the_inbox_forgets_what_was_handled_long_ago() {
        var billing = Subscriber.ofText("billing", received -> {});
        for (int i = 0; i < 12; i++) {
            assertThat(store.inbox().receive(received(), billing)).isTrue();
        }
        var options = Options.olderThan(Duration.ofDays(30)).step(5);

        assertThat(cleanup().inbox(options, done -> {})).isZero();
        store.clock().advance(Duration.ofDays(31));
        assertThat(cleanup().inbox(options.dryRun(true), done -> {})).isEqualTo(12);
        assertThat(cleanup().inbox(options, done -> {})).isEqualTo(12);
        assertThat(cleanup().inbox(options.dryRun(true), done -> {})).isZero();
    }

    private Cleanup cleanup() {
        return new Cleanup(store.cleanup());
    }

    private long clean(Options options) {
        return cleanup().outbox(options, done -> {});
    }

    private List<UUID> dispatch(int count) {
        for (int i = 0; i < count; i++) {
            append(order("key-" + i, i));
        }
        return sendAll(leaseAll("relay")).stream()
                .map(message -> message.envelope().id())
                .toList();
    }

    private static Envelope received() {
        return Message.event("OrderPlaced", "1").to(ORDERS).seal(UUID::randomUUID);
    }
}
