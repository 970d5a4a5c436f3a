package io.waybill.command;

import io.waybill.WaybillException;
import java.util.UUID;

/** An answer is for something that this node cannot go on with, and waits until one takes it that can. */
final class AnswerElsewhereException extends WaybillException {
    AnswerElsewhereException(UUID correlationId) {
        super("The answer is for " + correlationId
                + ", which this node cannot continue: it does not have its definition in that version.");
    }
}
