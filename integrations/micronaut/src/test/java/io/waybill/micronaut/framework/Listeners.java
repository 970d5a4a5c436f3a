package io.waybill.micronaut.framework;

import io.micronaut.context.annotation.Requires;
import io.micronaut.transaction.annotation.TransactionalEventListener;
import io.micronaut.transaction.annotation.TransactionalEventListener.TransactionPhase;
import io.waybill.testkit.contract.framework.FrameworkFixture.Phase;
import io.waybill.testkit.contract.framework.FrameworkFixture.Work;
import jakarta.inject.Singleton;

/** Hears events when their transaction has ended. */
@Singleton
@Requires(property = "spec", value = "framework")
public class Listeners {

    /** An event of the application. */
    public record Happened(Phase phase, Work work) {}

    /** Another one, that is heard before the commit. */
    public record Ending(Work work) {}

    @TransactionalEventListener(TransactionPhase.BEFORE_COMMIT)
    void beforeCommit(Ending event) throws Exception {
        event.work().run();
    }

    @TransactionalEventListener(TransactionPhase.AFTER_COMMIT)
    void afterCommit(Happened event) throws Exception {
        runAt(Phase.AFTER_COMMIT, event);
    }

    @TransactionalEventListener(TransactionPhase.AFTER_COMPLETION)
    void afterCompletion(Happened event) throws Exception {
        runAt(Phase.AFTER_COMPLETION, event);
    }

    @TransactionalEventListener(TransactionPhase.AFTER_ROLLBACK)
    void afterRollback(Happened event) throws Exception {
        runAt(Phase.AFTER_ROLLBACK, event);
    }

    private static void runAt(Phase phase, Happened event) throws Exception {
        if (event.phase() == phase) {
            event.work().run();
        }
    }
}
