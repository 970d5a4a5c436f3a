package io.waybill.console.view;

import io.waybill.store.AttemptLog;
import java.time.Instant;
import java.util.List;

/**
 * Something that happened to a message.
 *
 * @param kind {@code failed}, with the error as the text, or {@code operator}, with what was changed and by whom
 */
public record AttemptView(Instant at, String kind, String text) {

    /** The oldest first. */
    public static List<AttemptView> of(AttemptLog log) {
        return log.entries().stream()
                .map(entry -> new AttemptView(entry.at(), entry.kind().word(), entry.text()))
                .toList();
    }
}
