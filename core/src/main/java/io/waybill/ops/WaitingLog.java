package io.waybill.ops;

import io.waybill.observe.WaitingItem;
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

    private List<WaitingItem> logged = List.of();

    /** This is all that waits now. What others log themselves is left to them. */
    void look(List<WaitingItem> now) {
        List<WaitingItem> unusual = now.stream().filter(WaitingItem::unusual).toList();
        logged.stream()
                .filter(before -> unusual.stream().noneMatch(before::isAbout))
                .forEach(over -> log.info(
                        "WB-127 {} {} is no longer waiting.", over.kind().word(), over.name()));
        var stillLogged = new ArrayList<WaitingItem>();
        for (WaitingItem one : unusual) {
            if (one.code().equals(WaitingItem.CODE)) {
                if (logged.stream().noneMatch(one::isAbout)) {
                    log.warn("WB-126 Waiting: {}", one.text());
                }
                stillLogged.add(one);
            }
        }
        logged = List.copyOf(stillLogged);
    }
}
