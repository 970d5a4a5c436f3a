package io.waybill.process;

import io.waybill.process.state.ProcessStatus;

/** Notifies the first, then the second. */
record CompositeProcessListener(ProcessListener first, ProcessListener second) implements ProcessListener {

    @Override
    public void started(String processType) {
        first.started(processType);
        second.started(processType);
    }

    @Override
    public void retried(String processType, String step, int attempt) {
        first.retried(processType, step, attempt);
        second.retried(processType, step, attempt);
    }

    @Override
    public void stepEnded(String processType, String step, StepOutcome outcome) {
        first.stepEnded(processType, step, outcome);
        second.stepEnded(processType, step, outcome);
    }

    @Override
    public void ended(String processType, ProcessStatus status) {
        first.ended(processType, status);
        second.ended(processType, status);
    }
}
