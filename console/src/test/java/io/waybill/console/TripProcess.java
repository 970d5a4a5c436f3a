package io.waybill.console;

import io.waybill.command.DomainCommand;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;
import java.util.concurrent.atomic.AtomicBoolean;

/** Book a room, pay for it. A payment that fails cancels the room, which is possible once the hotel answers. */
public final class TripProcess implements ProcessConfiguration {

    /** Books a room. */
    public record BookCommand(String guest) implements DomainCommand {}

    /** Cancels the room. */
    public record CancelCommand(String guest) implements DomainCommand {}

    /** Pays. */
    public record PayCommand(String guest) implements DomainCommand {}

    @Override
    public String getProcessType() {
        return "Trip";
    }

    @Override
    public ProcessGraph defineProcess() {
        return process()
                .startWith(BookCommand.class)
                .withCompensation(CancelCommand.class, undo -> undo.maxRetries(0))
                .thenWaitFor("Card")
                .then(PayCommand.class)
                .end();
    }

    /** The hotel and the bank. */
    public static final class Partners {

        private final AtomicBoolean hotelAnswers;

        public Partners(AtomicBoolean hotelAnswers) {
            this.hotelAnswers = hotelAnswers;
        }

        public void book(BookCommand command) {}

        public void cancel(CancelCommand command) {
            if (!hotelAnswers.get()) {
                throw new IllegalStateException("The hotel does not answer");
            }
        }

        @SuppressWarnings("DoNotCallSuggester") // It is called: that is how a payment fails.
        public void pay(PayCommand command) {
            if (!command.guest().isEmpty()) {
                throw new IllegalStateException("The card was refused");
            }
        }
    }
}
