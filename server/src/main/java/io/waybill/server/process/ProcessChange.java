package io.waybill.server.process;

import io.waybill.WaybillException;
import io.waybill.jdbc.JdbcStore;
import io.waybill.message.Payload;
import io.waybill.message.PayloadCodec;
import io.waybill.ops.ProcessOperations;
import io.waybill.ops.ProcessOperations.Outcome;
import io.waybill.ops.ProcessOperations.Result;
import io.waybill.process.message.ProcessRequest;
import io.waybill.process.message.ProcessRequest.Verb;
import io.waybill.process.store.ProcessStore;
import io.waybill.server.cli.ChangeOptions;
import io.waybill.server.cli.Listing;
import io.waybill.server.cli.Operator;
import io.waybill.server.database.DatabaseOptions;
import io.waybill.server.relay.RelayDrain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * What every change of processes has in common. The command line does not know their definitions, so it asks the application's
 * instances to do it, waits a little, and says what became of it.
 */
final class ProcessChange {

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private ChangeOptions change = new ChangeOptions();

    @Parameters(paramLabel = "ID", arity = "0..*", description = ProcessFinder.DESCRIPTION)
    private List<String> ids = List.of();

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            defaultValue = "5",
            description =
                    "How long to wait until an instance of the application has done it (5). After that the exit code is"
                            + " 4, and the request stays queued.")
    private int wait = 5;

    /** What is to be done to one process: a request, or a reason why there is none. */
    private record Item(String id, @Nullable ProcessRequest request, String refusal) {}

    /** What became of it. */
    private record Line(String id, String what, String outcome, String says) {

        static Line refused(Item item) {
            return new Line(item.id, "", Outcome.REFUSED.word(), item.refusal);
        }

        boolean is(Outcome wanted) {
            return outcome.equals(wanted.word());
        }
    }

    /** One of the changes that can be made to all processes that match; {@code step} where it needs one. */
    int run(Verb verb, @Nullable String step, ProcessSelection selection) {
        boolean mayDoWithoutReason = (verb == Verb.PAUSE || verb == Verb.RESUME) && selection.isEmpty();
        if (!mayDoWithoutReason) {
            change.requireReason();
        }
        String subject = Optional.ofNullable(step).orElse("");
        if (selection.isEmpty() && !ids.isEmpty()) {
            return run(verb, subject, Map.of(), "");
        }
        if (!ids.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "Give ids, or say which processes match, not both.");
        }
        if (selection.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "Nothing is selected. Say which processes by their ids, or all that match, as in --type PlaceOrder"
                            + " --status failed, or --all for every one.");
        }
        return selection.run(database, change, verb, subject);
    }

    /** A signal; with a key a second one of the name changes nothing. */
    int signal(String name, Map<String, Object> data, String key) {
        return run(Verb.SIGNAL, name, data, key);
    }

    /** A JSON object from the command line. */
    @SuppressWarnings("unchecked")
    Map<String, Object> object(String json) {
        try {
            return PayloadCodec.found().decode(Payload.text(json), LinkedHashMap.class);
        } catch (WaybillException e) {
            throw new ParameterException(
                    spec.commandLine(), "--data must be a JSON object, such as {\"approved\":true}, but is " + json, e);
        }
    }

    private int run(Verb verb, String subject, Map<String, Object> data, String key) {
        if (ids.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "Nothing is selected. Say which processes by their ids.");
        }
        return database.use(store -> {
            ProcessStore processes = store.processStore(PayloadCodec.found());
            var operations =
                    new ProcessOperations(processes, store.outbox(), store.transactions(), PayloadCodec.found());
            List<Item> items = ids.stream()
                    .distinct()
                    .map(id -> item(
                            id,
                            processes,
                            process -> operations.request(
                                    process, verb, subject, data, Operator.name(), change.reason(), key)))
                    .toList();
            if (change.isDryRun()) {
                return report(items.stream().map(ProcessChange::foreseen).toList());
            }
            String what = verb.name().charAt(0) + verb.name().substring(1).toLowerCase(Locale.ROOT);
            if (!change.isWanted(what + " " + items.size() + " processes", database.shown())) {
                return 1;
            }
            List<Line> lines = new ArrayList<>();
            Operator.change(store, spec, database.shown(), change.reason(), () -> {
                lines.addAll(done(items, store, operations));
                return lines.stream().map(line -> line.id + ": " + line.outcome).collect(Collectors.joining(", "));
            });
            return report(lines);
        });
    }

    private static Item item(String text, ProcessStore processes, Function<UUID, ProcessRequest> request) {
        try {
            UUID id = ProcessFinder.find(processes, text);
            return new Item(id.toString(), request.apply(id), "");
        } catch (WaybillException e) {
            return new Item(text, null, String.valueOf(e.getMessage()));
        }
    }

    private static Line foreseen(Item item) {
        return item.request == null ? Line.refused(item) : new Line(item.id, item.request.what(), "would be asked", "");
    }

    private List<Line> done(List<Item> items, JdbcStore store, ProcessOperations operations) {
        items.forEach(item -> Optional.ofNullable(item.request)
                .ifPresent(request -> operations.ask(UUID.fromString(item.id), request)));
        store.wakeRelays();
        long deadline = System.nanoTime() + Duration.ofSeconds(wait).toNanos();
        return items.stream().map(item -> await(item, operations, deadline)).toList();
    }

    private static Line await(Item item, ProcessOperations operations, long deadline) {
        if (item.request == null) {
            return Line.refused(item);
        }
        var left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
        Result result = operations.await(UUID.fromString(item.id), item.request, left);
        return new Line(item.id, result.what(), result.outcome().word(), result.says());
    }

    private int report(List<Line> lines) {
        var answer = new Listing("id", "what", "outcome", "says");
        lines.forEach(line -> answer.add(line.id, line.what, line.outcome, line.says));
        change.output().print(answer, spec.commandLine().getOut());
        if (lines.stream().anyMatch(line -> line.is(Outcome.REFUSED))) {
            boolean all = lines.stream().allMatch(line -> line.is(Outcome.REFUSED));
            return all ? RelayDrain.ERROR : RelayDrain.PARTLY_FAILED;
        }
        return lines.stream().anyMatch(line -> line.is(Outcome.NOT_TAKEN_YET)) ? RelayDrain.UNHEALTHY : RelayDrain.OK;
    }
}
