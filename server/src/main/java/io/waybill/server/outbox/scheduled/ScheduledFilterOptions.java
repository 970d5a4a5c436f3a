package io.waybill.server.outbox.scheduled;

import io.waybill.ops.ScheduledOperations.Filter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import picocli.CommandLine.Option;

/** Which scheduled messages a command is about: those that match all that is given. */
final class ScheduledFilterOptions {

    @Option(names = "--id", paramLabel = "ID", description = "This message; may be given several times.")
    private List<UUID> ids = new ArrayList<>();

    @Option(names = "--destination", paramLabel = "NAME", defaultValue = "", description = "To this destination.")
    private String destination = "";

    @Option(names = "--type", paramLabel = "TYPE", defaultValue = "", description = "Of this type.")
    private String type = "";

    @Option(names = "--key", paramLabel = "KEY", defaultValue = "", description = "With this partition key.")
    private String key = "";

    Filter filter() {
        return new Filter(Set.copyOf(ids), destination, type, key);
    }
}
