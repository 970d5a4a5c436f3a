package io.waybill.process.definition;

import io.waybill.command.DomainCommand;
import io.waybill.process.graph.ProcessData;
import io.waybill.process.graph.RetryPolicy;
import io.waybill.process.graph.Step;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Options of a compensation: {@code withCompensation(UnwindFxCommand.class, undo -> undo.maxRetries(8).timeout(ofSeconds(30)))}.
 *
 * <p>Immutable.
 */
public final class Compensation<C extends DomainCommand> {

    private final @Nullable Function<ProcessData, C> builder;
    private final RetryPolicy retries;
    private final @Nullable Duration timeout;

    private Compensation(@Nullable Function<ProcessData, C> builder, RetryPolicy retries, @Nullable Duration timeout) {
        this.builder = builder;
        this.retries = retries;
        this.timeout = timeout;
    }

    static <C extends DomainCommand> Compensation<C> byName() {
        return new Compensation<>(null, RetryPolicy.COMPENSATION, null);
    }

    /** Builds the command from what its step saw and replied, instead of by the names of its components. */
    public Compensation<C> from(Function<ProcessData, C> builder) {
        return new Compensation<>(builder, retries, timeout);
    }

    public Compensation<C> maxRetries(int times) {
        return new Compensation<>(builder, retries.times(times), timeout);
    }

    public Compensation<C> retries(RetryPolicy policy) {
        return new Compensation<>(builder, policy, timeout);
    }

    /** How long one attempt may take. */
    public Compensation<C> timeout(Duration timeout) {
        return new Compensation<>(builder, retries, timeout);
    }

    Step.CompensatingSend of(String type, Class<C> command) {
        return new Step.CompensatingSend(new Step.Send(type, command, builder), timeout, retries);
    }
}
