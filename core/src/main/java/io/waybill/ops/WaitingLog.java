package io.waybill.ops;

import io.waybill.observe.Waiting;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says once that something waits unusually, and once that it does not any more.
 *
 * <p><i>Threads:</i> one.
 */
final class WaitingLog {

    private static final Logger log = LoggerFactory.getLogger(WaitingLog.class);

    private List<Waiting> told = List.of();

    /** This is all that waits now. What others log themselves is left to them. */
    void look(List<Waiting> now) {
        List<Waiting> unusual = now.stream().filter(Waiting::unusual).toList();
        told.stream()
                .filter(before -> unusual.stream().noneMatch(before::isAbout))
                .forEach(over ->
                        log.info("WB-127 {} {} waits no longer.", over.kind().word(), over.name()));
        var telling = new ArrayList<Waiting>();
        for (Waiting one : unusual) {
            if (one.code().equals(Waiting.CODE)) {
                if (told.stream().noneMatch(one::isAbout)) {
                    log.warn("{} Waiting: {}", Waiting.CODE, one.text());
                }
                telling.add(one);
            }
        }
        told = List.copyOf(telling);
    }
}
