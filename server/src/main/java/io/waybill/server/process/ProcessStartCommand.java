package io.waybill.server.process;

import io.waybill.WaybillException;
import io.waybill.jdbc.JdbcStore;
import io.waybill.message.Payload;
import io.waybill.message.PayloadCodec;
import io.waybill.ops.ProcessOperations.Outcome;
import io.waybill.ops.submission.ProcessSubmission;
import io.waybill.server.change.SubmittedRequest;
import io.waybill.server.cli.Listing;
import io.waybill.server.cli.Operator;
import io.waybill.server.relay.RelayDrain;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "start",
        description = {
            "Start a process in an instance of the application that has its definition.",
            "",
            "There is one process for each type and business key: starting it again changes nothing."
        },
        mixinStandardHelpOptions = true)
final class ProcessStartCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private SubmittedRequest submitted = new SubmittedRequest();

    @Parameters(paramLabel = "TYPE", description = "The type of the process.")
    @SuppressWarnings("NullAway.Init")
    private String type;

    @Option(
            names = "--key",
            paramLabel = "KEY",
            required = true,
            description = "The business key: what the process is about, such as the id of an order.")
    @SuppressWarnings("NullAway.Init")
    private String key;

    @Option(names = "--data", paramLabel = "JSON", defaultValue = "{}", description = "Its data: a JSON object ({}).")
    private String data = "{}";

    @Option(
            names = "--definition-version",
            paramLabel = "N",
            defaultValue = "0",
            description = "The version of the definition; without it, the latest that the instance has.")
    private int version;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            defaultValue = "5",
            description =
                    "How long to wait until an instance of the application has started it (5). After that the exit code"
                            + " is 4, and the request stays queued.")
    private int wait = 5;

    @Override
    public Integer call() {
        String reason = submitted.reason();
        var request = new ProcessSubmission.Request(type, version, key, object(), Operator.name(), reason);
        return submitted.run(
                "start a " + type + " about " + key,
                store -> start(store, request),
                result -> result.process() + ": " + result.outcome().word(),
                this::report);
    }

    private ProcessSubmission.Result start(JdbcStore store, ProcessSubmission.Request request) {
        var submission = new ProcessSubmission(
                store.processStore(PayloadCodec.found()),
                store.admin(),
                store.outbox(),
                store.transactions(),
                PayloadCodec.found(),
                store::served);
        ProcessSubmission.Submitted asked = submission.ask(request);
        store.wakeRelays();
        return submission.await(asked, Duration.ofSeconds(wait));
    }

    private int report(ProcessSubmission.Result result) {
        var answer = new Listing("id", "what", "outcome", "says");
        answer.add(result.process(), "start", result.outcome().word(), result.says());
        submitted.output().print(answer, submitted.out());
        return result.outcome() == Outcome.REFUSED
                ? RelayDrain.ERROR
                : result.outcome() == Outcome.NOT_TAKEN_YET ? RelayDrain.UNHEALTHY : RelayDrain.OK;
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> object() {
        try {
            return PayloadCodec.found().decode(Payload.text(data), LinkedHashMap.class);
        } catch (WaybillException e) {
            throw new ParameterException(
                    spec.commandLine(), "--data must be a JSON object, such as {\"approved\":true}, but is " + data, e);
        }
    }
}
