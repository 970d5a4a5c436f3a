package io.waybill.micronaut.framework;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Prototype;
import io.micronaut.context.annotation.Requires;
import io.micronaut.runtime.http.scope.RequestScope;
import io.micronaut.scheduling.annotation.Async;
import io.micronaut.transaction.TransactionDefinition.Isolation;
import io.micronaut.transaction.annotation.Transactional;
import io.waybill.command.DomainCommand;
import io.waybill.inbox.SubscribeTo;
import io.waybill.outbox.Outbox;
import jakarta.inject.Singleton;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import kotlin.Unit;
import kotlin.coroutines.Continuation;

/** Handlers that cannot work, each in an application that asks for it. */
public final class Unworkable {

    private Unworkable() {}

    /** A command. */
    public record FirstCommand(String order) implements DomainCommand {}

    /** Another one. */
    public record SecondCommand(String order) implements DomainCommand {}

    /** A new one for each who asks. */
    @Prototype
    @Requires(property = "unworkable.prototype")
    public static class OfNobody {
        public void handle(FirstCommand command) {}
    }

    /** One for each request. */
    @RequestScope
    @Requires(property = "unworkable.request-scope")
    public static class OfRequest {
        public void handle(FirstCommand command) {}
    }

    /** Says nothing of messages. */
    public interface Silent {}

    /** Nobody sees it. */
    public static class Hidden implements Silent {
        @SubscribeTo("hidden")
        public void handle(String what) {}
    }

    /** Hides it. */
    @Factory
    @Requires(property = "unworkable.hidden-by-interface")
    static class Hiding {
        @Singleton
        Silent silent(Outbox outbox) {
            Objects.requireNonNull(outbox, "it is made after Waybill");
            return new Hidden();
        }
    }

    /** Runs elsewhere. */
    @Singleton
    @Requires(property = "unworkable.async")
    public static class Asynchronous {
        @Async
        public void handle(SecondCommand command) {}
    }

    /** Returns before it is done. */
    @Singleton
    @Requires(property = "unworkable.future")
    public static class Later {
        public CompletableFuture<String> handle(FirstCommand command) {
            return CompletableFuture.completedFuture(command.order());
        }
    }

    /** Asks for what it does not get. */
    @Singleton
    @Requires(property = "unworkable.isolation")
    public static class Isolated {
        @Transactional(isolation = Isolation.SERIALIZABLE)
        public void handle(FirstCommand command) {}
    }

    /** Hears from nowhere. */
    @Singleton
    @Requires(property = "unworkable.unresolved")
    public static class Unresolved {
        @SubscribeTo("${shop.nowhere}")
        public void handle(String what) {}
    }

    /** What the compiler of Kotlin makes of a suspend function. */
    @Singleton
    @Requires(property = "unworkable.suspending")
    public static class Suspending {
        public Object handle(SecondCommand command, Continuation<? super Unit> continuation) {
            return Unit.INSTANCE;
        }
    }
}
