package io.waybill.process;

import io.waybill.process.ProcessListener.StepOutcome;
import io.waybill.process.message.Decision;
import io.waybill.process.state.CompensationEvent;
import io.waybill.process.state.ProcessEvent;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.state.StepEvent;
import io.waybill.store.Transaction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells a listener what was decided, once it is committed. */
final class ProcessNotifier {

    private static final Logger log = LoggerFactory.getLogger(ProcessNotifier.class);

    private final ProcessListener listener;

    ProcessNotifier(ProcessListener listener) {
        this.listener = listener;
    }

    void decided(Transaction transaction, Decision decision) {
        if (listener != ProcessListener.NONE && !decision.isEmpty()) {
            transaction.afterCommit(() -> notifyListener(decision));
        }
    }

    /** It is committed: an exception now would tell the caller otherwise. */
    private void notifyListener(Decision decision) {
        try {
            String type = decision.after().processType();
            if (decision.before().isEmpty()) {
                listener.started(type);
            }
            decision.events().forEach(logged -> notifyListener(type, logged.event()));
            ProcessStatus status = decision.after().status();
            if (status.isFinished() && isNew(decision, status)) {
                listener.ended(type, status);
            }
        } catch (RuntimeException e) {
            log.warn("WB-403 A ProcessListener failed; the process is not affected: {}", e.toString());
            log.debug("WB-403", e);
        }
    }

    private void notifyListener(String type, ProcessEvent event) {
        if (event instanceof StepEvent.StepRetried retried) {
            listener.retried(type, retried.step(), retried.attempt());
        } else if (event instanceof CompensationEvent.CompensationStepStarted compensation
                && compensation.attempt() > 1) {
            listener.retried(type, compensation.step(), compensation.attempt());
        } else if (event instanceof StepEvent.StepCompleted done) {
            listener.stepEnded(type, done.step(), StepOutcome.COMPLETED);
        } else if (event instanceof StepEvent.StepFailed failed) {
            listener.stepEnded(type, failed.step(), StepOutcome.FAILED);
        } else if (event instanceof CompensationEvent.CompensationStepCompleted compensated) {
            listener.stepEnded(type, compensated.step(), StepOutcome.COMPENSATED);
        }
    }

    private static boolean isNew(Decision decision, ProcessStatus status) {
        return decision.before().map(before -> before.status() != status).orElse(true);
    }
}
