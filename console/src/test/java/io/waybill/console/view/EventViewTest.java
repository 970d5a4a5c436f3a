package io.waybill.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.console.security.PayloadMask;
import io.waybill.process.state.LoggedEvent;
import io.waybill.process.state.ProcessEvent;
import io.waybill.process.state.StepEvent.SignalReceived;
import io.waybill.process.state.StepEvent.StepCompleted;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EventViewTest {

    private static final Map<String, Object> DATA = Map.of("card", Map.of("pin", "1234"));

    @Test
    void data_that_came_with_a_reply_or_a_signal_is_masked() {
        PayloadMask usual = PayloadMask.of(PayloadMask.DEFAULT_RULES);

        assertThat(text(new StepCompleted(1, "Pay", DATA), usual)).isEqualTo("Pay is done, reply {card={pin=***}}");
        assertThat(text(new SignalReceived(2, "Card", "", DATA), usual))
                .isEqualTo("the signal Card came with {card={pin=***}}");
        assertThat(text(new StepCompleted(1, "Pay", DATA), PayloadMask.of(List.of("*"))))
                .isEqualTo("Pay is done");
        assertThat(text(new StepCompleted(1, "Pay", DATA), PayloadMask.NONE)).contains("1234");
    }

    private static String text(ProcessEvent event, PayloadMask masking) {
        return EventView.of(new LoggedEvent(1, Instant.EPOCH, event), masking).text();
    }
}
