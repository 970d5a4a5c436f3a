package io.waybill.inbox.receive;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.waybill.inbox.receive.FailureLog.Failed;
import io.waybill.relay.route.RouteTarget.FailedAttempt;
import io.waybill.testkit.ManualClock;
import io.waybill.testkit.Numbered;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class FailureLogTest {

    private final ManualClock clock = ManualClock.now();
    private final FailureLog failures = new FailureLog("billing", clock.time());
    private final Logger logger = (Logger) LoggerFactory.getLogger(FailureLog.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
        logger.setLevel(Level.INFO);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
        logger.setLevel(null);
    }

    @Test
    void one_bad_message_with_119_followers_is_one_warning() {
        failures.add(List.of(failed(0, 3, new IllegalStateException("no ink"))));
        failures.add(IntStream.rangeClosed(1, 119)
                .mapToObj(number -> failed(number, 0, new BehindAnotherException("key")))
                .toList());

        assertThat(lines(Level.WARN))
                .singleElement()
                .asString()
                .startsWith("WB-301")
                .contains("3 attempts", "no ink");
        assertThat(lines(Level.INFO)).singleElement().asString().startsWith("119 messages");
    }

    @Test
    void a_cause_that_goes_on_is_said_once_a_minute_with_the_number_of_messages() {
        for (int number = 0; number < 100; number++) {
            failures.add(List.of(failed(number, 3, noInk())));
        }
        assertThat(lines(Level.WARN)).hasSize(1);

        clock.advance(Duration.ofMinutes(1));
        failures.add(List.of(failed(100, 3, noInk())));
        assertThat(lines(Level.WARN)).hasSize(2).last().asString().contains("100 messages");
    }

    @Test
    void each_cause_is_said() {
        failures.add(List.of(failed(0, 3, noInk()), failed(1, 1, new ArithmeticException("/ by zero"))));

        assertThat(lines(Level.WARN)).hasSize(2);
    }

    @Test
    void the_first_line_has_the_stack_trace_and_later_ones_do_not() {
        failures.add(List.of(failed(0, 3, noInk())));
        clock.advance(Duration.ofMinutes(1));
        failures.add(List.of(failed(1, 3, noInk())));
        clock.advance(Duration.ofHours(1));
        failures.add(List.of(failed(2, 3, noInk())));

        assertThat(lines.list)
                .extracting(line -> line.getThrowableProxy() != null)
                .containsExactly(true, false, true);
    }

    @Test
    void a_message_that_is_tried_again_is_said_with_the_next_attempt_and_the_last_one_at_once() {
        var message = Numbered.message("orders", "key", 0);
        failures.retried(new FailedAttempt(message, 1, 10, Duration.ofSeconds(2), noInk()));
        failures.retried(new FailedAttempt(message, 2, 10, Duration.ofSeconds(4), noInk()));
        failures.add(List.of(failed(0, 10, noInk())));

        assertThat(lines(Level.WARN)).hasSize(2);
        assertThat(lines(Level.WARN).get(0))
                .contains("billing", "(1 attempt)", "no ink", "Next: attempt 2 of 10 at ")
                .contains(
                        clock.time().clock().instant().plusSeconds(2).toString().substring(0, 19))
                .contains("'waybill failed list --state retrying' shows it");
        assertThat(lines(Level.WARN).get(1))
                .contains("(10 attempts)", "until you retry or discard it", "'waybill failed list --state failed'");
    }

    private static RuntimeException noInk() {
        return new IllegalStateException("no ink");
    }

    private static Failed failed(int number, int attempts, RuntimeException error) {
        return Failed.forGood(Numbered.message("orders", "key", number), attempts, error);
    }

    private List<String> lines(Level level) {
        return lines.list.stream()
                .filter(line -> line.getLevel() == level)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }
}
