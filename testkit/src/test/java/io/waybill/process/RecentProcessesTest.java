package io.waybill.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.Time;
import io.waybill.message.UuidV7;
import io.waybill.process.message.Decision;
import io.waybill.process.state.LoggedEvent;
import io.waybill.process.state.ProcessEvent.ProcessStarted;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.StepEvent.StepStarted;
import io.waybill.process.state.StepKind;
import io.waybill.testkit.ManualClock;
import io.waybill.testkit.memory.MemoryStore;
import io.waybill.testkit.memory.MemoryTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RecentProcessesTest {

    /** More than are kept. */
    private static final int MANY = 16_000;

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final RecentProcesses recent = new RecentProcesses(Time.system());
    private final MemoryStore store = new MemoryStore(Time.system());

    @BeforeEach
    void the_database_has_said_what_time_it_is() {
        recent.asked(NOW);
    }

    @Test
    void of_a_backlog_that_does_not_fit_many_are_found() {
        List<UUID> backlog = ids();
        backlog.forEach(this::keep);

        long found = backlog.stream().filter(this::goesOn).count();
        long foundAgain = backlog.stream().filter(this::goesOn).count();

        assertThat(found).isGreaterThan(MANY / 2);
        assertThat(foundAgain).isGreaterThan(MANY / 2);
    }

    @Test
    void those_that_are_never_asked_for_again_make_room() {
        ids().forEach(this::keep);

        int found = 0;
        for (UUID id : ids()) {
            keep(id);
            found += isFound(id) ? 1 : 0;
        }

        assertThat(found).as("all but the first few of each stripe").isGreaterThan(MANY - 300);
    }

    @Test
    void what_waits_for_nothing_is_not_kept() {
        UUID id = UUID.randomUUID();
        keep(ProcessState.replayed(id, List.of(started())));

        assertThat(recent.take(id)).isEmpty();
    }

    @Test
    void a_clock_that_is_set_back_does_not_set_processes_back_and_after_a_suspension_the_database_is_asked() {
        var wall = ManualClock.at(NOW);
        var nanos = new AtomicLong();
        var recently = new RecentProcesses(new Time(wall, nanos::get));
        recently.asked(NOW);

        wall.advance(Duration.ofMinutes(-1));
        nanos.set(Duration.ofSeconds(1).toNanos());
        assertThat(recently.now()).contains(NOW.plusSeconds(1));

        wall.advance(Duration.ofMinutes(2));
        assertThat(recently.now()).isEmpty();
    }

    private static List<UUID> ids() {
        return Stream.generate(UuidV7.SYSTEM).limit(MANY).toList();
    }

    /** Takes a process, or reads it, and keeps it after its next step. */
    private boolean goesOn(UUID id) {
        boolean found = isFound(id);
        keep(id);
        return found;
    }

    private boolean isFound(UUID id) {
        return recent.take(id).isPresent();
    }

    private void keep(UUID id) {
        keep(waiting(id));
    }

    private void keep(ProcessState after) {
        MemoryTransaction transaction = store.begin();
        recent.decided(transaction, new Decision(Optional.empty(), after, List.of(), List.of(), List.of(), List.of()));
        transaction.commit();
    }

    private static ProcessState waiting(UUID id) {
        var step = new StepStarted(1, 0, StepKind.COMMAND, "BookLimits", 0, UUID.randomUUID(), null, Map.of());
        return ProcessState.replayed(id, List.of(started(), new LoggedEvent(2, NOW, step)));
    }

    private static LoggedEvent started() {
        return new LoggedEvent(1, NOW, new ProcessStarted("Payment", 1, "payment-1", Map.of(), null, null, Map.of()));
    }
}
