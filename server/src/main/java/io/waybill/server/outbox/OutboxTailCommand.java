package io.waybill.server.outbox;

import io.waybill.message.Envelope;
import io.waybill.ops.OutboxOperations;
import io.waybill.server.change.OutboxSelectionOptions;
import io.waybill.server.cli.MessageJson;
import io.waybill.server.database.ListingOptions;
import io.waybill.store.admin.Selection;
import io.waybill.store.admin.StoredMessage;
import java.io.PrintWriter;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "tail",
        description = {
            "Show messages as they are appended, until Ctrl-C.",
            "",
            "It polls once a second, so it may miss messages that are removed when they are published (retention"
                    + " 0). With -o json or ndjson each message is one line with all its fields."
        },
        mixinStandardHelpOptions = true)
final class OutboxTailCommand implements Callable<Integer> {

    private static final long LOOK_EVERY_MILLIS = 1_000;

    /** So many positions are looked at again each time, so that what was committed late is noticed. */
    private static final int WINDOW = 1_000;

    /** More are shown at the next look. */
    private static final int MAX_ROWS = 5_000;

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneId.systemDefault());

    private final CountDownLatch stopped = new CountDownLatch(1);

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private ListingOptions listing = new ListingOptions();

    @Mixin
    private OutboxSelectionOptions selected = new OutboxSelectionOptions();

    @Option(
            names = {"-n", "--lines"},
            paramLabel = "N",
            defaultValue = "10",
            description = "Start with the last N (10) among the latest 1000.")
    private int lines = 10;

    @Option(names = "--for", paramLabel = "SECONDS", defaultValue = "0", description = "Exit after so many seconds.")
    private int seconds;

    @Option(names = "--once", description = "Show the last N, and exit.")
    private boolean once;

    @Override
    public Integer call() {
        if (lines < 0 || lines > WINDOW) {
            throw new ParameterException(
                    spec.commandLine(), "--lines (" + lines + ") must be between 0 and " + WINDOW + ".");
        }
        Runtime.getRuntime().addShutdownHook(new Thread(stopped::countDown));
        return selected.use(listing.database(), outbox -> follow(outbox.operations(), selected.any(outbox::id)));
    }

    private int follow(OutboxOperations outbox, Selection selection) {
        List<StoredMessage> seen = outbox.list(selection, outbox.lastPosition() - WINDOW, WINDOW);
        print(outbox, seen.subList(Math.max(0, seen.size() - lines), seen.size()));
        long last = outbox.lastPosition();
        Set<Long> shown = positions(seen);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!once && (seconds == 0 || System.nanoTime() < end) && pause()) {
            List<StoredMessage> now = outbox.list(selection, last - WINDOW, MAX_ROWS);
            print(
                    outbox,
                    now.stream()
                            .filter(message -> !shown.contains(message.position()))
                            .toList());
            shown.addAll(positions(now));
            last = now.isEmpty() ? last : Math.max(last, now.get(now.size() - 1).position());
            long looked = last - WINDOW;
            shown.removeIf(position -> position <= looked);
        }
        return 0;
    }

    private static Set<Long> positions(List<StoredMessage> messages) {
        return messages.stream().map(StoredMessage::position).collect(Collectors.toCollection(HashSet::new));
    }

    private void print(OutboxOperations outbox, List<StoredMessage> messages) {
        PrintWriter out = listing.out();
        messages.forEach(message -> out.println(listing.isJson() ? json(outbox, message) : line(message)));
        out.flush();
    }

    /** With its payload, which a list does not read; one that was removed meanwhile has none. */
    private static String json(OutboxOperations outbox, StoredMessage message) {
        return MessageJson.of(outbox.find(message.envelope().id()).orElse(message));
    }

    private static String line(StoredMessage message) {
        Envelope envelope = message.envelope();
        return TIME.format(message.createdAt()) + "  " + message.status() + "  " + envelope.destination() + "  "
                + (envelope.type().isEmpty() ? "-" : envelope.type()) + "  "
                + (envelope.partitionKey().isEmpty() ? "-" : envelope.partitionKey()) + "  " + envelope.id();
    }

    /** Whether to go on after a moment. */
    private boolean pause() {
        try {
            return !stopped.await(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
