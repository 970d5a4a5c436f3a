package io.waybill.testkit.contract.framework;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Handlers that cannot work fail the start of their application, by name. Every integration passes it. */
public abstract class FrameworkHandlersContract {

    /** Why a handler cannot work. */
    public enum Kind {
        /** A new bean for each who asks. */
        PROTOTYPE,
        /** A bean of a request of HTTP. */
        REQUEST_SCOPE,
        /** The definition of the bean speaks of an interface that does not have the method. */
        HIDDEN_BY_INTERFACE,
        /** It runs in another thread. */
        ASYNC,
        /** It returns before it is done. */
        FUTURE,
        /** It asks for an isolation, and joins a transaction that has another one. */
        ISOLATION,
        /** Its destination is a setting that is not there. */
        UNRESOLVED,
        /** It is a suspend function of Kotlin. */
        SUSPENDING
    }

    /** Starts an application with such handlers, and returns what it fails with. */
    protected abstract Throwable refusal(Kind... kinds);

    /** The class of the handler, whose method is called {@code handle}. */
    protected abstract Class<?> handler(Kind kind);

    @ParameterizedTest
    @EnumSource
    void a_handler_that_cannot_work_is_refused_by_name(Kind kind) {
        assertThat(refusal(kind)).hasStackTraceContaining(handler(kind).getName() + ".handle");
    }

    @Test
    void all_that_cannot_work_are_told_at_once() {
        Kind[] kinds = {Kind.PROTOTYPE, Kind.ASYNC, Kind.UNRESOLVED, Kind.HIDDEN_BY_INTERFACE, Kind.SUSPENDING};

        assertThat(refusal(kinds))
                .satisfies(refusal -> assertThat(kinds)
                        .allSatisfy(kind -> assertThat(refusal)
                                .hasStackTraceContaining(handler(kind).getName() + ".handle")));
    }
}
