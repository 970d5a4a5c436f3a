package io.waybill.console.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.console.operation.Operation.Result;
import io.waybill.console.operation.Operation.State;
import io.waybill.console.operation.Operation.Work;
import io.waybill.jdbc.JdbcStore;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OperationsTest {

    private final TestDatabase database = H2.newDatabase();
    private final JdbcStore store = JdbcStore.on(database.dataSource()).initializeSchema();
    private final Operations operations = new Operations(Clock.systemUTC());
    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void drop() {
        end.countDown();
        database.close();
    }

    @Test
    void an_operation_that_waits_for_others_is_in_the_audit_and_does_nothing_when_it_is_cancelled() {
        List<Operation> running =
                IntStream.range(0, 4).mapToObj(i -> start(this::untilTheEnd)).toList();
        var worked = new AtomicBoolean();
        Operation fifth = start(progress -> {
            worked.set(true);
            return new Result("done", 1, 0);
        });

        assertThat(store.operationLog().latest(10)).hasSize(5);
        fifth.cancel();
        end.countDown();
        await().until(() -> fifth.state() != State.RUNNING);

        assertThat(fifth.state()).isEqualTo(State.CANCELLED);
        assertThat(worked).isFalse();
        running.forEach(one -> await().until(() -> one.state() == State.DONE));
    }

    @Test
    void an_operation_that_is_done_cannot_be_cancelled() {
        Operation done = start(progress -> new Result("done", 1, 0));
        assertThat(Operations.await(done, Duration.ofSeconds(10))).isPresent();

        done.cancel();

        assertThat(done.state()).isEqualTo(State.DONE);
    }

    @Test
    void an_operation_that_goes_on_is_not_forgotten_for_newer_ones() {
        Operation first = start(this::untilTheEnd);
        for (int i = 0; i < 205; i++) {
            Operations.await(start(progress -> new Result("done", 1, 0)), Duration.ofSeconds(10));
        }

        assertThat(operations.find("shop", first.id())).contains(first);
        assertThat(operations.of("shop")).hasSize(200);
    }

    @Test
    void a_failure_that_is_no_exception_ends_the_entry_in_the_audit() {
        Operation failed = start(progress -> {
            throw new AssertionError("broken");
        });

        await().until(() -> failed.state() == State.FAILED);
        assertThat(store.operationLog().latest(1).get(0).result()).isEqualTo("It failed: broken");
    }

    private Result untilTheEnd(Operation.Progress progress) {
        try {
            end.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return new Result("done", 1, 0);
    }

    private Operation start(Work work) {
        return operations.start(
                store.operationLog(), "shop", "ann", "waybill failed retry", "ink", "", Optional.empty(), work);
    }
}
