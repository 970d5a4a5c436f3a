package io.waybill.server.process;

import io.waybill.WaybillException;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.Signals;
import io.waybill.message.Payload;
import io.waybill.message.PayloadCodec;
import io.waybill.message.UuidV7;
import io.waybill.process.ProcessRequests;
import io.waybill.process.message.ProcessRequest;
import io.waybill.process.message.ProcessRequest.Verb;
import io.waybill.process.state.ProcessEvent.OperatorAsked;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.StepExecution;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
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

    private static final long LOOK_EVERY_MILLIS = 100;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private ChangeOptions change = new ChangeOptions();

    @Parameters(paramLabel = "ID", arity = "1..*", description = ProcessFinder.DESCRIPTION)
    private List<String> ids = List.of();

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            defaultValue = "5",
            description =
                    "How long to wait for an instance of the application to do it (5). What none has taken by then"
                            + " is done as soon as one does; the exit code is 4.")
    private int wait = 5;

    /** What is to be done to one process: a request, or a reason why there is none. */
    private record Item(String id, @Nullable ProcessRequest request, String refusal) {}

    /** What became of it. */
    private record Result(String id, String what, Outcome outcome, String says) {}

    private enum Outcome {
        WOULD_BE_ASKED,
        DONE,
        REFUSED,
        NOT_TAKEN_YET;

        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    int ofStep(Verb verb, @Nullable String step) {
        change.requireReason();
        return run(verb, state -> step == null ? onlyStep(verb, state) : step, Map.of(), "");
    }

    /** What ends a process needs a reason; what only holds it, or tells it something, may have one. */
    int cancel(Verb verb) {
        change.requireReason();
        return run(verb, "", Map.of());
    }

    int run(Verb verb, String subject, Map<String, Object> data) {
        return run(verb, state -> subject, data, "");
    }

    /** A signal; with a key a second one of the name changes nothing. */
    int signal(String name, Map<String, Object> data, String key) {
        return run(Verb.SIGNAL, state -> name, data, key);
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

    private int run(Verb verb, Function<ProcessState, String> subject, Map<String, Object> data, String key) {
        return database.use(store -> {
            ProcessStore processes = store.processStore(PayloadCodec.found());
            List<Item> items = ids.stream()
                    .distinct()
                    .map(id -> item(id, processes, verb, subject, data, change.reason(), key))
                    .toList();
            if (change.isDryRun()) {
                return report(items.stream().map(ProcessChange::foreseen).toList());
            }
            String what = verb.name().charAt(0) + verb.name().substring(1).toLowerCase(Locale.ROOT);
            if (!change.isWanted(what + " " + items.size() + " processes", database.shown())) {
                return 1;
            }
            List<Result> results = new ArrayList<>();
            Operator.change(store, spec, database.shown(), change.reason(), () -> {
                results.addAll(done(items, store, processes));
                return results.stream()
                        .map(result -> result.id + ": " + result.outcome.word())
                        .collect(Collectors.joining(", "));
            });
            return report(results);
        });
    }

    private static Item item(
            String text,
            ProcessStore processes,
            Verb verb,
            Function<ProcessState, String> subject,
            Map<String, Object> data,
            String reason,
            String key) {
        try {
            UUID id = ProcessFinder.find(processes, text);
            ProcessState state = processes.read(id).orElseThrow(() -> ProcessFinder.gone(id));
            UUID request = UuidV7.SYSTEM.get();
            return new Item(
                    id.toString(),
                    new ProcessRequest(request, verb, subject.apply(state), data, Operator.name(), reason, key),
                    "");
        } catch (WaybillException e) {
            return new Item(text, null, String.valueOf(e.getMessage()));
        }
    }

    private static String onlyStep(Verb verb, ProcessState state) {
        List<String> fitting = state.executions().stream()
                .filter(verb::fits)
                .map(StepExecution::label)
                .toList();
        if (fitting.size() == 1) {
            return fitting.get(0);
        }
        throw new WaybillException(
                fitting.isEmpty()
                        ? "It is " + state.status() + ", and no step of it waits to be tried again or is blocked."
                        : "Say which step with --step: " + String.join(", ", fitting) + ".");
    }

    private static Result foreseen(Item item) {
        return item.request == null
                ? new Result(item.id, "", Outcome.REFUSED, item.refusal)
                : new Result(item.id, item.request.what(), Outcome.WOULD_BE_ASKED, "");
    }

    private List<Result> done(List<Item> items, JdbcStore store, ProcessStore processes) {
        var requests = new ProcessRequests(processes, store.outbox(), store.transactions(), PayloadCodec.found());
        items.forEach(item -> Optional.ofNullable(item.request)
                .ifPresent(request -> requests.ask(UUID.fromString(item.id), request)));
        Optional<Signals> signals = store.signals();
        signals.ifPresent(Signals::send);
        try {
            return await(items, requests);
        } finally {
            signals.ifPresent(Signals::close);
        }
    }

    private List<Result> await(List<Item> items, ProcessRequests requests) {
        long deadline = System.nanoTime() + Duration.ofSeconds(wait).toNanos();
        var results = new ArrayList<Result>();
        for (Item item : items) {
            if (item.request == null) {
                results.add(foreseen(item));
                continue;
            }
            Optional<OperatorAsked> outcome = requests.outcome(UUID.fromString(item.id), item.request.id());
            while (outcome.isEmpty() && System.nanoTime() < deadline && pause()) {
                outcome = requests.outcome(UUID.fromString(item.id), item.request.id());
            }
            results.add(outcome.map(asked -> new Result(
                            item.id,
                            asked.what(),
                            asked.refusal().isEmpty() ? Outcome.DONE : Outcome.REFUSED,
                            asked.refusal()))
                    .orElseGet(() -> new Result(
                            item.id,
                            item.request.what(),
                            Outcome.NOT_TAKEN_YET,
                            "No instance of the application has taken it yet; it is done when one does.")));
        }
        return results;
    }

    private static boolean pause() {
        try {
            return !new CountDownLatch(1).await(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private int report(List<Result> results) {
        var answer = new Listing("id", "what", "outcome", "says");
        results.forEach(result -> answer.add(result.id, result.what, result.outcome.word(), result.says));
        change.output().print(answer, spec.commandLine().getOut());
        Predicate<Outcome> any = wanted -> results.stream().anyMatch(result -> result.outcome == wanted);
        if (any.test(Outcome.REFUSED)) {
            boolean all = results.stream().allMatch(result -> result.outcome == Outcome.REFUSED);
            return all ? RelayDrain.ERROR : RelayDrain.PARTLY_FAILED;
        }
        return any.test(Outcome.NOT_TAKEN_YET) ? RelayDrain.UNHEALTHY : RelayDrain.OK;
    }
}
