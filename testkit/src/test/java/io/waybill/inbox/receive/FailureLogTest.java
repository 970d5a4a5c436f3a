package io.waybill.inbox.receive;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.waybill.inbox.receive.FailureLog.Failed;
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

    private static RuntimeException noInk() {
        return new IllegalStateException("no ink");
    }

    private static Failed failed(int number, int attempts, RuntimeException error) {
        return new Failed(Numbered.message("orders", "key", number), attempts, error);
    }

    private List<String> lines(Level level) {
        return lines.list.stream()
                .filter(line -> line.getLevel() == level)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }
}
