package io.waybill.process;

import io.waybill.WaybillException;

/** This instance does not know the definition of a process: another one has to go on with it. */
final class ElsewhereException extends WaybillException {
    ElsewhereException(String processId) {
        super(
                "This instance cannot continue process " + processId
                        + ": it does not have its definition in that version. It is tried again until one that has it gets it.");
    }
}
